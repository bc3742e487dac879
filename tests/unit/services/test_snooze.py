"""Sleeping entries: until a day to come, in this clone, for the daily round alone."""

from __future__ import annotations

import pytest

from git_knowl.plumbing import refs
from git_knowl.services.snooze import SnoozeError, snooze
from git_knowl.services.verify import evidence
from git_knowl.store.cache import NoSuchEntryError
from git_knowl.store.state import read_snoozes
from tests.support.people import CART, agent, person, tips, write


def test_an_entry_sleeps_until_a_day_and_its_verdict_stays(repo):
    entry = write(person(repo), "cart", CART)
    repo.write("lib/cart.ts", "four\n")
    ctx = person(repo)

    done = snooze(ctx, "cart", " 2026-12-24 ")

    assert (done.row.id, done.until) == (entry.id, "2026-12-24")
    assert read_snoozes(ctx.store.view()) == {entry.id: "2026-12-24"}
    assert evidence(ctx, "cart").verdict.status == "suspect"


def test_no_entry_is_written_for_it(repo):
    write(person(repo), "cart", CART)
    before = repo.refs(refs.ENTRIES, refs.LOCAL_ENTRIES)

    snooze(agent(repo), "cart", "2026-12-24")
    snooze(agent(repo), "cart", "2027-01-01")

    assert repo.refs(refs.ENTRIES, refs.LOCAL_ENTRIES) == before


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        ("tomorrow", "expected a day as YYYY-MM-DD, got 'tomorrow'"),
        ("2026-02-30", "expected a day as YYYY-MM-DD"),
        ("", "expected a day as YYYY-MM-DD"),
        ("2026-11-29", "expected a day to come, got 2026-11-29"),
        ("1999-01-01", "expected a day to come"),
    ],
)
def test_a_day_that_is_none_or_gone_is_refused(repo, until, expected):
    write(person(repo), "cart", CART)
    before = tips(repo)

    with pytest.raises(SnoozeError, match=f"until: {expected}"):
        snooze(person(repo), "cart", until)

    assert tips(repo) == before


def test_a_name_nobody_has_is_refused(repo):
    with pytest.raises(NoSuchEntryError):
        snooze(person(repo), "cart", "2026-12-24")
