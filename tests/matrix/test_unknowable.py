"""What a clone cannot know is unknown there, with the remedy: never active, never suspect."""

from __future__ import annotations

import shutil

import pytest

from git_knowl.plumbing import refs
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import person, write

OLD = "lib/old.ts"
TEXT = "export function old(n) {\n  return n + 1\n}\n"
STORE = f"+{refs.ENTRIES}:{refs.ENTRIES}"


@pytest.fixture
def full(repo):
    """Make entries on a file that a later commit removes, and on the commit that brought it."""
    first = repo.commit("old", {OLD: TEXT})
    for name, anchor in (
        ("file", f"file:{OLD}"),
        ("commit", f"commit:{first}"),
        ("symbol", f"symbol:{OLD}#old"),
        ("still", "file:lib/cart.ts"),
    ):
        write(person(repo), name, anchor)
    repo.commit("changed", {OLD: TEXT.replace("1", "2")})
    (repo.path / OLD).unlink()
    repo.commit("removed")
    repo.git("config", "uploadpack.allowFilter", "true")
    return repo


def clone(repo: RepoBuilder, *options: str) -> Knowl:
    """Return the command line in a clone that has the store, too."""
    path = repo.path.with_name("clone")
    url = f"file://{repo.path}"
    repo.git("clone", "--quiet", *options, url, str(path))
    RepoBuilder(path).git("fetch", "--quiet", url, STORE)
    return Knowl(path)


def told(knowl: Knowl, *args: str) -> dict[str, tuple[str, str]]:
    """Return verdict and reason of each entry by name."""
    found = knowl.json("audit", *args)["entries"]
    return {one["name"]: (one["status"], one["anchors"][0]["reason"] or "") for one in found}


def test_where_the_whole_history_is_the_verdicts_are_sure(full):
    found = told(clone(full))

    assert {name: status for name, (status, _) in found.items()} == {
        "file": "suspect", "symbol": "suspect", "commit": "active", "still": "active"
    }  # fmt: skip


def test_in_a_shallow_clone_what_lies_beyond_its_end_is_unknown_with_the_remedy(full):
    found = told(clone(full, "--depth", "1"))

    assert found["still"][0] == "active"
    for name in ("file", "symbol", "commit"):
        status, reason = found[name]
        assert status == "unknown", name
        assert "shallow" in reason, name
        assert "--unshallow" in reason, name


def test_once_the_history_is_fetched_the_verdicts_are_sure(full):
    knowl = clone(full, "--depth", "1")
    before = told(knowl)

    RepoBuilder(knowl.cwd).git("fetch", "--quiet", "--unshallow")

    assert before["file"][0] == "unknown"
    assert told(knowl)["file"][0] == "suspect"
    assert told(knowl)["commit"][0] == "active"


def test_without_the_remote_of_a_partial_clone_what_needs_a_blob_is_unknown(full):
    knowl = clone(full, "--filter=blob:none")
    full.path.rename(full.path.with_name("away"))

    here = told(knowl)
    then = told(knowl, "--commit", "HEAD~1")

    assert {name: status for name, (status, _) in here.items()} == {
        "file": "suspect", "symbol": "suspect", "commit": "unknown", "still": "active"
    }  # fmt: skip
    assert "remote" in here["commit"][1]
    assert then["file"][0] == "suspect"  # its id tells without its content
    assert then["still"][0] == "active"
    status, reason = then["symbol"]
    assert status == "unknown"
    assert "remote" in reason

    full.path.with_name("away").rename(full.path)
    assert told(knowl)["commit"][0] == "active"


def test_a_store_whose_blobs_were_left_with_a_remote_that_is_gone_is_not_empty(full):
    knowl = clone(full, "--filter=blob:none")
    there = RepoBuilder(knowl.cwd)
    there.git("update-ref", "-d", refs.ENTRIES)
    there.git("gc", "--quiet", "--prune=now")
    shutil.rmtree(knowl.cwd)
    full.git("clone", "--quiet", "--filter=blob:none", f"file://{full.path}", str(knowl.cwd))
    there.git("fetch", "--quiet", "--filter=blob:none", "origin", STORE)
    shutil.rmtree(full.path)

    done = knowl("ls", "--json")

    assert "Traceback" not in done.err
    assert done.code in (0, 1)
    if done.code == 0:
        assert len(done.json["damaged"]) >= 4
    else:
        assert "\nhint: " in done.err
    assert knowl("doctor").code == 3


def test_a_store_that_was_fetched_without_its_history_can_be_read_and_written(full):
    path = full.path.with_name("clone")
    url = f"file://{full.path}"
    full.git("clone", "--quiet", "--depth", "1", url, str(path))
    RepoBuilder(path).git("fetch", "--quiet", "--depth", "1", url, STORE)
    knowl = Knowl(path)

    assert len(knowl.json("ls")["entries"]) == 4
    knowl.ok("retire", "file", "--reason", "so")
    assert len(knowl.json("ls")["entries"]) == 3
    knowl.ok("undo")
    for args in (("undo",), ("log",), ("log", "still"), ("restore", "file"), ("doctor",)):
        done = knowl(*args)
        assert done.code in (0, 1, 3), (args, done.err)
        assert "Traceback" not in done.err
