"""Every ref name, and the only way refs are read and moved."""

from __future__ import annotations

import os
import time

from git_knowl.errors import KnowlError, MovedError
from git_knowl.plumbing.environment import NO_HOOKS
from git_knowl.plumbing.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.plumbing.lock import Lock
    from git_knowl.plumbing.process import Finished
    from git_knowl.plumbing.repository import Repository

HEAD = "HEAD"
ENTRIES = "refs/knowl/entries"
LIBRARY = "refs/knowl/library"
LOCAL_ENTRIES = "refs/knowl-local/entries"
INBOX = "refs/knowl-local/inbox"
WORK = "refs/knowl-local/work"
STATE = "refs/knowl-local/state"
NOTES = "refs/notes/knowl"
SHARED_PREFIX = "refs/knowl/"
LOCAL_PREFIX = "refs/knowl-local/"
REMOTES_PREFIX = "refs/knowl-remotes/"

_ENTRIES_OF_LANE = {"shared": ENTRIES, "local": LOCAL_ENTRIES}
_OUR_PREFIXES = (SHARED_PREFIX, LOCAL_PREFIX, REMOTES_PREFIX)
_STALE_SECONDS = 60.0
_SECOND_LOOK = 0.3
# By so much a clock may be behind a file it has just written.
_SKEW_SECONDS = 2.0
# Git gives up on a ref lock after 0.1 s; `git gc` or `pack-refs` may well hold it for longer.
_PATIENCE = ("core.filesRefLockTimeout=1000", "core.packedRefsTimeout=5000")


class RefMoved(MovedError):
    """A ref is not where the caller saw it."""


class RefLocked(KnowlError):
    """A lock file kept git from moving a ref for as long as git waits; nothing has moved."""

    exit_code = 4


class RefNameError(KnowlError):
    """A name that is not one of our refs."""


class BrokenRefError(KnowlError):
    """A ref of the store that is there and points at no commit."""

    def __init__(self, ref: str, found: str) -> None:
        super().__init__(
            f"{ref}: expected a ref that points at a commit, found {found}",
            f"the file 'logs/{ref}' in the git directory tells which commits it pointed at;"
            " 'git update-ref' sets a ref, once a file that holds none is out of the way",
        )
        self.ref = ref


class Update:
    """One move: ``old`` is what must be there now (None: nothing), ``new`` None deletes."""

    __slots__ = ("new", "old", "ref")

    def __init__(self, ref: str, new: str | None, old: str | None) -> None:
        self.ref = ref
        self.new = new
        self.old = old


def entries_ref(lane: str) -> str:
    """Return the ref that holds the reviewed entries of a lane."""
    if lane not in _ENTRIES_OF_LANE:
        raise RefNameError(f"expected the lane 'shared' or 'local', found '{lane}'")
    return _ENTRIES_OF_LANE[lane]


def lane_of(ref: str) -> str:
    """Return the lane whose entries a ref holds."""
    for lane, name in _ENTRIES_OF_LANE.items():
        if ref == name:
            return lane
    raise RefNameError(f"'{ref}' holds no entries")


def tracking_ref(remote: str, ref: str) -> str:
    """Return where the copy of a remote's shared ref is kept."""
    if not ref.startswith(SHARED_PREFIX):
        raise RefNameError(f"'{ref}' does not travel")
    return f"{REMOTES_PREFIX}{remote}/{ref[len(SHARED_PREFIX) :]}"


def tracked(ref: str) -> tuple[str, str]:
    """Return the remote and the shared ref of a name made by `tracking_ref`."""
    remote, slash, name = ref.removeprefix(REMOTES_PREFIX).rpartition("/")
    if not (ref.startswith(REMOTES_PREFIX) and remote and slash):
        raise RefNameError(f"'{ref}' is not the copy of a remote's ref")
    return remote, SHARED_PREFIX + name


