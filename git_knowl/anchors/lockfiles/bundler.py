"""Gemfile.lock and gems.locked: sections headed in capitals, gems as ``NAME (VERSION-PLATFORM)``.

DEPENDENCIES tells what the project asks for; CHECKSUMS stands there since Bundler 2.6 if wished.
"""

import re
from collections.abc import Iterator
from typing import Any

from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError, first_group

_SECTION = re.compile(r"\n(?=[A-Z])")
_SPEC = re.compile(r"^    (\S+) \(([^)\n]+)\)", re.MULTILINE)
_WISH = re.compile(r"^  ([^\s!]+)", re.MULTILINE)
_CHECKSUM = re.compile(r"^  (\S+) \(([^)\n]+)\) (\w+)=(\w+)", re.MULTILINE)
_COMMIT = re.compile(r"\n  revision: ([0-9a-f]{40,64})")
_SOURCES = ("GEM", "GIT", "PATH", "PLUGIN SOURCE")
_LOCAL = "PATH"

_Checksums = dict[tuple[str, str], str]


def scan(text: str) -> Listing:
    """Return every gem that is not a folder of the project, once for each platform."""
    sections = [section.partition("\n") for section in _SECTION.split("\n" + text)]
    if not {head for head, _, _ in sections} & {*_SOURCES}:
        raise LockfileError(f"expected one of the sections {', '.join(_SOURCES)}, found none")

    def found(pattern: re.Pattern[str], heading: str) -> list[Any]:
        bodies = (body for head, _, body in sections if head == heading)
        return [match for body in bodies for match in pattern.findall(body)]

    wishes = set(found(_WISH, "DEPENDENCIES"))
    checksums: _Checksums = {
        (name, version): f"{algorithm}:{digest}"
        for name, version, algorithm, digest in found(_CHECKSUM, "CHECKSUMS")
    }
    foreign = {*_SOURCES} - {_LOCAL}
    elsewhere = (body for head, _, body in sections if head in foreign)
    gems = (gem for body in elsewhere for gem in _gems(body, checksums))
    return Listing(
        [(name, Found(version, integrity, name in wishes)) for name, version, integrity in gems],
        own=frozenset(name for name, _ in found(_SPEC, _LOCAL)),
    )


def _gems(body: str, checksums: _Checksums) -> Iterator[tuple[str, str, str | None]]:
    """Yield name, version and integrity; the checksum for all platforms counts if there is one."""
    commit = first_group(_COMMIT, "\n" + body)
    for name, full in _SPEC.findall(body):
        version = full.partition("-")[0]
        checksum = checksums.get((name, version)) or checksums.get((name, full))
        yield name, version, f"git:{commit}" if commit else checksum
