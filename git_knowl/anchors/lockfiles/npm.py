"""package-lock.json and npm-shrinkwrap.json, lockfileVersion 1 to 3.

Versions 2 and 3 list every installed copy under ``packages``, by its place in the tree; a copy
installed under an alias carries its real ``name``.
"""

from collections.abc import Iterator
from typing import Any

from git_knowl.anchors.lockfiles import npm_nested
from git_knowl.anchors.lockfiles.json_text import format_number, load, objects, string
from git_knowl.anchors.lockfiles.listing import (
    Found,
    Listing,
    LockfileError,
    check_format,
    commit_of,
)

_MODULES = "node_modules/"
GROUPS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


def scan(text: str) -> Listing:
    """Return every installed copy; the project and its workspaces tell what is direct."""
    lockfile = load(text)
    number = format_number(lockfile.get("lockfileVersion"))
    check_format("lockfileVersion", number, ("1", "2", "3"))
    if number == "1":
        return npm_nested.scan(lockfile)
    packages = _packages(lockfile)
    direct = {place for root in packages for place in _direct_places(root, packages)}
    return Listing(
        [
            (_name(place, record), _found(record, direct=place in direct))
            for place, record in packages.items()
            if _MODULES in place and not record.get("link")
        ],
        own=frozenset(_own(packages)),
    )


def _own(packages: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the names of the project and its workspaces, which are installed as links."""
    for place, record in packages.items():
        if record.get("link") or (_MODULES not in place and string(record.get("name"))):
            yield _name(place, record)


def _packages(lockfile: dict[str, Any]) -> dict[str, dict[str, Any]]:
    packages = lockfile.get("packages")
    if not isinstance(packages, dict):
        raise LockfileError("expected an object under 'packages'")
    return objects(packages)


def _direct_places(root: str, packages: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield where the wishes of a project or workspace folder are installed."""
    if _MODULES in root:
        return
    for group in GROUPS:
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
    commit = commit_of(str(record.get("resolved")))
    integrity = string(record.get("integrity")) or commit
    return Found(string(record.get("version")), integrity, direct)
