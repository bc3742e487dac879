"""What the index and trees hold, and which paths can be evidence."""

from __future__ import annotations

import os
import shutil

import pytest

from git_knowl.plumbing import listing
from git_knowl.plumbing.repository import discover
from git_knowl.plumbing.worktree import (
    anchor_obstacle,
    index_blobs,
    intended_paths,
    is_untracked,
    tree_blobs,
)
from tests.support.builders import RepoBuilder


@pytest.fixture
def builder(repo):
    return repo


@pytest.fixture(params=["few", "many"])
def amount(request, monkeypatch):
    """A few paths go to git as pathspecs, many are looked up in the whole listing."""
    if request.param == "many":
        monkeypatch.setattr(listing, "_PATHSPECS", 0)
        monkeypatch.setattr(listing, "_TREE_PATHS", 0)


@pytest.mark.usefixtures("amount")
class TestIndex:
    """The index, by exact name."""

    def test_modes_and_blobs(self, builder):
        script = builder.write("run.sh", "x\n")
        script.chmod(0o755)
        (builder.path / "link").symlink_to("conf.yml")
        builder.git("add", "--all")

        found = index_blobs(builder.open(), ["run.sh", "link", "conf.yml", "absent", "lib"])

        assert found == {
            "run.sh": ("100755", builder.rev(":run.sh"), False),
            "link": ("120000", builder.rev(":link"), False),
            "conf.yml": ("100644", builder.rev(":conf.yml"), False),
        }

    def test_skip_worktree_is_seen_and_assume_unchanged_is_not_it(self, builder):
        builder.git("update-index", "--skip-worktree", "conf.yml")
        builder.git("update-index", "--assume-unchanged", "lib/cart.ts")

        found = index_blobs(builder.open(), ["conf.yml", "lib/cart.ts"])

        assert {path: skipped for path, (_, _, skipped) in found.items()} == {
            "conf.yml": True,
            "lib/cart.ts": False,
        }

    def test_both_bits_at_once(self, builder):
        builder.git("update-index", "--skip-worktree", "conf.yml")
        builder.git("update-index", "--assume-unchanged", "conf.yml")

        assert index_blobs(builder.open(), ["conf.yml"])["conf.yml"][2]

    def test_names_are_taken_literally(self, builder):
        odd = ["[c]onf.yml", "*", ":(glob)x", os.fsdecode(b"\xe9"), "a\tb\nc"]
        builder.commit("odd", dict.fromkeys(odd, "x\n"))

        assert set(index_blobs(builder.open(), odd)) == set(odd)
        assert index_blobs(builder.open(), ["c*"]) == {}

    def test_of_a_conflict_the_checked_out_side_counts(self, builder):
        builder.git("checkout", "--quiet", "-b", "other")
        builder.commit("theirs", {"conf.yml": "a: 3\n"})
        builder.git("checkout", "--quiet", "main")
        builder.commit("ours", {"conf.yml": "a: 2\n"})
        builder.git("merge", "--quiet", "other", check=False)

        assert index_blobs(builder.open(), ["conf.yml"]) == {
            "conf.yml": ("100644", builder.rev("HEAD:conf.yml"), False)
        }

    def test_a_hook_sees_the_index_it_was_given(self, builder):
        other = builder.path.parent / "other-index"
        shutil.copy(builder.path / ".git/index", other)
        builder.write("new.txt", "x\n")
        builder.git("add", "new.txt", env={"GIT_INDEX_FILE": str(other)})
        opened = discover(str(builder.path), {**os.environ, "GIT_INDEX_FILE": str(other)})

        assert index_blobs(opened, ["new.txt"]) == {}
        assert set(index_blobs(opened, ["new.txt"], staged=True)) == {"new.txt"}


@pytest.mark.usefixtures("amount")
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_staged_intent_is_told_from_an_empty_file(tmp_path, object_format):
    builder = RepoBuilder.start(tmp_path, object_format)
    for name in ("[i]ntent", "empty", "intent"):
        builder.write(name, "")
    builder.git("add", "empty")
    builder.git("--literal-pathspecs", "add", "-N", "[i]ntent", "intent")
    opened = builder.open()
    listed = index_blobs(opened, ["[i]ntent", "conf.yml", "empty", "intent"])

    found = intended_paths(opened, {path: oid for path, (_, oid, _) in listed.items()})

    assert found == {"[i]ntent", "intent"}


@pytest.mark.usefixtures("amount")
def test_paths_of_a_revision(builder):
    old = builder.rev("HEAD")
    builder.commit("more", {"lib/[x].ts": "x\n", "conf.yml": "a: 2\n"})
    paths = ["lib/[x].ts", "conf.yml", "absent"]

    assert tree_blobs(builder.open(), old, paths) == {
        "conf.yml": ("100644", builder.rev(f"{old}:conf.yml"))
    }
    assert set(tree_blobs(builder.open(), "HEAD", paths)) == {"lib/[x].ts", "conf.yml"}


