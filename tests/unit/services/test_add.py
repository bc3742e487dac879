"""Adding an entry by hand: live where a person stands behind it, else a draft, or nothing."""

from __future__ import annotations

import os
import re

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.entry import Source
from git_knowl.services.add import add, check_name, find_flag, lend, with_body
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.filters.secrets import SecretError
from git_knowl.services.flag import flag
from git_knowl.services.gate import GateError
from git_knowl.services.retire import retire
from git_knowl.store.inbox import read_inbox
from git_knowl.store.rules import NameTakenError
from tests.support.builders import RepoBuilder
from tests.support.contexts import ADA
from tests.support.people import (
    CART,
    KIM,
    agent,
    live,
    names,
    person,
    plan,
    script,
    tips,
    write,
)

KEY = "AKIA" + "ABCDEFGHIJKLMNOP"


def drafts(ctx):
    return read_inbox(ctx.store.view()).drafts


def refused(repo, *anchors, expected, **more):
    before = tips(repo)
    with pytest.raises(EntryRefusedError, match=re.escape(expected)):
        add(person(repo), plan(more.pop("name", "cart"), *anchors, **more))
    assert tips(repo) == before, "nothing is stored"


def test_a_person_at_a_terminal_makes_an_entry(repo):
    ctx = person(repo)

    done = add(ctx, plan("cart", CART))

    entry = live(ctx, "cart")
    assert (done.id, done.live) == (entry.id, True)
    assert (entry.reviewed.by, entry.reviewed.how) == (KIM, "terminal")
    assert (entry.anchors[0].accepted[0].by, entry.as_of) == (KIM, repo.rev("HEAD"))
    assert repo.git("log", "-1", "--format=%s", "refs/knowl/entries") == "capture cart"


def test_a_reviewer_who_is_named_makes_an_entry_without_a_terminal(repo):
    ctx = script(repo)

    add(ctx, plan("cart", CART, reviewer=ADA))

    entry = live(ctx, "cart")
    assert (entry.reviewed.by, entry.reviewed.how) == (ADA, "unattended")
    assert entry.anchors[0].accepted[0].how == "unattended"


def test_without_either_it_becomes_a_draft(repo):
    ctx = script(repo)

    done = add(ctx, plan("cart", CART, lane="local"))

    (draft,) = drafts(ctx)
    assert (done.id, done.live) == (draft.id, False)
    assert (draft.name, draft.lane, draft.kind) == ("cart", "local", "capture")
    assert names(ctx) == {}


def test_inside_an_agent_host_it_becomes_a_draft_even_with_a_reviewer(repo):
    ctx = agent(repo, terminal=True)

    add(ctx, plan("cart", CART, reviewer=ADA))

    assert names(ctx) == {}
    assert [draft.host for draft in drafts(ctx)] == ["claude"]


def test_unless_the_repository_allows_unattended_writes(repo):
    repo.git("config", "knowl.unattended", "allow")
    ctx = agent(repo)

    add(ctx, plan("cart", CART, reviewer=ADA))

    assert live(ctx, "cart").reviewed.how == "unattended"


@pytest.mark.parametrize("caller", [script, agent])
def test_a_reviewer_who_is_no_person_is_refused(repo, caller):
    with pytest.raises(GateError, match="reviewer: expected 'NAME <MAIL>'"):
        add(caller(repo), plan("cart", CART, reviewer="nobody"))

    assert tips(repo) == {}


def test_the_same_draft_twice_is_one_draft(repo):
    first = add(script(repo), plan("cart", CART))

    again = add(script(repo), plan("cart", CART))

    assert (again.id, again.known, first.known) == (first.id, True, False)
    assert len(drafts(script(repo))) == 1


def test_a_draft_may_not_have_the_name_of_another(repo):
    add(script(repo), plan("cart", CART))

    with pytest.raises(EntryRefusedError, match=r"entry\.name: 'cart' is taken by the draft"):
        add(script(repo), plan("cart", CART, body="Another text."))


