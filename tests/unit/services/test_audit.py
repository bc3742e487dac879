"""The audit: verdicts in three worlds, and what changed since the last one of this worktree."""

from __future__ import annotations

import pytest

from git_knowl.plumbing.history import RevisionError
from git_knowl.plumbing.repository import NeedsWorkTree
from git_knowl.services.audit.audit import CURSOR, Change, audit, pick_world
from git_knowl.services.flag import flag
from git_knowl.services.snooze import snooze
from tests.support.builders import RepoBuilder
from tests.support.clock import Clock
from tests.support.people import CART, person, write

FIVE = "export function total(n) {\n  return n > 5 ? n * 2 : n\n}\n"


@pytest.fixture
def ctx(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "conf", "file:conf.yml")
    ctx.refresh()
    return ctx


def run(ctx, *, move=True, commit=None, staged=False):
    ctx.refresh()
    return audit(ctx, pick_world(ctx, commit, staged=staged), move=move)


def told(done):
    return {one.row.name: one.verdict.status for one in done.found.entries}


def test_the_first_audit_tells_what_is_not_active(repo, ctx):
    repo.write("lib/cart.ts", FIVE)

    done = run(ctx)

    assert done.is_first
    assert told(done) == {"cart": "suspect", "conf": "active"}
    assert done.changed == (Change("cart", None, "suspect", None),)


def test_the_next_one_tells_what_changed_and_by_which_commit(repo, ctx):
    run(ctx)
    commit = repo.commit("five", {"lib/cart.ts": FIVE})

    done, again = run(ctx), run(ctx)

    assert not done.is_first
    assert done.changed == (Change("cart", "active", "suspect", commit),)
    assert again.changed == ()


def test_without_moving_the_next_one_tells_it_again(repo, ctx):
    run(ctx)
    repo.write("lib/cart.ts", FIVE)

    assert run(ctx, move=False).changed == run(ctx, move=False).changed != ()


def test_an_entry_that_is_new_and_holds_is_no_change(ctx):
    run(ctx)
    write(ctx, "later", CART)

    assert run(ctx).changed == ()


def test_each_worktree_has_its_own_cursor(repo, ctx):
    other = person(repo.worktree("w2", "w2"))
    run(ctx)
    repo.write("lib/cart.ts", FIVE)

    assert run(other).is_first
    assert run(other).changed == ()
    assert [one.name for one in run(ctx).changed] == ["cart"]


def test_what_is_staged_is_judged_and_moves_nothing(repo, ctx):
    run(ctx)
    repo.write("lib/cart.ts", FIVE)
    unstaged = run(ctx, staged=True)
    repo.git("add", "lib/cart.ts")
    staged = run(ctx, staged=True)

    assert told(unstaged)["cart"] == "active"
    assert told(staged)["cart"] == "suspect"
    assert staged.changed == run(ctx, staged=True).changed == run(ctx, move=False).changed != ()


def test_a_commit_is_judged_without_a_checkout(repo, ctx):
    repo.git("checkout", "-q", "-b", "five")
    repo.commit("five", {"lib/cart.ts": FIVE})
    repo.git("checkout", "-q", "-")

    assert told(run(ctx))["cart"] == "active"
    assert told(run(ctx, commit="five"))["cart"] == "suspect"
    assert told(run(ctx, commit="five~1"))["cart"] == "active"


def test_a_revision_that_names_no_commit_is_an_error(ctx):
    with pytest.raises(RevisionError):
        run(ctx, commit="nowhere")


def test_before_the_first_commit_head_is_none(tmp_path):
    ctx = person(RepoBuilder.make(tmp_path))

    with pytest.raises(RevisionError, match="there is no commit yet"):
        run(ctx, commit="HEAD")


def test_a_bare_repository_has_commits_and_no_index(repo, ctx):
    bare = person(repo.clone("bare", "--mirror"))

    assert told(run(bare)) == {"cart": "active", "conf": "active"}
    assert told(run(bare, commit="HEAD")) == told(run(bare))
    with pytest.raises(NeedsWorkTree):
        run(bare, staged=True)


@pytest.mark.parametrize(("strict", "findings"), [(False, 1), (True, 3)])
def test_findings_are_suspects_and_with_strict_the_unknown(repo, ctx, strict, findings):
    write(ctx, "hidden", "file:conf.yml")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("rm", "-q", "--cached", "conf.yml", "lib/cart.ts")
    (repo.path / "conf.yml").unlink()
    repo.write("lib/cart.ts", FIVE)
    repo.commit("another history")

    done = run(person(repo))

    assert told(done) == {"cart": "suspect", "conf": "unknown", "hidden": "unknown"}
    assert done.findings(strict=strict) == findings


def test_a_sleeping_suspect_is_told_and_is_no_finding(repo, ctx):
    clock = Clock()
    repo.write("lib/cart.ts", FIVE)
    snooze(ctx, "cart", "2026-12-24")

    done = run(person(repo, clock))
    clock.advance(days=25)
    awake = run(person(repo, clock))

    assert told(done)["cart"] == "suspect"
    assert list(done.snoozed.values()) == ["2026-12-24"]
    assert done.findings(strict=True) == 0
    assert (awake.snoozed, awake.findings(strict=False)) == ({}, 1)


@pytest.mark.parametrize("text", ["{", "[]", "null", '"x"'])
def test_an_odd_cursor_counts_as_none(repo, ctx, text):
    run(ctx)
    (repo.path / ".git" / "knowl" / CURSOR).write_text(text)

    assert run(ctx).is_first


def test_where_the_cursor_cannot_be_stored_the_audit_says_so(repo, ctx):
    (repo.path / ".git" / "knowl").write_text("in the way")

    assert told(run(ctx)) == {"cart": "active", "conf": "active"}
    assert ctx.repo.notices == ["the next audit cannot compare with this one"]


def test_an_audit_in_a_terminal_lets_old_flags_expire_and_names_them_once(repo, ctx):
    flag(ctx, "totals double", ("lib/cart.ts",), None, None)
    later = Clock()
    later.advance(days=40)
    old = person(repo, later)

    assert audit(old, old.world, move=False).expired == ()
    assert [one.summary for one in audit(old, old.world, move=True).expired] == ["totals double"]
    assert audit(old, old.world, move=True).expired == ()
