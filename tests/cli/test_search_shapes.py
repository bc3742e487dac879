"""What `search`, `stats` and `rate` print for programs; reading needs no right to write."""

from __future__ import annotations

import pytest

from git_knowl.model import schema
from tests.support.denied import NO_WAY, Denied, prefix
from tests.support.people import CART, person, write


@pytest.fixture
def kim(repo):
    repo.commit("more", {"old.ts": "1\n"})
    kim = person(repo)
    write(kim, "broker-old", "file:old.ts", tags=("broker", "queue"))
    write(kim, "broker-new", CART, tags=("broker", "queue"))
    repo.write("old.ts", "2\n")
    return kim


@pytest.mark.parametrize(
    "more", [(), ("--explain",), ("--retired",), ("--as-of", "2026-11-29"), ("--tag", "broker")]
)
def test_every_answer_has_the_published_shape(kim, knowl, more):
    found = knowl.json("search", "broker", *more)

    assert schema.check("search", found) == []
    assert [one["name"] for one in found["entries"]] == ["broker-new"]
    assert found["entries"][0]["older"] == ["broker-old"]
    assert ("fit" in found["entries"][0]) == (more == ("--explain",))


def test_people_see_what_stands_behind_a_hit(kim, knowl):
    _, second = knowl.ok("search", "broker").splitlines()

    assert second == "         older, suspect: broker-old"


def test_misses_and_stats_have_the_published_shape(kim, knowl):
    knowl.ok("search", "sourdough")
    flagged = knowl.json("search", "--misses", "--flag", "sourdough", "how", "to", "bake")

    found = knowl.json("search", "--misses")

    assert schema.check("misses", found) == []
    assert found["misses"][0]["flag"] in flagged["ids"]
    assert schema.check("stats", knowl.json("stats")) == []


def test_a_filtered_question_that_finds_nothing_is_no_miss(kim, knowl):
    knowl.ok("search", "broker", "--type", "feedback")
    knowl.ok("search", "sourdough", "--as-of", "2026-11-29")

    assert knowl.json("search", "--misses")["misses"] == []


@pytest.mark.skipif(prefix() is None, reason=NO_WAY)
@pytest.mark.parametrize("folder", [".git", ".git/common/knowl"])
def test_where_nothing_can_be_noted_the_answer_is_the_same(repo, kim, folder):
    knowl = Denied(repo.path)
    asked = (("search", "broker", "--json"), ("show", "broker-new", "--json"), ("stats",))
    before = [knowl(*args).out for args in asked[:2]]
    places = [repo.path / folder, *(repo.path / folder).rglob("*")]
    modes = {path: path.stat().st_mode for path in places}
    for path in reversed(places):
        path.chmod(modes[path] & ~0o222)
    done = [knowl(*args) for args in asked]
    for path in places:
        path.chmod(modes[path])

    assert [(one.code, one.err) for one in done] == [(0, "")] * 3
    assert [one.out for one in done[:2]] == before
