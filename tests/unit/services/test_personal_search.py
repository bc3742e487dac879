"""Personal entries among the hits: narrowed by the same filters as those of the repository."""

from __future__ import annotations

import pytest

from git_knowl.services.personal_search import find_any
from git_knowl.services.search_scope import Wanted
from tests.support.builders import RepoBuilder
from tests.support.people import CART, person, write


@pytest.fixture
def ctx(repo, tmp_path):
    store = RepoBuilder.start(tmp_path, name="mine", bare=True)
    repo.git("config", "knowl.personal", str(store.path))
    repo.commit("lock", {"requirements.txt": "requests==2.31.0\n"})
    mine = person(store)
    page = "url:https://example.org/retries"
    write(mine, "retry-page", page, type="reference", tags=("net",))
    ctx = person(repo)
    write(ctx, "retry-cart", CART)
    ctx.refresh()
    return ctx


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, {"retry-page", "retry-cart"}),
        ({"type": "reference"}, {"retry-page"}),
        ({"type": "project"}, {"retry-cart"}),
        ({"tag": "net"}, {"retry-page"}),
        ({"status": "active"}, {"retry-page", "retry-cart"}),
        ({"status": "suspect"}, set()),
        ({"path": "lib"}, {"retry-cart"}),
        ({"as_of": "2027-01-01"}, {"retry-cart"}),
        ({"retired": True}, {"retry-page", "retry-cart"}),
    ],
)
def test_filters_hold_for_both(ctx, wanted, expected):
    found = find_any(ctx, "retry", 10, Wanted(**wanted))

    assert {one.row.name for one in found.listing.entries} == expected
    assert found.notes.keys() >= {one.row.id for one in found.listing.entries}
    assert list(found.scores) == sorted(found.scores, reverse=True)
