"""Checks of the settings: values that cannot be used, keys nobody knows, words that disagree."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from git_knowl.model.settings import SettingError, Settings, keys
from git_knowl.plumbing import config, remote
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding

#: How like a known key an unknown one must be for it to be named.
LIKE = 0.6
REMOTE, AUTO = "knowl.remote", "knowl.autosync"
TRUE = ("true", "yes", "on", "1")


def check_settings(ctx: Context) -> Iterator[Finding]:
    """Find settings that cannot be used, are none, or stand against each other."""
    given = config.read_settings(ctx.repo)
    try:
        Settings.from_config(given)
    except SettingError as error:
        yield Finding(error.message, error.hint)
    known = {key.name.lower(): key.name for key in keys()}
    for name in given:
        if name not in known:
            yield Finding(f"{name} is no setting of this version", nearest(name, known))
    yield from check_repeated(ctx, [known[name] for name in given if name in known])
    yield from check_remote(ctx, given)


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
