"""Joining two stores: what moves, what is said of it, and what is kept from doing harm."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from git_knowl.model.document import render
from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.store import layout
from git_knowl.store.drafts import RemoveDraft, read_drafts
from git_knowl.store.layout import FormatError
from git_knowl.store.merge.join import ForeignProject, join
from git_knowl.store.merge.outcome import ShallowHistoryError
from git_knowl.store.operations import (
    Decide,
    PutEntry,
    PutProject,
    PutTombstone,
    RemoveEntry,
    RemoveTombstone,
)
from git_knowl.store.tombstones import Tombstone
from tests.support.builders import RepoBuilder
from tests.support.joining import Peer, exchange
from tests.support.stores import BY, TIME, PutRaw, entry, write

CART = entry("cart-total", 1)
CONF = entry("conf-order", 2)
LIST = entry("list-cost", 3)


def told(text: str, one=CART, rev: int = 2):
    """Return an entry with another body."""
    return replace(one, body=f"{text}. Why: it was seen.\n", rev=rev)


def stone(one=CART, by: str = BY):
    """Return the tombstone of an entry."""
    return Tombstone(one.id, one.name, "no longer true", by, TIME, one.digest)


def retire(one=CART):
    """Return the changes that retire an entry."""
    return RemoveEntry(SHARED, one.id), PutTombstone(SHARED, stone(one))


def kinds(joined):
    """Return name and kind of every outcome."""
    return [(one.name, one.kind) for one in joined.outcomes]


@pytest.fixture(params=["sha1", "sha256", "sha1-bulk"])
def peers(request, tmp_path):
    """Give two clones, for each object format, and some that read through libgit2."""
    object_format, _, bulk = request.param.partition("-")
    return [Peer.make(tmp_path, name, object_format, bulk=bool(bulk)) for name in ("ada", "kim")]


@pytest.fixture
def pair(tmp_path):
    """Give two clones that share CART."""
    ada, kim = (Peer.make(tmp_path, name) for name in ("ada", "kim"))
    ada.write(PutEntry(SHARED, CART))
    kim.join(ada)
    return ada, kim


def test_an_empty_store_takes_over_the_other_one(peers):
    ada, kim = peers
    ada.write(PutEntry(SHARED, CART), PutProject(("a" * 40,)))

    joined = kim.join(ada)

    assert (joined.state, joined.commit) == ("fast-forward", ada.tip)
    assert kim.tip == ada.tip
    assert [(one.name, one.kind, one.by) for one in joined.outcomes] == [("cart-total", "new", BY)]


def test_stores_that_began_apart_hold_both_afterwards(peers):
    ada, kim = peers
    mine, other = ada.write(PutEntry(SHARED, CART)), kim.write(PutEntry(SHARED, CONF))

    joined = ada.join(kim)
    back = kim.join(ada)

    assert (joined.state, kinds(joined)) == ("merged", [("conf-order", "new")])
    assert ada.store.db.read_commit(joined.commit).parents == (mine, other)
    assert (back.state, back.commit) == ("fast-forward", joined.commit)
    assert {found.entry.name for found in kim.snapshot().entries()} == {"cart-total", "conf-order"}
    assert ada.builder.git("fsck", "--strict", "--no-dangling") == ""


def test_what_is_known_already_moves_nothing(pair):
    ada, kim = pair
    assert kim.join(ada).state == "in step"
    kim.write(PutEntry(SHARED, CONF))
    before = kim.tip

    assert kim.join(ada).state == "ahead"
    assert kim.tip == before


def test_a_dry_run_says_the_same_and_writes_nothing(pair):
    ada, kim = pair
    ada.write(PutEntry(SHARED, told("one")))
    kim.write(PutEntry(SHARED, told("two")))
    theirs, before = ada.fetch(kim), ada.tip
    objects = ada.builder.git("count-objects", "-v")

    dry = join(ada.store, theirs, ada.record, dry_run=True)

    assert (ada.tip, ada.builder.git("count-objects", "-v")) == (before, objects)
    wet = join(ada.store, theirs, ada.record)
    assert (dry.state, dry.outcomes) == (wet.state, wet.outcomes)


def test_different_fields_of_one_entry_are_merged_alike_on_both_sides(pair):
    ada, kim = pair
    ada.write(PutEntry(SHARED, told("another fact")))
    kim.write(PutEntry(SHARED, replace(CART, description="Read it first", tags=("x",), rev=2)))
    tips = ada.fetch(kim), kim.fetch(ada)

    mine = join(ada.store, tips[0], ada.record)
    other = join(kim.store, tips[1], kim.record)

    merged = ada.live(CART.id).entry
    assert kinds(mine) == kinds(other) == [("cart-total", "merged")]
    assert (merged.body, merged.description, merged.tags, merged.rev) == (
        told("another fact").body,
        "Read it first",
        ("x",),
        3,
    )
    assert ada.tree == kim.tree
    message = ada.builder.git("log", "-1", "--format=%B", refs.ENTRIES)
    assert f"Knowl-Op: sync\nKnowl-Entry: {CART.id} cart-total" in message


def test_a_text_changed_on_both_sides_is_kept_twice_and_the_higher_rev_is_live(pair):
    ada, kim = pair
    one, two = told("one"), told("two", rev=5)
    ada.write(PutEntry(SHARED, one))
    kim.write(PutEntry(SHARED, two))

    joined = ada.join(kim)

    assert kinds(joined) == [("cart-total", "conflict")]
    assert ada.live(CART.id).entry == two
    files = ada.files()
    for side in (one, two):
        blob = files[layout.conflict_path(CART.id, side.digest)]
        assert ada.store.view().read_blob(blob) == render(side)


def test_of_equal_revs_the_lower_digest_is_live_on_both_sides(pair):
    ada, kim = pair
    one, two = told("one"), told("two")
    ada.write(PutEntry(SHARED, one))
    kim.write(PutEntry(SHARED, two))
    tips = ada.fetch(kim), kim.fetch(ada)

    for peer, tip in zip((ada, kim), tips, strict=True):
        join(peer.store, tip, peer.record)

    assert ada.live(CART.id).entry == min(one, two, key=lambda side: side.digest)
    assert ada.tree == kim.tree


def test_histories_that_crossed_are_joined_by_what_both_have_in_common(pair):
    ada, kim = pair
    ada.write(PutEntry(SHARED, told("one")))
    kim.write(PutEntry(SHARED, CONF))
    tips = ada.fetch(kim), kim.fetch(ada)
    for peer, tip in zip((ada, kim), tips, strict=True):
        join(peer.store, tip, peer.record)
    assert ada.tip != kim.tip

    ada.write(PutEntry(SHARED, told("two", rev=3)))
    kim.write(PutEntry(SHARED, replace(CONF, tags=("x",), rev=2)))
    joined = ada.join(kim)

    assert kinds(joined) == [("conf-order", "updated")]
    assert ada.live(CART.id).entry == told("two", rev=3)


def test_two_ids_of_one_name_are_both_live(pair):
    ada, kim = pair
    ada.write(PutEntry(SHARED, CONF))
    kim.write(PutEntry(SHARED, replace(LIST, name=CONF.name)))

    ada.join(kim)

    shown = [found.shown_name for found in ada.snapshot().entries()]
    assert sorted(shown) == ["cart-total", "conf-order", f"conf-order~{LIST.id[-6:]}"]


def test_a_tombstone_takes_the_entry_out_and_keeps_an_old_clone_from_bringing_it_back(pair):
    ada, kim = pair
    ada.write(*retire())
    kim.write(PutEntry(SHARED, CONF))

    joined = kim.join(ada)
    back = ada.join(kim)

    assert kinds(joined) == [("cart-total", "retired")]
    assert kinds(back) == [("conf-order", "new")]
    assert ada.live(CART.id) is None
    assert not joined.proposals


def test_a_verify_of_what_was_retired_is_no_update(pair):
    ada, kim = pair
    ada.write(*retire())
    kim.write(PutEntry(SHARED, replace(CART, rev=2, updated="2026-11-30T10:00:00Z")))

    joined = kim.join(ada)

    assert (kim.live(CART.id), joined.proposals) == (None, ())


@pytest.mark.parametrize("retirer", [0, 1])
def test_an_update_of_what_was_retired_comes_back_as_a_draft_once(pair, retirer):
    ada, kim = pair
    new = told("one")
    pair[retirer].write(*retire())
    pair[1 - retirer].write(PutEntry(SHARED, new))

    joined = ada.join(kim)

    assert ada.live(CART.id) is None
    (draft,) = joined.proposals
    assert (draft.kind, draft.entry.body, draft.entry.supersedes) == (
        "capture",
        new.body,
        (CART.id,),
    )
    assert [one.id for one in read_drafts(ada.store.view())] == [draft.id]
    other = kim.fetch(ada)
    assert join(kim.store, other, kim.record).state == "fast-forward"
    assert list(read_drafts(kim.store.view())) == []


def test_a_draft_that_was_decided_on_does_not_come_back_again(tmp_path, pair):
    ada, kim = pair
    eve = Peer.make(tmp_path, "eve")
    eve.join(ada)
    ada.write(*retire())
    for peer in (kim, eve):
        peer.write(PutEntry(SHARED, told("one")))
    (draft,) = ada.join(kim).proposals
    write(ada.store, RemoveDraft(draft.id), Decide(draft.id, "discarded"))

    again = ada.join(eve)

    assert again.proposals == ()
    assert list(read_drafts(ada.store.view())) == []


def test_what_was_restored_wins_over_its_tombstone(pair):
    ada, kim = pair
    ada.write(*retire())
    kim.join(ada)
    kim.write(
        RemoveTombstone(SHARED, CART.id), PutEntry(SHARED, replace(CART, rev=2)), op="restore"
    )
    ada.write(PutEntry(SHARED, CONF))

    joined = ada.join(kim)

    assert kinds(joined) == [("cart-total", "restored")]
    assert ada.live(CART.id).entry.rev == 2
    assert ada.snapshot().retired() == {}


def test_two_tombstones_of_one_entry_become_the_same_one(pair):
    ada, kim = pair
    for peer, by in ((ada, "Ada <a@example.org>"), (kim, "Kim <k@example.org>")):
        peer.write(RemoveEntry(SHARED, CART.id), PutTombstone(SHARED, stone(by=by)))
    tips = ada.fetch(kim), kim.fetch(ada)

    for peer, tip in zip((ada, kim), tips, strict=True):
        join(peer.store, tip, peer.record)

    assert ada.tree == kim.tree
    assert ada.snapshot().retired()[CART.id].by == "Ada <a@example.org>"


def test_what_is_gone_without_a_tombstone_stays(pair):
    ada, kim = pair
    path = layout.entry_path(CART.id, CART.name)
    ada.write(PutRaw(refs.ENTRIES, path, None), PutEntry(SHARED, CONF))

    joined = kim.join(ada)
    back = ada.join(kim)

    assert [(one.name, one.kind) for one in joined.outcomes if one.id == CART.id] == [
        ("cart-total", "refused")
    ]
    assert kim.live(CART.id) is not None
    assert kinds(back) == [("cart-total", "new")]


def test_an_older_text_does_not_take_the_place_of_a_newer_one(pair):
    ada, kim = pair
    ada.write(PutEntry(SHARED, told("newer", rev=4)))
    kim.join(ada)
    ada.write(PutEntry(SHARED, CART))

    joined = kim.join(ada)

    assert kinds(joined) == [("cart-total", "refused")]
    assert kim.live(CART.id).entry == told("newer", rev=4)


def test_two_roots_of_code_become_a_set(peers):
    ada, kim = peers
    ada.write(PutProject(("a" * 40, "b" * 40)))
    kim.write(PutProject(("b" * 40, "c" * 40)))

    ada.join(kim)

    assert ada.snapshot().project() == ("a" * 40, "b" * 40, "c" * 40)


def test_stores_about_other_code_are_joined_only_when_a_person_says_so(peers):
    ada, kim = peers
    ada.write(PutProject(("a" * 40,)))
    kim.write(PutProject(("c" * 40,)), PutEntry(SHARED, CART))
    before = ada.tip

    with pytest.raises(ForeignProject) as caught:
        ada.join(kim)

    assert (caught.value.ours, caught.value.theirs) == (("a" * 40,), ("c" * 40,))
    assert ada.tip == before
    ada.join(kim, same_project=True)
    assert ada.snapshot().project() == ("a" * 40, "c" * 40)


@pytest.mark.parametrize(
    "text", [b"format 2\nreader 2\n", b"format 2\nreader 1\n", b"what is this\n"]
)
def test_a_store_of_a_newer_format_or_none_is_not_joined(pair, text):
    ada, kim = pair
    ada.write(PutRaw(refs.ENTRIES, layout.FORMAT_FILE, text), PutEntry(SHARED, CONF))
    before = kim.tip

    with pytest.raises(FormatError, match="the other store"):
        kim.join(ada)

    assert kim.tip == before
    assert kim.live(CART.id) is not None


def test_a_branch_of_code_is_no_store(pair):
    ada, _ = pair
    with pytest.raises(FormatError, match="the other store"):
        join(ada.store, ada.builder.rev("HEAD"), ada.record)


def test_files_nobody_can_read_are_carried_through(pair):
    ada, kim = pair
    folder = layout.entry_folder(LIST.id)
    raw = {
        f"{folder}/{LIST.id}.list-cost.md": b"no entry",
        f"{folder}/notes.txt": b"whatever",
        "library/book": b"of a newer program",
    }
    ada.write(*(PutRaw(refs.ENTRIES, path, data) for path, data in raw.items()))
    kim.write(PutEntry(SHARED, CONF))

    joined = kim.join(ada)

    assert kinds(joined) == [(f"{folder}/notes.txt", "invalid"), ("list-cost", "invalid")]
    held = {path: kim.snapshot().read_file(path) for path in raw}
    assert held == raw
    assert ada.join(kim).state == "fast-forward"


def test_a_file_that_was_damaged_there_does_not_take_the_place_of_a_readable_one(pair):
    ada, kim = pair
    path = layout.entry_path(CART.id, CART.name)
    ada.write(PutRaw(refs.ENTRIES, path, b"no entry"))

    joined = kim.join(ada)
    back = ada.join(kim)

    assert kinds(joined) == [("cart-total", "refused")]
    assert kim.live(CART.id).entry == CART
    assert kinds(back) == [("cart-total", "updated")]
    assert ada.live(CART.id).entry == CART


def hostile(peer: Peer, *entries: tuple[str, str, str, str]) -> str:
    """Return a commit on the peer's tip whose top folder holds more: mode, kind, id, name."""
    listed = peer.builder.git("ls-tree", refs.ENTRIES).splitlines()
    names = {one[3] for one in entries}
    kept = [line for line in listed if line.partition("\t")[2] not in names]
    made = [f"{mode} {kind} {oid}\t{name}" for mode, kind, oid, name in entries]
    tree = peer.builder.git("mktree", "--missing", stdin="\n".join((*kept, *made)) + "\n")
    return peer.builder.git("commit-tree", tree, "-p", refs.ENTRIES, "-m", "odd")


