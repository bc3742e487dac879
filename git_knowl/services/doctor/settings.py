"""Checks of the settings: values that cannot be used, keys nobody knows, words that disagree."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from git_knowl.model.settings import EVERYWHERE, faults, keys
from git_knowl.plumbing import config, remote, signing
from git_knowl.plumbing.repository import NotARepository
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding
from git_knowl.services.semantic import extra

#: How like a known key an unknown one must be for it to be named.
LIKE = 0.6
REMOTE, AUTO, SEMANTIC = "knowl.remote", "knowl.autosync", "knowl.semantic"
PERSONAL, SIGN = "knowl.personal", "knowl.sign"
TRUE = ("true", "yes", "on", "1")


def check_settings(ctx: Context) -> Iterator[Finding]:
    """Find settings that cannot be used, are none, or stand against each other."""
    given = config.read_settings(ctx.repo)
    yield from (Finding(error.message, error.hint) for error in faults(given))
    known = {key.name.lower(): key.name for key in keys()}
    for name in given:
        if name not in known:
            yield Finding(f"{name} is no setting of this version", nearest(name, known))
    yield from check_repeated(ctx, [known[name] for name in given if name in known])
    yield from check_remote(ctx, given)
    yield from check_semantic(given)
    yield from check_personal(ctx, given.get(PERSONAL, ""))
    yield from check_signing(ctx, given)


def check_personal(ctx: Context, path: str) -> Iterator[Finding]:
    """Find a personal store that is set and cannot be read."""
    try:
        if path:
            ctx.repo.other(path)
    except NotARepository as error:
        yield Finding(
            f"knowl.personal: expected a bare repository at '{path}': {error.message}",
            "'git knowl init --personal' makes one there, 'git config --unset knowl.personal' goes"
            " without",
        )


def check_signing(ctx: Context, given: Mapping[str, str]) -> Iterator[Finding]:
    """Find that commits are to be signed and that git has nothing to sign with."""
    if given.get(SIGN, "").lower() in TRUE:
        problem = signing.why_unable(ctx.repo)
        if problem:
            told = f"knowl.sign is on, and {problem}: writing to the shared lane is refused"
            yield Finding(told, signing.NO_KEY_HINT)


def check_semantic(given: Mapping[str, str]) -> Iterator[Finding]:
    """Find likeness in meaning asked for where its extra is missing."""
    if given.get(SEMANTIC, "").lower() not in (*TRUE, EVERYWHERE):
        return
    try:
        extra.check()
    except extra.SemanticUnavailable as error:
        yield Finding(error.message, error.hint)


def check_remote(ctx: Context, given: Mapping[str, str]) -> Iterator[Finding]:
    """Find settings about sharing without the remote they are about."""
    there = remote.names(ctx.repo)
    named = given.get(REMOTE)
    if named and named not in there:
        told = f"knowl.remote is '{named}', and no remote has that name"
        yield Finding(told, "'git remote' lists those there are")
    if given.get(AUTO, "").lower() in TRUE and not there:
        yield Finding("knowl.autoSync is on, and there is no remote", "add one, or turn it off")


def nearest(name: str, known: dict[str, str]) -> str:
    """Return what may have been meant by a key that nobody knows."""
    bare = {key.partition(".")[2]: meant for key, meant in known.items()}
    found = difflib.get_close_matches(name.partition(".")[2], bare, n=1, cutoff=LIKE)
    if found:
        return f"it counts for nothing; did you mean {bare[found[0]]}?"
    return "it counts for nothing, unless a newer git-knowl reads it"


def check_repeated(ctx: Context, names: list[str]) -> Iterator[Finding]:
    """Find settings that one configuration file gives two values: the last one counts."""
    for name in names:
        for scope, values in config.by_scope(ctx.repo, name).items():
            if len(set(values)) > 1:
                yield Finding(
                    f"{name} is {' and '.join(dict.fromkeys(values))} in the {scope} configuration",
                    f"the last one counts ('{values[-1]}'); leave one of them",
                )
