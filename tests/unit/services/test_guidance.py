"""The guidance texts are all there, short, and say what an agent has to know."""

from __future__ import annotations

import pytest

from git_knowl.model.flag import CUES
from git_knowl.model.text import hidden_characters
from git_knowl.services import guidance

TOPICS = ("admission", "audit", "capture", "entry", "flag", "retire", "update")


def test_there_is_a_text_for_every_stage():
    assert guidance.names() == TOPICS


@pytest.mark.parametrize("name", TOPICS)
def test_a_text_is_plain_markdown_that_fits_beside_the_work(name):
    text = guidance.text(name)

    assert text.startswith("# ")
    assert text.endswith("\n")
    assert len(text.split()) <= 400
    assert max(map(len, text.split("\n"))) <= 100
    assert hidden_characters(text, single_line=False) == []


def test_an_unknown_topic_names_the_known_ones():
    with pytest.raises(guidance.GuidanceError, match="admission, audit, capture") as caught:
        guidance.text("../guidance/flag")

    assert "git knowl guide" in str(caught.value.hint)


def test_the_flag_text_holds_the_one_question_and_all_cues():
    text = guidance.text("flag")

    assert "will a future session pay for it" in text
    assert all(f"**{cue}**" in text for cue in CUES)
    assert "turns out" in text


def test_the_admission_text_holds_five_tests_with_the_names_to_answer_under():
    text = guidance.text("admission")

    for number, key in enumerate(("derivable", "reuse", "owner", "verified", "after_fix"), 1):
        assert f"\n{number}. **" in text
        assert f"(`{key}`)" in text


def test_the_capture_text_names_every_kind_of_item():
    text = guidance.text("capture")

    assert all(
        f"`{kind}`" in text for kind in ("capture", "update", "retire", "discard", "guideline")
    )


def test_the_entry_text_says_that_a_description_tells_when_to_open_the_entry():
    assert "when to open the" in guidance.text("entry")
