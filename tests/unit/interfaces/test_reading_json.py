"""Every reading verb with ``--json``: one object, as its published schema says."""

from __future__ import annotations

import json

import pytest

from git_knowl.model import schema
from tests.support import stores
from tests.support.builders import RepoBuilder
from tests.support.caches import plant
from tests.support.cli import Knowl
from tests.support.people import CART, KIM, person, write

#: Command line -> name of the schema of what it prints.
READING = {
    ("ls",): "ls",
    ("ls", "--path", "lib"): "ls",
    ("why", "lib/cart.ts:1"): "why",
    ("search", "price", "doubles"): "search",
    ("search", "discuont"): "search",
    ("audit",): "audit",
    ("audit", "--staged"): "audit",
    ("audit", "--commit", "HEAD"): "audit",
    ("show", "cart"): "show",
    ("show", "rule"): "show",
    ("inbox",): "inbox",
    ("capture",): "packet",
    ("status",): "status",
    ("stats",): "stats",
    ("log",): "log",
    ("log", "cart"): "log",
    ("diff", "cart"): "diff",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Knowl:
    """Give a full store to all that only read it."""
    return fill(RepoBuilder.start(tmp_path_factory.mktemp("filled")))


@pytest.fixture
def filled(repo: RepoBuilder) -> Knowl:
    """Give a full store of one's own."""
    return fill(repo)


def fill(repo: RepoBuilder) -> Knowl:
    """Write something of every kind, one of it damaged and one suspect."""
    knowl = Knowl(repo.path)
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "page", "url:30d:https://example.org/", type="reference", tags=("docs",))
    write(ctx, "rule", type="feedback", body="No lint. Why: slow.\n")
    knowl.ok("flag", "totals double", "-p", "lib/cart.ts", "--cue", "surprise", "--quote", "so")
    payload = {"items": [{"kind": "retire", "name": "page", "reason": "old", "expected": ""}]}
    payload["items"][0]["expected"] = knowl.json("show", "page")["digest"]
    knowl.ok("capture", "--submit", "-", stdin=json.dumps(payload))
    knowl.ok("snooze", "cart", "--until", "2999-01-01")
    plant(ctx.store, "shared", files={"entries/zz/x.md": b"no entry"})
    repo.commit("five", {"lib/cart.ts": "five\n"})
    return knowl


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_output_is_one_object_as_the_schema_says(shared: Knowl, words: tuple[str, ...]) -> None:
    printed = shared.ok(*words, "--json")

    assert printed.count("\n") == 1
    assert printed.isascii()
    assert schema.check(READING[words], json.loads(printed)) == []


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_an_empty_store_prints_the_same_shape(knowl: Knowl, words: tuple[str, ...]) -> None:
    if words[0] in ("show", "diff") or words == ("log", "cart"):
        assert knowl(*words, "--json").code == 1
    else:
        assert schema.check(READING[words], knowl.json(*words)) == []


@pytest.mark.parametrize("verb", ["ls", "audit", "search"])
def test_damage_stands_beside_the_entries(shared: Knowl, verb: str) -> None:
    words = (verb, "price") if verb == "search" else (verb,)

    found = shared.json(*words)

    assert [one["path"] for one in found["damaged"]] == ["entries/zz/x.md"]
    assert "cart" in [one["name"] for one in found["entries"]]
    assert "cannot read entries/zz/x.md in lane shared" in shared(*words).err


def test_the_fields_of_an_entry_are_those_of_the_contract(filled: Knowl) -> None:
    (found,) = filled.json("ls", "--status", "suspect")["entries"]

    assert list(found) == [
        "name",
        "id",
        "type",
        "description",
        "status",
        "digest",
        "anchors",
        "lane",
        "tier",
        "conflict",
        "updated",
    ]
    (anchor,) = found["anchors"]
    assert (anchor["kind"], anchor["target"], anchor["status"]) == ("file", CART, "suspect")
    assert anchor["reason"]
    assert anchor["expected"]
    assert anchor["found"]
    assert anchor["commit"] == filled.json("audit")["changed"][0]["commit"]


def test_show_tells_what_may_be_changed_and_against_which_text(filled: Knowl) -> None:
    found = filled.json("show", "cart")

    assert found["body"].startswith("Above three pieces")
    assert found["reviewed"] == {"by": KIM, "at": found["created"], "how": "terminal"}
    assert found["digest"] == filled.json("ls", "--path", "lib")["entries"][0]["digest"]
    assert [one["op"] for one in found["history"]] == ["add"]


def test_audit_tells_changes_and_sleepers(filled: Knowl) -> None:
    found = filled.json("audit")

    assert [(one["name"], one["from"], one["to"]) for one in found["changed"]] == [
        ("cart", None, "suspect")
    ]
    assert {one["name"]: one["snoozed"] for one in found["entries"]} == {
        "cart": "2999-01-01",
        "page": None,
        "rule": None,
    }


def test_audit_as_json_never_moves_the_cursor(filled: Knowl) -> None:
    assert filled.json("audit")["changed"] == filled.json("audit")["changed"] != []
    assert filled("audit", "--format", "json").out == filled("audit", "--json").out


def test_status_and_porcelain_tell_the_same_numbers(filled: Knowl) -> None:
    found = filled.json("status")
    lines = dict(line.split(" ") for line in filled.ok("status", "--porcelain").splitlines())

    assert {key: int(number) for key, number in lines.items()} == {key: found[key] for key in lines}
    assert (lines["suspect"], lines["drafts"], lines["damaged"]) == ("1", "1", "1")


def test_what_export_and_import_print_is_that_of_a_writing_verb(filled: Knowl) -> None:
    for words in (("export", "../out"), ("import", "../out")):
        assert schema.check("write", filled.json(*words)) == []


def test_every_schema_is_printed_by_its_name(knowl: Knowl) -> None:
    names = knowl.ok("schema").split()

    assert names == sorted(names)
    assert set(READING.values()) | {"write", "entry", "flag", "capture"} <= set(names)
    for name in names:
        assert json.loads(knowl.ok("schema", name))["$id"].endswith(f":{name}")


def test_an_ambiguous_name_lists_both(repo: RepoBuilder, knowl: Knowl) -> None:
    ctx = person(repo)
    plant(ctx.store, "shared", stores.entry("cart", 1), stores.entry("cart", 2))

    done = knowl("show", "cart")

    assert done.code == 1
    for number in (1, 2):
        name = f"cart~{stores.identifier(number)[-6:]}"
        assert f"'{name}'" in done.err
        assert knowl.json("show", name)["id"] == stores.identifier(number)
