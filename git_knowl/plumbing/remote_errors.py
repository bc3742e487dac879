"""What keeps us from exchanging anything with a remote, and how git says it."""

from __future__ import annotations

import re

from git_knowl.errors import KnowlError
from git_knowl.plumbing.process import GitError

_NO_SUCH = ("does not appear to be a git repository", "not found", "does not exist")
_NO_ENTRY = (
    "Authentication failed",
    "Permission to ",
    "could not read Username",
    "could not read Password",
    "terminal prompts disabled",
    "Permission denied",
    "Host key verification failed",
    "returned error: 401",
    "returned error: 403",
)
_NO_READING = "Could not read from remote repository"
#: This clone, not the remote, is what has no room or may not be written to.
_NO_ROOM = (
    "No space left on device",
    "Read-only file system",
    "insufficient permission for adding an object",
    "unable to create temporary file",
    "File too large",
    "Disk quota exceeded",
)
#: A page where git expects a repository; an empty one is noticed by a push alone.
_NO_GIT = ("info/refs not valid", "git-http-push failed")
#: What both sides say where one speaks SHA-1 and the other SHA-256.
_OTHER_FORMAT = (
    "mismatched algorithms",
    "does not support this repository's hash algorithm",
    "unexpected capabilities^{}",
)
_BAD = ("fsck error", "bad pack", "pack is corrupted", "unresolved deltas", "inflate:")
#: A ref that went away or moved on between two calls.
_GONE = ("not our ref", "couldn't find remote ref", "no such remote ref")
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@']+@")


class RemoteError(KnowlError):
    """Something that kept us from exchanging anything with a remote."""


class NoSuchRemote(RemoteError):
    """A name that no remote has; a URL is none."""


class Unreachable(RemoteError):
    """A remote that does not answer, or holds no repository."""


class AuthFailed(Unreachable):
    """A remote that wants to know who asks, and nobody may be asked."""


class BadObjects(RemoteError):
    """Objects of a remote that git takes for damaged or malicious; none of them was kept."""


class OtherFormat(RemoteError):
    """A remote whose objects have ids of another kind than those of this clone."""


class RemoteMoved(RemoteError):
    """A ref that was fetched is no longer what the remote showed a moment ago.

    ``told`` is what git said.
    """

    def __init__(self, shown: str, told: str) -> None:
        super().__init__(f"{shown} was changed meanwhile: {told}", "try again")
        self.told = told


def redacted(text: str) -> str:
    """Return text without the user and password that an address in it may carry."""
    return _CREDENTIALS.sub("", text)


def failure(remote: str, argv: tuple[str, ...], code: int, words: str) -> RemoteError:
    """Return what a failed call to a remote is raised as; ``words`` are git's on standard error."""
    told = redacted(_told(argv, code, words))
    shown = f"'{redacted(remote)}'"
    if any(one in words for one in _GONE):
        return RemoteMoved(shown, told)
    if any(one in words for one in _BAD):
        return BadObjects(
            f"{shown} sent objects that git refuses: {told}",
            "whoever keeps that remote can say where they come from; nothing of them was kept",
        )
    if any(one in _ours(words) for one in _NO_ROOM):
        return RemoteError(
            f"what {shown} sent cannot be kept here: {_full(words) or told}",
            "make room on the disk, and see that you may write to this repository",
        )
    return _no_exchange(remote, argv, told, words)


def _no_exchange(remote: str, argv: tuple[str, ...], told: str, words: str) -> RemoteError:
    """Return what is raised where nothing went either way; ``told`` is the line that tells why."""
    shown = f"'{redacted(remote)}'"
    if any(one in words for one in _OTHER_FORMAT):
        return other_format(remote, "uses other object ids than this clone, SHA-1 or SHA-256")
    if any(one in words for one in _NO_GIT):
        return _no_git(shown, is_push=argv[0] == "push")
    if any(one in words for one in _NO_ENTRY):
        return _no_entry(shown, told, is_push=argv[0] == "push")
    hint = "see that the address is right and the network is there"
    if any(one in words for one in _NO_SUCH):
        hint = "see that the address is right: 'git remote -v' shows it"
    return Unreachable(f"{shown} cannot be reached: {told}", hint)


def other_format(remote: str, what: str) -> OtherFormat:
    """Return what is raised where ids differ in kind; ``what`` goes on with the remote's name."""
    return OtherFormat(
        f"'{redacted(remote)}' {what}: nothing can go from one to the other",
        "sync with a remote of the same kind; 'git knowl export' and 'git knowl import' carry"
        " texts over",
    )


def _no_git(shown: str, *, is_push: bool) -> Unreachable:
    what = "no git repository that takes a push answers" if is_push else "no git repository answers"
    return Unreachable(
        f"{shown}: {what} there",
        "see that the address is right ('git remote -v' shows it) and asks nobody to log in on a"
        " page",
    )


def _ours(words: str) -> str:
    """Return what git says on this side."""
    return "\n".join(one for one in words.splitlines() if not one.startswith("remote:"))


def _full(words: str) -> str:
    """Return the line that says what there is no room for."""
    lines = (one for one in _ours(words).splitlines() if any(word in one for word in _NO_ROOM))
    return redacted(next(lines, ""))


def _no_entry(shown: str, told: str, *, is_push: bool) -> AuthFailed:
    if is_push:
        return AuthFailed(
            f"{shown} does not let us write: {told}",
            "whoever keeps it can let you write",
        )
    return AuthFailed(
        f"{shown} does not let us in: {told}",
        "nobody is asked here: unlock the key or store the credentials, until 'git ls-remote'"
        " answers without a question",
    )


def _told(argv: tuple[str, ...], code: int, words: str) -> str:
    """Return git's reason; where it only says that it could not read, the line before that."""
    told = GitError(["git", *argv], code, words).message
    if not told.startswith(_NO_READING):
        return told
    before = words.partition(_NO_READING)[0].splitlines()[:-1]
    return next((line for line in reversed(before) if line.strip()), told)
