"""The inbox: what it lists, what dropping does, what expires, what can be edited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.ids import IdError
from git_knowl.plumbing.refs import INBOX
from git_knowl.services import flag as flagging
from git_knowl.services.expiry import expire, look
from git_knowl.services.flag import FlagError
from git_knowl.services.inbox import InboxError, drop, edit_flag, find_editable
from git_knowl.services.review import Decision, DraftError, decide
from git_knowl.store.decided import find_decided
from git_knowl.store.flags import read_flag
from git_knowl.store.operations import PutDraft, PutEntry, PutFlag
from tests.support.clock import Clock
from tests.support.contexts import (
    REVIEWED,
    capture_item,
    context,
    feedback_item,
    flag_of,
    inbox_of,
    submit_items,
)
from tests.support.stores import PutRaw, draft, entry, flag, identifier, write

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
FLAG, OTHER = flag("totals double", 1), flag("never lint", 2)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def ctx(repo, clock):
    """Give a context with two pending flags in its inbox."""
    made = context(repo, clock=clock)
    write(made.store, PutFlag(FLAG), PutFlag(OTHER))
    return made


def test_settled_flags_stay_listed_and_decided_drafts_do_not(ctx):
    (draft,) = submit_items(ctx, capture_item("cart-doubles", FLAG.id))
    decide(ctx, [Decision(draft, accepted=True)], REVIEWED)

    found = look(ctx).inbox

    assert {one.id: one.outcome for one in found.flags} == {
        FLAG.id: "captured as cart-doubles",
        OTHER.id: "pending",
    }
    assert found.drafts == ()


@pytest.mark.parametrize(
    ("reason", "outcome"), [(None, "dropped"), (" in the\nmanual ", "dropped: in the manual")]
)
def test_dropping_a_flag_says_so(ctx, reason, outcome):
    assert drop(ctx, [FLAG.id], reason).ids == (FLAG.id,)
    assert flag_of(ctx, FLAG.id).outcome == outcome
    assert flag_of(ctx, OTHER.id).is_pending


def test_dropping_twice_changes_nothing(ctx, repo):
    drop(ctx, [FLAG.id], "once")
    before = repo.rev("refs/knowl-local/inbox")

    drop(ctx, [FLAG.id], "twice")

    assert repo.rev("refs/knowl-local/inbox") == before


def test_dropping_a_draft_drops_its_flags(ctx):
    (draft,) = submit_items(ctx, capture_item("cart-doubles", FLAG.id, OTHER.id))

    drop(ctx, [draft[-8:]], "not worth it")

    assert inbox_of(ctx).drafts == ()
    assert {one.outcome for one in inbox_of(ctx).flags} == {"dropped: not worth it"}
    assert submit_items(ctx, capture_item("cart-doubles", FLAG.id, OTHER.id)) == (draft,)
    assert inbox_of(ctx).drafts == ()


def test_a_dropped_flag_stays_dropped_when_its_draft_is_accepted(ctx):
    (draft,) = submit_items(ctx, capture_item("cart-doubles", FLAG.id))
    drop(ctx, [FLAG.id])

    decide(ctx, [Decision(draft, accepted=True)], REVIEWED)

    assert flag_of(ctx, FLAG.id).outcome == "dropped"


def test_a_flag_that_was_settled_otherwise_cannot_be_dropped(ctx):
    write(ctx.store, PutFlag(replace(FLAG, outcome="captured as x")))

    with pytest.raises(InboxError, match="captured as x"):
        drop(ctx, [OTHER.id, FLAG.id])

    assert flag_of(ctx, OTHER.id).is_pending


@pytest.mark.parametrize("given", ["", "zzz", "01"])
def test_an_id_that_names_nothing_or_too_much_drops_nothing(ctx, given):
    with pytest.raises(IdError):
        drop(ctx, [FLAG.id, given])

    assert flag_of(ctx, FLAG.id).is_pending


def test_a_reason_is_scrubbed_and_limited(ctx):
    assert drop(ctx, [FLAG.id], f"only {KEY}").redacted == (("GITHUB_TOKEN", 1),)
    assert KEY not in flag_of(ctx, FLAG.id).outcome
    with pytest.raises(DraftError, match="reason: expected at most 1000"):
        drop(ctx, [OTHER.id], "x" * 1001)


def test_a_flag_nobody_used_expires_once(ctx, clock):
    clock.advance(days=29)
    assert look(ctx).expired == ()
    clock.advance(days=2)

    found = look(ctx)

    assert [one.id for one in found.expired] == [FLAG.id, OTHER.id]
    assert {one.outcome for one in found.inbox.flags} == {"expired"}
    assert look(ctx).expired == ()


def test_what_a_wrong_clock_let_expire_waits_again_for_a_right_one(ctx, clock):
    clock.advance(days=40)
    assert [one.id for one in look(ctx).expired] == [FLAG.id, OTHER.id]
    drop(ctx, [OTHER.id], "known by now")
    clock.advance(days=-40)

    found = look(ctx)

    assert found.expired == ()
    assert {one.id: one.outcome for one in found.inbox.flags} == {
        FLAG.id: "pending",
        OTHER.id: "dropped: known by now",
    }
    assert flag_of(ctx, FLAG.id) == FLAG


def test_an_expired_flag_can_still_be_used(ctx, clock):
    clock.advance(days=31)
    look(ctx)

    (draft,) = submit_items(ctx, capture_item("cart-doubles", FLAG.id))

    assert look(ctx).expired == ()
    assert (flag_of(ctx, FLAG.id).outcome, flag_of(ctx, FLAG.id).draft) == ("pending", draft)
    decide(ctx, [Decision(draft, accepted=True)], REVIEWED)
    assert flag_of(ctx, FLAG.id).outcome == "captured as cart-doubles"


def test_the_time_to_live_is_a_setting(ctx, clock, repo):
    repo.git("config", "knowl.flagExpiryDays", "2")
    clock.advance(days=3)

    assert len(expire(ctx)) == 2


def test_a_flag_in_a_waiting_draft_does_not_expire(ctx, clock):
    submit_items(ctx, capture_item("cart-doubles", FLAG.id))
    clock.advance(days=365)

    assert [one.id for one in expire(ctx)] == [OTHER.id]
    assert flag_of(ctx, FLAG.id).is_pending


def test_where_the_lock_cannot_be_taken_flags_go_on_waiting(ctx, clock, repo):
    clock.advance(days=365)
    lock = repo.path / ".git" / "common" / "knowl" / "lock"
    lock.unlink()
    lock.mkdir()

    found = look(ctx)

    assert found.expired == ()
    assert all(one.is_pending for one in found.inbox.flags)


def test_a_damaged_record_hides_no_other(ctx):
    path = f"flags/{identifier(9)[-2:]}/{identifier(9)}.json"
    write(ctx.store, PutRaw("refs/knowl-local/inbox", path, b"[]"))

    found = look(ctx).inbox

    assert len(found.flags) == 2
    assert [one.path for one in found.damaged] == [path]


def test_a_summary_can_be_edited_and_is_scrubbed(ctx):
    redacted = edit_flag(ctx, FLAG, f" totals double\nwith {KEY}\n")

    assert flag_of(ctx, FLAG.id).summary == "totals double with [REDACTED:GITHUB_TOKEN]"
    assert redacted == (("GITHUB_TOKEN", 1),)


def test_what_a_new_summary_gives_away_goes_from_the_quote_too(ctx):
    value = "3d344217bd575c1272cbcc2573dc06b0"
    told = flagging.flag(ctx, "totals double", quote=f"at {value}").flag

    redacted = edit_flag(ctx, told, f"the password is {value}")

    assert flag_of(ctx, told.id).quote == "at [REDACTED:PASSWORD]"
    assert redacted == (("PASSWORD", 2),)


@pytest.mark.parametrize("summary", ["", "\n \n", "x" * 501])
def test_a_summary_that_breaks_its_limit_is_refused(ctx, summary):
    with pytest.raises(FlagError, match="summary"):
        edit_flag(ctx, FLAG, summary)

    assert flag_of(ctx, FLAG.id) == FLAG


def test_a_flag_that_was_settled_meanwhile_is_not_edited(ctx):
    drop(ctx, [FLAG.id])

    with pytest.raises(InboxError, match="meanwhile"):
        edit_flag(ctx, FLAG, "other words")


def test_only_what_waits_can_be_edited(ctx):
    (draft,) = submit_items(ctx, feedback_item("no-full-lint", OTHER.id))
    drop(ctx, [FLAG.id])
    found = inbox_of(ctx)

    assert find_editable(found, draft).id == draft
    assert find_editable(found, OTHER.id).id == OTHER.id
    with pytest.raises(InboxError, match="settled already"):
        find_editable(found, FLAG.id)


DAMAGE = {
    "broken JSON": b"{",
    "not UTF-8": b"\xff\xfe",
    "no object": b"[]",
    "no fields": b"{}",
    "another id": b'{"id": "x", "summary": "s", "at": "t", "by": "b"}',
}


@pytest.mark.parametrize("data", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("folder", ["flags", "drafts"])
@pytest.mark.parametrize("handle", ["id", "part", "path"])
def test_a_damaged_record_can_be_dropped_and_nothing_else_goes(ctx, folder, handle, data):
    damaged, kept = identifier(9), flag("kept", 3)
    path = f"{folder}/{damaged[-2:]}/{damaged}.json"
    write(ctx.store, PutFlag(kept), PutRaw(INBOX, path, data))

    done = drop(ctx, [{"id": damaged, "part": damaged[-9:], "path": path}[handle]])

    assert done.ids == (damaged,)
    now = inbox_of(ctx)
    assert now.damaged == ()
    assert kept in now.flags


def test_a_record_in_a_place_without_an_id_goes_by_its_path(ctx):
    write(ctx.store, PutRaw(INBOX, "flags/zz/notes.txt", b"x"))

    assert drop(ctx, ["flags/zz/notes.txt"]).ids == ("flags/zz/notes.txt",)
    assert inbox_of(ctx).damaged == ()


def test_a_damaged_record_cannot_be_edited_and_says_what_can_be_done(ctx):
    damaged = identifier(9)
    write(ctx.store, PutRaw(INBOX, f"flags/{damaged[-2:]}/{damaged}.json", b"{"))

    with pytest.raises(InboxError, match="cannot be read") as caught:
        find_editable(inbox_of(ctx), damaged)
    assert f"git knowl inbox drop {damaged}" in caught.value.hint


@pytest.mark.parametrize("deed", ["drop", "submit", "expire", "review"])
def test_the_next_write_of_the_inbox_clears_what_a_crash_left(ctx, deed):
    """The entries had moved, the inbox had not: readers know, the records lie there still."""
    made = entry("left-behind", 5)
    waiting, late = flag("of it", 6, draft=made.id), flag("late", 7, at="2020-01-01T00:00:00Z")
    write(ctx.store, PutDraft(draft(made, flags=(waiting.id,))), PutFlag(waiting), PutFlag(late))
    write(ctx.store, PutEntry("shared", made))
    ctx.refresh()
    assert [one.id for one in inbox_of(ctx).settled] == [made.id]

    if deed == "drop":
        drop(ctx, [late.id])
    elif deed == "submit":
        submit_items(ctx, capture_item("other"))
    elif deed == "expire":
        look(ctx)
    else:
        decide(ctx, [Decision(made.id, accepted=True)], REVIEWED)

    assert inbox_of(ctx).settled == ()
    stored = read_flag(ctx.store.view(), waiting.id)
    assert stored.outcome == "captured as left-behind"
    assert find_decided(ctx.store.view(), made.id) == (made.id, "accepted")
