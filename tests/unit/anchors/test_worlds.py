"""Worlds: what stands at a path in a work tree, in the index and in a commit."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors.base import Observation
from git_knowl.anchors.worlds import CommitWorld, StagedWorld, WorkTreeWorld, default_world
from git_knowl.plumbing.history import RevisionError
from git_knowl.plumbing.repository import discover
from tests.support.anchored import NOW
from tests.support.builders import START_FILES, RepoBuilder

if TYPE_CHECKING:
    from pathlib import Path

    from git_knowl.anchors.base import World

CART = "lib/cart.ts"


def state(world: World, path: str) -> str:
    return world.blobs([path])[path].state


@pytest.fixture
def three(repo: RepoBuilder) -> list[World]:
    """Give the work tree, the index and HEAD with another content of the cart in each."""
    repo.write(CART, "staged\n")
    repo.git("add", CART)
    repo.write(CART, "working\n")
    opened = repo.open()
    return [
        WorkTreeWorld(opened, NOW),
        StagedWorld(opened, NOW),
        CommitWorld(opened, "HEAD", NOW),
    ]


def test_each_shows_its_own_content(three: list[World]) -> None:
    assert [world.content(CART) for world in three] == [
        b"working\n",
        b"staged\n",
        START_FILES[CART].encode(),
    ]
    assert [world.label for world in three] == ["worktree", "staged", "commit HEAD"]
    assert len({world.blobs([CART])[CART].blob for world in three}) == 3


def test_only_what_the_index_does_not_hold_is_dirty(three: list[World]) -> None:
    assert [world.blobs([CART])[CART].dirty for world in three] == [True, False, False]
    assert not three[0].blobs(["conf.yml"])["conf.yml"].dirty


def test_digests_are_of_the_same_content(three: list[World]) -> None:
    for world in three:
        content = world.content(CART)
        assert content is not None
        asked = world.digests([CART, "none", CART])
        assert asked == {CART: hashlib.sha256(content).hexdigest(), "none": None}
        assert world.digests([CART])[CART] == asked[CART]


def test_all_are_compared_with_the_same_commit(repo: RepoBuilder, three: list[World]) -> None:
    assert {world.head for world in three} == {repo.rev("HEAD")}


def test_what_is_not_there_has_no_content(three: list[World]) -> None:
    assert [world.content("none") for world in three] == [None, None, None]
    assert [state(world, "none") for world in three] == ["absent"] * 3
    assert three[0].content("lib") is None


def test_a_folder_is_no_file_in_any_of_them(three: list[World]) -> None:
    assert [state(world, "lib") for world in three] == ["directory", "absent", "absent"]


def test_a_submodule_is_no_file_in_any_of_them(repo: RepoBuilder) -> None:
    inner = RepoBuilder.start(repo.path.parent, name="inner")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    repo.commit("submodule")
    opened = repo.open()

    assert WorkTreeWorld(opened, NOW).blobs(["sub"])["sub"] == Observation(
        "directory", mode="160000"
    )
    assert state(StagedWorld(opened, NOW), "sub") == "absent"
    assert state(CommitWorld(opened, "HEAD", NOW), "sub") == "absent"
    assert state(WorkTreeWorld(opened, NOW), "sub/conf.yml") == "absent"


def test_a_world_remembers_what_it_has_seen(repo: RepoBuilder) -> None:
    world = WorkTreeWorld(repo.open(), NOW)
    before = world.blobs([CART])
    repo.write(CART, "two\n")

    assert world.blobs([CART, CART, "conf.yml"])[CART] == before[CART]


def test_no_question_is_no_answer(three: list[World]) -> None:
    assert [world.blobs([]) for world in three] == [{}, {}, {}]
    assert [world.past([]) for world in three] == [{}, {}, {}]


def test_a_commit_is_named_by_any_revision(repo: RepoBuilder) -> None:
    repo.commit("two", {CART: "two\n"})
    world = CommitWorld(repo.open(), "HEAD~1", NOW)

    assert world.label == "commit HEAD~1"
    assert world.content(CART) == START_FILES[CART].encode()
    with pytest.raises(RevisionError):
        CommitWorld(repo.open(), "nowhere", NOW)


def test_only_what_is_not_committed_can_be_renamed_since(repo: RepoBuilder) -> None:
    repo.git("mv", CART, "basket.ts")
    opened = repo.open()

    assert WorkTreeWorld(opened, NOW).renamed_to(CART) == "basket.ts"
    assert StagedWorld(opened, NOW).renamed_to(CART) == "basket.ts"
    assert CommitWorld(opened, "HEAD", NOW).renamed_to(CART) is None


def test_in_a_bare_repository_head_is_judged(tmp_path: Path) -> None:
    bare = RepoBuilder.start(tmp_path, bare=True)
    world = default_world(bare.open(), NOW)

    assert world.label == "commit HEAD"
    assert world.content(CART) == START_FILES[CART].encode()


def test_elsewhere_the_work_tree_is_judged(repo: RepoBuilder) -> None:
    assert default_world(repo.open(), NOW).label == "worktree"


@pytest.mark.parametrize("is_bare", [True, False])
def test_before_the_first_commit_nothing_is_there(tmp_path: Path, is_bare: bool) -> None:
    empty = RepoBuilder.make(tmp_path, bare=is_bare)
    world = default_world(empty.open(), NOW)

    assert (world.head, state(world, CART)) == (None, "absent")
    assert not world.past([CART])[CART].is_known
    assert world.holders(["1" * 40]) == set()


def test_staged_is_the_index_a_hook_was_given(repo: RepoBuilder) -> None:
    repo.write(CART, "in the hook\n")
    other = str(repo.path / ".git/next-index")
    env = {"GIT_INDEX_FILE": other}
    repo.git("read-tree", "HEAD", env=env)
    repo.git("add", CART, env=env)
    opened = discover(str(repo.path), {**os.environ, **env})

    world = StagedWorld(opened, NOW)

    assert world.content(CART) == b"in the hook\n"
    assert StagedWorld(repo.open(), NOW).content(CART) == START_FILES[CART].encode()
    assert world.holders([world.blobs([CART])[CART].blob or ""]) == {CART}


def test_a_file_that_goes_away_while_it_is_read_has_no_content(repo: RepoBuilder) -> None:
    repo.write(CART, "two\n")
    world = WorkTreeWorld(repo.open(), NOW)
    world.blobs([CART])
    (repo.path / CART).unlink()

    assert world.content(CART) is None