@pytest.mark.parametrize(("there", "here"), [("shared", "local"), ("local", "shared")])
@pytest.mark.parametrize("caller", [person, script])
def test_a_name_is_unique_over_both_lanes(repo, caller, there, here):
    entry = write(person(repo), "cart", CART, lane=there)
    before = tips(repo)

    with pytest.raises(EntryRefusedError, match=f"'cart' is taken by the entry {entry.id}"):
        add(caller(repo), plan("cart", CART, lane=here))

    assert tips(repo) == before


def test_a_name_that_is_taken_while_the_text_is_written_is_refused(repo, monkeypatch):
    ctx = person(repo)
    write(person(repo), "cart", CART)
    monkeypatch.setattr("git_knowl.services.add.refuse_taken", lambda *_: None)

    with pytest.raises(NameTakenError, match="the name 'cart' is taken"):
        add(ctx, plan("cart", CART))


@pytest.mark.parametrize(
    ("name", "error"),
    [("../x", EntryRefusedError), ("cart", EntryRefusedError), (KEY, SecretError)],
)
def test_a_name_is_checked_before_a_text_is_written(repo, name, error):
    write(person(repo), "cart", CART)

    with pytest.raises(error, match=r"entry\.name: "):
        check_name(person(repo), name)


def test_a_name_that_was_retired_is_free(repo):
    ctx = person(repo)
    first = write(ctx, "cart", CART)
    retire(ctx, "cart", "old")

    check_name(ctx, "cart")

    assert write(ctx, "cart", CART).id != first.id


def test_feedback_starts_in_the_local_lane_and_the_rest_in_the_shared_one(repo):
    ctx = person(repo)
    said = Source("quote", quote="never run the full lint")

    write(ctx, "no-lint", type="feedback", source=said)
    write(ctx, "cart", CART)
    write(ctx, "no-test", type="feedback", source=said, lane="shared")

    assert names(ctx) == {"cart": "shared", "no-lint": "local", "no-test": "shared"}
    assert live(ctx, "no-lint").provenance == "stated"


def test_paths_count_from_the_folder_of_the_caller(repo):
    ctx = person(repo, cwd=str(repo.path / "lib"))

    entry = write(ctx, "cart", "file:cart.ts", "file:../conf.yml")

    assert [one.target for one in entry.anchors] == [CART, "file:conf.yml"]


def test_paths_of_a_draft_do_too(repo):
    ctx = script(repo, cwd=str(repo.path / "lib"))

    add(ctx, plan("cart", "file:cart.ts"))

    assert drafts(ctx)[0].entry.anchors[0].target == CART


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        ("file:lib/none.ts", "entry.anchors.1: file:lib/none.ts cannot be anchored"),
        ("file:../other", "entry.anchors.1: '../other' is outside the work tree"),
        ("file:link/cart.ts", "leads through the symbolic link 'link'"),
        ("file:lib", "tree:lib"),
        ("file:.git/config", "inside a git directory"),
        ("file:.", "entry.anchors.1.path: expected a file, got '.', the folder of the whole"),
        ("file:./", "entry.anchors.1.path: expected a file, got './', the folder of the whole"),
        ("symbol:.#total", "the folder of the whole project"),
        ("snippet:.:1-2", "the folder of the whole project"),
        ("package:npm/x!.", "entry.anchors.1.lockfile: expected a file, got '.'"),
        ("file:", "entry.anchors.1: a path must not be empty"),
        ("file:a\nb", "entry.anchors.1.path: expected one line without control"),
        ("file:" + "d/" * 160, "entry.anchors.1.path: expected at most 300 characters"),
        ("symbol:lib/cart.ts#none", "there is no such symbol"),
        ("package:npm/none", "no lockfile here resolves pkg:npm/none"),
        ("url:0d:https://example.org", "entry.anchors.1.max_age_days: expected 1 to 3650"),
        ("url:ftp://example.org", "entry.anchors.1.url: expected an http or https address"),
        ("lib/cart.ts", "expected KIND:TARGET"),
    ],
)
def test_an_anchor_that_cannot_be_is_refused_by_its_place(repo, anchor, expected):
    os.symlink("lib", repo.path / "link")

    refused(repo, "file:conf.yml", anchor, expected=expected)


