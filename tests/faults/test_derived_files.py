"""Whatever becomes of a derived file, every answer stays the same and the file is made anew."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import CART, person, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHARED = ("cache-v1.sqlite", "commits-v1.sqlite", "symbols-v1.sqlite", "anchored-paths")
OWN = ("verdicts-v1.sqlite", "audit.json", "cursor", "told")
ASKING = (("ls", "--json"), ("audit", "--json"), ("index",), ("why", "lib/cart.ts", "--json"))


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Make a repository in which every derived file is in use."""
    repo = RepoBuilder.start(tmp_path_factory.mktemp("start"))
    for name, anchor in (
        ("cart", CART),
        ("total", "symbol:lib/cart.ts#total"),
        ("first", f"commit:{repo.rev('HEAD')}"),
    ):
        write(person(repo), name, anchor)
    Knowl(repo.path).ok("hooks", "run", "post-commit")
    return repo


def truncate(path: Path) -> None:
    os.truncate(path, os.path.getsize(path) // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def scribble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3 : len(data) // 2] = b"\xff" * (len(data) // 2 - len(data) // 3)
    path.write_bytes(data)


def half_written(path: Path) -> None:
    """Leave a journal of another moment beside the file, as a killed writer does."""
    path.with_name(f"{path.name}-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" * 70)
    truncate(path)


def folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    (path / "inside").mkdir(parents=True)


def gone(path: Path) -> None:
    path.unlink(missing_ok=True)


def dangling(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("nowhere/at/all")


FAULTS = (truncate, empty, scribble, half_written, folder, gone, dangling)


def answers(knowl: Knowl) -> list[str]:
    return [knowl.ok(*args) for args in ASKING]


def paths(repo: RepoBuilder) -> list[Path]:
    opened = repo.open()
    found = [opened.shared_path(name) for name in SHARED]
    found += [opened.worktree_path(name) for name in OWN]
    return [repo.path / path for path in found]


def spoilt(start: RepoBuilder, folder: Path) -> tuple[Knowl, list[Path], list[str]]:
    """Return the command line in a copy, the derived files there, and what it answers."""
    shutil.copytree(start.path, folder, symlinks=True)
    repo, knowl = RepoBuilder(folder), Knowl(folder)
    before = answers(knowl)
    return knowl, [path for path in paths(repo) if path.exists()], before


@pytest.mark.parametrize("fault", FAULTS)
def test_with_all_derived_files_spoilt_every_answer_is_the_same(
    start, tmp_path, fault: Callable[[Path], None]
):
    knowl, derived, before = spoilt(start, tmp_path / "repo")
    assert {path.name for path in derived} >= {*SHARED, "verdicts-v1.sqlite", "cursor"}
    for path in derived:
        fault(path)

    assert answers(knowl) == before
    knowl.ok("flag", "later", "-p", "lib/cart.ts")
    knowl.ok("retire", "total", "--reason", "so")
    assert [one["name"] for one in knowl.json("ls")["entries"]] == ["cart", "first"]


@pytest.mark.full
@pytest.mark.parametrize("fault", FAULTS)
def test_with_any_derived_file_spoilt_every_answer_is_the_same(
    start, tmp_path, fault: Callable[[Path], None]
):
    knowl, derived, before = spoilt(start, tmp_path / "repo")

    for path in derived:
        if path.exists():
            fault(path)
            assert answers(knowl) == before, path.name
