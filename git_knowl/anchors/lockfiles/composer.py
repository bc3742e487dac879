"""composer.lock: ``packages`` and ``packages-dev``, in one format since Composer 1.

The file does not say which packages are direct. A version such as ``dev-main`` is a branch: what
it stands for is told by the commit, so that is the integrity.
"""

from typing import Any

from git_knowl.anchors.lockfiles.json_text import load, objects, records, string
from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError


def scan(text: str) -> Listing:
    """Return every package that is not a folder of the project."""
    lockfile = load(text)
    if not isinstance(lockfile.get("packages"), list):
        raise LockfileError("expected an array under 'packages'")
    named = [
        (name, record)
        for group in ("packages", "packages-dev")
        for record in records(lockfile.get(group))
        if (name := string(record.get("name")))
    ]
    return Listing(
        [(name, _found(record)) for name, record in named if not _is_local(record)],
        own=frozenset(name for name, record in named if _is_local(record)),
    )


def _is_local(record: dict[str, Any]) -> bool:
    return bool(objects(record).get("dist", {}).get("type") == "path")


def _found(record: dict[str, Any]) -> Found:
    origins = objects(record)
    source, archive = origins.get("source", {}), origins.get("dist", {})
    commit = string(source.get("reference")) or string(archive.get("reference"))
    checksum = string(archive.get("shasum"))
    integrity = f"git:{commit}" if commit else checksum and f"sha1:{checksum}"
    return Found(string(record.get("version")), integrity)
