"""yarn.lock of Yarn 2 and later, ``__metadata.version`` 4 to 10.

YAML stanzas are headed by descriptors, each with its resolution. Stanzas of workspaces hold what
the project asks for. Patches that Yarn itself brings along (for TypeScript and a few more) stand
beside the package they patch and say nothing about it.
"""

import re
from collections.abc import Iterator

from git_knowl.anchors.lockfiles.listing import Found, Listing, check_format, first_group

_STANZA = re.compile(r"\n(?=[^\s:#])")
_RESOLUTION = re.compile(r'\n  resolution: "?([^"\n]+)')
_VERSION = re.compile(r'\n  version: "?([^"\n]+)')
_CHECKSUM = re.compile(r"\n  checksum: (\S+)")
_DEPENDENCIES = re.compile(r"\n  dependencies:\n((?:    .*\n?)+)")
_DEPENDENCY = re.compile(r'^    "?([^":\n]+)"?: "?([^"\n]+)', re.MULTILINE)
_FORMAT = re.compile(r"^__metadata:\n(?:  .*\n)*?  version: (\d+)", re.MULTILINE)
_FORMATS = ("4", "5", "6", "7", "8", "9", "10")
_CACHE_KEY = re.compile(r"\n  cacheKey: (\S+)")
_LOCAL = ("workspace:", "link:", "portal:")


def scan(text: str) -> Listing:
    """Return every package that is not part of the project itself."""
    check_format("__metadata.version", first_group(_FORMAT, text), _FORMATS)
    cache_key = first_group(_CACHE_KEY, text) or ""
    stanzas = [(stanza, first_group(_RESOLUTION, stanza)) for stanza in _STANZA.split(text)]
    direct = {
        descriptor
        for stanza, resolution in stanzas
        if resolution and "@workspace:" in resolution
        for descriptor in _wishes(stanza)
    }
    return Listing(
        [
            (name, _found(stanza, direct, cache_key))
            for stanza, resolution in stanzas
            if resolution and (name := _outside_name(resolution))
        ],
        own=frozenset(
            resolution[: resolution.find("@", 1)]
            for _, resolution in stanzas
            if resolution and _reference(resolution).startswith(_LOCAL)
        ),
    )


def _outside_name(resolution: str) -> str | None:
    """Return the package a resolution is about; None for local and built-in ones."""
    reference = _reference(resolution)
    if not reference or reference.startswith(_LOCAL) or "builtin<" in reference:
        return None
    return resolution[: resolution.find("@", 1)]


def _reference(resolution: str) -> str:
    end = resolution.find("@", 1)
    return "" if end < 0 else resolution[end + 1 :]


def _found(stanza: str, direct: set[str], cache_key: str) -> Found:
    head = stanza.partition("\n")[0].removeprefix("? ").removesuffix(":")
    descriptors = {part.partition("::")[0] for part in head.strip('"').split(", ")}
    return Found(
        first_group(_VERSION, stanza),
        _integrity(first_group(_CHECKSUM, stanza), cache_key),
        not direct.isdisjoint(descriptors),
    )


def _integrity(checksum: str | None, cache_key: str) -> str | None:
    """Return the checksum behind the key of its archive format, where Yarn 4 puts it by itself.

    Checksums are those of repacked archives: between two formats they say nothing.
    """
    return f"{cache_key}/{checksum}" if checksum and "/" not in checksum else checksum


def _wishes(stanza: str) -> Iterator[str]:
    """Yield the descriptors a workspace asks for; before Yarn 4 ``npm:`` was left out."""
    for name, wanted in _DEPENDENCY.findall(first_group(_DEPENDENCIES, stanza) or ""):
        yield f"{name}@{wanted}"
        yield f"{name}@npm:{wanted}"
