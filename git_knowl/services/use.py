"""Count what is shown and read, and what was looked for in vain, at the price of one short line.

A line is added to a file beside the repository; when the file has grown, it is taken over into the
state of this clone, if no writer holds the lock just then. A reader never waits, and never fails
where nothing can be written. Lines that a kill or a race loses are lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.plumbing import small_files
from git_knowl.plumbing.lock import flock
from git_knowl.services import use_log, use_steps
from git_knowl.services.context import Context
from git_knowl.services.use_log import ASKED, MOST_IDS, READ, SHOWN
from git_knowl.store.transaction import Record, publish
from git_knowl.store.use import AddUse, Question, Tally, Used, is_id, read_used

TEXT_CHARACTERS = 200
NOBODY = "git-knowl <git-knowl@localhost>"


def note_shown(ctx: Context, ids: Iterable[str]) -> None:
    """Count entries that stood in an answer."""
    _note(ctx, {SHOWN: list(ids)[:MOST_IDS]})


def note_read(ctx: Context, ids: Iterable[str]) -> None:
    """Count entries that somebody read whole."""
    _note(ctx, {READ: list(ids)[:MOST_IDS]})


def note_lookup(ctx: Context, question: str, ids: Iterable[str], *, missed: bool) -> None:
    """Remember a question by its hash, whether it was in vain, and what was shown for it.

    The words are kept, without secrets, only where ``knowl.keepQuestions`` is set.
    """
    text = kept_text(question) if ctx.settings.keep_questions else None
    told = use_log.told_lookup(ctx, question, ids, missed=missed, text=text)
    if told is not None:
        _note(ctx, told)


def kept_text(question: str) -> str:
    """Return the words of a question as they are kept: one line, cut, without secrets."""
    from git_knowl.services.filters.secrets import scrub  # noqa: PLC0415 - 12 ms, for who set it

    return " ".join(scrub(question).text.split())[:TEXT_CHARACTERS]


def used(ctx: Context) -> Used:
    """Return all counts and questions: those in the state of this clone, and those on the way."""
    return read_used(ctx.store.view()).plus(_pending(use_log.path_of(ctx)))


def gather(ctx: Context, more: Used | None = None) -> None:
    """Take what is on the way over into the state, with more if there is any.

    Raises what publishing raises; nothing is lost then.
    """
    path = use_log.path_of(ctx)
    data = small_files.take(path)
    found = _read(data.decode("utf-8", "replace").split("\n"))
    total = found if more is None else found.plus(more)
    record = Record("use", "use", ctx.caller.person or NOBODY, int(ctx.caller.clock()))
    with ExitStack() as otherwise:
        otherwise.callback(small_files.append, path, data)
        if total.tallies or total.questions:
            publish(ctx.store, lambda _: [AddUse(total)], record)
            use_steps.keep(ctx.repo, read_used(ctx.store.view()).tallies)
        otherwise.pop_all()


def gather_if_free(ctx: Context) -> None:
    """Take a full file over unless somebody writes just now: the next line tries again."""
    if not use_log.is_full(ctx):
        return
    try:
        with flock(ctx.repo, 0):
            pass
        gather(ctx)
    except KnowlError:
        return


def _note(ctx: Context, told: dict[str, Any]) -> None:
    use_log.add(ctx, told)
    gather_if_free(ctx)


def _pending(path: str) -> Used:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return _read(file.read().split("\n"))
    except OSError:
        return Used({}, {})


def _read(lines: Iterable[str]) -> Used:
    """Return what lines come to; one that was cut short counts for nothing."""
    total = Used({}, {})
    for line in lines:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict) and isinstance(told.get("at"), str):
            total = total.plus(_counted(told))
    return total


def _counted(told: dict[str, Any]) -> Used:
    at = told["at"]
    tallies = {one: Tally(shown=1, last=at) for one in _ids(told, SHOWN)}
    tallies |= {one: Tally(read=1, last=at) for one in _ids(told, READ)}
    key, text = told.get(ASKED), told.get("text")
    questions = {}
    if isinstance(key, str):
        kept = text if isinstance(text, str) else None
        questions[key] = Question(key, 1, int(bool(told.get("missed"))), at, kept)
    return Used(tallies, questions, at)


def _ids(told: dict[str, Any], key: str) -> Iterator[str]:
    found = told.get(key)
    yield from filter(is_id, found if isinstance(found, list) else ())
