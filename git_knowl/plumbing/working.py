"""Which paths a worktree is being worked on: asked of git while something else is done.

These are the paths that differ from HEAD, files that are new, and what the last commits changed
that the branch has before its trunk. None of it is worth waiting for twice or failing for: what git
does not answer is left out.
"""

from __future__ import annotations

import os

from git_knowl.plumbing import index_file
from git_knowl.plumbing.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_knowl.plumbing.process import Conversation
    from git_knowl.plumbing.repository import Repository

#: In a tree of more files only tracked ones are looked at, in one of still more none: what is
#: staged and committed tells enough then. Looking at a file costs git 2 to 3 microseconds.
WIDE, HUGE = 20_000, 100_000
MOST_PATHS = 300
MOST_COMMITS = 10
#: Seconds; a session that starts has more to wait for.
PATIENCE = 5.0
_AFAR = "refs/remotes/origin/HEAD"
_TRUNKS = ("refs/heads/main", "refs/heads/master")
_CHANGED = ("ls-files", "-z", "--modified")
_NEW = ("--others", "--exclude-standard", "--directory", "--no-empty-directory")
_STAGED = ("diff-index", "--cached", "-z", "--name-only", "--no-renames", "--ignore-submodules=all")
_COMMITTED = (
    *("log", "-z", "--format=", "--name-only", "--no-renames", "--no-merges"),
    *("--no-show-signature", "--no-ext-diff", "--no-color", "--no-relative"),
    f"--max-count={MOST_COMMITS}",
)


class Work:
    """Paths from the top, in order: those that differ from HEAD, and those of the last commits."""

    __slots__ = ("committed", "differing")

    def __init__(self, differing: Iterable[str] = (), committed: Iterable[str] = ()) -> None:
        self.differing = sorted(set(differing))[:MOST_PATHS]
        self.committed = sorted(set(committed))[:MOST_PATHS]


class Working:
    """The questions to git, started; close it where nobody wants the answers any more."""

    __slots__ = ("_before", "_now")

    def __init__(self, repo: Repository) -> None:
        self._now = [_ask(repo, one) for one in _differing(repo)]
        self._before = [_ask(repo, one) for one in _committed(repo)]

    def found(self) -> Work:
        """Return what git has to say, waiting for it."""
        work = Work(_answers(self._now), _answers(self._before))
        self._now = self._before = []
        return work

    def close(self) -> None:
        """Let go of what was asked."""
        for one in (*self._now, *self._before):
            one.close()
        self._now = self._before = []


def _ask(repo: Repository, question: tuple[str, ...]) -> Conversation:
    # The first commit of all has every file.
    return repo.converse(*question, config=("log.showRoot=false",), timeout=PATIENCE)


def _differing(repo: Repository) -> Iterator[tuple[str, ...]]:
    if repo.work_tree is None:
        return
    _, size = index_file.header(repo)
    if size <= HUGE:  # takes longest, so it starts first
        yield _CHANGED if size > WIDE else (*_CHANGED, *_NEW)
    yield (*_STAGED, "HEAD")


def _committed(repo: Repository) -> Iterator[tuple[str, ...]]:
    """Yield the question for what a branch has before its trunk, and a trunk before the remote's.

    A trunk without a remote has nothing to be compared with; one look spares a call of git.
    """
    if repo.work_tree is None:
        return
    if repo.head is None or repo.head[1] not in _TRUNKS:
        yield (*_COMMITTED, "--ignore-missing", "HEAD", "--not", _AFAR, *_TRUNKS)
    elif os.path.exists(os.path.join(repo.common_dir, _AFAR)):
        yield (*_COMMITTED, "HEAD", "--not", _AFAR)


def _answers(asked: list[Conversation]) -> set[str]:
    return set[str]().union(*map(_answer, asked))


def _answer(asked: Conversation) -> set[str]:
    try:
        done = asked.finish()
    except GitError:
        return set()
    found = os.fsdecode(done.out).split("\0") if done.code == 0 else ()
    return {path for path in (one.strip("\n").rstrip("/") for one in found) if path}
