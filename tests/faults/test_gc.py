"""Git's own maintenance, as thorough as it gets, takes nothing of the store away."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from git_knowl.plumbing import refs
from git_knowl.services.notes.records import note_suspects
from tests.support.builders import RepoBuilder
from tests.support.caches import plant
from tests.support.cli import Knowl
from tests.support.contexts import capture_item
from tests.support.people import KIM, person
from tests.support.readable import readable
from tests.support.upkeep import MAINTENANCE, maintain

if TYPE_CHECKING:
    from collections.abc import Callable

BY = ("--reviewer", KIM)


def flag(repo, knowl):
    knowl.ok("flag", "prices double", "-p", "lib/cart.ts", "--quote", "as they said")


def submit(repo, knowl):
    payload = {"items": [capture_item("cart"), capture_item("waiting")]}
    knowl.ok("capture", "--submit", "-", stdin=json.dumps(payload))


def review(repo, knowl):
    drafts = {one["name"]: one["id"] for one in knowl.json("inbox")["drafts"]}
    knowl.ok("review", "--accept", drafts["cart"], *BY)


def local(repo, knowl):
    args = ("--type", "project", "-d", "Read it", "-a", "file:conf.yml", "--body", "-")
    knowl.ok("add", "--name", "mine", *args, "--lane", "local", *BY, stdin="So. Why: so it is.\n")


def verify(repo, knowl):
    repo.commit("other", {"lib/cart.ts": "export function total(n) {\n  return n * 3\n}\n"})
    knowl.ok("verify", "cart", "--reviewed")


def rename(repo, knowl):
    knowl.ok("rename", "cart", "basket")


def retire(repo, knowl):
    knowl.ok("retire", "basket", "--reason", "the cart is gone")


def restore(repo, knowl):
    knowl.ok("restore", "basket")


def undo(repo, knowl):
    knowl.ok("undo")


def move(repo, knowl):
    knowl.ok("move", "mine", "--lane", "shared")


def drop(repo, knowl):
    knowl.ok("inbox", "drop", knowl.json("inbox")["flags"][0]["id"], "--reason", "no matter")


def conflict(repo, knowl):
    (entry,) = [one for one in knowl.json("ls")["entries"] if one["name"] == "mine"]
    side = {f"conflicts/{entry['id']}/{'a' * 64}.md": b"the other side\n"}
    plant(person(repo).store, "shared", files=side)


def suspected(repo, knowl):
    note_suspects(person(repo), [(repo.rev("HEAD"), "mine", "conf.yml")])


def fetched(repo, knowl):
    other = repo.clone("other", "--mirror")
    Knowl(other.path).ok("retire", "mine", "--reason", "theirs says so")
    copy = f"+{refs.ENTRIES}:refs/knowl-remotes/origin/entries"
    repo.git("fetch", "-q", str(other.path), copy)
    shutil.rmtree(other.path)


#: Every kind of write, in an order in which each can be done.
WRITES: tuple[Callable[[RepoBuilder, Knowl], None], ...] = (
    *(flag, submit, review, local, verify, rename, retire, restore, undo, move, drop),
    *(conflict, suspected, fetched),
)


def test_after_every_kind_of_write_maintenance_takes_nothing_away(tmp_path):
    repo = RepoBuilder.start(tmp_path)
    places = [repo, repo.worktree("linked", "linked")]
    for number, write in enumerate(WRITES):
        write(repo, Knowl(repo.path))
        before = readable(repo)
        maintain(places[number % 2])
        assert readable(repo) == before, write.__name__

    assert len(before["refs"]) == 6
    found = Knowl(repo.path)("doctor", "--json").json["findings"]
    # The notes know nothing of what was planted, and the planted side is no text of an entry.
    assert {one["check"] for one in found} <= {"notes", "store"}


def test_after_all_kinds_of_writes_maintenance_takes_nothing_away_of_sha256(tmp_path):
    repo = RepoBuilder.start(tmp_path, "sha256")
    for write in WRITES:
        write(repo, Knowl(repo.path))
    before = readable(repo)
    maintain(repo)

    assert readable(repo) == before


@pytest.mark.full
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("command", MAINTENANCE, ids=" ".join)
def test_each_maintenance_by_itself_takes_nothing_away(tmp_path, object_format, command):
    repo = RepoBuilder.start(tmp_path, object_format)
    linked = repo.worktree("linked", "linked")
    for write in WRITES:
        write(repo, Knowl(repo.path))
        before = readable(repo)
        for place in (repo, linked):
            place.git(*command)
        assert readable(repo) == before, write.__name__


def test_what_was_written_in_a_worktree_outlives_it(repo):
    linked = repo.worktree("linked", "linked")
    for write in (flag, submit, review, local):
        write(linked, Knowl(linked.path))
    before = readable(repo)

    shutil.rmtree(linked.path)
    maintain(repo)

    assert readable(repo) == before


def test_what_maintenance_packed_can_be_written_to(repo, knowl):
    for write in (flag, submit, review):
        write(repo, knowl)
        maintain(repo)

    for write in (verify, rename, retire, restore, undo):
        write(repo, knowl)
        maintain(repo)
    assert [one["name"] for one in knowl.json("ls")["entries"]] == []
