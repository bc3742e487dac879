"""Commits as evidence: do they count here, under which id, and who took them back."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors import commit, commits
from git_knowl.anchors.base import AnchorError
from git_knowl.anchors.worlds import CommitWorld, default_world
from git_knowl.model.anchor import CommitAnchor
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from tests.support.anchored import NOW, Shelf, entry_with, verdict, verified, world_of

if TYPE_CHECKING:
    from git_knowl.model.entry import Entry
    from tests.support.builders import RepoBuilder

FEE = "lib/fee.ts"
TEXT = "".join(f"line {number}\n" for number in range(12))


@pytest.fixture
def repo(repo: RepoBuilder) -> RepoBuilder:
    repo.git("config", "user.name", "Kim")
    repo.git("config", "user.email", "kim@example.org")
    repo.commit("start", {FEE: TEXT})
    return repo


@pytest.fixture
def oid(repo: RepoBuilder) -> str:
    return repo.commit("raise the fee", {FEE: TEXT.replace("line 6", "line six")})


def on(repo: RepoBuilder, rev: str = "HEAD") -> Entry:
    world = world_of(repo)
    return verified(entry_with(commit.complete(CommitAnchor(rev), world)), world)


def test_any_revision_becomes_the_full_id_with_its_patch_id(repo: RepoBuilder, oid: str) -> None:
    (anchor,) = on(repo, "HEAD~0").anchors

    assert anchor.commit == oid
    assert anchor.patch_id
    assert [item.state for item in anchor.accepted] == ["applied"]


@pytest.mark.parametrize("rev", ["nonsense", "HEAD:lib", "--all"])
def test_what_names_no_commit_is_refused(repo: RepoBuilder, rev: str) -> None:
    with pytest.raises(AnchorError, match="does not name a commit"):
        on(repo, rev)


def test_a_commit_of_another_branch_cannot_be_anchored_here(repo: RepoBuilder) -> None:
    repo.git("checkout", "-qb", "side")
    repo.commit("aside", {"aside": "1\n"})
    repo.git("checkout", "-q", "-")

    with pytest.raises(AnchorError, match="not in the history of this checkout"):
        on(repo, "side")


class TestUnderAnotherId:
    def test_cherry_picked(self, repo: RepoBuilder, oid: str) -> None:
        entry = on(repo)
        repo.git("checkout", "-q", "-b", "release", "HEAD~1")
        repo.commit("unrelated", {"x": "1\n"})
        repo.git("cherry-pick", oid)

        found = verdict(repo, entry)

        assert (found.status, found.moved_to) == (ACTIVE, repo.rev("HEAD"))

    @pytest.mark.usefixtures("oid")
    def test_rebased_and_reworded(self, repo: RepoBuilder) -> None:
        entry = on(repo)
        repo.git("commit", "-q", "--amend", "-m", "raise the fee, as agreed")

        assert verdict(repo, entry).moved_to == repo.rev("HEAD")

    @pytest.mark.usefixtures("oid")
    def test_known_by_its_patch_where_the_commit_itself_is_not_here(
        self, repo: RepoBuilder
    ) -> None:
        entry = on(repo)
        repo.git("commit", "-q", "--amend", "-m", "another message")
        repo.git("reflog", "expire", "--expire=now", "--all")
        repo.git("gc", "-q", "--prune=now")

        assert verdict(repo, entry).moved_to == repo.rev("HEAD")

    @pytest.mark.usefixtures("oid")
    def test_another_change_is_no_equal(self, repo: RepoBuilder) -> None:
        entry = on(repo)
        repo.git("reset", "-q", "--hard", "HEAD~1")
        repo.commit("raise the fee", {FEE: TEXT.replace("line 6", "line sechs")})

        found = verdict(repo, entry)

        assert found.status == UNKNOWN
        assert "none of its newest 1000 commits makes the same change" in str(found.reason)


class TestReverted:
    def test_by_git_revert(self, repo: RepoBuilder, oid: str) -> None:
        entry = on(repo)
        repo.git("revert", "--no-edit", oid)

        found = verdict(repo, entry)

        head = repo.rev("HEAD")
        assert (found.status, found.expected, found.found) == (SUSPECT, "applied", "reverted")
        assert found.reason == f"reverted by {head[:10]} 'Revert \"raise the fee\"'"
        assert (found.commit, found.author) == (head, "Kim <kim@example.org>")

    @pytest.mark.usefixtures("oid")
    def test_by_hand_and_without_saying_so(self, repo: RepoBuilder) -> None:
        entry = on(repo)
        repo.commit("other work", {FEE: TEXT.replace("line 6", "line six") + "more\n"})
        repo.commit("lower it again", {FEE: TEXT + "more\n"})

        assert verdict(repo, entry).status == SUSPECT

    def test_a_revert_of_the_revert_lets_it_count_again(self, repo: RepoBuilder, oid: str) -> None:
        entry = on(repo)
        repo.git("revert", "--no-edit", oid)
        reverted = on(repo, oid)
        repo.git("revert", "--no-edit", "HEAD")

        assert verdict(repo, entry).status == ACTIVE
        again = verdict(repo, reverted)
        assert (again.status, again.expected, again.found) == (SUSPECT, "reverted", "applied")
        assert str(again.reason).startswith("applied again by")

    def test_the_revert_of_a_picked_commit(self, repo: RepoBuilder, oid: str) -> None:
        entry = on(repo)
        repo.git("checkout", "-q", "-b", "release", "HEAD~1")
        repo.commit("unrelated", {"x": "1\n"})
        repo.git("cherry-pick", oid)
        repo.git("revert", "--no-edit", "HEAD")

        assert verdict(repo, entry).status == SUSPECT

    def test_the_revert_of_the_merge_that_brought_it(self, repo: RepoBuilder) -> None:
        repo.git("checkout", "-qb", "topic")
        topic = repo.commit("fee", {FEE: TEXT.replace("line 6", "line six")})
        repo.commit("more", {"lib/more.ts": "1\n"})
        repo.git("checkout", "-q", "-")
        repo.commit("meanwhile", {"y": "1\n"})
        repo.git("merge", "-q", "--no-ff", "-m", "merge topic", "topic")
        entry = on(repo, topic)
        assert verdict(repo, entry).status == ACTIVE
        repo.git("revert", "--no-edit", "-m", "1", "HEAD")

        assert verdict(repo, entry).status == SUSPECT

    def test_only_where_it_was_reverted(self, repo: RepoBuilder, oid: str) -> None:
        entry = on(repo)
        repo.git("revert", "--no-edit", oid)

        assert verdict(repo, entry, CommitWorld(repo.open(), oid, NOW)).status == ACTIVE
        assert verdict(repo, entry, CommitWorld(repo.open(), "HEAD", NOW)).status == SUSPECT


def test_who_is_hurried_does_not_wait_for_many_patches(repo: RepoBuilder, oid: str) -> None:
    entry = on(repo, oid)
    for number in range(30):
        repo.commit(f"more {number}", {FEE: TEXT.replace("line 6", "line six") + f"{number}\n"})
    hurried = default_world(repo.open(), NOW, is_hurried=True)

    assert verdict(repo, entry, hurried).reason == "history moved, commit not checked"
    assert verdict(repo, entry).status == ACTIVE
    again = default_world(repo.open(), NOW, is_hurried=True)
    assert verdict(repo, entry, again).status == ACTIVE, "what was found is remembered"


def test_a_shallow_clone_cannot_tell(repo: RepoBuilder, oid: str) -> None:
    entry = on(repo)
    repo.commit("later", {"z": "1\n"})
    shallow = repo.clone("shallow", "--no-local", "--depth=1")

    found = verdict(shallow, entry)

    assert found.status == UNKNOWN
    assert "--unshallow" in str(found.reason)


def test_sha256_repositories_are_no_different(repo256: RepoBuilder) -> None:
    repo256.commit("start", {FEE: TEXT})
    repo256.commit("fee", {FEE: TEXT.replace("line 6", "line six")})
    entry = on(repo256)
    repo256.git("revert", "--no-edit", "HEAD")

    assert verdict(repo256, entry).status == SUSPECT


@pytest.mark.parametrize("damage", [b"no database", None])
def test_what_is_remembered_may_be_damaged_or_gone(
    repo: RepoBuilder, oid: str, damage: bytes | None
) -> None:
    entry = on(repo)
    repo.git("revert", "--no-edit", oid)
    assert verdict(repo, entry).status == SUSPECT
    path = Path(repo.open().shared_path(commits.FILE))
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage)

    assert verdict(repo, entry).status == SUSPECT
    with sqlite3.connect(path) as opened:
        assert opened.execute("SELECT count(*) FROM answer").fetchone() == (1,)
    opened.close()


def test_verdicts_kept_for_this_worktree_follow_head(repo: RepoBuilder, oid: str) -> None:
    shelf = Shelf(repo, on(repo))
    shelf.check()
    repo.git("revert", "--no-edit", oid)
    shelf.check()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    shelf.check()
