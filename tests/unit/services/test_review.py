"""Decisions on drafts: all together or not at all, each of them once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.document import render
from git_knowl.services.gate import GateError
from git_knowl.services.guideline import GuidelineError
from git_knowl.services.review import (
    Decision,
    DraftError,
    decide,
    decide_named,
    rehearse,
    retirement,
)
from git_knowl.store.history import log
from git_knowl.store.operations import PutDraft, PutEntry, PutFlag
from git_knowl.store.rules import NameTakenError
from git_knowl.store.snapshot import DamagedEntryError, Snapshot
from git_knowl.store.state import read_door
from tests.support.contexts import (
    ADA,
    REVIEWED,
    capture_item,
    context,
    entry_names,
    entry_of,
    feedback_item,
    flag_of,
    inbox_of,
    submit_items,
)
from tests.support.seal import DATE, PERSON
from tests.support.stores import PutRaw, entry, flag, identifier, write

ENTRIES, LOCAL = "refs/knowl/entries", "refs/knowl-local/entries"
INBOX, STATE = "refs/knowl-local/inbox", "refs/knowl-local/state"
KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
FLAG, OTHER = flag("totals double", 1), flag("never lint", 2)


@pytest.fixture
def ctx(repo):
    """Give a context with two pending flags in its inbox."""
    made = context(repo)
    write(made.store, PutFlag(FLAG), PutFlag(OTHER))
    return made


def accept(ctx, *drafts):
    return decide(ctx, [Decision(one, accepted=True) for one in drafts], REVIEWED)


def live(ctx, item):
    """Accept an item and return its entry."""
    (draft,) = submit_items(ctx, item)
    accept(ctx, draft)
    return entry_of(ctx, draft)


def update_of(old, *flags, **fields):
    named = {"kind": "update", "name": old.name, "expected": old.digest}
    return {**named, "flags": list(flags), "entry": fields}


def retire_of(old, *flags):
    named = {"kind": "retire", "name": old.name, "expected": old.digest}
    return {**named, "flags": list(flags), "reason": "gone"}


def test_an_accepted_draft_is_live_and_signed_by_the_reviewer(ctx):
    (draft,) = submit_items(ctx, capture_item("cart-doubles", FLAG.id))

    done = accept(ctx, draft)

    found = entry_of(ctx, draft)
    assert done.outcomes == {draft: "captured as cart-doubles"}
    assert (found.id, found.rev, found.reviewed) == (draft, 1, REVIEWED)
    assert [(i.by, i.at, i.how) for i in found.anchors[0].accepted] == [(ADA, DATE, "terminal")]
    assert inbox_of(ctx).drafts == ()
    settled = replace(FLAG, outcome="captured as cart-doubles", draft=draft)
    assert flag_of(ctx, FLAG.id) == settled
    assert read_door(ctx.store.view(), draft, found.digest) == "terminal"


def test_what_was_seen_is_what_is_stored(ctx):
    (draft,) = submit_items(ctx, capture_item())
    waiting = inbox_of(ctx).drafts[0]
    edited = replace(waiting.entry, description="Read this")
    seen = replace(waiting, entry=edited, lane="local")

    decide(ctx, [Decision(draft, accepted=True, seen=seen)], REVIEWED)

    assert entry_of(ctx, draft).description == "Read this"
    assert Snapshot(ctx.store.view(), "local").get(draft)


def test_fingerprints_are_those_of_the_worktree_the_text_was_written_in(repo):
    """docs/decisions/0003: accepting elsewhere vouches for no file nobody looked at."""
    side = repo.worktree("side", "side")
    side.commit("change", {"lib/cart.ts": "other\n"})
    (draft,) = submit_items(context(side), capture_item())

    accept(context(repo), draft)

    (item,) = entry_of(context(repo), draft).anchors[0].accepted
    assert item.blob == f"sha1:{side.rev('HEAD:lib/cart.ts')}"


def test_one_review_is_one_commit_with_its_reviewer(ctx, repo):
    first, second = submit_items(ctx, capture_item("a"), capture_item("b"))

    accept(ctx, first, second)

    (operation,) = log(ctx.store, ctx.store.view())
    assert (operation.op, operation.subject) == ("review", "review 2 drafts")
    assert operation.author == ADA
    assert operation.values("Reviewed-by") == [ADA]
    assert set(operation.entries) == {(first, "a"), (second, "b")}
    assert repo.git("log", "--format=%s", ENTRIES).splitlines()[0] == "review 2 drafts"


def test_a_single_decision_is_named_in_the_history(ctx, repo):
    live(ctx, capture_item("cart-doubles"))

    assert repo.git("log", "-1", "--format=%s", ENTRIES) == "capture cart-doubles"


def test_the_shared_lane_remembers_which_code_it_is_about(ctx, repo):
    live(ctx, capture_item())

    assert repo.git("cat-file", "blob", f"{ENTRIES}:project") == repo.rev("HEAD")


def test_feedback_stays_in_this_clone(ctx, repo):
    live(ctx, feedback_item())

    assert repo.refs(ENTRIES) == {}
    assert "no-full-lint" in repo.git("ls-tree", "-r", "--name-only", LOCAL)


def test_an_update_replaces_the_text_and_nothing_else(ctx):
    old = live(ctx, capture_item(tags=["money"]))

    live(ctx, update_of(old, FLAG.id, body="Above four. Why: trays."))

    new = entry_of(ctx, old.id)
    assert (new.rev, new.body, new.tags) == (2, "Above four. Why: trays.\n", ("money",))
    assert [item.text for item in new.anchors[0].accepted] == [new.digest]
    assert flag_of(ctx, FLAG.id).outcome == "captured as cart-doubles"


def test_an_update_may_rename_and_stays_in_its_lane(ctx, repo):
    old = live(ctx, feedback_item())

    live(ctx, update_of(old, name="cached-lint"))

    assert entry_names(ctx) == ["cached-lint"]
    assert repo.refs(ENTRIES) == {}


def test_a_retire_leaves_a_tombstone_with_its_reason(ctx):
    old = live(ctx, capture_item())
    (draft,) = submit_items(ctx, retire_of(old, FLAG.id))

    accept(ctx, draft)

    assert entry_names(ctx) == []
    stone = Snapshot(ctx.store.view(), "shared").tombstone(old.id)
    assert (stone.reason, stone.by, stone.digest) == ("gone", ADA, old.digest)
    assert flag_of(ctx, FLAG.id).outcome == "led to retiring cart-doubles"


@pytest.mark.parametrize("make", [update_of, retire_of])
@pytest.mark.parametrize("how", ["changed", "retired"])
def test_an_entry_that_moved_on_is_left_alone(ctx, make, how):
    old = live(ctx, capture_item())
    more = {"tags": ["x"]} if make is update_of else {}
    (draft,) = submit_items(ctx, make(old, **more))
    if how == "changed":
        write(ctx.store, PutEntry("shared", replace(old, body="Other. Why: so.\n", rev=2)))
    elif make is update_of:
        write(ctx.store, *retirement("shared", old, "x", REVIEWED))
    else:
        return  # a retire of what is retired already counts as done

    with pytest.raises(MovedError) as caught:
        accept(ctx, draft)

    assert caught.value.exit_code == 4
    assert caught.value.hint
    assert [one.id for one in inbox_of(ctx).drafts] == [draft]


def test_a_verify_meanwhile_is_no_move(ctx):
    old = live(ctx, capture_item())
    (draft,) = submit_items(ctx, update_of(old, tags=["x"]))
    write(ctx.store, PutEntry("shared", replace(old, rev=5)))

    accept(ctx, draft)

    assert entry_of(ctx, old.id).rev == 6


@pytest.mark.parametrize("make", [update_of, retire_of])
def test_two_drafts_on_one_entry_are_two_reviews(ctx, make):
    old = live(ctx, capture_item())
    more = {"tags": ["y"]} if make is update_of else {}
    first, second = submit_items(ctx, update_of(old, tags=["x"]), make(old, **more))

    with pytest.raises(MovedError, match="another draft of the same review"):
        accept(ctx, first, second)
    accept(ctx, first)

    assert entry_of(ctx, old.id).tags == ("x",)


def test_one_decision_that_fails_stores_none(ctx):
    first, second = submit_items(ctx, capture_item("a"), capture_item("b"))
    write(ctx.store, PutEntry("shared", entry("b", 8)))

    with pytest.raises(NameTakenError, match="'b' is taken"):
        accept(ctx, first, second)

    assert entry_names(ctx) == ["b"]
    assert len(inbox_of(ctx).drafts) == 2


def test_a_name_taken_since_the_draft_was_written_is_refused(ctx):
    (draft,) = submit_items(ctx, capture_item())
    write(ctx.store, PutEntry("local", entry("cart-doubles", 8)))

    with pytest.raises(NameTakenError) as caught:
        accept(ctx, draft)

    assert caught.value.exit_code == 1


def test_a_damaged_entry_stops_only_what_is_about_it(ctx):
    old = live(ctx, capture_item("damaged"))
    stuck, free = submit_items(ctx, update_of(old, tags=["x"]), capture_item("fine"))
    path = f"entries/{old.id[-2:]}/{old.id}.damaged.md"
    write(ctx.store, PutRaw(ENTRIES, path, b"no entry"))

    with pytest.raises(DamagedEntryError, match="damaged"):
        accept(ctx, stuck)
    accept(ctx, free)

    assert entry_of(ctx, free)


def test_a_discarded_draft_settles_its_flags_with_the_reason(ctx):
    (draft,) = submit_items(ctx, capture_item("cart-doubles", FLAG.id))

    done = decide(ctx, [Decision(draft, accepted=False, reason="in the manual")], REVIEWED)

    assert done.outcomes == {draft: "discarded: in the manual"}
    assert flag_of(ctx, FLAG.id).outcome == "discarded: in the manual"
    assert entry_names(ctx) == []


def test_agreeing_to_a_discard_settles_the_flags(ctx):
    (draft,) = submit_items(ctx, {"kind": "discard", "flags": [FLAG.id], "reason": "derivable"})

    accept(ctx, draft)

    assert flag_of(ctx, FLAG.id).outcome == "discarded: derivable"


def test_discarding_a_discard_revives_its_flags(ctx):
    (draft,) = submit_items(ctx, {"kind": "discard", "flags": [FLAG.id], "reason": "derivable"})

    done = decide(ctx, [Decision(draft, accepted=False)], REVIEWED)

    assert done.outcomes == {draft: "revived its flags"}
    assert flag_of(ctx, FLAG.id) == FLAG


def test_a_flag_is_settled_once_by_whichever_draft_came_first(ctx):
    first, second = submit_items(
        ctx, capture_item("a", FLAG.id), capture_item("b", FLAG.id, OTHER.id)
    )

    accept(ctx, first)
    accept(ctx, second)

    assert flag_of(ctx, FLAG.id).outcome == "captured as a"
    assert flag_of(ctx, OTHER.id).outcome == "captured as b"


def test_a_guideline_goes_into_its_file_and_not_into_the_store(ctx, repo):
    rule = {"kind": "guideline", "flags": [FLAG.id], "text": "Run it.", "reason": "a rule"}
    (draft,) = submit_items(ctx, rule)

    done = accept(ctx, draft)

    assert repo.read("AGENTS.md") == "Run it.\n"
    assert repo.refs("refs/knowl", LOCAL) == {}
    assert done.outcomes == {draft: "became a guideline"}
    assert flag_of(ctx, FLAG.id).outcome == "became a guideline"


def test_a_guideline_is_written_only_when_everything_else_can_be_done(ctx, repo):
    old = live(ctx, capture_item())
    rule = {"kind": "guideline", "text": "Run it.", "reason": "a rule"}
    first, second = submit_items(ctx, rule, update_of(old, tags=["x"]))
    write(ctx.store, PutEntry("shared", replace(old, body="Other. Why: so.\n")))

    with pytest.raises(MovedError):
        accept(ctx, first, second)

    assert not (repo.path / "AGENTS.md").exists()


def test_a_guideline_that_cannot_be_written_still_waits(ctx, repo):
    rule = {"kind": "guideline", "file": "rules.md", "text": "Run it.", "reason": "a rule"}
    (draft,) = submit_items(ctx, rule)
    (repo.path / "rules.md").mkdir()

    with pytest.raises(GuidelineError):
        accept(ctx, draft)

    assert [one.id for one in inbox_of(ctx).drafts] == [draft]


def items_of_each_kind(ctx):
    updated, retired = live(ctx, capture_item("u")), live(ctx, capture_item("r"))
    return (
        capture_item("c"),
        update_of(updated, tags=["x"]),
        retire_of(retired),
        {"kind": "discard", "flags": [FLAG.id], "reason": "no"},
        {"kind": "guideline", "text": "Run it.", "reason": "a rule"},
    )


@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("accepted", [True, False])
def test_deciding_twice_is_deciding_once_whatever_the_kind(ctx, repo, kind, accepted):
    (draft,) = submit_items(ctx, items_of_each_kind(ctx)[kind])
    decision = Decision(draft, accepted=accepted, reason="no")
    decide(ctx, [decision], REVIEWED)
    before = repo.refs("refs/knowl", "refs/knowl-local")

    again = decide(ctx, [decision], REVIEWED)

    assert (again.outcomes, again.known, again.ids) == ({}, (draft,), (draft,))
    assert repo.refs("refs/knowl", "refs/knowl-local") == before
    with pytest.raises(DraftError, match="was accepted" if accepted else "was discarded"):
        decide(ctx, [replace(decision, accepted=not accepted)], REVIEWED)


def test_a_crash_between_entries_and_inbox_is_finished_by_the_next_decision(ctx):
    (draft,) = submit_items(ctx, capture_item("cart-doubles", FLAG.id))
    waiting = inbox_of(ctx).drafts[0]
    write(ctx.store, PutEntry("shared", replace(waiting.entry, reviewed=REVIEWED)))
    assert inbox_of(ctx).drafts == ()

    done = accept(ctx, draft)

    assert done.known == (draft,)
    assert inbox_of(ctx).settled == ()
    assert flag_of(ctx, FLAG.id).outcome == "captured as cart-doubles"


def test_a_draft_nobody_knows_is_an_error(ctx):
    with pytest.raises(DraftError, match="no draft has the id"):
        accept(ctx, identifier(99))


def test_a_damaged_draft_says_so(ctx):
    damaged = identifier(9)
    write(ctx.store, PutRaw(INBOX, f"drafts/{damaged[-2:]}/{damaged}.json", b"{}"))

    with pytest.raises(DraftError, match="cannot be read"):
        accept(ctx, damaged)


def test_a_capture_without_an_entry_cannot_be_accepted(ctx):
    (draft,) = submit_items(ctx, capture_item())
    write(ctx.store, PutDraft(replace(inbox_of(ctx).drafts[0], entry=None)))

    with pytest.raises(DraftError, match="has no entry"):
        accept(ctx, draft)


def test_a_rehearsal_raises_what_deciding_would_and_writes_nothing(ctx, repo):
    rule = {"kind": "guideline", "text": "Run it.", "reason": "a rule"}
    entry_draft, rule_draft = submit_items(ctx, capture_item("a"), rule)
    write(ctx.store, PutEntry("shared", entry("a", 8)))
    before = repo.refs()

    rehearse(ctx, [Decision(rule_draft, accepted=True)], REVIEWED)
    with pytest.raises(NameTakenError):
        rehearse(ctx, [Decision(entry_draft, accepted=True)], REVIEWED)

    assert repo.refs() == before
    assert not (repo.path / "AGENTS.md").exists()


def test_drafts_are_named_by_unique_parts_and_a_person_vouches(ctx):
    first, second = submit_items(ctx, capture_item("a"), capture_item("b", OTHER.id))

    done = decide_named(ctx, [first[-8:]], [second], ADA, " not\nnow ")

    assert done.outcomes == {first: "captured as a", second: "discarded: not now"}
    assert entry_of(ctx, first).reviewed.by == ADA
    assert entry_of(ctx, first).reviewed.how == "unattended"
    assert flag_of(ctx, OTHER.id).outcome == "discarded: not now"


def test_discarding_needs_no_reviewer_and_is_not_reserved(repo):
    ctx = context(repo, host="claude")
    (draft,) = submit_items(ctx, capture_item())

    done = decide_named(ctx, [], [draft], None, "no")

    assert done.outcomes == {draft: "discarded: no"}
    assert PERSON in repo.git("log", "-1", "--format=%an <%ae>", INBOX)


@pytest.mark.parametrize(
    ("caller", "reviewer", "message"),
    [
        ({}, None, "needs the name"),
        ({"terminal": True}, None, "needs the name"),
        ({}, "Ada", "reviewer: expected"),
        ({"host": "claude"}, ADA, "agent host 'claude'"),
    ],
)
def test_accepting_by_id_is_gated(repo, caller, reviewer, message):
    ctx = context(repo, **caller)
    (draft,) = submit_items(ctx, capture_item())

    with pytest.raises(GateError, match=message):
        decide_named(ctx, [draft], [], reviewer, None)

    assert entry_names(ctx) == []


@pytest.mark.parametrize(
    ("accepted", "discarded", "reason", "message"),
    [
        ("a", "", None, "reason"),
        ("a", "", " ", "reason"),
        ("a", "", "x" * 1001, "reason: expected at most"),
        ("ab", "b", "no", "to be accepted and to be discarded"),
    ],
)
def test_what_does_not_make_sense_is_refused(ctx, accepted, discarded, reason, message):
    ids = dict(zip("ab", submit_items(ctx, capture_item("a"), capture_item("b")), strict=True))
    dropped = [ids[one] for one in discarded or "b"]

    with pytest.raises(DraftError, match=message):
        decide_named(ctx, [ids[one] for one in accepted], dropped, ADA, reason)

    assert len(inbox_of(ctx).drafts) == 2


def test_a_reason_is_scrubbed_and_that_is_told(ctx):
    (draft,) = submit_items(ctx, capture_item("a", FLAG.id))

    done = decide_named(ctx, [], [draft], None, f"it is {KEY}")

    assert done.redacted == (("GITHUB_TOKEN", 1),)
    assert KEY not in flag_of(ctx, FLAG.id).outcome


def test_a_reviewer_is_told_where_evidence_is_other_than_when_it_was_written(repo):
    (draft,) = submit_items(context(repo), capture_item())
    repo.write("lib/cart.ts", "changed\n")

    done = decide_named(context(repo), [draft], [], ADA, None)

    (warning,) = done.warnings
    assert warning.startswith("cart-doubles: file:lib/cart.ts is suspect here: changed here")


def test_the_document_that_is_stored_is_the_one_that_was_shown(ctx, repo):
    (draft,) = submit_items(ctx, capture_item())
    accept(ctx, draft)

    path = f"entries/{draft[-2:]}/{draft}.cart-doubles.md"
    stored = repo.git("cat-file", "blob", f"{ENTRIES}:{path}") + "\n"
    assert stored.encode() == render(entry_of(ctx, draft))