@pytest.mark.parametrize(
    ("mode", "kind", "name"),
    [
        ("100644", "blob", "entries"),
        ("100644", "blob", "conflicts"),
        ("120000", "blob", "link"),
        ("160000", "commit", "module"),
        ("100644", "blob", ".hidden"),
        ("100644", "blob", "git~1"),
        ("100644", "blob", "line\\nbreak"),
    ],
)
def test_what_is_no_part_of_a_store_is_left_out_and_told(pair, mode, kind, name):
    ada, _ = pair
    blob = ada.builder.git("hash-object", "-w", "--stdin", stdin="odd")
    oid = ada.builder.rev("HEAD") if kind == "commit" else blob
    quoted = f'"{name}"' if "\\" in name else name
    theirs = hostile(ada, (mode, kind, oid, quoted))
    before = ada.files()

    joined = join(ada.store, theirs, ada.record)

    assert [one.kind for one in joined.outcomes] == ["left out"]
    assert ada.files() == before
    ada.write(PutEntry(SHARED, CONF))


def test_a_folder_in_the_place_of_a_file_is_left_out(pair):
    ada, _ = pair
    tree = ada.builder.git("mktree", stdin="")
    theirs = hostile(ada, ("040000", "tree", tree, "format"))

    with pytest.raises(FormatError):
        join(ada.store, theirs, ada.record)


