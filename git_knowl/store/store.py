"""The store as a door opens it, once: where it is, how objects are read, which names are taken."""

from __future__ import annotations

from git_knowl.store.view import REFS, View, read_refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.plumbing.objects import ObjectDatabase
    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.view import Names


def _no_step(name: str) -> None:
    del name


def _never() -> bool:
    return False


class Store:
    """All refs of the store in one repository.

    ``names`` answers which live entries have a name; without it both lanes are listed, which takes
    a tenth of a second at 100,000 entries. ``on_step`` is told every step of a write as it is done:
    ``locked``, ``read``, ``applied``, ``written``, ``published``. ``signs`` tells, when the shared
    lane is written, whether its commits are signed.
    """

    __slots__ = ("db", "names", "on_step", "repo", "signs")

    def __init__(
        self,
        repo: Repository,
        db: ObjectDatabase,
        names: Names | None = None,
        on_step: Callable[[str], None] = _no_step,
        signs: Callable[[], bool] = _never,
    ) -> None:
        self.repo = repo
        self.db = db
        self.names = names
        self.on_step = on_step
        self.signs = signs

    def view(self) -> View:
        """Return all refs as they stand now."""
        commits = read_refs(self.repo, REFS)
        return View(self.db, self.repo.object_format, commits, self.names)
