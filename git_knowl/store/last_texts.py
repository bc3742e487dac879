"""The last text of what is no longer live, and the tips of an earlier day: read from history."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from git_knowl.plumbing.repository import Repository
from git_knowl.store import layout

#: Fields of a raw diff line before the path: modes, blobs, what happened.
_OLD_BLOB = 2


def last_texts(repo: Repository, tip: str, ids: Collection[str]) -> dict[str, str]:
    """Return path and blob of the last document of entries that were taken out before a tip.

    What was purged, or lies behind the end of a shallow clone, is left out.
    """
    out = repo.git(
        "log", "-z", "--no-show-signature", "--format=", "--raw", "--no-abbrev", "--no-renames",
        "--diff-filter=D", "--topo-order", tip, "--", layout.ENTRIES,
    )  # fmt: skip
    fields = [field.lstrip("\n") for field in os.fsdecode(out).split("\0")]
    found: dict[str, tuple[str, str]] = {}
    for raw, path in zip(fields[::2], fields[1::2], strict=False):
        told = layout.parse_entry_path(path)
        if told and told[0] in ids:
            found.setdefault(told[0], (path, raw.split(" ")[_OLD_BLOB]))
    return dict(found.values())


def tips_until(
    repo: Repository, tips: Mapping[str, str | None], until: str
) -> dict[str, str | None]:
    """Return the commit of each lane as it stood here at a time, as far as clocks were right."""
    return {lane: tip and _tip_until(repo, tip, until) for lane, tip in tips.items()}


def _tip_until(repo: Repository, tip: str, until: str) -> str | None:
    out = repo.git("rev-list", "--first-parent", "--max-count=1", f"--until={until}", tip)
    return out.decode("ascii").strip() or None