def test_what_was_purged_there_goes_here_and_does_not_come_back(pair):
    ada, kim = pair
    digest = hashlib.sha256(render(CART)).hexdigest()
    path = layout.entry_path(CART.id, CART.name)
    ada.write(PutRaw(refs.ENTRIES, path, None), PutRaw(refs.ENTRIES, f"purged/{digest}", b""))
    kim.write(PutEntry(SHARED, CONF))

    joined = kim.join(ada)

    assert [(one.name, one.kind) for one in joined.outcomes] == [("cart-total", "refused")]
    assert kim.live(CART.id) is None
    assert f"purged/{digest}" in kim.files()
    assert ada.join(kim).state == "fast-forward"
    assert ada.live(CART.id) is None


def test_a_purge_reaches_a_store_that_shares_no_history_any_more(tmp_path):
    ada, kim = (Peer.make(tmp_path, name) for name in ("ada", "kim"))
    kim.write(PutEntry(SHARED, CART), PutEntry(SHARED, CONF))
    digest = hashlib.sha256(render(CART)).hexdigest()
    ada.write(PutEntry(SHARED, CONF), PutRaw(refs.ENTRIES, f"purged/{digest}", b""))

    kim.join(ada)

    assert [found.entry.name for found in kim.snapshot().entries()] == ["conf-order"]


