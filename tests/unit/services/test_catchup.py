"""Catching up with HEAD: each change told once per worktree, whatever lies on the way."""

from __future__ import annotations

import os

import pytest

from git_knowl.anchors import freshness
from git_knowl.plumbing.lock import flock
from git_knowl.services.audit.audit import audit
from git_knowl.services.catchup import turned
from git_knowl.services.catchup.catch_up import CaughtUp, catch_up
from git_knowl.services.catchup.cursor import CURSOR, read_cursor
from git_knowl.services.flag import flag
from git_knowl.services.verify import evidence, verify
from git_knowl.store import cache_file
from tests.support.clock import Clock
from tests.support.people import CART, person, write

FIVE = "export function total(n) {\n  return n > 5 ? n * 2 : n\n}\n"
NOTHING = CaughtUp()


@pytest.fixture
def anchored(repo):
    """A repository with entries on both files, caught up."""
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "conf", "file:conf.yml")
    assert told(repo) == []
    return repo


def told(repo, event="post-commit"):
    return list(catch_up(person(repo), event).lines)


def cursor(repo):
    return read_cursor(repo.open())


def names(lines):
    return [line.split("'")[1] for line in lines]


def test_a_commit_that_touches_nothing_known_says_nothing_and_moves_the_cursor(anchored):
    commit = anchored.commit("more", {"other.txt": "x\n"})

    assert told(anchored) == []
    assert cursor(anchored) == commit


def test_the_entry_the_file_and_the_commit_are_named_once(anchored):
    commit = anchored.commit("five", {"lib/cart.ts": FIVE})

    assert told(anchored) == [f"'cart' is suspect: lib/cart.ts changed by {commit[:10]}"]
    assert told(anchored) == []
    anchored.commit("six", {"lib/cart.ts": FIVE.replace("5", "6"), "x": "y"})
    assert told(anchored) == [], "it was suspect before"


def test_a_change_to_what_was_accepted_before_is_no_news(anchored):
    before = anchored.read("lib/cart.ts")
    anchored.commit("five", {"lib/cart.ts": FIVE})
    told(anchored)

    anchored.commit("back", {"lib/cart.ts": before})
    assert told(anchored) == []
    anchored.commit("five again", {"lib/cart.ts": FIVE})
    assert told(anchored) == [], "this very content was told of"


def test_after_a_verify_the_next_change_is_told_again(anchored):
    anchored.commit("five", {"lib/cart.ts": FIVE})
    told(anchored)
    ctx = person(anchored)
    verify(ctx, evidence(ctx, "cart"))
    anchored.commit("six", {"lib/cart.ts": FIVE.replace("5", "6")})

    assert names(told(anchored)) == ["cart"]


def test_many_commits_at_once_are_one_way_and_each_path_names_its_own_commit(anchored):
    first = anchored.commit("five", {"lib/cart.ts": FIVE})
    second = anchored.commit("conf", {"conf.yml": "retries: 9\n"})
    anchored.commit("more", {"other.txt": "x\n"})

    assert told(anchored) == [
        f"'cart' is suspect: lib/cart.ts changed by {first[:10]}",
        f"'conf' is suspect: conf.yml changed by {second[:10]}",
    ]


def test_there_are_three_lines_at_most_and_the_last_counts_the_rest(repo):
    ctx = person(repo)
    for number in range(5):
        write(ctx, f"cart-{number}", CART)
    told(repo)
    repo.commit("five", {"lib/cart.ts": FIVE})

    lines = told(repo)

    assert len(lines) == 3
    assert lines[2] == "and 3 more: git knowl audit"
    assert told(repo) == []


def test_a_deleted_file_and_a_moved_one_are_told_apart(anchored):
    anchored.git("mv", "conf.yml", "settings.yml")
    anchored.git("rm", "-q", "lib/cart.ts")
    commit = anchored.commit("move and delete")

    assert told(anchored) == [
        f"'cart' is suspect: lib/cart.ts: deleted by {commit[:10]} 'move and delete'"
    ]


def test_what_was_left_out_of_the_commit_decides_by_the_working_file(anchored):
    before = anchored.read("lib/cart.ts")
    anchored.commit("five", {"lib/cart.ts": FIVE})
    anchored.write("lib/cart.ts", before)

    assert told(anchored) == [], "the asking worktree still has what was accepted"


