"""pnpm-lock.yaml, lockfileVersion 5, 6 and 9.

The file is cut into lines and blocks by indentation: a YAML parser takes fifty times as long on a
large one. Keys look like ``/name/1.0.0_peer@2.0.0`` (5), ``/name@1.0.0(peer@2.0.0)`` (6) or
``name@1.0.0`` (9); packages from elsewhere give ``name`` and ``version`` as fields. A package that
the project patches has the hash of the patch as its integrity: the archive is that of the version.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from git_knowl.anchors.lockfiles.listing import (
    Found,
    Listing,
    check_format,
    commit_of,
    first_group,
)

_PACKAGES = "\npackages:\n"
_LINK = "link:"
_FORMAT = re.compile(r"^lockfileVersion: ['\"]?(\d+)", re.MULTILINE)
_SECTION = re.compile(r"\n(?=\S)")
_BLOCK = re.compile(r"\n(?=  [^\s:])")
_SLASH_KEY = re.compile(r"/((?:@[^/]+/)?[^/]+)/([^/_(]+)")
_AT_KEY = re.compile(r"/?(@?[^@/(]+(?:/[^@/(]+)?)@([^(]+)")
_NAME = re.compile(r"\n    name: ['\"]?([^'\"\n]+)")
_VERSION = re.compile(r"\n    version: ['\"]?([^'\"\n]+)")
_INTEGRITY = re.compile(r"integrity: ([^,}\s]+)")
_COMMIT = re.compile(r"\bcommit: ([0-9a-f]{40,64})")
_TARBALL = re.compile(r"\btarball: ([^,}\s]+)")
_PATCHES = re.compile(r"^patchedDependencies:\n((?:  .*\n)+)", re.MULTILINE)
_PATCH = re.compile(
    r"^  ['\"]?(@?[^@'\":]+)(?:@([^'\":]+))?['\"]?:(?: |\n    hash: )(\w+)", re.MULTILINE
)
_GROUPS = ("dependencies:", "devDependencies:", "optionalDependencies:")

_Key = tuple[str, str]


def scan(text: str) -> Listing:
    """Return every package; the importers tell what is direct."""
    packages: list[tuple[str, Found]] = []
    own: set[str] = set()
    for document in text.split("\n---\n"):
        packages.extend(_scan_document(document))
        wishes = _wishes(document.partition(_PACKAGES)[0])
        own |= {name for name, reference in wishes if reference.startswith(_LINK)}
    return Listing(packages, own=frozenset(own))


def _scan_document(text: str) -> Iterator[tuple[str, Found]]:
    number = first_group(_FORMAT, text)
    check_format("lockfileVersion", number, ("5", "6", "9"))
    pattern = _SLASH_KEY if number == "5" else _AT_KEY
    head, _, tail = text.partition(_PACKAGES)
    patches = {(name, version): digest for name, version, digest in _patched(head)}
    direct = {_target(name, reference, pattern) for name, reference in _wishes(head)}
    for key, block in _blocks(tail):
        package = _parse(key, pattern)
        name = package[0] if package else first_group(_NAME, block)
        if name:
            is_direct = package is not None and package in direct
            yield name, _as_patched(name, _found(block, package, direct=is_direct), patches)


def _as_patched(name: str, found: Found, patches: Mapping[tuple[str, str], str]) -> Found:
    patch = patches.get((name, found.version or "")) or patches.get((name, ""))
    return replace(found, integrity=f"patch:{patch}") if patch else found


def _patched(head: str) -> list[tuple[str, str, str]]:
    """Return name, version ('' for all of them) and hash of every patch."""
    return _PATCH.findall(first_group(_PATCHES, head) or "")


def _blocks(tail: str) -> Iterator[_Key]:
    """Yield key and text of every block up to the next section; YAML marks long keys with ``?``."""
    section = _SECTION.split(tail, maxsplit=1)[0]
    for block in _BLOCK.split("\n" + section):
        key = block.strip().partition("\n")[0].removeprefix("? ").removesuffix(":")
        yield _unquote(key), block


def _parse(key: str, pattern: re.Pattern[str]) -> _Key | None:
    match = pattern.match(key)
    return (match[1], match[2]) if match else None


def _found(block: str, package: _Key | None, *, direct: bool) -> Found:
    version = first_group(_VERSION, block) or (package and package[1])
    return Found(version, _integrity(block), direct)


def _integrity(block: str) -> str | None:
    integrity = first_group(_INTEGRITY, block)
    if integrity:
        return integrity
    commit = first_group(_COMMIT, block)
    return f"git:{commit}" if commit else commit_of(first_group(_TARBALL, block) or "")


def _wishes(head: str) -> Iterator[_Key]:
    """Yield name and reference of what the projects ask for.

    The reference stands beside the name (5) or, indented, as its ``version`` (6 and 9).
    """
    group: int | None = None
    name = ""
    for line in head.splitlines():
        key, _, value = line.strip().partition(": ")
        depth = len(line) - len(line.lstrip(" "))
        if key in _GROUPS:
            group = depth
        elif group is None or depth <= group:
            group = None
        elif depth == group + 2:
            name = _unquote(key.removesuffix(":"))
            if value:
                yield name, _unquote(value)
        elif key == "version":
            yield name, _unquote(value)


def _target(name: str, reference: str, pattern: re.Pattern[str]) -> _Key | None:
    """Return the package a reference leads to: a bare version, an address, or a key (alias)."""
    if "://" in reference:
        return name, reference
    if reference[:1].isdigit():
        return name, re.split(r"[_(]", reference, maxsplit=1)[0]
    return _parse(reference, pattern)


def _unquote(text: str) -> str:
    return text.strip("'\"")