def test_a_path_that_is_no_utf_8_cannot_be_stored(repo):
    path = os.fsdecode(b"lib/\xff.ts")
    (repo.path / path).write_text("x\n")

    refused(repo, f"file:{path}", expected="entry.anchors.0.path: expected UTF-8")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"name": "../x"}, "entry.name: expected"),
        ({"name": "a" * 121}, "entry.name: expected at most 120 characters"),
        ({"description": "two\nlines"}, "entry.description: expected one line"),
        ({"description": "\x1b[31mred"}, "entry.description: expected one line"),
        ({"description": " "}, "entry.description: expected text"),
        ({"description": "x" * 301}, "entry.description: expected at most 300"),
        ({"body": ""}, "entry.body: expected text, got nothing"),
        ({"body": "x" * 20_001}, "entry.body: expected at most 20000"),
        ({"body": "a\x07"}, "entry.body: expected no control characters"),
        ({"tags": ("a", "a")}, "entry.tags.1: expected every tag once"),
        ({"source": Source("quote", quote="x" * 2001)}, "entry.source.quote: expected at most"),
        ({"type": "feedback"}, "entry.source: expected who or what vouches for the feedback"),
        (
            {"type": "feedback", "body": "No.", "source": Source("quote", quote="no")},
            "entry.body: expected the reason for the feedback",
        ),
    ],
)
def test_a_text_that_breaks_a_rule_is_refused_by_its_field(repo, fields, expected):
    refused(repo, CART, expected=expected, **fields)


def test_everything_that_is_wrong_is_told_at_once(repo):
    with pytest.raises(EntryRefusedError) as caught:
        add(person(repo), plan("X", CART, description="", body=""))

    assert len(caught.value.faults) == 3


def test_without_anchor_a_source_is_needed(repo):
    refused(repo, source=None, expected="entry.source: expected a source, since there is no anchor")


@pytest.mark.parametrize(
    "fields",
    [
        {"name": KEY},
        {"tags": (KEY,)},
        {"anchors": (f"file:{KEY}",)},
        {"anchors": (f"url:https://u:{KEY}pass@example.org/",)},
    ],
)
@pytest.mark.parametrize("caller", [person, script])
def test_a_secret_in_what_names_something_is_refused(repo, caller, fields):
    before = tips(repo)
    wanted = plan(
        fields.get("name", "cart"), *fields.get("anchors", (CART,)), tags=fields.get("tags", ())
    )

    with pytest.raises(SecretError) as caught:
        add(caller(repo), wanted)

    assert KEY not in caught.value.message
    assert tips(repo) == before


@pytest.mark.parametrize("caller", [person, script])
def test_a_secret_in_free_text_is_masked_and_counted(repo, caller):
    wanted = plan(
        "cart",
        CART,
        description=f"the key {KEY}",
        body=f"key {KEY}",
        source=Source("quote", quote=KEY),
    )

    done = add(caller(repo), wanted)

    assert done.redacted == (("AWS_KEY", 3),)
    held = repo.git("cat-file", "--batch-all-objects", "--batch")
    assert KEY not in held


def test_an_untracked_file_and_an_unchecked_reference_are_warned_about(repo):
    repo.write("new.ts", "x\n")

    done = add(person(repo), plan("cart", "file:new.ts", type="reference"))

    assert "new.ts is untracked" in " ".join(done.warnings)
    assert "a reference without a package or url anchor" in " ".join(done.warnings)


def test_what_says_nearly_the_same_is_warned_about(repo):
    write(person(repo), "cart-doubles", CART)

    done = add(person(repo), plan("cart-double", CART))

    assert any("much like entry cart-doubles" in warning for warning in done.warnings)


