"""What is remembered about signatures may be lost, damaged or unwritable: only time is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from git_knowl.model.tiers import HERE, SIGNED
from git_knowl.services.listing import list_all
from git_knowl.services.trust import signatures
from git_knowl.store import origins, trust_file
from tests.support.keys import allow, needs_ssh, sign_with, ssh_key
from tests.support.people import CART, person, write

pytestmark = needs_ssh

ENTRIES = "refs/knowl/entries"


@pytest.fixture
def kim(repo, tmp_path):
    """Give a clone of a signed store, whose tiers somebody has asked for."""
    key = ssh_key(tmp_path, "ada")
    sign_with(repo, key)
    write(person(repo), "cart", CART)
    kim = repo.clone("kim")
    kim.git("fetch", "--quiet", str(repo.path), f"{ENTRIES}:{ENTRIES}")
    allow(kim, key)
    assert tiers(person(kim)) == {"cart": SIGNED}
    return kim


def tiers(ctx):
    return {one.row.name: one.tier for one in list_all(ctx).entries}


def remembered(kim, name=trust_file.FILE):
    return Path(kim.open().shared_path(name))


@pytest.mark.parametrize("fault", ["gone", "garbage", "empty", "cut", "a folder"])
def test_a_file_that_is_lost_or_damaged_changes_no_tier(kim, fault):
    file = remembered(kim)
    data = file.read_bytes()
    file.unlink()
    if fault == "a folder":
        file.mkdir()
    elif fault != "gone":
        file.write_bytes({"garbage": b"no database" * 99, "empty": b"", "cut": data[:5000]}[fault])
    remembered(kim, "cache-v1.sqlite").unlink()

    assert tiers(person(kim)) == {"cart": SIGNED}
    assert tiers(person(kim)) == {"cart": SIGNED}


def test_a_cache_that_cannot_be_written_goes_on_in_memory(kim, tmp_path):
    ctx = person(kim)
    ctx.cache.connection.execute("PRAGMA query_only = 1")
    allow(kim, ssh_key(tmp_path, "bob"), ssh_key(tmp_path, "eve"))
    assert tiers(ctx) == {"cart": "others"}

    assert ctx.cache.identity is None
    assert tiers(person(kim)) == {"cart": "others"}


def test_nothing_is_asked_twice(kim, monkeypatch):
    """Neither the history nor the signatures, as long as neither keys nor tip move."""
    asked: list[object] = []
    monkeypatch.setattr(origins, "read_steps", lambda *_: asked.append("history") or [])
    monkeypatch.setattr(signatures.signing, "verify", lambda *_: asked.append("keys") or {})

    assert tiers(person(kim)) == {"cart": SIGNED}
    assert asked == []


def test_a_new_tip_costs_its_own_commits(kim, monkeypatch):
    read = origins.read_steps
    walks: list[list[str]] = []

    def note(repo, bounds):
        steps = list(read(repo, bounds))
        walks.append([step.commit for step in steps])
        return iter(steps)

    monkeypatch.setattr(origins, "read_steps", note)
    write(person(kim), "mine", CART)

    assert tiers(person(kim)) == {"cart": SIGNED, "mine": HERE}
    assert walks == [[kim.rev(ENTRIES)]]


def test_where_no_key_is_allowed_no_history_is_read(kim, monkeypatch):
    kim.git("config", "--unset", "gpg.ssh.allowedSignersFile")
    monkeypatch.setattr(signatures, "origins_of", lambda *_: pytest.fail("history was read"))

    assert tiers(person(kim)) == {"cart": "others"}
