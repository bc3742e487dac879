"""Two clones and a remote: what goes both ways, what is told of it, and what stays as it was."""

from __future__ import annotations

import pytest

from git_knowl.services.rename import rename
from git_knowl.services.retire import restore, retire
from git_knowl.services.sync import result
from git_knowl.services.sync.result import summary
from git_knowl.store.merge.join import Outcome
from tests.support.builders import RepoBuilder
from tests.support.people import CART, live
from tests.support.remotes import ENTRIES, Member, bare, belongings, member, moves

NEW, UPDATED, RETIRED, RESTORED = "new", "updated", "retired", "restored"
COPY = "refs/knowl-remotes/origin/entries"


def shown(hub):
    return hub.refs(ENTRIES).get(ENTRIES)


def everything(repo):
    """Return refs, and how many objects and files there are in the git directory."""
    files = sorted(str(path) for path in (repo.path / ".git").rglob("*") if path.is_file())
    return repo.refs(), files, repo.git("count-objects", "-v")


def test_what_one_captures_the_other_has_after_two_syncs(hub, ada, bob):
    ada.write("cart", CART)

    assert moves(ada.sync()) == ([], [(NEW, "cart")])
    assert shown(hub) == ada.tip
    assert moves(bob.sync()) == ([(NEW, "cart")], [])
    assert bob.names == {"cart"}
    assert bob.tip == ada.tip
    assert live(bob.ctx, "cart") == live(ada.ctx, "cart")


def test_two_clones_that_both_started_alone_have_one_history_afterwards(hub, ada, bob):
    ada.write("cart", CART)
    bob.write("tax")
    bob.write("fee")

    ada.sync()
    assert moves(bob.sync()) == ([(NEW, "cart")], [(NEW, "fee"), (NEW, "tax")])
    assert moves(ada.sync()) == ([(NEW, "fee"), (NEW, "tax")], [])

    assert ada.names == bob.names == {"cart", "tax", "fee"}
    assert ada.tip == bob.tip == shown(hub)
    assert hub.git("rev-list", "--count", "--max-parents=0", ENTRIES) == "1"


def test_a_sync_with_nothing_new_moves_nothing(hub, ada):
    assert ada.sync().state == result.NOTHING
    ada.write("cart", CART)
    ada.sync()
    before = everything(ada.repo), shown(hub)

    done = ada.sync()

    assert done.state == result.IN_STEP
    assert moves(done) == ([], [])
    assert (everything(ada.repo), shown(hub)) == before


def test_changes_retirements_and_returns_are_told_as_such(ada, bob):
    for name in ("one", "two", "three"):
        ada.write(name)
    ada.sync()
    bob.sync()
    retire(bob.ctx, "one", "not true")
    rename(bob.ctx, "two", "second")

    assert moves(bob.sync())[1] == [(RETIRED, "one"), (UPDATED, "second")]
    done = ada.sync()
    assert moves(done)[0] == [(RETIRED, "one"), (UPDATED, "second")]
    assert summary(done).startswith("1 updated, 1 retired by ")
    restore(ada.ctx, "one")
    assert moves(ada.sync())[1] == [(RESTORED, "one")]
    assert moves(bob.sync())[0] == [(RESTORED, "one")]


def test_both_sides_at_once_are_joined_and_both_are_told(hub, ada, bob):
    ada.write("base")
    ada.sync()
    bob.sync()
    ada.write("from-ada")
    ada.sync()
    retire(bob.ctx, "base", "not true")

    done = bob.sync()

    assert moves(done) == ([(NEW, "from-ada")], [(RETIRED, "base")])
    assert done.state == result.EXCHANGED
    assert shown(hub) == bob.tip
    assert bob.repo.git("rev-list", "--count", "--merges", ENTRIES) == "1"


def test_the_line_counts_and_names_the_people():
    made = [
        Outcome("1", "a", NEW, "Bob <bob@example.org>"),
        Outcome("2", "b", NEW, "Ada <ada@example.org>"),
        Outcome("3", "c", RETIRED, "Bob <bob@example.org>"),
        Outcome("4", "d", "conflict", None),
    ]

    told = summary(result.Synced("origin", None, tuple(made)))

    assert told == "2 captured, 1 retired, 1 in conflict by Ada, Bob"


def test_many_people_are_counted():
    made = tuple(Outcome(str(n), "x", NEW, f"P{n} <p@example.org>") for n in range(7))

    assert summary(result.Synced("origin", None, made)).endswith("by P0, P1, P2, P3, P4 and 2 more")


def test_what_came_in_one_round_and_changed_in_the_next_is_new():
    first = [Outcome("1", "a", NEW, "A"), Outcome("2", "b", UPDATED, "A")]
    second = [Outcome("1", "c", UPDATED, "B"), Outcome("2", "b", RETIRED, "B")]

    told = result.merged(first, [*second, Outcome("3", "d", "unchanged")])

    assert told == (Outcome("1", "c", NEW, "B"), Outcome("2", "b", RETIRED, "B"))


