"""One contract for both ways to the objects, in repositories of both hash formats."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.errors import KnowlError
from git_knowl.plumbing import objects
from git_knowl.plumbing.objects import (
    GitObjects,
    MissingObject,
    ObjectError,
    decode_tree,
    encode_commit,
    encode_tree,
    genesis,
    object_id,
    open_objects,
)
from tests.support.builders import RepoBuilder

WHO = "Kim <kim@example.org> 1700000000 +0100"


@pytest.fixture(params=["sha1", "sha256"])
def object_format(request):
    return request.param


@pytest.fixture
def builder(tmp_path, object_format):
    return RepoBuilder.start(tmp_path, object_format)


@pytest.fixture(params=["git", "pygit2"])
def db(request, builder):
    """Where libgit2 cannot open the repository, the bulk way is plain git by itself."""
    database = open_objects(builder.open(), bulk=request.param == "pygit2")
    yield database
    database.close()


def test_bulk_work_uses_libgit2_where_it_can(builder, object_format):
    is_plain = isinstance(open_objects(builder.open(), bulk=True), GitObjects)

    assert is_plain == (object_format == "sha256")


def test_what_is_written_is_read_back_in_the_order_asked(db):
    contents = [b"one", b"", b"\0binary\xff\n", os.urandom(300_000), b"one"]

    oids = db.write([("blob", data) for data in contents])

    assert list(db.read_blobs(reversed(oids))) == list(zip(oids, contents, strict=True))[::-1]


def test_ids_are_gits_own(db, builder):
    (oid,) = db.write([("blob", b"hello\n")])

    assert oid == builder.git("hash-object", "--stdin", stdin="hello\n")
    assert builder.git("cat-file", "-t", oid) == "blob"


def test_more_blobs_than_a_pipe_holds(db):
    contents = {f"{number}".encode() for number in range(600)}
    oids = db.write([("blob", data) for data in contents])

    assert {data for _, data in db.read_blobs(oids)} == contents


def test_a_reader_may_stop_early_and_ask_again(db):
    oids = db.write([("blob", str(number).encode()) for number in range(600)])

    assert next(db.read_blobs(oids))[1] == b"0"
    assert [data for _, data in db.read_blobs(oids[599:])] == [b"599"]


def test_objects_written_by_others_meanwhile_are_found(db, builder):
    list(db.read_blobs(db.write([("blob", b"first")])))

    oid = builder.git("hash-object", "-w", "--stdin", stdin="later")
    builder.git("gc", "--quiet", "--prune=never")

    assert [data for _, data in db.read_blobs([oid])] == [b"later"]


def test_a_tree_that_git_wrote(db, builder):
    entries = db.read_tree(builder.rev("HEAD^{tree}"))

    assert entries == [
        ("100644", "conf.yml", builder.rev("HEAD:conf.yml")),
        ("40000", "lib", builder.rev("HEAD:lib")),
    ]


def test_no_tree_is_an_empty_one(db):
    assert db.read_tree("") == []


def test_a_tree_we_write_is_one_git_accepts(db, builder):
    (blob,) = db.write([("blob", b"x")])
    inner = encode_tree([("100644", "x", blob)])
    (folder,) = db.write([("tree", inner)])
    odd = os.fsdecode(b"caf\xe9")
    entries = [("40000", "a", folder), ("100644", "a.b", blob), ("100644", odd, blob)]

    (tree,) = db.write([("tree", encode_tree(entries))])

    assert sorted(db.read_tree(tree)) == sorted(entries)
    builder.git("fsck", "--strict")
    assert builder.git("ls-tree", "-z", "--name-only", tree).split("\0") == ["a.b", "a", odd, ""]


def test_a_commit_we_write_is_one_git_accepts(db, builder):
    tree, parent = builder.rev("HEAD^{tree}"), builder.rev("HEAD")
    message = "subject ü\n\nbody\n\nKnowl-Op: capture\n"

    (oid,) = db.write([("commit", encode_commit(tree, (parent,), WHO, WHO, message))])
    read = db.read_commit(oid)

    assert (read.tree, read.parents, read.author, read.message) == (tree, (parent,), WHO, message)
    assert builder.git("log", "-1", "--format=%an|%at|%s", oid) == "Kim|1700000000|subject ü"
    builder.git("fsck", "--strict")


def test_a_signed_commit_with_an_encoding_is_read(db, builder):
    raw = (
        f"tree {builder.rev('HEAD^{tree}')}\nauthor {WHO}\ncommitter {WHO}\nencoding latin-1\n"
        "gpgsig -----BEGIN\n tree trap\n -----END\n\nbody\n"
    )
    oid = builder.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw)

    read = db.read_commit(oid)

    assert (read.parents, read.message) == ((), "body\n")


def test_an_absent_object_is_named(db, builder, object_format):
    absent = object_id("blob", b"never written", object_format)
    (there,) = db.write([("blob", b"there")])

    with pytest.raises(MissingObject) as caught:
        list(db.read_blobs([there, absent]))

    assert caught.value.oid == absent
    assert next(db.read_blobs([there]))[1] == b"there"
    with pytest.raises(MissingObject):
        db.read_commit(absent)
    with pytest.raises(MissingObject):
        db.read_tree(absent)


def test_an_object_of_another_kind_is_refused(db, builder):
    with pytest.raises(ObjectError, match="to be a blob, found a commit"):
        list(db.read_blobs([builder.rev("HEAD")]))
    with pytest.raises(ObjectError, match="to be a commit, found a blob"):
        db.read_commit(builder.rev("HEAD:conf.yml"))


@pytest.mark.parametrize("name", ["HEAD", "abcdef", "", "HEAD:conf.yml", "A" * 40, "0" * 39 + "\n"])
def test_only_a_full_id_names_an_object(db, name):
    with pytest.raises(ObjectError, match="expected an object id"):
        list(db.read_blobs([name]))


def test_a_replaced_object_is_read_as_it_was_written(db, builder):
    """`git replace` is the user's lens on history, not something libgit2 knows."""
    original, other = db.write([("blob", b"original"), ("blob", b"other")])
    builder.git("replace", original, other)

    assert next(db.read_blobs([original]))[1] == b"original"


