"""A person at a real terminal goes through drafts and unattended entries."""

from __future__ import annotations

import json

import pytest

from tests.support.contexts import (
    ADA,
    capture_item,
    context,
    entry_names,
    entry_of,
    feedback_item,
    flag_of,
    inbox_of,
    submit_items,
)
from tests.support.seal import PERSON

ENTRIES = "refs/knowl/entries"


@pytest.fixture
def ctx(repo):
    return context(repo)


def propose(knowl, *items):
    """Hand in items and return the ids of their drafts."""
    payload = json.dumps({"items": list(items)})
    return knowl.json("capture", "--submit", "-", stdin=payload)["drafts"]


def editor(tmp_path, script):
    """Return an editor that does to its file what a shell script says; ``$1`` is the file."""
    program = tmp_path / "editor"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return {"GIT_EDITOR": str(program)}


def answer(screen, *keys):
    """Answer the questions one after the other and return what was shown before each."""
    shown = []
    for key in keys:
        shown.append(screen.expect("]? "))
        screen.send(f"{key}\n")
    return shown


def test_a_draft_is_shown_beside_its_flag_and_goes_live_on_yes(ctx, knowl, repo):
    flag = knowl.ok("flag", "totals double", "-p", "lib/cart.ts", "--quote", "it doubles?!").strip()
    (draft,) = propose(knowl, capture_item("cart-doubles", flag))

    with knowl.terminal("review") as screen:
        (shown,) = answer(screen, "y")
        code = screen.finish()

    found = entry_of(ctx, draft)
    assert code == 0
    assert "flag: totals double (lib/cart.ts)" in shown
    assert "> it doubles?!" in shown
    assert "lane: shared" in shown
    assert "derivable: no" in shown
    assert "description: Read before touching cart-doubles" in shown
    assert f"reviewed:\n      by: {PERSON}" in shown
    assert "(1/1) capture cart-doubles [y,n,e,d,s,l,q,?]? " in shown
    assert f"{draft}: captured as cart-doubles" in screen.shown
    assert (found.reviewed.by, found.reviewed.how) == (PERSON, "terminal")
    assert flag_of(ctx, flag).outcome == "captured as cart-doubles"


def test_all_decisions_of_one_review_are_one_commit(ctx, knowl, repo):
    first, second, third, fourth = propose(
        knowl, capture_item("a"), capture_item("b"), capture_item("c"), feedback_item("d")
    )

    with knowl.terminal("review") as screen:
        answer(screen, "y", "n", "d")
        screen.expect("Reason: ")
        screen.send("not worth it\n")
        answer(screen, "y")
        code = screen.finish()

    assert code == 0
    assert entry_names(ctx) == ["a", "d"]
    assert [draft.id for draft in inbox_of(ctx).drafts] == [second]
    assert f"{third}: discarded: not worth it" in screen.shown
    assert repo.git("log", "-1", "--format=%s", ENTRIES) == "review 3 drafts"
    assert repo.git("rev-list", "--count", "--min-parents=1", ENTRIES) == "1"
    assert f"{first}: captured as a" in screen.shown
    assert f"{fourth}: captured as d" in screen.shown


@pytest.mark.parametrize("end", ["q\n", "\x04"], ids=["quit", "end of input"])
def test_stopping_carries_out_what_was_decided_and_leaves_the_rest(ctx, knowl, end):
    propose(knowl, capture_item("a"), capture_item("b"), capture_item("c"))

    with knowl.terminal("review") as screen:
        answer(screen, "y")
        screen.expect("]? ")
        screen.send(end)
        code = screen.finish()

    assert code == 0
    assert entry_names(ctx) == ["a"]
    assert len(inbox_of(ctx).drafts) == 2


def test_an_interrupt_leaves_everything_pending(ctx, knowl, repo):
    propose(knowl, capture_item("a"), capture_item("b"))
    before = repo.refs()

    with knowl.terminal("review") as screen:
        answer(screen, "y")
        screen.expect("(2/2)")
        screen.interrupt()
        code = screen.finish()

    assert code == 130
    assert "nothing was carried out" in screen.shown
    assert repo.refs() == before


def test_other_keys_and_the_question_mark_explain_the_keys(knowl):
    propose(knowl, capture_item())

    with knowl.terminal("review") as screen:
        first, second, third = answer(screen, "?", "x", "q")
        screen.finish()

    assert "y - accept this draft" not in first
    assert "y - accept this draft" in second
    assert "q - quit: carry out what was decided, leave the rest" in third