def flagged(repo, *paths, **more):
    return flag(person(repo), "totals double above three", paths, **more).flag


def from_flag(ctx, wanted, flag_id):
    return lend(ctx, wanted, find_flag(ctx, flag_id))


def test_a_flag_lends_its_paths_and_its_quote_and_is_settled(repo):
    one = flagged(repo, "lib/cart.ts", "conf.yml", quote="it doubles")
    ctx = person(repo, cwd=str(repo.path / "lib"))

    add(ctx, from_flag(ctx, plan("cart", source=None), one.id[-8:]))

    entry = live(ctx, "cart")
    assert [anchor.target for anchor in entry.anchors] == [CART, "file:conf.yml"]
    assert entry.source == Source("quote", quote="it doubles")
    (settled,) = read_inbox(ctx.store.view()).flags
    assert settled.outcome == "captured as cart"


def test_what_is_named_comes_before_what_the_flag_lends(repo):
    one = flagged(repo, "lib/cart.ts", quote="it doubles")
    ctx = person(repo)
    own = Source("quote", quote="mine")

    add(ctx, from_flag(ctx, plan("cart", "file:conf.yml", source=own), one.id))

    entry = live(ctx, "cart")
    assert [anchor.target for anchor in entry.anchors] == ["file:conf.yml"]
    assert entry.source == own


def test_paths_no_anchor_can_rest_on_are_left_out_with_a_note(repo):
    repo.write("gone.ts", "x\n")
    one = flagged(repo, "lib", "gone.ts", "lib/cart.ts")
    (repo.path / "gone.ts").unlink()
    ctx = person(repo)

    wanted = from_flag(ctx, plan("cart", source=None), one.id)

    assert wanted.text.anchors == (CART,)
    assert "'lib' is a directory" in wanted.notes[0]
    assert "'gone.ts' is not here" in wanted.notes[1]


def test_a_draft_takes_the_flag_and_who_adds_it_again_is_told(repo):
    one = flagged(repo, "lib/cart.ts")
    ctx = script(repo)

    done = add(ctx, from_flag(ctx, plan("cart", source=None), one.id))

    (taken,) = read_inbox(ctx.store.view()).flags
    assert (taken.outcome, taken.draft) == ("pending", done.id)
    assert drafts(ctx)[0].flags == (one.id,)
    again = from_flag(person(repo), plan("till", source=None), one.id)
    assert again.notes == (f"the draft {done.id} is made of this flag too",)


def test_a_flag_that_is_settled_meanwhile_keeps_the_entry_out(repo):
    one = flagged(repo, "lib/cart.ts")
    ctx, other = person(repo), person(repo)
    wanted = from_flag(ctx, plan("cart", source=None), one.id)
    add(other, from_flag(other, plan("till", source=None), one.id))
    before = tips(repo)

    with pytest.raises(MovedError, match="settled meanwhile: captured as till"):
        add(ctx, wanted)

    assert tips(repo) == before


def test_only_a_flag_that_waits_can_be_added_from(repo):
    one = flagged(repo, "lib/cart.ts")
    ctx = person(repo)
    add(ctx, from_flag(ctx, plan("cart", source=None), one.id))

    for text in (one.id, "zzzzzz", ""):
        with pytest.raises(Exception, match="no pending flag has the id"):
            find_flag(ctx, text)


def test_a_body_can_be_written_last(repo):
    ctx = person(repo)

    add(ctx, with_body(plan("cart", CART, body=""), "Written in an editor."))

    assert live(ctx, "cart").body == "Written in an editor.\n"


def test_an_unborn_branch_and_an_empty_store_will_do(tmp_path):
    empty = RepoBuilder.make(tmp_path)
    empty.write("lib/cart.ts", "x\n")
    ctx = person(empty)

    entry = write(ctx, "cart", CART)

    assert (entry.as_of, entry.anchors[0].accepted[0].dirty) == (None, True)
