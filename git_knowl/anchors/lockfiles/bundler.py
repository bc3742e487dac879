"""Gemfile.lock and gems.locked: sections headed in capitals, gems as ``NAME (VERSION-PLATFORM)``.

DEPENDENCIES tells what the project asks for; CHECKSUMS stands there since Bundler 2.6 if wished.
"""

import re
from collections.abc import Iterator

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
    if not any(head in _SOURCES for head, _, _ in sections):
        raise LockfileError(f"expected one of the sections {', '.join(_SOURCES)}, found none")
    wishes = {
        name for head, _, body in sections if head == "DEPENDENCIES" for name in _WISH.findall(body)
    }
    checksums: _Checksums = {
        (name, version): f"{algorithm}:{digest}"
        for head, _, body in sections
        if head == "CHECKSUMS"
        for name, version, algorithm, digest in _CHECKSUM.findall(body)
    }
    return Listing(
        [
            (name, Found(version, integrity, name in wishes))
            for head, _, body in sections
            if head in _SOURCES and head != _LOCAL
            for name, version, integrity in _gems(body, checksums)
        ],
        own=frozenset(
            name for head, _, body in sections if head == _LOCAL for name, _ in _SPEC.findall(body)
        ),
    )


def _gems(body: str, checksums: _Checksums) -> Iterator[tuple[str, str, str | None]]:
    """Yield name, version and integrity; the checksum for all platforms counts if there is one."""
    commit = first_group(_COMMIT, "\n" + body)
    for name, full in _SPEC.findall(body):
        version = full.partition("-")[0]
        checksum = checksums.get((name, version)) or checksums.get((name, full))
        yield name, version, f"git:{commit}" if commit else checksum