def test_the_evidence_is_shown_and_a_change_since_the_draft_is_told(knowl, repo):
    propose(knowl, capture_item())
    repo.write("lib/cart.ts", "export const total = 1\n")

    with knowl.terminal("review") as screen:
        shown, evidence = answer(screen, "s", "q")
        screen.finish()

    old, new = repo.rev("HEAD:lib/cart.ts")[:10], repo.git("hash-object", "lib/cart.ts")[:10]
    assert "warning: file:lib/cart.ts is suspect here: changed here, not committed" in shown
    assert "suspect  file:lib/cart.ts" in evidence
    assert f"accepted  {old} by {PERSON}" in evidence
    assert f"here      {new}" in evidence
    assert "+export const total = 1" in evidence


def test_every_kind_of_evidence_is_shown(knowl, repo):
    lockfile = '{"lockfileVersion": 3, "packages": {"node_modules/x": {"version": "1.2.3"}}}'
    repo.commit("lock", {"package-lock.json": lockfile})
    agent = knowl.at(repo.path, KNOWL_HOST="claude")
    anchors = ["file:conf.yml", "package:npm/x", "url:https://example.org/api"]
    propose(agent, capture_item(anchors=anchors))

    with knowl.terminal("review") as screen:
        head, evidence = answer(screen, "s", "q")
        screen.finish()

    assert f"proposed by {PERSON} (claude)" in head
    assert "active   package:npm/x!package-lock.json" in evidence
    assert f"accepted  1.2.3 by {PERSON}" in evidence
    assert "good for 90 days" in evidence
    assert evidence.count("here      the same") == 3


def test_the_lane_can_be_changed(ctx, knowl, repo):
    (draft,) = propose(knowl, capture_item())

    with knowl.terminal("review") as screen:
        first, second = answer(screen, "l", "y")
        screen.finish()

    assert "lane: shared" in first
    assert "lane: local" in second
    assert entry_of(ctx, draft)
    assert repo.refs(ENTRIES) == {}


def test_an_edit_is_checked_shown_again_and_stored(ctx, knowl, repo, tmp_path):
    (draft,) = propose(knowl, capture_item())
    change = editor(tmp_path, "sed -i 's/above three/above four/' \"$1\"")

    with knowl.at(repo.path, **change).terminal("review") as screen:
        _, shown = answer(screen, "e", "y")
        code = screen.finish()

    assert code == 0
    assert "above four" in shown
    assert "above four" in entry_of(ctx, draft).body


def test_a_broken_edit_names_the_field_and_is_never_lost(ctx, knowl, repo, tmp_path):
    (draft,) = propose(knowl, capture_item())
    script = (
        "if grep -q 'My words' \"$1\"; then sed -i 's/^name:.*/name: my-name/' \"$1\"\n"
        "else sed -i -e 's/^name:.*/name: My Name/' -e 's/The cart/My words: it/' \"$1\"; fi"
    )

    with knowl.at(repo.path, **editor(tmp_path, script)).terminal("review") as screen:
        answer(screen, "e")
        wrong = screen.expect("Edit it again [y,n,f,?]? ")
        screen.send("n\n")
        kept, again = answer(screen, "e", "y")
        code = screen.finish()

    assert code == 0
    assert "error: name: expected kebab-case" in wrong
    assert "your text is kept in" in kept
    assert "goes on with the text you left unfinished" in again
    found = entry_of(ctx, draft)
    assert (found.name, found.body.startswith("My words")) == ("my-name", True)
    assert list((repo.path / ".git/common/knowl/unfinished").iterdir()) == []


def test_a_broken_edit_can_be_edited_again_at_once(ctx, knowl, repo, tmp_path):
    (draft,) = propose(knowl, capture_item())
    script = (
        "if grep -q 'type: idea' \"$1\"; then sed -i 's/type: idea/type: project/' \"$1\"\n"
        "else sed -i -e 's/type: project/type: idea/' -e 's/three/four/' \"$1\"; fi"
    )

    with knowl.at(repo.path, **editor(tmp_path, script)).terminal("review") as screen:
        answer(screen, "e")
        screen.expect("Edit it again [y,n,f,?]? ")
        screen.send("y\n")
        answer(screen, "y")
        code = screen.finish()

    assert code == 0
    assert "above four" in entry_of(ctx, draft).body


def test_an_editor_that_fails_leaves_the_question(ctx, knowl):
    propose(knowl, capture_item())

    with knowl.terminal("review") as screen:  # the sealed environment has `false` for an editor
        _, shown = answer(screen, "e", "y")
        code = screen.finish()

    assert code == 0
    assert "error:" in shown
    assert entry_names(ctx) == ["cart-doubles"]


