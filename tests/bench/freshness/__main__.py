"""Measure symbol anchors: ``python -m tests.bench.freshness [--commits N] GITDIR…``.

Prints Markdown tables: alarms over real histories, edits of layout, mutations, a formatter's day.
``--show N`` prints so many suspect verdicts as diffs, for reading.
"""

from __future__ import annotations

import argparse
import difflib
import os
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from git_knowl.anchors.symbols.digest import digest_of
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.anchors.symbols.outline import outline
from tests.bench.freshness import edits, formatters
from tests.bench.freshness.histories import Anchor, Change, Draw, History, text_of
from tests.bench.freshness.oracle import is_layout_only

SEED = 20261130
MUTATIONS = 6


@dataclass
class Walk:
    """What the anchors said over a history."""

    commits: int = 0
    files: int = 0
    suspects: list[tuple[str, str, bytes, bytes]] = field(default_factory=list)
    harmless: int = 0
    moved: int = 0
    gone: int = 0
    unseen: list[tuple[str, str, bytes, bytes]] = field(default_factory=list)


def main() -> int:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("git_dirs", nargs="+", metavar="GITDIR")
    options.add_argument("--commits", type=int, default=400)
    options.add_argument("--anchors", type=int, default=300)
    options.add_argument("--edited", type=int, default=150, help="symbols that edits are made to")
    options.add_argument("--show", type=int, default=0, metavar="N")
    given = options.parse_args()
    histories = [History(git_dir) for git_dir in given.git_dirs]
    walks = [walk(one, given.commits, given.anchors) for one in histories]
    _walk_table(histories, walks)
    _edit_tables(histories, given.edited)
    for history, walked in zip(histories, walks, strict=True):
        _show(history, walked, given.show)
    return 0


def walk(history: History, number: int, anchors: int) -> Walk:
    """Go through a history with anchors that are accepted anew after each alarm."""
    commits = history.newest(number)
    held = history.anchors(commits[0], anchors, SEED)
    told = Walk(commits=len(commits) - 1)
    for before, after in pairwise(commits):
        changes = history.changes(before, after)
        by_path = {change.path: change for change in changes}
        for anchor in list(held):
            change = by_path.get(anchor.path)
            if change:
                told.files += 1
                if not _judge(history, anchor, change, changes, told):
                    held.remove(anchor)
        if len(held) < anchors * 9 // 10:  # what is gone makes room for others
            held += history.anchors(after, anchors - len(held), SEED + len(told.suspects))
    return told


def _judge(
    history: History, anchor: Anchor, change: Change, changes: list[Change], told: Walk
) -> bool:
    """Note what an anchor says of a commit that changed its file; False where it is gone."""
    old = history.symbol(anchor.path, anchor.blob, anchor.name)
    old_digest = history.digest(anchor.path, anchor.blob, anchor.name)
    new = history.symbol(change.path, change.after, anchor.name)
    if old is None:
        return False
    if new is None or change.after is None:
        return _follow(history, anchor, old_digest, changes, told)
    texts = (anchor.path, anchor.name, text_of(old), text_of(new))
    is_harmless = is_layout_only(anchor.path, texts[2], texts[3])
    if history.digest(change.path, change.after, anchor.name) != old_digest:
        told.suspects.append(texts)
        told.harmless += is_harmless
    elif not is_harmless:
        told.unseen.append(texts)
    anchor.blob = change.after
    return True


def _follow(
    history: History, anchor: Anchor, digest: str | None, changes: list[Change], told: Walk
) -> bool:
    last = anchor.name.rpartition(".")[2]
    for change in changes:
        there = history.outline(change.path, change.after) if change.after else None
        for name in there.symbols if there else ():
            same_name = name.rpartition(".")[2] == last
            if same_name and history.digest(change.path, change.after, name) == digest:
                anchor.path, anchor.blob, anchor.name = change.path, str(change.after), name
                told.moved += 1
                return True
    told.gone += 1
    return False


def _walk_table(histories: list[History], walks: list[Walk]) -> None:
    columns = "commits | file alarms | suspect | layout only | moved, followed | gone | unnoticed"
    print(f"| history | {columns} |\n|---|---|---|---|---|---|---|---|")
    for history, told in zip(histories, walks, strict=True):
        row = (told.commits, told.files, len(told.suspects), told.harmless, told.moved, told.gone)
        print(f"| {history.name} | {' | '.join(map(str, row))} | {len(told.unseen)} |")


