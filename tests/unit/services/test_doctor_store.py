"""The doctor on the store: files that cannot be read, do not belong, or contradict each other."""

from __future__ import annotations

import hashlib
import os
from dataclasses import asdict

import pytest

from git_knowl.model.document import render
from git_knowl.plumbing import refs
from git_knowl.services.capture import packet
from git_knowl.services.retire import retire
from git_knowl.store import layout, records
from git_knowl.store.tombstones import Tombstone
from tests.support import stores
from tests.support.caches import plant
from tests.support.contexts import capture_item, submit_items
from tests.support.examined import findings, mend, only
from tests.support.people import CART, live, person, write


def tombstone(entry, **more):
    fields = {"reason": "r", "by": stores.BY, "at": stores.TIME, "digest": "", **more}
    path = layout.record_path(layout.RETIRED, entry.id)
    return {path: records.dump(asdict(Tombstone(entry.id, entry.name, **fields)))}


def loose(repo, oid):
    return repo.path / ".git/objects" / oid[:2] / oid[2:]


def damage(repo, oid, data=b"no object"):
    path = loose(repo, oid)
    path.chmod(0o644)
    path.write_bytes(data)


@pytest.fixture
def cart(repo):
    return write(person(repo), "cart", CART)


def test_an_entry_that_cannot_be_read_is_named_and_can_be_taken_out(repo, cart):
    plant(person(repo).store, "local", files={"entries/zz/x.md": b"no entry"})

    found = only(repo, "store")

    assert "entries/zz/x.md in lane local cannot be read" in found.problem
    assert "undo" in mend(repo, found)
    assert findings(repo, "store") == []
    assert live(person(repo), "cart") == cart


def test_an_entry_at_the_path_of_another_is_named(repo, cart):
    path = layout.entry_path(stores.identifier(7), "other")
    plant(person(repo).store, "shared", files={path: render(cart)})

    assert "the content belongs at" in only(repo, "store").problem


def test_an_entry_that_is_live_and_retired_at_once_is_named_and_the_hint_helps(repo, cart, knowl):
    plant(person(repo).store, "shared", files=tombstone(cart))

    assert f"the entry {cart.id} ('cart') is live in lane shared" in only(repo, "store").problem
    knowl.ok("retire", cart.id, "--reason", "it is retired, as the tombstone says")
    assert findings(repo, "store") == []


def test_a_replacement_that_nobody_knows_is_named(repo, cart):
    stone = tombstone(stores.entry("old", 3), superseded_by=stores.identifier(9))
    plant(person(repo).store, "shared", files=stone)

    assert f"was replaced by {stores.identifier(9)}" in only(repo, "store").problem


def test_a_replacement_that_was_retired_itself_is_known(repo, cart):
    plant(
        person(repo).store, "shared", files=tombstone(stores.entry("o", 3), superseded_by=cart.id)
    )
    retire(person(repo), "cart", "gone too")

    assert findings(repo, "store") == []


def test_sides_of_a_conflict_belong_to_a_live_entry(repo, cart):
    sides = {layout.conflict_path(cart.id, cart.digest): render(cart)}
    plant(person(repo).store, "shared", files=sides)
    assert findings(repo, "store") == []

    sides = {f"conflicts/{stores.identifier(5)}/{'a' * 64}.md": b"one side"}
    plant(person(repo).store, "shared", files=sides)
    assert f"about {stores.identifier(5)}, which is not live" in only(repo, "store").problem


def test_a_file_of_no_meaning_is_named(repo, cart):
    files = {"notes.txt": b"x", f"purged/{'0' * 64}": b"", "project": b""}
    plant(person(repo).store, "shared", files=files)

    assert "notes.txt in lane shared is no file of this format" in only(repo, "store").problem


def test_a_newer_format_is_told_and_its_unknown_files_are_not(repo, cart):
    files = {"format": b"format 2\nreader 1\n", "notes.txt": b"x"}
    plant(person(repo).store, "shared", files=files)

    found = only(repo, "store")

    assert "format 2 is newer" in found.problem
    assert (found.hint, found.repair) == ("upgrade git-knowl", None)


