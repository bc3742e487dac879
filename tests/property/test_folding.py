"""Folding lines, and finding them again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from git_knowl.anchors import folding

WORDS = st.text("ab{}() ", max_size=6)
INDENTS = st.sampled_from(("", " ", "  ", "\t", "\t "))
LINES = st.lists(st.builds(str.__add__, INDENTS, WORDS), min_size=1, max_size=8)


@given(LINES)
def test_folding_twice_changes_nothing(lines: list[str]) -> None:
    once = folding.fold(lines)

    assert folding.fold(once.split("\n")) == once


@given(LINES, INDENTS, st.sampled_from(("", " ", "\r", "\t ")))
def test_more_indent_and_trailing_space_change_nothing(
    lines: list[str], indent: str, end: str
) -> None:
    assert folding.fold([f"{indent}{line}{end}" for line in lines]) == folding.fold(lines)


@given(LINES, LINES, LINES)
def test_folded_lines_are_found_where_they_were_taken(
    before: list[str], lines: list[str], after: list[str]
) -> None:
    text = folding.fold(lines)
    whole = [*before, *lines, *after]

    found = {place.line for place in folding.places(whole, text)}

    assert len(before) + 1 in found
    assert all(folding.fold(whole[at - 1 : at - 1 + len(lines)]) == text for at in found)
    assert folding.place_of_digest(whole, folding.digest(text), len(lines)) is not None


@given(LINES, LINES)
def test_the_nearest_lines_are_lines_of_the_file(lines: list[str], wanted: list[str]) -> None:
    found = folding.nearest(lines, folding.fold(wanted))

    if found:
        stretch = lines[found.line - 1 : found.line - 1 + found.length]
        assert folding.fold(stretch) == found.text
        assert 0 < found.alike <= 1