def test_a_damaged_object_is_an_expected_error(db, builder):
    (oid,) = db.write([("blob", b"soon damaged" * 50)])
    path = builder.path / ".git/objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    path.write_bytes(b"garbage")

    with pytest.raises(KnowlError):
        list(db.read_blobs([oid]))


def test_writing_nothing_starts_no_process(builder, monkeypatch):
    opened = builder.open()
    monkeypatch.setattr(type(opened), "run", pytest.fail)

    assert open_objects(opened).write([]) == []


def test_a_write_is_one_process(builder, monkeypatch):
    opened = builder.open()
    calls = []
    run = type(opened).run
    monkeypatch.setattr(
        type(opened),
        "run",
        lambda self, *args, **more: calls.append(args) or run(self, *args, **more),
    )

    open_objects(opened).write([("blob", b"a"), ("tree", b""), ("blob", b"b")])

    assert [args[0] for args in calls] == ["unpack-objects"]


def test_writing_with_fsync_gives_the_same_objects(builder, object_format):
    for bulk in (False, True):
        db = open_objects(builder.open(), bulk=bulk, fsync=True)
        assert db.write([("blob", b"safe")]) == [object_id("blob", b"safe", object_format)]
        db.close()
    builder.git("fsck", "--strict")


def test_writing_twice_is_harmless(db):
    assert db.write([("blob", b"again")]) == db.write([("blob", b"again")])


def test_objects_are_shared_between_worktrees(builder):
    linked = builder.worktree("side", "topic")
    (oid,) = open_objects(linked.open(), bulk=True).write([("blob", b"seen everywhere")])

    assert builder.git("cat-file", "blob", oid) == "seen everywhere"


def test_a_blob_a_partial_clone_lacks_is_fetched(builder):
    builder.git("config", "uploadpack.allowFilter", "true")
    origin = f"file://{builder.path}"
    builder.git("clone", "--quiet", "--bare", "--filter=blob:none", origin, "../partial")
    db = open_objects(RepoBuilder(builder.path.parent / "partial").open(), bulk=True)

    assert next(db.read_blobs([builder.rev("HEAD:conf.yml")]))[1] == b"a: 1\n"
    db.close()


class TestGenesis:
    """The constant first commit of every ref."""

    def test_it_is_the_same_in_every_clone_and_for_all_time(self):
        assert genesis("sha1")[0] == "4784d8dbf9c0ae19fb1628667874a840e1dd9292"
        assert genesis("sha256")[0].startswith("3e6ef12306486a4b6cef1b6450906663")

    def test_git_finds_nothing_wrong_with_it(self, db, builder, object_format):
        oid, parts = genesis(object_format)

        assert db.write(parts)[-1] == oid
        builder.git("update-ref", "refs/knowl/entries", oid)
        builder.git("fsck", "--strict")
        assert builder.git("log", "--format=%at %an", "refs/knowl/entries") == "0 git-knowl"


NAMES = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=8).filter(
    lambda name: name not in (".", "..")
)
ENTRIES = st.dictionaries(
    NAMES,
    st.tuples(st.sampled_from(["100644", "40000", "120000"]), st.binary(min_size=20, max_size=20)),
)


class TestEncoding:
    """Bytes of trees, without a repository."""

    @given(ENTRIES)
    def test_trees_survive_a_round_trip_in_any_order(self, drawn):
        entries = [(mode, name, oid.hex()) for name, (mode, oid) in drawn.items()]

        data = encode_tree(entries)

        assert sorted(decode_tree(data, "sha1")) == sorted(entries)
        assert encode_tree(entries[::-1]) == data

    @given(st.binary(max_size=60))
    def test_arbitrary_bytes_are_a_tree_or_an_object_error(self, data):
        try:
            decode_tree(data, "sha1")
        except ObjectError:
            return

    def test_a_commit_without_its_parts_is_damaged(self):
        with pytest.raises(ObjectError, match="lacks its tree"):
            objects.decode_commit(b"tree x\n\nmessage")
