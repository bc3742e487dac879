"""Counts over the life of the store: entries, flags, what became of them, and who used what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from git_knowl.model.entry import HOWS
from git_knowl.model.flag import Flag
from git_knowl.model.status import SUSPECT
from git_knowl.model.verdict import Verdict
from git_knowl.plumbing.history import times_of
from git_knowl.services.context import Context
from git_knowl.services.use import used
from git_knowl.services.verdicts import judge_all
from git_knowl.store import history
from git_knowl.store.cache import EntryRow
from git_knowl.store.decided import ACCEPTED, Decide, read_decisions
from git_knowl.store.inbox import Inbox, read_inbox

NO_REASON = "without a reason"
#: What is counted together: doors that this program does not know, and commits of plain git.
OTHER = "other"
DAY = 86_400


@dataclass(frozen=True, slots=True)
class Stats:
    """Numbers by word: live entries by type, lane and review, flags by outcome and cue, operations.

    ``reviewed`` says by which door: in a terminal, on the page, unattended. ``funnel`` is how many
    flags and drafts there ever were here, and how many drafts became text; ``discards`` the reasons
    of the rest. ``use`` counts what was shown, read whole and judged; ``suspect`` the entries whose
    evidence changed, their percentage, and for how many days where a commit changed it.
    """

    entries: dict[str, int]
    lanes: dict[str, int]
    reviewed: dict[str, int]
    retired: int
    flags: dict[str, int]
    cues: dict[str, int]
    drafts: dict[str, int]
    funnel: dict[str, int]
    discards: dict[str, int]
    use: dict[str, int]
    suspect: dict[str, int]
    operations: dict[str, int]


def stats(ctx: Context) -> Stats:
    """Return the counts of this clone."""
    rows = ctx.cache.entry_rows()
    view = ctx.store.view()
    inbox = read_inbox(view)
    decisions = read_decisions(view)
    return Stats(
        entries=dict(Counter(row.type for row in rows)),
        lanes=dict(Counter(row.lane for row in rows)),
        reviewed=dict(Counter(row.how if row.how in HOWS else OTHER for row in rows)),
        retired=len(ctx.cache.retired()),
        flags=dict(Counter(outcome_word(flag.outcome) for flag in inbox.flags)),
        cues=dict(Counter(flag.cue or "none" for flag in inbox.flags)),
        drafts=dict(Counter(draft.kind for draft in inbox.drafts)),
        funnel=funnel(inbox, decisions),
        discards=dict(Counter(reasons(inbox.flags, decisions))),
        use=use(ctx, rows),
        suspect=suspect(ctx, len(rows)),
        operations=dict(Counter(verb(one.op) for one in history.log(ctx.store, view))),
    )


def verb(op: str) -> str:
    """Return what an operation did, OTHER where the commit says nothing that could be a verb."""
    return op if op.isascii() and op.isalpha() and op.islower() else OTHER


def outcome_word(outcome: str) -> str:
    """Return the first word of an outcome, such as captured, discarded, expired or pending."""
    return outcome.split(maxsplit=1)[0].rstrip(":")


def funnel(inbox: Inbox, decisions: Sequence[Decide]) -> dict[str, int]:
    """Return how many flags came to how many drafts, and those to how many accepted texts."""
    accepted = sum(one.outcome == ACCEPTED for one in decisions)
    return {
        "flags": len(inbox.flags),
        "drafts": len(inbox.drafts) + len(decisions),
        "accepted": accepted,
    }


def reasons(flags: Iterable[Flag], decisions: Iterable[Decide]) -> list[str]:
    """Return why drafts were discarded, and flags dropped that no draft was made of."""
    drafts = [one.reason for one in decisions if one.outcome != ACCEPTED]
    dropped = [
        flag.outcome.partition(": ")[2]
        for flag in flags
        if outcome_word(flag.outcome) in ("dropped", "discarded") and not flag.draft
    ]
    return [reason or NO_REASON for reason in (*drafts, *dropped)]


def use(ctx: Context, rows: Iterable[EntryRow]) -> dict[str, int]:
    """Return how often entries were shown, read and judged, and how many of the live ones ever."""
    found = used(ctx)
    counts = [found.tallies[row.id] for row in rows if row.id in found.tallies]
    return {
        "shown": sum(one.shown for one in found.tallies.values()),
        "read": sum(one.read for one in found.tallies.values()),
        "rated useful": sum(one.useful for one in found.tallies.values()),
        "rated wrong": sum(one.wrong for one in found.tallies.values()),
        "entries ever read": sum(one.read > 0 for one in counts),
        "questions in vain": sum(one.missed for one in found.questions.values()),
    }


def suspect(ctx: Context, total: int) -> dict[str, int]:
    """Return how many entries are suspect here, their percentage, and for how many days."""
    found = [one for one in judge_all(ctx).verdicts.values() if one.status == SUSPECT]
    ages = ages_of(ctx, found)
    return {
        "entries": len(found),
        "percent": round(100 * len(found) / total) if total else 0,
        **({"median days": round(median(ages)), "oldest days": max(ages)} if ages else {}),
    }


def ages_of(ctx: Context, found: Iterable[Verdict]) -> list[int]:
    """Return for every verdict that a commit brought about how many days ago the first one was."""
    blamed = [[one.commit for one in verdict.anchors if one.commit] for verdict in found]
    times = times_of(ctx.repo, dict.fromkeys(commit for commits in blamed for commit in commits))
    now = int(ctx.caller.clock())
    firsts = (min(times[commit] for commit in commits) for commits in blamed if commits)
    return [max(0, now - first) // DAY for first in firsts]