def test_an_update_is_shown_with_what_it_changes(ctx, knowl):
    (draft,) = propose(knowl, capture_item())
    knowl.ok("review", "--accept", draft, "--reviewer", ADA)
    digest = entry_of(ctx, draft).digest
    change = {"body": "Above four. Why: trays."}
    propose(knowl, {"kind": "update", "name": "cart-doubles", "expected": digest, "entry": change})

    with knowl.terminal("review") as screen:
        (shown,) = answer(screen, "y")
        code = screen.finish()

    assert code == 0
    assert "-The cart doubles above three pieces" in shown
    assert "+Above four. Why: trays." in shown
    assert "[y,n,e,d,s,q,?]? " in shown
    assert entry_of(ctx, draft).rev == 2


def test_what_cannot_be_accepted_says_why_and_does_not_spoil_the_rest(ctx, knowl):
    (draft,) = propose(knowl, capture_item())
    knowl.ok("review", "--accept", draft, "--reviewer", ADA)
    digest = entry_of(ctx, draft).digest
    first, second = (
        {"kind": "update", "name": "cart-doubles", "expected": digest, "entry": {"tags": [tag]}}
        for tag in ("a", "b")
    )
    propose(knowl, first, second, capture_item("other"))

    with knowl.terminal("review") as screen:
        _, _, refused, _ = answer(screen, "y", "y", "n", "y")
        code = screen.finish()

    assert code == 0
    assert "error: 'cart-doubles' is changed by another draft of the same review" in refused
    assert entry_of(ctx, draft).tags == ("a",)
    assert entry_names(ctx) == ["cart-doubles", "other"]


def test_a_draft_about_an_entry_that_moved_on_says_so_before_the_question(ctx, knowl):
    (draft,) = propose(knowl, capture_item())
    knowl.ok("review", "--accept", draft, "--reviewer", ADA)
    digest = entry_of(ctx, draft).digest
    stale = {"kind": "update", "name": "cart-doubles", "expected": digest, "entry": {"tags": ["a"]}}
    first, second = propose(knowl, stale, {**stale, "entry": {"tags": ["b"]}})
    knowl.ok("review", "--accept", first, "--reviewer", ADA)

    with knowl.terminal("review") as screen:
        shown, _ = answer(screen, "y", "q")
        screen.finish()

    assert "cannot be accepted: 'cart-doubles' has changed since the draft" in shown
    assert [waiting.id for waiting in inbox_of(ctx).drafts] == [second]


def change_of(ctx, draft, **entry):
    """Return the item that changes a live entry."""
    old = entry_of(ctx, draft)
    return {"kind": "update", "name": old.name, "expected": old.digest, "entry": entry}


@pytest.mark.parametrize(("stale", "last"), [(0, "y"), (1, "q"), (2, "d"), (2, "n")])
def test_what_moved_during_a_review_waits_on_and_all_else_is_carried_out(
    ctx, knowl, repo, stale, last
):
    """Somebody renames an entry in another shell while the review is open."""
    live = propose(knowl, *(capture_item(name) for name in ("a", "b", "c")))
    knowl.ok("review", *(f"--accept={one}" for one in live), "--reviewer", ADA)
    drafts = propose(knowl, *(change_of(ctx, one, tags=["x"]) for one in live), capture_item("d"))

    with knowl.terminal("review") as screen:
        answer(screen, "y", "y", "y")
        screen.expect("]? ")
        knowl.ok("rename", "abc"[stale], "moved")
        screen.send(f"{last}\n")
        if last == "d":
            screen.expect("Reason: ")
            screen.send("typed with care\n")
        code = screen.finish()

    assert code == 0
    tags = [entry_of(ctx, one).tags for one in live]
    assert tags == [() if place == stale else ("x",) for place in range(3)]
    waiting = [one.id for one in inbox_of(ctx).drafts]
    assert waiting == [drafts[stale], *([drafts[3]] if last in "nq" else [])]
    assert f"warning: {drafts[stale]} waits on: '{'abc'[stale]}' has changed" in screen.shown
    assert (f"{drafts[3]}: discarded: typed with care" in screen.shown) == (last == "d")
    count = 2 if last in "nq" else 3
    assert repo.git("log", "-1", "--format=%s", ENTRIES) == f"review {count} drafts"


def test_a_review_of_which_nothing_holds_says_why(ctx, knowl, repo):
    (live,) = propose(knowl, capture_item("a"))
    knowl.ok("review", "--accept", live, "--reviewer", ADA)
    (draft,) = propose(knowl, change_of(ctx, live, tags=["x"]), capture_item("b"))[:1]

    with knowl.terminal("review") as screen:
        answer(screen, "y")
        screen.expect("]? ")
        knowl.ok("rename", "a", "moved")
        before = repo.refs()
        screen.send("q\n")
        code = screen.finish()

    assert code == 4
    assert f"error: 'a' has changed since the draft {draft} was written" in screen.shown
    assert repo.refs() == before


