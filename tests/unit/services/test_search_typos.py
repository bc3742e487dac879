"""Which words count as misspelt: the measure is that of rapidfuzz, without loading it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz, process

from git_knowl.services.search_typos import LIKENESS, nearest

WORDS = st.text(alphabet="abcdeé漢", min_size=1, max_size=12)


@given(word=WORDS, known=st.lists(WORDS, max_size=20))
def test_the_nearest_words_are_those_that_rapidfuzz_finds_in_the_same_order(word, known):
    ours = sorted(nearest(word, known), key=lambda pair: -pair[1])
    theirs = process.extract(word, known, scorer=fuzz.ratio, score_cutoff=LIKENESS, limit=None)

    assert [one for one, _ in ours] == [one for one, _, _ in theirs]
