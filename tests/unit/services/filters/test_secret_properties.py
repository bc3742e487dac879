"""Laws of the secret filter over texts nobody thought of."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from git_knowl.services.filters.secret_rules import RULES
from git_knowl.services.filters.secrets import find, gates_in, scrub
from tests.unit.services.filters.samples import NEGATIVES, POSITIVES

WORDS = (
    *("the", "retry", "token", "password", "secret", "api", "key", "auth", "cookie", "bearer"),
    *("header", "expires", "daily", "is", "was", "to", "required", "for", "every", "route"),
    *("stored", "in", "memory", "refreshed", "by", "an", "interceptor", "useDark", "flushJobs"),
    *("src/auth/session.ts", "lib/cart.ts:42", "`getToken()`", "v2", "12", "401", "30s", "(not)"),
    *("hashed", "with", "argon2id", "RS256", "OAuth2", "base64url", "basic", "login", "--dry-run"),
)
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join)
marks = st.sampled_from([" ", "\n", ": ", "=", ", ", "; ", "'", '"', "`", "@", "/", "&", "，", ""])
pieces = st.one_of(
    st.sampled_from([sample.text for sample in POSITIVES]),
    st.sampled_from(NEGATIVES),
    st.text(max_size=20),
    sentences,
    st.sampled_from(["password", "token", "://", "[REDACTED:TOKEN]", "[REDACTED:", "Bearer "]),
)
mixtures = st.lists(st.tuples(pieces, marks), max_size=6).map(
    lambda pairs: "".join(piece + mark for piece, mark in pairs)
)
GATES = sorted({gate for rule in RULES for gate in rule.gates})
#: Whatever stands after these words was told as a password.
TOLD = re.compile(r"password (?:is|was) [a-z]")
PLACEHOLDER = re.compile(r"\[REDACTED:[A-Z_]+\]")


@given(mixtures)
@settings(deadline=None)
def test_scrubbing_its_own_output_changes_nothing(text):
    once = scrub(text)
    twice = scrub(once.text)

    assert twice.text == once.text
    assert twice.found == ()


@given(mixtures)
@settings(deadline=None)
def test_what_is_no_secret_stays_in_order_and_to_the_byte(text):
    masked = scrub(text)
    place = 0
    kept = PLACEHOLDER.split(masked.text)
    for part in kept:
        found = text.find(part, place)
        assert found >= place
        place = found + len(part)

    assert text.startswith(kept[0])
    assert text.endswith(kept[-1])


@given(mixtures)
@settings(deadline=None)
def test_findings_are_in_order_apart_and_inside_the_text(text):
    edges = [edge for finding in find(text) for edge in (finding.start, finding.end)]

    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
    assert all(finding.start < finding.end for finding in find(text))


@given(sentences.filter(lambda text: not TOLD.search(text)))
@settings(deadline=None)
def test_ordinary_technical_sentences_are_untouched(text):
    assert scrub(text).text == text


@given(st.lists(st.one_of(st.sampled_from(GATES), st.text(max_size=4)), max_size=8).map("".join))
@settings(deadline=None)
def test_no_substring_that_opens_a_rule_is_overlooked(text):
    assert sorted(gates_in(text)) == [gate for gate in GATES if gate in text]
