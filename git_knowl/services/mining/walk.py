"""The walk of `mine` through a history: what it has found so far, kept so that it can go on."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from git_knowl.plumbing.messages import Message
from git_knowl.plumbing.repository import Repository
from git_knowl.services.files import FileError, replace_file
from git_knowl.services.signals.rules import is_bot, is_fix, wide_signals

FILE = "mine.json"
#: A fix of more files than this says nothing about each of them.
FEW_PATHS = 5
#: Files that change along with every fix, or are none of the code.
_ALONG = re.compile(
    r"(?:^|/)(?:changelog|changes|history|news|readme)|\.(?:lock|md|rst|txt|sum|snap)$"
    r"|-lock\.|(?:^|/)tests?/|(?:^|/)\.github/|[_.-]tests?\.",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Walk:
    """How far a walk from one commit came, in commits read, and what it found.

    ``telling`` are commits whose message says why, ``fixes`` gives (author time, commit) of the
    fixes of each path.
    """

    head: str
    since: str
    done: int = 0
    telling: list[str] = field(default_factory=list)
    fixes: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def take(self, messages: list[Message]) -> None:
        """Add what a batch of commits says."""
        self.done += len(messages)
        self.telling += [message.oid for message in messages if wide_signals(message)]
        for message in messages:
            if is_fix(message) and not is_bot(message) and len(message.changes) <= FEW_PATHS:
                for path in message.paths:
                    if not _ALONG.search(path):
                        self.fixes.setdefault(path, []).append((message.authored, message.oid))


def load(repo: Repository, head: str, since: str) -> Walk:
    """Return the walk that was begun from here, or a new one."""
    try:
        with open(repo.shared_path(FILE), encoding="utf-8") as file:
            found = json.load(file)
        fixes = {p: [(int(at), str(oid)) for at, oid in runs] for p, runs in found["fixes"].items()}
        walk = Walk(found["head"], found["since"], int(found["done"]), found["telling"], fixes)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Walk(head, since)
    return walk if (walk.head, walk.since) == (head, since) else Walk(head, since)


def save(repo: Repository, walk: Walk) -> None:
    """Remember a walk; where nothing can be written an interrupted one starts again."""
    with suppress(FileError):
        replace_file(repo.shared_path(FILE), json.dumps(asdict(walk)))


def forget(repo: Repository) -> None:
    """Drop what was remembered: the walk is over."""
    with suppress(OSError):
        os.unlink(repo.shared_path(FILE))
