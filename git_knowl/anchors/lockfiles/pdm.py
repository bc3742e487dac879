"""pdm.lock, lock_version 4; which packages are direct stands in pyproject.toml only.

A package that is asked for with extras has a block of its own beside the plain one.
"""

import re

from git_knowl.anchors.lockfiles.listing import Found, Listing, check_format, first_group
from git_knowl.anchors.lockfiles.toml import archive_hash, blocks

_FORMAT = re.compile(r'^lock_version = "(\d+)', re.MULTILINE)
_FILE = re.compile(r'\{(?:file|url) = "([^"]+)", hash = "([^"]+)"\}')
_COMMIT = re.compile(r'\nrevision = "([0-9a-f]{40,64})"')
_PATH = '\npath = "'


def scan(text: str) -> Listing:
    """Return every package that is not a folder of the project."""
    check_format("lock_version", first_group(_FORMAT, text), ("4",))
    packages = list(blocks(text))
    return Listing(
        [
            (name, Found(version or None, _integrity(block)))
            for name, version, block in packages
            if not _is_folder(block)
        ],
        own=frozenset(name for name, _, block in packages if _is_folder(block)),
    )


def _is_folder(block: str) -> bool:
    return _PATH in block and not _FILE.search(block)


def _integrity(block: str) -> str | None:
    commit = first_group(_COMMIT, block)
    return f"git:{commit}" if commit else archive_hash(_FILE.findall(block))
