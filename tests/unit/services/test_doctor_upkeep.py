"""The doctor on all around the store: locks, settings, derived files, the clock, the disk."""

from __future__ import annotations

import os
import shutil
import time
from types import SimpleNamespace

import pytest

from git_knowl.plumbing import refs
from git_knowl.services.doctor import ground, growth
from git_knowl.store.flags import PutFlag
from tests.support import stores
from tests.support.clock import Clock
from tests.support.examined import findings, mend, only
from tests.support.people import CART, live, person, write

HOUR = 3600.0
DERIVED = ("cache-v1.sqlite", "commits-v1.sqlite", "symbols-v1.sqlite")


@pytest.fixture
def cart(repo):
    return write(person(repo), "cart", CART)


def lock(repo, name, age):
    """Leave a lock file that was last written so long ago."""
    path = repo.path / ".git" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    then = time.time() - age
    os.utime(path, (then, then))
    return path


def at_work(repo, check="locks"):
    return findings(repo, check, clock=time.time)


def test_a_lock_that_a_killed_git_left_on_our_ref_is_named_and_can_be_removed(repo, cart):
    path = lock(repo, f"{refs.ENTRIES}.lock", HOUR)

    (found,) = at_work(repo)

    assert f"'{path}' of {ground.owner(str(path))} is there, 3600 s old" in found.problem
    assert mend(repo, found) == f"removed '{path}'"
    assert not path.exists()


def test_a_lock_of_a_git_at_work_is_nobodys_affair(repo, cart):
    lock(repo, f"{refs.ENTRIES}.lock", 0)
    lock(repo, "packed-refs.lock", 30)

    assert at_work(repo) == []


@pytest.mark.parametrize("name", ["packed-refs.lock", "reftable/tables.list.lock"])
def test_a_lock_on_all_refs_is_named_and_left_to_the_user(repo, cart, name):
    path = lock(repo, name, HOUR)

    (found,) = at_work(repo)

    assert str(path) in found.problem
    assert found.repair is None


def test_a_lock_from_the_future_is_named_and_never_removed(repo, cart):
    lock(repo, f"{refs.INBOX}.lock", -HOUR)

    (found,) = at_work(repo)

    assert "from the future" in found.problem
    assert found.repair is None


def test_a_lock_that_was_taken_again_meanwhile_stays(repo, cart):
    path = lock(repo, f"{refs.ENTRIES}.lock", HOUR)
    (found,) = at_work(repo)
    lock(repo, f"{refs.ENTRIES}.lock", 0)

    assert mend(repo, found).startswith("left ")
    assert path.exists()


def test_settings_that_cannot_be_used_are_named(repo):
    repo.git("config", "knowl.indexBudget", "much")

    assert "knowl.indexBudget" in only(repo, "settings").problem


def test_an_unknown_setting_is_named_with_the_one_it_is_like(repo):
    repo.git("config", "knowl.indexbugdet", "900")
    repo.git("config", "knowl.zzz", "900")

    close, far = findings(repo, "settings")

    assert close.problem == "knowl.indexbugdet is no setting of this version"
    assert "did you mean knowl.indexBudget?" in close.hint
    assert "a newer git-knowl" in far.hint


def test_a_setting_with_two_values_in_one_file_is_named(repo, home):
    for value in ("true", "false"):
        repo.git("config", "--add", "knowl.quiet", value)
    repo.git("config", "knowl.lane", "local")
    repo.git("config", "--global", "knowl.lane", "shared")

    found = only(repo, "settings")
    repo.git("config", "--global", "--unset", "knowl.lane")

    assert found.problem == "knowl.quiet is true and false in the local configuration"


def test_settings_about_a_remote_that_is_not_there_are_named(repo):
    repo.git("config", "knowl.remote", "hub")
    repo.git("config", "knowl.autoSync", "true")

    named, auto = findings(repo, "settings")

    assert named.problem == "knowl.remote is 'hub', and no remote has that name"
    assert auto.problem == "knowl.autoSync is on, and there is no remote"
    repo.git("remote", "add", "hub", "../hub")
    assert findings(repo, "settings") == []


@pytest.mark.parametrize("name", DERIVED)
def test_a_derived_file_that_is_damaged_is_named_and_can_be_taken_away(repo, cart, name):
    path = repo.open().shared_path(name)
    with open(path, "wb") as file:
        file.write(b"no database at all")

    found = only(repo, "cache")

    assert f"'{path}' is damaged" in found.problem
    assert path in mend(repo, found)
    assert findings(repo, "cache") == []
    assert live(person(repo), "cart") == cart


def test_a_cache_that_says_something_else_is_named_and_can_be_made_anew(repo, cart):
    cache = person(repo).cache
    cache.connection.execute("DELETE FROM entry")
    cache.close()

    found = only(repo, "cache")

    assert "does not say what the store holds" in found.problem
    mend(repo, found)
    assert findings(repo, "cache") == []


def test_notes_behind_the_store_are_named_and_can_be_made_anew(repo, cart):
    repo.git("update-ref", "-d", refs.NOTES)

    found = only(repo, "notes")

    assert mend(repo, found) == "made the notes on 1 commits anew"
    assert findings(repo, "notes") == []


def test_what_comes_from_the_future_is_named(repo, knowl):
    ctx = person(repo)
    write(ctx, "later", CART)
    stores.write(ctx.store, PutFlag(stores.flag("later too", 3, at="2036-01-01T00:00:00Z")))
    before = Clock()
    before.advance(days=-30)

    entries, flags = findings(repo, "clock", clock=before)

    assert entries.problem == "1 entry is from the future: later"
    assert stores.identifier(3) in flags.problem


def test_a_setting_about_case_that_is_not_true_here_is_named(repo, cart):
    repo.git("config", "core.ignorecase", "true")

    assert "core.ignorecase is true" in only(repo, "names").problem


def test_anchored_paths_that_a_file_system_cannot_tell_apart_are_named(repo):
    same = list(ground.same_but_for_case(["Lib/a", "lib/A", "x"], folds=True))

    assert [found.problem for found in same] == [
        "only one of these anchored paths can be checked out here: Lib/a, lib/A"
    ]
    assert list(ground.same_but_for_case(["Lib/a", "lib/A"], folds=False)) == []


def test_decomposed_letters_are_named_where_git_composes_them(repo):
    path = "lib/cafe\u0301.ts"
    repo.commit("more", {path: "1\n"})
    write(person(repo), "cafe", f"file:{path}")
    assert findings(repo, "names") == []

    repo.git("config", "core.precomposeunicode", "true")

    assert path in only(repo, "names").problem


def test_a_full_disk_is_named(repo, monkeypatch):
    full = SimpleNamespace(free=4096)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)

    assert only(repo, "folder").problem.startswith("4 KiB are left on the disk")


def test_objects_that_nobody_packs_are_named_with_git_s_own_way(repo, cart, monkeypatch):
    monkeypatch.setattr(growth, "LOOSE", 5)
    repo.git("config", "gc.auto", "0")

    found = only(repo, "growth")

    assert "gc.auto is 0" in found.problem
    assert "git maintenance run" in found.hint


def test_a_store_out_of_proportion_is_named(repo, cart, monkeypatch):
    monkeypatch.setattr(growth, "LARGE", 10)

    assert "the refs of the store hold on to" in only(repo, "growth").problem
