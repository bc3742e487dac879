"""What is remembered of symbols, and that nothing depends on it."""

from __future__ import annotations

import os
import sqlite3

import pytest

from git_knowl.anchors.symbols import ledger as ledgers
from git_knowl.anchors.symbols.grammars import BeyondBounds
from git_knowl.anchors.symbols.ledger import FILE, Ledger, Place, State

TEXT = b"def f():\n    return 1\n"


class Source:
    """A file whose content is counted out."""

    def __init__(self, text=TEXT, blob="a" * 40, path="a.py"):
        self.asked = 0
        self.text = text
        self.place = Place(blob, path, self.content)

    def content(self):
        self.asked += 1
        return self.text


@pytest.fixture
def opened(repo):
    made = []

    def make():
        made.append(Ledger(repo.open()))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_digest_is_computed_once_for_all_commands(opened):
    source = Source()
    first = opened().read(source.place, "f")

    assert opened().read(source.place, "f") == first
    assert first.state is State.FOUND
    assert source.asked == 1


def test_what_is_known_is_told_without_a_look(opened):
    source = Source()
    ledger = opened()

    assert ledger.known(source.place, "f") is None
    ledger.read(source.place, "f")
    assert ledger.known(source.place, "f").state is State.FOUND
    assert ledger.known(source.place._replace(path="a.rb"), "f") is None


def test_gone_and_broken_are_remembered_too(opened):
    source = Source(b"def g(:\n  pass\n")
    ledger = opened()

    assert ledger.read(source.place, "g").state is State.BROKEN
    assert ledger.read(source.place, "f").state is State.GONE
    assert "does not parse" in ledger.known(source.place, "g").reason
    assert source.asked == 1


def test_what_could_not_be_read_is_tried_again(opened):
    source = Source(None)

    assert opened().read(source.place, "f").state is State.UNAVAILABLE
    assert opened().read(source.place, "f").state is State.UNAVAILABLE
    assert source.asked == 2


@pytest.mark.parametrize("damage", [b"not a database" * 100, b""])
def test_a_damaged_file_is_made_anew(repo, opened, damage):
    path = repo.open().shared_path(FILE)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(damage)
    source = Source()

    opened().read(source.place, "f")
    assert opened().read(source.place, "f").state is State.FOUND
    assert source.asked == 1


def test_a_foreign_table_costs_nothing_but_time(repo, opened):
    path = repo.open().shared_path(FILE)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with sqlite3.connect(path) as rows:
        rows.execute("CREATE TABLE reading (other TEXT)")
    rows.close()

    assert opened().read(Source().place, "f").state is State.FOUND


def test_without_a_folder_to_write_in_everything_is_in_memory(repo, opened, monkeypatch):
    def refuse(*_args, **_options):
        raise PermissionError

    monkeypatch.setattr(ledgers.os, "makedirs", refuse)
    source = Source()
    ledger = opened()

    assert ledger.read(source.place, "f").state is State.FOUND
    assert ledger.read(source.place, "f").state is State.FOUND
    assert source.asked == 1


def test_the_oldest_rows_make_room(opened, monkeypatch):
    monkeypatch.setattr(ledgers, "MOST_ROWS", 3)
    ledger = opened()
    sources = [Source(blob=f"{number:040x}") for number in range(5)]
    for source in sources:
        ledger.read(source.place, "f")

    known = [ledger.known(source.place, "f") is not None for source in sources]
    assert known == [False, False, True, True, True]


def test_another_version_of_the_comparison_remembers_apart(opened, monkeypatch):
    source = Source()
    ledger = opened()
    ledger.read(source.place, "f")
    monkeypatch.setattr(ledgers, "algorithm", lambda: 9_000_102)

    assert ledger.known(source.place, "f") is None


def test_few_files_are_held_at_once(opened):
    ledger = opened()
    sources = [Source(blob=f"{number:040x}") for number in range(20)]
    for source in sources:
        ledger.outline(source.place)
    ledger.outline(sources[-1].place)
    ledger.outline(sources[0].place)

    assert [sources[0].asked, sources[-1].asked] == [2, 1]


@pytest.mark.parametrize("text", [b"(" * 20_000, b"x = " + b"[" * 2_000 + b"]" * 2_000])
def test_what_takes_too_long_is_read_once_and_never_again(opened, text):
    source = Source(text)
    first = opened().read(source.place, "f")

    assert first.state is State.UNAVAILABLE
    assert opened().read(source.place, "g") == opened().known(source.place, "h") == first
    with pytest.raises(BeyondBounds):
        opened().outline(source.place)
    assert source.asked == 1
