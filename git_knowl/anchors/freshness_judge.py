"""Judging again what is outdated, and storing it.

Two rules keep a stored verdict from outliving its evidence. The stat of a path is taken before its
content is judged, and a path judged earlier keeps its old stat until everything on it is judged
again. Where attributes or the index moved meanwhile, nothing is stored.
"""

import json
from collections.abc import Mapping
from dataclasses import fields

from git_knowl.anchors import freshness
from git_knowl.anchors.evaluate import judge_entries, paths_of, successors_of
from git_knowl.anchors.freshness_file import Batch, Outdated, Row, Start, write
from git_knowl.anchors.freshness_sample import Sample
from git_knowl.anchors.url import expires
from git_knowl.anchors.worlds import DefaultWorld, WorkTreeWorld
from git_knowl.model.anchor import UrlAnchor
from git_knowl.model.entry import Entry
from git_knowl.model.status import ACTIVE
from git_knowl.model.verdict import AnchorVerdict, Verdict

_FIELDS = tuple(field.name for field in fields(AnchorVerdict))


def judge_again(
    world: DefaultWorld,
    tips: Mapping[str, str | None],
    start: Start,
    outdated: Outdated,
    entries: list[Entry],
) -> dict[str, Verdict]:
    """Judge entries, store what came of it, and return the verdicts that say something."""
    paths = {path for entry in entries for path in paths_of(entry)}
    sample = Sample.before(world, paths)
    found = judge_entries(entries, world)
    if start.tick is not None:
        rows = [_row(entry, outdated.stale[entry.id], found[entry.id], world) for entry in entries]
        sample = sample.after(world, {path for row in rows for path in row.paths} - paths)
        base = _base(world, sample) if outdated.base is None else outdated.base
        batch = Batch(
            meta={**_meta(world, tips), **start.settled, "base": base},
            rows=rows,
            paths=sample.rows(world, base, start.tick),
            folders=list(sample.links.items()),
        )
        if start.stamps == Start.stamps_of(world.repo):
            write(start, outdated, batch)
    return {key: verdict for key, verdict in found.items() if not _is_plain(verdict)}


def _meta(world: DefaultWorld, tips: Mapping[str, str | None]) -> dict[str, str]:
    folds_case = isinstance(world, WorkTreeWorld) and world.folds_case
    return {
        "format": freshness.FORMAT,
        "tips": freshness.tips_text(tips),
        "head": world.head or "",
        "ignorecase": str(int(folds_case)),
    }


def _base(world: DefaultWorld, sample: Sample) -> str:
    """Return the commit to compare with where so many files are anchored that git is faster."""
    if isinstance(world, WorkTreeWorld) and freshness.is_dense(world.repo, len(sample.stats)):
        return world.head or ""
    return ""


def _row(entry: Entry, version: str, verdict: Verdict, world: DefaultWorld) -> Row:
    is_plain = _is_plain(verdict)
    paths = paths_of(entry) if is_plain else [*paths_of(entry), *successors_of(entry, world)]
    ends = [expires(anchor) for anchor in entry.anchors if isinstance(anchor, UrlAnchor)]
    return Row(
        id=entry.id,
        version=version,
        status=verdict.status,
        is_leaning=not is_plain or _leans(world, paths),
        expires=min((end for end in ends if end and end > world.now), default=None),
        detail=None if is_plain else _written(verdict),
        paths=tuple(paths),
    )


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
