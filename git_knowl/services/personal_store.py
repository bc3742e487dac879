"""The personal store: where it is, and how it is opened beside that of a repository.

It is the store of a bare repository that ``knowl.personal`` names, with a remote of its own if the
person wants one; nothing of it goes along with the repository's. What is done to its entries is
done there: it is a store like any other.
"""

from __future__ import annotations

import os
import shlex

from git_knowl.errors import KnowlError
from git_knowl.plumbing.repository import NotARepository, Repository
from git_knowl.services.context import Context

PERSONAL = "personal"
KEY = "knowl.personal"
#: Where one is made unless somebody says where.
USUAL_PLACE = "~/knowledge.git"


class PersonalStoreError(KnowlError):
    """A personal store that is asked for and not there."""


class PersonalContext(Context):
    """The personal store, with the files of whoever asks from another repository."""

    def __init__(self, repo: Repository, asking: Context) -> None:
        super().__init__(repo, asking.caller)
        self._asking = asking
        self.world = asking.world

    def refresh(self) -> None:
        """Forget what was read; the files stay those of whoever asks."""
        super().refresh()
        self._asking.__dict__.pop("world", None)
        self.world = self._asking.world


def open_personal(ctx: Context) -> Context:
    """Return the personal store as a context whose anchors are judged where the caller stands.

    Raises PersonalStoreError where none is set, or what is set is no bare repository.
    """
    path = ctx.settings.personal
    if not path:
        raise PersonalStoreError(
            "no personal store is set",
            "'git knowl init --personal' makes one and sets it",
        )
    try:
        repo = ctx.repo.other(path)
    except NotARepository as error:
        raise PersonalStoreError(
            f"knowl.personal: expected a bare repository at '{path}': {error.message}",
            "'git knowl init --personal' makes one there",
        ) from error
    return PersonalContext(repo, ctx)


def reach(personal: Context) -> str:
    """Return how git is aimed at the personal store from anywhere, to be followed by a verb."""
    return f"git --git-dir {shlex.quote(personal.repo.git_dir)} knowl"


def find_personal(ctx: Context) -> Context | None:
    """Return the personal store for reading beside that of the repository, None where none is.

    One that cannot be read is told and hides nothing else; in the personal store itself there is
    no other.
    """
    if not ctx.settings.personal:
        return None
    try:
        found = open_personal(ctx)
    except PersonalStoreError as error:
        ctx.repo.notices.append(error.message)
        return None
    is_same = os.path.realpath(found.repo.common_dir) == os.path.realpath(ctx.repo.common_dir)
    return None if is_same else found
