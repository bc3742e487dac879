"""The warm block: there when nothing moved, and the same as the one made the long way."""

from __future__ import annotations

import time

import pytest

from git_knowl.anchors import freshness
from git_knowl.anchors.freshness_write import refreshed
from git_knowl.anchors.worlds import default_world
from git_knowl.model.anchor import FileAnchor
from git_knowl.model.entry import SHARED
from git_knowl.model.status import UNKNOWN
from git_knowl.services import index_warm
from git_knowl.services.index import build, guidelines_at
from git_knowl.services.index_warm import warm_index
from tests.support.caches import cache_of, plant, tips
from tests.support.stores import TIME, entry, open_store

NEVER_HERE = entry("never-here", 2, anchors=(FileAnchor("no/such/file.ts"),))


@pytest.fixture
def store(repo):
    """Give the store of a repository that has none yet."""
    return open_store(repo)


@pytest.fixture
def warm(repo, store):
    """Give a store whose cache and verdicts are stored; files are old enough to be trusted."""
    plant(store, SHARED, entry("cart-total", 1), NEVER_HERE)
    time.sleep(freshness.FINE_TICK_NS / 1e9 * 2)
    judge(store)
    return store


def judge(store):
    cache = cache_of(store)
    world = default_world(store.repo, TIME)
    judged = refreshed(world, tips(store), cache.versions, cache.entries)
    return build(cache, judged.statuses, guidelines_at(store.repo, world.head))


def ask(store, repo):
    return warm_index(store.repo, tips(store), repo.rev("HEAD"), TIME)


def test_a_warm_block_is_the_one_made_the_long_way(repo, warm):
    text = ask(warm, repo)

    assert text == judge(warm)
    assert text is not None
    assert f"never-here — Read before touching never-here [{UNKNOWN}]" in text


def test_without_a_cache_there_is_no_warm_block(repo, store):
    assert ask(store, repo) is None


def test_without_verdicts_there_is_no_warm_block(repo, store):
    plant(store, SHARED, entry("cart-total", 1))
    cache_of(store).close()

    assert ask(store, repo) is None


def test_a_changed_file_cools_the_block(repo, warm):
    repo.write("no/such/file.ts", "now it is here\n")

    assert ask(warm, repo) is None


def test_a_new_entry_cools_the_block(repo, warm):
    plant(warm, SHARED, entry("third", 3))

    assert ask(warm, repo) is None


def test_a_cache_that_moves_meanwhile_cools_the_block(repo, warm, monkeypatch):
    before = tips(warm)

    def move(*arguments):
        plant(warm, SHARED, entry("third", 3))
        cache_of(warm).close()
        return {}

    monkeypatch.setattr(index_warm, "warm_statuses", move)

    assert warm_index(warm.repo, before, repo.rev("HEAD"), TIME) is None
