"""Who changed many paths last, against `git log -1` path by path as referee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.plumbing.changes import last_changes, shallow_ends

if TYPE_CHECKING:
    from tests.support.builders import RepoBuilder


def held(repo: RepoBuilder, *paths: str) -> dict[str, str | None]:
    return {path: _blob(repo, path) for path in paths}


def _blob(repo: RepoBuilder, path: str) -> str | None:
    return repo.git("rev-parse", "--quiet", "--verify", f"HEAD:{path}", check=False) or None


def test_no_path_is_no_question(repo):
    assert last_changes(repo.open(), "HEAD", {}) == {}


def test_git_log_names_the_same_commits_for_few_and_for_many_paths(repo):
    names = [f"f{number}" for number in range(120)]
    repo.commit("all", dict.fromkeys(names, "0\n"))
    for step in range(1, 6):
        repo.commit(f"step {step}", dict.fromkeys(names[::step], f"{step}\n"))

    opened = repo.open()
    found = last_changes(opened, "HEAD", held(repo, "conf.yml", *names))

    for path in ("conf.yml", *names[:12]):
        asked = repo.git("log", "-1", "--format=%H%x00%an%x00%ae%x00%s", "--", path)
        commit = found[path].change
        assert commit is not None
        assert [commit.oid, commit.author, commit.email, commit.subject] == asked.split("\0")
        assert last_changes(opened, "HEAD", held(repo, path))[path] == found[path]


def test_a_path_deep_in_the_past_is_found(repo):
    for step in range(40):
        repo.commit(f"{step}", {"busy": f"{step}\n"})

    found = last_changes(repo.open(), "HEAD", held(repo, "busy", "conf.yml"))

    assert found["busy"].change.subject == "39"
    assert found["conf.yml"].change.subject == "start"


def test_a_deletion_is_found_among_those_of_other_paths(repo):
    repo.commit("two", {"a": "1\n", "b": "1\n"})
    repo.git("rm", "-q", "a")
    first = repo.commit("no a")
    repo.git("rm", "-q", "b")
    second = repo.commit("no b")

    found = last_changes(repo.open(), "HEAD", {"a": None, "b": None, "never": None})

    assert (found["a"].change.oid, found["b"].change.oid) == (first, second)
    assert (found["never"].change, found["never"].known) == (None, False)


def test_the_last_of_two_deletions_counts(repo):
    repo.commit("add", {"a": "1\n"})
    repo.git("rm", "-q", "a")
    repo.commit("no a")
    repo.commit("add again", {"a": "1\n"})
    repo.git("rm", "-q", "a")
    last = repo.commit("no a again")

    assert last_changes(repo.open(), "HEAD", {"a": None})["a"].change.oid == last


def test_subjects_and_names_may_look_like_the_format(repo):
    commit = repo.commit(":100644 \x01 odd", {"\x01name": "1\n", ":100644 x": "2\n"})

    found = last_changes(repo.open(), "HEAD", held(repo, "\x01name", ":100644 x"))

    assert {trace.change.oid for trace in found.values()} == {commit}


def test_the_configuration_of_the_user_changes_nothing(repo):
    repo.git("config", "log.showRoot", "false")
    repo.git("config", "log.follow", "true")
    repo.git("config", "diff.renames", "copies")
    repo.git("config", "log.diffMerges", "first-parent")
    repo.git("mv", "conf.yml", "other.yml")
    commit = repo.commit("rename")

    opened = repo.open()
    found = last_changes(opened, "HEAD", held(repo, "lib/cart.ts", "conf.yml"))

    assert found["lib/cart.ts"].change.subject == "start"
    assert found["conf.yml"].change.oid == commit
    assert last_changes(opened, "HEAD", held(repo, "other.yml"))["other.yml"].change.oid == commit


def test_the_end_of_a_shallow_history_is_known_and_blames_nobody(repo):
    repo.commit("two", {"a": "1\n"})
    clone = repo.clone("shallow", "--no-local", "--depth=1")

    opened = clone.open()
    found = last_changes(opened, "HEAD", held(clone, "a", "conf.yml"))

    assert shallow_ends(opened) == {clone.rev("HEAD")}
    assert shallow_ends(repo.open()) == set()
    assert [(trace.change, trace.known) for trace in found.values()] == [(None, True)] * 2