def _edit_tables(histories: list[History], anchors: int) -> None:
    print("\n| history | edit | symbols | alarms |\n|---|---|---|---|")
    for history in histories:
        sample = history.anchors(history.repo[history.repo.head.target], anchors, SEED)
        for kind, (tried, alarms) in {
            **layouts(history, sample),
            **formats(history, sample),
        }.items():
            print(
                f"| {history.name} | {kind} | {tried} | {alarms} ({alarms / max(tried, 1):.1%}) |"
            )
    print("\n| history | mutation | made | missed |\n|---|---|---|---|")
    for history in histories:
        sample = history.anchors(history.repo[history.repo.head.target], anchors, SEED)
        made, missed = mutate(history, sample)
        for kind in sorted(made):
            print(f"| {history.name} | {kind} | {made[kind]} | {missed[kind]} |")


def layouts(history: History, sample: list[Anchor]) -> dict[str, tuple[int, int]]:
    """Return for each edit of layout how many symbols saw it, and how many raised an alarm."""
    drawn = Draw(SEED)
    told: dict[str, tuple[int, int]] = {}
    for anchor in sample:
        data = history.data(anchor.blob)
        texts = {
            kind: edit(anchor.path, data, drawn)
            for kind, edit in edits.LAYOUTS.items()
            if kind == "line ends" or b"\r" not in data
        }
        there = history.outline(anchor.path, anchor.blob)
        symbol = there.find(anchor.name) if there else None
        apart = edits.neighbours(there, symbol, data, drawn) if there and symbol else None
        if apart is not None:
            texts["another symbol gone"] = apart
        for kind, text in texts.items():
            found = _digest(anchor.path, text, anchor.name)
            if text != data and found is not None:
                tried, alarms = told.get(kind, (0, 0))
                is_alarm = found != history.digest(anchor.path, anchor.blob, anchor.name)
                told[kind] = (tried + 1, alarms + is_alarm)
                if is_alarm and os.environ.get("KNOWL_BENCH_TELL"):
                    print("ALARM", kind, anchor)
    return told


def mutate(history: History, sample: list[Anchor]) -> tuple[Counter[str], Counter[str]]:
    """Return the number of mutations of each kind, and of those that no digest noticed."""
    drawn = Draw(SEED)
    made: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for anchor in sample:
        symbol = history.symbol(anchor.path, anchor.blob, anchor.name)
        data = history.data(anchor.blob)
        if symbol is None:
            continue
        digest = digest_of(symbol)
        for kind, text in edits.mutations(symbol, data, drawn, MUTATIONS):
            found = _digest(anchor.path, text, anchor.name)
            if found is None:
                continue
            made[kind] += 1
            if found == digest:
                missed[kind] += 1
                if os.environ.get("KNOWL_BENCH_TELL"):
                    print("MISS", kind, anchor)
    return made, missed


def formats(history: History, sample: list[Anchor]) -> dict[str, tuple[int, int]]:
    """Return for each formatter how many symbols its files hold, and how many raised an alarm."""
    told: dict[str, tuple[int, int]] = {}
    for path, blob in sorted({(anchor.path, anchor.blob) for anchor in sample}):
        there = history.outline(path, blob)
        for formatter in formatters.installed(os.path.splitext(path)[1]) if there else ():
            text = formatters.formatted(formatter, path, history.data(blob))
            if text is None:
                continue
            after = outline(path, text)
            for symbol in there.symbols.values():
                found = after.find(symbol.name)
                if symbol.is_broken or symbol.lines < 2 or found is None:
                    continue
                tried, alarms = told.get(formatter, (0, 0))
                is_alarm = digest_of(found) != history.digest(path, blob, symbol.name)
                told[formatter] = (tried + 1, alarms + is_alarm)
                if is_alarm and os.environ.get("KNOWL_BENCH_TELL"):
                    print("FORMAT", formatter, path, symbol.name)
    return told


def _digest(path: str, data: bytes, name: str) -> str | None:
    try:
        found = outline(path, data).find(name)
    except SymbolsUnavailable:
        return None
    return None if found is None or found.is_broken else digest_of(found)


def _show(history: History, told: Walk, number: int) -> None:
    drawn = Draw(SEED)
    for title, cases in (("suspect", told.suspects), ("text differs, tree does not", told.unseen)):
        for path, name, old, new in drawn.sample(cases, min(number, len(cases))):
            print(f"\n--- {history.name}: {title}: {path}#{name}")
            lines = [text.decode("utf-8", "replace").split("\n") for text in (old, new)]
            diff = list(difflib.unified_diff(*lines, lineterm="", n=1))
            print("\n".join(line[:160] for line in diff[2:40]))


if __name__ == "__main__":
    raise SystemExit(main())