def test_a_purged_text_that_was_changed_since_stays_in_its_new_state(pair):
    ada, kim = pair
    digest = hashlib.sha256(render(CART)).hexdigest()
    ada.write(*retire(), PutRaw(refs.ENTRIES, f"purged/{digest}", b""))
    new = told("one without the secret")
    kim.write(PutEntry(SHARED, new))

    joined = kim.join(ada)

    assert kim.live(CART.id) is None
    assert [draft.entry.body for draft in joined.proposals] == [new.body]


def test_what_is_scrubbed_on_the_way_in_is_a_change_on_top(pair):
    ada, kim = pair
    ada.write(PutEntry(SHARED, told("secret")))

    def admit(one):
        return replace(one, body=one.body.replace("secret", "[REDACTED]"))

    joined = kim.join(ada, admit=admit)
    back = ada.join(kim, admit=admit)

    found = kim.live(CART.id).entry
    assert (found.body, found.rev) == ("[REDACTED]. Why: it was seen.\n", 3)
    assert (joined.state, back.state) == ("merged", "fast-forward")


def test_what_is_refused_stays_out_and_the_store_can_go_on(pair):
    ada, kim = pair
    ada.write(PutEntry(SHARED, LIST), PutEntry(SHARED, told("one")))

    def admit(one):
        return "a secret in its name" if one.id == LIST.id else one

    joined = kim.join(ada, admit=admit)

    assert kinds(joined) == [("cart-total", "updated"), ("list-cost", "refused")]
    assert joined.outcomes[1].note == "a secret in its name"
    assert kim.live(LIST.id) is None
    ada.join(kim)
    assert ada.live(LIST.id) is not None