def test_proposals_to_let_flags_go_come_last_and_can_be_revived(ctx, knowl):
    one = knowl.ok("flag", "one finding").strip()
    two = knowl.ok("flag", "another one").strip()
    propose(
        knowl,
        {"kind": "discard", "flags": [one], "reason": "in the manual"},
        {"kind": "discard", "flags": [two], "reason": "derivable"},
        capture_item(),
    )

    with knowl.terminal("review") as screen:
        first, second, third = answer(screen, "n", "r", "y")
        code = screen.finish()

    assert code == 0
    assert "2 proposals to let flags go at the end: 'r' revives them" in first
    assert "reason: in the manual" in second
    assert "[y,n,r,e,q,?]? " in second
    assert "flag: another one" in third
    assert flag_of(ctx, one).outcome == "pending"
    assert flag_of(ctx, two).outcome == "discarded: derivable"


def test_discarding_without_a_reason_asks_again(ctx, knowl):
    propose(knowl, capture_item())

    with knowl.terminal("review") as screen:
        answer(screen, "d")
        screen.expect("Reason: ")
        screen.send("\n")
        answer(screen, "q")
        screen.finish()

    assert "nothing was decided" in screen.shown
    assert len(inbox_of(ctx).drafts) == 1


def test_control_characters_of_a_draft_are_made_visible(ctx, knowl):
    submit_items(ctx, capture_item(body="Looks \u202efine. Why: so."))

    with knowl.terminal("review") as screen:
        (shown,) = answer(screen, "q")
        screen.finish()

    assert "\u202e" not in shown
    assert "\\u202efine" in shown
    assert "warning: body: holds characters that nobody sees" in shown


def test_answers_from_a_pipe_are_no_person(ctx, knowl):
    propose(knowl, capture_item())

    done = knowl.process("review", stdin="y\n")

    assert done.code == 1
    assert entry_names(ctx) == []


def test_an_agent_host_with_a_terminal_is_refused(ctx, knowl, repo):
    propose(knowl, capture_item())

    with knowl.at(repo.path, KNOWL_HOST="claude").terminal("review") as screen:
        code = screen.finish()

    assert code == 1
    assert "only a person may do it" in screen.shown
    assert entry_names(ctx) == []


def test_with_nothing_to_review_nothing_is_asked(knowl):
    with knowl.terminal("review") as screen:
        code = screen.finish()

    assert code == 0
    assert "no draft waits for review" in screen.shown


def test_unattended_entries_are_confirmed_left_or_retired(ctx, knowl, repo):
    ids = propose(knowl, capture_item("a"), capture_item("b"), capture_item("c"))
    knowl.ok("review", *(f"--accept={one}" for one in ids), "--reviewer", ADA)

    with knowl.terminal("review", "--confirm") as screen:
        shown = answer(screen, "y", "n", "r")
        screen.expect("Reason: ")
        screen.send("\n")
        answer(screen, "r")
        screen.expect("Reason: ")
        screen.send("not so\n")
        code = screen.finish()

    first = entry_of(ctx, ids[0])
    assert code == 0
    assert "how: unattended" in shown[0]
    assert "active   file:lib/cart.ts" in shown[0]
    assert (first.reviewed.by, first.reviewed.how, first.rev) == (PERSON, "terminal", 2)
    assert entry_of(ctx, ids[1]).reviewed.how == "unattended"
    assert entry_names(ctx) == ["a", "b"]
    assert repo.git("log", "-1", "--format=%s", ENTRIES) == "confirm 2 entries"


def test_interrupting_the_confirmation_changes_nothing(ctx, knowl, repo):
    ids = propose(knowl, capture_item("a"), capture_item("b"))
    knowl.ok("review", *(f"--accept={one}" for one in ids), "--reviewer", ADA)
    before = repo.refs()

    with knowl.terminal("review", "--confirm") as screen:
        answer(screen, "y")
        screen.expect("(2/2)")
        screen.interrupt()
        code = screen.finish()

    assert code == 130
    assert repo.refs() == before


def test_quitting_the_confirmation_keeps_what_was_decided(ctx, knowl):
    ids = propose(knowl, capture_item("a"), capture_item("b"))
    knowl.ok("review", *(f"--accept={one}" for one in ids), "--reviewer", ADA)

    with knowl.terminal("review", "--confirm") as screen:
        answer(screen, "y", "q")
        code = screen.finish()

    assert code == 0
    assert [entry_of(ctx, one).reviewed.how for one in ids] == ["terminal", "unattended"]
