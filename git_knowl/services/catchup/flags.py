"""Flags on the way to HEAD: what commits say, and what nobody used for too long.

What makes flags loads a good many patterns, so a look at the messages decides first whether there
may be anything to flag: by the rule of the shims, which is wider than those of the signals.
"""

from __future__ import annotations

from git_knowl.plumbing import refs, small_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from git_knowl.plumbing.repository import Repository
    from git_knowl.services.catchup.turned import Turned
    from git_knowl.services.context import Context

CHECKOUT = "post-checkout"
#: The events at which HEAD is a commit that was made here just now.
MADE = ("post-commit", "post-rewrite")
LOOKED = "flags-looked-at"
REFERENCE = "reference"
PACKAGE = "package:"
#: Of a long way so many commits are read, the newest, as `signals` does.
READ = 200
WORDS = ("knowl-flag:", "revert")
#: So many words are prose; as much text with fewer of them is in a script that has no spaces.
PROSE = 40
LETTERS_A_WORD = 8
LETTERS = 120
_SUMMARY = 100
_LOG = ("log", "--no-merges", "--reverse", f"-{READ}", "--format=%H %P%n%B%x00")
_PLAIN = ("--no-show-signature", "--no-patch", "--no-notes", "--no-color")


class Passed:
    """A commit on the way, with its parents and what it says."""

    __slots__ = ("message", "oid", "parents")

    def __init__(self, oid: str, parents: list[str], message: str) -> None:
        self.oid = oid
        self.parents = parents
        self.message = message


def passed(repo: Repository, old: str | None, head: str, event: str) -> list[Passed]:
    """Return the newest commits on the way, the oldest first, merges left out.

    These are the new ones, or at a checkout those that were left. Without a place to start from it
    is the one that was just made, if any; there are none when that place is gone.
    """
    if old is None and event not in MADE:
        return []
    way = ("-1", head) if old is None else _way(old, head, event)
    done = repo.run(*_LOG, *_PLAIN, *way, "--")
    if done.code:
        return []
    records = done.out.decode("utf-8", "replace").split("\0")[:-1]
    return [_passed(record) for record in records]


def _way(old: str, head: str, event: str) -> tuple[str, str]:
    """Return what `git log` is asked for: what is in one history and not in the other."""
    return (old, f"^{head}") if event == CHECKOUT else (head, f"^{old}")


def _passed(record: str) -> Passed:
    head, _, message = record.lstrip("\n").partition("\n")
    oid, *parents = head.split()
    return Passed(oid, parents, message)


def flag_lines(
    ctx: Context, commits: Sequence[Passed], turned: Sequence[Turned] = ()
) -> Iterator[str]:
    """Flag what the commits say or moved, and yield a line about it when anything was flagged."""
    moved = list(dependencies(commits, turned))
    if not moved and not any(is_telling(one.message) for one in commits):
        return
    from git_knowl.services.signals.flags import Moved, from_commits  # noqa: PLC0415 - patterns, ours only

    done = from_commits(ctx, [one.oid for one in commits], [Moved(*one) for one in moved])
    if not done.flags:
        return
    summary = done.flags[0].summary
    cut = summary if len(summary) <= _SUMMARY else f"{summary[:_SUMMARY]}…"
    told = f"'{cut}'" if len(done.flags) == 1 else f"{len(done.flags)} findings"
    held = f" ({done.held} more held back: git knowl mine)" if done.held else ""
    yield f"flagged {told}: git knowl inbox{held}"


def dependencies(
    commits: Sequence[Passed], turned: Sequence[Turned]
) -> Iterator[tuple[str, str, str]]:
    """Yield (commit, in words, lockfile) for what moved under a reference entry on the way.

    A lockfile is changed by one of the commits: where that is not known, by the only one.
    """
    only = commits[0].oid if len(commits) == 1 else None
    for one in turned if commits else ():
        commit = one.commit or only
        if one.type == REFERENCE and commit:
            yield from ((commit, *told) for told in moved_packages(one))


def moved_packages(one: Turned) -> Iterator[tuple[str, str]]:
    """Yield (in words, lockfile) for the packages below an entry that have another version now."""
    for target, found in one.evidence:
        if target.startswith(PACKAGE) and found:
            package, _, lockfile = target.removeprefix(PACKAGE).partition("!")
            yield f"{one.name} rests on {package}, which is {found} now", lockfile


def expired_lines(ctx: Context) -> Iterator[str]:
    """Let flags expire, looked for once a day, and yield a line about those that did."""
    place, today = ctx.repo.shared_path(LOOKED), ctx.caller.now()[:10].encode("ascii")
    if small_files.holds(place, today):
        return
    small_files.put(place, today)
    if not refs.read(ctx.repo, (refs.INBOX,))[refs.INBOX]:
        return
    from git_knowl.services.expiry import expire  # noqa: PLC0415 - once a day

    expired = expire(ctx)
    if expired:
        count = "1 flag" if len(expired) == 1 else f"{len(expired)} flags"
        yield f"{count} nobody used expired: git knowl inbox"


def is_telling(message: str) -> bool:
    """Tell whether a message may be worth a flag."""
    count = len(message.split())
    is_long = count >= PROSE or len(message) >= LETTERS_A_WORD * count + LETTERS
    lowered = message.lower()
    return is_long or any(word in lowered for word in WORDS)
