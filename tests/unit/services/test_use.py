"""Counts and questions: cheap to note, bounded, losable, and never in the way of a reader."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.model.ids import make_id
from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import flock
from git_knowl.services import use as module
from git_knowl.services import use_log
from git_knowl.services.misses import MissError, flag_miss, misses
from git_knowl.services.use import gather, note_lookup, note_read, note_shown, used
from git_knowl.services.use_log import key_of
from git_knowl.store import use as stored
from git_knowl.store.state import PutState
from git_knowl.store.transaction import Record, publish
from git_knowl.store.use import Question, Tally, Used, read_used
from tests.support.builders import RepoBuilder
from tests.support.clock import Clock
from tests.support.people import agent, person
from tests.support.seal import ROOT

ONE, TWO = (make_id(1_796_000_000_000 + number, bytes(10)) for number in (1, 2))


@pytest.fixture
def ctx(repo):
    return person(repo)


def told(ctx):
    return {key: (one.shown, one.read) for key, one in used(ctx).tallies.items()}


def test_what_was_shown_and_read_is_counted_at_once(ctx):
    note_shown(ctx, [ONE, TWO])
    note_read(ctx, [ONE])
    note_read(ctx, [ONE])

    assert told(ctx) == {ONE: (1, 2), TWO: (1, 0)}
    assert used(ctx).since == ctx.caller.now()


def test_noting_moves_no_ref_and_asks_for_no_lock(ctx):
    with flock(ctx.repo):
        note_read(ctx, [ONE])
        note_lookup(ctx, "retry budget", [ONE], missed=False)

    assert refs.read(ctx.repo, (refs.STATE,)) == {refs.STATE: None}


def test_what_is_taken_over_counts_once_and_adds_up(ctx):
    for _ in range(2):
        note_read(ctx, [ONE])
        note_lookup(ctx, "retry budget", [TWO], missed=True)
        gather(ctx)
    note_read(ctx, [ONE])

    assert told(ctx) == {ONE: (0, 3), TWO: (2, 0)}
    assert [one.missed for one in misses(ctx)] == [2]
    assert read_used(ctx.store.view()).tallies[ONE].read == 2


def test_a_grown_file_is_taken_over_by_itself(ctx):
    for _ in range(300):
        note_read(ctx, [ONE])

    kept = read_used(ctx.store.view()).tallies[ONE].read
    assert 0 < kept < 300
    assert told(ctx) == {ONE: (0, 300)}


def test_while_a_writer_holds_the_lock_a_grown_file_waits(ctx):
    with flock(ctx.repo):
        for _ in range(300):
            note_read(ctx, [ONE])
    assert refs.read(ctx.repo, (refs.STATE,)) == {refs.STATE: None}

    note_read(ctx, [ONE])

    assert read_used(ctx.store.view()).tallies[ONE].read == 301


def test_a_file_that_nothing_takes_over_stops_growing(ctx, monkeypatch):
    monkeypatch.setattr(use_log, "MOST_BYTES", 2_000)
    monkeypatch.setattr(use_log, "FULL_BYTES", 10**9)
    for _ in range(200):
        note_read(ctx, [ONE])

    assert use_log.size(use_log.path_of(ctx)) < 2_200


def test_a_failed_taking_over_loses_nothing(ctx, monkeypatch):
    note_read(ctx, [ONE])

    def refuse(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "publish", refuse)
    with pytest.raises(KeyboardInterrupt):
        gather(ctx)

    assert told(ctx) == {ONE: (0, 1)}


@pytest.mark.parametrize(
    "junk",
    [b"\xff\xfe\n", b'{"at": 1}\n', b'{"at": "x", "read": "no", "asked": 5}\n', b"[]\n", b'{"at'],
)
def test_lines_nobody_can_read_count_for_nothing(ctx, junk):
    note_read(ctx, [ONE])
    with open(use_log.path_of(ctx), "ab") as file:
        file.write(junk)
    gather(ctx)

    assert told(ctx) == {ONE: (0, 1)}


@pytest.mark.parametrize("junk", [b"\xff", b"a b c d\n", b"{}\n[]\nnull\n1\n", b'{"key": 1}\n'])
def test_a_damaged_state_counts_for_nothing_and_is_written_anew(ctx, junk):
    record = Record("use", "use", "Kim <kim@example.org>", 1)
    files = [PutState(path, junk) for path in (stored.COUNTS, stored.QUESTIONS)]
    publish(ctx.store, lambda _: files, record)

    note_lookup(ctx, "retry", [ONE], missed=True)
    gather(ctx)

    assert told(ctx) == {ONE: (1, 0)}
    assert len(misses(ctx)) == 1


def test_questions_and_counts_are_bounded_to_the_latest(ctx, monkeypatch):
    monkeypatch.setattr(stored, "MOST_QUESTIONS", 3)
    monkeypatch.setattr(stored, "MOST_COUNTED", 1)
    clock = Clock()
    later = person_at(ctx, clock)
    for number in range(5):
        clock.advance(days=1)
        note_lookup(later, f"word{number}", [ONE if number < 4 else TWO], missed=True)
    gather(later)

    assert len(read_used(ctx.store.view()).questions) == 3
    assert set(read_used(ctx.store.view()).tallies) == {TWO}


def person_at(ctx, clock):
    ctx.caller = replace(ctx.caller, clock=clock)
    return ctx


def test_words_are_kept_only_where_the_user_set_that_and_without_secrets(repo, ctx):
    key = "AKIA" + "Q3EGRYJ5VX2LMN7T"
    note_lookup(ctx, "private words", [], missed=True)
    repo.git("config", "knowl.keepQuestions", "true")
    note_lookup(person(repo), f"open words {key}", [], missed=True)
    gather(ctx)

    data = repo.git("cat-file", "-p", f"{refs.STATE}:{stored.QUESTIONS}")
    assert "private" not in data
    assert "open words" in data
    assert key not in data


def test_the_hash_is_of_this_clone_and_blind_to_order_and_case(tmp_path, ctx):
    other = RepoBuilder.start(tmp_path, name="other")
    assert key_of(ctx, "Retry budget") == key_of(ctx, "budget RETRY")
    assert key_of(ctx, "retry") != key_of(ctx, "retries")
    assert key_of(person(other), "retry") != key_of(ctx, "retry")
    assert key_of(ctx, " ?! ") is None


def test_a_miss_becomes_a_flag_in_words_that_somebody_gives(ctx):
    note_lookup(ctx, "retry budget", [], missed=True)
    (found,) = misses(ctx)
    with pytest.raises(MissError, match="only a hash is kept"):
        flag_miss(ctx, found.key[:8])

    made = flag_miss(ctx, found.key[:8], "how the retry budget is shared")

    summary = "Looked for once, and nothing is known: how the retry budget is shared"
    assert made.raised.flag.summary == summary
    assert misses(ctx)[0].flag == made.raised.flag.id
    assert misses(ctx)[0].missed == 1


def test_kept_words_need_no_others_and_the_words_find_their_question(repo):
    repo.git("config", "knowl.keepQuestions", "true")
    ctx = person(repo)
    for _ in range(2):
        note_lookup(ctx, "retry budget", [], missed=True)

    made = flag_miss(ctx, "budget retry")

    assert made.raised.flag.summary == "Looked for 2 times, and nothing is known: retry budget"


@pytest.mark.parametrize("key", ["", "0", "zzzzzzzz", "other words"])
def test_what_no_question_has_is_refused(ctx, key):
    note_lookup(ctx, "retry budget", [], missed=True)
    with pytest.raises(MissError, match="expected the key"):
        flag_miss(ctx, key)


def test_found_questions_are_no_misses_and_the_frequent_come_first(ctx):
    note_lookup(ctx, "known", [ONE], missed=False)
    for times, words in ((1, "seldom"), (3, "often")):
        for _ in range(times):
            note_lookup(ctx, words, [], missed=True)

    assert [one.missed for one in misses(ctx)] == [3, 1]


def test_an_agent_without_an_identity_is_counted_too(repo):
    ctx = agent(repo, person=None)
    note_read(ctx, [ONE])
    gather(ctx)

    assert told(ctx) == {ONE: (0, 1)}


def test_where_no_folder_can_be_made_nothing_is_noted_and_nothing_fails(ctx):
    folder = Path(ctx.repo.shared_path()).parent
    shutil.rmtree(folder, ignore_errors=True)
    folder.write_text("no folder", encoding="ascii")

    note_read(ctx, [ONE])
    note_lookup(ctx, "retry", [], missed=True)

    assert told(ctx) == {}


WRITER = """
import sys
from git_knowl.interfaces.door import open_context
from git_knowl.services.use import note_read
ctx = open_context()
for _ in range(150):
    note_read(ctx, [sys.argv[1]])
