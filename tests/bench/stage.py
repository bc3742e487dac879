"""Repositories and stores of a given size, made once a run in a folder of their own."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from git_knowl.model.anchor import FileAnchor, FileFingerprint
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.ids import make_id
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.repository import discover
from git_knowl.store.operations import PutEntry
from git_knowl.store.store import Store
from git_knowl.store.transaction import Record, publish

BY = "Bench <bench@example.org>"
AT = 1_796_000_000
TIME = "2026-11-29T10:00:00Z"
WORDS = (
    "retry budget queue cart discount supplier cache parser render session token window anchor "
    "ledger worker socket buffer schema ticket branch widget cursor filter lookup bundle"
).split()


@dataclass
class Stage:
    """A repository of so many files with a store of so many entries."""

    path: Path
    files: int
    entries: int
    env: dict[str, str] = field(default_factory=dict)

    def git(self, *args: str, stdin: bytes | None = None) -> str:
        """Run git in the repository."""
        done = subprocess.run(
            ["git", "-C", str(self.path), *args],
            input=stdin, capture_output=True, check=True, env=self.env,
        )  # fmt: skip
        return done.stdout.decode()

    def content(self, number: int) -> str:
        """Return what a file of the tree holds."""
        return f"def work_{number}():\n    return {number} * 2\n"

    def file(self, number: int) -> str:
        """Return the path of a file of the tree."""
        return f"src/part{number % 97:02d}/file{number:05d}.py"

    def build(self, object_format: str = "sha1") -> Stage:
        """Make the repository and fill its store; files are written, committed and settled."""
        self.path.mkdir(parents=True)
        self.git("init", "-q", f"--object-format={object_format}")
        self.git("config", "user.name", "Bench")
        self.git("config", "user.email", "bench@example.org")
        for number in range(self.files):
            target = self.path / self.file(number)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.content(number))
        self.git("add", "-A")
        self.git("commit", "-qm", "tree")
        self.git("pack-refs", "--all")
        self.fill(object_format)
        self.git("repack", "-adq")
        return self

    def fill(self, object_format: str) -> None:
        """Write all entries as one operation."""
        repo = discover(str(self.path), self.env)
        store = Store(repo, open_objects(repo, bulk=True))
        entries = [self.entry(number, object_format) for number in range(self.entries)]
        publish(
            store,
            lambda _: [PutEntry("shared", entry) for entry in entries],
            Record("capture", "fill the store", BY, AT),
        )

    def entry(self, number: int, object_format: str = "sha1") -> Entry:
        """Return an entry resting on one file of the tree."""
        place = number % self.files
        data = self.content(place).encode()
        blob = hashlib.new(object_format, b"blob %d\0" % len(data) + data).hexdigest()
        words = " ".join(WORDS[(number * step + step) % len(WORDS)] for step in range(1, 9))
        bare = Entry(
            name=f"finding-{number:06d}-{WORDS[number % len(WORDS)]}",
            id=make_id(AT * 1000 + number, hashlib.sha256(b"%d" % number).digest()[:10]),
            description=f"Read before changing {words}",
            type=("project", "reference", "feedback")[number % 3],
            created=TIME, updated=TIME, rev=1,
            body=f"The {words}. Why: it was measured. " + f"{words} " * 15,
            anchors=(FileAnchor(self.file(place)),),
            reviewed=Reviewed(BY, TIME, "terminal"),
        )  # fmt: skip
        item = FileFingerprint(
            bare.digest, hashlib.sha256(data).hexdigest(), f"{object_format}:{blob}", TIME, BY,
            "terminal",
        )  # fmt: skip
        from dataclasses import replace

        return replace(bare, anchors=(FileAnchor(self.file(place), (item,)),))


def environment(home: Path) -> dict[str, str]:
    """Return an environment without the user's settings; byte code is written and read."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Bench", "GIT_AUTHOR_EMAIL": "bench@example.org",
        "GIT_COMMITTER_NAME": "Bench", "GIT_COMMITTER_EMAIL": "bench@example.org",
    }  # fmt: skip
