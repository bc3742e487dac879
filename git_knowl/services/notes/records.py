"""One line on a commit of the code for what was captured, verified, retired or suspected there.

The notes are a projection for this clone, shown by ``git log --notes=knowl``. This module writes
them, by compare-and-swap on the ref; what they tell of the store is the affair of `project`.
A hook only keeps what it found: notes cost it as much as all else, and the next audit or write adds
them.
"""

from __future__ import annotations

from contextlib import nullcontext

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.light import dataclass
from git_knowl.plumbing import notes, refs
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.objects import encode_commit, object_id
from git_knowl.plumbing.small_files import append, take
from git_knowl.services.notes.suspected import PENDING, SUSPECTED, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from git_knowl.services.context import Context
    from git_knowl.services.notes.suspected import Suspect

    #: What the notes should be, made from what they are: tree, objects, tip of the store.
    Make = Callable[["Standing"], tuple[str, notes.Objects, str | None]]

#: In the message of the commit of the notes: the tip of the shared lane they tell of.
TIP = "Knowl-Tip: "
WHO = "git-knowl <git-knowl@localhost>"
ATTEMPTS = 5

#: The lines on each commit.
Lines = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Standing:
    """The notes as they are: their commit, their tree, and the tip of the store they tell of."""

    commit: str | None
    root: str = ""
    tip: str | None = None


def note_suspects(ctx: Context, found: Iterable[Suspect] = ()) -> None:
    """Note what turned suspect, and what was kept for later, each once.

    Where notes cannot be written, that is told and no failure; they are kept for the next time.
    """
    lines: Lines = {}
    for line in take(ctx.repo.worktree_path(PENDING)).decode("utf-8", "replace").splitlines():
        commit, _, told = line.partition(" ")
        if len(commit) == len(ctx.repo.zero_id) and told.startswith(f"{SUSPECTED} "):
            lines.setdefault(commit, []).append(told)
    for commit, name, path in found:
        lines.setdefault(commit, []).append(said(SUSPECTED, name, path))
    try:
        if lines:
            publish(ctx, lambda there: (*added(ctx, there.root, lines), there.tip))
    except KnowlError as error:
        back = "".join(f"{commit} {line}\n" for commit, told in lines.items() for line in told)
        append(ctx.repo.worktree_path(PENDING), back.encode())
        ctx.repo.notices.append(f"no notes on what turned suspect: {error.message}")


def standing(ctx: Context) -> Standing:
    """Return the notes of this clone."""
    commit = refs.read(ctx.repo, (refs.NOTES,))[refs.NOTES]
    if commit is None:
        return Standing(None)
    found = ctx.objects.read_commit(commit)
    told = [line.removeprefix(TIP) for line in found.message.splitlines() if line.startswith(TIP)]
    return Standing(commit, found.tree, told[-1] if told else None)


def publish(ctx: Context, make: Make, *, queued: bool = True) -> None:
    """Put other notes in the place of those there are; raises MovedError when they keep moving.

    What takes long to make is not ``queued``: every other writer would wait for it, and the swap
    alone is the proof.
    """
    with flock(ctx.repo) if queued else nullcontext() as held:
        for _ in range(ATTEMPTS):
            there = standing(ctx)
            root, objects, tip = make(there)
            if (root, tip) == (there.root, there.tip):
                return
            message = f"notes of git knowl\n\n{TIP}{tip}\n" if tip else "notes of git knowl\n"
            who = f"{WHO} {int(ctx.caller.clock())} +0000"
            commit = encode_commit(root, (), who, who, message)
            ctx.objects.write([*objects, ("commit", commit)])
            oid = object_id("commit", commit, ctx.repo.object_format)
            try:
                move = refs.Update(refs.NOTES, oid, there.commit)
                refs.update(ctx.repo, [move], "notes", held=held)
            except refs.RefMoved:
                continue
            return
    raise MovedError("the notes moved again and again", "'git knowl notes rebuild' makes them anew")


def added(ctx: Context, root: str, lines: Lines) -> tuple[str, notes.Objects]:
    """Return the tree with lines added to the notes, each once."""
    before = {key: data.decode("utf-8", "replace").splitlines()
              for key, data in notes.read(ctx.objects, root, lines).items()}  # fmt: skip
    new = {key: told for key, told in united(before, lines).items() if before.get(key) != told}
    return notes.edit(ctx.objects, ctx.repo.object_format, root, encoded(new))


def united(one: Lines, other: Lines) -> Lines:
    """Return the lines of both, each once on a commit."""
    return {
        key: list(dict.fromkeys((*one.get(key, ()), *other.get(key, ()))))
        for key in (*one, *(key for key in other if key not in one))
    }


def encoded(lines: Lines) -> dict[str, bytes]:
    """Return the notes as they are stored."""
    return {key: "".join(f"{line}\n" for line in told).encode() for key, told in lines.items()}