def test_sha256_ids_are_read_in_full(repo256):
    opened, oid = repo256.open(), repo256.rev("HEAD:conf.yml")

    assert index_blobs(opened, ["conf.yml"]) == {"conf.yml": ("100644", oid, False)}
    assert tree_blobs(opened, "HEAD", ["conf.yml"]) == {"conf.yml": ("100644", oid)}


def test_asking_for_nothing_starts_no_process(builder, monkeypatch):
    opened = builder.open()
    monkeypatch.setattr(type(opened), "run", pytest.fail)

    assert index_blobs(opened, []) == {}
    assert tree_blobs(opened, "HEAD", []) == {}


def test_a_revision_is_never_taken_for_an_option(builder, tmp_path):
    with pytest.raises(Exception, match="Not a valid object name"):
        tree_blobs(builder.open(), f"--output={tmp_path}/x", ["conf.yml"])


def test_a_sparse_index_is_read(builder):
    builder.commit("more", {"far/away.txt": "x\n"})
    builder.git("sparse-checkout", "set", "--cone", "--sparse-index", "lib")

    found = index_blobs(builder.open(), ["far/away.txt", "lib/cart.ts"])

    assert {path: skipped for path, (_, _, skipped) in found.items()} == {
        "far/away.txt": True,
        "lib/cart.ts": False,
    }


class TestAnchorObstacle:
    """Why a path cannot be a file anchor."""

    def obstacle(self, builder: RepoBuilder, path: str) -> str:
        return anchor_obstacle(builder.open(), path) or ""

    @pytest.mark.parametrize(
        "path", ["conf.yml", "lib/cart.ts", "new.txt", "link", "gone", "gone/x"]
    )
    def test_files_links_untracked_and_missing_ones_are_fine(self, builder, path):
        builder.write("new.txt", "x\n")
        (builder.path / "link").symlink_to("conf.yml")

        assert anchor_obstacle(builder.open(), path) is None

    def test_a_directory_is_told_to_be_a_tree(self, builder):
        assert self.obstacle(builder, "lib").endswith(
            "name a file in it, or all of them as tree:lib"
        )

    @pytest.mark.parametrize("path", ["", "/etc/passwd", "../x", "lib/../x", "a//b", ".git/config"])
    def test_outside_of_the_repository(self, builder, path):
        assert "not a path inside the repository" in self.obstacle(builder, path)

    def test_through_a_link(self, builder):
        (builder.path / "alias").symlink_to("lib")

        assert "symbolic link 'alias'" in self.obstacle(builder, "alias/cart.ts")

    def test_a_pipe(self, builder):
        os.mkfifo(builder.path / "pipe")

        assert "neither a regular file" in self.obstacle(builder, "pipe")

    def test_an_ignored_file_and_a_tracked_one_that_matches(self, builder):
        builder.commit("ignore", {"kept.log": "x\n"})
        builder.write(".gitignore", "*.log\n/out/\n")
        builder.write("new.log", "x\n")
        builder.write("out/x", "x\n")

        assert "ignored by git" in self.obstacle(builder, "new.log")
        assert "ignored by git" in self.obstacle(builder, "out/x")
        assert anchor_obstacle(builder.open(), "kept.log") is None

    def test_a_submodule_checked_out_or_not(self, tmp_path):
        builder = RepoBuilder.start(tmp_path)
        other = RepoBuilder.start(tmp_path, name="other")
        builder.git("submodule", "--quiet", "add", str(other.path), "sub")
        builder.commit("submodule")
        fresh = builder.clone("fresh")

        for where in (builder, fresh):
            assert "submodule" in self.obstacle(where, "sub/conf.yml")
        assert "submodule" in self.obstacle(builder, "sub")

    def test_a_repository_nobody_registered(self, tmp_path):
        builder = RepoBuilder.start(tmp_path)
        RepoBuilder.start(builder.path, name="nested")

        assert "repository 'nested'" in self.obstacle(builder, "nested/conf.yml")

    def test_in_a_bare_repository_head_is_asked(self, tmp_path):
        builder = RepoBuilder.start(tmp_path)
        other = RepoBuilder.start(tmp_path, name="other")
        builder.git("submodule", "--quiet", "add", str(other.path), "sub")
        builder.commit("submodule")
        bare = builder.clone("bare", "--bare")

        assert anchor_obstacle(bare.open(), "conf.yml") is None
        assert "a directory" in self.obstacle(bare, "lib")
        assert "a submodule" in self.obstacle(bare, "sub")


def test_untracked_is_what_the_index_does_not_have(builder):
    builder.write("new.txt", "x\n")

    assert is_untracked(builder.open(), "new.txt")
    assert not is_untracked(builder.open(), "conf.yml")


def test_no_question_rewrites_the_index(builder):
    """`git status` and `git diff` would, for a touched but equal file."""
    os.utime(builder.path / "conf.yml", (1, 1))
    index = builder.path / ".git/index"
    before = (index.stat().st_ino, index.stat().st_mtime_ns, index.read_bytes())
    opened = builder.open()

    index_blobs(opened, ["conf.yml"])
    anchor_obstacle(opened, "conf.yml")
    is_untracked(opened, "conf.yml")
    opened.git("diff-files")

    assert (index.stat().st_ino, index.stat().st_mtime_ns, index.read_bytes()) == before
