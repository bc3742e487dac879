"""Names where the file system answers to every spelling: the index says how a file is called."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository


def folds_case(repo: Repository) -> bool:
    """Tell whether git found, when it made the repository, that case makes no difference here."""
    asked = ("config", "--type=bool", "--get", "core.ignorecase")
    return repo.git(*asked, ok=(0, 1)).strip() == b"true"


def other_spelling(repo: Repository, path: str) -> str | None:
    """Return the name in the index that differs from a path in nothing but case."""
    pattern = f":(top,icase,literal){path}"
    listed = os.fsdecode(repo.git("ls-files", "-z", "--", pattern, literal=False)).split("\0")
    return next((name for name in listed if name and name != path), None)
