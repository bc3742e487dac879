"""package-lock.json and npm-shrinkwrap.json, lockfileVersion 2 and 3.

Both list every installed copy under ``packages``, by its place in the tree; a copy installed under
an alias carries its real ``name``.
"""

import json
from collections.abc import Iterator
from typing import Any

from git_knowl.anchors.lockfiles.listing import (
    Found,
    Listing,
    LockfileError,
    check_format,
    commit_of,
)

_MODULES = "node_modules/"
_GROUPS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


def scan(text: str) -> Listing:
    """Return every installed copy; the project and its workspaces tell what is direct."""
    packages = _packages(text)
    direct = {place for root in packages for place in _direct_places(root, packages)}
    return Listing(
        [
            (_name(place, record), _found(record, direct=place in direct))
            for place, record in packages.items()
            if _MODULES in place and not record.get("link")
        ]
    )


def _packages(text: str) -> dict[str, dict[str, Any]]:
    try:
        lockfile = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise LockfileError(f"not valid JSON in {place}") from error
    except (ValueError, RecursionError) as error:
        raise LockfileError("not valid JSON, or nested beyond reason") from error
    if not isinstance(lockfile, dict):
        raise LockfileError("expected a JSON object")
    check_format("lockfileVersion", str(lockfile.get("lockfileVersion")), ("2", "3"))
    packages = lockfile.get("packages")
    if not isinstance(packages, dict):
        raise LockfileError("expected an object under 'packages'")
    return {place: record for place, record in packages.items() if isinstance(record, dict)}


def _direct_places(root: str, packages: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield where the wishes of a project or workspace folder are installed."""
    if _MODULES in root:
        return
    for group in _GROUPS:
        wishes = packages[root].get(group)
        for wish in wishes if isinstance(wishes, dict) else ():
            place = next((p for p in _lookup(root, wish) if p in packages), None)
            if place:
                yield place


def _lookup(folder: str, name: str) -> Iterator[str]:
    """Yield the places where Node looks for a package, nearest first."""
    while folder:
        yield f"{folder}/{_MODULES}{name}"
        folder = folder.rpartition("/")[0]
    yield f"{_MODULES}{name}"


def _name(place: str, record: dict[str, Any]) -> str:
    alias = record.get("name")
    return alias if isinstance(alias, str) else place.rpartition(_MODULES)[2]


def _found(record: dict[str, Any], *, direct: bool) -> Found:
    version, integrity = record.get("version"), record.get("integrity")
    commit = commit_of(str(record.get("resolved")))
    return Found(
        version if isinstance(version, str) else None,
        integrity if isinstance(integrity, str) else commit,
        direct,
    )
