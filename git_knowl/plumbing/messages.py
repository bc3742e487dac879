"""Commits with their whole message and the size of their change, read many at a time."""

from __future__ import annotations

import os
import re

from git_knowl.model.light import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from git_knowl.plumbing.repository import Repository

_TRAILERS = "%(trailers:key=Knowl-Flag,valueonly,unfold,separator=%x1f)"
_FIELDS = ("%H", "%P", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%s", "%b", _TRAILERS)
_SHOW = (
    "log",
    f"--format=%x01{'%x00'.join(_FIELDS)}",
    "--encoding=UTF-8",
    "--no-show-signature",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-notes",
    "-z",
)
_CONFIG = ("log.showRoot=true", "log.follow=false", "diff.ignoreSubmodules=none")
_TIMEOUT = 300.0
# Counting lines is not worth a talk with a remote (git asks for this from 2.44 on).
_ENV = {"GIT_NO_LAZY_FETCH": "1"}
_BINARY = "-"
_COUNTED = re.compile(r"(\d+|-)\t(\d+|-)\t(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Message:
    """One commit: who made it, what it says, and how much it changed.

    Times are in seconds since the epoch. ``changes`` gives each path with how many lines were added
    and removed: 0 for a binary file, None where this clone does not have the content; a merge shows
    no changes. ``flags`` are the values of its ``Knowl-Flag`` trailers.
    """

    oid: str
    parents: tuple[str, ...]
    author: str
    author_email: str
    authored: int
    committer: str
    committer_email: str
    committed: int
    subject: str
    body: str
    flags: tuple[str, ...] = ()
    changes: tuple[tuple[str, int | None], ...] = ()

    @property
    def lines(self) -> int | None:
        """How many lines the commit added and removed in all; None when that cannot be told."""
        counts = [count for _, count in self.changes]
        return None if None in counts else sum(count for count in counts if count is not None)

    @property
    def paths(self) -> list[str]:
        """The changed paths, the most changed first."""
        return [path for path, _ in sorted(self.changes, key=lambda change: -(change[1] or 0))]


def read_messages(repo: Repository, commits: Sequence[str]) -> list[Message]:
    """Return the commits of these ids in the order given, from one git call.

    In a partial clone that lacks some content, one more tells at least which paths changed.
    """
    asked = "".join(f"{oid}\n" for oid in commits).encode("ascii")
    return _read(repo, ("--no-walk=unsorted", "--stdin"), asked) if commits else []


def read_messages_before(repo: Repository, commit: str, count: int) -> list[Message]:
    """Return so many commits that lead up to one, the newest first, merges left out."""
    walk = ("--no-merges", f"--max-count={count + 1}", commit, "--")
    return _read(repo, walk)[1:]


def _read(repo: Repository, which: Sequence[str], asked: bytes = b"") -> list[Message]:
    counted = (*_SHOW, "--numstat", *which)
    done = repo.run(*counted, stdin=asked, config=_CONFIG, env=_ENV, timeout=_TIMEOUT)
    if done.code == 0:
        return list(_parsed(done.out))
    named = repo.git(*_SHOW, "--name-only", *which, stdin=asked, config=_CONFIG, timeout=_TIMEOUT)
    return list(_parsed(named))


def list_commits(repo: Repository, *revs: str) -> list[str]:
    """Return the ids that ``git rev-list`` gives for revisions and options, merges left out."""
    out = repo.git("rev-list", "--no-merges", *revs, "--", timeout=_TIMEOUT)
    return out.decode("ascii").split()


def _parsed(out: bytes) -> Iterator[Message]:
    tokens = iter(out.split(b"\0"))
    fields: list[str] = []
    changes: list[tuple[str, int | None]] = []
    for token in tokens:
        if token.startswith(b"\x01"):
            if fields:
                yield _message(fields, changes)
            fields = [_text(token[1:]), *(_text(next(tokens)) for _ in _FIELDS[1:])]
            changes = []
        elif token.strip(b"\n"):
            changes.append(_change(token))
    if fields:
        yield _message(fields, changes)


def _message(fields: list[str], changes: list[tuple[str, int | None]]) -> Message:
    oid, parents, author, author_email, authored, committer, committer_email, committed = fields[:8]
    subject, body, flags = fields[8:]
    return Message(
        oid=oid,
        parents=tuple(parents.split()),
        author=author,
        author_email=author_email,
        authored=int(authored or 0),
        committer=committer,
        committer_email=committer_email,
        committed=int(committed or 0),
        subject=subject,
        body=body,
        flags=tuple(flag.strip() for flag in flags.split("\x1f") if flag.strip()),
        changes=tuple(changes),
    )


def _change(token: bytes) -> tuple[str, int | None]:
    """Read ``ADDED TAB REMOVED TAB PATH``, dashes for a binary file, or the path alone."""
    told = os.fsdecode(token.lstrip(b"\n"))
    counted = _COUNTED.fullmatch(told)
    if counted is None:
        return told, None
    added, removed, path = counted.groups()
    return path, 0 if added == _BINARY else int(added) + int(removed)


def _text(field: bytes) -> str:
    return field.decode("utf-8", "replace")
