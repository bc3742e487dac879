"""Raise the format of the store to the newest this program knows, as a step a person looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from git_knowl.errors import MovedError
from git_knowl.model.entry import Reviewed
from git_knowl.services.context import Context
from git_knowl.services.recording import record
from git_knowl.store import layout
from git_knowl.store.formats import FORMATS, Format, number_of, way
from git_knowl.store.operations import Change, PutFile
from git_knowl.store.transaction import publish
from git_knowl.store.view import REFS, Tree, View

NEW = "new"
CHANGED = "changed"
GONE = "gone"


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of one ref: its format then and now, and (path, NEW, CHANGED or GONE)."""

    ref: str
    before: int
    after: int
    files: tuple[tuple[str, str], ...] = ()


def plan(ctx: Context, formats: Sequence[Format] = FORMATS) -> tuple[Step, ...]:
    """Return what a migration would do, nothing where every ref has the newest format.

    Raises FormatError for a ref whose format this program does not know.
    """
    view = ctx.store.view()
    return tuple(step for step, _ in _raised(view, formats))


def migrate(
    ctx: Context, seen: Sequence[Step], reviewed: Reviewed, formats: Sequence[Format] = FORMATS
) -> None:
    """Do what was shown, as one operation on all refs.

    Raises MovedError when something else would be done by now; then nothing is written.
    """

    def operation(view: View) -> Iterable[Change]:
        done = list(_raised(view, formats))
        if [step for step, _ in done] != list(seen):
            raise MovedError("the store was changed meanwhile", "look at it again and repeat")
        for step, tree in done:
            yield from (PutFile(step.ref, path, tree.read(path)) for path in tree.staged)

    newest = max(one.number for one in formats)
    said = record(ctx, "migrate", f"migrate to format {newest}", reviewed)
    publish(ctx.store, operation, said, fsync=True)
    ctx.refresh()


def _raised(view: View, formats: Sequence[Format]) -> Iterator[tuple[Step, Tree]]:
    """Yield every ref that has an older format, with its tree as it would be."""
    raised = View(view.db, view.object_format, view.commits)
    for ref in REFS:
        tree = raised.tree(ref)
        number = number_of(tree)
        steps = list(way(ref, number, formats)) if number is not None else []
        for one, upgrade in steps:
            for path, data in [*upgrade(tree), (layout.FORMAT_FILE, one.text)]:
                tree.stage(path, data)
        if steps:
            yield Step(ref, number or 0, steps[-1][0].number, tuple(_told(tree))), tree


def _told(tree: Tree) -> Iterator[tuple[str, str]]:
    for path, data in sorted(tree.staged.items()):
        was = tree.committed(path)
        if data is None and was:
            yield path, GONE
        elif data is not None and tree.find(path) != was:
            yield path, CHANGED if was else NEW
