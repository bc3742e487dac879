"""Undoing the last operation, whatever verb it was; history only grows."""

from __future__ import annotations

import pytest

from git_knowl.errors import MovedError
from git_knowl.plumbing import refs
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.gate import GateError
from git_knowl.services.rename import move, rename
from git_knowl.services.retire import restore, retire
from git_knowl.services.review import Decision, decide
from git_knowl.services.snooze import snooze
from git_knowl.services.undo import undo_last
from git_knowl.services.verify import evidence, verify
from git_knowl.store import layout
from git_knowl.store.history import latest
from git_knowl.store.rules import NameTakenError
from git_knowl.store.undo import UndoError
from tests.support.caches import plant
from tests.support.contexts import ADA, REVIEWED, capture_item, submit_items
from tests.support.people import (
    CART,
    KIM,
    agent,
    live,
    names,
    person,
    script,
    tips,
    write,
)
from tests.support.stores import entry as stored


def edit(repo):
    ctx = person(repo)
    seen = evidence(ctx, "cart")
    apply_edit(ctx, seen, document(seen.entry).replace("doubles", "trebles"))


def review(repo, *names):
    ctx = person(repo)
    found = submit_items(ctx, *(capture_item(name) for name in names))
    decide(ctx, [Decision(one, accepted=True) for one in found], REVIEWED)


def test_an_entry_that_was_added_goes_with_a_tombstone(repo):
    entry = write(person(repo), "cart", CART)

    done = undo_last(person(repo), ADA)

    assert (done.subject, done.ids) == ("capture cart", (entry.id,))
    assert names(person(repo)) == {}
    assert repo.git("log", "-1", "--format=%s", refs.ENTRIES) == "undo 'capture cart'"


def test_a_review_of_several_is_undone_as_one(repo):
    review(repo, "one", "two")

    done = undo_last(person(repo))

    assert (done.subject, len(done.ids)) == ("review 2 drafts", 2)
    assert names(person(repo)) == {}


def test_what_was_retired_is_live_again(repo):
    entry = write(person(repo), "cart", CART)
    retire(person(repo), "cart", "old")

    undo_last(person(repo))

    now = live(person(repo), "cart")
    assert (now.body, now.rev) == (entry.body, 2)


def test_what_was_restored_is_retired_again_for_the_same_reason(repo):
    write(person(repo), "cart", CART)
    retire(person(repo), "cart", "old")
    restore(person(repo), "cart")

    undo_last(person(repo))

    ctx = person(repo)
    assert names(ctx) == {}
    assert [one.reason for one in ctx.cache.retired()] == ["old"]


def test_the_former_name_is_back(repo):
    write(person(repo), "cart", CART)
    rename(person(repo), "cart", "till")

    undo_last(person(repo))

    assert names(person(repo)) == {"cart": "shared"}
    assert evidence(person(repo), "cart").verdict.is_active


def test_the_former_text_is_back_with_its_evidence_and_a_higher_rev(repo):
    first = write(person(repo), "cart", CART)
    edit(repo)

    undo_last(person(repo))

    now = live(person(repo), "cart")
    assert (now.digest, now.rev) == (first.digest, 3)
    assert evidence(person(repo), "cart").verdict.is_active


def test_evidence_that_was_verified_does_not_count_any_more(repo):
    write(person(repo), "cart", CART)
    repo.write("lib/cart.ts", "four\n")
    ctx = person(repo)
    verify(ctx, evidence(ctx, "cart"))

    undo_last(person(repo))

    assert not evidence(person(repo), "cart").verdict.is_active


@pytest.mark.parametrize(("there", "back"), [("shared", "local"), ("local", "shared")])
def test_a_move_is_undone_in_both_lanes(repo, there, back):
    write(person(repo), "cart", CART, lane=there)
    move(person(repo), "cart", back)

    done = undo_last(person(repo))

    assert len(done.ids) == 1
    ctx = person(repo)
    assert names(ctx) == {"cart": there}
    assert (len(ctx.cache.retired()) == 1) is (there == "local"), "others are told that it left"
    move(person(repo), "cart", back)
    assert names(person(repo)) == {"cart": back}


def test_undoing_twice_brings_back_what_was_undone(repo):
    write(person(repo), "cart", CART)
    edit(repo)
    edited = live(person(repo), "cart")

    undo_last(person(repo))
    undo_last(person(repo))

    assert live(person(repo), "cart").digest == edited.digest


def test_an_undone_entry_comes_back_when_the_undo_is_undone(repo):
    entry = write(person(repo), "cart", CART)

    undo_last(person(repo))
    undo_last(person(repo))

    ctx = person(repo)
    assert live(ctx, "cart").digest == entry.digest
    assert ctx.cache.retired() == []


