"""Editing the document of an entry: another text, other evidence; the same text, no write."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.anchor import ForeignAnchor
from git_knowl.model.document import DocumentError
from git_knowl.model.status import ACTIVE
from git_knowl.model.tiers import HERE, UNATTENDED
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.edit import NotLookedError, apply_edit, check_editable, document
from git_knowl.services.filters.secrets import SecretError
from git_knowl.services.gate import GateError
from git_knowl.services.verify import evidence, verify
from git_knowl.store.operations import PutEntry
from tests.support.contexts import ADA
from tests.support.people import (
    CART,
    KIM,
    agent,
    live,
    names,
    person,
    script,
    tier,
    tips,
    write,
)
from tests.support.stores import write as put

KEY = "AKIA" + "ABCDEFGHIJKLMNOP"


def edit(repo, old, new, name="cart", caller=person, **options):
    ctx = caller(repo)
    seen = evidence(ctx, name)
    text = document(seen.entry)
    assert old in text
    return apply_edit(ctx, seen, text.replace(old, new, 1), **options)


def refused(repo, error, expected, old, new, **options):
    before = tips(repo)
    with pytest.raises(error, match=expected) as caught:
        edit(repo, old, new, **options)
    assert tips(repo) == before, "nothing is stored"
    return caught.value


def test_another_text_is_stored_with_what_the_program_fills_in(repo):
    first = write(person(repo), "cart", CART)

    done = edit(repo, "doubles", "trebles", reviewer=ADA)

    entry = live(person(repo), "cart")
    assert done.entry == entry
    assert "trebles" in entry.body
    assert (entry.id, entry.created, entry.rev) == (first.id, first.created, 2)
    assert (entry.reviewed.by, entry.reviewed.how) == (ADA, "terminal")
    assert [item.by for item in entry.anchors[0].accepted] == [ADA]
    assert tier(person(repo)) == HERE


def test_the_same_text_is_not_written_again(repo):
    write(person(repo), "cart", CART)
    before = tips(repo)

    done = edit(repo, "doubles", "doubles")

    assert not done.changed
    assert tips(repo) == before


@pytest.mark.parametrize("field", ["rev: 1", "created:", "sha256:", "how: terminal"])
def test_what_the_program_fills_in_is_not_for_the_editor(repo, field):
    write(person(repo), "cart", CART)
    before = tips(repo)
    value = {"rev: 1": "rev: 9", "created:": "created: 2020-01-01T00:00:00Z #"}

    done = edit(repo, field, value.get(field, field))

    assert not done.changed
    assert tips(repo) == before


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("---\n", "--\n", "frontmatter"),
        ("name: cart", "name: ../x", r"^name: expected"),
        ("description: Read", "description: 'a\n\n  b'\nx: Read", r"entry\.description"),
        ("type: project", "type: idea", "type"),
        ("type: project", "type: [project]", "type"),
        ("path: lib/cart.ts", "path: lib/none.ts", r"entry\.anchors\.0: file:lib/none\.ts"),
        ("path: lib/cart.ts", "path: ../x", r"entry\.anchors\.0: '\.\./x' is outside"),
        ("kind: file", "kind: rhyme", r"entry\.anchors\.0: this version cannot look at"),
        ("Above three pieces the price doubles. Why: two suppliers.", "", r"entry\.body"),
    ],
)
def test_a_broken_document_is_refused_by_its_field(repo, old, new, expected):
    write(person(repo), "cart", CART)

    refused(repo, (DocumentError, EntryRefusedError), expected, old, new)


@pytest.mark.parametrize("lane", ["shared", "local"])
def test_an_edited_name_must_be_free(repo, lane):
    write(person(repo), "cart", CART)
    write(person(repo), "till", CART, lane=lane)

    refused(repo, EntryRefusedError, "entry.name: 'till' is taken", "name: cart", "name: till")
    edit(repo, "name: cart", "name: basket")

    assert set(names(person(repo))) == {"basket", "till"}


def test_changed_evidence_must_be_looked_at(repo):
    write(person(repo), "cart", CART)
    repo.write("lib/cart.ts", "four\n")

    error = refused(repo, NotLookedError, "has changed since", "doubles", "trebles")
    assert "--reviewed" in error.hint

    edit(repo, "doubles", "trebles", looked=True)
    assert evidence(person(repo), "cart").verdict.status == ACTIVE


def test_where_the_evidence_is_can_be_edited(repo):
    write(person(repo), "cart", CART)
    repo.git("mv", "lib/cart.ts", "lib/till.ts")

    edit(repo, "path: lib/cart.ts", "path: lib/till.ts")

    entry = live(person(repo), "cart")
    assert [anchor.target for anchor in entry.anchors] == ["file:lib/till.ts"]
    assert evidence(person(repo), "cart").verdict.status == ACTIVE


def test_evidence_stays_where_no_reader_is_told_anything_new(repo):
    write(person(repo), "cart", CART)
    other = repo.worktree("feature", "feature")
    other.commit("four", {"lib/cart.ts": "four\n"})
    there = person(other)
    verify(there, evidence(there, "cart"))

    edit(repo, "type: project", "type: project\nprovenance: inferred\nmood: fine")

    entry = live(person(repo), "cart")
    assert (entry.provenance, entry.extra) == ("inferred", {"mood": "fine"})
    assert len(entry.anchors[0].accepted) == 2


def test_evidence_that_joins_while_the_editor_is_open_is_kept_or_outdated(repo):
    write(person(repo), "cart", CART)
    ctx, other = person(repo), person(repo)
    seen = evidence(ctx, "cart")
    verify(other, evidence(other, "cart"))

    done = apply_edit(ctx, seen, document(seen.entry).replace("doubles", "trebles"))

    assert live(ctx, "cart").rev == 3
    assert {item.text for item in live(ctx, "cart").anchors[0].accepted} == {done.entry.digest}


@pytest.mark.parametrize(
    ("old", "new"), [("doubles", "halves"), ("type: project", "type: project\nprovenance: stated")]
)
def test_a_text_that_changes_while_the_editor_is_open_is_not_overwritten(repo, old, new):
    write(person(repo), "cart", CART)
    ctx = person(repo)
    seen = evidence(ctx, "cart")
    edit(repo, old, new)
    before = tips(repo)

    with pytest.raises(MovedError, match="changed meanwhile"):
        apply_edit(ctx, seen, document(seen.entry).replace("pieces", "items"))

    assert tips(repo) == before


def test_an_agent_host_is_refused_before_an_editor_opens(repo):
    write(person(repo), "cart", CART)
    ctx = agent(repo, terminal=True)

    with pytest.raises(GateError, match="'edit' was asked for by the agent host 'claude'"):
        check_editable(ctx, evidence(ctx, "cart"))

    refused(repo, GateError, "only a person", "doubles", "trebles", caller=agent)


@pytest.mark.parametrize("caller", [script, agent])
def test_an_edit_without_a_person_is_unattended(repo, caller):
    repo.git("config", "knowl.unattended", "allow")
    write(person(repo), "cart", CART)

    edit(repo, "doubles", "trebles", caller=caller)

    assert live(person(repo), "cart").reviewed.by == KIM
    assert tier(person(repo)) == UNATTENDED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: cart", f"name: cart\nkey: {KEY}"),
        ("- kind: file", f"- kind: file\n  key: {KEY}"),
        ("path: lib/cart.ts", f"path: lib/{KEY}.ts"),
    ],
)
def test_a_secret_in_what_cannot_be_masked_is_refused(repo, old, new):
    write(person(repo), "cart", CART)

    error = refused(repo, SecretError, "expected no secret", old, new)

    assert KEY not in error.message


def test_a_secret_in_the_body_is_masked(repo):
    write(person(repo), "cart", CART)

    done = edit(repo, "doubles", f"doubles {KEY}")

    assert done.redacted == (("AWS_KEY", 1),)
    assert KEY not in repo.git("cat-file", "--batch-all-objects", "--batch")


def test_links_and_unknown_keys_survive_an_edit(repo):
    ctx = person(repo)
    first = write(ctx, "till", CART)
    entry = write(ctx, "cart", CART)
    linked = replace(
        entry,
        supersedes=(first.id,),
        extra={"mood": "fine"},
        anchors=(replace(entry.anchors[0], extra={"weight": 3}),),
    )
    put(ctx.store, PutEntry("shared", linked))

    edit(repo, "doubles", "trebles")

    now = live(person(repo), "cart")
    assert (now.supersedes, now.extra) == ((first.id,), {"mood": "fine"})
    assert now.anchors[0].extra == {"weight": 3}


def test_an_entry_of_a_newer_program_is_not_edited_by_this_one(repo):
    ctx = person(repo)
    entry = write(ctx, "cart", CART)
    foreign = ForeignAnchor("rhyme", {"kind": "rhyme", "path": "lib/cart.ts"})
    put(ctx.store, PutEntry("shared", replace(entry, anchors=(*entry.anchors, foreign))))
    ctx = person(repo)

    with pytest.raises(EntryRefusedError, match="kind 'rhyme'"):
        check_editable(ctx, evidence(ctx, "cart"))


def test_warnings_come_with_the_edit(repo):
    write(person(repo), "cart", CART)

    done = edit(repo, "type: project", "type: reference")

    assert "a reference without a package or url anchor" in " ".join(done.warnings)
