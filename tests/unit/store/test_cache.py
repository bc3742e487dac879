"""What the cache answers: the same as the store, in one look-up."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from git_knowl.model.anchor import FileAnchor, ForeignAnchor, PackageAnchor, UrlAnchor
from git_knowl.model.entry import LANES, LOCAL, SHARED, Promoted, Reviewed
from git_knowl.store import cache_file, layout, tombstones
from git_knowl.store.cache import (
    AmbiguousNameError,
    CacheMovedError,
    NoSuchEntryError,
    open_warm,
)
from git_knowl.store.snapshot import Snapshot
from tests.support.caches import cache_of, plant, tips
from tests.support.stores import BY, TIME, entry, identifier

URL = UrlAnchor("https://example.org/", TIME, 90)
CART = entry("cart-total", 1, anchors=(FileAnchor("lib/cart.ts"), FileAnchor("conf.yml")))
CONF = entry("conf", 2, type="reference", anchors=(URL,), tags=("yaml",))


def shown(cache):
    return [row.name for row in cache.entry_rows()]


def test_an_empty_store_has_no_rows(store):
    cache = cache_of(store)

    assert cache.entry_rows() == []
    assert (cache.retired(), cache.damaged(), cache.anchored_paths()) == ([], [], [])
    assert (cache.size(), cache.places(5), cache.placeless()) == (0, [], [])


def test_a_row_holds_what_a_listing_shows(any_store):
    plant(any_store, SHARED, CART)

    [row] = cache_of(any_store).entry_rows()

    stored = Snapshot(any_store.view(), SHARED).get(CART.id)
    assert (row.id, row.lane, row.name, row.own_name) == (CART.id, SHARED, CART.name, CART.name)
    assert (row.type, row.description, row.updated) == ("project", CART.description, TIME)
    assert (row.digest, row.how, row.place) == (CART.digest, "terminal", "lib")
    assert (row.path, row.blob) == (stored.path, stored.blob)
    assert (row.conflict, row.is_unattended, row.promoted_file) == (False, False, None)


def test_documents_are_parsed_for_those_asked_only(store):
    plant(store, SHARED, CART)
    plant(store, LOCAL, CONF)
    cache = cache_of(store)

    assert cache.entries() == sorted([CART, CONF], key=lambda item: item.id)
    assert cache.entries([CONF.id]) == [CONF]
    assert cache.entries([identifier(9)]) == []
    assert cache.documents([]) == []


def test_more_ids_than_fit_one_statement_are_found(store):
    plant(store, SHARED, CART)
    ids = [identifier(number) for number in range(2000)]

    assert [row.id for row in cache_of(store).by_ids(ids)] == [CART.id]


def test_the_lower_id_keeps_the_name_over_both_lanes(store):
    older, newer = entry("same", 1), entry("same", 2)
    plant(store, LOCAL, older)
    plant(store, SHARED, newer)

    cache = cache_of(store)

    assert shown(cache) == ["same", f"same~{newer.id[-6:]}"]
    assert cache.names("same") == [(LOCAL, older.id), (SHARED, newer.id)]
    assert cache.names("other") == []


def test_a_name_names_one_entry(store):
    plant(store, SHARED, CART)
    cache = cache_of(store)

    assert cache.by_name("cart-total").id == CART.id
    assert cache.by_name(f"cart-total~{CART.id[-6:]}").id == CART.id
    assert cache.by_name(CART.id).id == CART.id
    assert cache.by_id(CART.id).name == "cart-total"
    assert cache.by_id(CONF.id) is None


@pytest.mark.parametrize("text", ["no-such", "cart-total~zzzzzz", "", "~", "\udcff", "cart\0total"])
def test_a_name_nobody_has_is_an_error(store, text):
    plant(store, SHARED, CART)

    with pytest.raises(NoSuchEntryError):
        cache_of(store).by_name(text)


def test_an_ambiguous_name_is_an_error_that_lists_what_it_may_mean(store):
    older, newer = entry("same", 1), entry("same", 2)
    plant(store, LOCAL, older)
    plant(store, SHARED, newer)
    cache = cache_of(store)

    with pytest.raises(AmbiguousNameError) as caught:
        cache.by_name("same")

    assert f"same~{older.id[-6:]}" in caught.value.message
    assert f"same~{newer.id[-6:]}" in caught.value.message
    assert cache.by_name(f"same~{newer.id[-6:]}").id == newer.id
    assert cache.by_name(f"same~{older.id[-6:]}").id == older.id


def test_an_entry_in_both_lanes_is_shown_once_from_the_shared_one(store):
    copy = replace(CART, description="The local copy")
    plant(store, SHARED, CART)
    plant(store, LOCAL, copy)

    cache = cache_of(store)

    assert [(row.lane, row.name) for row in cache.entry_rows()] == [(SHARED, "cart-total")]
    assert cache.entries() == [CART]
    assert cache.size() == 1
    assert [path.entry for path in cache.anchored_paths()] == [CART.id, CART.id]
    assert cache.names("cart-total") == [(LOCAL, CART.id), (SHARED, CART.id)]


def test_paths_lead_to_the_entries_that_rest_on_them(store):
    package = PackageAnchor("pkg:npm/vue", "web/pnpm-lock.yaml")
    rhyme = ForeignAnchor("rhyme", {"path": "lib/cart.ts", "name": "total"})
    strange = ForeignAnchor("mood", {"colour": "blue"})
    plant(store, SHARED, CART, replace(CONF, anchors=(package, rhyme, strange, URL)))
    cache = cache_of(store)

    assert [row.name for row in cache.by_path("conf.yml")] == ["cart-total"]
    assert [row.name for row in cache.by_path("web/pnpm-lock.yaml")] == ["conf"]
    assert [row.name for row in cache.by_path("lib/cart.ts")] == ["cart-total", "conf"]
    assert cache.by_path("lib/cart") == []
    assert cache.by_path("\udcff\ud800") == []
    assert [(at.path, at.entry, at.position, at.kind) for at in cache.anchored_paths()] == [
        ("conf.yml", CART.id, 1, "file"),
        ("lib/cart.ts", CART.id, 0, "file"),
        ("lib/cart.ts", CONF.id, 1, "rhyme"),
        ("web/pnpm-lock.yaml", CONF.id, 0, "package"),
    ]


def test_a_folder_stands_for_what_is_below_it(store):
    plant(store, SHARED, CART, entry("library", 3, anchors=(FileAnchor("library/a.ts"),)))
    cache = cache_of(store)

    assert [row.name for row in cache.by_path("lib/")] == ["cart-total"]
    assert [row.name for row in cache.by_path("lib")] == ["cart-total"]
    assert cache.by_path("lib", below=False) == []


@pytest.mark.parametrize(
    ("anchors", "place"),
    [
        ((FileAnchor("a/b/c/d.ts"),), "a/b"),
        ((FileAnchor("top.ts"),), "."),
        ((URL, FileAnchor("a/b.ts")), "a"),
        ((PackageAnchor("pkg:npm/vue", "web/pnpm-lock.yaml"),), ""),
        ((), ""),
    ],
)
def test_the_place_of_an_entry_is_the_folder_of_its_first_file(store, anchors, place):
    plant(store, SHARED, replace(CART, anchors=anchors))

    assert [row.place for row in cache_of(store).entry_rows()] == [place]


def test_places_are_counted_and_types_where_there_is_none(store):
    entries = [
        entry(f"n{at}", at + 10, anchors=(FileAnchor(f"src/{at % 2}/a.ts"),)) for at in range(3)
    ]
    plant(store, SHARED, *entries, CONF)
    cache = cache_of(store)

    assert cache.places(5) == [("src/0", 2), ("src/1", 1)]
    assert cache.places(1) == [("src/0", 2)]
    assert cache.placeless() == [("reference", 1)]
    assert cache.size() == 4
    assert [row.name for row in cache.first_rows(2)] == ["conf", "n0"]


def test_tiers_and_promotion_are_told(store):
    promoted = replace(CART, promoted=Promoted("docs/style.md", CART.digest))
    unattended = replace(CONF, reviewed=Reviewed(BY, TIME, "unattended"))
    plant(store, SHARED, promoted, unattended, entry("nobody", 3, reviewed=None))
    cache = cache_of(store)

    assert [(row.name, row.promoted_digest) for row in cache.promoted()] == [
        ("cart-total", CART.digest)
    ]
    assert [row.name for row in cache.entry_rows() if row.is_unattended] == ["conf", "nobody"]


def test_a_conflict_marks_its_entry(store):
    plant(
        store, SHARED, CART, CONF, files={f"conflicts/{CART.id}/{'0' * 64}.md": b"the other side"}
    )
    cache = cache_of(store)

    assert [(row.name, row.conflict) for row in cache.entry_rows()] == [
        ("cart-total", True),
        ("conf", False),
    ]
    assert [row.name for row in cache.conflicts()] == ["cart-total"]


def test_tombstones_are_listed_the_latest_first(store):
    old = tombstones.Tombstone(CART.id, "cart-total", "obsolete", BY, TIME, CART.digest)
    new = replace(old, id=CONF.id, name="conf", at="2026-12-01T00:00:00Z")
    records = {
        layout.record_path(layout.RETIRED, stone.id): tombstones.encode(stone)
        for stone in (old, new)
    }
    plant(store, SHARED, files=dict(records))

    found = cache_of(store).retired()

    assert [(item.name, item.reason, item.by, item.lane) for item in found] == [
        ("conf", "obsolete", BY, SHARED),
        ("cart-total", "obsolete", BY, SHARED),
    ]


def test_the_light_half_opens_what_is_warm_and_nothing_else(store):
    plant(store, SHARED, CART)
    before = tips(store)
    assert open_warm(store.repo, before) is None

    cache_of(store).close()
    warm = open_warm(store.repo, before)

    assert warm is not None
    assert shown(warm) == ["cart-total"]
    plant(store, SHARED, CONF)
    assert open_warm(store.repo, tips(store)) is None


def test_a_light_reader_says_when_the_file_has_moved_on(store):
    plant(store, SHARED, CART)
    cache_of(store).close()
    warm = open_warm(store.repo, tips(store))
    plant(store, SHARED, CONF)
    cache_of(store).close()

    with pytest.raises(CacheMovedError):
        warm.entry_rows()


def test_a_cache_that_nobody_holds_lets_go_of_its_file(store):
    cache = cache_of(store)
    connection = cache.connection

    del cache

    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")


def test_the_short_paths_know_the_lanes_of_the_model():
    assert cache_file.LANES == LANES
