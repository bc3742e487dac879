"""Running prose of a commit's body: what counts as a sentence and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.services.signals.prose import prose, words

SENTENCE = "The supplier ships pairs, so totals double above three pieces."


@pytest.mark.parametrize(
    "body",
    [
        "- one thing\n- another thing\n",
        "* one thing\n  that goes on in the next line\n",
        "1. first\n2) second\n",
        "- [ ] not done\n- [x] done\n",
        "    indented code is no prose\n",
        "\ttabbed code is no prose\n",
        "```\nfenced code is no prose\n```\n",
        "~~~ python\nfenced code\n~~~\n",
        "> somebody else's words\n",
        "| a | table |\n",
        "# A heading\n",
        "https://example.org/a/b\n",
        "Intro\n\nSigned-off-by: Ada <ada@example.org>\nFixes: #12\n".replace("Intro\n\n", "\n\n"),
        "This reverts commit 1e1d5137bf425b617046d7c938a7c33f14acf539.\n",
        "",
    ],
)
def test_lists_code_quotes_and_trailers_are_no_prose(body):
    assert words(body) == 0


def test_a_sentence_beside_them_is_all_that_is_left():
    body = f"{SENTENCE}\n\n- a list\n\n```\ncode\n```\n\nFixes: #1\nSigned-off-by: A <a@b>\n"

    assert prose(body) == SENTENCE


def test_a_paragraph_that_is_wrapped_is_one_line_of_prose():
    assert (
        prose("The supplier\nships pairs.\r\n\r\nEven\r\nnow.")
        == "The supplier ships pairs.\nEven now."
    )


def test_the_first_paragraph_is_never_taken_for_trailers():
    assert words("Note: the cart doubles above three pieces") == 7


def test_a_list_ends_where_a_line_starts_at_the_margin_again():
    assert prose("- item\n  still the item\nSo it goes on.") == "So it goes on."


def test_eastern_letters_count_two_to_a_word():
    assert words("供应商成对发货") == 3


@given(st.text(alphabet=st.sampled_from(list("ab \n-*`>#:|\t1.")), max_size=200))
def test_prose_never_fails_and_never_grows(body):
    assert len(prose(body)) <= len(body)
    assert words(body) <= len(body.split())
