"""One lane at one moment: entries, tombstones, damage."""

from __future__ import annotations

import pytest

from git_knowl.model.document import render
from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import MissingObject
from git_knowl.store import layout
from git_knowl.store.operations import PutEntry, PutProject, PutTombstone, RemoveEntry
from git_knowl.store.snapshot import (
    DamagedEntryError,
    Snapshot,
    Stored,
    find_entry,
    read_snapshot,
)
from git_knowl.store.tombstones import Tombstone
from tests.support.stores import BY, TIME, PutRaw, all_ids, entry, identifier, open_store, write

CART, CONF = entry("cart-total", 1), entry("conf", 2)
STONE = Tombstone(CART.id, CART.name, "obsolete", BY, TIME, CART.digest, CONF.id)


def shared(store):
    return Snapshot(store.view(), SHARED)


def test_an_absent_lane_is_empty(store):
    snapshot = shared(store)

    assert snapshot.commit is None
    assert list(snapshot.scan()) == []
    assert snapshot.paths() == []
    assert snapshot.get(CART.id) is None
    assert snapshot.tombstone(CART.id) is None
    assert snapshot.retired() == {}
    assert snapshot.project() == ()


def test_entries_come_back_as_written_with_their_place(any_store):
    write(any_store, PutEntry(SHARED, CART), PutEntry(SHARED, CONF))

    found = {stored.entry.id: stored for stored in shared(any_store).entries()}

    assert {key: stored.entry for key, stored in found.items()} == {CART.id: CART, CONF.id: CONF}
    stored = found[CART.id]
    assert (stored.lane, stored.shown_name) == (SHARED, "cart-total")
    assert stored.path == layout.entry_path(CART.id, "cart-total")
    assert dict(shared(any_store).paths())[stored.path] == stored.blob
    assert shared(any_store).get(CART.id) == stored


def test_lanes_are_read_apart_and_found_together(store):
    write(store, PutEntry(SHARED, CART), PutEntry(LOCAL, CONF))

    view = store.view()
    assert all_ids(Snapshot(view, SHARED).entries()) == [CART.id]
    assert all_ids(Snapshot(view, LOCAL).entries()) == [CONF.id]
    assert find_entry(view, CONF.id) == (LOCAL, CONF)
    assert find_entry(view, identifier(9)) is None


def test_a_snapshot_keeps_what_it_saw_while_others_write(store):
    write(store, PutEntry(SHARED, CART))
    before = shared(store)

    write(store, RemoveEntry(SHARED, CART.id))

    assert all_ids(before.entries()) == [CART.id]
    assert list(shared(store).entries()) == []


def test_two_entries_of_one_name_are_both_shown_and_the_lower_id_keeps_it(store):
    twin = entry("cart-total", 3)
    path = layout.entry_path(twin.id, twin.name)
    write(store, PutEntry(SHARED, CART))
    write(store, PutRaw(refs.LOCAL_ENTRIES, path, None), PutEntry(LOCAL, CONF))
    forced = render(twin)
    view = store.view()
    view.lane(LOCAL).stage(path, forced)

    assert Snapshot(view, SHARED).get(CART.id).shown_name == "cart-total"
    assert Snapshot(view, LOCAL).get(twin.id).shown_name == f"cart-total~{twin.id[-6:]}"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"no frontmatter", "frontmatter"),
        (b"\xff\xfe\x00", "UTF-8"),
        (render(CONF), f"belongs at {layout.entry_path(CONF.id, 'conf')}"),
        (render(entry("renamed", 1)), "belongs at"),
    ],
)
def test_a_damaged_entry_hides_no_other(store, data, error):
    path = layout.entry_path(CART.id, CART.name)
    write(store, PutEntry(SHARED, CONF), PutRaw(refs.ENTRIES, path, data))

    snapshot = shared(store)

    assert all_ids(snapshot.entries()) == [CONF.id]
    (damaged,) = snapshot.damaged()
    assert (damaged.path, error in damaged.error) == (path, True)
    with pytest.raises(DamagedEntryError, match=path):
        snapshot.get(CART.id)


def test_a_second_file_of_one_id_is_damaged_and_the_next_write_removes_it(store):
    path = layout.entry_path(CART.id, "zzz")
    write(store, PutEntry(SHARED, CART), PutRaw(refs.ENTRIES, path, render(entry("zzz", 1))))

    snapshot = shared(store)

    assert [stored.entry for stored in snapshot.entries()] == [CART]
    assert [(item.path, item.error) for item in snapshot.damaged()] == [(path, "id: held twice")]
    write(store, PutEntry(SHARED, CART))
    assert shared(store).damaged() == []


