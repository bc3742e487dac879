"""Verdicts of many entries: how anchors combine, and that more entries need no more processes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors import kinds
from git_knowl.anchors.base import AnchorError, Stamp
from git_knowl.anchors.evaluate import judge_entries
from git_knowl.anchors.worlds import StagedWorld
from git_knowl.model.anchor import (
    CommitAnchor,
    FileAnchor,
    FileFingerprint,
    ForeignAnchor,
    PackageAnchor,
    SnippetAnchor,
    SymbolAnchor,
    TreeAnchor,
    UrlAnchor,
)
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.plumbing import process
from tests.support.anchored import KIM, NOW, entry_with, verified, world_of

if TYPE_CHECKING:
    from git_knowl.model.entry import Entry
    from tests.support.builders import RepoBuilder

CART = "lib/cart.ts"
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"
CARGO = f'[[package]]\nname = "serde"\nversion = "{{}}"\nsource = "{REGISTRY}"\n'
SOURCE = "def total(n):\n    return n * 2\n"
FOREIGN = ForeignAnchor("rhyme", {"path": CART, "name": "total"})


def status(repo: RepoBuilder, *entries) -> list[str]:
    found = judge_entries(entries, world_of(repo))
    return [found[entry.id].status for entry in entries]


def test_without_an_anchor_an_entry_is_active(repo: RepoBuilder) -> None:
    assert status(repo, entry_with()) == [ACTIVE]


def test_a_kind_from_a_newer_program_is_unknown_with_a_reason(repo: RepoBuilder) -> None:
    (found,) = judge_entries([entry_with(FOREIGN)], world_of(repo)).values()

    assert found.status == UNKNOWN
    assert found.anchors[0].reason == "this program cannot judge anchors of the kind 'rhyme'"


def test_a_kind_from_a_newer_program_cannot_be_observed(repo: RepoBuilder) -> None:
    with pytest.raises(AnchorError, match="kind 'rhyme'"):
        kinds.observe(FOREIGN, world_of(repo), Stamp("t", NOW, KIM, "web"))


def test_the_kinds_are_named_as_in_documents() -> None:
    named = [
        FileAnchor("a"),
        SymbolAnchor("a", "b"),
        SnippetAnchor("a", "b", 1),
        TreeAnchor("a"),
        PackageAnchor("pkg:npm/x", "y"),
        UrlAnchor("https://x", NOW, 1),
        CommitAnchor("a"),
    ]

    assert [anchor.kind for anchor in named] == list(kinds.KINDS)


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_the_table_says_what_the_module_of_a_kind_offers(kind: str) -> None:
    module = kinds.module_of(kind)
    beside = ("prepare", "successors", "complete", "warnings")

    assert callable(module.judge)
    assert callable(module.observe)
    assert kind == "package" or kinds.KINDS[kind] == tuple(n for n in beside if hasattr(module, n))


def test_the_lockfile_of_a_package_is_chosen_among_paths_and_not_from_the_world_alone() -> None:
    assert "complete" not in kinds.KINDS["package"]


def test_a_proven_change_outranks_what_cannot_be_told(repo: RepoBuilder) -> None:
    bare = entry_with(FileAnchor("none"), FileAnchor(CART))
    entry = accepting(bare, "1" * 40, repo.rev(f"HEAD:{CART}"))

    assert status(repo, entry) == [UNKNOWN]
    repo.write(CART, "two\n")
    assert status(repo, entry) == [SUSPECT]


def test_all_kinds_are_judged_together_each_with_its_reason(repo: RepoBuilder) -> None:
    repo.commit("lock", {"Cargo.lock": CARGO.format("1.0.0")})
    package = PackageAnchor("pkg:cargo/serde", "Cargo.lock")
    page = UrlAnchor("https://docs.example/", "2026-11-01T00:00:00Z", 10)
    entry = verified(entry_with(FileAnchor(CART), package, page), world_of(repo))
    repo.write("Cargo.lock", CARGO.format("2.0.0"))

    (found,) = judge_entries([entry], world_of(repo)).values()

    assert [anchor.kind for anchor in found.anchors] == ["file", "package", "url"]
    assert [anchor.status for anchor in found.anchors] == [ACTIVE, SUSPECT, ACTIVE]
    assert found.anchors[1].reason == "version 1.0.0 became 2.0.0, changed here, not committed"


def on_content(repo: RepoBuilder, path: str) -> Entry:
    """Return an entry with one anchor of every kind that rests on what a file holds."""
    anchors = (
        FileAnchor(path),
        SymbolAnchor(path, "total"),
        SnippetAnchor(path, "return n * 2", 2),
        TreeAnchor(path),
        PackageAnchor("pkg:cargo/serde", "Cargo.lock"),
    )
    return verified(entry_with(*anchors), world_of(repo))


@pytest.mark.parametrize("bit", ["--skip-worktree", "--assume-unchanged"])
def test_no_kind_that_rests_on_content_overlooks_a_file_that_git_does(
    repo: RepoBuilder, bit: str
) -> None:
    repo.commit("lock", {"Cargo.lock": CARGO.format("1.0.0"), "src/cart.py": SOURCE})
    entry = on_content(repo, "src/cart.py")
    repo.git("update-index", bit, "Cargo.lock", "src/cart.py")
    assert status(repo, entry) == [ACTIVE]
    repo.write("Cargo.lock", CARGO.format("2.0.0"))
    repo.write("src/cart.py", SOURCE.replace("2", "3"))

    (found,) = judge_entries([entry], world_of(repo)).values()

    assert [anchor.status for anchor in found.anchors] == [SUSPECT] * 5
    assert all("changed here, not committed" in str(anchor.reason) for anchor in found.anchors)


@pytest.mark.parametrize("bits", [["--skip-worktree"], ["--skip-worktree", "--assume-unchanged"]])
def test_every_kind_takes_what_is_not_checked_out_from_the_index(
    repo: RepoBuilder, bits: list[str]
) -> None:
    repo.commit("lock", {"Cargo.lock": CARGO.format("1.0.0"), "src/cart.py": SOURCE})
    entry = on_content(repo, "src/cart.py")
    for bit in bits:
        repo.git("update-index", bit, "Cargo.lock", "src/cart.py")
    (repo.path / "Cargo.lock").unlink()
    (repo.path / "src/cart.py").unlink()

    (found,) = judge_entries([entry], world_of(repo)).values()

    assert [anchor.status for anchor in found.anchors] == [ACTIVE] * 5


def test_no_kind_takes_a_name_that_is_staged_for_an_empty_file(repo: RepoBuilder) -> None:
    repo.write("n.py", SOURCE)
    repo.write("Cargo.lock", CARGO.format("1.0.0"))
    repo.git("add", "-N", "n.py", "Cargo.lock")
    entry = on_content(repo, "n.py")

    (found,) = judge_entries([entry], StagedWorld(repo.open(), NOW)).values()

    assert [anchor.status for anchor in found.anchors] == [UNKNOWN] * 5
    words = "is staged without its content (git add -N)"
    assert all(words in str(anchor.reason) for anchor in found.anchors)


def test_the_number_of_processes_does_not_grow_with_the_entries(
    repo: RepoBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"src/{number:03d}.ts" for number in range(300)]
    repo.commit("many", {name: f"{name}\n" for name in names})
    seen = world_of(repo).blobs(names)
    bare = [entry_with(FileAnchor(name), number=at) for at, name in enumerate(names)]
    entries = [accepting(entry, seen[name].blob) for entry, name in zip(bare, names, strict=True)]
    repo.commit("half", dict.fromkeys(names[:150], "two\n"))
    repo.git("rm", "-q", *names[200:250])
    commit = repo.commit("gone")
    started = []
    real = process.run
    monkeypatch.setattr(process, "run", lambda *a, **k: started.append(a) or real(*a, **k))

    few = judge_entries(entries[120:220:50], world_of(repo))
    many = judge_entries(entries, world_of(repo))

    assert len(started) < 24
    assert {key: many[key] for key in few} == few
    gone = many[entries[200].id].anchors[0]
    assert (gone.status, gone.commit) == (SUSPECT, commit)
    assert many[entries[299].id].status == ACTIVE


def accepting(entry: Entry, *blobs: str | None) -> Entry:
    """Return the entry with one accepted blob for each of its file anchors."""
    items = [
        FileFingerprint(entry.digest, "0" * 64, f"sha1:{blob}", NOW, KIM, "terminal")
        for blob in blobs
    ]
    pairs = zip(entry.anchors, items, strict=True)
    return replace(entry, anchors=tuple(replace(a, accepted=(item,)) for a, item in pairs))
