"""Files of the store that cannot be read: every kind of damage has a way out, and hides nothing."""

from __future__ import annotations

import pytest

from git_knowl.errors import KnowlError
from git_knowl.model.document import render
from git_knowl.plumbing import refs
from git_knowl.services.add import check_name
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.gate import GateError
from git_knowl.services.log import entry_log
from git_knowl.services.rename import rename
from git_knowl.services.retire import restore, retire
from git_knowl.services.review import Decision, decide
from git_knowl.services.undo import undo_last
from git_knowl.store import layout
from git_knowl.store.cache import NoSuchEntryError
from tests.support.caches import plant
from tests.support.contexts import REVIEWED, capture_item, submit_items
from tests.support.people import CART, agent, live, names, person, tips, write
from tests.support.stores import entry, identifier

DAMAGE = {
    "yaml": b"---\nname: [\n---\n",
    "no fence": b"nothing of ours\n",
    "not UTF-8": b"---\nname: \xff\xfe\n---\n",
    "empty": b"",
    "wrong id": render(entry("cart", 9)),
    "wrong name": render(entry("other", 1)),
}


def damage(ctx, path, data):
    plant(ctx.store, "shared", files={path: data})
    ctx.refresh()


@pytest.fixture(params=DAMAGE.values(), ids=DAMAGE)
def broken(repo, request):
    """Give an entry whose file was damaged by the last commit, in each way, and its path."""
    return break_one(repo, request.param)


@pytest.fixture
def unreadable(repo):
    """Give such an entry where the kind of damage is the same to the verb."""
    return break_one(repo, DAMAGE["yaml"])


def break_one(repo, data):
    ctx = person(repo)
    write(ctx, "sound", CART)
    kept = write(ctx, "cart", CART)
    path = layout.entry_path(kept.id, "cart")
    damage(ctx, path, data)
    assert [one[1] for one in ctx.cache.damaged()] == [path]
    return kept, path


def test_undo_gives_the_text_back_that_a_commit_damaged(repo, broken):
    kept, _ = broken

    done = undo_last(person(repo))

    assert (done.ids, done.foreign) == ((kept.id,), True)
    assert live(person(repo), "cart").digest == kept.digest
    assert person(repo).cache.damaged() == []


@pytest.mark.parametrize("handle", ["name", "id", "path"])
def test_retire_takes_a_damaged_file_out_and_restore_brings_the_last_text_back(
    repo, broken, handle
):
    kept, path = broken

    done = retire(person(repo), {"name": "cart", "id": kept.id, "path": path}[handle], "broken")

    assert (done.id, done.name) == (kept.id, "cart")
    ctx = person(repo)
    assert (ctx.cache.damaged(), names(ctx)) == ([], {"sound": "shared"})
    assert [(one.id, one.name, one.reason) for one in ctx.cache.retired()] == [
        (kept.id, "cart", "broken")
    ]
    assert next(one.subject for one in entry_log(ctx, "cart", None)) == "retire cart"
    restore(person(repo), "cart")
    assert live(person(repo), "cart").digest == kept.digest


def test_undo_of_the_retirement_brings_the_very_bytes_back(repo, unreadable):
    _, path = unreadable
    before = repo.git("rev-parse", f"{refs.ENTRIES}:{path}")
    retire(person(repo), path, "unreadable")

    undo_last(person(repo))

    assert repo.git("rev-parse", f"{refs.ENTRIES}:{path}") == before
    assert person(repo).cache.retired() == []


def test_a_name_that_a_damaged_file_holds_is_taken_for_every_verb(repo, unreadable):
    kept, path = unreadable
    before = tips(repo)

    def submit():
        submit_items(person(repo), capture_item("cart"))

    def added():
        write(person(repo), "cart", CART)

    for deed in (added, submit, lambda: rename(person(repo), "sound", "cart")):
        with pytest.raises(KnowlError, match="by the damaged entry") as caught:
            deed()
        assert kept.id in caught.value.message
        assert path in caught.value.hint
    assert tips(repo) == before


def test_a_draft_is_not_accepted_under_a_name_that_got_damaged_meanwhile(repo):
    ctx = person(repo)
    (waiting,) = submit_items(ctx, capture_item("cart"))
    damage(ctx, layout.entry_path(identifier(7), "cart"), b"x")
    before = tips(repo)

    with pytest.raises(EntryRefusedError, match="by the damaged entry"):
        decide(person(repo), [Decision(waiting, accepted=True)], REVIEWED)
    assert tips(repo) == before


def test_the_store_itself_counts_damaged_files_among_the_holders_of_a_name(repo):
    ctx = person(repo)
    damage(ctx, layout.entry_path(identifier(7), "cart"), b"x")

    assert ctx.store.view().holders("cart") == [("shared", identifier(7))]


def test_a_host_may_not_take_out_what_nobody_can_read(repo, unreadable):
    with pytest.raises(GateError, match="only a person"):
        retire(agent(repo), "cart", "unreadable")


@pytest.mark.parametrize("path", ["entries/zz/README.md", "entries/loose", "retired/aa/x.json"])
def test_a_file_without_an_id_in_its_path_goes_by_undo_and_by_its_path(repo, path):
    ctx = person(repo)
    write(ctx, "sound", CART)
    damage(ctx, path, b"x")

    undo_last(person(repo))
    assert person(repo).cache.damaged() == []

    damage(person(repo), path, b"x")
    done = retire(person(repo), path, "not ours")
    assert done.name == path
    ctx = person(repo)
    assert (ctx.cache.damaged(), ctx.cache.retired()) == ([], [])


def test_of_two_files_with_one_id_the_path_takes_one_out_and_the_entry_stays(repo):
    ctx = person(repo)
    kept = write(ctx, "cart", CART)
    twin = layout.entry_path(kept.id, "twin")
    damage(ctx, twin, b"x")

    retire(person(repo), "twin", "twice")

    ctx = person(repo)
    assert (names(ctx), ctx.cache.damaged(), ctx.cache.retired()) == ({"cart": "shared"}, [], [])


def test_a_damaged_tombstone_is_written_anew_or_taken_back(repo):
    ctx = person(repo)
    kept = write(ctx, "cart", CART)
    retire(ctx, "cart", "old")
    path = layout.record_path(layout.RETIRED, kept.id)
    damage(person(repo), path, b"{")

    undo_last(person(repo))
    assert [one.reason for one in person(repo).cache.retired()] == ["old"]

    damage(person(repo), path, b"{")
    retire(person(repo), kept.id, "as before")
    assert [(one.name, one.reason) for one in person(repo).cache.retired()] == [
        ("cart", "as before")
    ]
    restore(person(repo), "cart")
    assert names(person(repo)) == {"cart": "shared"}


def test_a_name_that_nothing_has_is_none_beside_damage(repo, unreadable):
    with pytest.raises(NoSuchEntryError):
        retire(person(repo), "nobody", "x")


def test_a_person_is_told_before_a_text_is_asked_for(repo, unreadable):
    with pytest.raises(EntryRefusedError, match="damaged"):
        check_name(person(repo), "cart")
