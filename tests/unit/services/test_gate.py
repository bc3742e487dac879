"""The gate: who vouches for a write, by which door, and who may not."""

from __future__ import annotations

import pytest

from git_knowl.services.context import NoIdentityError
from git_knowl.services.gate import GateError, authorise, check_person, may_write_live
from git_knowl.services.recording import record
from tests.support.contexts import ADA, context
from tests.support.seal import DATE, PERSON
from tests.support.stores import entry

FEEDBACK = entry("said-so", type="feedback")
ANCHORED = entry("cart")
UNANCHORED = entry("loose", anchors=())


@pytest.mark.parametrize("verb", ["review", "confirm", "edit", "restore", "verify", "add"])
def test_a_person_at_a_terminal_is_taken_at_gits_identity(repo, verb):
    reviewed = authorise(context(repo, terminal=True), verb)

    assert (reviewed.by, reviewed.at, reviewed.how) == (PERSON, DATE, "terminal")


def test_a_person_at_a_terminal_may_give_another_name(repo):
    reviewed = authorise(context(repo, terminal=True), "review", ADA)

    assert (reviewed.by, reviewed.how) == (ADA, "terminal")


@pytest.mark.parametrize("verb", ["verify", "retire", "restore"])
def test_without_a_terminal_gits_identity_is_recorded_as_unattended(repo, verb):
    reviewed = authorise(context(repo), verb, entry=ANCHORED)

    assert (reviewed.by, reviewed.how) == (PERSON, "unattended")


@pytest.mark.parametrize("terminal", [True, False])
def test_accepting_by_id_needs_a_named_person_and_is_unattended_everywhere(repo, terminal):
    ctx = context(repo, terminal=terminal)

    with pytest.raises(GateError, match="needs the name"):
        authorise(ctx, "accept")

    assert authorise(ctx, "accept", ADA).how == "unattended"


def test_nobody_at_all_is_an_error(repo):
    with pytest.raises(NoIdentityError):
        authorise(context(repo, person=None, terminal=True), "review")


@pytest.mark.parametrize("verb", ["accept", "review", "confirm", "edit", "restore"])
@pytest.mark.parametrize("terminal", [True, False])
def test_an_agent_host_may_not_let_text_in(repo, verb, terminal):
    ctx = context(repo, host="claude", terminal=terminal)

    with pytest.raises(GateError, match="claude") as caught:
        authorise(ctx, verb, ADA)

    assert caught.value.exit_code == 1
    assert caught.value.hint


@pytest.mark.parametrize("kept", [FEEDBACK, UNANCHORED], ids=["feedback", "unanchored"])
def test_an_agent_host_may_not_retire_what_rests_on_a_persons_word(repo, kept):
    with pytest.raises(GateError, match="retire"):
        authorise(context(repo, host="codex"), "retire", entry=kept)


@pytest.mark.parametrize("verb", ["verify", "retire", "discard", "add", "snooze"])
@pytest.mark.parametrize("terminal", [True, False])
def test_an_agent_host_speaks_for_itself_and_names_nobody(repo, verb, terminal):
    ctx = context(repo, host="claude", terminal=terminal)

    with pytest.raises(GateError, match="the agent host 'claude' names") as caught:
        authorise(ctx, verb, ADA, entry=ANCHORED)
    assert "--reviewer" in caught.value.hint
    assert authorise(ctx, verb, entry=ANCHORED).how == "unattended"


def test_history_names_the_host_that_ran_an_operation(repo):
    reviewed = authorise(context(repo), "verify")

    assert ("Knowl-Host", "codex") in record(context(repo, host="codex"), "x", "x").trailers
    told = dict(record(context(repo, host="codex"), "verify", "verify x", reviewed).trailers)
    assert told == {
        "Reviewed-by": PERSON,
        "Knowl-How": "unattended",
        "Knowl-At": repo.rev("HEAD"),
        "Knowl-Host": "codex",
    }
    assert "Knowl-Host" not in dict(record(context(repo), "x", "x", reviewed).trailers)


def test_what_nobody_can_read_is_taken_out_by_a_person(repo):
    with pytest.raises(GateError, match="only a person"):
        authorise(context(repo, host="codex"), "retire")


def test_an_agent_host_may_retire_what_rests_on_evidence(repo):
    reviewed = authorise(context(repo, host="codex"), "retire", entry=ANCHORED)

    assert (reviewed.by, reviewed.how) == (PERSON, "unattended")


def test_a_setting_lets_an_agent_host_do_what_only_persons_may(repo):
    repo.git("config", "knowl.unattended", "allow")
    ctx = context(repo, host="claude", terminal=True)

    assert authorise(ctx, "accept", ADA).how == "unattended"
    assert authorise(ctx, "review").how == "unattended"
    assert may_write_live(ctx, None)


@pytest.mark.parametrize(
    ("caller", "reviewer", "live"),
    [
        ({"terminal": True}, None, True),
        ({}, ADA, True),
        ({}, None, False),
        ({"terminal": True, "host": "claude"}, ADA, False),
    ],
)
def test_add_is_live_only_where_a_person_stands_behind_it(repo, caller, reviewer, live):
    assert may_write_live(context(repo, **caller), reviewer) is live


@pytest.mark.parametrize("text", [ADA, " Ada  <ada@example.org> ", "Ada<ada@example.org>"])
def test_a_person_has_one_spelling(text):
    assert check_person(text) == ADA


@pytest.mark.parametrize(
    "text",
    [
        "Ada",
        "ada@example.org",
        "<ada@example.org>",
        "Ada <>",
        "Ada <ada>",
        "Ada <@>",
        "Ada <a@b",
        "Ada <a@b> x",
        "Ada <a@b> <c@d>",
        "A > B <a@b>",
        "Ada <a@b>\nKnowl-Op: undo",
        "A\u202eda <a@b>",
        f"{'Ada ' * 100}<a@b>",
    ],
)
def test_a_malformed_person_names_the_field(text):
    with pytest.raises(GateError, match=r"^reviewer: expected"):
        check_person(text)
