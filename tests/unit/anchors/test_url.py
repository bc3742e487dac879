"""URL anchors age; nothing is fetched."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from git_knowl.anchors import url
from git_knowl.anchors.base import Stamp
from git_knowl.model.anchor import UrlAnchor
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN

NOW = SimpleNamespace(now="2026-11-29T10:00:00Z")


def page(verified: str, days: int = 30) -> UrlAnchor:
    return UrlAnchor("https://docs.example/api", verified, days)


@pytest.mark.parametrize(
    "verified",
    [
        "2026-11-29T10:00:00Z",
        "2026-10-30T10:00:00Z",
        "2027-01-01T00:00:00Z",
        "2026-10-30T12:00:00+02:00",
        "2026-10-31",
    ],
)
def test_within_its_limit_a_page_is_active(verified: str) -> None:
    assert url.judge(page(verified), "", NOW).status == ACTIVE


def test_past_its_limit_a_page_is_suspect_and_the_limit_is_named() -> None:
    verdict = url.judge(page("2026-10-30T09:59:59Z"), "", NOW)

    assert verdict.status == SUSPECT
    assert verdict.reason == "last read 2026-10-30T09:59:59Z, more than 30 days ago"
    assert verdict.expected == "read at most 30 days ago"
    assert verdict.found == "read 2026-10-30T09:59:59Z"
    assert verdict.target == "url:30d:https://docs.example/api"


@pytest.mark.parametrize("verified", ["", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30"])
def test_a_bad_date_is_unknown(verified: str) -> None:
    verdict = url.judge(page(verified), "", NOW)

    assert (verdict.status, verdict.reason) == (UNKNOWN, f"'{verified}' is not a date")


@pytest.mark.parametrize("days", [0, -1, 3651, 10**12])
def test_a_limit_out_of_bounds_is_unknown(days: int) -> None:
    verdict = url.judge(page("2026-11-29T10:00:00Z", days), "", NOW)

    assert (verdict.status, verdict.reason) == (
        UNKNOWN,
        f"max_age_days is {days}, expected 1 to 3650",
    )


def test_the_longest_limit_counts_in_days() -> None:
    assert url.judge(page("2016-12-01T10:00:00Z", 3650), "", NOW).status == ACTIVE
    assert url.judge(page("2016-12-01T09:59:59Z", 3650), "", NOW).status == SUSPECT


def test_looking_again_makes_a_page_as_old_as_the_look() -> None:
    stamp = Stamp("a" * 64, "2026-11-29T10:00:00Z", "Ada <a@b>", "terminal")

    observed = url.observe(page("2020-01-01T00:00:00Z"), NOW, stamp)

    assert observed == page("2026-11-29T10:00:00Z")


@pytest.mark.parametrize("verified", ["2026-10-30T10:00:00Z", "2026-10-30T12:00:00+02:00"])
def test_a_reading_expires_one_second_after_its_limit(verified: str) -> None:
    assert url.expires(page(verified)) == "2026-11-29T10:00:01Z"


@pytest.mark.parametrize(
    "anchor", [page("yesterday"), page("9999-12-31T00:00:00Z"), page("2026-11-29", 10**12)]
)
def test_a_reading_without_a_usable_date_never_expires(anchor: UrlAnchor) -> None:
    assert url.expires(anchor) is None
