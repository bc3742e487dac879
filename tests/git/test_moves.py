"""Where files went."""

from __future__ import annotations

from git_knowl.plumbing import moves

LONG = "".join(f"line {number}\n" for number in range(40))


def test_every_path_of_a_blob_is_listed(repo):
    repo.commit("copies", {"b": "same\n", "a": "same\n"})
    oid = repo.git("rev-parse", "HEAD:a")
    repo.git("rm", "-q", "a")

    opened = repo.open()
    assert moves.paths_by_blob(opened)[oid] == ["b"]
    assert moves.paths_by_blob(opened, "HEAD")[oid] == ["a", "b"]


def test_renames_of_a_commit_are_found_by_likeness(repo):
    repo.commit("long", {"a.txt": LONG})
    repo.git("mv", "a.txt", "b.txt")
    commit = repo.commit("rename", {"b.txt": f"{LONG}more\n", "new": "1\n"})

    assert moves.renames_in(repo.open(), commit) == {"a.txt": "b.txt"}


def test_renames_in_the_index_are_found_by_likeness(repo):
    repo.commit("long", {"a.txt": LONG})
    repo.git("mv", "a.txt", "b.txt")

    assert moves.renames_in_index(repo.open(), "HEAD") == {"a.txt": "b.txt"}
    repo.git("reset", "-q", "--hard")
    assert moves.renames_in_index(repo.open(), "HEAD") == {}
