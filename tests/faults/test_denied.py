"""What may not be read or written is told as that; the rest goes on, and so does the next write."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager

import pytest

from git_knowl.plumbing import refs
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.denied import NO_WAY, Denied, prefix
from tests.support.people import CART, KIM, person, write

pytestmark = pytest.mark.skipif(prefix() is None, reason=NO_WAY)

MORE = ("--type", "project", "-d", "Read it", "-a", CART, "--body", "conf.yml", "--reviewer", KIM)
ADD = ("add", "--name", "new", *MORE)
FLAG = ("flag", "one more", "-p", "lib/cart.ts")
READING = (("ls", "--json"), ("index",), ("audit", "--json"))
SEEN = (("ls", "--json"), ("inbox", "--json"))


def slowly(name):
    """Return a case that the normal run leaves out."""
    return pytest.param(name, marks=pytest.mark.full)


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    repo = RepoBuilder.start(tmp_path_factory.mktemp("start"))
    write(person(repo), "cart", CART)
    Knowl(repo.path).ok("flag", "prices double", "-p", "lib/cart.ts")
    return repo


@pytest.fixture
def somebody(start, tmp_path):
    shutil.copytree(start.path, tmp_path / "repo", symlinks=True)
    return RepoBuilder(tmp_path / "repo"), Denied(tmp_path / "repo")


@contextmanager
def mode(repo, name, bits):
    """Give a file of the repository, or a folder with all folders below it, another mode."""
    top = repo.path / name
    paths = [top, *(path for path in top.rglob("*") if path.is_dir())]
    before = {path: path.stat().st_mode for path in paths}
    for path in reversed(paths):
        path.chmod(bits)
    yield
    for path in paths:
        path.chmod(before[path])


def check_refused(done):
    assert done.code == 1, done.err
    assert done.out == ""
    first, second = done.err.splitlines()[:2]
    assert first.startswith("error: ")
    assert second.startswith("hint: ")


@pytest.mark.parametrize(
    "name", [".git", slowly(".git/objects"), slowly(f".git/{refs.SHARED_PREFIX}")]
)
def test_where_nothing_may_be_written_a_write_is_refused_whole_and_works_later(somebody, name):
    repo, knowl = somebody
    before = readable_as(knowl)
    with mode(repo, name, 0o555):
        check_refused(knowl(*ADD))
        for args in READING:
            done = knowl(*args)
            assert done.code == 0, (args, done.err)
        doctor = knowl("doctor")
        assert doctor.code in (0, 3), doctor.err

    assert readable_as(knowl) == before
    assert knowl(*ADD).code == 0
    assert knowl(*FLAG).code == 0


def test_where_only_derived_files_may_not_be_written_everything_works(somebody):
    repo, knowl = somebody
    with mode(repo, ".git/common/knowl", 0o555):
        for args in (ADD, FLAG, *READING):
            done = knowl(*args)
            assert done.code == 0, (args, done.err)

    assert [one["name"] for one in knowl("ls", "--json").json["entries"]] == ["cart", "new"]


def test_a_repository_that_may_not_be_written_is_told_by_the_doctor(somebody):
    repo, knowl = somebody
    with mode(repo, ".git", 0o555):
        done = knowl("doctor")

    assert done.code == 3
    assert "cannot be written to: nothing can be flagged" in done.out


@pytest.mark.parametrize(
    "name", ["cache-v1.sqlite", *map(slowly, ("commits-v1.sqlite", "anchored-paths", "lock"))]
)
def test_a_file_of_ours_that_may_not_be_read_is_done_without(somebody, name):
    repo, knowl = somebody
    before = [knowl(*args).out for args in READING]
    path = f".git/common/knowl/{name}"
    if not (repo.path / path).exists():
        (repo.path / path).touch()
    with mode(repo, path, 0):
        for args, told in zip(READING, before, strict=True):
            done = knowl(*args)
            assert (done.code, done.out) == (0, told), done.err

    assert knowl(*ADD).code == 0


def test_an_anchored_file_that_may_not_be_read_is_unknown(somebody):
    repo, knowl = somebody
    os.utime(repo.path / "lib/cart.ts", (1, 1))
    with mode(repo, "lib/cart.ts", 0):
        (found,) = knowl("audit", "--json").json["entries"]
        assert found["status"] == "unknown"
        assert knowl(*FLAG).code in (0, 1)
    (found,) = knowl("audit", "--json").json["entries"]
    assert found["status"] == "active"


@pytest.mark.parametrize(
    "name", [".git/objects", *map(slowly, (".git/refs", ".git/HEAD", ".git/config", ".git"))]
)
def test_where_nothing_may_be_read_that_is_an_error_and_no_empty_store(somebody, name):
    repo, knowl = somebody
    before = readable_as(knowl)
    with mode(repo, name, 0):
        for args in (("ls",), ADD, FLAG):
            check_refused(knowl(*args))
        assert knowl("doctor").code in (1, 3)

    assert readable_as(knowl) == before


def readable_as(knowl):
    return [knowl(*args).out for args in SEEN]
