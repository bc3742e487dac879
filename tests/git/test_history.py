"""Questions to history, on histories with renames, merges, shallow ends and no commits at all."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from git_knowl.plumbing import history
from git_knowl.plumbing.history import RevisionError
from tests.support.builders import RepoBuilder
from tests.support.seal import MAIL, NAME


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_revisions_resolve_to_full_commit_ids(tmp_path, object_format):
    builder = RepoBuilder.start(tmp_path, object_format)
    builder.git("tag", "--annotate", "--message", "x", "v1")

    for rev in ("HEAD", "main", "v1", builder.rev("HEAD")[:8]):
        assert history.resolve(builder.open(), rev) == builder.rev("HEAD")


@pytest.mark.parametrize("rev", ["nope", "", "--help", "HEAD:conf.yml", "HEAD~9", "a\0b", "1" * 40])
def test_what_names_no_commit_is_refused(repo, rev):
    with pytest.raises(RevisionError, match="does not name a commit"):
        history.resolve(repo.open(), rev)


@pytest.mark.parametrize("is_bare", [True, False])
@pytest.mark.parametrize("rev", ["HEAD", "@", "main"])
def test_before_the_first_commit_that_is_what_is_said(tmp_path, rev, is_bare):
    builder = RepoBuilder.make(tmp_path, bare=is_bare)

    with pytest.raises(RevisionError, match="there is no commit yet"):
        history.resolve(builder.open(), rev)
    with pytest.raises(RevisionError, match="does not name a commit"):
        history.resolve(builder.open(), "nope")


def test_contents_are_those_of_branches_and_of_every_worktree(repo):
    first, path = repo.rev("HEAD:conf.yml"), repo.path.parent / "aside"
    repo.git("worktree", "add", "-q", "--detach", str(path), "HEAD")
    aside = RepoBuilder(path)
    second = aside.commit("aside", {"conf.yml": "a: 2\n"})

    found = history.branch_blobs(repo.open(), "conf.yml")

    assert found == {first, repo.rev(f"{second}:conf.yml")}
    assert history.branch_blobs(aside.open(), "conf.yml") == found
    repo.git("worktree", "remove", "--force", str(path))
    assert history.branch_blobs(repo.open(), "conf.yml") == {first}


def test_the_last_change_of_a_path(repo):
    oid = repo.commit("teach carts to add\n\nbody", {"lib/cart.ts": "new\n"})
    repo.commit("unrelated", {"conf.yml": "a: 2\n"})

    change = history.last_change(repo.open(), "HEAD", "lib/cart.ts")

    assert change == history.Commit(oid, NAME, MAIL, "2026-11-01T09:01:00Z", "teach carts to add")
    assert history.last_change(repo.open(), "HEAD", "never.ts") is None


def test_times_are_in_utc_whatever_the_author_lived_by(repo):
    repo.write("conf.yml", "a: 2\n")
    repo.git("commit", "-qam", "x", "--date", "2026-01-01T00:30:00+0200")

    change = history.last_change(repo.open(), "HEAD", "conf.yml")

    assert change is not None
    assert change.at == "2025-12-31T22:30:00Z"


def test_settings_of_the_user_do_not_reach_the_answers(repo):
    for key, value in {
        "log.showSignature": "true",
        "log.follow": "true",
        "log.date": "relative",
        "format.pretty": "oneline",
        "color.ui": "always",
    }.items():
        repo.git("config", key, value)
    repo.git("mv", "conf.yml", "moved.yml")
    moved = repo.commit("move")

    change = history.last_change(repo.open(), "HEAD", "moved.yml")

    assert change is not None
    assert (change.oid, change.subject) == (moved, "move")


def test_churn_counts_commits_of_the_last_days(repo):
    today = datetime.now(UTC)
    for days in (200, 80, 10, 1):
        repo.now = today - timedelta(days=days)
        repo.commit(f"{days} ago", {"conf.yml": f"a: {days}\n"})

    assert history.changed_since(repo.open(), "HEAD", "conf.yml", 90) == 3
    assert history.changed_since(repo.open(), "HEAD", "conf.yml", 5) == 1


class TestPatchId:
    """The same change has the same id, wherever it stands."""

    def test_a_partial_clone_without_its_remote_has_none(self, repo):
        repo.git("config", "uploadpack.allowFilter", "true")
        repo.commit("change", {"conf.yml": "a: 2\n"})
        partial = repo.clone("partial", "--no-local", "--filter=blob:none", "--no-checkout")
        (repo.path / ".git").rename(repo.path / "gone")

        assert history.patch_id(partial.open(), "HEAD") is None

    def test_survives_a_cherry_pick(self, repo):
        repo.git("checkout", "--quiet", "-b", "side")
        one = repo.commit("change", {"conf.yml": "a: 2\n"})
        repo.git("checkout", "--quiet", "main")
        repo.commit("other", {"x": "x\n"})
        repo.git("cherry-pick", one)

        opened = repo.open()
        assert history.patch_id(opened, one) == history.patch_id(opened, "HEAD")

    def test_of_the_first_commit_and_of_none(self, repo):
        opened = repo.open()
        first = history.patch_id(opened, "HEAD")
        repo.commit("empty")

        assert first is not None
        assert len(first) == 40
        assert history.patch_id(opened, "HEAD") is None

    def test_does_not_depend_on_settings(self, repo):
        oid = repo.commit("change", {"conf.yml": "a: 2\n", "lib/two.ts": "x\n"})
        before = history.patch_id(repo.open(), oid)
        for key, value in {
            "diff.noprefix": "true",
            "diff.context": "1",
            "diff.algorithm": "histogram",
            "diff.external": "false",
            "diff.renames": "copies",
        }.items():
            repo.git("config", key, value)

        assert history.patch_id(repo.open(), oid) == before

    def test_a_merge_has_none(self, repo):
        repo.git("checkout", "--quiet", "-b", "side")
        repo.commit("side", {"y": "y\n"})
        repo.git("checkout", "--quiet", "main")
        repo.commit("other", {"x": "x\n"})
        repo.git("merge", "--quiet", "--no-edit", "side")

        assert history.patch_id(repo.open(), "HEAD") is None

    def test_a_patch_that_takes_too_long_has_none(self, repo, tmp_path, monkeypatch):
        slow = tmp_path / "bin" / "git"
        slow.parent.mkdir()
        slow.write_text(
            '#!/bin/sh\ncase " $* " in *" diff-tree "*) sleep 60 ;; esac\n'
            f'exec "{shutil.which("git")}" "$@"\n'
        )
        slow.chmod(0o755)
        monkeypatch.setenv("PATH", str(slow.parent), prepend=os.pathsep)
        monkeypatch.setattr(history, "_PATCH_SECONDS", 0.2)

        assert history.patch_id(repo.open(), "HEAD") is None


def test_root_commits_are_sorted_and_grow(repo):
    start = repo.rev("HEAD")
    repo.git("checkout", "--quiet", "--orphan", "other")
    second = repo.commit("another beginning", {"x": "x\n"})
    repo.git("merge", "--quiet", "--no-edit", "--allow-unrelated-histories", "main")

    assert history.root_commits(repo.open()) == sorted([start, second])


def test_a_shallow_clone_is_known_and_has_no_roots(repo):
    repo.commit("second", {"x": "x\n"})
    shallow = RepoBuilder(repo.path.parent / "shallow")
    repo.git("clone", "--quiet", "--depth=1", f"file://{repo.path}", str(shallow.path))

    assert history.is_shallow(shallow.open())
    assert not history.is_shallow(repo.open())
    assert history.root_commits(shallow.open()) == []


def test_an_unborn_branch_has_a_name_and_no_commit(tmp_path):
    opened = RepoBuilder.make(tmp_path).open()

    assert history.head(opened) is None
    assert history.branch(opened) == "main"
    assert history.root_commits(opened) == []


def test_a_detached_head_has_a_commit_and_no_name(repo):
    repo.git("checkout", "--quiet", "--detach")

    assert history.head(repo.open()) == repo.rev("HEAD")
    assert history.branch(repo.open()) is None


def test_a_branch_name_with_slashes_is_whole(repo):
    repo.git("checkout", "--quiet", "-b", "feature/one")

    assert history.branch(repo.open()) == "feature/one"
