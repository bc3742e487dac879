"""A store of format 1 as it was written when the format came out: it is read alike for ever.

`tests/data/stores/format-1.export` is `git fast-export` of a repository with one entry on every
kind of anchor, with flags, drafts, a tombstone, a file that nobody can read, and things that only a
newer program knows. It is never made anew: what stands there stands in the stores of people.
"""

from __future__ import annotations

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.seal import ROOT

STORE = ROOT / "tests" / "data" / "stores" / "format-1.export"
TIPS = {
    "refs/heads/main": "ffa22ca2ac763ba089f31565e0ddbd45c1c6bc88",
    "refs/knowl-local/entries": "fd23fdf3495d1be93284f9d3cdf381e60c7cbfc0",
    "refs/knowl-local/inbox": "01a5df15b12b2e27ab0543773cc32cb7bdd0bb2f",
    "refs/knowl-local/state": "9b4761d6a9f446aaee0eafc00292a5007e1bc2c5",
    "refs/knowl/entries": "13b7427768cecb2a8749f3d080d24cbf3e63e9c5",
}
#: Status, lane, tier and the beginning of the digest of every entry.
ENTRIES = {
    "captured-from-a-flag": ("active", "shared", "unattended", "62caf33ad9e5"),
    "feedback-here": ("active", "local", "here", "9dc25b5777b8"),
    "on-a-commit": ("active", "shared", "here", "c0b6b74c8b82"),
    "on-a-file": ("active", "shared", "here", "1b20188e046c"),
    "on-a-package": ("active", "shared", "here", "5f2bb7fe04d7"),
    "on-a-page": ("unknown", "shared", "others", "39169968d66e"),
    "on-a-snippet": ("active", "shared", "here", "6af27fad5514"),
    "on-a-symbol": ("active", "shared", "here", "4859508dc03a"),
    "on-a-tree": ("active", "shared", "here", "6582b93c80d8"),
    "renamed-twice": ("active", "shared", "here", "3f2d7f6f338a"),
    "suspect-one": ("suspect", "shared", "here", "3f10ef309fb4"),
}
ON_CART = ["captured-from-a-flag", "on-a-file", "renamed-twice"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    repo = RepoBuilder.make(tmp_path_factory.mktemp("frozen"))
    repo.git("fast-import", "--quiet", stdin=STORE.read_bytes())
    repo.git("checkout", "--quiet", "main")
    return repo


@pytest.fixture
def knowl(store):
    return Knowl(store.path)


def names(found):
    return sorted(one["name"] for one in found["entries"])


def test_the_sample_is_byte_for_byte_what_it_was(store):
    found = {ref: oid for ref, oid in store.refs().items() if ref in TIPS}

    assert found == TIPS


def test_every_entry_is_listed_with_verdict_lane_and_tier(knowl):
    found = {
        one["name"]: (one["status"], one["lane"], one["tier"], one["digest"][:12])
        for one in knowl.json("ls")["entries"]
    }

    assert found == ENTRIES


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_is_shown_with_its_text(knowl, name):
    shown = knowl.json("show", name)

    assert shown["status"] == ENTRIES[name][0]
    assert "Why:" in shown["body"] or "because" in shown["body"]
    assert shown["history"]


def test_reading_by_path_words_and_verdict(knowl):
    assert names(knowl.json("why", "lib/cart.ts")) == ON_CART
    assert names(knowl.json("search", "on-a-package"))[:1] == ["on-a-package"]
    assert names(knowl.json("ls", "--status", "suspect")) == ["suspect-one"]
    assert names(knowl.json("audit")) == sorted(ENTRIES)


def test_the_evidence_of_a_suspect_is_told(knowl):
    (anchor,) = knowl.json("diff", "suspect-one")["anchors"]

    assert (anchor["status"], anchor["commit"]) == ("suspect", TIPS["refs/heads/main"])


def test_the_block_for_agents_lists_all(knowl):
    block = knowl.ok("index")

    assert all(f"- {name} — " in block for name in ENTRIES)
    assert "suspect-one — Read before touching suspect-one [suspect]" in block


def test_flags_and_drafts_are_what_they_were(knowl):
    inbox = knowl.json("inbox")

    assert [(one["summary"], one["outcome"]) for one in inbox["flags"]] == [
        ("prices double above three", "captured as captured-from-a-flag"),
        ("the tax is odd", "pending"),
        ("of no use", "dropped: of no use indeed"),
    ]
    assert [(one["kind"], one["name"]) for one in inbox["drafts"]] == [
        ("capture", "waits"),
        ("update", "on-a-tree"),
    ]


def test_history_counts_and_state_are_read(knowl):
    log = knowl.json("log")["operations"]
    stats = knowl.json("stats")
    status = knowl.json("status")

    assert [one["op"] for one in log].count("add") == 11
    assert (stats["retired"], stats["flags"]["dropped"]) == (1, 1)
    assert (status["suspect"], status["unknown"], status["damaged"]) == (1, 1, 1)
    assert status["suspects"] == ["suspect-one"]


def test_what_was_retired_can_be_brought_back(store, tmp_path):
    copy = Knowl(store.clone(f"copy-{tmp_path.name}", "--mirror").path)
    copy.ok("restore", "retired-one", "--reviewer", "Ada <ada@example.org>")

    assert "retired-one" in names(copy.json("ls"))


def test_the_file_that_nobody_can_read_hides_nothing(knowl):
    done = knowl("ls")

    assert done.code == 0
    assert "entries/zz/broken.md" in done.err


def test_an_export_holds_every_entry(knowl, tmp_path):
    knowl.ok("export", str(tmp_path / "out"))

    written = {path.stem for path in (tmp_path / "out").rglob("*.md")}
    assert written >= set(ENTRIES)