def test_an_entry_in_both_lanes_is_named_and_the_hint_helps(repo, cart, knowl):
    plant(person(repo).store, "local", cart)

    assert f"{cart.id} is live in both lanes" in only(repo, "store").problem
    knowl.ok("move", "cart", "--lane", "local")
    assert findings(repo, "store") == []


def test_a_record_that_cannot_be_read_is_named_and_can_be_dropped(repo, cart):
    store = person(repo).store
    stores.write(store, stores.PutRaw(refs.INBOX, "flags/zz/x.json", b"{"))

    found = only(repo, "inbox")

    assert "flags/zz/x.json of the inbox cannot be read" in found.problem
    mend(repo, found)
    assert findings(repo, "inbox") == []


def test_a_draft_about_an_entry_that_is_gone_is_named(repo, cart):
    entry = capture_item("cart", body="Three. Why: new supplier.")["entry"]
    update = {"kind": "update", "name": "cart", "expected": cart.digest, "entry": entry}
    (draft,) = submit_items(person(repo), update)
    assert findings(repo, "inbox") == []

    retire(person(repo), "cart", "gone")

    assert f"the draft {draft} changes 'cart'" in only(repo, "inbox").problem


def test_a_ref_that_leads_elsewhere_is_named(repo, cart):
    repo.git("update-ref", "-d", refs.INBOX)
    repo.git("symbolic-ref", refs.INBOX, "refs/heads/main")

    assert f"{refs.INBOX} is no ref of its own, it leads to refs/heads/main" in (
        only(repo, "refs").problem
    )


@pytest.mark.parametrize("content", [b"", b"rubbish\n", b"0" * 40 + b"\n", b"12" * 20 + b"\n"])
def test_a_ref_that_holds_rubbish_is_named_once(repo, cart, knowl, content):
    (repo.path / ".git" / refs.ENTRIES).write_bytes(content)

    done = knowl("doctor", "--json")

    assert done.code == 3
    (found,) = [one for one in done.json["findings"] if one["check"] == "refs"]
    assert refs.ENTRIES in found["problem"]
    assert f"logs/{refs.ENTRIES}" in found["hint"]
    assert [one["problem"] for one in done.json["findings"]].count(found["problem"]) == 1
    skipped = [one for one in done.json["checks"] if "stands in the way" in (one["told"] or "")]
    assert {"store", "inbox"} <= {one["check"] for one in skipped}
    assert not any(one["ok"] for one in skipped)


def test_an_object_that_cannot_be_read_is_named_whatever_the_cache_knows(repo, cart):
    person(repo).cache.close()
    blob = person(repo).store.view().entry_files("shared", cart.id)[0][1]
    damage(repo, blob)

    assert cart.id in only(repo, "objects").problem


def test_an_object_of_another_content_is_named(repo, cart):
    blob = person(repo).store.view().entry_files("shared", cart.id)[0][1]
    other = repo.git("hash-object", "-w", "--stdin", stdin="another text")
    damage(repo, blob, loose(repo, other).read_bytes())

    assert findings(repo, "objects")


def test_a_purged_text_that_is_there_again_is_named(repo, cart):
    digest = hashlib.sha256(render(cart)).hexdigest()
    plant(person(repo).store, "shared", files={f"purged/{digest}": b""})

    assert "is a text that was purged" in only(repo, "objects").problem


def test_a_history_with_a_hole_is_named(repo, cart):
    tip = repo.rev(refs.ENTRIES)
    write(person(repo), "second", CART)
    os.unlink(loose(repo, tip))

    assert "the history of the store is not whole" in only(repo, "refs").problem


def test_a_store_in_use_is_well(repo, cart, knowl):
    ctx = person(repo)
    submit_items(ctx, capture_item("other"))
    packet(ctx)
    retire(person(repo), "cart", "gone")
    write(person(repo), "later", CART)

    assert {name for name in ("refs", "objects", "store", "inbox") if findings(repo, name)} == set()