def test_nothing_of_the_user_changes(hub, ada, bob):
    hub.git("tag", "theirs", "main")
    bob.repo.write("staged", "x")
    bob.repo.git("add", "staged")
    ada.write("cart", CART)
    bob.write("tax")
    ada.sync()
    before = belongings(bob.repo)

    bob.sync()

    assert belongings(bob.repo) == before
    assert "theirs" not in bob.repo.git("tag", "--list")


def test_the_local_lane_and_the_inbox_stay_here(hub, ada):
    ada.write("cart", CART)
    ada.write("mine", lane="local")
    ada.sync()

    assert set(hub.refs()) == {"refs/heads/main", ENTRIES}
    assert "mine" not in hub.git("ls-tree", "-r", "--name-only", ENTRIES)


# --- dry run and pull -------------------------------------------------------------------------


def test_a_dry_run_says_what_would_move_and_keeps_nothing(hub, ada, bob):
    ada.write("base")
    ada.sync()
    bob.sync()
    ada.write("from-ada")
    ada.sync()
    bob.write("from-bob")
    retire(bob.ctx, "base", "not true")
    before = everything(bob.repo), shown(hub), belongings(bob.repo)

    told = bob.sync(dry_run=True)

    assert (everything(bob.repo), shown(hub), belongings(bob.repo)) == before
    assert told.dry_run
    assert moves(told) == ([(NEW, "from-ada")], [(RETIRED, "base"), (NEW, "from-bob")])
    assert told.owed == 2
    assert moves(bob.sync()) == moves(told)


def test_the_first_dry_run_of_two_that_began_alone_keeps_nothing(hub, ada, bob):
    ada.write("cart", CART)
    ada.sync()
    before = everything(bob.repo)

    assert moves(bob.sync(dry_run=True)) == ([(NEW, "cart")], [])
    assert everything(bob.repo) == before
    assert bob.names == set()


def test_a_dry_run_with_nothing_new_says_so(hub, ada):
    assert ada.sync(dry_run=True).state == result.NOTHING
    ada.write("cart", CART)
    ada.sync()

    assert ada.sync(dry_run=True).state == result.IN_STEP
    assert hub.refs(ENTRIES)[ENTRIES] == ada.tip


def test_a_pull_takes_and_sends_nothing(hub, ada, bob):
    ada.write("cart", CART)
    ada.sync()
    bob.write("tax")
    before = shown(hub)

    done = bob.sync(pull=True)

    assert moves(done) == ([(NEW, "cart")], [])
    assert done.owed == 1
    assert shown(hub) == before
    assert bob.names == {"cart", "tax"}


def test_a_pull_works_in_a_shallow_checkout_where_git_knows_nobody(hub, ada):
    ada.write("cart", CART)
    ada.write("tax")
    ada.sync()
    ada.repo.commit("more", {"a": "1"})
    ada.repo.git("push", "-q", "origin", "main")
    job = RepoBuilder(hub.path.parent / "job")
    hub.git("clone", "-q", "--depth=1", f"file://{hub.path}", str(job.path))
    before = belongings(job)

    runner = Member(job, "nobody", identify=lambda: None)

    assert moves(runner.sync(pull=True))[0] == [(NEW, "cart"), (NEW, "tax")]
    assert runner.names == {"cart", "tax"}
    assert belongings(job) == before
    retire(ada.ctx, "tax", "not true")
    ada.sync()
    assert moves(runner.sync(pull=True))[0] == [(RETIRED, "tax")]


def test_histories_are_joined_even_where_git_knows_nobody(hub, ada, bob):
    ada.write("cart", CART)
    ada.sync()
    bob.write("tax")
    nameless = Member(bob.repo, "nobody", identify=lambda: None)

    nameless.sync(pull=True)

    assert nameless.names == {"cart", "tax"}
    assert bob.repo.git("log", "-1", "--format=%an", ENTRIES) == "git-knowl"


@pytest.mark.parametrize("options", [("--bare",), ("--depth=1",), ("--filter=blob:none",)])
def test_every_kind_of_clone_syncs(hub, ada, options):
    hub.git("config", "uploadpack.allowFilter", "true")
    ada.write("cart")
    ada.sync()
    other = RepoBuilder(hub.path.parent / "other")
    hub.git("clone", "-q", *options, f"file://{hub.path}", str(other.path))
    eve = Member(other, "Eve <eve@example.org>")

    eve.sync()
    eve.write("tax")

    assert moves(eve.sync())[1] == [(NEW, "tax")]
    assert moves(ada.sync())[0] == [(NEW, "tax")]


def test_with_sha256_all_is_the_same(tmp_path):
    hub = bare(tmp_path, object_format="sha256")
    ada, bob = member(hub, "ada"), member(hub, "bob")
    ada.write("cart", CART)
    bob.write("tax")

    ada.sync()
    bob.sync()
    ada.sync()

    assert ada.names == bob.names == {"cart", "tax"}


def test_a_linked_worktree_syncs_for_the_whole_clone(hub, ada, bob):
    ada.write("cart", CART)
    ada.sync()
    linked = Member(bob.repo.worktree("linked", "topic"), "Bob <bob@example.org>")

    linked.sync()

    assert bob.names == {"cart"}
