"""Make the personal store and set it, in one step; repeating it changes nothing.

It needs no repository: the store belongs to the person.
"""

from __future__ import annotations

import os

from git_knowl.plumbing.outside import Outside
from git_knowl.services.personal_store import KEY, USUAL_PLACE, PersonalStoreError


def set_up(outside: Outside, folder: str = "", *, host: str | None = None) -> list[str]:
    """Make a personal store in a folder, the usual one for "", and return what was done.

    What a setting names already is where it goes, so that the settings of a person can be brought
    to a new machine first. Raises PersonalStoreError for a folder that holds something else, for a
    second store, and for an agent ``host``: what is in the store is said to every agent everywhere.
    """
    if host:
        raise PersonalStoreError(
            f"the agent host '{host}' asks for a personal store, and only a person may make one",
            "a person runs 'git knowl init --personal'",
        )
    named = outside.setting(KEY)
    path = outside.full_path(folder or named or USUAL_PLACE)
    if named and outside.full_path(named) != path:
        raise PersonalStoreError(
            f"{KEY} is '{named}' already",
            f"'git config --global {KEY} PATH' names another store; this one stays where it is",
        )
    done = make(outside, path)
    if not named:
        outside.set_global(KEY, path)
        done.append(f"set {KEY} to '{path}', for every repository of yours")
    return done


def make(outside: Outside, path: str) -> list[str]:
    """Make the bare repository unless it is there, and return what was done."""
    if os.path.lexists(path) and not is_empty(path):
        if outside.is_bare(path):
            return []
        raise PersonalStoreError(
            f"'{path}' is there, and no bare repository of yours", "name another folder"
        )
    outside.make_bare(path)
    return [f"made the personal store '{path}'"]


def is_empty(path: str) -> bool:
    """Tell whether a path is a folder with nothing in it."""
    return os.path.isdir(path) and not os.listdir(path)
