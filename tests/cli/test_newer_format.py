"""A store that a newer program raised: read as far as this one can, and never written."""

from __future__ import annotations

import json

import pytest

from git_knowl.plumbing import refs
from tests.support.cli import Knowl
from tests.support.contexts import capture_item
from tests.support.people import tips
from tests.support.stores import PutRaw, open_store, write

ADA = "Ada <ada@example.org>"
ALL = (refs.ENTRIES, refs.LOCAL_ENTRIES, refs.INBOX, refs.STATE)
READS = {
    "ls": ("ls",),
    "show": ("show", "cart"),
    "search": ("search", "price doubles"),
    "index": ("index",),
    "why": ("why", "lib/cart.ts"),
    "audit": ("audit",),
    "log": ("log", "cart"),
    "diff": ("diff", "cart"),
    "status": ("status",),
    "stats": ("stats",),
    "inbox": ("inbox",),
    "capture": ("capture",),
    "export": ("export", "../out"),
    "migrate": ("migrate", "--dry-run"),
}
BY = ("--reviewer", ADA)
WRITES = {
    "flag": ("flag", "another one", "-p", "lib/cart.ts"),
    "add": ("add", "--name", "new", "--type", "project", "-d", "x", "-a", "file:lib/cart.ts",
            "--body", "-", *BY),
    "rename": ("rename", "cart", "carts", *BY),
    "move": ("move", "cart", "--lane", "local", *BY),
    "verify": ("verify", "cart", "--reviewed", *BY),
    "snooze": ("snooze", "cart", "--until", "2099-01-01"),
    "retire": ("retire", "cart", "--reason", "so", *BY),
    "restore": ("restore", "gone", *BY),
    "undo": ("undo", *BY),
    "drop": ("inbox", "drop", "{flag}"),
    "accept": ("review", "--accept", "{draft}", *BY),
    "discard": ("review", "--discard", "{draft}", "--reason", "no"),
    "submit": ("capture", "--submit", "-"),
    "purge": ("purge", "cart", "--yes", *BY),
}  # fmt: skip
STDIN = {
    "add": "The text. Why: so.\n",
    "submit": json.dumps({"items": [capture_item("another")]}),
}


@pytest.fixture
def ids(repo, knowl):
    """Give a store with something of everything."""
    about = ("--type", "project", "-d", "Read first", "-a", "file:lib/cart.ts", "--body", "-", *BY)
    for name in ("cart", "gone"):
        knowl.ok("add", "--name", name, *about, stdin="The price doubles. Why: two suppliers.\n")
    knowl.ok("add", "--name", "mine", "--lane", "local", *about, stdin="Mine. Why: so.\n")
    knowl.ok("retire", "gone", "--reason", "so", *BY)
    flag = knowl.ok("flag", "prices double", "-p", "lib/cart.ts").strip()
    payload = json.dumps({"items": [capture_item("waiting")]})
    (draft,) = knowl.json("capture", "--submit", "-", stdin=payload)["drafts"]
    return {"flag": flag, "draft": draft}


def raise_format(repo, reader):
    text = f"format 2\nreader {reader}\n".encode()
    write(open_store(repo), *(PutRaw(ref, "format", text) for ref in ALL))


@pytest.mark.parametrize("reader", [1, 2])
def test_nothing_is_written_to_a_newer_format(repo, knowl, ids, reader):
    raise_format(repo, reader)
    before = tips(repo)

    for verb, words in WRITES.items():
        done = knowl(*(word.format(**ids) for word in words), stdin=STDIN.get(verb, ""))
        assert done.code in (1, 4), (verb, done)
        assert tips(repo) == before, verb
        if verb != "undo":  # which finds that the raise itself changed no entry
            assert "upgrade git-knowl" in done.err, (verb, done)


def test_a_newer_format_that_lets_this_reader_in_is_read(repo, knowl, ids):
    usual = {verb: knowl(*words) for verb, words in READS.items() if verb != "export"}
    raise_format(repo, 1)

    for verb, words in READS.items():
        done = knowl(*words)
        if verb == "migrate":
            assert done.code == 1
            assert "this program reads and writes format 1" in done.err
            continue
        assert done.code == 0, (verb, done)
        if verb in ("show", "search", "why", "diff"):
            assert done.out == usual[verb].out, verb
    assert "format 2 is newer than this program" in knowl("ls").err


def test_a_newer_format_that_shuts_this_reader_out_is_named_everywhere(repo, knowl, ids):
    raise_format(repo, 2)

    for verb, words in READS.items():
        done = knowl(*words)
        assert done.code == 1, (verb, done)
        assert "has format 2" in done.err, (verb, done)
        assert "upgrade git-knowl" in done.err, (verb, done)


def test_a_newer_inbox_does_not_keep_anybody_from_reading_entries(repo, ids):
    write(open_store(repo), PutRaw(refs.INBOX, "format", b"format 2\nreader 2\n"))

    assert [one["name"] for one in Knowl(repo.path).json("ls")["entries"]] == ["cart", "mine"]
