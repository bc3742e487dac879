"""package-lock.json, lockfileVersion 1: copies nested in the copy that uses them.

The file does not say what the project itself asks for.
"""

from collections.abc import Iterator
from typing import Any

from git_knowl.anchors.lockfiles.json_text import objects, string
from git_knowl.anchors.lockfiles.listing import Found, Listing

_ALIAS = "npm:"
_LOCAL = ("file:", "link:")


def scan(lockfile: dict[str, Any]) -> Listing:
    """Return every copy that is not a folder of the project."""
    copies = [
        (place, version, record)
        for place, record in _copies(lockfile)
        if (version := string(record.get("version")))
    ]
    local = {place for place, version, _ in copies if version.startswith(_LOCAL)}
    project = string(lockfile.get("name"))
    return Listing(
        [_package(*copy) for copy in copies if not copy[1].startswith(_LOCAL)],
        own=frozenset(local | {project} if project else local),
    )


def _copies(lockfile: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    waiting = [lockfile]
    while waiting:
        nested = objects(waiting.pop().get("dependencies"))
        waiting.extend(nested.values())
        yield from nested.items()


def _package(place: str, version: str, record: dict[str, Any]) -> tuple[str, Found]:
    """Return a package by its real name; of one from git, which has no version here, its commit."""
    name = place
    if version.startswith(_ALIAS):
        name, _, version = version.removeprefix(_ALIAS).rpartition("@")
    return name, Found(version.rpartition("#")[2], string(record.get("integrity")))
