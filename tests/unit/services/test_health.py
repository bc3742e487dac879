"""What could be better in the store, whatever the files say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.entry import Related
from git_knowl.services.audit.health import LARGE_BODY, LEAST_READS, UNREAD_DAYS, health
from git_knowl.services.snooze import snooze
from git_knowl.services.use import note_read, note_shown
from git_knowl.store.operations import PutEntry
from git_knowl.store.transaction import Record, publish
from tests.support.clock import Clock
from tests.support.people import BODY, CART, live, person, write


def told(repo, clock=None):
    return [(one.kind, one.name, one.text) for one in health(person(repo, clock))]


@pytest.fixture
def ctx(repo):
    return person(repo)


def test_a_store_in_good_health_has_no_complaint(repo, ctx):
    write(ctx, "cart", CART)
    write(ctx, "queue", "file:conf.yml", description="Read before tuning the retry queue")
    assert told(repo) == []


def test_a_long_body_is_told_with_its_length(repo, ctx):
    write(ctx, "long", CART, body=BODY + "x" * LARGE_BODY)
    ((kind, name, text),) = told(repo)
    assert (kind, name) == ("oversize", "long")
    assert text.startswith("4,0")


def test_entries_that_say_the_same_are_told_once_as_a_pair(repo, ctx):
    same = "Read before changing how discounts double above three pieces"
    write(ctx, "cart-doubles", CART, description=same)
    write(ctx, "cart-doubling", CART, description=same + " of one kind")
    ((kind, name, text),) = told(repo)
    assert (kind, name) == ("likely duplicate", "cart-doubles")
    assert text.startswith("like 'cart-doubling' by ")


def test_contradictions_are_told_while_both_are_live(repo, ctx):
    one = write(ctx, "one", CART)
    other = write(ctx, "other", "file:conf.yml", description="Settings decide about the queue")
    linked = replace(one, related=(Related(other.id, "contradicts"), Related(one.id, "extends")))
    publish(ctx.store, lambda _: [PutEntry("shared", linked)], Record("edit", "link", "K <k@e>", 1))
    assert told(repo) == [("contradiction", "one", "contradicts 'other'")]


def test_what_rests_on_nothing_must_be_looked_at_twice_a_year(repo, ctx):
    write(ctx, "belief")
    later = Clock()
    later.advance(days=179)
    assert told(repo, later) == []
    later.advance(days=2)
    assert told(repo, later) == [
        ("not looked at", "belief", "rests on nothing, and nobody looked since 2026-11-29")
    ]


def test_a_file_on_no_branch_was_never_resolved(repo, ctx):
    repo.write("draft.txt", "1\n")
    write(ctx, "draft", "file:draft.txt")
    (repo.path / "draft.txt").unlink()
    ((kind, name, text),) = told(repo)
    assert (kind, name) == ("never resolved", "draft")
    assert text.startswith("file:draft.txt: not on this checkout")


def test_a_file_of_another_branch_is_no_complaint(repo, ctx):
    repo.git("checkout", "-q", "-b", "with")
    repo.commit("new", {"new.txt": "1\n"})
    write(ctx, "new", "file:new.txt")
    repo.git("checkout", "-q", "main")
    assert told(repo) == []


def test_who_sleeps_is_left_alone(repo, ctx):
    write(ctx, "long", CART, body=BODY + "x" * LARGE_BODY)
    snooze(ctx, "long", "2999-01-01")
    assert told(repo) == []


def test_what_nobody_read_is_told_once_counting_went_on_for_long(repo, ctx):
    read, _ = write(ctx, "read", CART), write(ctx, "unread", CART, description="Pumps, valves")
    later = Clock()
    for _ in range(LEAST_READS):
        note_read(ctx, [read.id])
    note_shown(ctx, [live(ctx, "unread").id])
    later.advance(days=UNREAD_DAYS - 1)
    assert told(repo, later) == []

    later.advance(days=2)

    assert told(repo, later) == [
        ("never read", "unread", "nobody read it since 2026-11-29, shown 1 times")
    ]


def test_few_reads_in_all_say_nothing_about_one_entry(repo, ctx):
    read = write(ctx, "read", CART)
    write(ctx, "unread", CART, description="Pumps, valves")
    note_read(ctx, [read.id])
    later = Clock()
    later.advance(days=UNREAD_DAYS + 2)

    assert told(repo, later) == []
