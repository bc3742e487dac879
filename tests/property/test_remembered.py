"""What a worktree remembers of its verdicts, for entries on every kind of evidence at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_knowl.anchors import commit, snippet
from git_knowl.anchors import entry as links
from git_knowl.anchors.base import Stamp
from git_knowl.model.anchor import (
    CommitAnchor,
    EntryLink,
    FileAnchor,
    SnippetAnchor,
    TreeAnchor,
    UrlAnchor,
)
from tests.support.anchored import KIM, NOW, Shelf, entry_with, settle, verified, world_of
from tests.support.builders import RepoBuilder

if TYPE_CHECKING:
    import pytest

    from git_knowl.model.entry import Entry

LINES = "one\ntwo\nthree\n"
PATHS = ("src/a.txt", "src/b.txt", "c.txt")
TEXTS = (LINES, f"zero\n{LINES}", "one\ntwo!\nthree\n", "other\n")

writes = st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(TEXTS))
moves = st.tuples(st.just("move"), st.sampled_from(PATHS), st.sampled_from(("src/d.txt", "e.txt")))
plain = st.tuples(
    st.sampled_from(("commit", "remove", "reset", "revert", "reword")),
    st.sampled_from(PATHS),
    st.just(""),
)


def shelf_of(repo: RepoBuilder) -> Shelf:
    world = world_of(repo)
    anchors = (
        FileAnchor("src/a.txt"),
        snippet.complete(SnippetAnchor("src/a.txt", "\n", 2), world),
        TreeAnchor("src"),
        commit.complete(CommitAnchor("HEAD"), world),
    )
    entries = [verified(entry_with(one, number=at), world) for at, one in enumerate(anchors, 1)]
    return Shelf(repo, *entries, needing_all(entries))


def needing_all(others: list[Entry]) -> Entry:
    named = tuple(EntryLink(other.id, other.name) for other in others)
    bare = replace(entry_with(number=9), depends_on=named)
    stamp = Stamp(bare.digest, NOW, KIM, "terminal")
    pairs = zip(named, others, strict=True)
    return replace(bare, depends_on=tuple(links.observe(*pair, stamp) for pair in pairs))


def act(repo: RepoBuilder, verb: str, path: str, more: str) -> None:
    exists = (repo.path / path).exists()
    if verb == "write":
        repo.write(path, more)
    elif verb == "move" and exists:
        repo.git("mv", "-f", path, more, check=False)
    elif verb == "remove" and exists:
        (repo.path / path).unlink()
    elif verb == "commit":
        repo.git("add", "-A")
        repo.git("commit", "-qm", "more", check=False)
    elif verb == "reset":
        repo.git("reset", "-q", "--hard")
    elif verb == "revert":
        repo.git("reset", "-q", "--hard")
        repo.git("revert", "--no-edit", "HEAD", check=False)
        repo.git("revert", "--abort", check=False)
    elif verb == "reword":
        repo.git("commit", "-q", "--amend", "--no-edit", "--date=2026-11-30T10:00:00Z")


@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(writes | moves | plain, min_size=1, max_size=6))
def test_nothing_remembered_changes_an_answer(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[str, str, str]]
) -> None:
    repo = RepoBuilder.start(tmp_path_factory.mktemp("shop"))
    repo.git("config", "user.name", "Kim")
    repo.git("config", "user.email", "kim@example.org")
    repo.commit("start", dict.fromkeys(PATHS, "first\n"))
    repo.commit("lines", dict.fromkeys(PATHS, LINES))
    shelf = shelf_of(repo)
    shelf.check()
    for action in actions:
        act(repo, *action)
        settle()
        shelf.check()


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.sampled_from((-9, 0, 29, 30, 31, 59, 60, 61, 900)), min_size=2, max_size=8))
def test_a_clock_that_goes_to_and_fro_changes_no_answer(
    tmp_path_factory: pytest.TempPathFactory, days: list[int]
) -> None:
    repo = RepoBuilder.start(tmp_path_factory.mktemp("shop"))
    read = datetime(2026, 11, 1, tzinfo=UTC)
    pages = [UrlAnchor("https://docs.example/", f"{read:%Y-%m-%dT%H:%M:%SZ}", n) for n in (30, 60)]
    both = replace(entry_with(number=3), anchors=tuple(pages))
    entries = [*(entry_with(page, number=n) for n, page in enumerate(pages, 1)), both]
    shelf = Shelf(repo, *entries, needing_all(entries))
    for day in days:
        shelf.now = f"{read + timedelta(days=day, seconds=1):%Y-%m-%dT%H:%M:%SZ}"
        shelf.check()
