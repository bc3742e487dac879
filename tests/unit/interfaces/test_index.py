"""`git knowl index` by the short path and by the long one: the same bytes, whatever it costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from git_knowl.interfaces.short import index
from git_knowl.model.entry import Promoted
from git_knowl.services import index_warm
from tests.support import stores
from tests.support.anchored import settle
from tests.support.caches import plant
from tests.support.people import CART, person, write

if TYPE_CHECKING:
    from tests.support.builders import RepoBuilder
    from tests.support.cli import Knowl


@pytest.fixture
def filled(repo: RepoBuilder, knowl: Knowl) -> Knowl:
    """Give a store with an active and a suspect entry, with files old enough to be trusted."""
    ctx = person(repo)
    write(ctx, "cart", CART, description="Größe — read me")
    write(ctx, "conf", "file:conf.yml")
    repo.write("conf.yml", "b: 2\n")
    settle()
    return knowl


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """Collect what the short path answers: None where the long one had to go on."""
    given: list[int | None] = []
    run = index.run
    monkeypatch.setattr(index, "run", lambda words: given.append(run(words)) or given[-1])
    return given


def test_cold_and_warm_print_the_same_bytes(filled: Knowl, answers: list[int | None]) -> None:
    blocks = {filled.ok("index") for _ in range(3)}

    assert answers == [None, 0, 0]
    (block,) = blocks
    assert "- conf — Read before touching conf [suspect]\n" in block
    assert "- cart — Größe — read me\n" in block


@pytest.mark.parametrize("folder", ["", "lib"])
def test_the_folder_one_stands_in_makes_no_difference(filled: Knowl, folder: str) -> None:
    assert filled.at(filled.cwd / folder).ok("index") == filled.ok("index") != ""


def test_an_empty_store_prints_nothing(knowl: Knowl, answers: list[int | None]) -> None:
    for _ in range(2):
        done = knowl("index")
        assert (done.code, done.out, done.err) == (0, "", "")


def test_a_budget_can_be_given_and_set(repo: RepoBuilder, filled: Knowl) -> None:
    whole = filled.ok("index")
    assert whole.count("\n- ") == 2

    assert filled.ok("index", "--budget", "16").count("\n- ") == 1
    assert "1 more: lib 1." in filled.ok("index", "--budget", "16")
    repo.git("config", "knowl.indexBudget", "100")
    assert filled.ok("index") == filled.ok("index", "--budget", "100")


@pytest.mark.parametrize("value", ["99", "100001", "many", "", "٣٠٠"])
def test_a_setting_that_is_no_budget_is_explained(
    repo: RepoBuilder, filled: Knowl, value: str
) -> None:
    filled.ok("index")
    repo.git("config", "knowl.indexBudget", value)

    done = filled("index")

    assert (done.code, done.out) == (1, "")
    assert "error: knowl.indexBudget: expected a whole number from 100 to 100000" in done.err


def test_damage_is_told_on_the_side_however_warm_it_is(repo: RepoBuilder, filled: Knowl) -> None:
    plant(person(repo).store, "shared", files={"entries/zz/x.md": b"no entry"})

    for _ in range(2):
        done = filled("index")

        assert done.code == 0
        assert done.out.count("\n- ") == 2
        assert done.err.startswith("warning: cannot read entries/zz/x.md in lane shared: ")


def test_a_change_is_seen_at_once(repo: RepoBuilder, filled: Knowl) -> None:
    filled.ok("index")
    repo.write("lib/cart.ts", "changed\n")

    assert "Größe — read me [suspect]" in filled.ok("index")


def test_each_worktree_has_its_own_verdicts(repo: RepoBuilder, filled: Knowl) -> None:
    other = filled.at(repo.worktree("w2", "w2").path)
    settle()

    for _ in range(2):
        assert filled.ok("index").count("[suspect]\n") == 1
        assert other.ok("index").count("[suspect]\n") == 0


def test_a_bare_repository_is_judged_by_head(
    repo: RepoBuilder, filled: Knowl, answers: list[int | None]
) -> None:
    bare = filled.at(repo.clone("bare", "--mirror").path)

    first, second = bare.ok("index"), bare.ok("index")

    assert first == second
    assert first.count("\n- ") == 2
    assert "[suspect]\n" not in first
    assert answers[-1] == 0


def test_promoted_entries_are_left_out_where_head_holds_the_file(
    repo: RepoBuilder, knowl: Knowl
) -> None:
    rule = stores.entry("rule")
    promoted = replace(rule, promoted=Promoted("AGENTS.md", rule.digest))
    plant(person(repo).store, "shared", promoted, stores.entry("other", 2))
    assert "- rule " in knowl.ok("index")

    repo.commit("promote", {"AGENTS.md": "rule\n"})

    for _ in range(2):
        assert "- rule " not in knowl.ok("index")
        assert "- other " in knowl.ok("index")


@pytest.mark.parametrize(
    ("setting", "budget"),
    [(None, 1800), ("100", 100), ("99", None), ("", None), ("x", None), ("9" * 9999, None)],
)
def test_the_short_path_takes_no_budget_that_must_be_explained(
    setting: str | None, budget: int | None
) -> None:
    assert index_warm.budget_of(setting) == budget
