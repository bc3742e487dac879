"""Ids, targets, digests and verdicts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.model import ids, status
from git_knowl.model.anchor import (
    EntryLink,
    FileAnchor,
    ForeignAnchor,
    PackageAnchor,
    UrlAnchor,
)
from git_knowl.model.entry import Entry, Source
from git_knowl.model.flag import Flag
from git_knowl.model.ids import IdError
from git_knowl.model.verdict import AnchorVerdict, Verdict

ID = "01k4zzzzzzzzzzzzzzzzzzzzzz"
TIME = "2026-11-29T10:00:00Z"
ENTRY = Entry(
    name="cart-doubles",
    id=ID,
    description="Lies über den Wagen",
    type="project",
    created=TIME,
    updated=TIME,
    rev=1,
    body="Above three pieces the price doubles.",
    anchors=(FileAnchor("lib/cart.ts"), UrlAnchor("https://example.org", TIME, 90)),
    source=Source("session", "s-1"),
    depends_on=(EntryLink(ID, "other"),),
    tags=("cart",),
)


def test_digest_is_that_of_canonical_json_so_that_other_programs_can_compute_it() -> None:
    told = {
        "anchors": ["file:lib/cart.ts", "url:90d:https://example.org"],
        "body": "Above three pieces the price doubles.",
        "depends_on": [{"id": ID, "name": "other"}],
        "description": "Lies über den Wagen",
        "name": "cart-doubles",
        "source": {"kind": "session", "quote": None, "ref": "s-1"},
        "tags": ["cart"],
        "type": "project",
    }
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert ENTRY.digest == hashlib.sha256(text.encode()).hexdigest()


def test_digest_of_an_entry_never_changes_with_the_program() -> None:
    """Accepted fingerprints hold it: another one would turn every anchor of every store unknown."""
    assert ENTRY.digest == "54c1a28f75b2c2efb9e537741b6665c253ebb8e5a45b58457161f5eb8ec68899"


def test_half_a_character_has_a_digest_too() -> None:
    assert len(replace(ENTRY, anchors=(FileAnchor("a\udcff\ud800"),)).digest) == 64


@pytest.mark.parametrize(
    ("anchor", "kind", "target"),
    [
        (FileAnchor("a b"), "file", "file:a b"),
        (PackageAnchor("pkg:npm/%40s/x", "l"), "package", "package:npm/@s/x!l"),
        (PackageAnchor("pkg:npm/x", ""), "package", "package:npm/x"),
        (UrlAnchor("https://x.org", TIME, 30), "url", "url:30d:https://x.org"),
        (ForeignAnchor("tree", {"count": 3, "spec": "lib"}), "tree", "tree:lib"),
        (ForeignAnchor("tree", {}), "tree", "tree:"),
    ],
)
def test_anchor_is_called_as_it_is_written_on_the_command_line(
    anchor: FileAnchor, kind: str, target: str
) -> None:
    assert (anchor.kind, anchor.target) == (kind, target)


def test_values_can_be_collected_in_sets_although_they_hold_extra_keys() -> None:
    assert len({ENTRY, replace(ENTRY, extra={"later": [1]})}) == 2


@given(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=10))
def test_id_is_a_lower_case_ulid_that_sorts_by_time(moment: int, entropy: bytes) -> None:
    made = ids.make_id(moment, entropy)

    assert ids.is_id(made)
    assert made.startswith(ids.make_id(moment, bytes(10))[:10])
    assert ids.shard(made) == made[-2:]
    assert ids.make_id(moment, entropy) <= ids.make_id(moment, b"\xff" * 10)


def test_first_and_last_id_are_those_of_the_ulid_specification() -> None:
    assert ids.make_id(0, bytes(10)) == "0" * 26
    last = ids.make_id(2**48 - 1, b"\xff" * 10)

    assert last == "7" + "z" * 24 + "y"  # the lowest bit stays clear


@pytest.mark.parametrize(
    "text", ["", ID[:-1], ID + "0", ID.upper(), "8" + ID[1:], "01k4i" + ID[5:]]
)
def test_what_is_no_id_is_told(text: str) -> None:
    assert not ids.is_id(text)


def test_id_is_found_by_its_beginning_or_end_in_either_case() -> None:
    candidates = ["01aaaaaa", "01bbbbbb"]

    assert ids.resolve("01aaaaaa", candidates, "flag") == "01aaaaaa"
    assert ids.resolve("01A", candidates, "flag") == "01aaaaaa"
    assert ids.resolve("bbb", candidates, "flag") == "01bbbbbb"


def test_whole_id_is_found_although_it_is_the_beginning_of_another() -> None:
    assert ids.resolve("01a", ["01a", "01ab"], "flag") == "01a"


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        ("x", "no flag has the id 'x'"),
        ("", "no flag has the id ''"),
        ("01", "id '01' is ambiguous"),
    ],
)
def test_prefix_that_names_nothing_or_too_much_is_refused(prefix: str, message: str) -> None:
    with pytest.raises(IdError, match=message) as caught:
        ids.resolve(prefix, ["01a", "01b"], "flag")

    assert caught.value.hint


statuses = st.lists(st.sampled_from(status.STATUSES))


@given(statuses)
def test_suspect_outranks_unknown_outranks_active(found: list[str]) -> None:
    combined = status.combine(found)

    assert combined == (
        status.SUSPECT
        if status.SUSPECT in found
        else status.UNKNOWN
        if status.UNKNOWN in found
        else status.ACTIVE
    )


@given(statuses, statuses)
def test_one_more_anchor_never_makes_an_entry_look_better(one: list[str], more: list[str]) -> None:
    order = status.STATUSES

    assert order.index(status.combine(one + more)) <= order.index(status.combine(one))


def test_verdict_without_anchors_is_active() -> None:
    assert Verdict().is_active


def test_verdict_with_a_suspect_anchor_is_suspect() -> None:
    verdict = Verdict(
        (AnchorVerdict("file", "file:a", "active"), AnchorVerdict("url", "b", "suspect"))
    )

    assert verdict.status == "suspect"
    assert not verdict.is_active


def test_flag_waits_until_it_has_an_outcome() -> None:
    flag = Flag(id=ID, summary="x", at=TIME, by="Kim")

    assert flag.is_pending
    assert not replace(flag, outcome="captured as cart-doubles").is_pending
