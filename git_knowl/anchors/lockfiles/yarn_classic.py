"""yarn.lock version 1: stanzas headed by the descriptors (name and range) they satisfy.

The file does not say which descriptors are those of the project.
"""

import re
from collections.abc import Iterator

from git_knowl.anchors.lockfiles.listing import Found, Listing, commit_of, first_group

_STANZA = re.compile(r"\n(?=[^\s#])")
_DESCRIPTOR = re.compile(r'"([^"]*)"|([^\s,"]+)')
_VERSION = re.compile(r'\n  version "?([^"\n]+)')
_RESOLVED = re.compile(r'\n  resolved "?([^"\n]+)')
_INTEGRITY = re.compile(r"\n  integrity (\S+)")


def scan(text: str) -> Listing:
    """Return every stanza once for each package it stands for."""
    packages: list[tuple[str, Found]] = []
    for stanza in _STANZA.split(text)[1:]:
        found = _found(stanza)
        packages.extend((name, found) for name in sorted(set(_names(stanza))))
    return Listing(packages)


def _found(stanza: str) -> Found:
    commit = commit_of(first_group(_RESOLVED, stanza) or "")
    return Found(first_group(_VERSION, stanza), first_group(_INTEGRITY, stanza) or commit)


def _names(stanza: str) -> Iterator[str]:
    head = stanza.partition("\n")[0].removesuffix(":")
    for quoted, plain in _DESCRIPTOR.findall(head):
        yield _name(quoted or plain)


def _name(descriptor: str) -> str:
    """Return the package of ``name@range``; an alias asks for ``alias@npm:name@range``."""
    end = descriptor.find("@", 1)
    if end < 0:
        return descriptor
    wanted = descriptor[end + 1 :].removeprefix("npm:")
    is_alias = descriptor.startswith("npm:", end + 1) and wanted.find("@", 1) > 0
    return _name(wanted) if is_alias else descriptor[:end]
