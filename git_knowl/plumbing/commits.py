"""Commits as they are stored: read as bytes, written anew with another tree, other parents."""

from __future__ import annotations

from git_knowl.plumbing.encoding import ObjectError
from git_knowl.plumbing.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from git_knowl.plumbing.repository import Repository

#: Headers that vouch for the very bytes of a commit, so that no other commit can have them.
_SIGNATURES = (b"gpgsig", b"gpgsig-sha256", b"mergetag")
_WINDOW = 10_000
_TIMEOUT = 600.0


class RawCommit:
    """A commit taken apart, nothing left out: ``headers`` in order, each with all its lines."""

    __slots__ = ("headers", "message")

    def __init__(self, headers: list[tuple[bytes, bytes]], message: bytes) -> None:
        self.headers = headers
        self.message = message

    @property
    def tree(self) -> str:
        """The tree of the commit."""
        return next(iter(self._values(b"tree")))

    @property
    def parents(self) -> tuple[str, ...]:
        """The parents, the first one first."""
        return tuple(self._values(b"parent"))

    @property
    def is_signed(self) -> bool:
        """Tell whether somebody signed these very bytes."""
        return any(name in _SIGNATURES for name, _ in self.headers)

    def anew(self, tree: str, parents: Sequence[str], message: bytes) -> bytes:
        """Return the content of the commit with another tree, parents and message.

        Author, committer, times and headers nobody here knows stay; signatures do not.
        """
        heads = [(b"tree", tree.encode()), *((b"parent", parent.encode()) for parent in parents)]
        gone = (b"tree", b"parent", *_SIGNATURES)
        heads += [(name, value) for name, value in self.headers if name not in gone]
        return b"".join(b"%s %s\n" % head for head in heads) + b"\n" + message

    def _values(self, wanted: bytes) -> Iterator[str]:
        return (value.decode("ascii", "replace") for name, value in self.headers if name == wanted)


def parse(data: bytes) -> RawCommit:
    """Return the content of a commit taken apart; raises ObjectError when it has no tree."""
    head, _, message = data.partition(b"\n\n")
    headers: list[tuple[bytes, bytes]] = []
    for line in head.rstrip(b"\n").split(b"\n"):
        name, _, value = line.partition(b" ")
        if name:
            headers.append((name, value))
        elif headers:  # a line that goes on with the header before it
            before, told = headers[-1]
            headers[-1] = (before, told + b"\n" + line)
    if not headers or headers[0][0] != b"tree":
        raise ObjectError("a commit object lacks its tree")
    return RawCommit(headers, message)


def history(repo: Repository, tips: Sequence[str]) -> Iterator[tuple[str, RawCommit]]:
    """Yield every commit that some tips lead to, parents first, as far as this clone has them.

    What a ``^tip`` leads to is left out. Replacements are not followed: what is stored is what
    counts.
    """
    asked = "".join(f"{tip}\n" for tip in tips).encode()
    env = {"GIT_NO_REPLACE_OBJECTS": "1"}
    found = repo.git(
        "rev-list", "--topo-order", "--reverse", "--stdin", stdin=asked, env=env, timeout=_TIMEOUT
    ).split()
    for start in range(0, len(found), _WINDOW):
        window = b"\n".join((*found[start : start + _WINDOW], b""))
        out = repo.git("cat-file", "--batch", stdin=window, env=env, timeout=_TIMEOUT)
        yield from _answers(out)


def _answers(out: bytes) -> Iterator[tuple[str, RawCommit]]:
    at = 0
    while at < len(out):
        end = out.index(b"\n", at)
        oid, kind, size = (*out[at:end].decode("ascii", "replace").split(" "), "")[:3]
        if kind != "commit":
            raise GitError(["git", "cat-file", "--batch"], 0, f"expected a commit {oid}")
        at = end + 1 + int(size) + 1
        yield oid, parse(out[end + 1 : at - 1])