def test_what_was_changed_since_is_refused_and_nothing_is_stored(repo, monkeypatch):
    write(person(repo), "cart", CART)
    ctx = person(repo)
    seen = latest(ctx.store, ctx.store.view())
    rename(person(repo), "cart", "till")
    monkeypatch.setattr("git_knowl.services.undo.history.latest", lambda *_: seen)
    before = tips(repo)

    with pytest.raises(MovedError, match="was changed since") as caught:
        undo_last(ctx)

    assert caught.value.exit_code == 4
    assert tips(repo) == before


def test_an_empty_store_has_nothing_to_undo(repo):
    with pytest.raises(UndoError, match="nothing was written yet"):
        undo_last(person(repo))


def test_a_snooze_is_no_operation_on_entries(repo):
    write(person(repo), "cart", CART)
    snooze(person(repo), "cart", "2026-12-24")

    assert undo_last(person(repo)).subject == "capture cart"


def test_only_a_person_takes_back_what_people_did(repo):
    write(person(repo), "cart", CART)
    retire(person(repo), "cart", "old")

    with pytest.raises(GateError, match="'undo' was asked for by the agent host"):
        undo_last(agent(repo))

    undo_last(script(repo))
    log = repo.git("log", "-1", "--format=%an %(trailers:key=Knowl-How,valueonly)", refs.ENTRIES)
    assert log.strip() == f"{KIM.partition(' <')[0]} unattended"


def by_hand(repo, message="by hand", **files):
    """Commit on the shared lane as somebody may with plain git: no trailers."""
    plant(person(repo).store, "shared", files=files)
    tree = repo.git("rev-parse", f"{refs.ENTRIES}^{{tree}}")
    parent = repo.git("rev-parse", f"{refs.ENTRIES}^")
    commit = repo.git("commit-tree", tree, "-p", parent, "-m", message)
    repo.git("update-ref", refs.ENTRIES, commit)


def test_a_commit_by_hand_that_changed_no_entry_is_named_for_what_it_is(repo):
    write(person(repo), "cart", CART)
    by_hand(repo, README=b"hello\n")
    before = tips(repo)

    with pytest.raises(UndoError, match=r"'by hand' .* was not written by git-knowl") as caught:
        undo_last(person(repo))

    assert "git show" in caught.value.hint
    assert tips(repo) == before


def test_a_commit_by_hand_that_took_an_entry_out_is_taken_back_and_told(repo):
    entry = write(person(repo), "cart", CART)
    by_hand(repo, **{layout.entry_path(entry.id, "cart"): None})

    done = undo_last(person(repo))

    assert (done.subject, done.foreign, done.ids) == ("by hand", True, (entry.id,))
    assert live(person(repo), "cart").digest == entry.digest


def test_a_commit_by_hand_on_the_local_lane_is_the_last_when_it_is_the_youngest(repo):
    write(person(repo), "habit", CART, lane="local")
    write(person(repo), "shared-one", CART)
    ctx = person(repo)
    plant(ctx.store, "local", files={"entries/zz/x": b"x"})
    repo.git("update-ref", refs.LOCAL_ENTRIES, dated(repo, 4_000_000_000, parent=True))

    assert undo_last(person(repo)).foreign


def test_a_store_that_somebody_began_by_hand_has_nothing_before_it(repo):
    write(person(repo), "cart", CART)
    root = repo.git("commit-tree", f"{refs.ENTRIES}^{{tree}}", "-m", "began")
    repo.git("update-ref", refs.ENTRIES, root)

    with pytest.raises(UndoError, match="history begins with 'began'"):
        undo_last(person(repo))


def test_undo_and_redo_alternate_and_their_subjects_do_not_nest(repo):
    write(person(repo), "cart", CART)
    rename(person(repo), "cart", "till")

    told = [undo_last(person(repo)) for _ in range(4)]

    assert [one.again for one in told] == [False, True, False, True]
    assert {one.subject for one in told} == {"rename cart to till"}
    subjects = repo.git("log", "-4", "--format=%s", refs.ENTRIES).splitlines()
    assert subjects == [f"{verb} 'rename cart to till'" for verb in ("redo", "undo") * 2]


def test_a_former_name_that_another_entry_has_by_now_comes_with_a_way_out(repo):
    write(person(repo), "cart", CART)
    rename(person(repo), "cart", "till")
    plant(person(repo).store, "local", stored("cart", 9, created="2020-01-01T00:00:00Z"))
    repo.git("update-ref", refs.LOCAL_ENTRIES, dated(repo, 5))
    before = tips(repo)

    with pytest.raises(NameTakenError) as caught:
        undo_last(person(repo))

    assert "git knowl rename" in caught.value.hint
    assert tips(repo) == before


def dated(repo, seconds, *, parent=False):
    """Return the tip of the local lane as if it had been written at another time."""
    tip, at = refs.LOCAL_ENTRIES, f"a <a@b> {seconds} +0000"
    lines = [f"tree {repo.git('rev-parse', f'{tip}^{{tree}}')}"]
    lines += [f"parent {repo.git('rev-parse', f'{tip}^')}"] if parent else []
    text = "\n".join((*lines, f"author {at}", f"committer {at}", "", "dated", ""))
    return repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=text)
