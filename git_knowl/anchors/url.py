"""URL anchors: nothing is fetched, only the time since a person last read the page counts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from git_knowl.anchors.base import Stamp, World, active, suspect, unknown
from git_knowl.model.anchor import UrlAnchor
from git_knowl.model.limits import URL_MAX_AGE_DAYS
from git_knowl.model.verdict import AnchorVerdict


def judge(anchor: UrlAnchor, digest: str, world: World) -> AnchorVerdict:
    """Compare the age of the last reading with its limit; exactly that old is still active.

    A date in the future (a clock that is ahead) is active, one that cannot be read is unknown.
    """
    del digest  # a reading counts for every text of the entry
    verified, now = _time(anchor.verified), _time(world.now)
    if verified is None or now is None:
        return unknown(anchor, f"'{anchor.verified}' is not a date")
    low, high = URL_MAX_AGE_DAYS
    if not low <= anchor.max_age_days <= high:
        return unknown(anchor, f"max_age_days is {anchor.max_age_days}, expected {low} to {high}")
    limit = timedelta(days=anchor.max_age_days)
    if now - verified <= limit:
        return active(anchor)
    return suspect(
        anchor,
        f"last read {anchor.verified}, more than {anchor.max_age_days} days ago",
        f"read at most {anchor.max_age_days} days ago",  # no moment: verdicts are remembered
        f"read {anchor.verified}",
    )


def observe(anchor: UrlAnchor, world: World, stamp: Stamp) -> UrlAnchor:
    """Return the anchor as read at this moment; whoever stamps it has just read the page."""
    del stamp
    return replace(anchor, verified=world.now)


def expires(anchor: UrlAnchor) -> str | None:
    """Return the first second at which a reading is too old; None when its date says nothing."""
    verified = _time(anchor.verified)
    if verified is None:
        return None
    try:
        end = verified + timedelta(days=anchor.max_age_days, seconds=1)
        return f"{end.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    except OverflowError:
        return None


def _time(text: str) -> datetime | None:
    """Return the moment a text names, in UTC where it names no offset."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
