"""Other repositories: what they show, what is fetched from them, what they take.

All of it is git's own transport, with three rules on top: nothing of the user's moves (no tracking
ref, tag, FETCH_HEAD, shallow file or setting), nobody is asked for anything, and every call has a
deadline. A remote is a configured name, never a URL.
"""

from __future__ import annotations

import os
import re

from git_knowl.plumbing import config, refs
from git_knowl.plumbing.environment import NO_HOOKS
from git_knowl.plumbing.process import GitTimeout
from git_knowl.plumbing.remote_errors import (
    AuthFailed,
    BadObjects,
    NoSuchRemote,
    OtherFormat,
    RemoteError,
    RemoteMoved,
    Unreachable,
    failure,
    other_format,
    redacted,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from git_knowl.plumbing.process import Finished
    from git_knowl.plumbing.repository import Repository

__all__ = [
    "LOOK_SECONDS",
    "MOVE_SECONDS",
    "OK",
    "REFUSED",
    "REJECTED",
    "UP_TO_DATE",
    "AuthFailed",
    "BadObjects",
    "NoSuchRemote",
    "OtherFormat",
    "PushResult",
    "RemoteError",
    "RemoteMoved",
    "Unreachable",
    "fetch",
    "known",
    "ls",
    "names",
    "push",
    "push_places",
    "redacted",
    "replace",
]

#: Seconds for a question to a remote, and for moving objects.
LOOK_SECONDS = 60.0
MOVE_SECONDS = 900.0

#: What happens to nobody's hooks and to no maintenance of this clone.
_QUIET = (
    *NO_HOOKS,
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.writeCommitGraph=false",
)
#: Objects of a stranger are looked at by git before they enter.
_CHECKED = ("fetch.fsckObjects=true",)
_FETCH = (
    "fetch",
    "--quiet",
    "--refmap=",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-prune",
    "--no-filter",
    "--no-auto-maintenance",
    "--no-recurse-submodules",
)
_PUSH = (
    "push",
    "--porcelain",
    "--no-verify",
    "--no-follow-tags",
    "--no-signed",
    "--recurse-submodules=no",
)
_LINES = 8
#: What `ls-remote` puts behind a tag for the object it stands for.
_PEELED = "^{}"
#: Formats of objects by the length of an id.
_FORMATS = {40: "SHA-1", 64: "SHA-256"}
OK = "ok"
UP_TO_DATE = "up-to-date"
REJECTED = "rejected"
REFUSED = "refused"
#: Words of git for a ref that somebody else moved, or was moving at that moment.
_MOVED = (
    "fetch first",
    "non-fast-forward",
    "needs force",
    "stale info",
    "incorrect old value",
    "cannot lock ref",
    "failed to update ref",
)
#: Words that go with these and say that trying again is of no use.
_NEVER = ("; cannot create ", "Permission denied", "Read-only file system", "No space left")
_TAKEN = {" ": OK, "*": OK, "+": OK, "=": UP_TO_DATE}


class PushResult:
    """What became of one ref: OK, UP_TO_DATE, REJECTED (it moved) or REFUSED, in git's words."""

    __slots__ = ("kind", "reason")

    def __init__(self, kind: str, reason: str = "") -> None:
        self.kind = kind
        self.reason = reason

    @property
    def is_taken(self) -> bool:
        """Tell whether the remote says that it has what was sent."""
        return self.kind in (OK, UP_TO_DATE)


def names(repo: Repository) -> list[str]:
    """Return the configured remotes that have a URL, in git's order."""
    asked = ("config", "-z", "--get-regexp", r"^remote\..*\.url$")
    settings = os.fsdecode(repo.git(*asked, ok=(0, 1))).split("\0")[:-1]
    keys = [one.partition("\n")[0] for one in settings]
    return list(dict.fromkeys(key.partition(".")[2].rpartition(".")[0] for key in keys))


def known(repo: Repository, remote: str) -> str:
    """Return a name that a remote has; raise NoSuchRemote for any other, a URL among them."""
    found = names(repo)
    if remote in found:
        return remote
    told = ", ".join(found) or "none"
    if "://" in remote or os.sep in remote or re.match(r"[^/]+:", remote):
        raise NoSuchRemote(
            f"expected the name of a configured remote, got '{redacted(remote)}'",
            f"there are: {told}; 'git remote add' gives an address a name",
        )
    raise NoSuchRemote(
        f"there is no remote '{remote}'", f"there are: {told}; 'git remote add' makes one"
    )


def push_places(repo: Repository, remote: str) -> list[str]:
    """Return the addresses a push goes to, where they are not simply that of a fetch."""
    places = config.get_all(repo, f"remote.{remote}.pushurl")
    if places:
        return places
    urls = _urls(repo, remote)
    return urls if len(urls) > 1 else []


def ls(
    repo: Repository, remote: str, patterns: Iterable[str], *, timeout: float = LOOK_SECONDS
) -> dict[str, str]:
    """Return what a remote shows: object by ref, for exact names and for `refs/some/*`.

    ``remote`` is a checked name, or one of `push_places`. Raises Unreachable (AuthFailed), and
    OtherFormat where no object of the remote could be one of this clone.
    """
    wanted = list(patterns)
    # The commit of HEAD tells the kind of ids there, where nothing of ours is shown.
    argv = ("ls-remote", "--", remote, refs.HEAD, *wanted)
    done = _reach(repo, remote, argv, timeout=timeout)
    lines = [line.partition("\t") for line in os.fsdecode(done.out).splitlines()]
    _check_format(repo, remote, {len(oid) for oid, _, _ in lines})
    # Git matches the end of a name too: `refs/heads/refs/knowl/entries` is somebody's branch.
    found = {ref: oid for oid, _, ref in lines if not ref.endswith(_PEELED)}
    return {ref: oid for ref, oid in found.items() if any(_fits(ref, one) for one in wanted)}


def fetch(
    repo: Repository,
    remote: str,
    refspecs: Sequence[str],
    *,
    timeout: float = MOVE_SECONDS,
) -> None:
    """Bring objects here by explicit refspecs; a bare object id leaves no ref at all.

    Raises Unreachable, or RemoteMoved when a ref is no longer there.
    """
    argv = (*_FETCH, "--", remote, *refspecs)
    _reach(repo, remote, argv, timeout=timeout, settings=_CHECKED)


def push(
    repo: Repository,
    remote: str,
    updates: Sequence[tuple[str, str, str | None]],
    *,
    timeout: float = MOVE_SECONDS,
) -> dict[str, PushResult]:
    """Send objects to refs of a remote, never forced, and return what became of each ref.

    An update is (object, ref, what the remote showed there last or None); one that changes nothing
    is not sent. Success is what the remote said: look again before it counts. Raises Unreachable.
    """
    results = {ref: PushResult(UP_TO_DATE) for oid, ref, seen in updates if oid == seen}
    sent = [(oid, ref) for oid, ref, seen in updates if oid != seen]
    for target in _targets(repo, remote, [ref for _, ref in sent]) if sent else ():
        told = _push(repo, target, sent, timeout)
        results |= {ref: _worse(results.get(ref), one) for ref, one in told.items()}
    return results


def replace(
    repo: Repository,
    remote: str,
    update: tuple[str, str, str],
    *,
    timeout: float = MOVE_SECONDS,
) -> PushResult:
    """Put an object in the place of what a ref of a remote holds, whatever history that had.

    The update is (object, ref, what the remote showed there last): if it shows something else by
    now, it is REJECTED. For what a person confirmed, and nothing else. Raises Unreachable.
    """
    oid, ref, seen = update
    result = PushResult(UP_TO_DATE)
    for target in _targets(repo, remote, [ref]):
        told = _push(repo, target, [(oid, ref)], timeout, (f"--force-with-lease={ref}:{seen}",))
        result = _worse(result, told[ref])
    return result


def _push(
    repo: Repository,
    target: str,
    sent: list[tuple[str, str]],
    timeout: float,
    options: tuple[str, ...] = (),
) -> dict[str, PushResult]:
    argv = (*_PUSH, *options, "--", target, *(f"{oid}:{ref}" for oid, ref in sent))
    settings = (*_QUIET, "push.pushOption=")
    done = _run(repo, target, argv, timeout=timeout, settings=settings)
    words = _words(done)
    found = dict(_results(os.fsdecode(done.out), words))
    missing = [ref for _, ref in sent if ref not in found]
    if missing and done.code:
        raise failure(target, argv, done.code, words)
    return found | {ref: PushResult(REFUSED, "it said nothing of the ref") for ref in missing}


def _results(out: str, words: str) -> Iterable[tuple[str, PushResult]]:
    """Yield ref and result for every line of `git push --porcelain`."""
    for line in out.splitlines():
        flag, _, rest = line.partition("\t")
        names_, _, summary = rest.partition("\t")
        if len(flag) == 1 and summary:
            yield names_.rpartition(":")[2], _result(flag, summary, words)


def _result(flag: str, summary: str, words: str) -> PushResult:
    if flag in _TAKEN:
        return PushResult(_TAKEN[flag])
    is_moved = any(one in summary for one in _MOVED) and not any(one in words for one in _NEVER)
    return PushResult(REJECTED if is_moved else REFUSED, _reason(summary, words))


def _reason(summary: str, words: str) -> str:
    """Return why a ref was not taken: git's words in brackets, then what the host said."""
    lines = [
        line.removeprefix("remote:").strip()
        for line in words.splitlines()[:_LINES]
        if line.startswith("remote:")
    ]
    told = summary.rpartition("(")[2].rstrip(")")
    return redacted("; ".join((told, *(line for line in lines if line))))


def _worse(one: PushResult | None, other: PushResult) -> PushResult:
    return other if one is None or one.is_taken else one


def _targets(repo: Repository, remote: str, refs: list[str]) -> list[str]:
    """Return what to push to: the remote, or its addresses where git would move refs of ours.

    After a push git moves what the user's fetch refspecs map to the ref, without asking what was
    there: in a mirror that is the store itself.
    """
    fetched = config.get_all(repo, f"remote.{remote}.fetch")
    is_mirror = config.is_true(repo, f"remote.{remote}.mirror")
    if not is_mirror and not any(_maps(spec, ref) for spec in fetched for ref in refs):
        return [remote]
    return push_places(repo, remote) or _urls(repo, remote)


def _maps(refspec: str, ref: str) -> bool:
    source = refspec.lstrip("+").partition(":")[0]
    start, star, end = source.partition("*")
    return ref.startswith(start) and ref.endswith(end) if star else ref == source


def _urls(repo: Repository, remote: str) -> list[str]:
    return config.get_all(repo, f"remote.{remote}.url")


def _check_format(repo: Repository, remote: str, lengths: set[int]) -> None:
    """Raise OtherFormat where the ids of a remote are longer or shorter than those here."""
    here = len(repo.zero_id)
    if lengths - {here}:
        there = next(iter(lengths - {here}))
        raise other_format(
            remote,
            f"uses {_FORMATS.get(there, 'ids of another kind')}, this clone {_FORMATS[here]}",
        )


def _fits(ref: str, pattern: str) -> bool:
    if pattern.endswith("/*"):
        return ref.startswith(pattern[:-1])
    return ref == pattern


def _reach(
    repo: Repository,
    remote: str,
    argv: tuple[str, ...],
    *,
    timeout: float,
    settings: tuple[str, ...] = (),
) -> Finished:
    """Run a call that speaks to a remote; raise in words that tell what to do."""
    done = _run(repo, remote, argv, timeout=timeout, settings=(*_QUIET, *settings))
    if done.code:
        raise failure(remote, argv, done.code, _words(done))
    return done


def _run(
    repo: Repository,
    remote: str,
    argv: tuple[str, ...],
    *,
    timeout: float,
    settings: tuple[str, ...],
) -> Finished:
    try:
        # Not literal: the variable for it would reach the hooks of a remote on this machine.
        return repo.run(*argv, timeout=timeout, literal=False, config=settings)
    except GitTimeout as error:
        raise Unreachable(
            f"'{redacted(remote)}' did not answer within {timeout:g} seconds",
            "see that it can be reached without a question: 'git ls-remote' asks the same",
        ) from error


def _words(done: Finished) -> str:
    return done.err.decode("utf-8", "replace")