def read(repo: Repository, names: tuple[str, ...]) -> dict[str, str | None]:
    """Return the object each ref (or HEAD) points at, None for a missing or unborn one.

    Names are exact: asked for `refs/knowl/entries`, `rev-parse` and `cat-file` would also answer
    with a fetched tag of that name, and so take a stranger's text for reviewed knowledge. Raises
    BrokenRefError for a ref that points at no commit: taken for a missing one, it would make the
    store look empty.
    """
    found: dict[str, str | None] = dict.fromkeys(names)
    refs = [name for name in names if name != HEAD]
    if refs:
        listed = _listed(repo, refs)
        found.update({name: listed[name] for name in refs if name in listed})
    if HEAD in found:
        out = repo.git("rev-parse", "--quiet", "--verify", "HEAD^{commit}", ok=(0, 1))
        found[HEAD] = out.decode().strip() or None
    return found


def _listed(repo: Repository, patterns: Iterable[str]) -> dict[str, str]:
    """Return the commit of every ref that exists of those named, or below what is named."""
    asked = ("for-each-ref", "--format=%(objecttype) %(objectname) %(refname)", *patterns)
    done = repo.run(*asked)
    if done.code or done.err:
        _refuse_broken(asked, done)
    found: dict[str, str] = {}
    for line in os.fsdecode(done.out).splitlines():
        kind, oid, name = line.split(" ", 2)
        if kind != "commit":
            raise BrokenRefError(name, f"a {kind}")
        found[name] = oid
    return found


def _refuse_broken(asked: tuple[str, ...], done: Finished) -> None:
    """Raise for a ref that git passes over, with a warning alone, or that it gave up at."""
    words = os.fsdecode(done.err)
    for line in words.splitlines():
        if "ignoring broken ref " in line:
            raise BrokenRefError(line.rpartition(" ")[2], "a broken one")
        if "missing object " in line:
            raise BrokenRefError(line.rpartition(" ")[2], "one whose object is missing")
    if done.code:
        raise GitError(["git", *asked], done.code, words)


def tips(repo: Repository) -> dict[str, str | None]:
    """Return the commit of each lane, None for one that has none."""
    return {lane_of(ref): commit for ref, commit in read(repo, (ENTRIES, LOCAL_ENTRIES)).items()}


def checked_out(repo: Repository) -> tuple[str | None, str | None]:
    """Return the commit of HEAD and the short name of its branch, as the repository was found.

    The commit is None on an unborn branch, the branch when HEAD is detached.
    """
    if repo.head is not None:
        commit, name = repo.head
        return commit, name.removeprefix("refs/heads/") if name != HEAD else None
    out = repo.git("symbolic-ref", "--quiet", "--short", HEAD, ok=(0, 1))
    return read(repo, (HEAD,))[HEAD], os.fsdecode(out).strip() or None


def update(
    repo: Repository,
    updates: list[Update],
    message: str,
    *,
    fsync: bool = False,
    held: Lock | None = None,
) -> None:
    """Move refs together, each from exactly the value it is expected to have.

    Raises RefMoved when one of them is elsewhere, RefLocked when one is locked. With the flock
    ``held``, a lock file that a killed writer left on one of our refs is removed, with a line in
    ``repo.notices``.
    """
    done = _transact(repo, updates, message, fsync=fsync)
    if _committed(done):
        return
    stale = _stale_locks(repo, updates, held)
    if stale and held is not None and held.works:
        _remove(repo, stale)
        done = _transact(repo, updates, message, fsync=fsync)
        if _committed(done):
            return
    raise _failure(repo, updates, done, held)


