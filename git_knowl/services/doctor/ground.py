"""Checks of what everything stands on: git, the person, the folders, the file system, grammars."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Iterator
from pwd import getpwuid

from git_knowl.anchors.symbols import grammars, languages
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.plumbing import config
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding, counted, shortened
from git_knowl.store import touched

#: Absolute paths of `rev-parse --path-format` and diffs of merges by `--diff-merges` came with it.
OLDEST_GIT = (2, 31)
SYMBOL = "symbol"
#: A write needs kilobytes, a rebuilt cache of a large store a few of these.
LEAST_BYTES = 32 * 1024 * 1024
LEAST_FILES = 1_000


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


def folders(ctx: Context) -> dict[str, None]:
    """Return the folders this program writes into, each once."""
    objects = os.path.join(ctx.repo.common_dir, "objects")
    return dict.fromkeys((ctx.repo.common_dir, ctx.repo.git_dir, objects))


def check_folder(ctx: Context) -> Iterator[Finding]:
    """Find that nothing can be written to the repository, or hardly anything more."""
    for folder in folders(ctx):
        if not os.access(folder, os.W_OK):
            told = f"'{folder}' cannot be written to: nothing can be flagged or remembered"
            yield Finding(told, f"it belongs to {owner(folder)}; reading goes on without")
    free = shutil.disk_usage(ctx.repo.common_dir).free
    if free < LEAST_BYTES:
        told = f"{free // 1024} KiB are left on the disk of '{ctx.repo.common_dir}'"
        yield Finding(told, "make room: a write that finds none is refused whole")
    files = os.statvfs(ctx.repo.common_dir)
    if files.f_files and files.f_favail < LEAST_FILES:
        told = f"{files.f_favail} more files fit on the disk of '{ctx.repo.common_dir}'"
        yield Finding(told, "make room: git keeps new objects in files of their own")


def owner(path: str) -> str:
    """Return the name of the user a file belongs to, or the number of one without a name."""
    return user_name(os.stat(path).st_uid)


def user_name(number: int) -> str:
    """Return the name of a user, or the number of one without a name."""
    try:
        return getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def told_of_owner(ctx: Context) -> str:
    """Say whose the repository is where it is somebody else's, which git was told to allow."""
    if os.stat(ctx.repo.common_dir).st_uid == os.geteuid():
        return ""
    return f"the repository belongs to {owner(ctx.repo.common_dir)}; safe.directory allows it"


def check_owner(ctx: Context) -> Iterator[Finding]:
    """Find files of ours that another user made so that this one cannot write them."""
    for folder in (ctx.repo.shared_path(), ctx.repo.worktree_path()):
        if os.path.isdir(folder) and not os.access(folder, os.W_OK):
            told = f"'{folder}' belongs to {owner(folder)} and cannot be written to"
            yield Finding(told, "nothing can be stored from here; its owner may give you the right")


def check_names(ctx: Context) -> Iterator[Finding]:
    """Find names of files that git and the file system would spell in different ways."""
    folds = os.path.exists(os.path.join(ctx.repo.common_dir, "CONFIG"))
    said = config.is_true(ctx.repo, "core.ignorecase")
    if folds != said:
        truth = "makes no difference" if folds else "makes a difference"
        yield Finding(
            f"core.ignorecase is {str(said).lower()}, but on this file system case {truth}",
            "the repository came from another one; set core.ignorecase to what holds here",
        )
    paths = touched.paths(ctx.cache)
    yield from same_but_for_case(paths, folds=folds or said)
    if config.is_true(ctx.repo, "core.precomposeunicode"):
        odd = [path for path in paths if unicodedata.normalize("NFC", path) != path]
        if odd:
            told = f"{counted(len(odd), 'anchored path is', 'anchored paths are')} spelled with"
            yield Finding(
                f"{told} decomposed letters, which git composes here: {shortened(odd)}",
                "anchor the entries to the names that 'git ls-files' gives",
            )


def same_but_for_case(paths: list[str], *, folds: bool) -> Iterator[Finding]:
    """Find anchored paths of which only one can be checked out here."""
    by_folded: dict[str, list[str]] = {}
    for path in paths if folds else ():
        by_folded.setdefault(unicodedata.normalize("NFC", path).casefold(), []).append(path)
    for same in by_folded.values():
        if len(same) > 1:
            yield Finding(
                f"only one of these anchored paths can be checked out here: {shortened(same)}",
                "judge their entries with 'git knowl audit --commit HEAD'",
            )


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
            told = counted(len(set(names)), "entry rests", "entries rest")
            yield Finding(f"{told} on symbols in {grammar}: {error.message}", error.hint)


def grammars_of(path: str) -> list[str]:
    """Return the grammars that symbols of a file need, as far as its name tells."""
    if languages.is_host(path):
        return [languages.script_language("").grammar]
    found = languages.language_of(path, b"")
    return [found.grammar] if found else []
