"""The daily round: decisions on suspects, worked out one by one and published together."""

from __future__ import annotations

import pytest

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.document import DocumentError
from git_knowl.plumbing import refs
from git_knowl.services.audit.audit import audit
from git_knowl.services.audit.review import (
    RETIRE,
    SNOOZE,
    UPDATE,
    VERIFY,
    Settled,
    UnchangedError,
    decide,
    settle,
    waiting,
)
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.edit import document
from git_knowl.services.rename import rename
from git_knowl.services.snooze import SnoozeError, snooze
from git_knowl.services.verify import VerifyError, evidence
from git_knowl.store.rules import NameTakenError
from git_knowl.store.state import read_snoozes
from tests.support.contexts import REVIEWED
from tests.support.people import CART, live, names, person, tips, write

NAMES = ("one", "two", "three", "four")


@pytest.fixture
def suspects(repo):
    """Give a repository with four entries on one file that has changed since."""
    for name in NAMES:
        write(person(repo), name, CART)
    repo.write("lib/cart.ts", "four\n")
    return repo


def screens(ctx):
    return waiting(ctx, audit(ctx, ctx.world, move=False))


def made(ctx, name, action, text=""):
    seen = next(one for one in screens(ctx) if one.entry.name == name)
    return decide(ctx, seen, action, text, REVIEWED)


def edited(ctx, name, old, new):
    text = document(live(ctx, name))
    assert old in text
    return text.replace(old, new)


def test_suspects_that_are_awake_get_a_screen(suspects):
    write(person(suspects), "fine", "file:conf.yml")
    snooze(person(suspects), "two", "2026-12-24")

    assert [one.entry.name for one in screens(person(suspects))] == ["four", "one", "three"]


def test_what_moved_gets_a_screen_and_is_followed(repo):
    write(person(repo), "cart", CART)
    repo.git("mv", "lib/cart.ts", "lib/till.ts")
    ctx = person(repo)
    assert [one.verdict.status for one in screens(ctx)] == ["active"]

    settle(ctx, [made(ctx, "cart", VERIFY)], REVIEWED)

    assert [one.target for one in live(ctx, "cart").anchors] == ["file:lib/till.ts"]
    assert screens(person(repo)) == []


def test_all_decisions_are_one_commit(suspects):
    ctx = person(suspects)
    before = int(suspects.git("rev-list", "--count", refs.ENTRIES))
    retired = live(ctx, "three").id
    decided = [
        made(ctx, "one", VERIFY),
        made(ctx, "two", UPDATE, edited(ctx, "two", "doubles", "trebles")),
        made(ctx, "three", RETIRE, "it is gone"),
        made(ctx, "four", SNOOZE, "2026-12-24"),
    ]

    done = settle(ctx, decided, REVIEWED)

    assert done == Settled(tuple(decided))
    assert int(suspects.git("rev-list", "--count", refs.ENTRIES)) == before + 1
    assert suspects.git("log", "-1", "--format=%s", refs.ENTRIES) == "audit 4 entries"
    assert set(names(ctx)) == {"one", "two", "four"}
    assert "trebles" in live(ctx, "two").body
    assert [(one.id, one.reason) for one in ctx.cache.retired()] == [(retired, "it is gone")]
    assert list(read_snoozes(ctx.store.view()).values()) == ["2026-12-24"]
    assert screens(person(suspects)) == []


def test_one_decision_is_told_like_its_verb(suspects):
    ctx = person(suspects)

    settle(ctx, [made(ctx, "one", VERIFY)], REVIEWED)

    assert suspects.git("log", "-1", "--format=%s", refs.ENTRIES) == "verify one"


def test_nothing_decided_is_nothing_written(suspects):
    before = tips(suspects)

    assert settle(person(suspects), [], REVIEWED) == Settled()
    assert tips(suspects) == before


@pytest.mark.parametrize(
    ("action", "text", "error"),
    [
        (RETIRE, " ", KnowlError),
        (SNOOZE, "yesterday", SnoozeError),
        (UPDATE, "no document", DocumentError),
    ],
)
def test_what_cannot_be_carried_out_is_said_at_once(suspects, action, text, error):
    before = tips(suspects)

    with pytest.raises(error):
        made(person(suspects), "one", action, text)

    assert tips(suspects) == before


def test_an_update_that_changes_nothing_is_none(suspects):
    ctx = person(suspects)

    with pytest.raises(UnchangedError, match="the text is as it was"):
        made(ctx, "one", UPDATE, document(live(ctx, "one")))


def test_an_update_may_not_take_the_name_of_another(suspects):
    ctx = person(suspects)

    with pytest.raises(EntryRefusedError, match=r"entry\.name: 'two' is taken"):
        made(ctx, "one", UPDATE, edited(ctx, "one", "name: one", "name: two"))


def test_two_updates_with_one_name_keep_all_from_being_stored(suspects):
    ctx = person(suspects)
    decided = [
        made(ctx, name, UPDATE, edited(ctx, name, f"name: {name}", "name: same"))
        for name in ("one", "two")
    ]
    before = tips(suspects)

    with pytest.raises(NameTakenError):
        settle(ctx, decided, REVIEWED)

    assert tips(suspects) == before


def test_what_is_gone_cannot_be_verified(repo):
    write(person(repo), "cart", CART)
    repo.git("rm", "-q", "lib/cart.ts")

    with pytest.raises(VerifyError, match="deleted"):
        made(person(repo), "cart", VERIFY)


@pytest.mark.parametrize(("action", "change"), [(VERIFY, None), (UPDATE, ("doubles", "trebles"))])
def test_a_file_that_changes_while_it_is_looked_at_must_be_looked_at_again(
    suspects, action, change
):
    ctx = person(suspects)
    seen = evidence(ctx, "one")
    text = edited(ctx, "one", *change) if change else ""
    suspects.write("lib/cart.ts", "five\n")

    with pytest.raises(MovedError, match="changed while it was looked at"):
        decide(ctx, seen, action, text, REVIEWED)


def test_only_decisions_on_entries_that_changed_meanwhile_are_left_out(suspects):
    ctx = person(suspects)
    decided = [made(ctx, "one", VERIFY), made(ctx, "two", RETIRE, "old")]
    rename(person(suspects), "two", "other")

    done = settle(ctx, decided, REVIEWED)

    assert ([one.seen.entry.name for one in done.done], len(done.moved)) == (["one"], 1)
    assert evidence(person(suspects), "one").verdict.is_active
    assert "other" in names(ctx)


def test_warnings_and_what_was_scrubbed_come_with_the_decision(suspects):
    ctx = person(suspects)
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    text = edited(ctx, "one", "type: project", "type: reference").replace("doubles", key)

    update = made(ctx, "one", UPDATE, text)
    retire = made(ctx, "two", RETIRE, f"it told {key}")

    assert "a reference without" in update.warnings[0]
    assert update.redacted == retire.redacted == (("AWS_KEY", 1),)
    assert key not in retire.text