@pytest.mark.parametrize("how", ["rewritten", "garbage", "missing", "empty"])
def test_a_cursor_nobody_knows_any_more_means_that_everything_is_judged(anchored, how):
    commit = anchored.commit("five", {"lib/cart.ts": FIVE})
    path = anchored.open().worktree_path(CURSOR)
    if how == "missing":
        os.unlink(path)
    else:
        text = {"rewritten": "1" * 40 + "\n", "garbage": "../../x --all\n", "empty": ""}[how]
        with open(path, "w") as file:
            file.write(text)

    assert told(anchored) == [f"'cart' is suspect: lib/cart.ts changed by {commit[:10]}"]
    assert cursor(anchored) == anchored.rev("HEAD")
    assert told(anchored) == []


def test_a_merge_a_rebase_and_a_reset_are_ways_like_any_other(anchored):
    start = anchored.rev("HEAD")
    anchored.git("checkout", "-q", "-b", "topic")
    anchored.commit("five", {"lib/cart.ts": FIVE})
    anchored.git("checkout", "-q", "-b", "side", start)
    side = anchored.commit("conf", {"conf.yml": "retries: 9\n"})
    assert names(told(anchored)) == ["conf"]

    anchored.git("merge", "-q", "--no-edit", "topic")
    assert names(told(anchored, "post-merge")) == ["cart"]
    anchored.git("reset", "-q", "--hard", start)
    assert told(anchored) == []
    anchored.git("checkout", "-q", "topic")
    anchored.git("rebase", "-q", side)
    assert told(anchored, "post-rewrite") == [], "both were told in this worktree"


def test_every_worktree_is_told_for_itself(anchored):
    other = anchored.worktree("other")
    assert told(other) == []
    other.commit("five", {"lib/cart.ts": FIVE})

    assert names(told(other)) == ["cart"]
    assert told(anchored) == []


def test_an_unborn_branch_has_nothing_to_catch_up_with(anchored):
    anchored.git("checkout", "-q", "--orphan", "new")
    assert catch_up(person(anchored), "post-checkout") == NOTHING


def test_a_shallow_clone_catches_up_within_what_it_has(anchored):
    anchored.commit("more", {"other.txt": "x\n"})
    path = anchored.path.parent / "shallow"
    anchored.git("clone", "-q", "--depth=1", f"file://{anchored.path}", str(path))
    clone = type(anchored)(path, anchored.now)
    clone.git("fetch", "-q", "origin", "refs/knowl/entries:refs/knowl/entries")
    assert told(clone) == []
    commit = clone.commit("five", {"lib/cart.ts": FIVE})

    assert told(clone) == [f"'cart' is suspect: lib/cart.ts changed by {commit[:10]}"]


def test_entries_on_the_suspect_one_are_told_with_it(anchored):
    write(person(anchored), "upon", "file:conf.yml", "entry:cart")
    anchored.commit("five", {"lib/cart.ts": FIVE})

    assert names(told(anchored)) == ["cart", "upon"]


def test_of_two_ways_to_a_merge_the_one_that_changed_the_file_is_named(anchored):
    start = anchored.rev("HEAD")
    anchored.git("checkout", "-q", "-b", "topic")
    five = anchored.commit("five", {"lib/cart.ts": FIVE})
    anchored.git("checkout", "-q", "-b", "side", start)
    anchored.commit("side", {"x": "y"})
    told(anchored)
    anchored.git("merge", "-q", "--no-edit", "topic")

    assert told(anchored, "post-merge") == [
        f"'cart' is suspect: lib/cart.ts changed by {five[:10]}"
    ]


def test_in_a_hook_only_so_many_entries_are_parsed_and_the_rest_is_said(anchored, monkeypatch):
    monkeypatch.setattr(turned, "MOST_PARSED", 1)
    anchored.git("rm", "-q", "-r", "lib", "conf.yml")
    anchored.commit("gone")

    assert told(anchored)[-1] == "1 entry was not looked at: git knowl audit"


