"""A new entry takes the place of an old one, from the first words to what an agent is told."""

from __future__ import annotations

import json

import pytest

from git_knowl.model import schema
from tests.cli.test_review_terminal import answer, propose
from tests.support.contexts import capture_item
from tests.support.mcp_client import call, fail, seat
from tests.support.people import CART, KIM, person, write

OLD = "Prices double above three pieces. Why: two suppliers.\n"
WORDS = ("add", "--type", "project", "-d", "Read before touching prices", "-a", CART)


@pytest.fixture
def old(repo):
    """Write the entry whose place is taken."""
    return write(person(repo), "price-doubles", CART, body=OLD)


def item(name="price-halves", *older):
    made = capture_item(name)
    return {**made, "entry": {**made["entry"], "anchors": [CART], "supersedes": list(older)}}


def found(knowl, *more):
    return [one["name"] for one in knowl.json("search", "price doubles", *more)["entries"]]


def test_once_accepted_the_old_one_is_found_on_request_only(old, knowl):
    (draft,) = propose(knowl, item("price-halves", "price-doubles"))
    assert found(knowl) == ["price-doubles"]
    with knowl.terminal("review") as screen:
        (shown,) = answer(screen, "y")
        code = screen.finish()

    assert code == 0
    assert f"{draft}: captured as price-halves" in screen.shown
    assert "  supersedes: price-doubles" in shown
    (row,) = [line for line in shown.splitlines() if line.startswith("    Read before")]
    assert "touching price-doubles" in row
    assert "touching price-halves" in row
    assert "hint: 'git knowl retire price-doubles --reason TEXT' takes it out" in screen.shown

    assert "price-doubles" not in found(knowl)
    assert "price-doubles" in found(knowl, "--retired")
    index = knowl.ok("index")
    assert "- price-halves" in index
    assert "- price-doubles" not in index
    assert "Prices double" in knowl.ok("show", "price-doubles")


def test_every_reader_is_told_which_one_stands_for_which(old, knowl, repo):
    new = knowl.json(
        *WORDS, "--name", "price-halves", "--body", "-", "--reviewer", KIM, "--json",
        "--supersedes", "price-doubles", stdin="They halve. Why: one supplier.\n",
    )  # fmt: skip
    newer = {"id": new["id"], "name": "price-halves"}
    older = {"id": old.id, "name": "price-doubles"}

    for verb in (["ls"], ["why", "lib/cart.ts"]):
        told = {one["name"]: one for one in knowl.json(*verb, "--json")["entries"]}
        assert told["price-doubles"]["superseded_by"] == newer
        assert told["price-halves"]["supersedes"] == [older]
        (line,) = [line for line in knowl.ok(*verb).splitlines() if "price-doubles" in line]
        assert line.endswith("superseded by price-halves]")
    shown = knowl.json("show", "price-doubles", "--json")
    assert (shown["supersedes"], shown["superseded_by"]) == ([], newer)
    assert schema.check("show", shown) == []
    assert schema.check("ls", knowl.json("ls", "--json")) == []
    assert "superseded by price-halves]\n" in knowl.ok("show", "price-doubles")
    assert "\ninstead  of price-doubles\n" in knowl.ok("show", "price-halves")


def test_add_says_what_stays_and_how_to_take_it_out(old, knowl):
    done = knowl(*WORDS, "--name", "new", "--body", "-", "--reviewer", KIM,
                 "--supersedes", old.id, stdin=OLD)  # fmt: skip

    assert done.code == 0
    assert "note: 'price-doubles' is superseded: it stays live, found on request only" in done.err
    assert "hint: 'git knowl retire price-doubles --reason TEXT' takes it out" in done.err


@pytest.mark.parametrize("reviewer", [[], ["--reviewer", KIM]], ids=["draft", "live"])
def test_add_refuses_what_is_not_there_and_names_the_field(old, knowl, reviewer):
    done = knowl(*WORDS, "--name", "new", "--body", "-", "--supersedes", "price-double",
                 *reviewer, stdin=OLD)  # fmt: skip

    assert done.code == 1
    assert "error: entry.supersedes.0: no entry has the name 'price-double'" in done.err
    assert "did you mean 'price-doubles'?" in done.err
    assert knowl.json("inbox", "--json")["drafts"] == []


def test_an_agent_says_it_by_the_same_field_and_reads_it(old, repo, knowl):
    place = seat(repo.path)
    refused = fail(place, "knowledge", mode="capture", items=[item("new", "nobody")])
    assert "items.0.entry.supersedes.0: no entry has the name 'nobody'" in refused
    call(place, "knowledge", mode="capture", items=[item("new", "price-doubles")])
    entry = {"supersedes": [{"name": "x", "id": old.id}]}
    write(person(repo), "other", CART)
    digest = knowl.json("show", "other", "--json")["digest"]
    call(place, "knowledge", mode="update", name="other", expected=digest, entry=entry)

    new, other = (one["id"] for one in knowl.json("inbox", "--json")["drafts"])
    knowl.ok("review", "--accept", new, "--reviewer", KIM)

    assert "[superseded by new]" in call(place, "knowledge_read", name="price-doubles")
    assert "instead of: price-doubles" in call(place, "knowledge_read", name="new")
    assert "[superseded by new]" in call(place, "knowledge_why", path="lib/cart.ts")
    assert "- price-doubles" not in call(place, "knowledge_search", query="price doubles")
    assert knowl("review", "--accept", other, "--reviewer", KIM).code == 0


def test_the_published_schemas_tell_of_it():
    for name in ("capture", "update", "mcp-knowledge", "ls", "show"):
        assert "supersedes" in json.dumps(schema.schema(name))
