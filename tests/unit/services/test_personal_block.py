"""Personal entries in the block: the short way says what the long way says, or nothing."""

from __future__ import annotations

import time

import pytest

from git_knowl.anchors.freshness import FINE_TICK_NS
from git_knowl.model.anchor import UrlAnchor
from git_knowl.model.entry import SHARED
from git_knowl.plumbing import config, refs
from git_knowl.services.index_block import index_block
from git_knowl.services.index_text import OPENING
from git_knowl.services.index_warm import warm_text
from git_knowl.services.personal_add import add_personal
from tests.support.builders import RepoBuilder
from tests.support.caches import plant
from tests.support.people import CART, person, plan, write
from tests.support.stores import TIME, entry, open_store

PAGE = "url:3650d:https://example.org/guide"
PACKAGE = "package:pypi/requests!requirements.txt"
HTTP = UrlAnchor("https://example.org/", TIME, 3650)
FRESH = {"anchors": (HTTP,), "type": "reference"}


@pytest.fixture
def store(repo, tmp_path):
    """Give the personal store, set for the repository."""
    made = RepoBuilder.make(tmp_path, bare=True, name="personal.git")
    repo.git("config", "knowl.personal", str(made.path))
    return made


@pytest.fixture
def ctx(repo, store):
    """Give the context of somebody with an entry in each of the stores."""
    repo.commit("lock", {"requirements.txt": "requests==2.31.0\n"})
    ctx = person(repo)
    write(ctx, "own", CART)
    add_personal(ctx, plan("mine", PACKAGE, type="reference"))
    time.sleep(FINE_TICK_NS / 1e9 * 2)
    return person(repo)


def ask(repo):
    return warm_text(repo.open(), person(repo).caller.now())


def lines(text):
    return [line for line in text.splitlines() if line.startswith("- ")]


def test_once_judged_the_short_way_says_what_the_long_way_says(repo, ctx):
    text = index_block(ctx)

    assert lines(text)[-1] == "- mine — Read before touching mine [personal]"
    assert ask(repo) == text


def test_before_the_first_time_there_is_no_short_way(repo, ctx):
    assert ask(repo) is None


def test_a_new_personal_entry_cools_the_block(repo, store, ctx):
    index_block(ctx)
    plant(open_store(store), SHARED, entry("z", 9, **FRESH))

    assert ask(repo) is None
    assert "- z —" in index_block(person(repo))


def test_a_file_that_personal_evidence_rests_on_cools_the_block(repo, ctx):
    index_block(ctx)
    repo.write("requirements.txt", "requests==3.0.0\n")

    assert ask(repo) is None
    text = index_block(person(repo))
    assert lines(text)[-1] == "- mine — Read before touching mine [suspect] [personal]"


def test_every_worktree_has_verdicts_of_its_own(repo, ctx):
    other = repo.worktree("other", "topic")
    other.write("requirements.txt", "requests==3.0.0\n")
    here, there = index_block(ctx), index_block(person(other))

    assert ("[suspect]" in lines(here)[-1], "[suspect]" in lines(there)[-1]) == (False, True)
    assert ask(repo) == here


def test_another_personal_store_is_another_question(repo, ctx, tmp_path):
    index_block(ctx)
    made = RepoBuilder.make(tmp_path, bare=True, name="another.git")
    repo.git("config", "knowl.personal", str(made.path))

    assert ask(repo) is None
    assert "mine" not in index_block(person(repo))


@pytest.mark.parametrize("place", ["no/such/folder", "."])
def test_a_place_that_is_none_is_left_to_who_can_tell_of_it(repo, ctx, place):
    index_block(ctx)
    repo.git("config", "knowl.personal", str(repo.path / place))

    assert ask(repo) is None


def test_a_name_of_the_repository_hides_a_personal_one_both_ways(repo, ctx):
    write(ctx, "mine", CART)
    text = index_block(person(repo))
    time.sleep(FINE_TICK_NS / 1e9 * 2)
    text = index_block(person(repo))

    assert "[personal]" not in text
    assert ask(repo) in (text, None)


def test_what_a_personal_entry_supersedes_is_not_told(repo, store, ctx):
    old = entry("old", 8, **FRESH)
    plant(open_store(store), SHARED, old, entry("newer", 9, supersedes=(old.id,), **FRESH))

    told = [line.split()[1] for line in lines(index_block(person(repo)))]

    assert told == ["own", "mine", "newer"]


def test_tiers_that_do_not_reach_agents_are_left_out_both_ways(repo, store, ctx):
    plant(open_store(store), SHARED, entry("of-others", 9, **FRESH))
    repo.git("config", "knowl.trust", "here")
    text = index_block(person(repo))

    assert ("mine" in text, "of-others" in text) == (True, False)
    assert ask(repo) in (text, None)


def test_the_words_of_ours_take_nothing_from_the_budget_of_personal_entries(repo, store, ctx):
    many = [entry(f"more-{at:02}", 20 + at, **FRESH) for at in range(20)]
    plant(open_store(store), SHARED, *many)
    fits = index_block(person(repo), 300)

    assert len(lines(fits)) > 20
    assert fits.startswith(OPENING)


def test_the_settings_say_where_the_store_is_without_a_second_question(repo, store):
    repo_ = repo.open()

    assert config.begin_settings(repo_)() == config.read_settings(repo_)
    assert refs.tips(repo_) == {"shared": None, "local": None}