def test_a_large_store_is_not_read_for_the_first_time_in_a_hook(anchored, monkeypatch):
    monkeypatch.setattr(turned, "MOST_READ", 1)
    os.unlink(anchored.open().shared_path(cache_file.NAME))
    os.unlink(anchored.open().worktree_path(CURSOR))
    anchored.commit("five", {"lib/cart.ts": FIVE})

    assert told(anchored) == ["2 entries were not looked at: git knowl audit"]
    anchored.commit("six", {"lib/cart.ts": FIVE.replace("5", "6")})
    assert told(anchored) == [], "it was said"
    assert not os.path.exists(anchored.open().shared_path(cache_file.NAME))
    assert cursor(anchored) == anchored.rev("HEAD")


def test_a_sparse_checkout_hides_files_and_changes_nothing(anchored):
    anchored.git("sparse-checkout", "set", "--no-cone", "/conf.yml")
    anchored.commit("conf", {"conf.yml": "retries: 9\n"})

    assert names(told(anchored)) == ["conf"]


def test_an_audit_in_a_terminal_tells_too(anchored):
    anchored.commit("five", {"lib/cart.ts": FIVE})
    ctx = person(anchored)
    audit(ctx, ctx.world, move=True)

    assert cursor(anchored) == anchored.rev("HEAD")
    os.unlink(anchored.open().worktree_path(CURSOR))
    assert told(anchored) == []


def test_what_a_hook_judged_in_a_hurry_is_not_remembered(anchored):
    anchored.commit("five", {"lib/cart.ts": FIVE})
    os.unlink(anchored.open().worktree_path(CURSOR))
    told(anchored)

    assert not os.path.exists(anchored.open().worktree_path(freshness.FILE)) or (
        freshness.warm_statuses(anchored.open(), person(anchored).tips, None, "") is None
    )


def test_hostile_words_of_history_reach_the_terminal_made_harmless(anchored):
    anchored.git("rm", "-q", "conf.yml")
    anchored.commit("\x1b[31mred \u202eder")

    (line,) = told(anchored)

    assert line.isprintable()
    assert "\\x1b[31mred" in line


def test_flags_that_nobody_used_are_told_of_once(anchored):
    ctx = person(anchored)
    flag(ctx, "totals double", ("lib/cart.ts",), None, None)
    later = Clock()
    later.advance(days=40)
    anchored.commit("more", {"other.txt": "x\n"})
    first = catch_up(person(anchored, later), "post-commit").lines
    anchored.commit("yet more", {"other.txt": "y\n"})

    assert first == ("1 flag nobody used expired: git knowl inbox",)
    assert catch_up(person(anchored, later), "post-commit") == NOTHING


def test_what_a_commit_flags_is_told_with_what_it_turns_suspect(repo):
    for number in range(3):
        write(person(repo), f"cart-{number}", CART)
    told(repo)
    commit = repo.commit("five\n\nKnowl-Flag: totals double above five", {"lib/cart.ts": FIVE})

    assert told(repo) == [
        f"'cart-0' is suspect: lib/cart.ts changed by {commit[:10]}",
        "and 2 more: git knowl audit",
        "flagged 'totals double above five': git knowl inbox",
    ]


def test_what_the_quota_holds_back_of_a_batch_is_counted(repo):
    told(repo)
    why = " ".join(["pairs"] * 45)
    for number in range(4):
        repo.commit(f"cart: {number}\n\n{why}", {"lib/cart.ts": f"{number}\n"})

    assert told(repo) == ["flagged 2 findings: git knowl inbox (2 more held back: git knowl mine)"]


@pytest.mark.parametrize(
    ("anchor", "files", "words"),
    [
        ("snippet:lib/cart.ts:1-2", {"lib/cart.ts": FIVE}, "lib/cart.ts:1-2: "),
        ("tree:lib", {"lib/new.ts": "x\n"}, "lib: "),
        ("tree:*.yml", {"new.yml": "x\n"}, "*.yml: "),
    ],
)
def test_kinds_that_must_be_parsed_are_told_too(repo, anchor, files, words):
    write(person(repo), "one", anchor)
    told(repo)
    repo.commit("other", {"other.txt": "x\n"})
    assert told(repo) == []
    repo.commit("change", files)

    (line,) = told(repo)
    assert line.startswith(f"'one' is suspect: {words}")


