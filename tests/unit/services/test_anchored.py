"""The list of anchored paths: what a shim finds in it with `grep`, and when it is brought up."""

from __future__ import annotations

import os
import subprocess
from pathlib import PurePosixPath

import pytest

from git_knowl.services.anchored import write_list
from git_knowl.services.retire import retire
from git_knowl.store.anchored_list import NAME, met_by
from git_knowl.store.touched import is_within, reach
from tests.support.people import CART, person, write


def lines(repo):
    with open(repo.open().shared_path(NAME), "rb") as file:
        return [os.fsdecode(line) for line in file.read().splitlines()]


def meets(repo, *changed):
    """Tell whether a shim would start Python: changed paths and their folders are the patterns."""
    parents = (str(folder) for path in changed for folder in PurePosixPath(path).parents)
    patterns = "\n".join({".", *changed, *parents})
    done = subprocess.run(
        ["grep", "-qxFf", "-", repo.open().shared_path(NAME)],
        input=os.fsencode(patterns),
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    return done.returncode == 0


def test_writing_an_entry_lists_its_paths_and_retiring_it_takes_them_out(repo):
    write(person(repo), "cart", CART, "file:conf.yml")
    assert lines(repo)[1:] == ["conf.yml", "lib/cart.ts"]
    assert meets(repo, "lib/cart.ts")
    assert not meets(repo, "lib/other.ts", "x")

    retire(person(repo), "cart", "the supplier left")
    assert not meets(repo, "lib/cart.ts")


def test_a_list_for_other_tips_is_written_again_and_one_for_these_is_kept(repo):
    write(person(repo), "cart", CART)
    path = repo.open().shared_path(NAME)
    before = os.stat(path).st_ino
    write_list(person(repo))
    assert os.stat(path).st_ino == before

    with open(path, "w") as file:
        file.write("// old\nsomething\n")
    write_list(person(repo))
    assert lines(repo)[1:] == ["lib/cart.ts"]


def test_the_first_line_is_met_by_no_path(repo):
    write(person(repo), "cart", CART)
    assert lines(repo)[0].startswith("//")


def test_a_list_that_cannot_be_written_is_none(repo):
    write(person(repo), "cart", CART)
    path = repo.open().shared_path(NAME)
    os.unlink(path)
    os.mkdir(path)
    write_list(person(repo))
    assert os.path.isdir(path)


@pytest.mark.parametrize(
    ("path", "met"),
    [
        ("lib/cart.ts", "lib/cart.ts"),
        ("a b/ü.ts", "a b/ü.ts"),
        ('lib/"quoted".ts', "lib"),
        ("a\\b/c/d.ts", "."),
        ("lib/new\nline", "lib"),
    ],
)
def test_a_name_that_git_quotes_is_listed_as_its_folder(path, met):
    assert met_by(path) == met


@pytest.mark.parametrize(
    ("pathspec", "folder"),
    [
        ("src", "src"),
        ("src/", "src"),
        ("src/chat/*.vue", "src/chat"),
        ("*.ts", "."),
        ("src/ch?t", "src"),
        (":(glob)src/**", "."),
        (".", "."),
    ],
)
def test_a_pathspec_reaches_no_further_than_its_folder(pathspec, folder):
    assert reach(pathspec) == folder


def test_what_lies_within_a_folder_is_told_by_whole_names():
    assert is_within(["src/chat/a"], "src/chat")
    assert not is_within(["src/chatty/a"], "src/chat")
    assert is_within(["anything"], ".")


def test_folders_and_commits_are_listed_by_what_may_touch_them(repo):
    repo.commit("prices", {"price/a.txt": "3\n", "price/b.txt": "4\n"})
    write(person(repo), "several", "tree:lib", "commit:HEAD")

    assert lines(repo)[1:] == ["lib", "price/a.txt", "price/b.txt"]
    assert meets(repo, "lib/new.ts")
