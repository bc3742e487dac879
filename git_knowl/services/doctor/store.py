"""Checks of what everything rests on: git, settings, the store, its cache, grammars, remotes."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from git_knowl.anchors.freshness import FILE as VERDICTS
from git_knowl.anchors.symbols import grammars, languages
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.plumbing import config, hooks
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding
from git_knowl.store import cache_file, touched
from git_knowl.store.inbox import read_inbox

#: Absolute paths of `rev-parse --path-format` and diffs of merges by `--diff-merges` came with it.
OLDEST_GIT = (2, 31)
SYMBOL = "symbol"
READ_BY = "it is made anew by whatever reads next, once it is taken away"


def check_git(ctx: Context) -> Iterator[Finding]:
    """Find a git that is too old."""
    found = config.git_version(ctx.repo)
    if found < OLDEST_GIT:
        least, here = (".".join(map(str, version)) for version in (OLDEST_GIT, found))
        yield Finding(f"git {here} is too old: expected {least} or newer", "install a newer git")


def check_identity(ctx: Context) -> Iterator[Finding]:
    """Find that nobody is named who could vouch for a text."""
    if not ctx.caller.person:
        hint = "set user.name and user.email with git config"
        yield Finding("git does not know your name and mail address", hint)


def check_settings(ctx: Context) -> Iterator[Finding]:
    """Find settings that cannot be used: reading them raises what is wrong."""
    _ = ctx.settings
    yield from ()


def check_folder(ctx: Context) -> Iterator[Finding]:
    """Find that nothing can be written beside the repository."""
    for folder in dict.fromkeys((ctx.repo.common_dir, ctx.repo.git_dir)):
        if not os.access(folder, os.W_OK):
            yield Finding(
                f"'{folder}' cannot be written to: nothing can be flagged or remembered",
                "see who owns it",
            )


def check_store(ctx: Context) -> Iterator[Finding]:
    """Find files of the store that cannot be read."""
    for lane, path, error in ctx.cache.damaged():
        yield Finding(
            f"{path} in lane {lane} cannot be read: {error}",
            "'git knowl log' shows the operations, 'git knowl undo' takes the last one back",
        )
    for record in read_inbox(ctx.store.view()).damaged:
        yield Finding(f"{record.path} of the inbox cannot be read: {record.error}")


def check_cache(ctx: Context) -> Iterator[Finding]:
    """Find damaged derived files, which readers do without, slower and not wrong."""
    places = (ctx.repo.shared_path(cache_file.NAME), ctx.repo.worktree_path(VERDICTS))
    for path in places:
        problem = damage(path)
        if problem is not None:
            yield Finding(f"'{path}' is damaged: {problem}", READ_BY)


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


def check_symbols(ctx: Context) -> Iterator[Finding]:
    """Find that entries rest on symbols of a language whose grammar is not there."""
    needed: dict[str, list[str]] = {}
    for one in touched.of_kind(ctx.cache, SYMBOL):
        for grammar in grammars_of(one.path or ""):
            needed.setdefault(grammar, []).append(one.name)
    for grammar, names in needed.items():
        try:
            grammars.load(grammar)
        except SymbolsUnavailable as error:
            count = len(set(names))
            told = "1 entry rests" if count == 1 else f"{count} entries rest"
            yield Finding(f"{told} on symbols in {grammar}: {error.message}", error.hint)


def grammars_of(path: str) -> list[str]:
    """Return the grammars that symbols of a file need, as far as its name tells."""
    if languages.is_host(path):
        return [languages.script_language("").grammar]
    found = languages.language_of(path, b"")
    return [found.grammar] if found else []


def check_remotes(ctx: Context) -> Iterator[Finding]:
    """Find remotes whose settings send or overwrite refs that are none of theirs."""
    for remote, settings in hooks.push_settings(ctx.repo).items():
        yield Finding(
            f"remote.{remote} takes every ref along ({', '.join(settings)}), flags, drafts and"
            " local entries among them",
            "name the branches it is for ('+refs/heads/*:refs/heads/*'), or mind who reads it",
        )
