"""Passages of real repositories: paragraphs of commit messages, sentences of documents."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

MESSAGES = "3000"
DOCUMENTS = 150
BYTES = 60_000
SHORTEST, LONGEST = 10, 2_000
_DOCUMENT = re.compile(r"\.(?:md|rst|txt|adoc)$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_PARAGRAPH = re.compile(r"\n\s*\n")


def passages(git_dir: Path) -> list[str]:
    """Return each passage of a repository once, the newest messages and the present documents."""
    found = [*_messages(git_dir), *_sentences(git_dir)]
    kept = (text.strip() for text in found)
    return list(dict.fromkeys(text for text in kept if SHORTEST < len(text) < LONGEST))


def _messages(git_dir: Path) -> Iterator[str]:
    log = _git(git_dir, "log", "--all", "-n", MESSAGES, "--format=%B%x00")
    for message in log.split("\0"):
        yield from _PARAGRAPH.split(message)


def _sentences(git_dir: Path) -> Iterator[str]:
    names = _git(git_dir, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    for name in [name for name in names if _DOCUMENT.search(name)][:DOCUMENTS]:
        for paragraph in _PARAGRAPH.split(_git(git_dir, "show", f"HEAD:{name}")[:BYTES]):
            yield from _SENTENCE.split(paragraph)


def _git(git_dir: Path, *args: str) -> str:
    command = ["git", "--git-dir", str(git_dir), *args]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout.decode(errors="replace")