def _transact(repo: Repository, updates: list[Update], message: str, *, fsync: bool) -> Finished:
    zero = repo.zero_id
    moves = [
        f"update {move.ref} {move.new or zero} {move.old or zero}"
        if move.new
        else f"delete {move.ref} {move.old or zero}"
        for move in updates
    ]
    # With an explicit start, input that ends early (a killed writer) commits nothing.
    script = "\n".join(("start", *moves, "prepare", "commit", ""))
    # --no-deref: a symbolic ref planted under our name must not move the user's branch.
    flags = ("--create-reflog", "--no-deref", "-m", message, "--stdin")
    config: tuple[str, ...] = (*NO_HOOKS, *_PATIENCE)
    if fsync:
        config += ("core.fsync=loose-object,reference",)
    return repo.run("update-ref", *flags, stdin=script.encode(), config=config)


def _committed(done: Finished) -> bool:
    return done.out.splitlines()[-1:] == [b"commit: ok"]


def _failure(
    repo: Repository, updates: list[Update], done: Finished, held: Lock | None
) -> KnowlError:
    words = done.err.decode("utf-8", "replace")
    now = read(repo, tuple(move.ref for move in updates))
    for move in updates:
        if now[move.ref] != move.old:
            return RefMoved(f"'{move.ref}' was moved by another writer", "try again")
    path = words.rpartition("': File exists")[0].rpartition("Unable to create '")[2]
    if path:
        can_remove = held is not None and held.works and path in _lock_paths(repo, updates)
        return _locked(path, held.now() if held else time.time(), can_remove=can_remove)
    if "but expected" in words:
        return RefMoved("another writer is moving the same refs", "try again")
    return GitError(["git", "update-ref", "--stdin"], done.code, words)


def _locked(path: str, now: float, *, can_remove: bool) -> RefLocked:
    """Say which lock is in the way and what becomes of it."""
    look = _look(path)
    age = 0.0 if look is None else now - look[0]
    told = "was there until now" if look is None else f"is there, {_age_words(age)}"
    hint = (
        f"the next write removes it once it is older than {_STALE_SECONDS:g} s and nobody uses it"
        if can_remove and age > -_SKEW_SECONDS
        else "once no git is at work in this repository, take it away"
    )
    return RefLocked(f"the lock file '{path}' {told}", f"another git may be at work; {hint}")


def _age_words(age: float) -> str:
    if age < -_SKEW_SECONDS:
        return "from the future by the clock of this machine"
    return f"{max(0, int(age))} s old"


def _lock_paths(repo: Repository, updates: list[Update]) -> list[str]:
    """Return where git locks the refs of ours among those to be moved."""
    ours = [move.ref for move in updates if _is_ours(move.ref)]
    return [os.path.join(repo.common_dir, f"{ref}.lock") for ref in ours]


def _stale_locks(repo: Repository, updates: list[Update], held: Lock | None) -> list[str]:
    """Return the lock files on our refs that are old and did not change between two looks."""
    paths = _lock_paths(repo, updates)
    first = {path: look for path in paths if (look := _look(path))}
    if not first or held is None:
        return []
    now = held.now()
    old = {path: look for path, look in first.items() if now - look[0] > _STALE_SECONDS}
    if old:
        time.sleep(_SECOND_LOOK)
    return [path for path, look in old.items() if _look(path) == look]


def _is_ours(ref: str) -> bool:
    return ref == NOTES or ref.startswith(_OUR_PREFIXES)


def _look(path: str) -> tuple[float, int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_mtime, found.st_size, found.st_ino


def _remove(repo: Repository, paths: list[str]) -> None:
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue
        repo.notices.append(f"removed the lock a killed writer left: '{path}'")


def copies(repo: Repository, ref: str) -> dict[str, str]:
    """Return what every remote last showed for one of our shared refs, by the remote's name."""
    found = _listed(repo, (REMOTES_PREFIX,))
    return {tracked(name)[0]: oid for name, oid in found.items() if tracked(name)[1] == ref}


def ours(repo: Repository) -> dict[str, str]:
    """Return every ref of the store with the object it points at, fetched copies among them."""
    return _listed(repo, (*_OUR_PREFIXES, NOTES))
