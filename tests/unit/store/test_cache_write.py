"""How the cache is brought up to date: only what changed is read, and odd files are made anew."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from git_knowl.model.document import render
from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing.lock import Lock
from git_knowl.plumbing.objects import open_objects
from git_knowl.store import cache_file, cache_write, layout
from git_knowl.store.cache import open_warm
from git_knowl.store.cache_write import is_odd, open_cache
from git_knowl.store.layout import FormatError
from tests.support.builders import RepoBuilder
from tests.support.caches import cache_of, plant, tips
from tests.support.processes import Job, run_together
from tests.support.seal import ROOT
from tests.support.stores import entry, open_store

CART, CONF, THIRD = entry("cart-total", 1), entry("conf", 2), entry("third", 3)


EVERYTHING = (
    "SELECT * FROM entry",
    "SELECT * FROM document",
    "SELECT * FROM anchor",
    "SELECT * FROM conflict",
    "SELECT * FROM retired",
    "SELECT * FROM damaged",
    "SELECT * FROM meta",
    "SELECT rowid, name, description, tags, paths, body FROM fts",
)
SET_META = "UPDATE meta SET value = ? WHERE name = ?"


class Counting:
    """An object database that tells which blobs were read."""

    def __init__(self, db):
        self._db = db
        self.read: list[str] = []

    def read_blobs(self, oids):
        listed = list(oids)
        self.read += listed
        return self._db.read_blobs(listed)

    def __getattr__(self, name):
        return getattr(self._db, name)


def file_of(store) -> Path:
    return Path(store.repo.shared_path(cache_file.NAME))


def shown(cache):
    return [row.name for row in cache.entry_rows()]


def dump(cache):
    """Return the content of every table, in an order that does not depend on its history."""
    keys = dict(cache.select("SELECT key, id || lane FROM entry"))
    return [
        sorted(((keys.get(row[0], row[0]), *row[1:]) for row in cache.select(question)), key=repr)
        for question in EVERYTHING
    ]


def rebuilt(store):
    """Return what a cache filled from nothing holds."""
    source = cache_write.Source(store.repo, tips(store), store.db, 0.0)
    return dump(cache_write.Cache(source, source.open_memory(), None))


def test_an_update_reads_the_changed_files_only(store):
    plant(store, SHARED, *(entry(f"n{at}", at) for at in range(20, 40)))
    cache_of(store).close()
    plant(store, SHARED, THIRD)
    counting = Counting(store.db)

    cache = open_cache(store.repo, tips(store), counting)

    assert "third" in shown(cache)
    assert len(counting.read) == 2  # the new entry, and the format file


def test_nothing_is_read_for_equal_tips(store):
    plant(store, SHARED, CART)
    cache_of(store).close()
    counting = Counting(store.db)

    assert shown(open_cache(store.repo, tips(store), counting)) == ["cart-total"]
    assert counting.read == []


def steps():
    twin = entry("cart-total", 7)
    old = layout.entry_path(CART.id, CART.name)
    renamed = replace(CART, name="cart-sum")
    elsewhere = f"{layout.entry_folder(CART.id)}/{CART.id}.another.md"
    return [
        (SHARED, [CART, CONF], {}),
        (SHARED, [twin], {}),
        (LOCAL, [replace(CONF, description="The copy of the local lane")], {}),
        (SHARED, [renamed], {old: None}),
        (SHARED, [], {layout.entry_path(CONF.id, CONF.name): None}),
        (SHARED, [], {layout.entry_path(CONF.id, CONF.name): b"no entry"}),
        (SHARED, [], {elsewhere: render(replace(CART, name="another"))}),
        (SHARED, [], {f"conflicts/{CART.id}/{CART.digest}.md": b"other side"}),
        (SHARED, [], {layout.entry_path(CART.id, "cart-sum"): None}),
        (SHARED, [CONF], {f"conflicts/{CART.id}/{CART.digest}.md": None}),
        (SHARED, [], {elsewhere: None, "retired/zz/x.json": b"{"}),
        (SHARED, [], {"retired/zz/x.json": None, "entries/stray": b"", "other/file": b""}),
    ]


def test_bringing_up_to_date_comes_to_the_same_as_filling_anew(any_store):
    for lane, entries, files in steps():
        plant(any_store, lane, *entries, files=files)

        with closing(cache_of(any_store)) as cache:
            assert dump(cache) == rebuilt(any_store)


def test_going_back_to_older_tips_is_an_update_too(store):
    plant(store, SHARED, CART)
    before = tips(store)
    plant(store, SHARED, CONF)
    cache_of(store).close()

    assert shown(open_cache(store.repo, before, store.db)) == ["cart-total"]


def test_one_damaged_file_hides_no_other(store):
    stray = f"{layout.entry_folder(CONF.id)}/stray.md"
    half = '{"id": "%s", "name": "\\ud800", "reason": "", "by": "", "at": "", "digest": ""}'
    stone = layout.record_path(layout.RETIRED, THIRD.id)
    wrong = layout.record_path(layout.RETIRED, CONF.id)
    record = (half % THIRD.id).encode()
    bytes_only = f"{layout.entry_folder(CONF.id)}/{CONF.id}.\udcff.md"
    damaged = {stray: b"\xff", stone: record, wrong: record, bytes_only: render(CONF)}
    plant(store, SHARED, CART, files=dict(damaged))

    for _ in range(2):  # filled, and brought up to date
        cache = cache_of(store)
        assert "cart-total" in shown(cache)
        assert {path: lane for lane, path, _ in cache.damaged()} == dict.fromkeys(damaged, SHARED)
        assert cache.retired() == []
        plant(store, SHARED, entry("fourth", 4))


def test_a_missing_blob_hides_no_other(store):
    plant(store, SHARED, CART, CONF)
    blob = {row.name: row.blob for row in cache_of(store).entry_rows()}["conf"]
    file_of(store).unlink()
    Path(store.repo.common_dir, "objects", blob[:2], blob[2:]).unlink()

    cache = open_cache(store.repo, tips(store), open_objects(store.repo))

    assert shown(cache) == ["cart-total"]
    assert [path for _, path, _ in cache.damaged()] == [layout.entry_path(CONF.id, "conf")]


def test_of_two_files_with_one_id_the_lower_path_counts(store):
    second = replace(CART, name="zzz")
    first = replace(CART, name="aaa")
    plant(store, SHARED, second)
    cache_of(store).close()
    plant(store, SHARED, first)

    cache = cache_of(store)

    assert shown(cache) == ["aaa"]
    assert [path for _, path, _ in cache.damaged()] == [layout.entry_path(CART.id, "zzz")]
    plant(store, SHARED, files={layout.entry_path(CART.id, "aaa"): None})
    assert shown(cache_of(store)) == ["zzz"]


def overwrite(data: bytes):
    return lambda path: path.write_bytes(data)


def execute(statement: str, *arguments: str):
    def run(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement, arguments)

    return run


ODD = {
    "missing": Path.unlink,
    "empty": overwrite(b""),
    "no database": overwrite(b"no database" * 999),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "another schema": execute("DROP TABLE entry"),
    "no tips": execute("DELETE FROM meta"),
    "another format": execute(SET_META, "0", "format"),
    "an unknown commit": execute(SET_META, "1" * 40, "shared"),
    "rows nobody announced": execute(SET_META, "", "shared"),
}


@pytest.mark.parametrize("how", ODD)
def test_an_odd_file_is_made_anew(store, how):
    plant(store, SHARED, CART, CONF)
    cache_of(store).close()
    ODD[how](file_of(store))

    cache = cache_of(store)

    assert dump(cache) == rebuilt(store)
    assert cache.identity is not None
    assert open_warm(store.repo, tips(store)) is not None


def test_a_journal_left_behind_is_not_played_into_a_new_file(store):
    plant(store, SHARED, CART)
    cache_of(store).close()
    journal = Path(f"{file_of(store)}-journal")
    journal.write_bytes(b"stale" * 500)
    file_of(store).write_bytes(b"no database")

    assert shown(cache_of(store)) == ["cart-total"]
    assert not journal.exists()


def test_what_cannot_be_written_is_answered_from_memory(store):
    plant(store, SHARED, CART)
    folder = file_of(store).parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file where the folder should be", encoding="utf-8")

    cache = cache_of(store)

    assert (shown(cache), cache.identity) == (["cart-total"], None)


def test_a_file_that_another_process_fills_for_too_long_is_not_waited_for(store):
    plant(store, SHARED, CART)

    with Lock(store.repo.shared_path(cache_write.LOCK), 1.0):
        cache = cache_of(store, patience=0.0)

    assert (shown(cache), cache.identity) == (["cart-total"], None)


def test_a_reader_in_the_way_of_the_commit_is_not_waited_for_forever(store, monkeypatch):
    plant(store, SHARED, CART)
    cache_of(store).close()
    plant(store, SHARED, CONF)
    monkeypatch.setattr(cache_file, "BUSY_SECONDS", 0.05)
    reader = cache_file.connect(str(file_of(store)))
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM meta").fetchall()

    cache = cache_of(store)

    assert (shown(cache), cache.identity) == (["cart-total", "conf"], None)
    reader.close()
    assert cache_of(store).identity is not None


def test_a_cache_comes_back_to_its_tips_when_another_moves_the_file(store):
    plant(store, SHARED, CART)
    cache = cache_of(store)
    plant(store, SHARED, CONF)

    for _ in range(cache_write.MOST_MOVES):
        assert shown(cache_of(store)) == ["cart-total", "conf"]
        assert shown(cache) == ["cart-total"]

    assert cache.identity is None  # it leaves the file to the others


def test_a_file_that_was_replaced_is_not_read_on(store):
    plant(store, SHARED, CART)
    cache = cache_of(store)
    data = file_of(store).read_bytes()
    file_of(store).unlink()
    file_of(store).write_bytes(data)
    old = cache.identity

    assert shown(cache) == ["cart-total"]
    assert cache.identity != old


def test_a_file_damaged_under_a_reader_is_made_anew(store):
    plant(store, SHARED, CART)
    cache = cache_of(store)
    with file_of(store).open("r+b") as file:
        file.write(b"x" * 5000)

    assert shown(cache) == ["cart-total"]
    assert shown(cache_of(store)) == ["cart-total"]


def test_an_error_of_a_cache_in_memory_is_raised(store):
    source = cache_write.Source(store.repo, tips(store), store.db, 0.0)
    cache = cache_write.Cache(source, source.open_memory(), None)

    with pytest.raises(sqlite3.Error):
        cache.select("SELECT no_such_column FROM entry")


def test_a_store_for_a_later_reader_is_refused(store):
    plant(store, SHARED, CART, files={layout.FORMAT_FILE: b"format 9\nreader 9\n"})

    with pytest.raises(FormatError):
        cache_of(store)


def test_an_interrupted_fill_leaves_nothing_half_done(store, monkeypatch):
    plant(store, SHARED, CART)
    cache_of(store).close()
    before = tips(store)
    plant(store, SHARED, CONF)

    def interrupt(self, tips):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(cache_write.Filling, "finish", interrupt)
        with pytest.raises(KeyboardInterrupt):
            cache_of(store)

    warm = open_warm(store.repo, before)
    assert warm is not None
    assert shown(warm) == ["cart-total"]


def test_a_repository_at_a_path_of_any_bytes_has_a_cache(tmp_path):
    name = os.fsdecode(b"a?b#c%20 \xff")
    store = open_store(RepoBuilder.start(tmp_path, name=name))
    plant(store, SHARED, CART)

    assert shown(cache_of(store)) == ["cart-total"]
    assert file_of(store).exists()
    assert open_warm(store.repo, tips(store)) is not None


def test_worktrees_share_one_file(repo):
    store = open_store(repo)
    plant(store, SHARED, CART)
    cache_of(store).close()
    other = open_store(repo.worktree("linked"))

    warm = open_warm(other.repo, tips(other))

    assert warm is not None
    assert shown(warm) == ["cart-total"]


READER = """
import os, sys
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.repository import discover
from git_knowl.store.store import Store
from tests.support.caches import cache_of
store = Store(repo := discover(os.getcwd(), os.environ), open_objects(repo))
for _ in range(int(sys.argv[1])):
    cache = cache_of(store)
    names = [row.name for row in cache.entry_rows()]
    assert names == sorted(f"n{at:02}" for at in range(len(names))), names
    assert len(cache.documents()) == len(names), names
    cache.close()
