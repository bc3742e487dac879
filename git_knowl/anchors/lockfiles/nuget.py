"""packages.lock.json of NuGet, version 1 and 2: packages for every target framework."""

from typing import Any

from git_knowl.anchors.lockfiles.json_text import format_number, load, objects, string
from git_knowl.anchors.lockfiles.listing import Found, Listing, check_format


def scan(text: str) -> Listing:
    """Return every package that is not a project of the solution, once for each framework."""
    lockfile = load(text)
    check_format("version", format_number(lockfile.get("version")), ("1", "2"))
    frameworks = objects(lockfile.get("dependencies")).values()
    return Listing(
        [
            (name, _found(record))
            for framework in frameworks
            for name, record in objects(framework).items()
            if record.get("type") != "Project"
        ]
    )


def _found(record: dict[str, Any]) -> Found:
    content = string(record.get("contentHash"))
    return Found(
        string(record.get("resolved")),
        content and f"sha512-{content}",
        record.get("type") == "Direct",
    )
