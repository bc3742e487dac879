"""Objects, packs, refs and reflogs that are damaged: told as what they are, and mended in the end.

Nothing that can still be read is hidden, nothing is written over what is damaged, and once the
fault is gone everything is there as before.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from git_knowl.plumbing import refs
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import CART, person, write
from tests.support.readable import readable

if TYPE_CHECKING:
    from pathlib import Path

READING = (("ls",), ("index",), ("audit",), ("status",), ("log",), ("search", "cart"))
RUBBISH = (b"", b"rubbish\n", b"0" * 40 + b"\n", b"12" * 20 + b"\n", b"ref: refs/heads/main\n")


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    repo = RepoBuilder.start(tmp_path_factory.mktemp("start"))
    for name in ("cart", "other"):
        write(person(repo), name, CART)
    Knowl(repo.path).ok("flag", "prices double", "-p", "lib/cart.ts")
    return repo


@pytest.fixture
def there(start, tmp_path):
    shutil.copytree(start.path, tmp_path / "repo", symlinks=True)
    return RepoBuilder(tmp_path / "repo")


@pytest.fixture
def knowl(there):
    return Knowl(there.path)


def forget_derived(repo):
    """Take derived files away, which would answer for what is damaged."""
    shutil.rmtree(repo.path / ".git/common")
    shutil.rmtree(repo.path / ".git/knowl", ignore_errors=True)


def loose(repo, oid):
    return repo.path / ".git/objects" / oid[:2] / oid[2:]


class Spoilt:
    """A file with other content, for as long as the block lasts."""

    def __init__(self, path: Path, data: bytes | None) -> None:
        self.path, self.data = path, data
        self.before = path.read_bytes()

    def __enter__(self) -> None:
        self.path.chmod(0o644)
        if self.data is None:
            self.path.unlink()
        else:
            self.path.write_bytes(self.data)

    def __exit__(self, *_: object) -> None:
        self.path.unlink(missing_ok=True)
        self.path.write_bytes(self.before)


def check_told(done):
    """Check that a command refused with an error and the way out, and no bug."""
    assert done.code == 1, done.err
    assert done.err.startswith("error: ")
    assert "\nhint: " in done.err
    assert "Traceback" not in done.err


def entry_blob(repo, name):
    listed = repo.git("ls-tree", "-r", refs.ENTRIES).splitlines()
    return next(line.split()[2] for line in listed if f".{name}.md" in line)


@pytest.mark.parametrize("data", [b"", b"no zlib at all", None], ids=["empty", "scribble", "gone"])
def test_a_damaged_entry_hides_no_other_and_is_back_when_its_object_is(there, knowl, data):
    before = readable(there)
    forget_derived(there)
    with Spoilt(loose(there, entry_blob(there, "cart")), data):
        listed = knowl.json("ls")
        assert [one["name"] for one in listed["entries"]] == ["other"]
        assert len(listed["damaged"]) == 1
        for args in READING:
            done = knowl(*args)
            assert done.code == 0, done.err
        check_told(knowl("show", "cart"))
        assert knowl("doctor").code == 3
        knowl.ok("flag", "written meanwhile", "-p", "lib/cart.ts")
        write(person(there), "new", CART)

    after = readable(there)
    assert [one["name"] for one in after["told"]["ls"]["entries"]] == ["cart", "new", "other"]
    for key, shown in before["shown"].items():
        assert after["shown"][key]["digest"] == shown["digest"]


def test_a_truncated_object_is_damaged_too(there, knowl):
    forget_derived(there)
    path = loose(there, entry_blob(there, "cart"))
    data = path.read_bytes()
    with Spoilt(path, data[: len(data) // 2]):
        assert [one["name"] for one in knowl.json("ls")["entries"]] == ["other"]
        assert knowl("doctor").code == 3
    assert len(knowl.json("ls")["entries"]) == 2


@pytest.mark.parametrize("what", ["", "^{tree}", ":entries"])
@pytest.mark.parametrize("data", [b"no zlib at all", None], ids=["scribble", "gone"])
def test_a_store_whose_trees_cannot_be_read_is_neither_empty_nor_written_over(
    there, knowl, what, data
):
    forget_derived(there)
    before = there.refs("refs/knowl/")
    with Spoilt(loose(there, there.rev(f"{refs.ENTRIES}{what}")), data):
        for args in (("ls",), ("index",), ("audit",), ("show", "cart")):
            check_told(knowl(*args))
        for args in (("flag", "not written", "-p", "lib/cart.ts"), ("add", *new_entry())):
            done = knowl(*args)
            assert done.code == 0 or not check_told(done)
        assert knowl("doctor").code == 3

    assert there.refs("refs/knowl/") == before
    assert [one["name"] for one in knowl.json("ls")["entries"]] == ["cart", "other"]
    knowl.ok("add", *new_entry())


def new_entry():
    more = ("--type", "project", "-d", "Read it", "-a", CART, "--body", "conf.yml")
    return ("--name", "new", *more, "--reviewer", "Kim <kim@example.org>")


def test_a_damaged_pack_is_told_and_nothing_is_lost_when_it_is_whole_again(there, knowl):
    there.git("gc", "--quiet", "--prune=now")
    before = readable(there)
    forget_derived(there)
    (pack,) = there.path.glob(".git/objects/pack/*.pack")
    data = bytearray(pack.read_bytes())
    data[len(data) // 3 : len(data) * 2 // 3] = b"\0" * (len(data) * 2 // 3 - len(data) // 3)
    with Spoilt(pack, bytes(data)):
        for args in READING:
            done = knowl(*args)
            assert done.code in (0, 1), done.err
            assert "Traceback" not in done.err
        assert knowl("doctor").code == 3

    assert readable(there) == before


@pytest.mark.parametrize("content", RUBBISH)
def test_a_ref_that_holds_rubbish_is_told_and_the_store_is_back_with_it(there, knowl, content):
    before = readable(there)
    with Spoilt(there.path / ".git" / refs.ENTRIES, content):
        told = knowl("ls")
        if content.startswith(b"ref:"):
            assert told.code == 1
            assert "expected a file 'format'" in told.err
        else:
            check_told(told)
            assert f"logs/{refs.ENTRIES}" in told.err
        check_told(knowl("add", *new_entry()))
        assert knowl("doctor").code == 3

    assert readable(there) == before
    knowl.ok("add", *new_entry())


@pytest.mark.parametrize(
    "content", [b"", b"rubbish\n", b"\0" * 500], ids=["empty", "word", "zeros"]
)
def test_a_reflog_of_rubbish_disturbs_nobody(there, knowl, content):
    for ref in (refs.ENTRIES, refs.INBOX, refs.STATE):
        (there.path / ".git/logs" / ref).write_bytes(content)

    knowl.ok("flag", "written all the same", "-p", "lib/cart.ts")
    knowl.ok("retire", "cart", "--reason", "so")
    knowl.ok("undo")
    for args in READING:
        knowl.ok(*args)
    assert knowl("doctor").code == 0


def test_a_reflog_that_cannot_be_written_is_told_and_the_next_write_works(there, knowl):
    path = there.path / ".git/logs" / refs.INBOX
    path.unlink()
    path.mkdir()
    (path / "inside").touch()

    check_told(knowl("flag", "not written", "-p", "lib/cart.ts"))
    shutil.rmtree(path)
    knowl.ok("flag", "written now", "-p", "lib/cart.ts")

    assert len(knowl.json("inbox")["flags"]) == 2


def test_an_index_of_the_user_that_is_damaged_leaves_the_knowledge_readable(there, knowl):
    path = there.path / ".git/index"
    with Spoilt(path, b"no index"):
        for args in (("ls",), ("audit",), ("index",)):
            done = knowl(*args)
            assert done.code in (0, 1)
            assert "Traceback" not in done.err
        knowl.ok("log")
        knowl.ok("inbox")
    assert [one["status"] for one in knowl.json("ls")["entries"]] == ["active"] * 2


def test_an_audit_of_a_damaged_file_of_the_code_is_not_active(there, knowl):
    os.unlink(there.path / "lib/cart.ts")
    with Spoilt(loose(there, there.rev("HEAD:lib/cart.ts")), b"no object"):
        found = knowl.json("audit", "--commit", "HEAD")["entries"]
        assert {one["status"] for one in found} <= {"active", "unknown"}
        assert {one["status"] for one in knowl.json("audit")["entries"]} == {"suspect"}