def test_a_reverted_commit_is_told(repo):
    repo.commit("new price", {"price.txt": "3\n"})
    write(person(repo), "price", "commit:HEAD")
    told(repo)
    repo.git("revert", "--no-edit", "HEAD")

    assert names(told(repo)) == ["price"]


def test_a_symbol_in_a_changed_file_is_not_announced_before_somebody_looked(repo):
    repo.commit("add", {"price.py": "def total(n):\n    return n * 2\n"})
    write(person(repo), "total", "symbol:price.py#total")
    told(repo)
    repo.commit("change", {"price.py": "def total(n):\n    return n * 3\n"})

    assert told(repo) == []
    done = audit(ctx := person(repo), ctx.world, move=False)
    assert [one.verdict.status for one in done.found.entries] == ["suspect"]


def test_a_changed_symbol_is_announced_where_somebody_looked_into_that_very_file(repo):
    repo.commit("add", {"price.py": "def total(n):\n    return n * 2\n"})
    write(person(repo), "total", "symbol:price.py#total")
    other = repo.commit("change", {"price.py": "def total(n):\n    return n * 3\n"})
    audit(ctx := person(repo), ctx.world, move=False)
    repo.git("checkout", "-q", "--detach", "HEAD~1")
    told(repo)
    repo.git("checkout", "-q", "--detach", other)

    assert names(told(repo, "post-checkout")) == ["total"]


def test_another_writer_holds_up_nothing(anchored):
    anchored.commit("five", {"lib/cart.ts": FIVE})
    with flock(anchored.open()):
        assert names(told(anchored)) == ["cart"]


def test_a_repository_nobody_may_write_to_is_told_all_the_same(anchored):
    anchored.commit("five", {"lib/cart.ts": FIVE})
    places = [anchored.open().worktree_path(), anchored.open().shared_path()]
    for place in places:
        os.rename(place, f"{place}.away")
        with open(place, "w"):
            pass

    assert names(told(anchored)) == ["cart"]


@pytest.mark.parametrize("event", ["post-commit", "post-rewrite"])
def test_a_commit_made_where_no_hook_fired_before_is_heard_too(repo, event):
    """The first commit in a new clone or worktree, or after the state was deleted."""
    repo.commit("odd\n\nKnowl-Flag: the price doubles at noon", {"other.txt": "x\n"})
    assert cursor(repo) is None

    (line,) = told(repo, event)

    assert line.startswith("flagged 'the price doubles at noon'")


@pytest.mark.parametrize("event", ["post-checkout", "post-merge"])
def test_what_others_committed_before_the_first_hook_is_not_flagged(repo, event):
    repo.commit("odd\n\nKnowl-Flag: the price doubles at noon", {"other.txt": "x\n"})

    assert told(repo, event) == []


GO = "module example.org/shop\n\nrequire example.org/pay v1.2.0\n"


@pytest.fixture
def paying(repo):
    """A repository whose entries rest on a dependency, one as a reference."""
    repo.commit("modules", {"go.mod": GO, "go.sum": "example.org/pay v1.2.0 h1:a=\n"})
    ctx = person(repo)
    write(ctx, "pay-retries", "package:golang/example.org/pay", type="reference")
    write(ctx, "pay-here", "package:golang/example.org/pay")
    told(repo)
    return repo


def move(repo, version="v1.3.0"):
    return repo.commit("move", {"go.mod": GO.replace("v1.2.0", version)})


def test_a_dependency_moved_under_a_reference_is_flagged_once(paying):
    move(paying)

    lines = told(paying)

    assert lines[-1].startswith("flagged 'pay-retries rests on golang/example.org/pay, which is")
    assert [line for line in lines if "flagged" in line] == lines[-1:]
    os.unlink(paying.open().worktree_path(CURSOR))
    assert not any("flagged" in line for line in told(paying))


def test_a_dependency_that_somebody_else_moved_is_told_and_not_flagged(paying):
    paying.git("config", "user.email", "eve@example.org")
    move(paying)
    paying.git("config", "user.email", "other@example.org")

    assert sorted(names(told(paying))) == ["pay-here", "pay-retries"]
