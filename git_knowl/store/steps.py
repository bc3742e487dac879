"""The commits of the shared lane as they lead to its tip: what each changed, and what it says."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from git_knowl.plumbing.repository import Repository
from git_knowl.store import layout
from git_knowl.store.signed import HOW
from git_knowl.store.transaction import OP

#: Blob of an entry before and after, None where there is none.
Change = tuple[str | None, str | None]

_TIMEOUT = 600.0
_TRAILERS = "%(trailers:key={},valueonly,unfold,separator=%x02)"
_FIELDS = ("%x01%H", "%P", _TRAILERS.format(OP), _TRAILERS.format(HOW))
_LOG = (
    "log",
    "--topo-order",
    f"--format={'%x03'.join(_FIELDS)}",
    "--no-show-signature",
    "--no-color",
    "--no-notes",
    "--no-diff-merges",
    "--no-renames",
    "--no-abbrev",
    "--raw",
    "-r",
    "-z",
)
_CONFIG = ("log.showRoot=true", "log.follow=false")
# What replaces a commit in this clone says nothing about what was signed.
_ENV = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1"}


@dataclass(frozen=True, slots=True)
class Step:
    """One commit; ``changes`` has every entry it touched by id, of a merge none.

    ``ops`` and ``hows`` are what its trailers claim: a commit of ours has one of each at most.
    """

    commit: str
    parents: tuple[str, ...]
    ops: tuple[str, ...] = ()
    hows: tuple[str, ...] = ()
    changes: dict[str, Change] = field(default_factory=dict)


def read_steps(repo: Repository, tips: Sequence[str]) -> Iterator[Step]:
    """Yield the commits that lead to a tip, children before parents; ``^COMMIT`` ends the walk."""
    out = repo.git(*_LOG, *tips, "--", config=_CONFIG, env=_ENV, timeout=_TIMEOUT)
    tokens = iter(os.fsdecode(out).split("\0"))
    step: Step | None = None
    for token in tokens:
        line = token.lstrip("\n")
        if line.startswith("\x01"):
            if step:
                yield step
            step = _step(line[1:])
        elif line.startswith(":") and step:
            _, _, old, new, _ = line.split(" ")
            _note(step.changes, next(tokens), old, new)
    if step:
        yield step


def is_between(repo: Repository, commits: Sequence[str], old: str, new: str) -> bool:
    """Tell whether one of the commits leads to ``new`` and not to ``old``."""
    listed = repo.git("rev-list", new, f"^{old}", env=_ENV, timeout=_TIMEOUT)
    return not set(commits).isdisjoint(listed.decode("ascii").split())


def _step(header: str) -> Step:
    commit, parents, ops, hows = header.split("\x03", 3)
    return Step(commit, tuple(parents.split()), _values(ops), _values(hows))


def _values(told: str) -> tuple[str, ...]:
    return tuple(told.split("\x02")) if told else ()


def _note(changes: dict[str, Change], path: str, old: str, new: str) -> None:
    """Add one file to what changed; a renamed entry has one that went and one that came."""
    found = layout.parse_entry_path(path)
    if found:
        before, after = changes.get(found[0], (None, None))
        changes[found[0]] = (
            old if old.strip("0") else before,
            new if new.strip("0") else after,
        )
