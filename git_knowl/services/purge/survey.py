"""What holds a text, everywhere in this clone, and how the histories look without it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from git_knowl.plumbing import refs
from git_knowl.plumbing.history import is_shallow
from git_knowl.plumbing.objects import open_objects
from git_knowl.services.context import Context
from git_knowl.services.purge import derived, reflogs
from git_knowl.services.purged.copies import copies, remote_of
from git_knowl.services.purged.sift import Sifter, sieve_of
from git_knowl.services.purged.wanted import Wanted
from git_knowl.store.rewrite import Rewriter

#: So many commits are asked for who else holds them.
_MOST = 20
_LOG_OF = "reflog of "


@dataclass(frozen=True, slots=True)
class Place:
    """So many things of a kind that hold it, in one place: a ref, its reflog or a file."""

    kind: str
    where: str
    count: int = 1


@dataclass(slots=True)
class Survey:
    """All that was found; ``tips`` is where every ref of the store was.

    ``logs`` are the refs whose reflogs lead to what goes, ``derived`` and ``unfinished`` files.
    """

    tips: dict[str, str]
    sifter: Sifter
    rewriter: Rewriter
    logs: list[str] = field(default_factory=list)
    derived: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)

    def after(self, ref: str) -> str | None:
        """Return the commit in the place of that of a ref, None for a ref that is not there."""
        tip = self.tips.get(ref)
        return self.rewriter.commits[tip] if tip else None

    @property
    def changed(self) -> list[str]:
        """The refs that hold something of it, in themselves or in their history."""
        return [ref for ref, tip in self.tips.items() if self.after(ref) != tip]

    @property
    def places(self) -> set[str]:
        """The refs that it was first found in, or in whose reflogs."""
        return {place.removeprefix(_LOG_OF) for _, place in self.sifter.counts}

    @property
    def is_clean(self) -> bool:
        """Tell whether nothing holds it; the cache alone, which anyone may remove, is nothing."""
        return not (self.changed or self.logs or self.unfinished)


@dataclass(frozen=True, slots=True)
class Found:
    """What a person is shown before anything goes.

    ``others`` are refs that are not ours and lead to it, ``remotes`` those whose last seen store
    holds it; ``unsigned`` counts commits that lose their signature. ``made_of_it`` names entries
    that were changed here on top of what others purged.
    """

    places: tuple[Place, ...] = ()
    remotes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    unsigned: int = 0
    shallow: bool = False
    made_of_it: tuple[str, ...] = ()


def survey(ctx: Context, wanted: Wanted, *, redact: bool = False) -> Survey:
    """Look through all refs of the store, their histories and reflogs, and the files beside them.

    Nothing is written.
    """
    tips = _in_order(refs.ours(ctx.repo))
    db = open_objects(ctx.repo, bulk=True)
    found = Survey(tips, Sifter(db, wanted, redact=redact), Rewriter(ctx.repo, db))
    for ref, tip in tips.items():
        _follow(found, ref, ref, [tip])
    for ref in tips:
        logged = reflogs.entries(ctx.repo, ref)
        _follow(found, ref, f"{_LOG_OF}{ref}", [commit for commit, _ in logged])
        if _leads_to_it(found, logged, wanted):
            found.logs.append(ref)
    found.derived = derived.derived_files(ctx, wanted, wanted.ids | found.sifter.ids)
    found.unfinished = derived.left_unfinished(ctx, wanted)
    return found


def told(ctx: Context, found: Survey) -> Found:
    """Return what a person is shown of a survey."""
    counted = [Place(kind, where, n) for (kind, where), n in found.sifter.counts.items()]
    counted += [Place("derived file", path) for path in found.derived]
    counted += [Place("unfinished text", path) for path in found.unfinished]
    return Found(
        tuple(counted),
        tuple(dict.fromkeys(remote_of(ctx.repo, ref) for ref in copies(found.changed))),
        tuple(others_leading(ctx, found.rewriter.first)),
        found.rewriter.unsigned,
        is_shallow(ctx.repo),
        tuple(sorted(found.sifter.made_of_it)),
    )


def others_leading(ctx: Context, commits: Sequence[str]) -> list[str]:
    """Return the refs that are not of the store and lead to one of the commits."""
    found: set[str] = set()
    for commit in commits[:_MOST]:
        asked = ("for-each-ref", "--format=%(refname)", f"--contains={commit}")
        found.update(os.fsdecode(ctx.repo.git(*asked, timeout=600.0)).splitlines())
    return sorted(found - refs.ours(ctx.repo).keys())


def _in_order(tips: dict[str, str]) -> dict[str, str]:
    """Put the shared lane and copies of it first: commits of the local one name commits of it."""
    first = {ref: tip for ref, tip in tips.items() if ref == refs.ENTRIES}
    fetched = {ref: tips[ref] for ref in copies(tips)}
    return first | fetched | tips


def _follow(found: Survey, ref: str, place: str, commits: Sequence[str]) -> None:
    sifter = found.sifter
    sifter.place = place
    found.rewriter.follow(commits, sieve_of(sifter, ref), sifter.reword)


def _leads_to_it(found: Survey, logged: Iterable[tuple[str, bytes]], wanted: Wanted) -> bool:
    after = found.rewriter.commits
    return any(after[commit] != commit or wanted.is_in(told) for commit, told in logged)
