"""What a person trying the program in the field ran into, each for its whole kind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.builders import RepoBuilder
    from tests.support.cli import Knowl

TOKEN = "ghp_" + "a1B2c3D4" * 5
ADD = ("add", "--name", "cart", "--type", "project", "-d", "Read before", "-a", "file:lib/cart.ts")


@pytest.mark.parametrize("number", ["1" * 10_000, "-" + "9" * 5_000])
def test_a_number_beyond_reason_is_no_bug(knowl: Knowl, number: str) -> None:
    done = knowl("capture", "--submit", "-", stdin=f'{{"items":{number}}}')

    assert done.code == 1
    assert "expected JSON" in done.err


@pytest.mark.parametrize("now", ["2027-01-01", "nan", "inf", "1e20", "-5", "999999999999999"])
@pytest.mark.parametrize("verb", [("ls",), ("index",), ("flag", "x")])
def test_a_fixed_time_that_is_none_is_an_error(
    repo: RepoBuilder, knowl: Knowl, now: str, verb: tuple[str, ...]
) -> None:
    done = knowl.at(repo.path, KNOWL_NOW=now)(*verb)

    assert done.code == 1
    assert "KNOWL_NOW: expected seconds since the epoch" in done.err


def test_a_secret_in_the_name_of_a_reviewer_is_refused(knowl: Knowl) -> None:
    done = knowl(*ADD, "--body", "-", "--reviewer", f"{TOKEN} <a@b.org>", stdin="Why: so.")

    assert done.code == 1
    assert "reviewer: expected no secret" in done.err
    assert TOKEN not in done.err


def test_a_secret_in_the_name_of_a_session_is_masked(repo: RepoBuilder, knowl: Knowl) -> None:
    knowl.at(repo.path, KNOWL_SESSION=TOKEN).ok("flag", "something")

    assert TOKEN not in json.dumps(knowl.json("inbox"))
    assert "REDACTED" in knowl.json("inbox")["flags"][0]["session"]


def test_a_damaged_entry_does_not_pass_a_strict_gate(repo: RepoBuilder, knowl: Knowl) -> None:
    knowl.ok(*ADD, "--body", "-", "--reviewer", "Kim <kim@example.org>", stdin="Why: so.")
    blob = repo.git("hash-object", "-w", "--stdin", stdin="garbage").strip()
    path = repo.git("ls-tree", "-r", "--name-only", "refs/knowl/entries", "entries").strip()
    tree = replace_file(repo, path, blob)
    parent = repo.rev("refs/knowl/entries")
    commit = repo.git("commit-tree", tree, "-p", parent, "-m", "by hand").strip()
    repo.git("update-ref", "refs/knowl/entries", commit)

    assert knowl("audit", "--exit-code").code == 0
    assert knowl("audit", "--exit-code", "--strict").code == 3


def replace_file(repo: RepoBuilder, path: str, blob: str) -> str:
    """Return the tree of the store with one file replaced, made by git alone."""
    *folders, name = path.split("/")
    mode, kind, new = "100644", "blob", blob
    while True:
        at = f"refs/knowl/entries:{'/'.join(folders)}"
        lines = [
            f"{mode} {kind} {new}\t{name}" if line.endswith(f"\t{name}") else line
            for line in repo.git("ls-tree", at).splitlines()
        ]
        new = repo.git("mktree", stdin="\n".join(lines) + "\n").strip()
        if not folders:
            return new
        mode, kind, name = "040000", "tree", folders.pop()


def test_a_bare_repository_warns_of_no_untracked_file(repo: RepoBuilder, knowl: Knowl) -> None:
    repo.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = knowl.at(repo.path.parent / "bare.git")

    done = bare(*ADD, "--body", "-", "--reviewer", "Kim <kim@example.org>", stdin="Why: so.")

    assert done.code == 0
    assert "untracked" not in done.err
