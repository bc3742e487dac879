"""History is the log of both lanes."""

from __future__ import annotations

import pytest

from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.store import history
from git_knowl.store.flags import PutFlag
from git_knowl.store.operations import PutEntry, PutTombstone, RemoveEntry
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.transaction import Record, publish
from tests.support.stores import AT, BY, TIME, entry, flag, identifier, record, write

CART, CONF = entry("cart-total", 1), entry("conf", 2)
STONE = Tombstone(CART.id, CART.name, "obsolete", BY, TIME, CART.digest)


@pytest.fixture
def told(store):
    """Give a store with five operations over both lanes, a minute apart."""
    steps = [
        ("capture", "capture cart-total", [PutEntry(SHARED, CART)]),
        ("add", "add conf", [PutEntry(LOCAL, CONF)]),
        ("rename", "rename cart-total", [PutEntry(SHARED, entry("cart-sum", 1, rev=2))]),
        ("retire", "retire cart-sum", [RemoveEntry(SHARED, CART.id), PutTombstone(SHARED, STONE)]),
        ("move", "move conf", [RemoveEntry(LOCAL, CONF.id), PutEntry(SHARED, CONF)]),
    ]
    for minute, (verb, subject, changes) in enumerate(steps):
        write(store, *changes, record=record(verb, subject, AT + 60 * minute))
    return store


def subjects(store, **options):
    return [item.subject for item in history.log(store, store.view(), **options)]


def test_an_empty_store_has_no_history(store):
    assert history.log(store, store.view()) == []
    assert history.latest(store, store.view()) == []


def test_operations_of_both_lanes_are_listed_the_latest_first_without_the_constant_root(told):
    assert subjects(told) == [
        "move conf",
        "move conf",
        "retire cart-sum",
        "rename cart-total",
        "add conf",
        "capture cart-total",
    ]
    assert subjects(told, limit=2) == ["move conf", "move conf"]


def test_an_entry_is_followed_through_renames_lanes_and_its_tombstone(told):
    assert subjects(told, identifier=CART.id) == [
        "retire cart-sum",
        "rename cart-total",
        "capture cart-total",
    ]
    assert subjects(told, identifier=CONF.id) == ["move conf", "move conf", "add conf"]
    assert subjects(told, identifier=CONF.id, limit=1) == ["move conf"]
    assert subjects(told, identifier=identifier(9)) == []


def test_an_operation_says_who_did_what_to_which_entries(any_store):
    publish(
        any_store,
        lambda _: [PutEntry(SHARED, CART), PutEntry(SHARED, CONF)],
        Record("capture", "capture two: naïve", "Ada Ünïcode <a@b>", AT, (("Reviewed-by", BY),)),
    )

    (told,) = history.log(any_store, any_store.view())

    assert (told.op, told.lane, told.author) == ("capture", SHARED, "Ada Ünïcode <a@b>")
    assert told.subject == "capture two: naïve"
    assert told.at == "2026-11-30T00:53:20Z"
    assert told.entries == ((CART.id, "cart-total"), (CONF.id, "conf"))
    assert told.values("Reviewed-by") == [BY]
    assert told.commit == any_store.view().commits[refs.ENTRIES]


def test_the_log_does_not_depend_on_the_users_configuration(repo, told):
    before = history.log(told, told.view())
    for key, value in {
        "log.showSignature": "true",
        "color.ui": "always",
        "log.date": "relative",
        "i18n.logOutputEncoding": "latin1",
        "format.pretty": "oneline",
        "trailer.separators": ":=",
    }.items():
        repo.git("config", key, value)

    assert history.log(told, told.view()) == before


def test_a_commit_of_something_else_has_no_verb(repo, told):
    tip = told.view().commits[refs.ENTRIES]
    foreign = repo.git("commit-tree", f"{tip}^{{tree}}", "-p", tip, "-m", "by hand")
    repo.git("update-ref", refs.ENTRIES, foreign)

    found = history.log(told, told.view())

    by_hand = next(item for item in found if item.commit == foreign)
    assert (by_hand.op, by_hand.entries, by_hand.trailers) == ("", (), ())


def test_the_last_operation_is_found_without_asking_a_clock(store):
    write(store, PutEntry(LOCAL, CONF), record=record("add", "first", AT + 999))
    write(store, PutEntry(SHARED, CART), record=record("add", "second", AT))
    assert [item.subject for item in history.latest(store, store.view())] == ["second"]

    write(store, PutEntry(LOCAL, entry("more", 3)), record=record("add", "third", AT - 999))
    write(store, PutFlag(flag("no entry")), record=record("flag", "fourth", AT))

    assert [item.subject for item in history.latest(store, store.view())] == ["third"]


def test_an_operation_on_both_lanes_is_found_whole_from_either_commit(told):
    view = told.view()
    both = history.latest(told, view)

    assert [item.lane for item in both] == [SHARED, LOCAL]
    assert {item.subject for item in both} == {"move conf"}
    for item in both:
        found = history.find(told, view, item.commit)
        assert {each.commit for each in found} == {each.commit for each in both}


def test_an_operation_is_found_by_the_start_of_its_commit(told):
    view = told.view()
    wanted = history.log(told, view, identifier=CART.id)[-1]

    assert history.find(told, view, wanted.commit[:12]) == [wanted]


@pytest.mark.parametrize("commit", ["", "f" * 40, "0"])
def test_a_commit_that_names_no_operation_or_several_is_refused(told, commit):
    with pytest.raises(history.NoSuchOperationError, match="expected the commit of one operation"):
        history.find(told, told.view(), commit)
