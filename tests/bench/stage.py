"""Repositories and stores of a given size, made once a run in a folder of their own.

Files and entries go in as packs (`fast-import`, `index-pack`): what is measured is how a large
store is used, not how it grew. What it holds is what the program itself would have written.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from git_knowl.model.anchor import FileAnchor, FileFingerprint
from git_knowl.model.document import render
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.ids import make_id
from git_knowl.plumbing import refs
from git_knowl.plumbing.encoding import encode_pack
from git_knowl.plumbing.objects import encode_commit, genesis, object_id, open_objects
from git_knowl.plumbing.repository import Repository, discover
from git_knowl.store import layout, trees

BY = "Bench <bench@example.org>"
AT = 1_796_000_000
TIME = "2026-11-29T10:00:00Z"
WHO = f"{BY} {AT} +0000"
NOTES = "refs/notes/bench"
WORDS = (
    *("retry", "budget", "queue", "cart", "discount", "supplier", "cache", "parser", "render"),
    *("session", "token", "window", "anchor", "ledger", "worker", "socket", "buffer", "schema"),
    *("ticket", "branch", "widget", "cursor", "filter", "lookup", "bundle"),
)
#: Parts of the tree; a hundred files are a few a folder, fifty thousand some five hundred.
FOLDERS = 97
#: Longer than any file system needs to tell a file from one changed a moment later.
SETTLED = 2.1


@dataclass
class Stage:
    """A repository of so many files with a store of so many entries, each resting on one file."""

    path: Path
    files: int
    entries: int
    env: dict[str, str] = field(default_factory=dict)
    object_format: str = "sha1"

    def build(self) -> Stage:
        """Make the repository and its store; nothing in it is about to change."""
        self.path.mkdir(parents=True)
        self.git("init", "--quiet", "-b", "main", f"--object-format={self.object_format}")
        self.git("config", "gc.auto", "0")
        self.git("fast-import", "--quiet", stdin=self.history())
        self.git("checkout", "--quiet", "--force", "main")
        self.fill()
        self.git("pack-refs", "--all")
        time.sleep(SETTLED)
        self.git("update-index", "--refresh")
        return self

    def git(self, *args: str, stdin: bytes | None = None) -> str:
        """Run git in the repository."""
        command = ["git", "-C", str(self.path), *args]
        done = subprocess.run(
            command, input=stdin, stdout=subprocess.PIPE, check=True, env=self.env
        )
        return os.fsdecode(done.stdout)

    def open(self) -> Repository:
        """Return the repository as the program sees it."""
        return discover(str(self.path), self.env)

    def content(self, number: int) -> bytes:
        """Return what a file of the tree holds."""
        return b"def work_%d():\n    return %d * 2\n" % (number, number)

    def file(self, number: int) -> str:
        """Return the path of a file of the tree."""
        return f"src/part{number % FOLDERS:02d}/file{number:05d}.py"

    def history(self) -> bytes:
        """Return the stream of the commit that brings all files, and of a small one on top."""
        lines = [b"commit refs/heads/main", b"committer " + WHO.encode(), b"data 4", b"tree"]
        for number in range(self.files):
            data = self.content(number)
            path = self.file(number).encode()
            lines += [b"M 100644 inline " + path, b"data %d" % len(data), data]
        lines += [b"commit refs/heads/main", b"committer " + WHO.encode(), b"data 3", b"top"]
        lines += [b"M 100644 inline README", b"data 9", b"A fact.\n", b""]
        return b"\n".join(lines)

    def fill(self) -> None:
        """Put all entries on their ref, and as many notes on a ref of git's own."""
        found = (self.entry(number) for number in range(self.entries))
        files = {layout.entry_path(entry.id, entry.name): render(entry) for entry in found}
        self._commit(refs.ENTRIES, {layout.FORMAT_FILE: layout.FORMAT_TEXT, **files})
        blobs = [object_id("blob", data, self.object_format) for data in files.values()]
        self._commit(NOTES, {f"{blob[:2]}/{blob[2:]}": b"a note\n" for blob in blobs})

    def blobs(self, count: int) -> list[str]:
        """Return some blobs nobody wrote a note on."""
        lines = self.git("ls-tree", "-r", "--format=%(objectname)", "HEAD").splitlines()
        return lines[:count]

    def entry(self, number: int) -> Entry:
        """Return an entry resting on one file of the tree."""
        place = number % self.files
        words = " ".join(WORDS[(number * step + step) % len(WORDS)] for step in range(1, 9))
        bare = Entry(
            name=self.name(number),
            id=make_id(AT * 1000 + number, hashlib.sha256(b"%d" % number).digest()[:10]),
            description=f"Read before changing {words}",
            type=("project", "reference", "feedback")[number % 3],
            created=TIME,
            updated=TIME,
            rev=1,
            body=f"The {words}. Why: it was measured. " + f"{words} " * 15,
            anchors=(FileAnchor(self.file(place)),),
            reviewed=Reviewed(BY, TIME, "terminal"),
        )
        accepted = (self._fingerprint(bare.digest, self.content(place)),)
        return replace(bare, anchors=(FileAnchor(self.file(place), accepted),))

    def name(self, number: int) -> str:
        """Return the name of an entry."""
        return f"finding-{number:06d}-{WORDS[number % len(WORDS)]}"

    def _fingerprint(self, text: str, data: bytes) -> FileFingerprint:
        blob = f"{self.object_format}:{object_id('blob', data, self.object_format)}"
        digest = hashlib.sha256(data).hexdigest()
        return FileFingerprint(text, digest, blob, TIME, BY, "terminal")

    def _commit(self, ref: str, files: dict[str, bytes]) -> None:
        """Put files into a first commit of a ref."""
        repo = self.open()
        start, objects = genesis(self.object_format)
        root, made = trees.edit(open_objects(repo), self.object_format, None, files)
        commit = encode_commit(root, (start,), WHO, WHO, "fill the store\n")
        objects = [*objects, *made, ("commit", commit)]
        self.git("index-pack", "--stdin", stdin=encode_pack(objects, self.object_format))
        new = object_id("commit", commit, self.object_format)
        refs.update(repo, [refs.Update(ref, new, None)], "fill the store")


def environment(home: Path, program: str) -> dict[str, str]:
    """Return an environment without anybody's settings, in which the program is found first.

    Nothing that keeps Python from reading and writing byte code is handed on.
    """
    name, mail = "Bench", "bench@example.org"
    return {
        "PATH": os.pathsep.join([os.path.dirname(program), os.environ["PATH"]]),
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": mail,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": mail,
    }
