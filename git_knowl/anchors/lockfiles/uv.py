"""uv.lock, version 1; packages whose source is a folder are the project and its members."""

import re
from collections.abc import Iterator

from git_knowl.anchors.lockfiles.listing import (
    Found,
    Listing,
    check_format,
    commit_of,
    first_group,
)
from git_knowl.anchors.lockfiles.toml import archive_hash, blocks, is_wished

_FORMAT = re.compile(r"^version = (\d+)", re.MULTILINE)
_FOLDER = re.compile(r"\nsource = \{ (virtual|editable|directory) = ")
_GIT = re.compile(r'\nsource = \{ git = "([^"]+)"')
_FILE = re.compile(r'\{ (?:url|path|filename) = "([^"]+)", hash = "([^"]+)"')
_WISH = re.compile(r'\{ name = "([^"]+)"(?:, version = "([^"]+)")?')


def scan(text: str) -> Listing:
    """Return every package from elsewhere; the folders tell what is direct."""
    check_format("version", first_group(_FORMAT, text), ("1",))
    packages = list(blocks(text))
    folders = [(name, block) for name, _, block in packages if _FOLDER.search(block)]
    direct = {wish for _, block in folders for wish in _wishes(block)}
    return Listing(
        [
            (name, Found(version or None, _integrity(block), is_wished(name, version, direct)))
            for name, version, block in packages
            if not _FOLDER.search(block)
        ],
        own=frozenset(name for name, _ in folders),
    )


def _wishes(block: str) -> Iterator[tuple[str, str]]:
    """Yield name and version of what a member asks for; '' where only one is locked."""
    yield from _WISH.findall(block.partition("\n[package.metadata")[0])


def _integrity(block: str) -> str | None:
    address = first_group(_GIT, block)
    return commit_of(f"git+{address}") if address else archive_hash(_FILE.findall(block))
