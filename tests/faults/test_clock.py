"""A clock that jumps back by a month changes what is displayed, and nothing that counts."""

from __future__ import annotations

import json

import pytest

from tests.support.contexts import capture_item
from tests.support.people import KIM

NOW = 1_796_000_000
MONTH = 30 * 24 * 60 * 60
BY = ("--reviewer", KIM)
MORE = ("--type", "project", "-d", "Read it", "-a", "file:lib/cart.ts", "--body", "conf.yml", *BY)


@pytest.fixture
def then(knowl):
    return knowl.at(knowl.cwd, KNOWL_NOW=str(NOW))


@pytest.fixture
def earlier(knowl):
    return knowl.at(knowl.cwd, KNOWL_NOW=str(NOW - MONTH))


def names(knowl):
    return [one["name"] for one in knowl.json("ls")["entries"]]


def test_the_order_of_operations_is_not_that_of_the_clock(then, earlier):
    then.ok("add", "--name", "one", *MORE)
    then.ok("add", "--name", "two", *MORE)
    earlier.ok("retire", "one", "--reason", "so")
    earlier.ok("rename", "two", "three")

    told = [one["op"] for one in earlier.json("log")["operations"]]
    earlier.ok("undo")

    assert told == ["rename", "retire", "add", "add"]
    assert names(earlier) == ["two"]
    earlier.ok("restore", "one")
    assert names(earlier) == ["one", "two"]


def test_revisions_grow_whatever_the_clock_says(then, earlier):
    then.ok("add", "--name", "one", *MORE)
    for new in ("two", "three"):
        earlier.ok("rename", names(earlier)[0], new)

    shown = earlier.json("show", "three")
    assert shown["updated"] < "2026-11-29"
    assert len(shown["history"]) == 3


def test_what_was_proposed_before_the_jump_is_reviewed_after_it(then, earlier):
    flag = then.ok("flag", "prices double", "-p", "lib/cart.ts").strip()
    payload = json.dumps({"items": [capture_item("cart", flag)]})
    (draft,) = then.json("capture", "--submit", "-", stdin=payload)["drafts"]

    earlier.ok("review", "--accept", draft, *BY)
    again = earlier.ok("flag", "prices double", "-p", "lib/cart.ts").strip()

    assert names(earlier) == ["cart"]
    assert again != flag
    outcomes = {one["id"]: one["outcome"] for one in earlier.json("inbox")["flags"]}
    assert outcomes == {flag: "captured as cart", again: "pending"}


def test_nothing_expires_and_no_verdict_changes_by_a_jump_back(then, earlier):
    then.ok("add", "--name", "one", *MORE)
    then.ok("flag", "prices double", "-p", "lib/cart.ts")
    before = then.json("audit")["entries"], then.json("inbox")

    after = earlier.json("audit")["entries"], earlier.json("inbox")

    assert [one["status"] for one in after[0]] == [one["status"] for one in before[0]] == ["active"]
    assert after[1] == before[1]
    found = earlier("doctor", "--json").json["findings"]
    assert {one["check"] for one in found} == {"clock"}
