"""Whoever can write to a remote can send anything: what is no proposal is told and harms nobody."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from git_knowl.model.anchor import FileAnchor, FileFingerprint
from git_knowl.model.document import render
from git_knowl.model.entry import Promoted, Reviewed, Source
from git_knowl.services.flag import flag
from git_knowl.services.proposals import reading
from git_knowl.services.proposals import receive as receiving
from git_knowl.services.proposals.receive import receive
from git_knowl.services.proposals.send import ProposalsRefusedError, send
from git_knowl.store import drafts, flags
from git_knowl.store.layout import FORMAT_TEXT
from git_knowl.store.purged import digest_of, purged_path
from tests.support import stores
from tests.support.contexts import entry_names, inbox_of
from tests.support.people import tips
from tests.support.proposals import ADA, accept, fill, home, member, plant

REF = "refs/knowl/proposals/mallory-0a1b2c3d"
SENDER = "origin/mallory-0a1b2c3d"
KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
FORMAT = {"format": FORMAT_TEXT}
HEX = "a" * 64


def some_flag(number=1, **fields):
    summary = fields.pop("summary", f"thing {number}")
    return stores.flag(summary, number, **{"paths": (), **fields})


def some_draft(number=1, **fields):
    name = fields.pop("name", f"entry-{number}")
    return stores.draft(stores.entry(name, number, **fields))


def record(one):
    if hasattr(one, "summary"):
        return {flags.flag_path(one.id): flags.encode(one)}
    return {drafts.draft_path(one.id): drafts.encode(one)}


def raw(one, **fields):
    """Return the record of a flag or draft with some of its fields replaced, whatever by."""
    ((path, data),) = record(one).items()
    return {path: json.dumps({**json.loads(data), **fields}).encode()}


def sent(hub, *records, **more):
    files = dict(FORMAT)
    for one in records:
        files |= one if isinstance(one, dict) else record(one)
    plant(hub, REF, {**files, **more})


GOOD = some_flag(99, summary="a good one")
BAD_FLAGS = [
    {"summary": ""},
    {"summary": "x" * 501},
    {"summary": "two\nlines"},
    {"summary": "hidden \u202e text"},
    {"summary": 5},
    {"summary": "\ud800"},
    {"by": "x" * 301},
    {"by": f"{KEY} Mallory"},
    {"at": "yesterday"},
    {"at": "2026-11-29T10:00:00Z\u001b[31m"},
    {"paths": [{"path": "../../etc/passwd"}]},
    {"paths": [{"path": "/etc/passwd"}]},
    {"paths": [{"path": ".git/config"}]},
    {"paths": [{"path": "a\u0000b"}]},
    {"paths": [{"path": "\ud800"}]},
    {"paths": [{"path": f"{KEY}.txt"}]},
    {"paths": [{"path": "a", "blob": "--upload-pack=x"}]},
    {"paths": [{"path": f"f{n}"} for n in range(21)]},
    {"cue": "nonsense"},
    {"quote": "x" * 2001},
    {"quote": "\u001b]0;x\u0007"},
    {"head": "--exec=x"},
    {"commit": "HEAD"},
    {"branch": "x\ny"},
    {"host": "x" * 400},
    {"deep": json.loads("[" * 40 + "]" * 40)},
]


def test_flags_that_break_a_rule_are_told_one_by_one_and_hide_no_other(hub, bob):
    bad = {number: raw(some_flag(number), **fields) for number, fields in enumerate(BAD_FLAGS, 1)}
    sent(hub, *bad.values(), GOOD)

    done = receive(bob)

    assert done.ids == (GOOD.id,)
    assert missing(bad, done.refused, BAD_FLAGS) == []
    assert KEY not in str(done.refused)
    assert all(told.startswith(f"{SENDER}: ") for told in done.refused)


def missing(bad, refused, told):
    """Return what was sent in place of good fields and not refused."""
    return [
        told[number - 1]
        for number in bad
        if not any(stores.identifier(number) in one for one in refused)
    ]


BAD_DRAFTS = [
    {"kind": "own"},
    {"kind": "update"},
    {"kind": "retire", "target": "x", "expected": HEX, "reason": "y"},
    {"kind": "retire", "target": GOOD.id, "expected": HEX},
    {"kind": "discard"},
    {"kind": "guideline", "guideline": {"text": ""}, "name": None},
    {"kind": "guideline", "guideline": {"text": "x", "file": "../x"}, "name": None},
    {"kind": "guideline", "guideline": {"text": "x", "file": ".GIT/config"}, "name": None},
    {"kind": "guideline", "guideline": {"text": "x", "file": "/etc/passwd"}, "name": None},
    {"item": "x"},
    {"name": "other"},
    {"name": "../../x"},
    {"entry": None},
    {"body": "x" * 20_001},
    {"body": "\ud800"},
    {"flags": ["x"]},
    {"flags": [GOOD.id] * 101},
    {"reason": "a\nb"},
    {"lane": 3},
    {"entry": {"name": "a"}},
]


def test_drafts_that_break_a_rule_are_told_one_by_one_and_hide_no_other(hub, bob):
    bad = {number: raw(some_draft(number), **fields) for number, fields in enumerate(BAD_DRAFTS, 1)}
    sent(hub, *bad.values(), GOOD)

    done = receive(bob)

    assert done.ids == (GOOD.id,)
    assert missing(bad, (*done.refused, *done.passed), BAD_DRAFTS) == []


def test_records_of_garbage_are_told_one_by_one_and_hide_no_other(hub, bob):
    garbage = [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"id": 1}',
        b"x" * 1_100_000,
        b"9" * 5_000,
    ]
    bad = {number: {drafts.draft_path(stores.identifier(number)): data}
           for number, data in enumerate(garbage, 1)}  # fmt: skip
    sent(hub, *bad.values(), GOOD)

    done = receive(bob)

    assert done.ids == (GOOD.id,)
    assert missing(bad, done.refused, garbage) == []


def test_a_record_in_the_place_of_another_is_told(hub, bob):
    (data,) = record(some_flag(2)).values()
    sent(hub, GOOD, {flags.flag_path(stores.identifier(3)): data})

    assert "the content belongs at" in receive(bob).refused[0]


def test_strange_files_are_counted(hub, bob):
    sent(
        hub, GOOD, {"flags/zz/x.json": b"x", "drafts/a": b"x", "run.sh": b"x", "flags/b/c/d": b"x"}
    )

    done = receive(bob)

    assert done.ids == (GOOD.id,)
    assert "4 of its files are no flags or drafts" in done.refused[0]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a": b"x"}, "says nothing of its format"),
        ({"format/x": b"x"}, "says nothing of its format"),
        ({"format": b"garbage"}, "expected a file 'format'"),
        ({"format": b"format 9\nreader 9\n"}, "has format 9"),
    ],
)
def test_a_tree_of_something_else_is_told_and_hides_no_other(hub, bob, files, told):
    plant(hub, REF, files)
    plant(hub, "refs/knowl/proposals/ada-00000000", {**FORMAT, **record(GOOD)})

    done = receive(bob)

    assert done.ids == (GOOD.id,)
    assert told in done.refused[0]


def test_a_ref_that_is_no_commit_hides_no_other(hub, bob):
    blob = hub.git("hash-object", "-w", "--stdin", stdin=b"x")
    hub.git("update-ref", REF, blob)
    plant(hub, "refs/knowl/proposals/ada-00000000", {**FORMAT, **record(GOOD)})

    done = receive(bob)

    assert done.ids == (GOOD.id,)
    assert len(done.refused) == 1


def test_names_that_no_clone_gives_itself_are_not_fetched(hub, bob):
    names = [
        "entries",
        "Mallory-0a1b2c3d",
        "m-0a1b2c3",
        "-0a1b2c3d",
        "a--b-0a1b2c3d",
        "a/b-0a1b2c3d",
    ]
    for name in names:
        plant(hub, f"refs/knowl/proposals/{name}", {**FORMAT, **record(GOOD)})

    done = receive(bob)

    assert done.ids == ()
    assert sorted(done.refused) == sorted(f"{name}: it is no name of a sender" for name in names)
    assert home(bob).refs("refs/knowl-remotes") == {}


def test_a_ref_that_was_rewound_is_followed(hub, bob):
    plant(hub, REF, {**FORMAT, **record(some_flag(1))})
    receive(bob)
    plant(hub, REF, {**FORMAT, **record(some_flag(2))})

    assert receive(bob).ids == (some_flag(2).id,)


def test_more_than_anybody_reads_is_cut_and_told(hub, bob, monkeypatch):
    monkeypatch.setattr(reading, "MOST_RECORDS", 2)
    sent(hub, *(some_flag(number) for number in range(1, 5)))

    done = receive(bob)

    assert len(done.ids) == 2
    assert "it has 4 flags and drafts" in done.refused[0]


def test_more_senders_than_anybody_reads_are_told(hub, bob, monkeypatch):
    monkeypatch.setattr(receiving, "MOST_SENDERS", 1)
    for number in range(2):
        files = {**FORMAT, **record(some_flag(number + 1))}
        plant(hub, f"refs/knowl/proposals/m-0000000{number}", files)

    done = receive(bob)

    assert len(done.ids) == 1
    assert "there are 2 senders" in done.refused[0]


# --- what it says of itself -------------------------------------------------------------------


def test_neither_reviewer_nor_lane_nor_outcome_is_believed(hub, bob):
    evil = some_draft(
        reviewed=Reviewed("Kim <kim@example.org>", stores.TIME, "terminal"),
        promoted=Promoted("AGENTS.md", HEX),
        rev=10**9,
        type="feedback",
        source=Source("quote", quote="as I say"),
    )
    sent(
        hub,
        raw(replace(evil, lane="shared"), sender="origin/boss-00000000", mood="x"),
        raw(some_flag(5), outcome="captured as x", draft=GOOD.id, sender="me", worktree="/x"),
    )

    receive(bob)
    inbox = inbox_of(bob)
    (draft,), (seen,) = inbox.drafts, inbox.flags

    assert (draft.entry.reviewed, draft.entry.promoted, draft.entry.rev) == (None, None, 1)
    assert (draft.lane, draft.sender, draft.extra) == ("local", SENDER, {})
    assert (seen.outcome, seen.draft, seen.sender) == ("pending", None, SENDER)
    assert seen.worktree is None


def test_evidence_is_cut_to_one_fingerprint_of_this_very_text(hub, bob):
    def print_of(text, sha):
        return FileFingerprint(text, sha, "sha1:" + "b" * 40, stores.TIME, stores.BY, "terminal")

    bare = stores.entry("cart", anchors=(FileAnchor("lib/cart.ts"),))
    accepted = tuple(print_of(bare.digest, f"{number:064x}") for number in range(8))
    anchor = FileAnchor("lib/cart.ts", (print_of(HEX, HEX), *accepted))
    sent(hub, stores.draft(replace(bare, anchors=(anchor,))))

    receive(bob)
    (draft,) = inbox_of(bob).drafts

    assert [one.sha256 for one in draft.entry.anchors[0].accepted] == [f"{0:064x}"]


def test_a_draft_speaks_for_no_flag_of_somebody_else(hub, bob):
    own = flag(bob, "a thing of my own").flag.id
    ada = member(hub, "ada", ADA)
    theirs = flag(ada, "a thing of Ada's").flag.id
    send(ada)
    receive(bob)
    mine = some_flag(7)
    sent(hub, mine, replace(some_draft(), flags=(own, theirs, mine.id)))

    receive(bob)
    (draft,) = inbox_of(bob).drafts

    assert draft.flags == (mine.id,)
    assert {one.id: one.draft for one in inbox_of(bob).flags} == {
        own: None,
        theirs: None,
        mine.id: draft.id,
    }


def test_an_id_that_is_known_here_is_not_taken_over(hub, bob):
    first, _, draft = fill(bob)
    before = tips(home(bob))
    stolen = replace(some_draft(), id=draft, entry=replace(some_draft().entry, id=draft))
    sent(hub, stolen, some_flag(1, id=first))

    done = receive(bob)

    assert done.ids == ()
    assert sorted(done.passed) == sorted((first, draft))
    assert tips(home(bob)) == before


def test_one_id_from_two_senders_is_that_of_the_first(hub, bob):
    for name in ("a-00000000", "b-00000000"):
        one = some_flag(1, summary=f"from {name}")
        plant(hub, f"refs/knowl/proposals/{name}", {**FORMAT, **record(one)})

    done = receive(bob)

    assert list(done.senders) == ["origin/a-00000000"]
    assert list(done.passed.values()) == ["it came from another sender too"]


def test_secrets_are_masked_or_refused(hub, bob):
    sent(
        hub,
        some_flag(1, summary=f"token {KEY} leaks", quote=f"see {KEY}"),
        some_draft(2, body=f"Token {KEY}. Why: x.\n"),
        some_draft(3, tags=(KEY,)),
    )

    done = receive(bob)

    assert len(done.ids) == 2
    assert KEY not in str((inbox_of(bob), done))
    assert "tags.0: expected no secret" in done.refused[0]


def test_what_was_purged_here_does_not_come_in(hub, bob):
    one = some_draft(reviewed=None)
    text = render(replace(one.entry, reviewed=None))
    put = stores.PutRaw("refs/knowl/entries", purged_path(digest_of(text)), b"")
    stores.write(bob.store, put)
    sent(hub, one)

    assert receive(bob).passed == {one.id: "its text was purged"}


def test_whatever_came_in_can_be_reviewed_and_nothing_was_live_before(hub, bob):
    sent(hub, some_draft(1), some_draft(2), GOOD)
    receive(bob)
    assert entry_names(bob) == []

    accept(bob, *(one.id for one in inbox_of(bob).drafts))

    assert entry_names(bob) == ["entry-1", "entry-2"]


@pytest.mark.parametrize("files", [{"a": b"x"}, {**FORMAT, "flags/zz/x.json": b"x"}])
def test_what_a_stranger_left_on_our_own_ref_is_built_over(hub, bob, files):
    fill(bob)
    ref = send(bob).ref
    plant(hub, ref, files)
    flag(bob, "one thing more")

    done = send(bob)

    assert len(done.ids) == 4
    listed = hub.git("ls-tree", "-r", "--name-only", done.commit)
    assert "format" in listed
    assert all(one in listed for one in done.ids)


def test_an_object_that_is_no_commit_on_our_own_ref_is_told(hub, bob):
    fill(bob)
    ref = send(bob).ref
    hub.git("update-ref", ref, hub.git("hash-object", "-w", "--stdin", stdin=b"x"))

    with pytest.raises(ProposalsRefusedError, match="holds a blob"):
        send(bob)


def test_objects_that_git_refuses_hold_up_no_other_sender(hub, bob):
    blob = hub.git("hash-object", "-w", "--stdin", stdin=b"x")
    tree = hub.git("mktree", stdin=f"100644 blob {blob}\t.git\n")
    hub.git("update-ref", REF, hub.git("commit-tree", tree, "-m", "x"))
    plant(hub, "refs/knowl/proposals/ada-00000000", {**FORMAT, **record(GOOD)})

    done = receive(bob)

    assert done.ids == (GOOD.id,)
    assert done.refused[0].startswith("mallory-0a1b2c3d: ")
