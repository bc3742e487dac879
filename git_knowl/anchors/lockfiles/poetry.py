"""poetry.lock, lock-version 1 and 2; which packages are direct stands in pyproject.toml only."""

import re

from git_knowl.anchors.lockfiles.listing import Found, Listing, check_format, first_group
from git_knowl.anchors.lockfiles.toml import archive_hash, blocks

_FORMAT = re.compile(r'\nlock-version = "(\d+)')
_FILE = re.compile(r'\{file = "([^"]+)", hash = "([^"]+)"\}')
_COMMIT = re.compile(r'\nresolved_reference = "([0-9a-f]{40,64})"')
_FOLDER = '\ntype = "directory"\n'


def scan(text: str) -> Listing:
    """Return every package that is not a folder of the project."""
    check_format("lock-version", first_group(_FORMAT, text), ("1", "2"))
    packages = list(blocks(text))
    return Listing(
        [
            (name, Found(version, _integrity(block)))
            for name, version, block in packages
            if _FOLDER not in block
        ],
        own=frozenset(name for name, _, block in packages if _FOLDER in block),
    )


def _integrity(block: str) -> str | None:
    commit = first_group(_COMMIT, block)
    return f"git:{commit}" if commit else archive_hash(_FILE.findall(block))
