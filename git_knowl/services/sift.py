"""Decisions that are carried out together, and what becomes of those that hold no more.

A person decides for minutes while others write: what they moved meanwhile is left out and named,
so that it spoils nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from git_knowl.errors import KnowlError

Decision = TypeVar("Decision")
Result = TypeVar("Result")

#: What was left out, each with the reason.
Left = list[tuple[Decision, KnowlError]]


def carry_out(
    decisions: Sequence[Decision],
    rehearse: Callable[[Sequence[Decision]], object],
    publish: Callable[[Sequence[Decision]], Result],
) -> tuple[Result, Left[Decision]]:
    """Publish the decisions that hold, and return those that were left out.

    ``rehearse`` raises for decisions that cannot be published together. Raises the error of the
    first one when none holds, and what ``publish`` raises that no decision is to blame for.
    """
    held, left = sift(decisions, rehearse)
    while held:
        try:
            return publish(held), left
        except KnowlError:
            still, gone = sift(held, rehearse)
            if not gone:
                raise
            held, left = still, [*left, *gone]
    raise left[0][1]


def sift(
    decisions: Sequence[Decision], rehearse: Callable[[Sequence[Decision]], object]
) -> tuple[list[Decision], Left[Decision]]:
    """Return the decisions that hold together, the earlier ones first, and those that do not."""
    held: list[Decision] = []
    left: Left[Decision] = []
    try:
        rehearse(decisions)
    except KnowlError:
        for one in decisions:
            try:
                rehearse([*held, one])
            except KnowlError as error:
                left.append((one, error))
            else:
                held.append(one)
        return held, left
    return list(decisions), []
