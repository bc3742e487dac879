"""Look-ups in the lockfiles under ``tests/data/lockfiles``, and in made-up ones."""

from __future__ import annotations

from pathlib import Path

from git_knowl.anchors.lockfiles.listing import Resolution, Resolved, Unreadable
from git_knowl.anchors.lockfiles.table import resolve

DATA = Path(__file__).parents[1] / "data" / "lockfiles"


def look_up(lockfile: str, package: str) -> Resolution:
    """Return what a sample says about a package such as ``npm/ms``."""
    return resolve(lockfile, (DATA / lockfile).read_bytes(), f"pkg:{package}")


def resolved(lockfile: str, package: str) -> Resolved:
    """Return what a sample resolves a package to; fails where it does not."""
    found = look_up(lockfile, package)
    assert isinstance(found, Resolved), found
    return found


def version(lockfile: str, package: str) -> str:
    """Return the version a sample resolves a package to."""
    return resolved(lockfile, package).version


def integrity(lockfile: str, package: str) -> str | None:
    """Return the integrity of a package in a sample."""
    return resolved(lockfile, package).integrity


def reason(path: str, content: str | bytes, package: str) -> str:
    """Return why a lockfile with this content cannot tell."""
    data = content.encode() if isinstance(content, str) else content
    found = resolve(path, data, f"pkg:{package}")
    assert isinstance(found, Unreadable), found
    return found.reason
