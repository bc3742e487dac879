"""What the notes on commits tell of the store: brought up to it after a write, or made anew.

All but "suspected" is read from the history of the shared lane at any time. What was suspected is
kept, since nothing else has it, and so are lines of anybody else. Entries move first: a crash
leaves notes behind the store, and the next write catches up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_knowl.plumbing import between, notes, refs
from git_knowl.services.context import Context
from git_knowl.services.notes.follow import heirs, lost
from git_knowl.services.notes.records import (
    Lines,
    Standing,
    added,
    encoded,
    note_suspects,
    publish,
    standing,
    united,
)
from git_knowl.services.notes.suspected import said
from git_knowl.store.deeds import CAPTURED, RETIRED, VERIFIED, Deed, deeds, is_in_history

PROJECTED = (CAPTURED, VERIFIED, RETIRED)
#: A write waits for so many of the newest at most; a rebuild brings the others.
MOST = 200


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many commits have notes, and how many of them have their notes from another commit."""

    commits: int
    followed: int


def project(ctx: Context) -> None:
    """Bring the notes up to the shared lane; where their own tip is gone they are made anew."""
    view = ctx.store.view()
    tip, now = view.commits[refs.ENTRIES], standing(ctx)
    if now.tip == tip:
        return
    if now.tip and not is_in_history(ctx.repo, now.tip, view):
        rebuild(ctx)
        return

    def make(there: Standing) -> tuple[str, notes.Objects, str | None]:
        told = lines_of(deeds(ctx.repo, view, there.tip, MOST))
        here = between.present(ctx.repo, told)
        return (*added(ctx, there.root, {key: told[key] for key in told if key in here}), tip)

    publish(ctx, make)


def rebuild(ctx: Context) -> Rebuilt:
    """Make the notes anew from the history of the store.

    They stand on every commit of a branch that has the patch of the one they are about, so they
    follow an amended message, a rebase and a cherry-pick; several commits that were squashed into
    one have no such heir.
    """
    note_suspects(ctx)
    counts: list[Rebuilt] = []

    def make(there: Standing) -> tuple[str, notes.Objects, str | None]:
        view = ctx.store.view()
        told = deeds(ctx.repo, view, None)
        known = {one.commit: one.patch_id for one in told if one.commit and one.patch_id}
        kept = others(notes.read_all(ctx.objects, there.root, ctx.repo.object_format))
        lines, count = followed(ctx, united(lines_of(told), kept), known)
        counts[:] = [Rebuilt(len(lines), count)]
        made = notes.edit(ctx.objects, ctx.repo.object_format, "", encoded(lines))
        return (*made, view.commits[refs.ENTRIES])

    publish(ctx, make, queued=False)
    return counts[0]


def lines_of(told: Iterable[Deed]) -> Lines:
    """Return what to write on which commit; what happened at no known commit is left out."""
    lines: Lines = {}
    for one in told:
        if one.commit and not one.commit.strip("0123456789abcdef"):
            lines.setdefault(one.commit, []).append(said(one.word, one.name))
    return lines


def others(found: Mapping[str, bytes]) -> Lines:
    """Return the lines that the history of the store does not tell."""
    texts = {key: data.decode("utf-8", "replace").splitlines() for key, data in found.items()}
    kept = {
        key: [line for line in told if line and not is_projected(line)]
        for key, told in texts.items()
    }
    return {key: told for key, told in kept.items() if told}


def is_projected(line: str) -> bool:
    """Tell whether a line is one that a rebuild writes again."""
    word, _, name = line.partition(" ")
    return word in PROJECTED and bool(name) and " " not in name


def followed(ctx: Context, lines: Lines, known: Mapping[str, str]) -> tuple[Lines, int]:
    """Return the lines where their commits went, and how many commits have got some by that."""
    gone = lost(ctx.repo, lines)
    went = heirs(ctx.repo, lines, known)
    passed: Lines = {}
    for key, targets in went.items():
        for target in targets:
            passed = united(passed, {target: lines[key]})
    here = between.present(ctx.repo, lines)
    kept = {
        key: told
        for key, told in lines.items()
        if key in here and not (key in gone and went.get(key))
    }
    return united(kept, passed), len(passed)
