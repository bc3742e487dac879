"""What this worktree has been told: how far it caught up, and which suspects it was told of.

Two files beside the worktree, both of which may be lost: ``cursor`` is one line with a commit, that
the shims of the hooks read and move too; ``told`` has lines ``ID BLOB MARK``, where the blob is the
document of the entry and the mark stands for one evidence against it, or for "suspect now". So an
entry is announced when it turns, not with every change it stays suspect by; the same change is not
announced twice, also after a switch of branches and back; and a verify makes the next one news.
"""

from __future__ import annotations

import zlib

from git_knowl.plumbing.small_files import put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from git_knowl.plumbing.repository import Repository

    Mark = tuple[str, str, str]

CURSOR = "cursor"
TOLD = "told"
_HEX = frozenset("0123456789abcdef")
#: As much of a blob id and of an evidence is kept as tells it from the few others of the entry.
_SHORT = 10
#: The mark of an entry that was suspect when it was looked at last.
NOW = "now"


def read_cursor(repo: Repository) -> str | None:
    """Return the commit this worktree has caught up to, None where that is not known."""
    lines = _read(repo.worktree_path(CURSOR)).split()
    commit = lines[0] if lines else ""
    return commit if len(commit) == len(repo.zero_id) and _HEX.issuperset(commit) else None


def move_cursor(repo: Repository, commit: str | None) -> bool:
    """Remember the commit this worktree has caught up to; tell whether that could be written."""
    return put(repo.worktree_path(CURSOR), f"{commit}\n".encode()) if commit else False


def mark(identifier: str, blob: str, evidence: Iterable[tuple[str, str | None]]) -> Mark:
    """Return what stands for a suspect: the entry, its document, and (target, found) against it."""
    told = "\n".join(f"{target}={(found or '')[:_SHORT]}" for target, found in sorted(evidence))
    crc = zlib.crc32(told.encode("utf-8", "surrogateescape"))
    return identifier, blob[:_SHORT], f"{crc:08x}"


def read_told(repo: Repository) -> set[Mark]:
    """Return what this worktree was told of."""
    parts = (line.split(" ") for line in _read(repo.worktree_path(TOLD)).splitlines())
    return {(one[0], one[1], one[2]) for one in parts if len(one) == 3}


def is_news(known: Collection[Mark], one: Mark) -> bool:
    """Tell whether a suspect has turned since it was looked at last, by a change not told yet."""
    return one not in known and now(one) not in known


def now(one: Mark) -> Mark:
    """Return the mark that an entry with this document is suspect now."""
    return one[0], one[1], NOW


def write_told(
    repo: Repository, known: Collection[Mark], suspects: Collection[Mark], sound: Collection[str]
) -> bool:
    """Remember what was told now, and which entries (by id) turned out to be sound.

    Of an entry whose document is another one the old lines go.
    """
    blobs = {identifier: blob for identifier, blob, _ in suspects}
    kept = {
        one
        for one in known
        if blobs.get(one[0], one[1]) == one[1] and not (one[2] == NOW and one[0] in sound)
    }
    new = kept.union(suspects, map(now, suspects))
    if new == known:
        return True
    lines = "".join(f"{' '.join(one)}\n" for one in sorted(new))
    return put(repo.worktree_path(TOLD), lines.encode())


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
