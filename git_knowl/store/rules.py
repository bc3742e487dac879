"""What must hold for the entries of both lanes before a transaction may publish them."""

from __future__ import annotations

from git_knowl.errors import KnowlError, MovedError
from git_knowl.store import layout
from git_knowl.store.trees import files_in
from git_knowl.store.view import LANES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.store.view import Tree, View


class NameTakenError(KnowlError):
    """A name that another live entry has."""


class RetiredError(KnowlError):
    """An id that a tombstone stands for."""


class ConflictedError(MovedError):
    """A change of an entry of which a person must choose the text first."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"'{name}' is in conflict: it was changed in two ways at once, and nobody has decided",
            "'git knowl review' in a terminal shows both texts beside each other",
        )


def check(view: View) -> None:
    """Raise when an entry that the staged edits bring in may not stand where it is put.

    An entry that keeps its name is left alone, so that two of one name (which only a merge can
    make) can each still be edited. An entry in conflict is changed by what settles the conflict.
    """
    for name in _written_in_conflict(view):
        raise ConflictedError(name)
    for lane, identifier, name in _arrivals(view):
        _check_name(view, lane, identifier, name)
        if view.lane(lane).find(layout.record_path(layout.RETIRED, identifier)):
            raise RetiredError(
                f"'{name}' ({identifier}) is retired in lane {lane}",
                "'git knowl restore' brings a retired entry back",
            )


def _written_in_conflict(view: View) -> Iterator[str]:
    """Yield the name of every entry file put while the texts of a conflict stay as they are."""
    for lane in LANES:
        tree = view.lane(lane)
        for path, data in tree.staged.items():
            found = layout.parse_entry_path(path)
            if found and data is not None and _is_in_conflict(view, tree, found[0]):
                yield found[1]


def _is_in_conflict(view: View, tree: Tree, identifier: str) -> bool:
    held = [path for path, _ in files_in(view, tree.root, layout.conflict_folder(identifier))]
    return bool(held) and tree.staged.keys().isdisjoint(held)


def _arrivals(view: View) -> Iterator[tuple[str, str, str]]:
    """Yield lane, id and name of every entry file that was not there under this name before."""
    for lane in LANES:
        tree = view.lane(lane)
        for path, data in tree.staged.items():
            found = layout.parse_entry_path(path)
            if found and data is not None and tree.committed(path) is None:
                yield lane, *found


def _check_name(view: View, lane: str, identifier: str, name: str) -> None:
    others = [holder for holder in view.holders(name) if holder != (lane, identifier)]
    if not others:
        return
    other_lane, other = others[0]
    if other == identifier:
        raise NameTakenError(
            f"'{name}' ({identifier}) is live in lane {other_lane} already",
            "'git knowl move' takes an entry from one lane to the other",
        )
    raise NameTakenError(
        f"the name '{name}' is taken by the entry {other} in lane {other_lane}",
        "choose another name, or change that entry",
    )
