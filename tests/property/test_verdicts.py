"""Verdicts, for any anchors in any order and any run of edits."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_knowl.anchors import freshness
from git_knowl.anchors.base import AnchorError
from git_knowl.anchors.evaluate import judge_entries
from git_knowl.model.anchor import FileAnchor, FileFingerprint, ForeignAnchor, UrlAnchor
from git_knowl.model.status import ACTIVE, SUSPECT, combine
from tests.support.anchored import KIM, NOW, Shelf, entry_on, entry_with, settle, world_of
from tests.support.builders import RepoBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.model.verdict import Verdict

BLOBS = {"a": "1\n", "b": "2\n", "c": "3\n"}
PATHS = ("lib/cart.ts", "lib/deep/a.txt", "conf.yml", "new.txt")
CONTENTS = ("one\n", "two\n", "a: 1\n", "one\r\n")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    made = RepoBuilder.start(tmp_path_factory.mktemp("verdicts"))
    made.commit("files", dict(BLOBS))
    return made


def judge(repo: RepoBuilder, anchors: list[object]) -> Verdict:
    """Judge an entry of such anchors, accepting for its text what they accept."""
    bare = entry_with(*anchors)
    fitted = [
        replace(a, accepted=tuple(replace(i, text=bare.digest) for i in a.accepted))
        if isinstance(a, FileAnchor)
        else a
        for a in anchors
    ]
    entry = replace(bare, anchors=tuple(fitted))
    return judge_entries([entry], world_of(repo))[entry.id]


def accepting(path: str, *digits: str) -> FileAnchor:
    items = (
        FileFingerprint("", "0" * 64, f"sha1:{digit * 40}", NOW, KIM, "web") for digit in digits
    )
    return FileAnchor(path, tuple(items))


ANCHORS = st.sampled_from(
    [
        accepting("a", "1"),
        accepting("never", "1"),
        FileAnchor("b"),
        UrlAnchor("https://docs.example/", NOW, 30),
        UrlAnchor("https://docs.example/", "2020-01-01T00:00:00Z", 30),
        UrlAnchor("https://docs.example/", "some day", 30),
        ForeignAnchor("rhyme", {"path": "a"}),
    ]
)
few = settings(max_examples=30, deadline=None)


@few
@given(anchors=st.lists(ANCHORS, max_size=4))
def test_a_suspect_anchor_makes_any_entry_suspect(files: RepoBuilder, anchors: list) -> None:
    assert judge(files, [*anchors, accepting("c", "2")]).status == SUSPECT


@few
@given(anchors=st.lists(ANCHORS, max_size=4), more=ANCHORS)
def test_one_more_anchor_never_turns_an_entry_active(
    files: RepoBuilder, anchors: list, more: object
) -> None:
    before = judge(files, anchors).status
    after = judge(files, [*anchors, more]).status

    assert after != ACTIVE or before == ACTIVE
    assert after == combine([before, judge(files, [more]).status])


@few
@given(data=st.data(), anchors=st.lists(ANCHORS, max_size=4))
def test_the_order_of_anchors_does_not_matter(
    files: RepoBuilder, data: st.DataObject, anchors: list
) -> None:
    shuffled = data.draw(st.permutations(anchors))

    one, other = judge(files, anchors), judge(files, shuffled)

    assert one.status == other.status
    assert sorted(map(repr, one.anchors)) == sorted(map(repr, other.anchors))


def write(shelf: Shelf, path: str, content: str) -> None:
    target = shelf.repo.path / path
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    for parent in list(target.relative_to(shelf.repo.path).parents)[:-1]:
        above = shelf.repo.path / parent
        if above.is_symlink() or above.is_file():
            above.unlink()
    shelf.repo.write(path, content)


def remove(shelf: Shelf, path: str, _: str) -> None:
    (shelf.repo.path / path).unlink(missing_ok=True)


def rename(shelf: Shelf, path: str, _: str) -> None:
    shelf.repo.git("mv", "-f", path, "moved.txt", check=False)


def stage(shelf: Shelf, path: str, _: str) -> None:
    shelf.repo.git("add", "--all", "--", path, check=False)


def commit(shelf: Shelf, path: str, content: str) -> None:
    shelf.repo.commit(f"{path} {content.strip()}")


def switch(shelf: Shelf, path: str, _: str) -> None:
    name = "side" if path in PATHS[:2] else "main"
    if shelf.repo.git("rev-parse", "--verify", "-q", name, check=False):
        shelf.repo.git("checkout", "-q", "-f", name, check=False)
    else:
        shelf.repo.git("checkout", "-q", "-b", name)


def hide(shelf: Shelf, path: str, _: str) -> None:
    shelf.repo.git("update-index", "--skip-worktree", path, check=False)


def show(shelf: Shelf, path: str, _: str) -> None:
    shelf.repo.git("update-index", "--no-skip-worktree", path, check=False)


def link(shelf: Shelf, path: str, _: str) -> None:
    top = shelf.repo.path
    if (top / "lib").is_dir() and not (top / "lib").is_symlink() and not (top / "away").exists():
        (top / "lib").rename(top / "away")
        (top / "lib").symlink_to("away")


def attributes(shelf: Shelf, _: str, content: str) -> None:
    shelf.repo.write(".gitattributes", f"*.txt {'text' if 'one' in content else '-text'}\n")


def add(shelf: Shelf, path: str, _: str) -> None:
    with suppress(AnchorError):
        shelf.put(entry_on(shelf.repo, path, number=100 + shelf.writes))


def retire(shelf: Shelf, path: str, _: str) -> None:
    found = [e for e in shelf.entries.values() if e.anchors[0].path == path]
    if found:
        shelf.retire(found[0])


def wait(_: Shelf, __: str, ___: str) -> None:
    settle()


EDITS = (
    write,
    remove,
    rename,
    stage,
    commit,
    switch,
    hide,
    show,
    link,
    attributes,
    add,
    retire,
    wait,
)
STEPS = st.lists(
    st.tuples(st.sampled_from(EDITS), st.sampled_from(PATHS), st.sampled_from(CONTENTS)),
    min_size=3,
    max_size=8,
)


@settings(max_examples=12, deadline=None)
@given(steps=STEPS, dense=st.sampled_from([0, freshness.DENSE]))
@example(
    steps=[
        (link, PATHS[0], CONTENTS[0]),
        (commit, PATHS[0], CONTENTS[0]),
        (attributes, PATHS[0], CONTENTS[0]),
        (remove, PATHS[0], CONTENTS[0]),
    ],
    dense=0,
)
def test_what_is_stored_never_changes_an_answer(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[Callable[..., None], str, str]],
    dense: int,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(freshness, "FEW", 0)
        patch.setattr(freshness, "DENSE", dense)
        edit_and_compare(RepoBuilder.start(tmp_path_factory.mktemp("edits")), steps)


def edit_and_compare(repo: RepoBuilder, steps: list) -> None:
    repo.commit("deep", {"lib/deep/a.txt": "one\n", ".gitattributes": "*.txt text\n"})
    entries = [entry_on(repo, path, number=at) for at, path in enumerate(PATHS[:3])]
    shelf = Shelf(repo, *entries, entry_on(repo, *PATHS[:3], number=9))
    settle()
    shelf.check()
    for edit, path, content in steps:
        edit(shelf, path, content)
        shelf.check()
    settle()
    shelf.check()
    assert shelf.warm() is not None
