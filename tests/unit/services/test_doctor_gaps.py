"""The doctor tells what listings cut, what sleeps in a folder, and what the settings leave out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from git_knowl.model.document import render
from git_knowl.model.entry import Reviewed
from git_knowl.model.limits import DESCRIPTION
from git_knowl.model.settings import SettingError, Settings, faults, keys
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import BrokenObject, open_objects
from git_knowl.plumbing.upkeep import drop_ref
from git_knowl.services.doctor.examine import CHECKS, MOST_FINDINGS, examine
from git_knowl.services.doctor.store import forget_state
from git_knowl.store import cache_file, layout
from tests.support import stores
from tests.support.caches import plant
from tests.support.examined import findings, mend, only
from tests.support.people import CART, person, tier, write

LATER = "2999-01-01T00:00:00Z"
LONG = "Word " * 12_000


@pytest.fixture
def cart(repo):
    return write(person(repo), "cart", CART)


# --- what listings cut --------------------------------------------------------------------------


@pytest.fixture
def endless(repo, cart):
    """Give a store in which one description is two hundred times as long as any door lets in."""
    plant(person(repo).store, "shared", replace(stores.entry("aaa-endless", 3), description=LONG))


@pytest.mark.usefixtures("endless")
def test_an_endless_description_takes_no_other_entry_out_of_the_index(knowl):
    block = knowl.ok("index")

    assert "- cart — " in block
    assert "- aaa-endless — Word" in block
    assert len(block) < 3_000


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("verb", [("ls",), ("search", "word"), ("audit",), ("show", "aaa-endless")])
def test_listings_cut_an_endless_description(knowl, verb):
    assert max(map(len, knowl.ok(*verb).splitlines())) < DESCRIPTION + 100


@pytest.mark.usefixtures("endless")
def test_the_doctor_names_it(repo):
    found = only(repo, "store")

    assert f"1 description has more than {DESCRIPTION} characters: aaa-endless" in found.problem
    assert "git knowl edit" in found.hint


@pytest.mark.parametrize("name", ["n" * 121, "Cart", "a_b", "x" * 5_000])
def test_a_name_that_no_door_gives_is_held_back(repo, knowl, cart, name):
    plant(person(repo).store, "shared", replace(stores.entry("x", 3), name=name))

    assert [one["name"] for one in knowl.json("ls")["entries"]] == ["cart"]
    assert "name: expected" in only(repo, "store").problem


# --- thousands of files -------------------------------------------------------------------------


@pytest.fixture
def flooded(repo, cart):
    """Give a store with many files among its entries that are none."""
    ids = map(stores.identifier, range(100, 500))
    files = {layout.entry_path(one, f"m{at}"): b"junk" for at, one in enumerate(ids)}
    plant(person(repo).store, "shared", files=files)


@pytest.mark.usefixtures("flooded")
@pytest.mark.parametrize(
    "verb", [("ls",), ("index",), ("search", "cart"), ("audit",), ("why", "lib/cart.ts")]
)
def test_a_few_of_many_damaged_files_are_named_and_the_rest_is_counted(knowl, verb):
    done = knowl(*verb)

    assert done.code == 0
    assert "1 active" in done.out or "cart" in done.out
    assert "warning: and 395 more (git knowl doctor)" in done.err.splitlines()
    assert len(done.err.splitlines()) < 10


@pytest.mark.usefixtures("flooded")
def test_the_doctor_tells_the_first_findings_of_a_check_and_how_many_there_are(repo, knowl):
    found = findings(repo, "store")

    assert len(found) == MOST_FINDINGS + 1
    assert found[-1].problem == f"and {400 - MOST_FINDINGS} more like these"
    assert len(knowl("doctor").out.splitlines()) < 4 * (MOST_FINDINGS + len(CHECKS))


# --- conflicts, clocks, caches ------------------------------------------------------------------


def test_a_side_of_a_conflict_under_another_digest_is_named(repo, cart):
    path = layout.conflict_path(cart.id, "0" * 64)
    plant(person(repo).store, "shared", files={path: render(cart)})

    assert (
        f"{path} in lane shared is not the text that its name says" in only(repo, "store").problem
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"reviewed": Reviewed(stores.BY, LATER, "terminal")},
        {"updated": LATER},
        {"created": LATER},
        {"anchors": (replace(stores.entry("x").anchors[0], verified=LATER),)},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_every_time_of_an_entry_is_held_against_the_clock(repo, cart, fields):
    plant(person(repo).store, "shared", replace(stores.entry("toll", 3), **fields))

    assert only(repo, "clock").problem == "1 entry is from the future: toll"


def test_a_time_in_a_body_is_no_time_of_the_entry(repo, cart):
    body = f'Fact. Why: so.\n\n    at: "{LATER}"\n'
    plant(person(repo).store, "shared", replace(stores.entry("toll", 3), body=body))

    assert findings(repo, "clock") == []


@pytest.mark.parametrize("column", ["description", "type", "name", "digest", "updated"])
def test_a_row_that_says_something_else_than_its_file_is_found_and_made_anew(repo, cart, column):
    path = person(repo).repo.shared_path(cache_file.NAME)
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute(f"UPDATE entry SET {column} = 'altered'")  # noqa: S608 - our own names

    found = only(repo, "cache")
    mend(repo, found)

    assert "does not say what the store holds" in found.problem
    assert findings(repo, "cache") == []


# --- settings -----------------------------------------------------------------------------------


def test_every_setting_that_cannot_be_used_is_told_with_the_command_that_sets_it(repo):
    repo.git("config", "knowl.lane", "moon")
    repo.git("config", "knowl.indexBudget", "much")

    lane, budget = findings(repo, "settings")

    assert "knowl.lane: expected one of" in lane.problem
    assert "knowl.indexBudget: expected a whole number" in budget.problem
    assert "git config knowl.indexBudget VALUE" in budget.hint


@pytest.mark.parametrize("key", [key.name for key in keys()])
def test_the_error_of_every_setting_names_the_command(key):
    for error in faults({key.lower(): "\0"}):
        assert f"'git config {key} VALUE'" in error.hint
        with pytest.raises(SettingError, match=key):
            Settings.from_config({key.lower(): "\0"})


@pytest.mark.parametrize("place", ["missing", "repo"])
def test_a_personal_store_that_is_not_there_is_told(repo, place):
    repo.git("config", "knowl.personal", str(repo.path.parent / place))

    found = only(repo, "settings")

    assert "knowl.personal: expected a bare repository at" in found.problem
    assert "git knowl init --personal" in found.hint


@pytest.mark.parametrize("verb", [("ls",), ("index",), ("search", "cart"), ("why", "lib/cart.ts")])
def test_a_personal_store_that_is_not_there_is_noted_beside_every_listing(repo, knowl, cart, verb):
    repo.git("config", "knowl.personal", str(repo.path.parent / "missing"))

    done = knowl(*verb)

    assert done.code == 0
    assert "note: knowl.personal: expected a bare repository at" in done.err


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"gpg.format": "ssh"}, "git is told no key"),
        ({"gpg.format": "ssh", "user.signingKey": "/no/key"}, "there is no file '/no/key'"),
        ({"gpg.program": "no-such-program"}, "there is no program 'no-such-program'"),
    ],
)
def test_signing_without_anything_to_sign_with_is_told(repo, settings, told):
    repo.git("config", "knowl.sign", "true")
    for key, value in settings.items():
        repo.git("config", key, value)

    assert told in only(repo, "settings").problem


# --- what this clone remembers ------------------------------------------------------------------

STATE = refs.STATE


def _blob(repo):
    return repo.git("hash-object", "-w", "--stdin", stdin="")


BROKEN = {
    "garbage": lambda _: "garbage",
    "a missing object": lambda _: "cd" * 20,
    "a blob": _blob,
    "code": lambda repo: repo.rev("HEAD"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_state_stops_nothing_and_the_repair_takes_it_away(repo, knowl, cart, kind):
    (repo.path / ".git" / STATE).write_text(f"{BROKEN[kind](repo)}\n")

    assert "cart" in knowl.ok("ls")
    assert knowl.ok("flag", "The price doubles above three pieces")
    found = only(repo, "refs")
    mend(repo, found)

    assert STATE in found.problem
    assert findings(repo, "refs") == []
    assert tier(person(repo)) != "here"
    write(person(repo), "toll", CART)
    assert all(one.findings == () for one in examine(person(repo)) if one.check == "refs")


def test_the_repair_leaves_a_state_that_was_written_meanwhile(repo, cart):
    before = repo.rev(STATE)

    assert "can be read again" in forget_state(person(repo), list)
    assert repo.rev(STATE) == before


def test_taking_away_a_ref_that_is_not_there_is_no_error(repo):
    drop_ref(repo.open(), STATE)


def test_an_object_whose_file_is_damaged_is_not_called_missing(repo):
    oid = _blob(repo)
    path = repo.path / ".git/objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    path.write_bytes(b"no object")

    with pytest.raises(BrokenObject, match="is damaged"):
        list(open_objects(repo.open()).read_blobs([oid]))