"""


def test_many_at_once_never_damage_what_is_kept(repo, ctx):
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(repo.path)}
    jobs = [
        subprocess.Popen([sys.executable, "-c", WRITER, ONE], cwd=repo.path, env=env)
        for _ in range(4)
    ]
    assert [job.wait(timeout=120) for job in jobs] == [0] * 4

    gather(ctx)
    kept = told(ctx)[ONE][1]

    assert 600 * 0.9 <= kept <= 600
    assert not list(open_lines(ctx))


def open_lines(ctx):
    try:
        with open(use_log.path_of(ctx), encoding="utf-8") as file:
            yield from map(json.loads, file)
    except FileNotFoundError:
        return


counts = st.integers(0, 3)
tallies = st.builds(Tally, counts, counts, counts, counts, st.sampled_from(["", "a", "b"]))
questions = st.builds(Question, st.just("k"), counts, counts, st.sampled_from(["", "a", "b"]))
useds = st.builds(
    Used,
    st.dictionaries(st.sampled_from([ONE, TWO]), tallies),
    st.dictionaries(st.just("k"), questions),
    st.sampled_from(["", "a", "b"]),
)


@given(useds, useds, useds)
def test_the_order_in_which_counts_are_added_makes_no_difference(one, two, three):
    assert one.plus(two).plus(three) == one.plus(two.plus(three))
    assert one.plus(two) == two.plus(one)
    assert one.plus(Used({}, {})) == one