def test_only_new_texts_are_asked_about(pair):
    ada, kim = pair
    ada.write(PutEntry(SHARED, CONF))
    asked = []

    kim.join(ada, admit=lambda one: asked.append(one.name) or one)

    assert asked == ["conf-order"]


def test_a_store_of_another_first_commit_is_joined_too(tmp_path):
    ada, kim = (Peer.make(tmp_path, name) for name in ("ada", "kim"))
    ada.write(PutEntry(SHARED, CART), PutEntry(SHARED, CONF))
    kim.write(PutEntry(SHARED, CART), PutEntry(SHARED, told("one", CONF)))
    tree = kim.tree
    foreign = kim.builder.git("commit-tree", tree, "-m", "a first commit of its own")
    kim.builder.git("update-ref", refs.ENTRIES, foreign)

    joined = ada.join(kim)

    assert kinds(joined) == [("conf-order", "conflict")]
    assert ada.live(CART.id).entry == CART


def test_a_tip_that_moved_meanwhile_is_joined_as_it_is_then(pair):
    ada, kim = pair
    kim.write(PutEntry(SHARED, CONF))
    theirs = ada.fetch(kim)
    other = Peer(ada.builder)
    moved = []

    def step(name):
        if name == "written" and not moved:
            tip = ada.tip
            tree = ada.builder.rev(f"{tip}^{{tree}}")
            moved.append(ada.builder.git("commit-tree", tree, "-p", tip, "-m", "meanwhile"))
            ada.builder.git("update-ref", refs.ENTRIES, moved[0], tip)

    ada.store.on_step = step
    joined = join(ada.store, theirs, ada.record)

    assert ada.store.db.read_commit(joined.commit).parents == (moved[0], theirs)
    assert other.live(CONF.id) is not None


