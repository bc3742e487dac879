"""pylock.toml and pylock.NAME.toml, lock-version 1: the format that Python tools share.

See https://packaging.python.org/en/latest/specifications/pylock-toml/. Tools lay it out each in
their own way (archives as inline tables or as tables of their own, keys in any order), so what is
relied on is that ``[[packages]]`` and every key stand at the start of a line. The file does not
say which packages are direct.
"""

import re

from git_knowl.anchors.lockfiles.listing import (
    Found,
    Listing,
    LockfileError,
    check_format,
    first_group,
)

_FORMAT = re.compile(r"^lock-version\s*=\s*[\"'](\d+)", re.MULTILINE)
_BLOCK = re.compile(r"\n\[\[\s*packages\s*\]\][^\n]*(?=\n)")
_EMPTY = re.compile(r"\npackages\s*=\s*\[\s*\]")
_NAME = re.compile(r"\nname\s*=\s*[\"']([^\"'\n]+)")
_VERSION = re.compile(r"\nversion\s*=\s*[\"']([^\"'\n]+)")
_FOLDER = re.compile(r"\n(?:\[packages\.directory\]|directory\s*=)")
_COMMIT = re.compile(r"commit-id\s*=\s*[\"']([0-9a-f]{40,64})")
_SOURCE = re.compile(r"\n(?:\[packages\.sdist\b|sdist\b)")
_OTHER = re.compile(r"\n(?:\[+packages\.(?!sdist\b)|(?:wheels|archive)\s*=)")
_SHA256 = re.compile(r"sha256[\"']?\s*=\s*[\"']([0-9a-f]{64})")


def scan(text: str) -> Listing:
    """Return every package that is not a folder of the project."""
    check_format("lock-version", first_group(_FORMAT, text), ("1",))
    blocks = _BLOCK.split(text + "\n")[1:]
    if not blocks and not _EMPTY.search(text):
        raise LockfileError("expected [[packages]] blocks, found none")
    named = [(name, block) for block in blocks if (name := first_group(_NAME, block))]
    return Listing(
        [(name, _found(block)) for name, block in named if not _FOLDER.search(block)],
        own=frozenset(name for name, block in named if _FOLDER.search(block)),
    )


def _found(block: str) -> Found:
    """Return the version; where none is told, the commit of a package from a repository."""
    version = first_group(_VERSION, block.partition("\n[")[0])
    commit = first_group(_COMMIT, block)
    return Found(version or commit, f"git:{commit}" if commit else _archive_hash(block))


def _archive_hash(block: str) -> str | None:
    """Return the hash of the source archive, or of the only archive there is."""
    source = _SOURCE.search(block)
    part = _OTHER.split(block[source.start() :], maxsplit=1)[0] if source else block
    hashes = set(_SHA256.findall(part))
    return f"sha256:{hashes.pop()}" if len(hashes) == 1 else None
