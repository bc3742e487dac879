"""Trees as maps from path to content, with git itself as referee."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.plumbing.objects import decode_tree, object_id, open_objects
from git_knowl.store import trees
from tests.support.builders import RepoBuilder

names = st.sampled_from(["a", "b", "a.x", "a-b", "é", "z"])
paths = st.lists(names, min_size=1, max_size=3).map("/".join)
contents = st.one_of(st.none(), st.binary(max_size=3))


class Written:
    """A tree that is kept in the repository as it is edited."""

    def __init__(self, builder):
        self.builder = builder
        self.repo = builder.open()
        self.db = open_objects(self.repo)
        self.root = None

    def edit(self, changes):
        self.root, objects = trees.edit(self.db, self.repo.object_format, self.root, changes)
        self.db.write(objects)
        return objects

    def files(self):
        return {path: self.content(blob) for path, blob in trees.walk(self.db, self.root)}

    def content(self, blob):
        return next(self.db.read_blobs([blob]))[1]


@pytest.fixture(params=["sha1", "sha256"])
def tree(request, tmp_path):
    return Written(RepoBuilder.make(tmp_path, request.param))


def test_git_reads_the_tree_that_was_edited(tree):
    tree.edit({"entries/qf/one.md": b"1", "format": b"f", "entries/qg/two.md": b"2"})

    listed = tree.builder.git("ls-tree", "-r", "--name-only", tree.root)
    assert listed.splitlines() == ["entries/qf/one.md", "entries/qg/two.md", "format"]
    assert tree.builder.git("show", f"{tree.root}:entries/qg/two.md") == "2"
    tree.builder.git("fsck", "--strict", tree.root)


def test_one_change_writes_only_the_folders_on_its_way(tree):
    tree.edit({f"entries/{shard}/x.md": b"x" for shard in ("aa", "bb", "cc")})

    objects = tree.edit({"entries/bb/y.md": b"y"})

    assert sorted(kind for kind, _ in objects) == ["blob", "tree", "tree", "tree"]


def test_a_change_that_alters_nothing_needs_no_object_and_keeps_the_id(tree):
    tree.edit({"a/b": b"1"})
    before = tree.root

    objects = tree.edit({"a/b": b"1", "c/d": None})

    assert (tree.root, objects) == (before, [])


def test_folders_left_empty_disappear(tree):
    tree.edit({"a/b/c": b"1", "d": b"2"})

    tree.edit({"a/b/c": None})

    assert tree.files() == {"d": b"2"}
    assert tree.builder.git("ls-tree", "--name-only", tree.root) == "d"


def test_the_last_removal_leaves_the_empty_tree(tree):
    tree.edit({"a/b": b"1"})

    tree.edit({"a/b": None})

    assert tree.files() == {}
    assert tree.builder.git("cat-file", "-t", tree.root) == "tree"


def test_find_answers_for_files_only(tree):
    tree.edit({"a/b": b"1"})

    assert tree.content(trees.find(tree.db, tree.root, "a/b")) == b"1"
    assert trees.find(tree.db, tree.root, "a") is None
    assert trees.find(tree.db, tree.root, "a/b/c") is None
    assert trees.find(tree.db, None, "a/b") is None


def test_a_file_where_a_folder_belongs_is_not_overwritten(tree):
    tree.edit({"entries": b"a file"})

    with pytest.raises(trees.TreeError, match="expected a folder 'entries'"):
        tree.edit({"entries/qf/x.md": b"x"})


def test_a_folder_where_a_file_belongs_is_not_overwritten(tree):
    tree.edit({"format/x": b"x"})

    with pytest.raises(trees.TreeError, match="found a folder"):
        tree.edit({"format": b"f"})


def test_one_edit_cannot_write_a_path_as_file_and_folder(tree):
    with pytest.raises(trees.TreeError, match="as a file and as a folder"):
        tree.edit({"a": b"1", "a/b": b"2"})


def test_equal_folders_are_not_opened_when_comparing(tree):
    tree.edit({f"entries/{shard}/x.md": b"x" for shard in ("aa", "bb", "cc")})
    old = tree.root
    tree.edit({"entries/bb/x.md": b"y", "entries/bb/z.md": b"z"})
    opened = []

    class Counting:
        def read_tree(self, oid):
            opened.append(oid)
            return tree.db.read_tree(oid)

    found = dict(trees.changed(Counting(), old, tree.root))

    assert {path: tree.content(blob) for path, blob in found.items()} == {
        "entries/bb/x.md": b"y",
        "entries/bb/z.md": b"z",
    }
    assert len(opened) == 6


def test_a_file_that_became_a_folder_is_gone_and_its_files_are_new(tree):
    tree.edit({"a": b"1"})
    old = tree.root
    tree.edit({"a": None})
    tree.edit({"a/b": b"2"})

    forth = dict(trees.changed(tree.db, old, tree.root))
    back = dict(trees.changed(tree.db, tree.root, old))

    assert forth.keys() == back.keys() == {"a", "a/b"}
    assert forth["a"] is None
    assert back["a/b"] is None


class Memory:
    """Trees by id, as they come out of an edit."""

    def __init__(self):
        self.root = None
        self.content = {}

    def read_tree(self, oid):
        return decode_tree(self.content[oid], "sha1") if oid else []

    def edit(self, changes):
        self.root, objects = trees.edit(self, "sha1", self.root, changes)
        self.content.update({object_id(kind, data, "sha1"): data for kind, data in objects})

    def files(self):
        return {path: self.content[blob] for path, blob in trees.walk(self, self.root)}


@given(edits=st.lists(st.dictionaries(paths, contents, max_size=4), max_size=4))
def test_edits_behave_like_a_dictionary_and_comparing_finds_exactly_the_difference(edits):
    tree = Memory()
    kept: dict[str, bytes] = {}
    for changes in edits:
        before, old = kept, tree.root
        try:
            tree.edit(changes)
        except trees.TreeError:
            continue
        kept = {path: data for path, data in {**kept, **changes}.items() if data is not None}

        assert tree.files() == kept
        found = dict(trees.changed(tree, old, tree.root))
        assert found.keys() == {
            path for path in before.keys() | kept.keys() if before.get(path) != kept.get(path)
        }
