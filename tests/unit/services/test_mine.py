"""Mining an old history: what is found, in which order, and that it can go on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from git_knowl.services.mining import mine as module
from git_knowl.services.mining.mine import MineError, longest_run, mine
from git_knowl.services.mining.since import SinceError
from git_knowl.services.mining.walk import load
from tests.support.contexts import context, inbox_of

WHY = (
    "The supplier ships pairs only, so the cart must double every count above three pieces before"
    " it asks for the price. Without that the price service answers with the price of a single"
    " piece and the invoice is wrong."
)


def silent(*_: int) -> None:
    """Show nothing."""


def never(*_: int) -> None:
    """Fail the test: nothing is to be read."""
    raise AssertionError


@pytest.fixture
def ctx(repo):
    return context(repo)


def test_messages_that_say_why_are_flagged_once_and_the_next_ones_come_next(repo, ctx):
    for number in range(3):
        repo.commit(f"cart: pairs {number}\n\n{WHY}", {"lib/cart.ts": f"{number}\n"})

    first = mine(ctx, None, 2, silent)
    second = mine(ctx, None, 2, silent)
    third = mine(ctx, None, 2, silent)

    assert [len(one.flags) for one in (first, second, third)] == [2, 1, 0]
    assert (first.left, first.read) == (1, 4)
    assert len(inbox_of(ctx).flags) == 3


def test_a_dry_run_writes_nothing(repo, ctx):
    repo.commit(f"cart: pairs\n\n{WHY}", a="1")

    assert len(mine(ctx, None, 10, silent, dry=True).flags) == 1
    assert repo.refs("refs/knowl*") == {}


def test_files_fixed_again_and_again_are_proposed_with_their_path(repo, ctx):
    for number in range(3):
        repo.commit(f"fix: rounding {number}", {"lib/cart.ts": f"{number}\n"})

    (flag,) = mine(ctx, None, 10, silent).flags

    assert flag.summary == "lib/cart.ts was fixed 3 times in 1 days: fix: rounding 2"
    assert [item.path for item in flag.paths] == ["lib/cart.ts"]


def test_comments_that_call_the_code_a_workaround_are_proposed(repo, ctx):
    text = "the price service answers too early on Mondays"
    repo.commit("x", {"lib/price.ts": f"let a = 1\n// WORKAROUND: {text}\nlet b = 2\n"})

    (flag,) = mine(ctx, None, 10, silent).flags

    assert flag.summary == f"WORKAROUND: {text}"
    assert [item.path for item in flag.paths] == ["lib/price.ts"]


def test_only_what_is_younger_than_the_date_is_read(repo, ctx):
    repo.commit(f"cart: old\n\n{WHY}", a="1")
    repo.now += timedelta(days=100)
    ctx = context(repo, clock=repo.now.timestamp)
    repo.commit(f"cart: new\n\n{WHY}", b="1")

    found = mine(ctx, "2027-01-01", 10, silent)

    assert [flag.summary for flag in found.flags] == ["cart: new"]


def test_only_comments_younger_than_the_date_are_proposed(repo, ctx):
    old, new = (f"// WORKAROUND: the price service is {one} on all Mondays" for one in "ab")
    repo.commit("old", {"lib/price.ts": f"{old}\n"})
    repo.now += timedelta(days=100)
    ctx = context(repo, clock=repo.now.timestamp)
    repo.commit("new", {"lib/price.ts": f"{old}\n{new}\n"})

    found = mine(ctx, "2027-01-01", 10, silent)

    assert [flag.summary for flag in found.flags] == [new.removeprefix("// ")]


def test_a_date_that_is_none_is_refused_before_anything_is_read(repo, ctx):
    with pytest.raises(SinceError, match="got 'garbage'"):
        mine(ctx, "garbage", 10, never)


def test_an_interrupted_walk_goes_on_where_it_stood(repo, ctx, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 1)
    for number in range(4):
        repo.commit(f"cart: pairs {number}\n\n{WHY}", {"lib/cart.ts": f"{number}\n"})
    seen: list[int] = []

    def interrupt(done: int, _: int) -> None:
        seen.append(done)
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine(ctx, None, 10, interrupt)
    assert load(repo.open(), repo.rev("HEAD"), "").done == 2
    seen.clear()
    found = mine(ctx, None, 10, lambda done, _: seen.append(done))

    assert seen[0] == 2
    assert (len(found.flags), found.read) == (4, 5)


def test_a_walk_from_another_commit_starts_again(repo, ctx, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 1)
    repo.commit(f"cart: pairs\n\n{WHY}", a="1")

    def interrupt(done: int, _: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mine(ctx, None, 10, interrupt)
    repo.commit("more", b="1")

    assert load(repo.open(), repo.rev("HEAD"), "").done == 0
    assert mine(ctx, None, 10, silent).read == 3


@pytest.mark.parametrize("damage", ["", "{}", "[]", '{"head": 1}', "\0"])
def test_a_damaged_memory_of_the_walk_is_as_good_as_none(repo, ctx, damage):
    path = ctx.repo.shared_path("mine.json")
    repo.write(f".git/{path.partition('/.git/')[2]}", damage)
    repo.commit(f"cart: pairs\n\n{WHY}", a="1")

    assert len(mine(ctx, None, 10, silent).flags) == 1


@pytest.mark.parametrize("count", [0, -1, 101])
def test_a_count_outside_its_limits_is_refused(ctx, count):
    with pytest.raises(MineError, match="-n: expected a number from 1 to 100"):
        mine(ctx, None, count, silent)


def test_without_a_history_there_is_nothing_to_mine(tmp_path, repo):
    empty = type(repo).make(tmp_path, name="empty")

    with pytest.raises(MineError, match="no history"):
        mine(context(empty), None, 10, silent)


def test_a_run_of_fixes_is_the_longest_within_its_days():
    day = 86_400
    fixes = [(0, "a"), (40 * day, "b"), (41 * day, "c"), (69 * day, "d"), (200 * day, "e")]

    assert [name for _, name in longest_run(fixes)] == ["b", "c", "d"]
