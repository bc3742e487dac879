"""Repositories that others share, and the ways to reach one."""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from git_knowl.services.sync.sync import sync
from tests.support.builders import RepoBuilder
from tests.support.http_server import serve
from tests.support.people import names, person, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from git_knowl.model.entry import Entry
    from git_knowl.services.context import Context
    from git_knowl.services.sync.result import Synced

ENTRIES = "refs/knowl/entries"
TRANSPORTS = ("path", "file", "ssh", "http")
PROTOCOLS = "file:ssh:http"
#: Stands in for ssh: the host is dropped, the command runs here.
SSH = '#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\nexec sh -c "$1"\n'
#: A hook of a host that takes branches and tags alone.
ONLY_BRANCHES = """\
#!/bin/sh
case "$1" in refs/heads/*|refs/tags/*) exit 0;; esac
echo "only branches and tags are taken here" >&2
exit 1
"""
#: What a sync may not touch in the git directory.
OF_THE_USER = ("config", "index", "FETCH_HEAD", "ORIG_HEAD", "HEAD", "shallow", "packed-refs")


def bare(folder: Path, name: str = "hub.git", object_format: str = "sha1") -> RepoBuilder:
    """Return a bare repository with the first commit of `RepoBuilder.start` on main."""
    return RepoBuilder.start(folder, object_format, bare=True, name=name)


def clone(hub: RepoBuilder, name: str, *options: str) -> RepoBuilder:
    """Return a clone of a shared repository, by path."""
    made = hub.clone(name, *options)
    made.now = hub.now
    return made


def hook(repo: RepoBuilder, name: str, script: str) -> None:
    """Put a hook into a repository, bare or not."""
    folder = repo.path / repo.git("rev-parse", "--git-path", "hooks")
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(script, encoding="utf-8")
    (folder / name).chmod(0o755)


@contextmanager
def reached_by(transport: str, hub: RepoBuilder) -> Iterator[tuple[str, dict[str, str]]]:
    """Give the address of a shared repository, and what the environment of a client needs."""
    env = {"GIT_ALLOW_PROTOCOL": PROTOCOLS}
    if transport == "path":
        yield str(hub.path), env
    elif transport == "file":
        yield f"file://{hub.path}", env
    elif transport == "ssh":
        yield f"ssh://host.example{hub.path}", env | {"GIT_SSH_COMMAND": ssh(hub.path.parent)}
    else:
        hub.git("config", "http.receivepack", "true")
        with serve(hub.path.parent) as address:
            yield f"{address}/{hub.path.name}", env


def ssh(folder: Path, script: str = SSH, name: str = "ssh") -> str:
    """Write a program that stands in for ssh and return the command that runs it."""
    program = folder / name
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def belongings(repo: RepoBuilder) -> dict[str, str]:
    """Return what a sync may not touch: files of the user by digest, refs that are not ours."""
    folder = repo.path / repo.git("rev-parse", "--git-common-dir")
    files = {name: _digest(folder / name) for name in OF_THE_USER}
    ours = ("refs/knowl", "refs/notes/knowl")
    others = {ref: oid for ref, oid in repo.refs().items() if not ref.startswith(ours)}
    return files | others


class Member:
    """Somebody with a clone of a shared repository, who sits at its terminal."""

    def __init__(self, repo: RepoBuilder, who: str, **caller: Any) -> None:
        self.repo = repo
        self.ctx: Context = person(repo, person=who, **caller)

    def write(self, name: str, *anchors: str, **more: Any) -> Entry:
        """Add an entry to the shared lane."""
        return write(self.ctx, name, *anchors, **more)

    def sync(self, *args: Any, **options: Any) -> Synced:
        """Exchange what there is with the remote."""
        return sync(self.ctx, *args, **options)

    @property
    def names(self) -> set[str]:
        """The names of all live entries."""
        return set(names(self.ctx))

    @property
    def tip(self) -> str | None:
        """The tip of the shared lane."""
        return self.repo.refs(ENTRIES).get(ENTRIES)


def member(hub: RepoBuilder, name: str, *options: str) -> Member:
    """Return somebody of that name with a clone of a shared repository."""
    who = f"{name.title()} <{name}@example.org>"
    return Member(clone(hub, name, *options), who)


def moves(done: Synced) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return kind and name of what came in, and of what went out."""
    return pairs(done.received), pairs(done.sent)


def pairs(outcomes: Any) -> list[tuple[str, str]]:
    """Return kind and name of some outcomes, in the order of the names."""
    return sorted(((one.kind, one.name) for one in outcomes), key=lambda pair: pair[1])


def remove(repo: RepoBuilder) -> None:
    """Take a repository away from the disk."""
    shutil.rmtree(repo.path)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if os.path.lexists(path) else "absent"