print(len(names))
"""


def test_readers_beside_a_writer_never_see_a_half_filled_cache(repo):
    store = open_store(repo)
    plant(store, SHARED, entry("n00", 0))
    job = Job([sys.executable, "-c", READER, "12"], repo.path, {"PYTHONPATH": str(ROOT)})

    def write():
        for at in range(1, 12):
            plant(store, SHARED, entry(f"n{at:02}", at))
            cache_of(store).close()

    writer = threading.Thread(target=write)
    writer.start()
    outcomes = run_together([job] * 3)
    writer.join()

    assert [outcome.err for outcome in outcomes] == [""] * 3
    assert [outcome.code for outcome in outcomes] == [0] * 3
    assert len(shown(cache_of(store))) == 12


KILLED = """
import os, signal
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.repository import discover
from git_knowl.store import cache_file, cache_fill
from git_knowl.store.store import Store
from tests.support.caches import cache_of
def connect(path, *, create=False, connect=cache_file.connect):
    connection = connect(path, create=create)
    connection.execute("PRAGMA cache_size = 1")  # pages reach the disk before the commit
    return connection
def finish(self, tips):
    os.kill(os.getpid(), signal.SIGKILL)
cache_file.connect = connect
cache_fill.Filling.finish = finish
cache_of(Store(repo := discover(os.getcwd(), os.environ), open_objects(repo)))
"""


@pytest.mark.parametrize("filled_before", [True, False])
def test_a_killed_writer_leaves_what_was_there(repo, filled_before):
    store = open_store(repo)
    plant(store, SHARED, CART)
    if filled_before:
        cache_of(store).close()
    before = tips(store)
    plant(store, SHARED, *(entry(f"n{at}", at) for at in range(20, 40)))
    job = Job([sys.executable, "-c", KILLED], repo.path, {"PYTHONPATH": str(ROOT)})

    [outcome] = run_together([job])

    assert outcome.code == -signal.SIGKILL
    assert Path(f"{file_of(store)}-journal").stat().st_size > 0
    warm = open_warm(store.repo, before)
    assert (warm is not None and shown(warm) == ["cart-total"]) is filled_before
    assert len(shown(cache_of(store))) == 21
    assert cache_of(store).identity is not None


@pytest.mark.parametrize(
    ("code", "odd"), [(sqlite3.SQLITE_BUSY, False), (sqlite3.SQLITE_CORRUPT | 1 << 8, True)]
)
def test_only_errors_about_the_content_make_a_file_odd(code, odd):
    error = sqlite3.DatabaseError()
    error.sqlite_errorcode = code

    assert is_odd(error) is odd
    assert not is_odd(OSError())
