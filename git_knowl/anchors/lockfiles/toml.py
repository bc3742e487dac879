"""The TOML subset that poetry.lock, uv.lock and Cargo.lock share: blocks headed ``[[package]]``.

All three are written by programs in one layout, so that a block can be cut out by its head; a TOML
parser takes thirty times as long on a large file.
"""

import re
from collections.abc import Iterable, Iterator

_BLOCK = re.compile(r"\n(?=\[\[|\[metadata)")
_HEAD = re.compile(r'\[\[package\]\]\nname = "([^"\n]+)"\n(?:version = "([^"\n]+)"\n)?')


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, version ('' where it is computed at build time) and text of every block."""
    for block in _BLOCK.split(text + "\n"):
        match = _HEAD.match(block)
        if match:
            yield match[1], match[2] or "", block


def archive_hash(files: Iterable[tuple[str, str]]) -> str | None:
    """Return the hash of a Python package from its (file, hash) pairs.

    Wheels may be added to a release later, so the source archive counts, or the only file.
    """
    hashes = dict(files)
    sources = [digest for file, digest in hashes.items() if not file.endswith(".whl")]
    if len(sources) == 1:
        return sources[0]
    return next(iter(hashes.values())) if len(hashes) == 1 else None


def is_wished(name: str, version: str, wishes: set[tuple[str, str]]) -> bool:
    """Tell whether one of the wishes (name, version or '' where only one is locked) is meant."""
    return (name, version) in wishes or (name, "") in wishes
