"""File anchors and history: who changed or removed a file, where it went, if it was ever here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors.worlds import CommitWorld, StagedWorld
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from tests.support.anchored import NOW, entry_on, verdict, verified, world_of
from tests.support.builders import START_FILES, RepoBuilder

if TYPE_CHECKING:
    from pathlib import Path

    from git_knowl.model.entry import Entry

BOTH_PATHS = "; if it moved, 'git add' of both paths shows where"
NEW_PATH = "; if it moved, 'git add' of the new path shows where"
CART = "lib/cart.ts"
LONG = "".join(f"line {number}\n" for number in range(40))
AUTHOR = "Kim <kim@example.org>"


@pytest.fixture
def entry(repo: RepoBuilder) -> Entry:
    return entry_on(repo, CART)


@pytest.fixture(autouse=True)
def identity(home: Path, repo: RepoBuilder) -> None:
    repo.git("config", "user.name", "Kim")
    repo.git("config", "user.email", "kim@example.org")


class TestWhoChanged:
    def test_an_uncommitted_change_names_nobody(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.write(CART, "two\n")

        found = verdict(repo, entry)

        assert found.reason == "changed here, not committed"
        assert (found.commit, found.author) == (None, None)

    def test_a_commit_is_named_with_its_author(self, repo: RepoBuilder, entry: Entry) -> None:
        commit = repo.commit("double it", {CART: "two\n"})
        repo.commit("something else", {"conf.yml": "a: 2\n"})

        found = verdict(repo, entry)

        assert found.reason == f"content differs, last changed by {commit[:10]} 'double it'"
        assert (found.commit, found.author) == (commit, AUTHOR)

    def test_a_change_on_top_of_a_commit_is_told_apart(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        commit = repo.commit("double it", {CART: "two\n"})
        repo.write(CART, "three\n")

        found = verdict(repo, entry)

        assert found.commit == commit
        assert found.reason is not None
        assert found.reason.endswith("and changed again here, not committed")

    def test_the_index_is_judged_on_its_own(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.write(CART, "two\n")
        assert verdict(repo, entry, StagedWorld(repo.open(), NOW)).status == ACTIVE
        repo.git("add", CART)

        found = verdict(repo, entry, StagedWorld(repo.open(), NOW))

        assert (found.status, found.reason) == (SUSPECT, "changed in the index, not committed")

    def test_of_a_merge_the_commit_that_made_the_change_is_named(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.git("checkout", "-q", "-b", "side")
        commit = repo.commit("double it", {CART: "two\n"})
        repo.git("checkout", "-q", "main")
        repo.commit("else", {"conf.yml": "a: 2\n"})
        repo.git("merge", "-q", "--no-edit", "side")

        assert verdict(repo, entry).commit == commit

    def test_a_merge_that_made_content_of_its_own_is_named(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.git("checkout", "-q", "-b", "side")
        repo.commit("two", {CART: "two\n"})
        repo.git("checkout", "-q", "main")
        repo.commit("three", {CART: "three\n"})
        repo.git("merge", "-q", "side", check=False)
        merge = repo.commit("five", {CART: "five\n"})

        assert verdict(repo, entry).commit == merge

    def test_a_change_of_mode_alone_is_not_blamed(self, repo: RepoBuilder, entry: Entry) -> None:
        commit = repo.commit("double it", {CART: "two\n"})
        (repo.path / CART).chmod(0o755)
        repo.commit("make it a program")

        assert verdict(repo, entry).commit == commit

    def test_where_a_shallow_history_ends_nobody_is_blamed(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.commit("double it", {CART: "two\n"})
        repo.commit("else", {"conf.yml": "a: 2\n"})
        clone = repo.clone("shallow", "--no-local", "--depth=1")

        found = verdict(clone, entry)

        assert (found.status, found.commit) == (SUSPECT, None)
        assert (
            found.reason
            == "content differs, changed by a commit that the history here does not show"
        )


class TestDeleted:
    def test_in_the_work_tree(self, repo: RepoBuilder, entry: Entry) -> None:
        (repo.path / CART).unlink()

        found = verdict(repo, entry)

        assert (found.status, found.reason) == (SUSPECT, f"deleted here, not committed{BOTH_PATHS}")
        assert (found.found, found.commit) == ("absent", None)

    def test_in_the_index(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("rm", "-q", CART)

        assert verdict(repo, entry).reason == f"deleted here, not committed{NEW_PATH}"
        staged = verdict(repo, entry, StagedWorld(repo.open(), NOW))
        assert staged.reason == "deleted in the index, not committed"

    def test_by_a_commit(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("rm", "-q", CART)
        commit = repo.commit("no cart")

        found = verdict(repo, entry)

        assert (found.status, found.reason) == (SUSPECT, f"deleted by {commit[:10]} 'no cart'")
        assert (found.commit, found.author) == (commit, AUTHOR)

    def test_on_a_side_branch_that_was_merged(self, repo: RepoBuilder) -> None:
        repo.git("checkout", "-q", "-b", "side")
        repo.commit("add", {"new.ts": "1\n"})
        entry = entry_on(repo, "new.ts")
        repo.git("rm", "-q", "new.ts")
        commit = repo.commit("remove")
        repo.git("checkout", "-q", "main")
        repo.commit("else", {"conf.yml": "a: 2\n"})
        repo.git("merge", "-q", "--no-edit", "side")

        assert verdict(repo, entry).commit == commit

    def test_by_choosing_a_side_in_a_merge(self, repo: RepoBuilder) -> None:
        repo.git("checkout", "-q", "-b", "side")
        repo.commit("add", {"new.ts": "1\n"})
        entry = entry_on(repo, "new.ts")
        repo.git("checkout", "-q", "main")
        repo.git("merge", "-q", "--no-edit", "--no-ff", "-s", "ours", "side")

        found = verdict(repo, entry)

        assert (found.status, found.commit) == (SUSPECT, None)
        assert found.reason == "dropped by a merge in the history of this checkout"

    def test_a_folder_in_its_place_is_named(self, repo: RepoBuilder, entry: Entry) -> None:
        (repo.path / CART).unlink()
        repo.write(f"{CART}/index.ts", "1\n")

        assert (verdict(repo, entry).status, verdict(repo, entry).found) == (SUSPECT, "directory")

    def test_a_link_above_it_hides_it_as_for_git(self, repo: RepoBuilder, entry: Entry) -> None:
        (repo.path / "lib").rename(repo.path / "other")
        (repo.path / "lib").symlink_to("other")

        assert verdict(repo, entry).reason == f"deleted here, not committed{BOTH_PATHS}"


class TestNeverHere:
    def test_a_path_no_commit_here_has_is_unknown(self, repo: RepoBuilder) -> None:
        other = repo.worktree("other")
        repo.commit("add", {"new.ts": "1\n"})
        entry = entry_on(repo, "new.ts")

        found = verdict(other, entry)

        assert (found.status, found.found) == (UNKNOWN, "absent")
        assert found.reason == "not on this checkout: no commit in its history has the file"

    def test_a_shallow_history_names_the_remedy(self, repo: RepoBuilder) -> None:
        repo.commit("add", {"new.ts": "1\n"})
        entry = entry_on(repo, "new.ts")
        repo.git("rm", "-q", "new.ts")
        repo.commit("remove")
        repo.commit("else", {"conf.yml": "a: 2\n"})
        clone = repo.clone("shallow", "--no-local", "--depth=1")

        found = verdict(clone, entry)

        assert found.status == UNKNOWN
        assert found.reason is not None
        assert "git fetch --unshallow" in found.reason

    def test_an_unborn_branch_has_no_history(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("checkout", "-q", "--orphan", "empty")
        repo.git("rm", "-r", "-q", "-f", ".")

        assert verdict(repo, entry).status == UNKNOWN

    def test_a_path_a_submodule_took_over_belongs_to_the_submodule(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.git("rm", "-r", "-q", "lib")
        commit = repo.commit("no lib")
        repo.git("init", "-q", "lib")
        repo.write(CART, START_FILES[CART])

        found = verdict(repo, entry)

        assert (found.status, found.commit) == (SUSPECT, commit)


class TestMoved:
    @pytest.mark.parametrize("is_committed", [True, False])
    def test_the_same_content_at_one_other_path_is_active_with_an_offer(
        self, repo: RepoBuilder, entry: Entry, is_committed: bool
    ) -> None:
        repo.git("mv", CART, "lib/basket.ts")
        if is_committed:
            repo.commit("rename")

        found = verdict(repo, entry)

        assert (found.status, found.moved_to) == (ACTIVE, "lib/basket.ts")
        assert found.note is not None
        assert "--follow" in found.note

    def test_a_commit_and_the_index_know_moves_too(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("mv", CART, "lib/basket.ts")

        assert verdict(repo, entry, StagedWorld(repo.open(), NOW)).moved_to == "lib/basket.ts"
        repo.commit("rename")
        world = CommitWorld(repo.open(), "HEAD", NOW)
        assert verdict(repo, entry, world).moved_to == "lib/basket.ts"

    def test_two_paths_with_the_content_are_no_move(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("mv", CART, "lib/one.ts")
        repo.commit("two", {"lib/two.ts": START_FILES[CART]})

        found = verdict(repo, entry)

        assert (found.status, found.moved_to) == (SUSPECT, None)

    def test_a_rename_the_index_does_not_know_is_a_deletion_until_it_does(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        (repo.path / CART).rename(repo.path / "lib/basket.ts")

        assert verdict(repo, entry).reason == f"deleted here, not committed{BOTH_PATHS}"
        repo.git("rm", "-q", "--cached", CART)
        assert verdict(repo, entry).reason == f"deleted here, not committed{NEW_PATH}"
        repo.git("add", "lib/basket.ts")
        assert verdict(repo, entry).moved_to == "lib/basket.ts"

    def test_moved_and_then_edited_here_is_suspect_and_says_where(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.git("mv", CART, "lib/basket.ts")
        commit = repo.commit("rename")
        repo.write("lib/basket.ts", "two\n")

        found = verdict(repo, entry)

        assert (found.status, found.commit) == (SUSPECT, commit)
        assert found.found == "changed at lib/basket.ts"

    def test_a_rename_with_edits_is_suspect_and_says_where(self, repo: RepoBuilder) -> None:
        repo.commit("long", {"a.txt": LONG})
        entry = entry_on(repo, "a.txt")
        repo.git("mv", "a.txt", "b.txt")
        repo.commit("rename", {"b.txt": f"{LONG}one more\n"})

        found = verdict(repo, entry)

        assert found.status == SUSPECT
        assert found.reason is not None
        assert found.reason.endswith("it went to b.txt with changes")

    def test_renames_are_followed_to_the_name_it_has_now(self, repo: RepoBuilder) -> None:
        repo.commit("long", {"a.txt": LONG})
        entry = entry_on(repo, "a.txt")
        repo.git("mv", "a.txt", "b.txt")
        repo.commit("rename", {"b.txt": f"{LONG}one more\n"})
        repo.git("mv", "b.txt", "c.txt")
        repo.commit("again", {"c.txt": f"{LONG}one more\nand more\n"})

        assert verdict(repo, entry).found == "changed at c.txt"

    def test_a_trail_that_ends_in_nothing_is_a_deletion(self, repo: RepoBuilder) -> None:
        repo.commit("long", {"a.txt": LONG})
        entry = entry_on(repo, "a.txt")
        repo.git("mv", "a.txt", "b.txt")
        commit = repo.commit("rename", {"b.txt": f"{LONG}one more\n"})
        repo.git("rm", "-q", "b.txt")
        repo.commit("remove")

        assert verdict(repo, entry).reason == f"deleted by {commit[:10]} 'rename'"

    def test_an_uncommitted_rename_with_edits_says_where(self, repo: RepoBuilder) -> None:
        repo.commit("long", {"a.txt": LONG})
        entry = entry_on(repo, "a.txt")
        repo.git("mv", "a.txt", "b.txt")
        repo.write("b.txt", f"{LONG}one more\n")
        repo.git("add", "b.txt")

        found = verdict(repo, entry)

        assert found.reason == "deleted here, not committed; it went to b.txt with changes"
        assert found.commit is None


class TestIntended:
    """`git add -N` stages a name without its content."""

    @pytest.fixture
    def entry(self, repo: RepoBuilder) -> Entry:
        """Give an entry on a new file, of which only the name is staged then."""
        repo.write("n", "new\n")
        repo.git("add", "-N", "n")
        return entry_on(repo, "n")

    def test_what_is_staged_cannot_tell(self, repo: RepoBuilder, entry: Entry) -> None:
        found = verdict(repo, entry, StagedWorld(repo.open(), NOW))

        assert found.status == UNKNOWN
        assert found.reason == "the file is staged without its content (git add -N)"

    def test_the_working_file_can(self, repo: RepoBuilder, entry: Entry) -> None:
        assert verdict(repo, entry).status == ACTIVE
        repo.write("n", "newer\n")
        assert verdict(repo, entry).status == SUSPECT

    def test_an_empty_file_that_is_staged_is_a_content(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.write("n", "")
        repo.git("add", "n")

        assert verdict(repo, entry, StagedWorld(repo.open(), NOW)).status == SUSPECT


class TestSparse:
    def test_of_a_file_that_is_not_checked_out_the_index_counts(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.git("update-index", "--skip-worktree", CART)
        (repo.path / CART).unlink()

        found = verdict(repo, entry)

        assert found.status == ACTIVE
        assert found.note == "not checked out here: what the index holds was judged"

    @pytest.mark.parametrize("bit", ["--skip-worktree", "--assume-unchanged"])
    def test_a_local_edit_that_git_was_told_to_overlook_is_seen(
        self, repo: RepoBuilder, entry: Entry, bit: str
    ) -> None:
        repo.git("update-index", bit, CART)
        assert verdict(repo, entry).status == ACTIVE
        repo.write(CART, "mine\n")

        found = verdict(repo, entry)

        assert (found.status, found.reason) == (SUSPECT, "changed here, not committed")

    def test_another_thing_in_the_place_of_a_marked_file_is_seen(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.git("update-index", "--skip-worktree", CART)
        (repo.path / CART).unlink()
        (repo.path / CART).mkdir()

        assert (verdict(repo, entry).status, verdict(repo, entry).found) == (SUSPECT, "directory")

    def test_an_edit_of_a_marked_file_can_be_accepted(self, repo: RepoBuilder) -> None:
        repo.git("update-index", "--skip-worktree", CART)
        repo.write(CART, "mine\n")
        entry = entry_on(repo, CART)

        assert verdict(repo, entry).status == ACTIVE
        repo.write(CART, "other\n")
        assert verdict(repo, entry).status == SUSPECT

    def test_it_can_be_verified(self, repo: RepoBuilder) -> None:
        repo.git("update-index", "--skip-worktree", CART)
        (repo.path / CART).unlink()

        assert verdict(repo, entry_on(repo, CART)).status == ACTIVE


class TestSpelling:
    """A disk that folds case answers to both names: both are made here to show what it would."""

    def test_the_index_says_how_a_file_is_called(self, repo: RepoBuilder, entry: Entry) -> None:
        repo.git("mv", CART, "lib/Cart.ts")
        commit = repo.commit("rename", {})
        repo.git("config", "core.ignorecase", "true")
        repo.write(CART, START_FILES[CART])

        found = verdict(repo, entry)

        assert found.moved_to == "lib/Cart.ts"
        repo.write("lib/Cart.ts", "two\n")
        assert (verdict(repo, entry).status, verdict(repo, entry).commit) == (SUSPECT, commit)

    def test_where_case_counts_an_untracked_file_is_one_of_its_own(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        repo.git("mv", CART, "lib/Cart.ts")
        repo.git("config", "core.ignorecase", "false")
        repo.write(CART, START_FILES[CART])

        assert (verdict(repo, entry).status, verdict(repo, entry).moved_to) == (ACTIVE, None)

    def test_an_untracked_file_alone_is_itself(self, repo: RepoBuilder) -> None:
        repo.git("config", "core.ignorecase", "true")
        repo.write("notes.md", "1\n")

        assert verdict(repo, entry_on(repo, "notes.md")).status == ACTIVE


class TestBranches:
    def test_one_entry_has_two_verdicts_in_two_worktrees(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        other = repo.worktree("other", "feature")
        other.commit("double it", {CART: "two\n"})

        assert verdict(other, entry).status == SUSPECT
        assert verdict(repo, entry).status == ACTIVE

    def test_verified_on_a_second_branch_both_are_active(
        self, repo: RepoBuilder, entry: Entry
    ) -> None:
        other = repo.worktree("other", "feature")
        other.commit("double it", {CART: "two\n"})
        entry = verified(entry, world_of(other))

        assert verdict(other, entry).status == ACTIVE
        assert verdict(repo, entry).status == ACTIVE
