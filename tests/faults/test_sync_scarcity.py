"""A sync where nothing can be written, or for which there is no room: told, and nothing lost."""

from __future__ import annotations

import pytest

from tests.support.cli import Knowl
from tests.support.people import CART
from tests.support.remotes import ENTRIES, bare, member
from tests.support.scarce import NO_NAMESPACE, can_mount, on_full_disk, on_read_only_disk

pytestmark = pytest.mark.skipif(not can_mount(), reason=NO_NAMESPACE)


@pytest.fixture
def hub(tmp_path):
    return bare(tmp_path)


@pytest.fixture
def bob(hub):
    """Give a clone with an entry of its own, whose remote has another one."""
    ada, bob = member(hub, "ada"), member(hub, "bob")
    ada.write("cart", CART)
    ada.write("long", body="".join(f"{number} why\n" for number in range(2000)))
    ada.sync()
    bob.write("tax")
    return bob


@pytest.mark.parametrize("words", [(), ("--pull",)])
def test_a_repository_that_cannot_be_written_to_says_so_and_sends_nothing(hub, bob, words):
    before = hub.rev(ENTRIES)

    done = on_read_only_disk(Knowl(bob.repo.path), "sync", *words)

    assert done.code == 1
    assert "error: what 'origin' sent cannot be kept here: " in done.err
    assert "hint: " in done.err
    assert hub.rev(ENTRIES) == before


def test_a_dry_run_needs_no_room_there(hub, bob):
    done = on_read_only_disk(Knowl(bob.repo.path), "sync", "--dry-run")

    assert done.code == 0, done.err
    assert "would be received  new  cart" in done.out
    assert "would be sent" in done.out


@pytest.mark.parametrize("spare", [0, 8, 40])
def test_a_full_disk_costs_a_repetition_and_nothing_else(hub, bob, spare):
    knowl = Knowl(bob.repo.path)

    done = on_full_disk(knowl, spare, "sync")

    assert done.code in (0, 1)
    assert done.code == 0 or "hint: " in done.err
    knowl.ok("sync")
    assert {one["name"] for one in knowl.json("ls")["entries"]} == {"cart", "long", "tax"}
    assert hub.rev(ENTRIES) == bob.tip
