"""Start a store in an old repository: walk its history for findings and flag the best few.

The walk goes in batches and is remembered after each, so that an interrupted one goes on where it
stood. What was flagged once is not proposed again, whatever became of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.model.flag import Flag
from git_knowl.plumbing import history
from git_knowl.plumbing.messages import list_commits, read_messages
from git_knowl.services.context import Context
from git_knowl.services.mining.since import moment_of
from git_knowl.services.mining.walk import Walk, forget, load, save
from git_knowl.services.recording import record
from git_knowl.services.signals.comments import comments
from git_knowl.services.signals.flags import Candidate, is_known, make
from git_knowl.services.signals.rules import CHAIN, Signal, wide_signals
from git_knowl.store.flags import PutFlag
from git_knowl.store.transaction import publish
from git_knowl.store.view import View

BATCH = 500
#: A file that was fixed so often in so many days has something to tell.
CHAIN_FIXES = 3
CHAIN_DAYS = 30
DAY = 86_400
LIMITS = (1, 100)

#: Told how many commits of how many have been read.
Progress = Callable[[int, int], None]


class MineError(KnowlError):
    """A question to the history that cannot be answered."""


@dataclass(frozen=True, slots=True)
class Mined:
    """What was found, best first: the flags (made, or only proposed) and what stayed below them."""

    flags: tuple[Flag, ...]
    read: int
    left: int


def mine(
    ctx: Context, since: str | None, count: int, progress: Progress, *, dry: bool = False
) -> Mined:
    """Walk the history of HEAD and flag the best of it; ``dry`` makes no flags.

    ``since`` is a day, or how long ago. Raises MineError without a history, or for a bad count,
    SinceError for a bad date.
    """
    if not LIMITS[0] <= count <= LIMITS[1]:
        raise MineError(
            f"-n: expected a number from {LIMITS[0]} to {LIMITS[1]}, got {count}",
            "what is left over is proposed the next time",
        )
    head = history.head(ctx.repo)
    if head is None:
        raise MineError("there is no history to mine yet", "commit something first")
    start = moment_of(since, ctx.caller.now()) if since is not None else None
    walk = walked(ctx, head, since, start, progress)
    found = ranked(ctx, head, walk, start)
    mined = propose(ctx, found, count, walk.done) if dry else store(ctx, found, count, walk.done)
    forget(ctx.repo)
    return mined


def walked(
    ctx: Context, head: str, since: str | None, start: int | None, progress: Progress
) -> Walk:
    """Read the messages that were not read yet, remembering the walk after each batch."""
    walk = load(ctx.repo, head, since or "")
    commits = list_commits(ctx.repo, *([] if start is None else [f"--max-age={start}"]), head)
    while walk.done < len(commits):
        progress(walk.done, len(commits))
        walk.take(read_messages(ctx.repo, commits[walk.done : walk.done + BATCH]))
        save(ctx.repo, walk)
    progress(len(commits), len(commits))
    return walk


def ranked(ctx: Context, head: str, walk: Walk, start: int | None) -> list[Candidate]:
    """Return everything found, the best first."""
    messages = read_messages(ctx.repo, walk.telling)
    found = [Candidate(0, message, one) for message in messages for one in wide_signals(message)]
    found += chains(ctx, walk)
    found += comments(ctx.repo, head, start)
    return sorted(found, key=lambda one: -one.signal.score)


def chains(ctx: Context, walk: Walk) -> Iterator[Candidate]:
    """Yield the files that were fixed again and again within a few weeks."""
    for path, fixes in sorted(walk.fixes.items()):
        run = longest_run(fixes)
        if len(run) >= CHAIN_FIXES:
            (message,) = read_messages(ctx.repo, [run[-1][1]])
            days = (run[-1][0] - run[0][0]) // DAY + 1
            summary = f"{path} was fixed {len(run)} times in {days} days: {message.subject}"
            told = Signal(CHAIN, summary, message.body.strip(), "cost", 2 + len(run) / 2)
            yield Candidate(0, message, told, (path,))


def longest_run(fixes: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the most (time, commit) pairs that lie within the days of a chain, in order."""
    best: list[tuple[int, str]] = []
    ordered = sorted(fixes)
    start = 0
    for end, (at, _) in enumerate(ordered):
        while at - ordered[start][0] > CHAIN_DAYS * DAY:
            start += 1
        if end + 1 - start > len(best):
            best = ordered[start : end + 1]
    return best


def unknown(view: View, found: Iterable[Candidate]) -> list[Candidate]:
    """Return what has no flag yet, each once."""
    first = {one.id: one for one in reversed(list(found))}
    return [one for one in found if first[one.id] is one and not is_known(view, one)]


def propose(ctx: Context, found: Sequence[Candidate], count: int, read: int) -> Mined:
    """Return the flags that would be made."""
    fresh = unknown(ctx.store.view(), found)
    flags = tuple(make(ctx, one) for one in fresh[:count])
    return Mined(flags, read, len(fresh) - len(flags))


def store(ctx: Context, found: Sequence[Candidate], count: int, read: int) -> Mined:
    """Make the flags of the best, in one write."""
    done: list[Mined] = []

    def operation(view: View) -> list[PutFlag]:
        fresh = unknown(view, found)
        flags = tuple(make(ctx, one) for one in fresh[:count])
        done[:] = [Mined(flags, read, len(fresh) - len(flags))]
        return [PutFlag(flag) for flag in flags]

    publish(ctx.store, operation, record(ctx, "flag", "flag from history"))
    return done[0]
