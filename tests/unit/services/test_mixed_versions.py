"""A store that a newer program wrote to: what it added survives every write of this one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.draft import Draft
from git_knowl.plumbing import refs
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.flag import flag
from git_knowl.services.inbox import drop
from git_knowl.services.rename import move, rename
from git_knowl.services.retire import restore, retire
from git_knowl.services.review import decide_named
from git_knowl.services.snooze import snooze
from git_knowl.services.undo import undo_last
from git_knowl.services.verify import evidence, verify
from git_knowl.store.drafts import PutDraft, read_drafts
from git_knowl.store.flags import PutFlag, read_flags
from git_knowl.store.operations import PutEntry, PutTombstone
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.tombstones import Tombstone
from tests.support.contexts import ADA, capture_item, submit_items
from tests.support.people import CART, KIM, live, person, script, write
from tests.support.stores import TIME, PutRaw, identifier, open_store
from tests.support.stores import flag as bookmark
from tests.support.stores import write as publish

FUTURE = {"x-future": [{"deep": "1"}], "extra": "y"}
ALL = (refs.ENTRIES, refs.LOCAL_ENTRIES, refs.INBOX, refs.STATE)
STRANGE = {"extra/deep/er/file.bin": b"\0\xff", "later.json": b"{}\n", "entries/README": b"read\n"}
STONE = identifier(40)
FLAG = identifier(42)
DRAFT = "x-draft"


def enriched(entry):
    """Return an entry with keys of a newer program wherever one can stand."""
    (anchor,) = entry.anchors
    accepted = tuple(replace(item, extra=FUTURE) for item in anchor.accepted)
    return replace(
        entry,
        extra=FUTURE,
        anchors=(replace(anchor, accepted=accepted, extra=FUTURE),),
        reviewed=replace(entry.reviewed, extra=FUTURE),
    )


@pytest.fixture
def ctx(repo):
    """Give a store of this format with more in it than this program knows."""
    made = person(repo)
    shared, local = write(made, "cart", CART), write(made, "mine", CART, lane="local")
    submit_items(made, capture_item("drafted"))
    store = open_store(repo)
    (draft,) = [one for one in read_drafts(store.view()) if isinstance(one, Draft)]
    stone = Tombstone(STONE, "gone", "so", KIM, TIME, "", extra=FUTURE)
    publish(
        store,
        PutEntry("shared", enriched(shared)),
        PutEntry("local", enriched(local)),
        PutTombstone("shared", stone),
        PutFlag(bookmark("a flag", 42, extra=tuple(FUTURE.items()))),
        PutDraft(replace(draft, extra=FUTURE)),
        *(PutRaw(ref, path, data) for ref in ALL for path, data in STRANGE.items()),
    )
    made.refresh()
    return made


def drafted(ctx):
    return next(one for one in read_drafts(ctx.store.view()) if isinstance(one, Draft))


def edit(ctx):
    text = document(live(ctx, "cart")).replace("price doubles", "price trebles")
    apply_edit(ctx, evidence(ctx, "cart"), text, looked=True)


def update(ctx):
    old = live(ctx, "cart")
    entry = {"body": "Another text. Why: so."}
    item = {"kind": "update", "name": "cart", "expected": old.digest, "entry": entry}
    (identifier,) = submit_items(ctx, item)
    decide_named(ctx, [identifier], [], ADA, None)


def retire_and_restore(ctx):
    retire(ctx, "cart", "so")
    ctx.refresh()
    restore(ctx, "cart")


def undo(ctx):
    rename(ctx, "cart", "carts")
    ctx.refresh()
    undo_last(ctx)


def reverify(ctx):
    verify(ctx, evidence(ctx, "cart"))


WRITES = {
    "add": lambda ctx: write(ctx, "new", CART),
    "edit": edit,
    "rename": lambda ctx: rename(ctx, "cart", "carts"),
    "move": lambda ctx: move(ctx, "cart", "local"),
    "update": update,
    "verify": reverify,
    "snooze": lambda ctx: snooze(ctx, "cart", "2099-01-01"),
    "retire": lambda ctx: retire(ctx, "mine", "so"),
    "restore": retire_and_restore,
    "undo": undo,
    "flag": lambda ctx: flag(ctx, "another one", ("lib/cart.ts",)),
    "accept": lambda ctx: decide_named(ctx, [drafted(ctx).id], [], ADA, None),
    "discard": lambda ctx: decide_named(ctx, [], [drafted(ctx).id], None, "no"),
    "submit": lambda ctx: submit_items(ctx, capture_item("another")),
    "drop": lambda ctx: drop(ctx, [FLAG], "no"),
}
"""Every verb that writes, done once."""


def strange_files(repo):
    return {
        (ref, path): repo.git("rev-parse", "--verify", "-q", f"{ref}:{path}", check=False)
        for ref in ALL
        for path in STRANGE
    }


def entries_of(view):
    lanes = (Snapshot(view, lane).entries() for lane in ("shared", "local"))
    return [one.entry for found in lanes for one in found if one.entry.name != "new"]


@pytest.mark.parametrize("verb", WRITES)
def test_a_write_keeps_files_and_keys_that_nobody_here_knows(repo, ctx, verb):
    before = strange_files(repo)
    assert all(before.values())

    WRITES[verb](ctx)

    assert strange_files(repo) == before
    view = ctx.store.view()
    known = [one for one in entries_of(view) if one.name != "drafted"]
    assert known
    assert all(one.extra == FUTURE for one in known)
    assert all(anchor.extra == FUTURE for one in known for anchor in one.anchors)
    assert Snapshot(view, "shared").retired()[STONE].extra == FUTURE
    assert [dict(one.extra) for one in read_flags(view) if one.id == FLAG] in ([FUTURE], [])
    drafts = [one for one in read_drafts(view) if isinstance(one, Draft) and one.name == "drafted"]
    assert all(one.extra == FUTURE for one in drafts)


@pytest.mark.parametrize("verb", ["rename", "move", "snooze", "undo"])
def test_fingerprints_that_count_on_keep_their_keys(ctx, verb):
    WRITES[verb](ctx)

    (name,) = {row.name for row in ctx.cache.entry_rows()} & {"cart", "carts"}
    (anchor,) = live(ctx, name).anchors
    assert [item.extra for item in anchor.accepted] == [FUTURE]


def test_a_flag_that_a_draft_uses_keeps_its_keys(ctx):
    submit_items(ctx, capture_item("another", FLAG))

    (found,) = [one for one in read_flags(ctx.store.view()) if one.id == FLAG]
    assert found.draft
    assert dict(found.extra) == FUTURE


def test_a_script_keeps_them_too(repo, ctx):
    before = strange_files(repo)

    write(script(repo), "new", CART, reviewer=ADA)

    assert strange_files(repo) == before
