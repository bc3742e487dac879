"""How often commits are flagged in real histories: `python -m tests.bench.signals GITDIR…`.

Prints a table row for each history: how many of its last commits fire, how many the quota lets
through, and how many the wider net of `mine` proposes. With ``--sheet N`` it prints a random draw
of the flagged commits instead, for a person to read and label: whether a flag is worth keeping
cannot be counted (docs/signals.md).
"""

import argparse
import os
import random
from collections.abc import Iterator
from pathlib import Path

from git_knowl.plumbing.messages import Message, list_commits, read_messages
from git_knowl.plumbing.repository import discover
from git_knowl.services.signals.flags import candidates, ration
from git_knowl.services.signals.rules import is_bot, wide_signals

COMMITS = 1000
SEED = 20261130


def history(folder: str, count: int) -> list[Message]:
    """Return the last commits of a history, the oldest first."""
    repo = discover(folder, os.environ)
    return read_messages(repo, list_commits(repo, f"--max-count={count}", "HEAD")[::-1])


def flagged(messages: list[Message]) -> list[Message]:
    """Return the commits that get a flag when each of them is judged as it is made."""
    chosen, _ = ration(candidates(enumerate(messages)), ())
    return [one.message for one in chosen]


def row(folder: str, count: int) -> str:
    """Return the table row of one history, per 100 commits."""
    messages = history(folder, count)
    fired = {one.message.oid for one in candidates(enumerate(messages))}
    wide = sum(bool(wide_signals(message)) for message in messages)
    share = 100 / len(messages)
    figures = (len(fired), len(flagged(messages)), wide)
    told = " | ".join(f"{figure * share:.1f}" for figure in figures)
    return f"| {name_of(folder)} | {len(messages)} | {sum(map(is_bot, messages))} | {told} |"


def name_of(folder: str) -> str:
    """Return a history's name: its folder, or the one above a folder that is called repo."""
    path = Path(folder).resolve()
    return (path.parent if path.name in ("repo", ".git") else path).name


def sheet(folders: list[str], count: int, draw: int) -> Iterator[str]:
    """Yield a random draw of the flagged commits of all histories, as text to read."""
    found = [(name_of(f), one) for f in folders for one in flagged(history(f, count))]
    drawn = random.Random(SEED).sample(found, min(draw, len(found)))  # noqa: S311 - a fair draw
    for place, (name, one) in enumerate(drawn):
        yield f"## {place + 1}. {name} {one.oid[:10]} ({one.lines} lines)\n"
        yield f"{one.subject}\n\n{one.body}\n\n{', '.join(one.paths[:6])}\n"


def main() -> None:
    """Print the table or the sheet."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.signals")
    parser.add_argument("folders", nargs="+", metavar="GITDIR")
    parser.add_argument("--commits", type=int, default=COMMITS)
    parser.add_argument("--sheet", type=int, default=0, metavar="N")
    asked = parser.parse_args()
    if asked.sheet:
        print("\n".join(sheet(asked.folders, asked.commits, asked.sheet)))
        return
    print("| history | commits | by bots | fire | flagged after the quota | wider net |")
    print("|---|---|---|---|---|---|")
    for folder in asked.folders:
        print(row(folder, asked.commits))


if __name__ == "__main__":
    main()
