"""Which entries others supersede: told beside every row, kept up to date with every change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.model.entry import LOCAL, SHARED, Reviewed
from git_knowl.model.tiers import OTHERS, TIERS, UNATTENDED
from git_knowl.store import layout
from git_knowl.store.cache_tiers import Admitted
from git_knowl.store.superseded import heirs, superseded
from tests.support.caches import cache_of, plant
from tests.support.stores import BY, TIME, entry, identifier

OLD = entry("old", 1)
NEW = entry("new", 2, supersedes=(OLD.id,))
NEWEST = entry("newest", 3, supersedes=(NEW.id,))
PAIRS = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=12)


def told(store):
    return {row.name: row.heir for row in cache_of(store).entry_rows()}


def conflict(one):
    return {f"conflicts/{one.id}/{one.digest}.md": b"the other side"}


def test_a_row_says_which_entry_comes_next(store):
    plant(store, SHARED, OLD, NEW, NEWEST)

    assert told(store) == {"old": NEW.id, "new": NEWEST.id, "newest": None}


def test_the_newest_of_a_chain_stands_for_all_of_it(store):
    plant(store, SHARED, OLD, NEW, NEWEST)

    assert superseded(cache_of(store)) == {OLD.id: NEWEST.id, NEW.id: NEWEST.id}


def test_an_entry_of_either_lane_supersedes(store):
    plant(store, SHARED, OLD)
    plant(store, LOCAL, NEW)

    assert superseded(cache_of(store)) == {OLD.id: NEW.id}


def test_what_is_not_live_is_not_superseded(store):
    plant(store, SHARED, NEW)

    assert superseded(cache_of(store)) == {}


def test_an_entry_in_conflict_supersedes_nothing_until_it_is_settled(store):
    plant(store, SHARED, OLD, NEW, files=conflict(NEW))
    assert told(store)["old"] is None

    plant(store, SHARED, files=dict.fromkeys(conflict(NEW)))
    assert told(store)["old"] == NEW.id


def test_an_entry_that_went_supersedes_nothing_any_more(store):
    plant(store, SHARED, OLD, NEW)
    assert told(store)["old"] == NEW.id

    plant(store, SHARED, files={layout.entry_path(NEW.id, NEW.name): None})
    assert told(store) == {"old": None}


def test_an_entry_that_nobody_can_read_supersedes_nothing(store):
    plant(store, SHARED, OLD, NEW)
    assert told(store)["old"] == NEW.id

    plant(store, SHARED, files={layout.entry_path(NEW.id, NEW.name): b"no entry"})
    assert told(store) == {"old": None}


def test_a_text_that_no_longer_says_so_supersedes_nothing(store):
    plant(store, SHARED, OLD, NEW)
    assert told(store)["old"] == NEW.id

    plant(store, SHARED, replace(NEW, rev=2, supersedes=()))
    assert told(store)["old"] is None


@pytest.mark.parametrize("circle", [("ab", "ba"), ("aa",), ("ab", "bc", "ca"), ("xa", "ab", "ba")])
def test_a_circle_supersedes_nothing(circle):
    assert heirs(tuple(pair) for pair in circle) == {}


def test_who_is_superseded_from_outside_a_circle_is_superseded():
    assert heirs([("a", "b"), ("b", "a"), ("b", "x")]) == {"b": "x", "a": "b"}


@given(PAIRS)
def test_whatever_is_said_somebody_is_left_to_be_found(pairs):
    found = heirs(pairs)

    assert set(found.items()) <= set(pairs)
    assert {one for pair in pairs for one in pair} > found.keys() or not pairs
    for one in found:
        seen = [one]
        while seen[-1] in found:
            seen.append(found[seen[-1]])
            assert len(seen) <= len(found) + 1


@given(PAIRS)
def test_the_order_in_which_it_is_said_does_not_matter(pairs):
    assert heirs(pairs) == heirs(reversed(pairs)) == heirs(sorted(set(pairs)))


# --- what reaches agents ----------------------------------------------------------------------


def reaching(store, trusted=TIERS):
    found = Admitted(cache_of(store), trusted)
    names = [row.name for row in found.first_rows(9)]
    assert [row.name for row in found.by_ids(identifier(at) for at in range(9))] == names
    assert found.size() == sum(count for _, count in found.placeless()) == len(names)
    return names, found.kept_out()


def test_a_superseded_entry_reaches_no_agent_unasked(store):
    plant(store, SHARED, OLD, NEW)

    assert reaching(store) == (["new"], 0)


def test_a_superseded_entry_in_conflict_or_a_guideline_does_not_either(store):
    plant(store, SHARED, OLD, NEW, files=conflict(OLD))

    assert Admitted(cache_of(store), TIERS).conflicts() == []


def test_who_is_kept_from_agents_supersedes_nothing_that_reaches_them(store):
    """Else a text nobody trusts could take away one that somebody does."""
    plant(store, SHARED, OLD, replace(NEW, reviewed=Reviewed(BY, TIME, "unattended")))

    assert reaching(store, (OTHERS,)) == (["old"], 1)
    assert reaching(store, (OTHERS, UNATTENDED)) == (["new"], 0)
    assert reaching(store, (UNATTENDED,)) == (["new"], 0)


def test_what_is_superseded_is_not_told_as_kept_out(store):
    hasty = replace(OLD, reviewed=Reviewed(BY, TIME, "unattended"))
    plant(store, SHARED, hasty, NEW)

    assert reaching(store, (OTHERS,)) == (["new"], 0)
