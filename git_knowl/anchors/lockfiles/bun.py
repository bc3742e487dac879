"""bun.lock, lockfileVersion 0 to 2: JSON with commas at the ends of lines.

Packages are keyed by their place: ``ms`` for the one at the top, ``debug/ms`` for a copy of
``debug``; an alias is a place like any other. The binary bun.lockb is not read.
"""

import re
from collections.abc import Iterator
from typing import Any

from git_knowl.anchors.lockfiles.json_text import format_number, load, objects, string
from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError, check_format
from git_knowl.anchors.lockfiles.npm import GROUPS

_TRAILING_COMMA = re.compile(r",(?=\n\s*[}\]])")
_LOCAL = ("workspace:", "file:", "link:", "root:")
_HASH = re.compile(r"sha\d+-\S+")


def scan(text: str) -> Listing:
    """Return every package from elsewhere; the workspaces tell what is direct."""
    lockfile = load(_TRAILING_COMMA.sub("", text))
    number = format_number(lockfile.get("lockfileVersion"))
    check_format("lockfileVersion", number, ("0", "1", "2"))
    packages = lockfile.get("packages")
    if not isinstance(packages, dict):
        raise LockfileError("expected an object under 'packages'")
    workspaces = objects(lockfile.get("workspaces"))
    direct = set(_direct_places(workspaces, packages))
    split = [
        (place, record, *_split(str(record[0])))
        for place, record in packages.items()
        if isinstance(record, list) and record
    ]
    projects = {name for one in workspaces.values() if (name := string(one.get("name")))}
    local = {name for _, _, name, reference in split if reference.startswith(_LOCAL)}
    return Listing(
        [
            (name, _found(reference, record, direct=place in direct))
            for place, record, name, reference in split
            if not reference.startswith(_LOCAL)
        ],
        own=frozenset(projects | local),
    )


def _split(resolution: str) -> tuple[str, str]:
    end = resolution.find("@", 1)
    return (resolution, "") if end < 0 else (resolution[:end], resolution[end + 1 :])


def _direct_places(
    workspaces: dict[str, dict[str, Any]], packages: dict[str, Any]
) -> Iterator[str]:
    """Yield where the wishes of each workspace are: at its own place, else at the top."""
    for folder, workspace in workspaces.items():
        for group in GROUPS:
            wishes = workspace.get(group)
            for wish in wishes if isinstance(wishes, dict) else ():
                own = f"{workspace.get('name')}/{wish}"
                yield own if folder and own in packages else wish


def _found(reference: str, record: list[Any], *, direct: bool) -> Found:
    """Return the version; of a package from git, which has none here, its commit."""
    version = reference.rpartition("#")[2] or None
    last = string(record[-1]) or ""
    return Found(version, last if _HASH.fullmatch(last) else None, direct)
