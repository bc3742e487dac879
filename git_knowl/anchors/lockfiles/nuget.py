"""packages.lock.json of NuGet, version 1 and 2: packages for every target framework."""

from typing import Any

from git_knowl.anchors.lockfiles.json_text import format_number, load, objects, string
from git_knowl.anchors.lockfiles.listing import Found, Listing, check_format

_LOCAL = "Project"


def scan(text: str) -> Listing:
    """Return every package that is not a project of the solution, once for each framework."""
    lockfile = load(text)
    check_format("version", format_number(lockfile.get("version")), ("1", "2"))
    frameworks = objects(lockfile.get("dependencies")).values()
    named = [item for framework in frameworks for item in objects(framework).items()]
    return Listing(
        [(name, _found(record)) for name, record in named if record.get("type") != _LOCAL],
        own=frozenset(name for name, record in named if record.get("type") == _LOCAL),
    )


def _found(record: dict[str, Any]) -> Found:
    content = string(record.get("contentHash"))
    return Found(
        string(record.get("resolved")),
        content and f"sha512-{content}",
        record.get("type") == "Direct",
    )
