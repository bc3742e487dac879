"""What was judged last in this worktree, and whether anything has moved since: the reading half.

One SQLite file per worktree holds, for every anchored path, the stat under which its content was
judged, and the verdicts that are not simply active. While no path, no tip, no attribute and no
clock has moved, the stored verdicts are the present ones, and nothing of git, of the entries or of
the anchor kinds needs to be loaded to say so. The writing half is ``freshness_write``.

Whatever is odd about the file (missing, damaged, foreign, unreadable) means "nothing is known".
"""

from __future__ import annotations

import os
import stat

from git_knowl.plumbing import index_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from git_knowl.plumbing.repository import Repository

    StatRow = tuple[bytes, int, int, int, int, int]
else:
    import _sqlite3 as sqlite3  # what `sqlite3` puts around it are dates, half a bare start

Stat = tuple[int, int, int, int, int]
"""Times of content and of the inode in nanoseconds, size, inode, mode."""

FILE = "verdicts-v1.sqlite"
#: The same for the entries of a personal store, as they are in this worktree.
PERSONAL_FILE = "personal-verdicts-v1.sqlite"
FORMAT = "3"
BUSY_SECONDS = 2.0
ABSENT = (0, 0, 0, 0, 0)
NEVER = (0, 0, 0, 0, -1)
RACY = "racy"
_SLASH = ord("/")
_STATUSES = "SELECT id, status FROM verdicts WHERE status <> 'active'"
_LINKS = "SELECT folder, link FROM folders"
_STATS = "SELECT path, mtime, ctime, size, inode, mode FROM paths"
# From a quarter of the tracked files on, git compares all of them in less time than we look at
# ours: 8 bare starts of Python against 20 in a tree of 50,000 files, every one anchored.
# Of a few hundred a look takes no longer than a git call.
DENSE = 4
FEW = 500
_TIMEOUT = 600.0
_UNCLEAN = ("diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=all")
_DIFF = ("diff-index", "-z", "--name-only", "--no-renames", "--ignore-submodules=all")
# A clock tick of the kernel is up to 10 ms; file systems that keep whole seconds only (or, as FAT,
# two of them) show it by times without a fraction.
FINE_TICK_NS = 20_000_000
COARSE_TICK_NS = 2_000_000_000


class Look:
    """The stored verdicts beside the present files: what has moved since they were made.

    ``changed`` are paths from the top (a folder ends in a slash: everything below it), ``moved``
    tells that HEAD or the index did and some verdicts lean on them, ``unsure`` that the index did
    and may hide paths from the work tree, ``expired`` that a url came of age, or is not yet of age
    by a clock that went back, ``stirred`` that git names other files than before as unclean, and
    ``unclean`` is the mark of those it names: that is asked only where a verdict rests on a set of
    files. ``base`` is the commit that some of the stored contents are those of, or nothing.
    """

    __slots__ = (
        "base",
        "changed",
        "expired",
        "generation",
        "moved",
        "statuses",
        "stirred",
        "tips",
        "unclean",
        "unsure",
    )

    def __init__(
        self,
        stored: sqlite3.Connection,
        repo: Repository,
        head: str | None,
        now: str,
        paths: Iterable[bytes] | None = None,
    ) -> None:
        """Look at all paths, or at some of them alone."""
        meta = read_meta(stored)
        index = stamp(index_file.path_of(repo))
        self.generation = meta["generation"]
        self.tips = meta["tips"]
        self.statuses = dict(stored.execute(_STATUSES))
        self.unsure = meta["index"] != index and _may_hide(repo, meta)
        history = history_mark(repo, head)
        self.moved = meta["leaning"] == "1" and (meta["index"], meta["head"]) != (index, history)
        self.expired = now < meta["since"] or (bool(meta["expiry"]) and meta["expiry"] <= now)
        self.unclean = unclean_mark(repo) if meta["sets"] == "1" else ""
        self.stirred = meta["sets"] == "1" and meta["unclean"] != self.unclean
        self.base = meta["base"]
        self.changed: list[bytes] = []
        if repo.work_tree is not None and paths is not None:
            self.changed = _changed_of(repo, stored, paths)
        elif repo.work_tree is not None:
            self.changed = _changed(repo, stored, meta)

    def warm(self, tips: Mapping[str, str | None]) -> dict[str, str] | None:
        """Return the statuses when all of them still hold for these tips, else None.

        Only entries that are not active are named: every other entry of the tips is active.
        """
        if self.tips != tips_text(tips) or self.unsure or self.moved or self.expired:
            return None
        return None if self.changed or self.stirred else self.statuses


