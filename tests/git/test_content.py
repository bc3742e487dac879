"""Working files as git stores them; git itself, by `git add`, is the referee."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path

import pytest

from git_knowl.plumbing import content
from git_knowl.plumbing.content import ContentError, stored_blobs, stored_content
from git_knowl.plumbing.repository import discover
from tests.support.builders import RepoBuilder


@pytest.fixture
def builder(repo):
    return repo


def added(builder: RepoBuilder, path: str) -> tuple[str, bytes]:
    """Return id and content `git add` gives a file, in a clone of the index thrown away after."""
    index = builder.path.parent / "referee-index"
    shutil.copy2(builder.path / ".git/index", index)  # its time tells git which entries are racy
    env = {"GIT_INDEX_FILE": str(index)}
    builder.git("-c", "core.safecrlf=false", "add", "--force", "--", path, env=env)
    oid = builder.git("ls-files", "-s", "--", path, env=env).split()[1]
    return oid, os.fsencode(builder.git("cat-file", "blob", oid) + "\n")


def snapshot(builder: RepoBuilder) -> dict[str, bytes]:
    """Return every file below the git directory."""
    root = builder.path / ".git"
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def check_against_git(builder: RepoBuilder, path: str) -> None:
    before = snapshot(builder)
    oids = stored_blobs(builder.open(), [path])
    data = stored_content(builder.open(), path)
    assert snapshot(builder) == before
    oid, expected = added(builder, path)

    assert oids == {path: oid}
    assert data.removesuffix(b"\n") == expected.removesuffix(b"\n")


CLEAN = "sed s/secret/XXXXXX/"
POINTER = "sh -c \"printf 'oid %s\\n' $(sha256sum | cut -c1-64)\""

#: attributes, configuration, name of the file, its committed bytes, its bytes now
CASES = {
    "plain": ("", {}, "f.txt", b"a\n", b"b\n"),
    "empty": ("", {}, "f.txt", b"a\n", b""),
    "autocrlf": ("", {"core.autocrlf": "true"}, "f.txt", b"a\n", b"a\r\nb\r\n"),
    "autocrlf input": ("", {"core.autocrlf": "input"}, "f.txt", b"a\n", b"a\r\nb\r\n"),
    "autocrlf, CRLF in the index": (
        "",
        {"core.autocrlf": "true"},
        "f.txt",
        b"a\r\n",
        b"a\r\nb\r\n",
    ),
    "text=auto, CRLF in the index": ("* text=auto", {}, "f.txt", b"a\r\n", b"a\r\nb\r\n"),
    "autocrlf, mixed": ("", {"core.autocrlf": "true"}, "f.txt", b"a\n", b"a\r\nb\nc\r\n"),
    "autocrlf, binary": ("", {"core.autocrlf": "true"}, "f.bin", b"\0", b"\0a\r\n"),
    "text=auto": ("* text=auto", {}, "f.txt", b"a\n", b"b\r\n"),
    "text": ("* text", {}, "f.txt", b"a\r\n", b"b\r\n"),
    "eol=crlf": ("* text eol=crlf", {}, "f.txt", b"a\n", b"b\r\nc\n"),
    "-text": ("* -text", {"core.autocrlf": "true"}, "f.txt", b"a\n", b"b\r\n"),
    "safecrlf": ("* text=auto", {"core.safecrlf": "true"}, "f.txt", b"a\n", b"b\r\nc\r\n"),
    "ident": ("* ident", {}, "f.txt", b"a\n", b"$Id: 1234 $\n"),
    "encoding": ("* working-tree-encoding=UTF-16", {}, "f.txt", b"", "ü\n".encode("utf-16")),
    "clean filter": ("* filter=x", {"filter.x.clean": CLEAN}, "f.txt", b"a\n", b"my secret\n"),
    "pointer filter": (
        "* filter=x",
        {"filter.x.clean": POINTER, "filter.x.required": "true"},
        "big.bin",
        b"a\n",
        b"\0\r\nbig" * 1000,
    ),
    "attributes in info": ("", {"core.autocrlf": "false"}, "i.txt", b"a\n", b"b\r\n"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_changed_file_gets_the_blob_git_would_give_it(builder, case):
    attributes, config, name, committed, now = CASES[case]
    if committed:
        builder.commit("before", {name: committed})
    info = builder.path / ".git/info/attributes"
    info.parent.mkdir(exist_ok=True)
    info.write_text("i.txt text\n")
    builder.write(".gitattributes", f"{attributes}\n.gitattributes !text !filter !ident -text\n")
    for key, value in config.items():
        builder.git("config", key, value)
    builder.write(name, now)

    check_against_git(builder, name)


@pytest.mark.parametrize("case", ["autocrlf, CRLF in the index", "pointer filter"])
def test_ids_of_a_sha256_repository(repo256, case):
    attributes, config, name, committed, now = CASES[case]
    repo256.commit("before", {name: committed, ".gitattributes": attributes})
    for key, value in config.items():
        repo256.git("config", key, value)
    repo256.write(name, now)

    check_against_git(repo256, name)


def test_a_long_running_filter_is_asked(builder):
    program = Path(__file__).with_name("upper_filter.py")
    builder.git("config", "filter.up.process", f"'{sys.executable}' '{program}'")
    builder.write(".gitattributes", "*.up filter=up\n")
    builder.write("x.up", "shout\n")

    check_against_git(builder, "x.up")
    assert stored_content(builder.open(), "x.up") == b"SHOUT\n"


def test_a_filter_sees_the_users_sorting_order(builder):
    """The referee runs under LC_ALL=C.UTF-8; messages in C must not change what a filter does."""
    builder.git("config", "filter.l.clean", "sh -c 'locale | grep COLLATE | tr -d [:punct:]'")
    builder.write(".gitattributes", "* filter=l\n")
    builder.write("f.txt", "x\n")

    check_against_git(builder, "f.txt")


def test_names_of_any_bytes(builder):
    names = [
        " lead and trail ",
        '"quoted"',
        "back\\slash",
        "tab\there",
        "line\nbreak",
        "return\r",
        "ünï.txt",
        os.fsdecode(b"latin-\xe9"),
        "-dash",
        "#hash",
        "[a]*?",
    ]
    for number, name in enumerate(names):
        builder.write(name, f"{number}\n")

    found = stored_blobs(builder.open(), names)

    assert found == {name: builder.git("hash-object", "--", f"./{name}") for name in names}


def test_a_symbolic_link_counts_with_its_text(builder):
    (builder.path / "link").symlink_to("lib/cart.ts")
    (builder.path / "dangling").symlink_to("no/where")
    (builder.path / "folder").symlink_to("lib")

    for name in ("link", "dangling", "folder"):
        check_against_git(builder, name)
    assert stored_content(builder.open(), "link") == b"lib/cart.ts"


def test_what_is_no_file_is_told_apart_and_stops_nothing(builder):
    os.mkfifo(builder.path / "pipe")
    (builder.path / "alias").symlink_to("lib")
    paths = ["absent", "lib", "pipe", "alias/cart.ts", "conf.yml/x", "nul\0", "x" * 300, "conf.yml"]

    found = stored_blobs(builder.open(), paths)

    assert found == {
        "absent": content.ABSENT,
        "lib": content.DIRECTORY,
        "pipe": content.SPECIAL,
        "alias/cart.ts": content.ABSENT,
        "conf.yml/x": content.ABSENT,
        "nul\0": content.ABSENT,
        "x" * 300: content.ABSENT,
        "conf.yml": builder.rev("HEAD:conf.yml"),
    }


def test_a_required_filter_that_fails_is_told_and_the_others_go_on(builder):
    builder.git("config", "filter.bad.clean", "false")
    builder.git("config", "filter.bad.required", "true")
    builder.write(".gitattributes", "*.bad filter=bad\n")
    for name in ("1.bad", "2.txt", "3.bad", "4.txt"):
        builder.write(name, "x\n")
    before = snapshot(builder)

    found = stored_blobs(builder.open(), ["1.bad", "2.txt", "3.bad", "4.txt"])

    good = builder.git("hash-object", "2.txt")
    assert list(found.values()) == [content.FILTER, good, content.FILTER, good]
    with pytest.raises(ContentError, match="filter or encoding"):
        stored_content(builder.open(), "1.bad")
    assert snapshot(builder) == before


def test_a_filter_that_fails_quietly_is_not_taken_for_raw_content(builder):
    """Git would go on with the raw bytes; a checkout without the program must not look changed."""
    builder.git("config", "filter.gone.clean", "no-such-program-here")
    builder.git("config", "filter.empty.clean", "")
    builder.write(".gitattributes", "*.gone filter=gone\n*.raw filter=empty\n")
    builder.write("a.gone", "x\n")
    builder.write("b.txt", "x\n")
    builder.write("c.raw", "x\n")
    before = snapshot(builder)

    found = stored_blobs(builder.open(), ["a.gone", "b.txt", "c.raw"])

    good = builder.git("hash-object", "b.txt")
    assert found == {"a.gone": content.FILTER, "b.txt": good, "c.raw": good}
    assert snapshot(builder) == before


def test_bytes_that_do_not_fit_their_encoding_are_told(builder):
    builder.write(".gitattributes", "*.u working-tree-encoding=UTF-16\n")
    builder.write("x.u", b"odd")

    assert stored_blobs(builder.open(), ["x.u"]) == {"x.u": content.FILTER}


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_told(builder):
    (builder.path / "conf.yml").chmod(0)

    assert stored_blobs(builder.open(), ["conf.yml"]) == {"conf.yml": content.UNREADABLE}


def test_a_file_git_cannot_open_is_unreadable(builder, monkeypatch):
    """It vanished after the look, or permissions changed: the rest is hashed all the same."""
    monkeypatch.setattr(content, "_look", lambda *_: content._REGULAR)

    found = stored_blobs(builder.open(), ["gone", "conf.yml"])

    assert found == {"gone": content.UNREADABLE, "conf.yml": builder.rev("HEAD:conf.yml")}


@pytest.mark.parametrize(
    ("name", "words"),
    [("absent", "not in the work tree"), ("lib", "a directory"), ("pipe", "regular")],
)
def test_content_of_what_is_no_file_is_refused(builder, name, words):
    os.mkfifo(builder.path / "pipe")

    with pytest.raises(ContentError, match=words):
        stored_content(builder.open(), name)


def test_uncommitted_content_never_enters_the_repository(builder):
    builder.write("conf.yml", "password: not yet committed\n")
    before = snapshot(builder)

    assert stored_content(builder.open(), "conf.yml") == b"password: not yet committed\n"

    assert snapshot(builder) == before


@pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
def test_index_bits_do_not_hide_what_is_on_disk(builder, bit):
    builder.git("update-index", bit, "conf.yml")
    builder.write("conf.yml", "a: 2\r\n")
    builder.git("config", "core.autocrlf", "true")

    assert stored_content(builder.open(), "conf.yml") == b"a: 2\n"
    (oid,) = stored_blobs(builder.open(), ["conf.yml"]).values()
    assert oid == builder.git("hash-object", "--stdin", stdin="a: 2\n")


def test_an_executable_file_and_a_split_index_make_no_difference(builder):
    builder.git("config", "core.splitIndex", "true")
    builder.git("update-index", "--split-index")
    script = builder.write("run.sh", "#!/bin/sh\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    before = snapshot(builder)

    assert stored_content(builder.open(), "run.sh") == b"#!/bin/sh\n"

    assert snapshot(builder) == before


def test_linked_worktrees_and_subfolder_attributes(builder):
    builder.commit("attributes", {"lib/.gitattributes": "* text=auto\n"})
    linked = builder.worktree("side", "topic")
    linked.write("lib/new.txt", b"a\r\n")

    (oid,) = stored_blobs(linked.open(), ["lib/new.txt"]).values()

    assert oid == builder.git("hash-object", "--stdin", stdin="a\n")


def test_object_directories_with_odd_names_can_be_borrowed_from(tmp_path):
    builder = RepoBuilder.start(tmp_path, name='a:b"c')
    builder.git("config", "core.autocrlf", "true")
    builder.commit("crlf", {"f.txt": b"a\r\n"})

    assert stored_content(builder.open(), "f.txt") == b"a\n"


def test_objects_in_a_hooks_quarantine_can_be_borrowed(builder):
    quarantine = builder.path.parent / "quarantine"
    quarantine.mkdir()
    environ = {**os.environ, "GIT_OBJECT_DIRECTORY": str(quarantine)}
    builder.write("conf.yml", "a: 2\n")

    opened = discover(str(builder.path), environ)

    assert stored_content(opened, "conf.yml") == b"a: 2\n"
    assert list(quarantine.iterdir()) == []


def test_nothing_to_hash_starts_no_process(builder, monkeypatch):
    opened = builder.open()
    monkeypatch.setattr(type(opened), "run", pytest.fail)

    assert stored_blobs(opened, []) == {}
    assert stored_blobs(opened, ["absent"]) == {"absent": content.ABSENT}
