"""The reading verbs and the setup in front of a person: cursors move, deletions are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.people import CART, person, tips, write

if TYPE_CHECKING:
    from tests.support.builders import RepoBuilder
    from tests.support.cli import Knowl

FIVE = "five\n"
CHANGE = "since the last audit: cart active -> suspect\n"


@pytest.fixture
def filled(repo: RepoBuilder, knowl: Knowl) -> Knowl:
    write(person(repo), "cart", CART)
    return knowl.at(repo.path, NO_COLOR="1")


def shown(knowl: Knowl, *words: str, code: int = 0, answer: str | None = None) -> str:
    """Return what a person sees of a command that asks at most one question."""
    with knowl.terminal(*words) as someone:
        if answer is not None:
            someone.expect("to go on: ")
            someone.send(f"{answer}\n")
        assert someone.finish() == code, someone.shown
    return someone.shown


def test_an_audit_moves_the_cursor_where_a_person_sees_it(repo: RepoBuilder, filled: Knowl) -> None:
    assert shown(filled, "audit") == "1 active, 0 suspect, 0 unknown\n"
    repo.write("lib/cart.ts", FIVE)

    for words in (("audit",), ("audit", "--json"), ("audit", "--staged")):
        filled.ok(*words)
    for words in (("audit", "--json"), ("audit", "--staged"), ("audit", "--commit", "HEAD")):
        shown(filled, *words)

    assert CHANGE in shown(filled, "audit")
    assert CHANGE not in shown(filled, "audit")


def test_the_cursor_belongs_to_the_worktree(repo: RepoBuilder, filled: Knowl) -> None:
    other = repo.worktree("w2", "w2")
    there = filled.at(other.path)
    shown(filled, "audit")
    shown(there, "audit")
    other.write("lib/cart.ts", FIVE)

    assert "since" not in shown(filled, "audit")
    assert CHANGE in shown(there, "audit")


def test_uninstall_keeps_the_knowledge_unless_it_is_asked_for(
    repo: RepoBuilder, filled: Knowl
) -> None:
    kept = tips(repo)

    assert shown(filled, "uninstall") == "removed caches and cursors\n"
    assert shown(filled, "uninstall") == "there is nothing to remove\n"
    assert tips(repo) == kept


@pytest.mark.parametrize("answer", ["", "y", "yes", "DELETE", "delete it"])
def test_knowledge_stays_for_any_other_answer_than_the_word(
    repo: RepoBuilder, filled: Knowl, answer: str
) -> None:
    kept = tips(repo)

    seen = shown(filled, "uninstall", "--knowledge", answer=answer, code=1)

    assert "error: nothing was deleted\nhint: only 'delete', typed in full" in seen
    assert tips(repo) == kept


def test_knowledge_goes_for_the_word(repo: RepoBuilder, filled: Knowl) -> None:
    seen = shown(filled, "uninstall", "--knowledge", answer="delete")

    assert "deleted 3 refs of the store in this clone\n" in seen
    assert tips(repo) == {}
    assert filled.json("ls")["entries"] == []


@pytest.mark.parametrize("env", [{}, {"CLAUDECODE": "1"}])
def test_knowledge_is_deleted_by_a_person_in_a_terminal_alone(
    repo: RepoBuilder, filled: Knowl, env: dict[str, str]
) -> None:
    kept = tips(repo)
    message = "error: deleting knowledge is confirmed by a person in a terminal\n"

    if env:
        assert message in shown(filled.at(repo.path, **env), "uninstall", "--knowledge", code=1)
    else:
        assert message in filled("uninstall", "--knowledge", stdin="delete\n").err
    assert tips(repo) == kept
