"""Sets of files: what belongs to one, what changes it, and what is said about the change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors.base import AnchorError
from git_knowl.anchors.worlds import CommitWorld, StagedWorld
from git_knowl.model.anchor import TreeAnchor
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from tests.support.anchored import NOW, Shelf, entry_with, settle, verdict, verified, world_of
from tests.support.builders import RepoBuilder

if TYPE_CHECKING:
    from git_knowl.model.entry import Entry

FILES = {"src/a.ts": "a\n", "src/b.ts": "b\n", "src/deep/c.js": "c\n", "other.ts": "o\n"}


@pytest.fixture
def repo(repo: RepoBuilder) -> RepoBuilder:
    repo.git("config", "user.name", "Kim")
    repo.git("config", "user.email", "kim@example.org")
    repo.commit("files", FILES)
    return repo


def on(repo: RepoBuilder, pathspec: str) -> Entry:
    return verified(entry_with(TreeAnchor(pathspec)), world_of(repo))


class TestObserve:
    def test_a_folder_as_committed_is_known_by_its_git_tree(self, repo: RepoBuilder) -> None:
        (item,) = on(repo, "src").anchors[0].accepted

        assert item.tree == f"sha1:{repo.rev('HEAD:src')}"
        assert (item.files, item.dirty, item.commit) == (3, False, repo.rev("HEAD"))

    def test_uncommitted_files_have_a_digest_only(self, repo: RepoBuilder) -> None:
        repo.write("src/a.ts", "changed\n")

        (item,) = on(repo, "src").anchors[0].accepted

        assert (item.tree, item.dirty) == (None, True)

    @pytest.mark.parametrize(
        ("pathspec", "count"),
        [("src", 3), (":(glob)src/*.ts", 2), ("*.ts", 4), (":!src", 3), (".", 6), (":/src", 3)],
    )
    def test_pathspecs_mean_what_they_mean_to_git(
        self, repo: RepoBuilder, pathspec: str, count: int
    ) -> None:
        assert on(repo, pathspec).anchors[0].accepted[0].files == count

    @pytest.mark.parametrize("pathspec", ["nothing", "*.py", ":(nonsense)src"])
    def test_what_names_no_tracked_file_is_refused(self, repo: RepoBuilder, pathspec: str) -> None:
        repo.write("nothing/new.txt", "untracked\n")

        with pytest.raises(AnchorError, match="cannot be anchored"):
            on(repo, pathspec)


class TestActive:
    def test_untracked_files_touched_files_and_modes_do_not_count(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        repo.write("src/new.ts", "untracked\n")
        repo.write("src/a.ts", "a\n").chmod(0o755)

        assert verdict(repo, entry).status == ACTIVE

    def test_files_outside_do_not_count(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        repo.commit("outside", {"other.ts": "two\n"})

        assert verdict(repo, entry).status == ACTIVE

    def test_uncommitted_files_stay_accepted_when_they_are_committed(
        self, repo: RepoBuilder
    ) -> None:
        repo.write("src/a.ts", "changed\n")
        entry = on(repo, "src")
        repo.commit("the same")

        assert verdict(repo, entry).status == ACTIVE

    def test_a_renamed_folder_is_followed(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        repo.git("mv", "src", "code")
        assert verdict(repo, entry).moved_to == "code"
        repo.commit("rename")

        found = verdict(repo, entry)

        assert (found.status, found.moved_to) == (ACTIVE, "code")


class TestSuspect:
    def test_every_change_is_told_with_who_made_it(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        repo.git("rm", "-q", "src/b.ts")
        commit = repo.commit("shuffle", {"src/a.ts": "two\n", "src/d.ts": "d\n"})

        found = verdict(repo, entry)

        assert found.status == SUSPECT
        assert found.reason == (
            "changed src/a.ts; added src/d.ts; removed src/b.ts;"
            f" last changed by {commit[:10]} 'shuffle'"
        )
        assert (found.commit, found.author) == (commit, "Kim <kim@example.org>")

    def test_what_is_not_committed_names_nobody(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        (repo.path / "src/b.ts").unlink()

        found = verdict(repo, entry)

        assert found.reason == "removed src/b.ts; changed here, not committed"
        assert found.commit is None

    def test_the_three_worlds_see_their_own_files(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        repo.write("src/a.ts", "staged\n")
        repo.git("add", "src/a.ts")
        repo.write("src/a.ts", "a\n")

        worlds = [world_of(repo), StagedWorld(repo.open(), NOW)]
        worlds.append(CommitWorld(repo.open(), "HEAD", NOW))

        found = [verdict(repo, entry, world).status for world in worlds]
        assert found == [ACTIVE, SUSPECT, ACTIVE]

    def test_many_changes_are_cut(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        repo.commit("many", {f"src/n{number}.ts": "n\n" for number in range(9)})

        assert "src/n4.ts and 4 more" in str(verdict(repo, entry).reason)

    def test_a_folder_that_is_gone_names_the_commit(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        repo.git("rm", "-rq", "src")
        commit = repo.commit("away")

        found = verdict(repo, entry)

        assert (found.status, found.found, found.commit) == (SUSPECT, "no file", commit)

    def test_a_rename_with_edits_says_where(self, repo: RepoBuilder) -> None:
        long = "".join(f"line {number}\n" for number in range(30))
        repo.commit("long", {"src/a.ts": long})
        entry = on(repo, "src")
        repo.git("mv", "src", "code")
        repo.commit("rename", {"code/a.ts": long.replace("line 3\n", "three\n")})

        found = verdict(repo, entry)

        assert (found.status, found.moved_to) == (SUSPECT, "code")


class TestUnknown:
    def test_never_here(self, repo: RepoBuilder) -> None:
        entry = on(repo, "src")
        repo.git("checkout", "-q", "--orphan", "empty")
        repo.git("rm", "-rqf", ".")
        repo.commit("bare", {"a": "a\n"})

        assert verdict(repo, entry).status == UNKNOWN

    def test_accepted_in_another_object_format(
        self, repo: RepoBuilder, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        other = RepoBuilder.start(tmp_path_factory.mktemp("other"), "sha256")
        other.commit("files", FILES)

        found = verdict(other, on(repo, "src"))

        assert found.status == UNKNOWN
        assert "another object format" in str(found.reason)


def test_submodules_do_not_count(repo: RepoBuilder) -> None:
    entry = on(repo, "src")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.rev('HEAD')},src/module")

    assert verdict(repo, entry).status == ACTIVE


@pytest.mark.parametrize("bit", ["--skip-worktree", "--assume-unchanged"])
def test_files_git_was_told_not_to_look_at_are_looked_at(repo: RepoBuilder, bit: str) -> None:
    shelf = Shelf(repo, on(repo, "src"))
    repo.git("update-index", bit, "src/a.ts")
    settle()
    shelf.check()
    assert shelf.warm() == {}
    repo.write("src/a.ts", "hidden\n")

    assert shelf.warm() is None
    shelf.check()
    assert set(shelf.ask().statuses.values()) == {SUSPECT}


def test_files_that_are_not_checked_out_count_by_the_index(repo: RepoBuilder) -> None:
    shelf = Shelf(repo, on(repo, "src"))
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/src/a.ts")
    assert not (repo.path / "src/a.ts").exists()
    settle()
    shelf.check()
    assert shelf.ask().statuses == {}
    repo.write("src/a.ts", "written by hand\n")

    shelf.check()
    assert set(shelf.ask().statuses.values()) == {SUSPECT}


def test_a_file_staged_without_its_content_cannot_be_told(repo: RepoBuilder) -> None:
    repo.write("src/n.ts", "new\n")
    repo.git("add", "-N", "src/n.ts")
    entry = on(repo, "src")

    found = verdict(repo, entry, StagedWorld(repo.open(), NOW))

    assert verdict(repo, entry).status == ACTIVE
    assert found.status == UNKNOWN
    assert found.reason == "src/n.ts is staged without its content (git add -N)"


def test_a_folder_git_does_not_know_to_have_moved_says_how_it_may(repo: RepoBuilder) -> None:
    entry = on(repo, "src")
    (repo.path / "src").rename(repo.path / "code")

    told = "'git add' of both folders shows where"
    assert told in str(verdict(repo, entry).reason)
    repo.git("add", "src", "code")
    assert verdict(repo, entry).moved_to == "code"


def test_what_is_remembered_follows_every_change(repo: RepoBuilder) -> None:
    shelf = Shelf(repo, on(repo, "src"), on(repo, ":(glob)**/*.js"))
    settle()
    shelf.check()
    assert shelf.warm() == {}
    for path, text in (("src/a.ts", "1\n"), ("src/a.ts", "2\n"), ("src/deep/c.js", "3\n")):
        repo.write(path, text)
        settle()
        shelf.check()
    repo.write("src/new.ts", "new\n")
    repo.git("add", "src/new.ts")
    shelf.check()
    repo.commit("all")
    shelf.check()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    shelf.check()
