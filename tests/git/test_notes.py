"""Notes as git reads them, whatever fan-out they have."""

from __future__ import annotations

import hashlib

import pytest

from git_knowl.plumbing import notes, refs
from git_knowl.plumbing.objects import encode_commit, object_id, open_objects
from tests.support.builders import RepoBuilder

WHO = "Kim <kim@example.org> 1 +0000"
REF = "refs/notes/knowl"


@pytest.fixture(params=["sha1", "sha256"])
def plain(request, tmp_path):
    builder = RepoBuilder.make(tmp_path, request.param)
    builder.commit("start", {"a": "1\n"})
    return builder


def put(builder, texts):
    """Edit the notes of a repository as the product does, and return the root tree."""
    repo = builder.open()
    db = open_objects(repo)
    before = refs.read(repo, (REF,))[REF]
    root = db.read_commit(before).tree if before else ""
    tree, objects = notes.edit(db, repo.object_format, root, texts)
    commit = encode_commit(tree, (), WHO, WHO, "notes\n")
    db.write([*objects, ("commit", commit)])
    oid = object_id("commit", commit, repo.object_format)
    refs.update(repo, [refs.Update(REF, oid, before)], "notes")
    return tree


def names(builder, count, seed=""):
    """Return ids as evenly spread as those of commits."""
    algorithm = builder.open().object_format
    return [hashlib.new(algorithm, f"{seed}{n}".encode()).hexdigest() for n in range(count)]


def shape(builder):
    return builder.git("ls-tree", "-r", "--name-only", REF).splitlines()


def test_git_shows_what_was_written(plain):
    commit = plain.rev("HEAD")
    put(plain, {commit: b"captured cart\n"})

    assert plain.git("notes", "--ref=knowl", "show", commit) == "captured cart"
    assert "captured cart" in plain.git("log", "--notes=knowl")


def test_few_notes_are_flat_and_many_are_fanned_out_as_git_does_it(plain):
    few, many = names(plain, 10), names(plain, 400, "more")
    put(plain, dict.fromkeys(few, b"x\n"))
    assert all("/" not in name for name in shape(plain))

    put(plain, {name: name.encode() for name in many})

    assert all(name[2] == "/" for name in shape(plain))
    listed = plain.git("notes", "--ref=knowl", "list").splitlines()
    assert {line.split()[1] for line in listed} == {*few, *many}
    before = shape(plain)
    plain.git("notes", "--ref=knowl", "add", "-m", "by git", "HEAD")
    assert set(before) < set(shape(plain)), "git keeps to the same fan-out"


def test_notes_that_git_wrote_are_read_and_kept(plain):
    commits = [plain.commit(str(n)) for n in range(3)]
    for commit in commits:
        plain.git("notes", "--ref=knowl", "add", "-m", f"on {commit}", commit)
    put(plain, {commits[0]: b"ours\n"})
    repo = plain.open()
    db = open_objects(repo)
    root = db.read_commit(plain.rev(REF)).tree

    assert notes.read(db, root, commits[:2]) == {
        commits[0]: b"ours\n",
        commits[1]: f"on {commits[1]}\n".encode(),
    }
    assert notes.read_all(db, root, repo.object_format).keys() == set(commits)


def test_what_is_no_note_stays_where_it_is(plain):
    blob = plain.git("hash-object", "-w", "--stdin", stdin="readme\n")
    tree = plain.git("mktree", stdin=f"100644 blob {blob}\tREADME\n")
    plain.git("update-ref", REF, plain.git("commit-tree", "-m", "x", tree))
    put(plain, {plain.rev("HEAD"): b"ours\n"})

    assert plain.git("show", f"{REF}:README") == "readme"


def test_no_notes_are_an_empty_tree(plain):
    assert plain.git("ls-tree", put(plain, {})) == ""
