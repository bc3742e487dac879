"""What stands behind the tip of a remote: commits of a store and no others, bounded and sound."""

from __future__ import annotations

import os
import tempfile

import pytest

from git_knowl.interfaces.cli.commands.log import line
from git_knowl.plumbing import fsck
from git_knowl.plumbing.remote import BadObjects
from git_knowl.services.log import entry_log
from git_knowl.services.sync import lineage
from git_knowl.services.sync.place import NoStoreError
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import CART, tips
from tests.support.remotes import ENTRIES, Member, bare, moves

FORMAT = "format 1\nreader 1\n"


@pytest.fixture
def shared(hub, ada):
    """Give a hub that has the store of ada, who has all of it."""
    ada.write("cart", CART)
    ada.sync()
    return hub


def another_disk(folder):
    """Return a folder for temporary files on another file system than a folder."""
    places = [one for one in ("/dev/shm", "/tmp", "/var/tmp") if os.access(one, os.W_OK)]  # noqa: S108
    others = [one for one in places if os.stat(one).st_dev != os.stat(folder).st_dev]
    if not others:
        pytest.skip("there is one file system here")
    return others[0]


def test_temporary_files_may_lie_on_another_disk(shared, bob, tmp_path, monkeypatch):
    with tempfile.TemporaryDirectory(dir=another_disk(tmp_path)) as other:
        monkeypatch.setattr(tempfile, "tempdir", other)
        bob.sync()

        assert [one["name"] for one in Knowl(bob.repo.path).json("ls")["entries"]] == ["cart"]
        assert os.listdir(other) == []


def tree(hub, *items):
    """Return the tree of some (mode, name, id), in the order given, whatever git thinks of it."""
    raw = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(oid) for mode, name, oid in items)
    asked = ("hash-object", "-w", "--literally", "-t", "tree", "--stdin")
    return hub.git(*asked, stdin=raw)


def blob(hub, text):
    return hub.git("hash-object", "-w", "--stdin", stdin=text)


def top(hub, root=None, *parents, message="x"):
    """Put a commit on the ref of the store: of the tree there and on the tip unless told."""
    tip = hub.rev(ENTRIES)
    parents = parents or (tip,)
    above = [word for one in parents for word in ("-p", one)]
    made = hub.git("commit-tree", "-F", "-", *above, root or f"{tip}^{{tree}}", stdin=message)
    hub.git("update-ref", ENTRIES, made)
    return made


def with_code(hub):
    top(hub, None, hub.rev(ENTRIES), hub.rev("main"))


def after_code(hub):
    top(hub, None, hub.rev("main"))


def with_code_and_a_format(hub):
    """Hide code behind a file called as the one of a store, which says something else."""
    code = tree(hub, ("100644", "format", blob(hub, "black\n")))
    other = hub.git("commit-tree", "-m", "code", code)
    top(hub, None, hub.rev(ENTRIES), other)


def with_a_long_message(hub):
    top(hub, message="x" * 5_000)


OTHERS = {
    "the history of the code as a second parent": with_code,
    "the history of the code as the first parent": after_code,
    "a commit with a format of something else": with_code_and_a_format,
    "a message of megabytes": with_a_long_message,
}


@pytest.mark.parametrize("kind", OTHERS)
def test_a_history_with_other_commits_in_it_is_refused_with_the_way_out(
    shared, ada, kind, monkeypatch
):
    monkeypatch.setattr(lineage, "LARGEST", 4_000)
    OTHERS[kind](shared)
    ada.write("tax")
    before = tips(ada.repo), shared.refs()

    for options in ({}, {"pull": True}, {"dry_run": True}):
        with pytest.raises(NoStoreError, match=r"commit \w{10} ") as caught:
            ada.sync(**options)
        assert "can put refs/knowl/entries back" in caught.value.hint

    assert (tips(ada.repo), shared.refs()) == before


def test_what_is_ours_is_a_store_however_it_was_made(shared, ada, bob):
    """An emptied tree, a merge, the first commit of all stores: each is one of a store."""
    bob.write("tax")
    bob.sync()
    tip = shared.rev(ENTRIES)
    empty = shared.git("hash-object", "-w", "-t", "tree", "--stdin", stdin="")
    emptied = shared.git("commit-tree", "-m", "empty", "-p", tip, empty)
    top(shared, f"{tip}^{{tree}}", emptied)

    assert moves(ada.sync())[0] == [("new", "tax")]


def test_a_history_of_too_many_commits_is_refused(shared, bob, monkeypatch):
    monkeypatch.setattr(lineage, "MOST_COMMITS", 1)

    with pytest.raises(NoStoreError, match="more than 1 commits"):
        bob.sync()


def twice(hub, item):
    return tree(hub, ("100644", "format", blob(hub, FORMAT)), item, item)


def unsorted(hub, item):
    return tree(hub, item, ("100644", "format", blob(hub, FORMAT)))


def with_a_slash(hub, item):
    return tree(hub, ("100644", "format", blob(hub, FORMAT)), ("100644", "x/y", item[2]))


@pytest.mark.parametrize("make", [twice, unsorted, with_a_slash])
@pytest.mark.parametrize("depth", ["at the tip", "behind it"])
def test_folders_that_git_refuses_are_not_joined_although_no_fetch_brings_them(
    shared, ada, make, depth
):
    """As after a plain `git clone /path`, which copies every object and looks at none."""
    good = shared.rev(f"{ENTRIES}^{{tree}}")
    bad = make(shared, ("100644", "zz", blob(shared, "text")))
    top(shared, bad)
    if depth == "behind it":
        top(shared, good)
    copy = RepoBuilder(ada.repo.path)
    copy.git("fetch", "--quiet", str(shared.path), ENTRIES)
    before = tips(ada.repo)

    with pytest.raises(BadObjects, match="git refuses"):
        ada.sync()

    assert tips(ada.repo) == before


def test_nothing_is_kept_of_what_was_looked_at(shared, ada, tmp_path, monkeypatch):
    repo = ada.repo.open()
    listed = repo.git("rev-list", "--objects", "--filter=blob:none", ENTRIES)
    before = ada.repo.git("count-objects", "-v")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    assert fsck.complaint(repo, listed) is None
    assert ada.repo.git("count-objects", "-v") == before
    assert not list(tmp_path.glob("git-knowl-*"))


def test_objects_of_sha256_are_looked_at_too(tmp_path):
    hub = bare(tmp_path, object_format="sha256")
    eve = Member(hub.clone("eve"), "Eve <eve@example.org>")
    eve.write("tax")
    eve.sync()
    top(hub, twice(hub, ("100644", "zz", blob(hub, "text"))))
    eve.repo.git("fetch", "--quiet", str(hub.path), ENTRIES)

    with pytest.raises(BadObjects):
        eve.sync()


@pytest.mark.parametrize(
    "message", ["word " * 500, "x" * 5_000, "s\n\nKnowl-Op: " + "y " * 2_000 + "\n"]
)
def test_a_long_message_that_is_here_makes_no_long_line(shared, ada, message):
    tip = ada.repo.rev(ENTRIES)
    asked = ("commit-tree", "-F", "-", "-p", tip, f"{tip}^{{tree}}")
    ada.repo.git("update-ref", ENTRIES, ada.repo.git(*asked, stdin=message))
    ada.ctx.refresh()

    told = entry_log(ada.ctx, None, None)

    assert len(line(told[0], None)) < 1_400
    assert all(len(value) < 1_400 for one in told for _, value in one.trailers)
