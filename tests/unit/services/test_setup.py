"""Setting a repository up, and taking every trace of that back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from git_knowl.plumbing import config
from git_knowl.services.audit.audit import audit
from git_knowl.services.files import UNFINISHED, replace_file, unfinished_path
from git_knowl.services.flag import flag
from git_knowl.services.listing import list_all
from git_knowl.services.setup import HIDDEN, init, uninstall
from tests.support.people import CART, person, tips, write

SHOWING_ALL = ("log.initialDecorationSet", "all")
OLD_GIT = (2, 38)


def excluded(repo):
    listed = repo.git("config", "--local", "--get-all", "log.excludeDecoration", check=False)
    return tuple(listed.splitlines())


def decorations(repo):
    return repo.git("log", "--decorate=full", "--format=%D", "-1", "HEAD")


def test_where_git_hides_our_refs_by_itself_nothing_is_set(repo):
    repo.git("update-ref", "refs/pull/1/head", "HEAD")
    before = decorations(repo)

    assert init(person(repo)).done == ()
    assert excluded(repo) == ()
    assert decorations(repo) == before
    assert "refs/pull" not in before


@pytest.mark.parametrize("setting", [SHOWING_ALL, ("log.excludeDecoration", "refs/mine/*")])
def test_settings_that_would_show_our_refs_are_completed_once(repo, setting):
    repo.git("config", *setting)
    repo.git("update-ref", "refs/knowl/entries", "HEAD")
    assert "refs/knowl" in decorations(repo)

    first, second = init(person(repo)), init(person(repo))

    assert (len(first.done), second.done) == (1, ())
    assert excluded(repo)[-3:] == HIDDEN
    assert "refs/knowl" not in decorations(repo)


def test_an_older_git_is_told_in_any_case(repo, monkeypatch):
    monkeypatch.setattr(config, "git_version", lambda _: OLD_GIT)

    init(person(repo))

    assert excluded(repo) == HIDDEN


def test_a_bare_repository_is_set_up_too(repo):
    bare = repo.clone("bare", "--bare")
    bare.git("config", *SHOWING_ALL)

    init(person(bare))

    assert excluded(bare) == HIDDEN


@pytest.mark.parametrize(
    "more", ["", "[log]\n\tdate = iso\n", "[log]\n\texcludeDecoration = refs/x/*\n", "# a remark\n"]
)
def test_uninstall_leaves_the_configuration_byte_for_byte_as_it_was(repo, monkeypatch, more):
    monkeypatch.setattr(config, "git_version", lambda _: OLD_GIT)
    path = repo.path / ".git" / "config"
    path.write_text(path.read_text() + more)
    before = path.read_bytes()

    init(person(repo))
    assert path.read_bytes() != before
    uninstall(person(repo), {})

    assert path.read_bytes() == before


def test_uninstall_removes_caches_and_cursors_of_every_worktree_and_no_knowledge(repo):
    other = repo.worktree("w2", "w2")
    write(person(repo), "cart", CART)
    for one in (person(repo), person(other)):
        audit(one, one.world, move=True)
    (repo.path / ".git/knowl").joinpath("x").write_text("left by an older version")
    kept = tips(repo)

    done = uninstall(person(other), {})

    assert done.done == ("removed caches and cursors",)
    assert list((repo.path / ".git").rglob("knowl*")) == knowledge_files(repo)
    assert not (repo.path / ".git/common").exists()
    assert tips(repo) == kept
    assert [one.row.name for one in list_all(person(repo)).entries] == ["cart"]


def knowledge_files(repo):
    """Return the folders that hold refs and their reflogs."""
    return [
        found
        for found in (repo.path / ".git").rglob("knowl*")
        if {"refs", "logs"} & set(found.relative_to(repo.path / ".git").parts)
    ]


def test_what_others_keep_in_the_common_folder_stays(repo):
    write(person(repo), "cart", CART)
    (repo.path / ".git/common/theirs").write_text("kept")

    uninstall(person(repo), {})

    assert [path.name for path in (repo.path / ".git/common").iterdir()] == ["theirs"]


@pytest.mark.parametrize("knowledge", [False, True])
def test_what_a_person_wrote_and_nobody_stored_is_kept_and_named(repo, knowledge):
    """Not even with all knowledge: what was asked about is what is stored."""
    other = repo.worktree("w2", "w2")
    kept = [unfinished(where, name) for where, name in ((repo, "a.md"), (other, "b.1.md"))]
    audit(person(other), person(other).world, move=True)
    Path(person(other).repo.worktree_path("folder", "left")).mkdir(parents=True)

    done = uninstall(person(repo), {}, knowledge=knowledge)

    assert done.done[-2:] == tuple(f"kept the unfinished text {path}" for path in kept)
    assert [path.read_text() for path in kept] == ["hours of work\n"] * 2
    assert [path.name for path in (repo.path / ".git/common/knowl").iterdir()] == [UNFINISHED]
    assert not Path(repo.open().worktree_path()).exists()
    assert uninstall(person(repo), {}).done == done.done[-2:]


def test_a_folder_for_unfinished_texts_that_holds_none_goes(repo):
    kept = unfinished(repo, "a.md")
    kept.unlink()

    uninstall(person(repo), {})

    assert not kept.parent.parent.exists()


def test_unfinished_texts_outlive_their_worktree(repo):
    other = repo.worktree("w2", "w2")
    kept = unfinished(other, "a.md")

    repo.git("worktree", "remove", "--force", str(other.path))

    assert kept.read_text() == "hours of work\n"


def unfinished(repo, name):
    """Leave a text of a person as an editor does whose text was refused."""
    path = Path(unfinished_path(repo.open(), name))
    replace_file(str(path), "hours of work\n")
    return path


def test_a_lock_that_a_killed_writer_left_does_not_keep_knowledge_from_going(repo):
    write(person(repo), "cart", CART)
    lock = repo.path / ".git/refs/knowl/entries.lock"
    lock.touch()
    os.utime(lock, (1, 1))

    uninstall(person(repo), {}, knowledge=True)

    assert tips(repo) == {}


def test_with_knowledge_every_ref_of_the_store_goes_and_nothing_else(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    flag(ctx, "something odd")
    repo.git("update-ref", "refs/knowl-remotes/origin/entries", "refs/knowl/entries")
    repo.git("tag", "knowl")
    others = {ref: oid for ref, oid in repo.refs().items() if "knowl/" not in ref}
    others = {ref: oid for ref, oid in others.items() if "knowl-" not in ref}
    del others["refs/notes/knowl"]

    done = uninstall(person(repo), {}, knowledge=True)

    assert done.done[0] == "deleted 5 refs of the store in this clone"
    assert repo.refs() == others
    assert uninstall(person(repo), {}, knowledge=True).done == ()
