"""The refs at one moment, with staged edits on top of what is committed."""

from __future__ import annotations

import pytest

from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import MissingObject
from git_knowl.store.operations import PutEntry
from tests.support.stores import PutRaw, entry, identifier, write


@pytest.fixture
def tree(store):
    """Give an inbox that holds three files."""
    paths = ("flags/aa/x.json", "flags/bb/y.json", "drafts/aa/z.json")
    write(store, *(PutRaw(refs.INBOX, path, path.encode()) for path in paths))
    return store.view().tree(refs.INBOX)


def paths(files):
    return [path for path, _ in files]


def test_files_are_listed_below_a_folder_or_right_in_it(tree):
    assert paths(tree.files("flags")) == ["flags/aa/x.json", "flags/bb/y.json"]
    assert paths(tree.files()) == [
        "drafts/aa/z.json",
        "flags/aa/x.json",
        "flags/bb/y.json",
        "format",
    ]
    assert paths(tree.files_in("flags")) == []
    assert paths(tree.files_in("flags/bb")) == ["flags/bb/y.json"]
    assert paths(tree.files("flag")) == paths(tree.files_in("none")) == []


def test_staged_edits_are_seen_by_every_way_of_reading(tree):
    tree.stage("flags/bb/y.json", None)
    tree.stage("flags/aa/x.json", b"new")
    tree.stage("flags/cc/w.json", b"w")
    tree.stage("drafts/cc/gone.json", None)
    tree.stage("flags-old/aa/v.json", b"v")

    assert paths(tree.files("flags")) == ["flags/aa/x.json", "flags/cc/w.json"]
    assert paths(tree.files_in("flags/aa")) == ["flags/aa/x.json"]
    assert paths(tree.files_in("flags/bb")) == []
    assert paths(tree.files("drafts")) == ["drafts/aa/z.json"]
    assert (tree.read("flags/aa/x.json"), tree.read("flags/bb/y.json")) == (b"new", None)
    assert dict(tree.files())["flags/aa/x.json"] == tree.find("flags/aa/x.json")
    assert tree.find("flags/bb/y.json") is None
    assert tree.committed("flags/bb/y.json")


def test_staged_edits_are_not_written(store, tree):
    tree.stage("flags/aa/x.json", None)

    assert store.view().tree(refs.INBOX).read("flags/aa/x.json") == b"flags/aa/x.json"


def test_a_staged_file_has_the_id_git_gives_it(repo, tree):
    tree.stage("flags/dd/x.json", b"content")

    assert tree.find("flags/dd/x.json") == repo.git("hash-object", "--stdin", stdin="content")


def test_blobs_are_read_in_order_and_a_missing_one_is_an_answer_among_the_others(any_store):
    write(any_store, PutRaw(refs.INBOX, "a", b"A"), PutRaw(refs.INBOX, "b", b"B"))
    view = any_store.view()
    known = dict(view.tree(refs.INBOX).files())
    missing = "1" * len(known["a"])

    found = list(view.read_each([known["b"], missing, known["a"]]))

    assert (found[0], found[2]) == (b"B", b"A")
    assert isinstance(found[1], MissingObject)


def test_holders_of_a_name_are_sorted_by_id_over_both_lanes(store):
    write(store, PutEntry(LOCAL, entry("conf", 2)))
    view = store.view()
    PutEntry(SHARED, entry("conf", 1)).apply(view)
    PutEntry(SHARED, entry("conf", 3)).apply(view)

    assert view.holders("conf") == [
        (SHARED, identifier(1)),
        (LOCAL, identifier(2)),
        (SHARED, identifier(3)),
    ]
    assert store.view().holders("conf") == [(LOCAL, identifier(2))]
    assert view.holders("none") == []


def test_refs_that_are_no_lanes_stage_no_names(store):
    view = store.view()
    PutRaw(refs.INBOX, f"entries/qf/{identifier(1)}.conf.md", b"x").apply(view)

    assert view.holders("conf") == []
