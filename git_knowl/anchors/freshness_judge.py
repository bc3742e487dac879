"""Judging again what is outdated, and storing it.

Two rules keep a stored verdict from outliving its evidence. The stat of a path is taken before its
content is judged, and a path judged earlier keeps its old stat until everything on it is judged
again. Where attributes or the index moved meanwhile, nothing is stored.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields

from git_knowl.anchors import freshness
from git_knowl.anchors.evaluate import judge_entries, looked_at, paths_of, successors_of
from git_knowl.anchors.freshness_file import Batch, Outdated, Row, Start, write
from git_knowl.anchors.freshness_sample import Sample
from git_knowl.anchors.needs import Others
from git_knowl.anchors.unreadable import is_passing
from git_knowl.anchors.url import expires
from git_knowl.anchors.worlds import DefaultWorld, WorkTreeWorld
from git_knowl.model.anchor import (
    CommitAnchor,
    SnippetAnchor,
    SymbolAnchor,
    TreeAnchor,
    UrlAnchor,
)
from git_knowl.model.entry import Entry
from git_knowl.model.status import ACTIVE
from git_knowl.model.verdict import AnchorVerdict, Verdict

#: Kinds that are looked for in whatever files are touched, when they are not at their place.
_ROAMING = (SnippetAnchor, SymbolAnchor)
_FIELDS = tuple(field.name for field in fields(AnchorVerdict))


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be judged again, since when, and where the entries come from that it needs."""

    tips: Mapping[str, str | None]
    start: Start
    outdated: Outdated
    others: Others


def judge_again(world: DefaultWorld, task: Task, entries: list[Entry]) -> dict[str, Verdict]:
    """Judge entries, store what came of it, and return the verdicts that say something.

    In a hurried world not everything is looked at, so nothing of it is kept.
    """
    paths = {path for entry in entries for path in paths_of(entry)}
    sample = Sample.before(world, paths)
    unclean = _unclean(world, task.outdated, entries)
    found = judge_entries(entries, world, task.others)
    if task.start.tick is not None and not world.is_hurried:
        stale = task.outdated.stale
        rows = [_row(entry, stale[entry.id], found[entry.id], world) for entry in entries]
        sample = sample.after(world, {path for row in rows for path in row.paths} - paths)
        _keep(world, task, rows, sample, unclean)
    return {key: verdict for key, verdict in found.items() if not _is_plain(verdict)}


def _keep(world: DefaultWorld, task: Task, rows: list[Row], sample: Sample, unclean: str) -> None:
    start, outdated = task.start, task.outdated
    base = _base(world, sample) if outdated.base is None else outdated.base
    batch = Batch(
        meta={**_meta(world, task.tips), **start.settled, "base": base, "unclean": unclean},
        rows=rows,
        paths=sample.rows(world, base, start.tick or 0),
        folders=list(sample.links.items()),
    )
    if start.stamps == Start.stamps_of(world.repo):
        write(start, outdated, batch)


def _unclean(world: DefaultWorld, outdated: Outdated, entries: list[Entry]) -> str:
    """Return the mark of unclean files, taken before sets of files are looked at."""
    if outdated.unclean or not any(_has(entry, *_ROAMING, TreeAnchor) for entry in entries):
        return outdated.unclean
    return freshness.unclean_mark(world.repo)


def _has(entry: Entry, *kinds: type) -> bool:
    return any(isinstance(anchor, kinds) for anchor in entry.anchors)


def _meta(world: DefaultWorld, tips: Mapping[str, str | None]) -> dict[str, str]:
    folds_case = isinstance(world, WorkTreeWorld) and world.folds_case
    return {
        "format": freshness.FORMAT,
        "tips": freshness.tips_text(tips),
        "head": freshness.history_mark(world.repo, world.head),
        "ignorecase": str(int(folds_case)),
    }


def _base(world: DefaultWorld, sample: Sample) -> str:
    """Return the commit to compare with where so many files are anchored that git is faster."""
    if isinstance(world, WorkTreeWorld) and freshness.is_dense(world.repo, len(sample.stats)):
        return world.head or ""
    return ""


def _row(entry: Entry, version: str, verdict: Verdict, world: DefaultWorld) -> Row:
    is_plain = _is_plain(verdict)
    paths = [*paths_of(entry), *looked_at(entry, world)]
    paths += [] if is_plain else successors_of(entry, world)
    since, end = _term(entry, world.now)
    return Row(
        id=entry.id,
        version=version,
        status=verdict.status,
        is_leaning=not is_plain or _has(entry, CommitAnchor, TreeAnchor) or _leans(world, paths),
        since=since,
        expires=world.now if is_passing(verdict) else end,
        detail=None if is_plain else _written(verdict),
        paths=tuple(paths),
        needs=tuple(link.id for link in entry.depends_on),
        has_sets=_has(entry, TreeAnchor) or (not is_plain and _has(entry, *_ROAMING)),
    )


def _term(entry: Entry, now: str) -> tuple[str | None, str | None]:
    """Return since when and until when the age of its urls says what it says now."""
    ends = [end for one in entry.anchors if isinstance(one, UrlAnchor) and (end := expires(one))]
    past = [end for end in ends if end <= now]
    return max(past, default=None), min((end for end in ends if end > now), default=None)


def _leans(world: DefaultWorld, paths: list[str]) -> bool:
    """Tell whether anything but the working files themselves decided what stands at the paths."""
    if not isinstance(world, WorkTreeWorld):
        return bool(paths)
    seen = world.blobs(paths).values()
    return any(found.state != "present" or found.dirty or found.note for found in seen)


def _is_plain(verdict: Verdict) -> bool:
    return not any(
        found.status != ACTIVE or found.note or found.moved_to for found in verdict.anchors
    )


def _written(verdict: Verdict) -> str:
    told = [
        {name: getattr(found, name) for name in _FIELDS if getattr(found, name) is not None}
        for found in verdict.anchors
    ]
    return json.dumps(told, ensure_ascii=True)