def warm_statuses(
    repo: Repository,
    tips: Mapping[str, str | None],
    head: str | None,
    now: str,
    file: str = FILE,
) -> dict[str, str] | None:
    """Return id -> status of every entry that is not active, or None when it must be judged again.

    ``tips`` maps the entries refs to their commits. An entry of these tips that is not among the
    keys is active: at 100,000 entries naming them all would cost more than anything else here.
    """
    look = examine(repo, head, now, file)
    return look.warm(tips) if look else None


def examine(repo: Repository, head: str | None, now: str, file: str = FILE) -> Look | None:
    """Compare the stored verdicts with the present files; None when nothing stored is of use."""
    path = repo.worktree_path(file)
    if not os.path.exists(path):
        return None
    try:
        stored = connect(path)
        try:
            stored.execute("BEGIN")
            return Look(stored, repo, head, now) if is_usable(repo, stored) else None
        finally:
            stored.close()
    except (sqlite3.Error, KeyError, TypeError):
        return None


def is_usable(repo: Repository, stored: sqlite3.Connection) -> bool:
    """Tell whether what is stored was made by these rules, and content is stored as then."""
    meta = read_meta(stored)
    return meta["format"] == FORMAT and meta["epoch"] == epoch(repo)


def connect(path: str) -> sqlite3.Connection:
    """Open the file with the waiting time that readers and a writer need beside each other."""
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)


def tips_text(tips: Mapping[str, str | None]) -> str:
    """Return the tips as they are stored."""
    return "\n".join(f"{ref} {tips[ref] or ''}" for ref in sorted(tips))


def epoch(repo: Repository, tick: int | None = None) -> str:
    """Return the stats of the files that decide how git stores content here.

    With ``tick`` (the time of recording) a file too young to be told from a later one spoils it.
    """
    deciding = [
        os.path.join(repo.common_dir, "info", "attributes"),
        os.path.join(repo.common_dir, "config"),
        os.path.join(repo.git_dir, "config.worktree"),
        os.path.join(repo.git_dir, "info", "sparse-checkout"),
    ]
    if repo.work_tree is not None:
        deciding.append(os.path.join(repo.work_tree, ".gitattributes"))
    return "\n".join(stamp(path, tick) for path in deciding)


def unclean_mark(repo: Repository) -> str:
    """Return what tells one list of unclean files from another; nothing without a work tree."""
    if repo.work_tree is None:
        return ""
    import hashlib  # noqa: PLC0415 - a quarter of a bare start, for the few who rest on sets

    return hashlib.sha256(repo.git(*_UNCLEAN, timeout=_TIMEOUT)).hexdigest()


def is_dense(repo: Repository, count: int) -> bool:
    """Tell whether so many paths are so large a part of the tracked ones that git is faster."""
    return count > FEW and count * DENSE >= index_file.header(repo)[1]


def history_mark(repo: Repository, head: str | None) -> str:
    """Return what tells the history a verdict leaned on from another one.

    In a shallow clone more of it may come without a move of HEAD.
    """
    return f"{head or ''} {stamp(os.path.join(repo.common_dir, 'shallow'))}".rstrip()


def stamp(path: str, tick: int | None = None) -> str:
    """Return the stat of a file as text, '' without one, RACY when at ``tick`` it is too young."""
    try:
        found = _stat(os.stat(path))
    except OSError:
        return ""
    if tick is not None and settled(found, tick) == NEVER:
        return RACY
    return " ".join(map(str, found))


def lstat(path: bytes) -> Stat:
    """Return the stat of a path itself: ABSENT without one, NEVER when it cannot be had."""
    try:
        return _stat(os.lstat(path))
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError:
        return NEVER


def settled(found: Stat, tick: int) -> Stat:
    """Return the stat, or NEVER when the file could change after ``tick`` and still show it."""
    youngest = max(found[0], found[1])
    margin = FINE_TICK_NS if youngest % 1_000_000 else COARSE_TICK_NS
    return NEVER if found != ABSENT and youngest + margin > tick else found


def is_link(path: bytes) -> bool:
    """Tell whether a symbolic link stands at the path."""
    return stat.S_ISLNK(lstat(path)[4])


