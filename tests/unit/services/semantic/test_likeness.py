"""Likeness counts only for who asked for it; vectors are made once, and a question never waits."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

from git_knowl.model.entry import SHARED
from git_knowl.model.settings import EVERYWHERE, OFF, ON, Settings
from git_knowl.model.tiers import TIERS
from git_knowl.services.agents.recall import recall
from git_knowl.services.agents.touching import Asked
from git_knowl.services.doctor.settings import check_settings
from git_knowl.services.find_text import find_text
from git_knowl.services.personal_search import find_any, find_on_the_way
from git_knowl.services.purge.derived import derived_files
from git_knowl.services.purged.wanted import Wanted as Purged
from git_knowl.services.search_scope import Wanted
from git_knowl.services.semantic import extra
from git_knowl.services.semantic import likeness as room
from git_knowl.services.semantic.likeness import BATCH, likeness, make_all, parts
from git_knowl.services.semantic.vectors import FILE
from tests.support.caches import plant
from tests.support.clock import Clock
from tests.support.people import person
from tests.support.stores import entry

QUESTION = "why does the basket become expensive"


class Fake:
    """A model whose vectors are lengths: the same always, and cheap."""

    def __init__(self, name="fake/1", every=lambda: None):
        self.name, self.ran, self.every = name, 0, every

    def embed(self, texts):
        self.ran += 1
        self.every()
        return bytes(len(text) % 256 for text in texts)

    def compare(self, question, kept):
        return [1 - abs(max(one) - question[0]) / 256 for one in kept]


@pytest.fixture
def ctx(repo):
    found = person(repo)
    found.settings = Settings(semantic=ON)
    plant(found.store, SHARED, entry("cart-doubles", 1))
    found.refresh()
    return found


@pytest.mark.parametrize(
    ("semantic", "on_the_way", "counts"),
    [
        (OFF, False, False),
        (OFF, True, False),
        (ON, False, True),
        (ON, True, False),
        (EVERYWHERE, False, True),
        (EVERYWHERE, True, True),
    ],
)
def test_likeness_counts_where_it_was_turned_on(ctx, semantic, on_the_way, counts):
    ctx.settings = Settings(semantic=semantic)
    fake = Fake()

    found = likeness(ctx, QUESTION, on_the_way=on_the_way, load=lambda: fake)

    assert bool(found) is counts
    assert bool(fake.ran) is counts


@pytest.mark.parametrize("question", ["重试预算在哪里", "почему корзина", "retry 重试预算在哪里"])
def test_a_question_in_a_script_the_model_cannot_read_goes_by_words(ctx, question):
    assert not likeness(ctx, question, load=Fake)


@pytest.mark.parametrize("question", ["naïve Bayes", "warum größer", "42", "?", "重试 retryBudget"])
def test_a_few_other_letters_do_not_matter(ctx, question):
    assert likeness(ctx, question, load=Fake)


def test_vectors_are_made_once(ctx):
    fake = Fake()
    for _ in range(3):
        likeness(ctx, QUESTION, load=lambda: fake)

    assert fake.ran == 1 + 3  # the entry, and each time the question


def test_a_new_text_or_a_new_model_gets_new_vectors(ctx):
    make_all(ctx, Fake)
    plant(ctx.store, SHARED, entry("cart-halves", 2))
    ctx.refresh()
    same, other = Fake(), Fake("fake/2")

    assert make_all(ctx, lambda: same) == 2
    assert make_all(ctx, lambda: other) == 2
    assert (same.ran, other.ran) == (1, 2)


@pytest.mark.parametrize("harm", ["gone", "damaged"])
def test_the_file_of_vectors_may_be_lost(ctx, harm):
    make_all(ctx, Fake)
    path = ctx.repo.shared_path(FILE)
    if harm == "gone":
        os.unlink(path)
    else:
        with open(path, "wb") as file:
            file.write(b"no database at all, but long enough to be looked at" * 9)

    assert make_all(ctx, Fake) == 1
    assert not ctx.repo.notices


def test_a_question_does_not_wait_for_the_vectors_of_a_large_store(repo):
    clock = Clock()
    ctx = person(repo, clock)
    ctx.settings = Settings(semantic=ON)
    plant(ctx.store, SHARED, *(entry(f"cart-{number}", number) for number in range(BATCH + 1)))
    ctx.refresh()
    slow = Fake(every=lambda: clock.advance(seconds=1))

    found = likeness(ctx, QUESTION, load=lambda: slow)

    assert len(found) == BATCH
    assert "found by their words alone so far: 1;" in ctx.repo.notices[0]
    assert len(likeness(ctx, QUESTION, load=lambda: slow)) == BATCH + 1


def test_without_the_extra_the_words_count_and_the_way_out_is_told(ctx, monkeypatch):
    monkeypatch.setattr(extra, "find_spec", lambda _: None)

    found = find_text(ctx, "cart doubles", 3, Wanted(retired=True))

    assert [one.row.name for one in found.listing.entries] == ["cart-doubles"]
    assert found.notes[found.listing.entries[0].row.id].fit.meaning is None
    assert len(ctx.repo.notices) == 1
    assert "pip install 'git-knowl[semantic]'" in ctx.repo.notices[0]


def test_making_vectors_without_the_extra_is_refused(ctx, monkeypatch):
    monkeypatch.setattr(extra, "find_spec", lambda _: None)

    with pytest.raises(extra.SemanticUnavailable, match="not installed"):
        make_all(ctx)


@pytest.mark.parametrize("value", ["true", "Yes", "everywhere"])
def test_the_doctor_names_the_missing_extra(repo, monkeypatch, value):
    monkeypatch.setattr(extra, "find_spec", lambda _: None)
    repo.git("config", "knowl.semantic", value)

    [finding] = check_settings(person(repo))

    assert "not installed" in finding.problem
    assert "git-knowl[semantic]" in finding.hint


def test_the_doctor_has_nothing_against_the_default(repo, monkeypatch):
    monkeypatch.setattr(extra, "find_spec", lambda _: None)

    assert not list(check_settings(person(repo)))


def test_the_line_and_the_server_rank_by_meaning_and_the_way_of_an_agent_by_words(ctx, monkeypatch):
    monkeypatch.setattr(likeness, "__kwdefaults__", {"on_the_way": False, "load": Fake})

    asked = find_any(ctx, QUESTION, 3)
    on_the_way = find_on_the_way(ctx, QUESTION, 3)

    assert [one.row.name for one in asked.listing.entries] == ["cart-doubles"]
    assert not on_the_way.listing.entries


@pytest.mark.parametrize(("semantic", "is_told"), [(ON, False), ("Everywhere", True)])
def test_a_question_to_an_agent_is_ranked_by_meaning_only_everywhere(
    ctx, monkeypatch, semantic, is_told
):
    monkeypatch.setattr(likeness, "__kwdefaults__", {"on_the_way": False, "load": Fake})
    ctx.settings = Settings(semantic=semantic.lower())
    asked = Asked(ctx, ctx.cache, TIERS, {"knowl.semantic": semantic})
    forgetful = SimpleNamespace(knows=lambda *_: False)

    assert ("cart-doubles" in recall(asked, forgetful, QUESTION)) is is_told


def test_a_purge_takes_vectors_away_whatever_it_is_about(ctx):
    make_all(ctx, Fake)

    found = derived_files(ctx, Purged(ids=frozenset(["01JD0000000000000000000000"])), [])

    assert ctx.repo.shared_path(FILE) in found


def test_short_paragraphs_are_one_part_and_long_ones_their_own():
    long = "x" * room.PART

    assert parts(["a", " ", "b", long, "c"]) == ["a\nb", long, "c"]


def test_of_a_very_long_body_the_first_parts_count():
    assert len(parts(["x" * room.PART] * 40)) == room.MOST_PARTS
