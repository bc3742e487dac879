"""Pipfile.lock, pipfile-spec 6: groups of packages (``default``, ``develop``, own ones).

Hashes stand there without the names of their files. Which packages the project itself asks for
stands in the Pipfile only.
"""

from typing import Any

from git_knowl.anchors.lockfiles.json_text import format_number, load, objects, string
from git_knowl.anchors.lockfiles.listing import Found, Listing, check_format

_META = "_meta"


def scan(text: str) -> Listing:
    """Return every package of every group that is not a folder or file of the project."""
    groups = objects(load(text))
    number = format_number(groups.get(_META, {}).get("pipfile-spec"))
    check_format("pipfile-spec", number, ("6",))
    named = [
        (name, record)
        for group, packages in groups.items()
        if group != _META
        for name, record in objects(packages).items()
    ]
    return Listing(
        [(name, _found(record)) for name, record in named if not _is_local(record)],
        own=frozenset(name for name, record in named if _is_local(record)),
    )


def _is_local(record: dict[str, Any]) -> bool:
    return "path" in record or "://" not in str(record.get("file", "://"))


def _found(record: dict[str, Any]) -> Found:
    """Return a pinned version; of a git package, which has none here, its commit."""
    pinned = string(record.get("version"))
    version = pinned.lstrip("=") if pinned and pinned.startswith("==") else None
    hashes = record.get("hashes")
    integrity = hashes[0] if isinstance(hashes, list) and len(hashes) == 1 else None
    return Found(version or string(record.get("ref")), string(integrity))
