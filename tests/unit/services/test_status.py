"""What waits and what is suspect, in numbers."""

from __future__ import annotations

import pytest

from git_knowl.services.flag import flag
from git_knowl.services.status import status
from tests.support import stores
from tests.support.caches import plant
from tests.support.clock import Clock
from tests.support.contexts import capture_item, submit_items
from tests.support.people import CART, KIM, person, script, write


def test_an_empty_store_has_nothing_to_do(repo):
    found = status(person(repo))

    assert set(found.counts().values()) == {0}
    assert (found.suspects, found.expired) == ((), ())


def test_everything_that_waits_is_counted(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "conf", "file:conf.yml")
    write(script(repo), "hasty", "file:conf.yml", reviewer=KIM)
    flag(ctx, "something odd")
    taken = flag(ctx, "taken into a draft").flag.id
    submit_items(ctx, capture_item("draft", taken))
    plant(ctx.store, "local", files={"entries/zz/x.md": b"no entry"})
    repo.write("lib/cart.ts", "changed\n")

    found = status(person(repo))

    assert found.counts() == {
        "flags": 1,
        "drafts": 1,
        "entries": 3,
        "active": 2,
        "suspect": 1,
        "unknown": 0,
        "unattended": 1,
        "damaged": 1,
        "conflicts": 0,
    }
    assert found.suspects == ("cart",)


def test_a_damaged_record_of_the_inbox_counts(repo):
    ctx = person(repo)
    flag(ctx, "something odd")
    stores.write(ctx.store, stores.PutRaw("refs/knowl-local/inbox", "flags/zz/x.json", b"{"))

    assert status(ctx).damaged == 1
    assert status(ctx).flags == 1


def test_flags_that_expire_are_told_once(repo):
    clock = Clock()
    flag(person(repo, clock), "something odd")
    clock.advance(days=31)

    first, second = status(person(repo, clock)), status(person(repo, clock))

    assert [one.summary for one in first.expired] == ["something odd"]
    assert (first.flags, second.expired) == (0, ())


@pytest.mark.parametrize("times", [1, 2])
def test_the_answer_is_the_same_however_often_it_is_asked(repo, times):
    write(person(repo), "cart", CART)
    for _ in range(times):
        found = status(person(repo))

    assert (found.entries, found.active) == (1, 1)