def folders_above(path: bytes) -> list[bytes]:
    """Return the folders on the way to a path, from the top down."""
    return [path[:at] for at, char in enumerate(path) if char == _SLASH]


def _stat(found: os.stat_result) -> Stat:
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_mode


def read_meta(stored: sqlite3.Connection) -> dict[str, str]:
    """Return what is stored about all entries together."""
    return dict(stored.execute("SELECT key, value FROM meta"))


def _changed(repo: Repository, stored: sqlite3.Connection, meta: dict[str, str]) -> list[bytes]:
    """Return the paths whose stat is another, and the folders that became a link or ceased to be.

    Rows are not kept: there can be 100,000 of them.
    """
    top = os.fsencode(repo.require_work_tree()) + b"/"
    named = _unlike_base(repo, meta) if is_dense(repo, int(meta["paths"])) else None
    if named is None:
        folders: Iterable[tuple[bytes, int]] = stored.execute(_LINKS)
        rows: Iterable[StatRow] = stored.execute(f"{_STATS} ORDER BY path")  # neighbours are near
        return _other_links(top, folders) + _other_stats(top, rows)
    rows = stored.execute(f"{_STATS} WHERE NOT based").fetchall()
    for path in named:
        rows += stored.execute(f"{_STATS} WHERE based AND path = ?", (path,))
    folders = stored.execute(f"{_LINKS} WHERE link").fetchall()
    for folder in {folder for row in rows for folder in folders_above(row[0])}:
        folders += stored.execute(f"{_LINKS} WHERE NOT link AND folder = ?", (folder,))
    return _other_links(top, folders) + _other_stats(top, rows)


def _changed_of(
    repo: Repository, stored: sqlite3.Connection, paths: Iterable[bytes]
) -> list[bytes]:
    """Return the same of some paths and the folders above them."""
    top = os.fsencode(repo.require_work_tree()) + b"/"
    rows: list[StatRow] = []
    folders: list[tuple[bytes, int]] = []
    known = set(paths)
    for path in known:
        rows += stored.execute(f"{_STATS} WHERE path = ?", (path,))
    for folder in {folder for path in known for folder in folders_above(path)}:
        folders += stored.execute(f"{_LINKS} WHERE folder = ?", (folder,))
    return _other_links(top, folders) + _other_stats(top, rows)


def _other_links(top: bytes, folders: Iterable[tuple[bytes, int]]) -> list[bytes]:
    look, is_symlink = os.lstat, stat.S_ISLNK
    changed = []
    for folder, link in folders:
        try:
            if is_symlink(look(top + folder).st_mode) != link:
                changed.append(folder + b"/")
        except OSError:
            if link:
                changed.append(folder + b"/")
    return changed


def _other_stats(top: bytes, rows: Iterable[StatRow]) -> list[bytes]:
    look = os.lstat
    changed = []
    for path, mtime, ctime, size, inode, mode in rows:
        try:
            found = look(top + path)
        except (FileNotFoundError, NotADirectoryError):
            if mode != 0:
                changed.append(path)
        except OSError:
            changed.append(path)
        else:
            if (
                found.st_mtime_ns != mtime
                or found.st_ctime_ns != ctime
                or found.st_size != size
                or found.st_ino != inode
                or found.st_mode != mode
            ):
                changed.append(path)
    return changed


def _unlike_base(repo: Repository, meta: dict[str, str]) -> list[bytes] | None:
    """Return the tracked paths that differ from the base commit; None when git cannot say."""
    if not meta["base"]:
        return None
    listed = b"\0" + repo.git("ls-files", "-v", "-z")
    # Of a file that is assumed to be unchanged git would not notice a change.
    if any(b"\0%c " % tag in listed for tag in b"hsmrck"):
        return None
    done = repo.run(*_DIFF, meta["base"])
    return None if done.code else done.out.split(b"\0")[:-1]


def _may_hide(repo: Repository, meta: dict[str, str]) -> bool:
    # Marks such as skip-worktree exist from version 3 of the index on; the entries of a split
    # index stand in another file. Where case is folded, the index decides what a name means.
    version, _ = index_file.header(repo)
    return (
        meta["ignorecase"] == "1"
        or version != 2  # the last one without marks
        or any(name.startswith("sharedindex.") for name in os.listdir(repo.git_dir))
    )
