"""Flags on the inbox ref."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from git_knowl.model.flag import FlagPath
from git_knowl.plumbing import refs
from git_knowl.store import flags
from git_knowl.store.flags import PutFlag, RemoveFlag
from git_knowl.store.records import Damaged, RecordError
from git_knowl.store.state import PutState
from tests.support.stores import PutRaw, all_ids, flag, identifier, write

FULL = flag(
    "the list 'renders' twice — naïve",
    cue="cost",
    quote="line one\nline two",
    host="claude",
    session="s-1",
    worktree="/w/t",
    branch="main",
    head="0" * 40,
    paths=(FlagPath("a\udcff b", "sha1:00"), FlagPath("gone")),
    outcome="captured as x",
    draft=identifier(9),
)


@pytest.mark.parametrize("value", [FULL, flag("short", paths=())])
def test_a_record_gives_back_the_same_flag(value):
    data = flags.encode(value)

    assert flags.decode(data) == value
    assert data.isascii()
    assert data.endswith(b"}\n")


def test_fields_of_a_later_program_survive():
    fields = json.loads(flags.encode(FULL)) | {"mood": {"x": 1}, "extra": [1]}
    fields["paths"][0]["seen"] = {"y": 2}

    found = flags.decode(json.dumps(fields).encode())

    assert json.loads(flags.encode(replace(found, outcome="pending"))) == {
        **fields,
        "outcome": "pending",
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": None}, "id"),
        ({"summary": 7}, "summary"),
        ({"paths": "lib"}, "paths"),
        ({"paths": ["lib"]}, "paths"),
        ({"paths": [{"blob": "x"}]}, "path"),
        ({"cue": []}, "cue"),
    ],
)
def test_a_record_of_another_shape_names_the_field(change, field):
    fields = json.loads(flags.encode(FULL)) | change

    with pytest.raises(RecordError, match=f"^{field}: expected"):
        flags.decode(json.dumps(fields).encode())


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'"text"', b"\xff\xfe", b"nul"])
def test_bytes_that_are_no_record_raise_nothing_else(data):
    with pytest.raises(RecordError):
        flags.decode(data)


def test_flags_are_read_oldest_first_whatever_their_folders(any_store):
    made = [flag(f"note {number}", number) for number in (3, 1, 2)]

    write(any_store, *map(PutFlag, made))

    assert all_ids(flags.read_flags(any_store.view())) == [identifier(n) for n in (1, 2, 3)]


def test_one_flag_is_found_by_its_id(store):
    write(store, PutFlag(FULL))

    assert flags.read_flag(store.view(), FULL.id) == FULL
    assert flags.read_flag(store.view(), identifier(2)) is None


def test_a_flag_is_written_in_place_of_itself_and_removed(store):
    write(store, PutFlag(flag("first")))
    write(store, PutFlag(flag("second")))

    assert [found.summary for found in flags.read_flags(store.view())] == ["second"]
    write(store, RemoveFlag(identifier(1)))
    assert list(flags.read_flags(store.view())) == []


def test_a_damaged_flag_hides_no_other(store):
    bad, misplaced = flags.flag_path(identifier(2)), flags.flag_path(identifier(3))
    write(
        store,
        PutFlag(FULL),
        PutRaw(refs.INBOX, bad, b"{"),
        PutRaw(refs.INBOX, misplaced, flags.encode(flag("stray", 4))),
    )

    found = list(flags.read_flags(store.view()))

    assert found[0] == FULL
    assert [(item.path, isinstance(item, Damaged)) for item in found[1:]] == [
        (bad, True),
        (misplaced, True),
    ]
    assert "belongs at" in found[2].error


def test_a_flag_writes_the_inbox_alone_and_keeps_no_history(repo, store):
    write(store, PutFlag(flag("first", 1)))
    write(store, PutFlag(flag("second", 2)))

    assert {ref for ref in repo.refs() if "knowl" in ref} == {refs.INBOX}
    assert repo.git("rev-list", "--count", refs.INBOX) == "1"
    assert len(repo.git("reflog", "show", refs.INBOX).splitlines()) == 2


def test_state_and_inbox_do_not_disturb_each_other(store):
    write(store, PutFlag(FULL), PutState("noise", b"x"))

    write(store, RemoveFlag(FULL.id))

    assert store.view().tree(refs.STATE).read("noise") == b"x"
