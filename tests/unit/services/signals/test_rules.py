"""Which commits are worth a flag."""

from __future__ import annotations

from typing import Any

import pytest

from git_knowl.plumbing.messages import Message
from git_knowl.services.signals.rules import (
    LINES,
    PROSE,
    REASON,
    REVERT,
    TRAILER,
    WIDE_WORDS,
    WORDS,
    is_bot,
    is_fix,
    signals,
    wide_signals,
)

LONG = " ".join(["word"] * WORDS)


def commit(body: str = LONG, subject: str = "cart: count pairs", **more: Any) -> Message:
    plain = {
        "oid": "1" * 40,
        "parents": ("2" * 40,),
        "author": "Ada",
        "author_email": "ada@example.org",
        "authored": 1_700_000_000,
        "committer": "Ada",
        "committer_email": "ada@example.org",
        "committed": 1_700_000_000,
        "changes": (("lib/cart.ts", 3),),
    }
    return Message(**{**plain, **more}, subject=subject, body=body)


def rules(message: Message) -> list[str]:
    return [one.rule for one in signals(message)]


def test_long_prose_over_a_small_change_is_worth_a_flag():
    (found,) = signals(commit())

    assert (found.rule, found.summary, found.quote) == (PROSE, "cart: count pairs", LONG)


@pytest.mark.parametrize(
    "message",
    [
        commit(" ".join(["word"] * (WORDS - 1))),
        commit(changes=(("a", LINES), ("b", 1))),
        commit(changes=()),
        commit(changes=(("a", None),)),
        commit(parents=("2" * 40, "3" * 40)),
        commit(author="renovate[bot]"),
        commit(subject="feat(cart): count pairs"),
        commit(subject="cart: add pairs"),
        commit(subject="Support pairs"),
    ],
    ids=[
        "one word too few",
        "one line too many",
        "nothing changed",
        "size not known",
        "merge",
        "bot",
        "feature",
        "area and feature",
        "support",
    ],
)
def test_without_one_of_the_two_numbers_or_as_a_feature_it_is_not(message):
    assert rules(message) == []


def test_exactly_at_both_limits_it_is():
    assert rules(commit(changes=(("a", LINES),))) == [PROSE]


def test_binary_files_have_no_lines():
    assert rules(commit(changes=(("logo.png", 0),))) == [PROSE]


def test_a_revert_needs_a_sentence_of_its_own():
    bare = "This reverts commit 1e1d5137bf425b617046d7c938a7c33f14acf539."
    said = f"{bare}\n\nIt broke the import of carts that were saved before March.\n"

    assert rules(commit(bare, 'Revert "cart: count pairs"')) == []
    assert rules(commit(said, 'Revert "cart: count pairs"')) == [REVERT]


def test_a_trailer_is_always_worth_a_flag_and_every_one_counts():
    found = signals(commit("", flags=("pairs only", "never round"), changes=(("a", 9999),)))

    assert [(one.rule, one.summary) for one in found] == [
        (TRAILER, "pairs only"),
        (TRAILER, "never round"),
    ]


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("it turns out that the supplier ships pairs", "surprise"),
        ("never round before the sum", "directive"),
        ("the supplier ships pairs", "background"),
    ],
)
def test_the_cue_is_guessed_from_the_words(text, cue):
    (found,) = signals(commit(flags=(text,), body=""))

    assert found.cue == cue


@pytest.mark.parametrize(
    "named",
    [
        {"author": "dependabot[bot]"},
        {"author_email": "49699333+dependabot[bot]@users.noreply.github.com"},
        {"author": "pre-commit-ci"},
        {"committer": "release-bot"},
    ],
)
def test_programs_are_known_by_their_names(named):
    assert is_bot(commit(**named))


@pytest.mark.parametrize("name", ["Abbott", "Bothwell", "Bottas"])
def test_people_whose_name_holds_the_letters_are_no_programs(name):
    assert not is_bot(commit(author=name))


@pytest.mark.parametrize(
    ("subject", "fix"),
    [
        ("fix: totals", True),
        ("Fixes the totals", True),
        ("cart: fix totals", True),
        ("hotfix totals", True),
        ("prefix the totals", False),
        ("fixture for totals", False),
    ],
)
def test_fixes_are_known_by_their_subject(subject, fix):
    assert is_fix(commit(subject=subject)) is fix


def test_the_wider_net_takes_shorter_prose_with_a_consequence():
    text = " ".join(["word"] * WIDE_WORDS)

    assert wide_signals(commit(text)) == []
    assert [one.rule for one in wide_signals(commit(f"{text}, so it must stay"))] == [REASON]


def test_what_says_more_in_fewer_lines_ranks_higher():
    dense = wide_signals(commit(f"{LONG} must stay", changes=(("a", 1),)))[0].score
    sparse = wide_signals(commit(f"{LONG} must stay", changes=(("a", 50),)))[0].score

    assert dense > sparse