def test_the_local_lane_is_left_alone(pair):
    ada, kim = pair
    write(kim.store, PutEntry(LOCAL, LIST))
    before = kim.store.view().commits[refs.LOCAL_ENTRIES]
    ada.write(PutEntry(SHARED, CONF))

    kim.join(ada)

    assert kim.store.view().commits[refs.LOCAL_ENTRIES] == before


def test_three_clones_that_exchange_end_with_one_tip(tmp_path, pair):
    ada, kim = pair
    eve = Peer.make(tmp_path, "eve")
    eve.join(ada)
    for number, peer in enumerate((ada, kim, eve)):
        peer.write(PutEntry(SHARED, told(f"text {number}")))

    exchange(ada, kim, eve)

    assert len({peer.tip for peer in (ada, kim, eve)}) == 1
    sides = [path for path in ada.files() if path.startswith("conflicts/")]
    assert len(sides) == 3


def test_a_shallow_clone_that_lacks_what_both_have_in_common_says_so(tmp_path, pair):
    ada, kim = pair
    kim.write(PutEntry(SHARED, CONF))
    ada.write(PutEntry(SHARED, LIST))
    folder = tmp_path / "shallow"
    kim.builder.git("clone", "-q", "--bare", "--depth=1", f"file://{kim.builder.path}", str(folder))
    shallow = Peer(RepoBuilder(folder))
    for source, ref in ((kim, refs.ENTRIES), (ada, "refs/knowl-remotes/ada/entries")):
        url, spec = f"file://{source.builder.path}", f"+{refs.ENTRIES}:{ref}"
        shallow.builder.git("fetch", "-q", "--depth=1", url, spec)
    theirs = shallow.builder.rev("refs/knowl-remotes/ada/entries")

    with pytest.raises(ShallowHistoryError, match="shallow"):
        join(shallow.store, theirs, shallow.record)


def test_a_file_nobody_can_read_beside_one_that_says_something_is_named_once(pair):
    ada, kim = pair
    folder = layout.entry_folder(CART.id)
    ada.write(PutRaw(refs.ENTRIES, f"{folder}/{CART.id}.other.md", b"no entry"))

    assert kinds(kim.join(ada)) == [("cart-total", "invalid")]
    assert f"{folder}/{CART.id}.other.md" in kim.files()
    assert kim.live(CART.id).entry == CART
    assert kim.join(ada).outcomes == ()