@pytest.mark.parametrize("harm", ["missing", "corrupt"])
@pytest.mark.parametrize("bulk", [False, True])
def test_an_unreadable_object_hides_no_other(repo, harm, bulk):
    store = open_store(repo, bulk=bulk)
    more = [entry(f"finding-{number}", number) for number in range(10, 15)]
    write(store, PutEntry(SHARED, CART), *(PutEntry(SHARED, item) for item in more))
    blob = shared(store).get(CART.id).blob
    loose = repo.path / ".git/objects" / blob[:2] / blob[2:]
    loose.chmod(0o644)
    loose.unlink() if harm == "missing" else loose.write_bytes(b"garbage")

    snapshot = Snapshot(open_store(repo, bulk=bulk).view(), SHARED)

    assert sorted(all_ids(snapshot.entries())) == sorted(item.id for item in more)
    assert [item.blob for item in snapshot.damaged()] == [blob]


def test_tombstones_are_read_and_damaged_ones_named(store):
    bad = layout.record_path(layout.RETIRED, CONF.id)
    write(store, PutTombstone(SHARED, STONE), PutRaw(refs.ENTRIES, bad, b"{}"))

    snapshot = shared(store)

    assert snapshot.retired() == {CART.id: STONE}
    assert snapshot.tombstone(CART.id) == STONE
    assert [item.path for item in snapshot.damaged()] == [bad]


def test_only_what_changed_since_a_commit_is_listed(any_store):
    write(any_store, PutEntry(SHARED, CART), PutEntry(SHARED, CONF))
    old = shared(any_store).commit
    write(any_store, PutEntry(SHARED, entry("conf", 2, rev=2)), PutTombstone(SHARED, STONE))
    write(any_store, RemoveEntry(SHARED, CART.id))

    snapshot = shared(any_store)
    changes = dict(snapshot.changed_since(old))

    assert set(changes) == {
        layout.entry_path(CART.id, CART.name),
        layout.entry_path(CONF.id, CONF.name),
        layout.record_path(layout.RETIRED, CART.id),
    }
    assert changes[layout.entry_path(CART.id, CART.name)] is None
    present = [(path, blob) for path, blob in changes.items() if blob and path.endswith(".md")]
    (stored,) = snapshot.read(present)
    assert isinstance(stored, Stored)
    assert stored.entry.rev == 2
    assert dict(snapshot.changed_since(None)) == dict(snapshot.paths())


def test_a_commit_that_is_gone_is_said_to_be_missing(store):
    write(store, PutEntry(SHARED, CART))

    with pytest.raises(MissingObject):
        shared(store).changed_since("1" * 40)


def test_an_earlier_state_is_read_by_its_commit(store):
    write(store, PutEntry(SHARED, CART))
    old = shared(store).commit
    write(store, PutEntry(SHARED, entry("cart-sum", 1, rev=2)))

    then = read_snapshot(store.view(), SHARED, old)

    assert then.get(CART.id).entry == CART
    assert shared(store).get(CART.id).entry.name == "cart-sum"


def test_the_project_is_a_growing_sorted_set_of_root_commits(repo, store):
    write(store, PutProject(["b" * 40, "a" * 40]))
    write(store, PutProject(["c" * 40, "a" * 40]))

    assert shared(store).project() == ("a" * 40, "b" * 40, "c" * 40)
    assert repo.git("show", f"{refs.ENTRIES}:project").split() == list(shared(store).project())


def test_a_format_that_asks_for_a_newer_reader_is_refused_and_names_both_versions(store):
    write(store, PutEntry(SHARED, CART))
    write(store, PutRaw(refs.ENTRIES, layout.FORMAT_FILE, b"format 9\nreader 9\n"))

    with pytest.raises(
        layout.FormatError, match="format 9, this program reads and writes format 1"
    ):
        list(shared(store).entries())


def test_a_newer_format_that_lets_this_reader_in_is_read(store):
    write(store, PutEntry(SHARED, CART))
    write(store, PutRaw(refs.ENTRIES, layout.FORMAT_FILE, b"format 9\nreader 1\n"))

    assert all_ids(shared(store).entries()) == [CART.id]
