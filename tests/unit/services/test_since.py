"""Since when: what names a time gone by, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from git_knowl.services.mining.since import SinceError, moment_of

NOW = "2026-03-31T12:00:00Z"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-31", "2026-01-31T00:00:00"),
        (" 2026-01-31 ", "2026-01-31T00:00:00"),
        ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00"),
        ("2026-01-31 10:00", "2026-01-31T10:00:00"),
        ("2026-01-31T10:00:00+02:00", "2026-01-31T08:00:00"),
        ("yesterday", "2026-03-30T12:00:00"),
        ("90 minutes ago", "2026-03-31T10:30:00"),
        ("2 weeks ago", "2026-03-17T12:00:00"),
        ("2.weeks.ago", "2026-03-17T12:00:00"),
        ("2  Weeks", "2026-03-17T12:00:00"),
        ("1 month ago", "2026-02-28T12:00:00"),
        ("13 months ago", "2025-02-28T12:00:00"),
        ("2 years ago", "2024-03-31T12:00:00"),
        ("1000 years ago", "1970-01-01T00:00:00"),
        ("1950-01-01", "1970-01-01T00:00:00"),
    ],
)
def test_a_day_a_moment_or_so_long_ago(text, moment):
    found = datetime.fromtimestamp(moment_of(text, NOW), UTC)

    assert f"{found:%Y-%m-%dT%H:%M:%S}" == moment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "garbage",
        "tomorrow",
        "a week ago",
        "weeks ago",
        "2 fortnights ago",
        "2026-13-45",
        "2026-02-30",
        "2026-04-01",
        "9999-12-31",
        "3000 years ago",
        "999999999 weeks ago",
        "-1 days ago",
        "1700000000",
    ],
)
def test_anything_else_is_refused_with_what_may_be_said(text):
    with pytest.raises(SinceError) as refused:
        moment_of(text, NOW)

    assert f"got '{text}'" in refused.value.message
    assert "2 weeks ago" in refused.value.hint
