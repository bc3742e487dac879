"""Snippets: lines found wherever in their file they stand, and what is said when they are not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors import folding, snippet
from git_knowl.anchors.base import AnchorError
from git_knowl.anchors.worlds import CommitWorld, StagedWorld
from git_knowl.model.anchor import SnippetAnchor
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from tests.support.anchored import NOW, Shelf, entry_with, settle, verdict, verified, world_of
from tests.support.builders import RepoBuilder

if TYPE_CHECKING:
    from git_knowl.model.entry import Entry

PATH = "lib/price.py"
HEAD = "".join(f"# line {number}\n" for number in range(8))
CODE = "def price(n):\n    if n > 3:\n        return 2 * n\n    return n\n"
TEXT = f"{HEAD}{CODE}\nEND = 1\n"


@pytest.fixture
def repo(repo: RepoBuilder) -> RepoBuilder:
    repo.git("config", "user.name", "Kim")
    repo.git("config", "user.email", "kim@example.org")
    repo.commit("price", {PATH: TEXT})
    return repo


def lines(first: int, last: int, path: str = PATH) -> SnippetAnchor:
    return SnippetAnchor(path, "\n" * (last - first), first)


@pytest.fixture
def entry(repo: RepoBuilder) -> Entry:
    world = world_of(repo)
    return verified(entry_with(snippet.complete(lines(10, 11), world)), world)


class TestComplete:
    def test_lines_are_read_and_folded_where_the_asker_stands(self, repo: RepoBuilder) -> None:
        found = snippet.complete(lines(10, 11), world_of(repo))

        assert found.quote == "if n > 3:\n    return 2 * n"
        assert found.target == f"snippet:{PATH}:10-11"

    def test_empty_lines_at_the_ends_are_left_out(self, repo: RepoBuilder) -> None:
        found = snippet.complete(lines(13, 14), world_of(repo))

        assert (found.quote, found.line) == ("END = 1", 14)

    def test_a_quote_without_a_line_is_looked_for(self, repo: RepoBuilder) -> None:
        asked = SnippetAnchor(PATH, "        return 2 * n   ", 0)

        assert snippet.complete(asked, world_of(repo)) == SnippetAnchor(PATH, "return 2 * n", 11)

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            (lines(12, 15), "expected lines from 1 to 14, got up to 15"),
            (lines(13, 13), "expected lines with text, got empty ones"),
            (lines(1, 1, "lib/none.py"), "there is no such file here"),
            (lines(1, 1, "logo.png"), "it is binary"),
            (lines(1, 1, "lib"), "is a directory"),
            (SnippetAnchor(PATH, "return 7 * n", 0), "the quoted lines are not in"),
        ],
    )
    def test_what_cannot_be_quoted_is_refused(
        self, repo: RepoBuilder, asked: SnippetAnchor, message: str
    ) -> None:
        repo.write("logo.png", b"\x89PNG\0\0")

        with pytest.raises(AnchorError, match=message):
            snippet.complete(asked, world_of(repo))


class TestActive:
    @pytest.mark.parametrize(
        "text",
        [
            TEXT.replace("3:\n", "3:   \n"),
            TEXT.replace("\n    ", "\n\t\t    "),
            TEXT.replace("END = 1", "END = 2"),
            TEXT.replace("def price(n):", "def price(number):"),
        ],
        ids=["trailing space", "indent", "another line", "the line before"],
    )
    def test_what_does_not_touch_the_lines_raises_no_alarm(
        self, repo: RepoBuilder, entry: Entry, text: str
    ) -> None:
        repo.write(PATH, text)

        assert verdict(repo, entry).status == ACTIVE

    def test_lines_that_moved_within_their_file_are_noted(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.write(PATH, f"# new\n# new\n{TEXT}")

        found = verdict(repo, entry)

        assert (found.status, found.note) == (ACTIVE, "now at lines 12-13")

    def test_line_ends_do_not_count(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.write(PATH, TEXT.replace("\n", "\r\n"))

        assert verdict(repo, entry).status == ACTIVE

    def test_a_renamed_file_is_followed_and_offered(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("mv", PATH, "lib/cost.py")
        for found in (verdict(repo, entry), verdict(repo, entry, StagedWorld(repo.open(), NOW))):
            assert (found.status, found.moved_to) == (ACTIVE, "lib/cost.py")
        repo.commit("rename", {"lib/cost.py": TEXT.replace("END = 1", "END = 2")})

        assert verdict(repo, entry).moved_to == "lib/cost.py"
        assert verdict(repo, entry, CommitWorld(repo.open(), "HEAD", NOW)).status == ACTIVE

    def test_lines_that_went_to_a_new_file_are_found_there(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.commit("split", {PATH: HEAD, "lib/rule.py": CODE})

        found = verdict(repo, entry)

        assert (found.status, found.moved_to) == (ACTIVE, "lib/rule.py")


class TestSuspect:
    def test_a_changed_line_names_the_nearest_and_who_changed_it(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.write(PATH, TEXT.replace("n > 3", "n > 4"))
        assert "changed here, not committed; the nearest is lines 10-11" in str(
            verdict(repo, entry).reason
        )
        commit = repo.commit("four")

        found = verdict(repo, entry)

        assert found.status == SUSPECT
        assert f"last changed by {commit[:10]} 'four'" in str(found.reason)
        assert (found.commit, found.author) == (commit, "Kim <kim@example.org>")
        assert found.expected == "'if n > 3:' and 1 more lines"
        assert str(found.found).startswith("lines 10-11 (")

    def test_a_line_put_in_between_is_part_of_the_nearest(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.write(PATH, TEXT.replace("n > 3:\n", "n > 3:\n        log(n)\n"))

        assert "the nearest is lines 10-12" in str(verdict(repo, entry).reason)

    def test_nothing_like_them_is_said(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.write(PATH, "x\n")

        assert "nothing there is like them" in str(verdict(repo, entry).reason)

    def test_the_same_words_with_another_indent_inside_are_another_text(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.write(PATH, TEXT.replace("        return 2", "    return 2"))

        assert verdict(repo, entry).status == SUSPECT

    def test_a_deleted_file_names_the_commit(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("rm", "-q", PATH)
        commit = repo.commit("away")

        found = verdict(repo, entry)

        assert (found.status, found.commit) == (SUSPECT, commit)

    def test_a_rename_with_edits_of_the_lines_says_where(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.git("mv", PATH, "lib/cost.py")
        repo.commit("rename", {"lib/cost.py": TEXT.replace("n > 3", "n > 4")})

        found = verdict(repo, entry)

        assert (found.status, found.moved_to) == (SUSPECT, "lib/cost.py")

    def test_the_lines_found_as_true_as_the_quote_are_active(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        changed = TEXT.replace("n > 3:\n", "n > 3:\n        log(n)\n")
        repo.write(PATH, changed)
        (seen,) = verified(entry, world_of(repo)).anchors
        (old,) = entry.anchors
        both = replace(entry, anchors=(replace(seen, accepted=(*old.accepted, *seen.accepted)),))

        assert verdict(repo, both).status == ACTIVE
        repo.write(PATH, TEXT)
        assert verdict(repo, both).status == ACTIVE
        repo.write(PATH, changed.replace("log", "lag"))
        assert verdict(repo, both).status == SUSPECT


class TestUnknown:
    def test_never_here(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("checkout", "-q", "--orphan", "other")
        repo.git("rm", "-rqf", ".")
        repo.commit("bare", {"a": "a\n"})

        assert "not on this checkout" in str(verdict(repo, entry).reason)

    def test_binary_now(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.write(PATH, b"\0\1")

        found = verdict(repo, entry)

        assert (found.status, found.reason) == (UNKNOWN, "the file is binary here")

    def test_nothing_accepted_for_this_text(self, repo: RepoBuilder, entry: Entry) -> None:
        assert verdict(repo, replace(entry, body="another text")).status == UNKNOWN


def test_sha256_repositories_are_no_different(repo256: RepoBuilder) -> None:
    repo256.commit("price", {PATH: TEXT})
    world = world_of(repo256)
    entry = verified(entry_with(snippet.complete(lines(10, 11), world)), world)

    assert verdict(repo256, entry).status == ACTIVE
    repo256.write(PATH, TEXT.replace("n > 3", "n > 4"))
    assert verdict(repo256, entry).status == SUSPECT


def test_what_is_remembered_follows_the_lines_into_other_files(
    repo: RepoBuilder, entry: Entry
) -> None:
    shelf = Shelf(repo, entry)
    shelf.check()
    repo.write(PATH, HEAD)
    shelf.check()
    repo.write("conf.yml", CODE)
    settle()
    shelf.check()
    repo.write("conf.yml", "a: 3\n")
    shelf.check()


def test_folding_leaves_what_a_reader_would_call_the_same() -> None:
    assert folding.fold(["\t\tif x:  ", "", "\t\t\ty"]) == "if x:\n\n\ty"
