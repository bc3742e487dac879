"""What was purged: texts that may never stand in the store again, known by their digests alone.

``purged/<digest>`` is an empty file for each of them; the digest is the SHA-256 of the content, so
that it is the same in every repository, whatever its object format, and tells nothing of a text.
"""

from __future__ import annotations

import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Protocol

    class Files(Protocol):
        """Whatever lists (path, blob) of the files below a folder, such as a tree of a view."""

        def files(self, under: str = "") -> Iterable[tuple[str, str]]:
            """Return (path, blob) of every file below a folder."""


PURGED = "purged"
#: The reason of a tombstone that a purge leaves, and what stands in a text that it kept.
REASON = "purged"
PLACEHOLDER = "[REDACTED:PURGED]"
_DIGITS = frozenset("0123456789abcdef")
_LENGTH = 64


def read_purged(files: Files) -> frozenset[str]:
    """Return the digests that a tree or snapshot of the store holds; other files there are none."""
    found = (path.partition("/")[2] for path, _ in files.files(PURGED))
    return frozenset(digest for digest in found if is_digest(digest))


def is_purged(data: bytes, purged: Collection[str]) -> bool:
    """Tell whether a content is one of those that were purged."""
    return bool(purged) and digest_of(data) in purged


def digest_of(data: bytes) -> str:
    """Return the digest by which a content is known to have been purged."""
    return hashlib.sha256(data).hexdigest()


def purged_path(digest: str) -> str:
    """Return where the tree says that a content was purged."""
    return f"{PURGED}/{digest}"


def is_digest(text: str) -> bool:
    """Tell whether a text is such a digest."""
    return len(text) == _LENGTH and _DIGITS.issuperset(text)
