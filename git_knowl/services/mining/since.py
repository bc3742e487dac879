"""Since when a history is read: a day, a moment, or so long ago.

Git takes any text for a date and makes of most of them the present time, so it is not asked.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta

from git_knowl.errors import KnowlError

_HINT = "such as 2026-01-31, 2026-01-31T10:00:00Z, 'yesterday' or '2 weeks ago'"
_AGO = re.compile(
    r"([0-9]{1,9})[ .]*(second|minute|hour|day|week|month|year)s?(?:[ .]+ago)?", re.IGNORECASE
)
_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_MONTHS = {"month": 1, "year": 12}


class SinceError(KnowlError):
    """A text that names no time gone by."""


def moment_of(since: str, now: str) -> int:
    """Return the time that a text names, in seconds since the epoch; days begin by UTC.

    ``now`` is the present time. Raises SinceError for what is no time, or one to come.
    """
    present = datetime.fromisoformat(now)
    try:
        moment = _moment(" ".join(since.split()), present)
    except (ValueError, OverflowError) as error:
        raise SinceError(f"since: expected a day or how long ago, got '{since}'", _HINT) from error
    if moment > present:
        raise SinceError(f"since: expected a time gone by, got '{since}'", _HINT)
    return max(int(moment.timestamp()), 0)


def _moment(text: str, now: datetime) -> datetime:
    """Return the moment; raises ValueError or OverflowError where there is none."""
    ago = _AGO.fullmatch("1 day ago" if text.lower() == "yesterday" else text)
    if ago:
        return _earlier(now, int(ago[1]), ago[2].lower())
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _earlier(now: datetime, count: int, unit: str) -> datetime:
    if unit in _SECONDS:
        return now - timedelta(seconds=count * _SECONDS[unit])
    year, month = divmod(now.year * 12 + now.month - 1 - count * _MONTHS[unit], 12)
    day = min(now.day, monthrange(year, month + 1)[1])
    return now.replace(year=year, month=month + 1, day=day)
