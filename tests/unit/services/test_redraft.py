"""A draft as a person edits it: its text, and what becomes of evidence, lane and warnings."""

from __future__ import annotations

import pytest

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.checked import DocumentError
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.guideline import GuidelineError
from git_knowl.services.inbox import drop
from git_knowl.services.redraft import redraft, source, store
from git_knowl.services.review import Decision, decide
from tests.support.contexts import (
    REVIEWED,
    capture_item,
    context,
    entry_of,
    feedback_item,
    inbox_of,
    submit_items,
)
from tests.support.stores import flag, write

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
RULE = {"kind": "guideline", "file": "AGENTS.md", "heading": "A: b", "text": "Run it."}


@pytest.fixture
def ctx(repo):
    return context(repo)


def waiting(ctx, item):
    submit_items(ctx, item)
    return inbox_of(ctx).drafts[-1]


def edited(ctx, draft, old, new):
    text = source(draft)
    assert old in text
    return redraft(ctx, draft, text.replace(old, new)).draft


def live(ctx):
    (draft,) = submit_items(ctx, capture_item())
    decide(ctx, [Decision(draft, accepted=True)], REVIEWED)
    return entry_of(ctx, draft)


@pytest.mark.parametrize("item", [capture_item(), feedback_item(), {**RULE, "reason": "x"}])
def test_saving_without_a_change_changes_nothing(ctx, item):
    draft = waiting(ctx, item)

    assert redraft(ctx, draft, source(draft)).draft == draft


def test_another_text_rests_on_the_files_as_they_are_here_and_now(ctx, repo):
    draft = waiting(ctx, capture_item())
    repo.write("lib/cart.ts", "changed\n")

    new = edited(context(repo), draft, "three pieces", "four pieces")

    (item,) = new.entry.anchors[0].accepted
    assert "four pieces" in new.entry.body
    assert (item.text, item.how) == (new.entry.digest, "draft")
    assert item.blob == f"sha1:{repo.git('hash-object', 'lib/cart.ts')}"
    assert new.entry.digest != draft.entry.digest


def test_fingerprints_stay_while_the_text_says_the_same(ctx, repo):
    draft = waiting(ctx, capture_item())
    repo.write("lib/cart.ts", "changed\n")

    new = edited(context(repo), draft, "rev: 1", "rev: 9")

    assert new == draft


def test_the_program_keeps_what_it_fills_in(ctx):
    draft = waiting(ctx, capture_item())

    new = edited(ctx, draft, "description: Read", "description: Do read")

    assert (new.id, new.entry.id, new.entry.rev) == (draft.id, draft.id, 1)
    assert new.entry.created == draft.entry.created


def test_a_new_name_is_that_of_the_draft(ctx):
    draft = waiting(ctx, capture_item())

    assert edited(ctx, draft, "name: cart-doubles", "name: cart-pairs").name == "cart-pairs"


def test_the_lane_follows_the_type_unless_a_person_chose_it(ctx):
    draft = waiting(ctx, feedback_item())
    assert draft.lane == "local"

    assert edited(ctx, draft, "type: feedback", "type: project").lane == "shared"


def test_warnings_are_those_of_the_new_text(ctx):
    live(ctx)
    ctx.refresh()
    draft = waiting(ctx, capture_item("other", description="Something else entirely"))
    assert draft.warnings == ()

    new = edited(ctx, draft, "Something else entirely", "Read before touching cart-doubles")

    assert any("much like entry cart-doubles" in warning for warning in new.warnings)


@pytest.mark.parametrize(
    ("old", "new", "field", "error"),
    [
        ("name: cart-doubles", "name: Cart", "name", DocumentError),
        ("type: project", "type: idea", "type", DocumentError),
        ("lib/cart.ts", "gone.ts", r"entry\.anchors\.0", EntryRefusedError),
        ("type: project", "type: feedback", r"entry\.source", EntryRefusedError),
        ("---\n", "", "frontmatter", DocumentError),
    ],
)
def test_a_broken_edit_names_the_field_and_leaves_the_draft(ctx, old, new, field, error):
    draft = waiting(ctx, capture_item())

    with pytest.raises(error, match=field):
        edited(ctx, draft, old, new)

    assert inbox_of(ctx).drafts == (draft,)


def test_an_update_edited_back_to_the_live_text_is_refused(ctx):
    old = live(ctx)
    change = {"description": "Other words"}
    draft = waiting(
        ctx, {"kind": "update", "name": old.name, "expected": old.digest, "entry": change}
    )

    assert edited(ctx, draft, "Other words", "More words").entry.rev == 2
    with pytest.raises(EntryRefusedError, match="expected a change"):
        edited(ctx, draft, "Other words", old.description)


def test_reasons_are_edited_as_they_stand(ctx):
    old = live(ctx)
    draft = waiting(
        ctx, {"kind": "retire", "name": old.name, "expected": old.digest, "reason": "gone"}
    )
    assert source(draft) == "gone\n"

    done = redraft(ctx, draft, f"moved\nto {KEY}\n")

    assert done.draft.reason == "moved to [REDACTED:GITHUB_TOKEN]"
    assert done.redacted == (("GITHUB_TOKEN", 1),)


def test_a_guideline_shows_its_place(ctx):
    draft = waiting(ctx, {**RULE, "reason": "x"})
    assert source(draft) == '---\nfile: "AGENTS.md"\nheading: "A: b"\n---\nRun it.\n'

    new = edited(ctx, draft, "AGENTS.md", "docs/rules.md")

    assert new.guideline == {"file": "docs/rules.md", "heading": "A: b", "text": "Run it."}


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("AGENTS.md", "../x", GuidelineError),
        ("AGENTS.md", KEY, KnowlError),
        ("Run it.\n", "", EntryRefusedError),
        ("A: b", "h" * 301, EntryRefusedError),
    ],
)
def test_a_guideline_that_breaks_a_rule_is_refused(ctx, old, new, error):
    draft = waiting(ctx, {**RULE, "reason": "x"})

    with pytest.raises(error):
        edited(ctx, draft, old, new)


def test_an_edited_draft_takes_the_place_of_the_old_one(ctx):
    draft = waiting(ctx, capture_item())
    new = edited(ctx, draft, "three pieces", "four pieces")

    store(ctx, draft, new)

    assert inbox_of(ctx).drafts == (new,)


def test_a_draft_that_is_gone_or_changed_is_not_brought_back(ctx):
    write(ctx.store)
    draft = waiting(ctx, capture_item())
    new = edited(ctx, draft, "three pieces", "four pieces")
    drop(ctx, [draft.id])

    with pytest.raises(MovedError):
        store(ctx, draft, new)

    assert inbox_of(ctx).drafts == ()
    assert flag("x").is_pending
