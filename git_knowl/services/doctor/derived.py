"""Checks of what is derived from the store: caches and notes, which can be made anew."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from git_knowl.anchors.commits import FILE as COMMITS
from git_knowl.anchors.freshness import FILE as VERDICTS
from git_knowl.anchors.freshness import PERSONAL_FILE
from git_knowl.anchors.symbols.known import FILE as SYMBOLS
from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Do, Finding, Repair
from git_knowl.services.doctor.ground import owner
from git_knowl.services.hooks.program import Program
from git_knowl.services.notes import project
from git_knowl.services.notes.records import standing
from git_knowl.services.semantic.vectors import FILE as VECTORS
from git_knowl.store import cache_file, layout
from git_knowl.store.cache import EntryRow
from git_knowl.store.cache_fill import clipped
from git_knowl.store.snapshot import Snapshot, decode
from git_knowl.store.view import LANES

READ_BY = "readers do without it, slower; it is made anew once it is taken away"
#: So many rows are compared with their files.
MOST_SAMPLED = 400
ANEW = "take it away, so that it is made anew"


def check_cache(ctx: Context) -> Iterator[Finding]:
    """Find derived files that are damaged, cannot be written, or say what the store does not."""
    for path in files(ctx):
        problem = damage(path)
        if problem is not None:
            told = f"'{path}' is damaged: {problem}"
            yield Finding(told, READ_BY, Repair(ANEW, remover(path)))
        elif os.path.exists(path) and not os.access(path, os.W_OK):
            told = f"'{path}' belongs to {owner(path)} and cannot be written to"
            yield Finding(told, "it is made in memory for each command, slower and not wrong")
    if cached(ctx) != stored(ctx) or any(is_altered(ctx, row) for row in sample(ctx)):
        path = ctx.repo.shared_path(cache_file.NAME)
        told = f"'{path}' does not say what the store holds"
        yield Finding(told, READ_BY, Repair(ANEW, remover(path)))


def files(ctx: Context) -> tuple[str, ...]:
    """Return the derived files that are databases."""
    shared = (cache_file.NAME, COMMITS, SYMBOLS, VECTORS)
    own = (VERDICTS, PERSONAL_FILE)
    return (*map(ctx.repo.shared_path, shared), *map(ctx.repo.worktree_path, own))


def damage(path: str) -> str | None:
    """Return what SQLite says against a file, None for a sound or a missing or an empty one."""
    try:
        if not os.path.exists(path) or os.path.getsize(path) == 0:
            return None
        with closing(cache_file.connect(path)) as opened:
            said = opened.execute("PRAGMA quick_check(1)").fetchone()[0]
    except (OSError, sqlite3.Error) as error:
        return str(error)
    return None if said == "ok" else str(said)


def remover(path: str) -> Do:
    """Return what takes a derived file away, with what belongs to it."""

    def remove(ctx: Context, _: Program) -> str:
        for suffix in ("-journal", "-wal", "-shm", ""):
            if os.path.exists(path + suffix):
                os.unlink(path + suffix)
        ctx.refresh()
        return f"took '{path}' away"

    return remove


def cached(ctx: Context) -> set[tuple[str, str, str]]:
    """Return lane, path and blob of every entry as the cache has it, damaged ones left out."""
    rows = ctx.cache.select("SELECT lane, path, blob FROM entry")
    return {(lane, path, blob) for lane, path, blob in rows}


def stored(ctx: Context) -> set[tuple[str, str, str]]:
    """Return the same as the store has it."""
    damaged = {(lane, path) for lane, path, _ in ctx.cache.damaged()}
    view = ctx.store.view()
    return {
        (lane, path, blob)
        for lane in LANES
        for path, blob in Snapshot(view, lane).paths()
        if path.startswith(f"{layout.ENTRIES}/") and (lane, path) not in damaged
    }


def sample(ctx: Context) -> list[EntryRow]:
    """Return some rows of the cache from all over it: reading them all takes as long as making it.

    Those that two lanes hold have one row.
    """
    rows = ctx.cache.entry_rows()
    return rows[:: max(1, -(-len(rows) // MOST_SAMPLED))]


def is_altered(ctx: Context, row: EntryRow) -> bool:
    """Tell whether a row says something else than the file in the store."""
    try:
        data = next(iter(ctx.objects.read_blobs([row.blob])))[1]
    except KnowlError:
        return False  # told of among the objects
    entry = decode(row.path, data)
    if isinstance(entry, str):
        return True
    said = (row.own_name, row.type, row.description, row.updated, row.digest)
    line = clipped(entry.description)
    return said != (entry.name, entry.type, line, entry.updated, entry.digest)


def check_notes(ctx: Context) -> Iterator[Finding]:
    """Find notes on commits that tell of another state of the store."""
    tip = refs.read(ctx.repo, (refs.ENTRIES,))[refs.ENTRIES]
    if standing(ctx).tip != tip:
        yield Finding(
            "the notes on commits are behind the store",
            "the next write brings them up, 'git knowl notes rebuild' makes them anew",
            Repair("make the notes anew", rebuild_notes),
        )


def rebuild_notes(ctx: Context, _: Program) -> str:
    """Make the notes anew."""
    done = project.rebuild(ctx)
    return f"made the notes on {done.commits} commits anew"
