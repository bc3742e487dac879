"""Cargo.lock, version 1 (unnumbered) to 4; blocks without a source are the project's own crates."""

import re
from collections.abc import Iterator

from git_knowl.anchors.lockfiles.listing import (
    Found,
    Listing,
    LockfileError,
    check_format,
    commit_of,
    first_group,
)
from git_knowl.anchors.lockfiles.toml import blocks, is_wished

_FORMAT = re.compile(r"^version = (\d+)", re.MULTILINE)
_SOURCE = re.compile(r'\nsource = "([^"]+)"')
_CHECKSUM = re.compile(r'\nchecksum = "([^"]+)"')
_WISH = re.compile(r'^ "([^" ]+)(?: ([^" ]+))?', re.MULTILINE)


def scan(text: str) -> Listing:
    """Return every crate from elsewhere; the project's own crates tell what is direct."""
    if "[[package]]\n" not in text:
        raise LockfileError("expected [[package]] blocks, found none")
    check_format("version", first_group(_FORMAT, text) or "1", ("1", "2", "3", "4"))
    sourced = [(*package, first_group(_SOURCE, package[2])) for package in blocks(text)]
    direct = {
        wish for _, _, block, source in sourced if not source for wish in _WISH.findall(block)
    }
    own = frozenset(name for name, _, _, source in sourced if not source)
    return Listing(list(_outside(sourced, direct)), own=own)


def _outside(
    sourced: list[tuple[str, str, str, str | None]], direct: set[tuple[str, str]]
) -> Iterator[tuple[str, Found]]:
    for name, version, block, source in sourced:
        if source:
            is_direct = is_wished(name, version, direct)
            yield name, Found(version, _integrity(block, source), is_direct)


def _integrity(block: str, source: str) -> str | None:
    checksum = first_group(_CHECKSUM, block)
    return f"sha256:{checksum}" if checksum else commit_of(source)
