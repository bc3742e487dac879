"""The labelled set: every secret in it goes, everything else stays to the byte."""

from __future__ import annotations

import re

import pytest

from git_knowl.services.filters.secret_judges import JUDGES
from git_knowl.services.filters.secret_rules import RULES
from git_knowl.services.filters.secrets import find, scrub
from tests.bench.secrets.labelled import FORMATS, plant
from tests.unit.services.filters.samples import NEGATIVES, POSITIVES, Positive

WITHIN_A_LINE = [
    sample for sample in POSITIVES if "\n" not in sample.text and sample.name != "pgpass"
]
SENTENCES = ("Turned out that {} was in the log.", "重试之前：{}", "a\n\n  > {}\nb")


@pytest.mark.parametrize("sample", POSITIVES, ids=lambda sample: sample.name)
def test_a_secret_is_masked_under_its_type_and_nothing_else_changes(sample: Positive):
    masked = scrub(sample.text)

    assert [part for part in sample.hidden if part in masked.text] == []
    assert sample.type in dict(masked.found)
    kept = re.escape(masked.text)
    pattern = re.sub(r"\\\[REDACTED:[A-Z_]+\\\]", lambda _: r"[\s\S]+", kept)
    assert re.fullmatch(pattern, sample.text)


@pytest.mark.parametrize("text", NEGATIVES)
def test_what_only_looks_like_a_secret_stays(text: str):
    assert find(text) == []
    assert scrub(text).text == text


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("sample", WITHIN_A_LINE, ids=lambda sample: sample.name)
def test_a_secret_is_masked_wherever_it_stands(sample: Positive, sentence: str):
    masked = scrub(sentence.replace("{}", sample.text)).text

    assert [part for part in sample.hidden if part in masked] == []


@pytest.mark.parametrize("rule", RULES, ids=[f"{n}-{rule.type}" for n, rule in enumerate(RULES)])
def test_every_rule_is_well_formed(rule):
    """A type fits a placeholder, a gate is lower case, and what a rule asks for exists."""
    assert re.fullmatch(r"[A-Z_]+", rule.type)
    assert rule.gates == tuple(gate.lower() for gate in rule.gates)
    assert rule.judge in JUDGES
    re.compile(rule.pattern)


@pytest.mark.parametrize("rule", RULES, ids=[f"{n}-{rule.type}" for n, rule in enumerate(RULES)])
def test_every_rule_is_needed_by_a_text_of_the_labelled_sets(rule, labelled_texts):
    assert any(re.search(rule.pattern, text) for text in labelled_texts)


@pytest.fixture(scope="module")
def labelled_texts() -> list[str]:
    """One text of every format in its first context, and the samples."""
    firsts = [plant(one, *next(iter(one.places.items())), seed=0).text for one in FORMATS]
    return firsts + [sample.text for sample in POSITIVES]


def test_the_set_is_as_large_as_the_error_rates_that_are_stated_need():
    assert len(POSITIVES) >= 60
    assert len(NEGATIVES) >= 60
