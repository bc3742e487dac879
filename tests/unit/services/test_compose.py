"""Entries made of what somebody wrote: filled in, checked whole, resting on what is here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.anchor import FileAnchor, ForeignAnchor, UrlAnchor
from git_knowl.model.entry import Promoted, Related, Source
from git_knowl.services.compose import EntryRefusedError, Origin, Text, compose
from git_knowl.services.filters.secrets import SecretError
from tests.support.clock import Clock
from tests.support.contexts import ADA, context
from tests.support.seal import DATE, PERSON
from tests.support.stores import entry, identifier

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
ORIGIN = Origin(identifier(1), DATE)
TEXT = Text(
    name="cart-doubles",
    description=" Read before touching the cart ",
    type="project",
    body="\nThe cart doubles.\nWhy: pairs.\n\n",
    anchors=("file:lib/cart.ts",),
)


def test_the_program_fills_in_everything_but_text_and_paths(repo):
    made = compose(context(repo), TEXT, ORIGIN, how="draft").entry

    head = repo.rev("HEAD")
    blob = repo.rev("HEAD:lib/cart.ts")
    assert (made.id, made.created, made.updated, made.rev) == (identifier(1), DATE, DATE, 1)
    assert (made.as_of, made.description) == (head, "Read before touching the cart")
    assert made.body == "The cart doubles.\nWhy: pairs.\n"
    assert made.patch_id
    (anchor,) = made.anchors
    assert isinstance(anchor, FileAnchor)
    (item,) = anchor.accepted
    assert (item.text, item.blob) == (made.digest, f"sha1:{blob}")
    assert (item.by, item.at, item.how) == (PERSON, DATE, "draft")
    assert (item.commit, item.dirty) == (head, False)


def test_evidence_can_be_signed_by_somebody_else(repo):
    made = compose(context(repo), TEXT, ORIGIN, how="unattended", by=ADA).entry

    assert made.anchors[0].accepted[0].by == ADA


def test_paths_count_from_the_caller_or_from_the_top(repo):
    ctx = context(repo, cwd=str(repo.path / "lib"))
    here = replace(TEXT, anchors=("file:cart.ts",))

    assert compose(ctx, here, ORIGIN, how="draft").entry.anchors[0].target == "file:lib/cart.ts"
    assert compose(ctx, TEXT, ORIGIN, how="draft", from_top=True).entry.anchors[0].accepted


def test_a_page_counts_as_read_now(repo):
    text = replace(TEXT, anchors=("url:30d:https://example.org/api",))

    made = compose(context(repo), text, ORIGIN, how="draft").entry

    assert made.anchors == (UrlAnchor("https://example.org/api", DATE, 30),)


def test_a_package_finds_its_lockfile(repo):
    lockfile = '{"lockfileVersion": 3, "packages": {"node_modules/x": {"version": "1.2.3"}}}'
    repo.commit("lock", {"package-lock.json": lockfile})
    text = replace(TEXT, anchors=("package:npm/x",))

    made = compose(context(repo), text, ORIGIN, how="draft").entry

    assert made.anchors[0].target == "package:npm/x!package-lock.json"
    assert made.anchors[0].accepted[0].version == "1.2.3"


def test_everything_wrong_is_told_at_once_with_its_field(repo):
    text = replace(TEXT, name="../x", description="", body="")

    with pytest.raises(EntryRefusedError) as caught:
        compose(context(repo), text, ORIGIN, how="draft")

    fields = [fault.partition(":")[0] for fault in caught.value.faults]
    assert fields == ["entry.name", "entry.description", "entry.body"]
    assert caught.value.hint


def test_every_anchor_that_cannot_be_made_is_named_by_its_place(repo):
    wrong = ("file:../x", "file:lib/cart.ts", "cart", "symbol:a#b", "package:npm/x", "file:.git/x")

    with pytest.raises(EntryRefusedError) as caught:
        compose(context(repo), replace(TEXT, anchors=wrong), ORIGIN, how="draft")

    places = [fault.partition(":")[0] for fault in caught.value.faults]
    assert places == [f"entry.anchors.{place}" for place in (0, 2, 3, 4, 5)]


@pytest.mark.parametrize(
    ("anchor", "words"),
    [
        ("file:gone.ts", "no such file"),
        ("file:lib", "directory"),
        ("file:link/cart.ts", "symbolic link"),
    ],
)
def test_evidence_that_is_not_there_is_refused(repo, anchor, words):
    (repo.path / "link").symlink_to(repo.path / "lib")

    with pytest.raises(EntryRefusedError, match=rf"entry\.anchors\.0: .*{words}"):
        compose(context(repo), replace(TEXT, anchors=(anchor,)), ORIGIN, how="draft")


def test_feedback_without_a_reason_is_refused_with_the_field_named(repo):
    text = replace(TEXT, type="feedback", body="Never do it.", source=Source("quote", quote="no"))

    with pytest.raises(EntryRefusedError, match=r"entry\.body: expected the reason"):
        compose(context(repo), text, ORIGIN, how="draft")


def test_secrets_in_prose_are_masked_and_counted(repo):
    text = replace(
        TEXT,
        description=f"Use {KEY}",
        body=f"The key is {KEY}. Why: it is.",
        source=Source("quote", ref=f"log {KEY}", quote=f"said {KEY}"),
    )

    made = compose(context(repo), text, ORIGIN, how="draft")

    assert made.redacted == (("GITHUB_TOKEN", 4),)
    assert KEY not in repr(made.entry)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("name", {"name": KEY}),
        ("tags", {"tags": ("fine", KEY)}),
        ("anchors", {"anchors": (f"file:{KEY}",)}),
        ("anchors", {"anchors": ({"kind": "url", "url": f"https://x.org/?token={KEY}"},)}),
    ],
)
def test_a_secret_in_what_names_something_is_refused(repo, field, change):
    with pytest.raises(SecretError, match=rf"^entry\.{field}: expected no secret"):
        compose(context(repo), replace(TEXT, **change), ORIGIN, how="draft")


def test_what_a_new_text_does_not_name_stays(repo):
    kept = entry(
        "cart-doubles",
        related=(Related(identifier(8), "extends"),),
        promoted=Promoted("AGENTS.md", "0" * 64),
        extra={"later": "kept"},
        anchors=(FileAnchor("lib/cart.ts", extra={"newer": True}), FileAnchor("conf.yml")),
    )

    made = compose(context(repo), TEXT, Origin(kept.id, DATE, 2, kept=kept), how="draft").entry

    assert made.related == kept.related
    assert (made.promoted, made.extra) == (kept.promoted, kept.extra)
    (anchor,) = made.anchors
    assert anchor.extra == {"newer": True}
    assert [item.text for item in anchor.accepted] == [made.digest]


def test_anchors_of_a_newer_program_are_no_reason_to_fail(repo):
    kept = entry("cart-doubles", anchors=(ForeignAnchor("rhyme", {"path": "lib/cart.ts"}),))

    made = compose(context(repo), TEXT, Origin(kept.id, DATE, kept=kept), how="draft").entry

    assert [anchor.target for anchor in made.anchors] == ["file:lib/cart.ts"]


def test_a_file_that_changes_all_the_time_brings_a_warning(repo):
    clock = Clock()
    for number in range(12):
        repo.now = clock.instant
        repo.commit(f"change {number}", {"lib/cart.ts": f"{number}\n"})

    made = compose(context(repo), TEXT, ORIGIN, how="draft")

    assert any("changed 1" in warning and "lib/cart.ts" in warning for warning in made.warnings)


def test_an_untracked_file_brings_a_warning(repo):
    repo.write("new.ts", "x\n")
    text = replace(TEXT, anchors=("file:new.ts",))

    made = compose(context(repo), text, ORIGIN, how="draft")

    assert any("untracked" in warning for warning in made.warnings)
    assert made.entry.anchors[0].accepted[0].dirty


def test_a_reference_that_can_never_turn_suspect_brings_a_warning(repo):
    made = compose(context(repo), replace(TEXT, type="reference"), ORIGIN, how="draft")

    assert any("never turns suspect" in warning for warning in made.warnings)
