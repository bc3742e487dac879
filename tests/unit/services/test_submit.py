"""Payloads become drafts whole or not at all, and twice the same item is one draft."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.entry import Source
from git_knowl.services.review import Decision, decide
from git_knowl.services.submit import PayloadError, submit, submit_update
from git_knowl.store.operations import PutEntry, PutFlag, PutState
from tests.support.clock import START, Clock
from tests.support.contexts import (
    ADA,
    REVIEWED,
    capture_item,
    context,
    entry_of,
    feedback_item,
    flag_of,
    inbox_of,
    submit_items,
)
from tests.support.seal import PERSON
from tests.support.stores import flag, write

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
INBOX = "refs/knowl-local/inbox"
LATER = START + timedelta(hours=1)
FLAG = flag("totals double", 1)


def flagged(repo, **caller):
    ctx = context(repo, **caller)
    write(ctx.store, PutFlag(FLAG))
    return ctx


def live(ctx, name="cart-doubles", **fields):
    """Make an entry live and return it as it is stored."""
    (draft,) = submit_items(ctx, capture_item(name, **fields))
    decide(ctx, [Decision(draft, accepted=True)], REVIEWED)
    found = entry_of(ctx, draft)
    assert found is not None
    return found


def nothing_stored(repo):
    return INBOX not in repo.refs()


def refused(ctx, *items):
    with pytest.raises(PayloadError) as caught:
        submit(ctx, {"items": list(items)})
    return caught.value


def test_an_item_becomes_a_draft_and_takes_its_flag(repo):
    ctx = flagged(repo, host="claude", session="s1")

    done = submit(ctx, {"items": [capture_item("cart-doubles", FLAG.id)]})

    (draft,) = inbox_of(ctx).drafts
    assert done.ids == (draft.id,)
    assert (draft.kind, draft.name, draft.lane) == ("capture", "cart-doubles", "shared")
    assert (draft.by, draft.host, draft.session) == (PERSON, "claude", "s1")
    assert (draft.worktree, draft.flags) == (str(repo.path), (FLAG.id,))
    assert draft.tests == {"derivable": "no", "reused": "yes"}
    assert flag_of(ctx, FLAG.id) == replace(FLAG, draft=draft.id)


def test_the_entry_of_a_draft_has_its_id_and_the_fingerprints_of_this_worktree(repo):
    ctx = context(repo)
    side = repo.worktree("side", "side")
    side.write("lib/cart.ts", "other\n")

    submit_items(context(side), capture_item())

    (draft,) = inbox_of(ctx).drafts
    assert draft.entry.id == draft.id
    (item,) = draft.entry.anchors[0].accepted
    assert item.blob == f"sha1:{side.git('hash-object', 'lib/cart.ts')}"
    assert (item.how, item.dirty) == ("draft", True)


def test_nothing_is_live_before_a_person_has_seen_it(repo):
    submit_items(context(repo), capture_item())

    assert repo.refs("refs/knowl") == {}


def test_feedback_starts_in_the_local_lane(repo):
    ctx = context(repo)
    submit_items(ctx, feedback_item())

    assert inbox_of(ctx).drafts[0].lane == "local"


def test_lanes_follow_the_settings(repo):
    repo.git("config", "knowl.lane", "local")
    repo.git("config", "knowl.feedbackLane", "shared")
    ctx = context(repo)
    submit_items(ctx, feedback_item(), capture_item())

    assert {draft.name: draft.lane for draft in inbox_of(ctx).drafts} == {
        "no-full-lint": "shared",
        "cart-doubles": "local",
    }


def test_flags_may_be_named_by_a_unique_part_of_their_id(repo):
    ctx = flagged(repo)
    submit_items(ctx, capture_item("cart-doubles", FLAG.id[-8:]))

    assert inbox_of(ctx).drafts[0].flags == (FLAG.id,)


def test_an_agent_session_vouches_where_no_source_is_named(repo):
    ctx = context(repo, host="claude", session="s1")
    submit_items(ctx, capture_item(anchors=[]))

    source = inbox_of(ctx).drafts[0].entry.source
    assert source == Source("session", "claude:s1")


def test_what_somebody_said_is_stated_unless_the_writer_says_otherwise(repo):
    ctx = context(repo)
    submit_items(
        ctx,
        feedback_item("a"),
        capture_item("b"),
        capture_item("c", provenance="inferred"),
    )

    found = {draft.name: draft.entry.provenance for draft in inbox_of(ctx).drafts}
    assert found == {"a": "stated", "b": "observed", "c": "inferred"}


def test_links_are_given_by_name_or_object(repo):
    ctx = context(repo)
    first, second = live(ctx, "first"), live(ctx, "second")
    ctx.refresh()

    links = ["first", {"name": "whatever", "id": second.id}, {"name": "first"}]
    submit_items(ctx, capture_item("third", depends_on=links))

    found = inbox_of(ctx).drafts[0].entry.depends_on
    assert [(link.id, link.name) for link in found] == [(first.id, "first"), (second.id, "second")]


def test_the_same_item_twice_is_one_draft(repo):
    clock = Clock()
    ctx = context(repo, clock=clock)
    first = submit(ctx, {"items": [capture_item()]})
    clock.advance(hours=1)

    second = submit(ctx, {"items": [capture_item(), capture_item("other"), capture_item()]})

    assert second.ids[0] == second.ids[2] == first.ids[0]
    assert second.known == first.ids
    assert len(inbox_of(ctx).drafts) == 2


def test_drafts_stay_in_the_order_of_their_items(repo):
    ctx = context(repo)
    ids = submit_items(ctx, *(capture_item(f"n{number}") for number in range(8)))

    assert [draft.id for draft in inbox_of(ctx).drafts] == list(ids)


def test_the_order_of_keys_makes_no_other_item(repo):
    ctx = context(repo)
    item = capture_item()

    assert submit_items(ctx, item) == submit_items(ctx, dict(reversed(item.items())))


@pytest.mark.parametrize("accepted", [True, False])
@pytest.mark.parametrize("remembered", [True, False])
def test_an_item_that_was_decided_on_is_not_asked_about_again(repo, accepted, remembered):
    clock = Clock()
    ctx = context(repo, clock=clock)
    (draft,) = submit_items(ctx, capture_item())
    decide(ctx, [Decision(draft, accepted=accepted, reason="no")], REVIEWED)
    if not remembered and accepted:  # the state may be lost, the entry itself is still known
        for path, _ in list(ctx.store.view().tree("refs/knowl-local/state").files("decided")):
            write(ctx.store, PutState(path, None))
    clock.advance(days=1)

    done = submit(ctx, {"items": [capture_item()]})

    assert (done.ids, done.known) == ((draft,), (draft,))
    assert inbox_of(ctx).drafts == ()


def test_an_update_leaves_what_it_does_not_name(repo):
    ctx = context(repo)
    old = live(ctx, tags=["money"])
    change = {"body": "It doubles above four. Why: trays."}
    item = {"kind": "update", "name": old.name, "expected": old.digest, "entry": change}

    submit_items(ctx, {**item, "reason": "trays"})

    (draft,) = inbox_of(ctx).drafts
    assert (draft.target, draft.expected, draft.reason) == (old.id, old.digest, "trays")
    assert (draft.entry.id, draft.entry.rev, draft.entry.created) == (old.id, 2, old.created)
    assert draft.entry.body == "It doubles above four. Why: trays.\n"
    assert (draft.entry.tags, draft.entry.description) == (("money",), old.description)
    assert [item.text for item in draft.entry.anchors[0].accepted] == [draft.entry.digest]


def test_the_verb_update_takes_the_name_apart(repo):
    ctx = context(repo)
    old = live(ctx)

    done = submit_update(ctx, old.id[-8:], {"expected": old.digest, "entry": {"tags": ["x"]}})

    assert inbox_of(ctx).drafts[0].id == done.ids[0]
    with pytest.raises(PayloadError, match="payload: expected an object"):
        submit_update(ctx, old.name, [])


def test_an_update_that_changes_nothing_is_refused(repo):
    ctx = context(repo)
    old = live(ctx)

    with pytest.raises(PayloadError, match=r"^entry: expected a change"):
        submit_update(ctx, old.name, {"expected": old.digest, "entry": {"body": old.body}})


@pytest.mark.parametrize("kind", ["update", "retire"])
def test_what_was_written_against_another_text_has_moved(repo, kind):
    ctx = context(repo)
    live(ctx)
    item = {"kind": kind, "name": "cart-doubles", "expected": "0" * 64}
    more = {"update": {"entry": {"tags": ["x"]}}, "retire": {"reason": "gone"}}[kind]

    with pytest.raises(MovedError, match=r"items\.0: 'cart-doubles' has changed") as caught:
        submit(ctx, {"items": [{**item, **more}]})

    assert caught.value.exit_code == 4
    assert inbox_of(ctx).drafts == ()


def test_a_moved_entry_among_other_faults_is_a_fault_of_the_payload(repo):
    ctx = context(repo)
    live(ctx)
    moved = {"kind": "retire", "name": "cart-doubles", "expected": "0" * 64, "reason": "gone"}

    error = refused(ctx, moved, capture_item("other", anchors=["file:gone"]))

    assert "items.0: 'cart-doubles' has changed" in error.message
    assert "items.1.entry.anchors.0: file:gone" in error.message


def test_discards_and_retires_carry_their_reason(repo):
    ctx = flagged(repo)
    old = live(ctx)
    gone = {"kind": "retire", "name": old.name, "expected": old.digest, "reason": "gone"}

    submit_items(ctx, gone, {"kind": "discard", "flags": [FLAG.id], "reason": "in the manual"})

    found = {draft.kind: draft for draft in inbox_of(ctx).drafts}
    assert (found["retire"].target, found["retire"].reason) == (old.id, "gone")
    assert (found["discard"].flags, found["discard"].reason) == ((FLAG.id,), "in the manual")


def test_a_guideline_is_kept_apart_from_entries(repo):
    ctx = context(repo)
    item = {"kind": "guideline", "file": "AGENTS.md", "heading": "Tests", "text": "Run them."}

    submit_items(ctx, {**item, "reason": "a rule for everybody"})

    (draft,) = inbox_of(ctx).drafts
    assert draft.entry is None
    assert draft.guideline == {"file": "AGENTS.md", "heading": "Tests", "text": "Run them."}
    assert not (repo.path / "AGENTS.md").exists()


def test_every_fault_of_every_item_is_told_with_its_field(repo):
    error = refused(
        context(repo),
        capture_item("a", anchors=["file:lib/cart.ts", "file:gone", "file:went"]),
        capture_item("b"),
        capture_item("c", depends_on=["nobody"]),
        capture_item("d", anchors=[f"file:{KEY}"]),
        capture_item("e", type="feedback", source={"kind": "quote", "quote": "x"}, body="x"),
        capture_item("f", "01nothing"),
        {"kind": "retire", "name": "nobody", "expected": "0" * 64, "reason": "x"},
        {"kind": "guideline", "file": "lib", "text": "x", "reason": "x"},
        capture_item("b", tags=["x"]),
    )

    told = [fault.partition(": ")[0] for fault in error.message.split("; ")]
    assert told == [
        "items.0.entry.anchors.1",
        "items.0.entry.anchors.2",
        "items.2.entry.depends_on",
        "items.3.entry.anchors",
        "items.4.entry.body",
        "items.5.flags",
        "items.6.name",
        "items.7.file",
        "items.8.entry.name",
    ]
    assert nothing_stored(repo)


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({}, "items"),
        ({"items": []}, "items"),
        ([], "payload"),
        ({"items": [{"kind": "idea"}]}, "items.0.kind"),
        ({"items": [capture_item("../x")]}, "items.0.entry.name"),
        ({"items": [capture_item(type="idea")]}, "items.0.entry.type"),
        ({"items": [capture_item(body="")]}, "items.0.entry.body"),
        ({"items": [capture_item(description="a\nb")]}, "items.0.entry.description"),
        ({"items": [capture_item(wat=1)]}, "items.0.entry.wat"),
    ],
)
def test_a_payload_that_is_no_payload_names_the_field(repo, payload, field):
    with pytest.raises(PayloadError, match=f"(^|; ){field}: expected"):
        submit(context(repo), payload)

    assert nothing_stored(repo)


def test_a_name_that_is_taken_is_refused_whoever_has_it(repo):
    ctx = context(repo)
    live(ctx)
    ctx.refresh()
    submit_items(ctx, capture_item("waiting"))

    error = refused(ctx, capture_item(tags=["x"]), capture_item("waiting", tags=["x"]))

    assert "items.0.entry.name: 'cart-doubles' is taken by the entry" in error.message
    assert "items.1.entry.name: 'waiting' is taken by the draft" in error.message


def test_a_settled_flag_cannot_be_used_again(repo):
    ctx = context(repo)
    write(ctx.store, PutFlag(replace(FLAG, outcome="dropped")))

    error = refused(ctx, capture_item("cart-doubles", FLAG.id))

    assert f"items.0.flags: {FLAG.id} is settled already (dropped)" in error.message


def test_secrets_are_masked_everywhere_before_anything_is_stored(repo):
    ctx = flagged(repo)
    item = capture_item("cart-doubles", body=f"The key {KEY}. Why: it is.")
    item["tests"] = {"verified": f"with {KEY}", KEY: True}
    gone = {"kind": "discard", "flags": [FLAG.id], "reason": f"only {KEY}"}
    rule = {"kind": "guideline", "text": f"Use {KEY}", "reason": f"as {KEY}"}

    done = submit(ctx, {"items": [item, gone, rule]})

    assert done.redacted == (("GITHUB_TOKEN", 6),)
    assert KEY not in repo.git("cat-file", "--batch-all-objects", "--batch")


def test_a_guideline_with_a_secret_in_its_place_is_refused(repo):
    rule = {"kind": "guideline", "heading": f"Use {KEY}"[:60], "text": "x", "reason": "x"}

    assert "items.0.heading: expected no secret" in refused(context(repo), rule).message


def test_warnings_tell_what_is_odd_about_the_batch_and_the_drafts(repo):
    ctx = context(repo)
    live(ctx, "cart-doubles")
    ctx.refresh()
    twin = capture_item("cart-doubles-again", description="Read before touching cart-doubles")
    untested = {**capture_item("b"), "tests": None}

    done = submit(ctx, {"items": [twin, untested, *(capture_item(f"n{i}") for i in range(9))]})

    assert any("11 items at once" in warning for warning in done.warnings)
    assert any("every item became an entry" in warning for warning in done.warnings)
    assert any("without answers to the admission tests" in warning for warning in done.warnings)
    assert any("much like entry cart-doubles" in warning for warning in done.warnings)
    assert any("much like" in text for draft in inbox_of(ctx).drafts for text in draft.warnings)


def test_two_processes_with_the_same_item_leave_one_draft(repo):
    ctx = context(repo)
    (first,) = submit_items(ctx, capture_item())
    theirs = repo.rev(INBOX)
    repo.git("update-ref", "-d", INBOX)

    def meanwhile(step):
        if step == "locked":  # after the payload was checked
            repo.git("update-ref", INBOX, theirs)

    late = context(repo, clock=Clock(LATER))
    late.store.on_step = meanwhile
    done = submit(late, {"items": [capture_item()]})

    assert (done.ids, done.known) == ((first,), (first,))
    assert [draft.id for draft in inbox_of(ctx).drafts] == [first]


def test_reviewed_drafts_leave_no_trace_of_the_writer_as_reviewer(repo):
    ctx = context(repo, host="claude")
    (draft,) = submit_items(ctx, capture_item())
    decide(context(repo), [Decision(draft, accepted=True)], REVIEWED)

    found = entry_of(ctx, draft)
    assert found.reviewed.by == ADA
    assert {item.by for item in found.anchors[0].accepted} == {ADA}


def test_an_entry_of_the_same_item_elsewhere_is_known(repo):
    """A clone that fetched the entry has no memory of a decision."""
    ctx = context(repo)
    (draft,) = submit_items(ctx, capture_item())
    waiting = inbox_of(ctx).drafts[0]
    other = context(repo.clone("other"))
    write(other.store, PutEntry("shared", replace(waiting.entry, reviewed=REVIEWED)))

    done = submit(other, {"items": [capture_item()]})

    assert (done.ids, done.known) == ((draft,), (draft,))
