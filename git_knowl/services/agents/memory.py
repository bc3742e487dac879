"""What one agent was told so far in one worktree: small files that may be lost at any time.

There is one for every session and subagent. Tools run side by side, so a file is locked for as long
as it is looked at.
"""

from __future__ import annotations

import fcntl
import os

from git_knowl.model.hashing import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.plumbing.repository import Repository

FOLDER = "agents"
FORMAT = "knowl-agent 1"
#: So many files are kept, and so long: a session that comes back later is told everything again.
MOST_FILES = 64
KEPT_SECONDS = 7 * 86_400
#: So many entries are remembered as told; the oldest are forgotten first.
MOST_TOLD = 500
#: A host that calls us twice, for the user and for the repository, does so within so many seconds.
MOMENT = 5.0
#: So many tool calls are told apart; the two tellings of one call come close together.
MOST_CALLS = 32
_NAME = 24
_CALL = 12


class Memory:
    """The memory of one agent, open and locked from ``open_memory`` until it is closed.

    ``calls`` counts the tool calls without one of ours and ``cards`` what was said about that;
    ``tips`` are the commits of the lanes up to which the agent knows of changes, None before the
    first look; ``told`` has the version of every entry the agent was shown; ``owes`` names what is
    to be said as soon as something can be said; ``counted`` has what stands for the last calls;
    ``began`` is the start, at ``began_at``, that nothing but a question has followed yet.
    """

    def __init__(self, file: int) -> None:
        self._file = file
        self.calls = 0
        self.cards = 0
        self.tips: str | None = None
        self.told: dict[str, str] = {}
        self.owes: set[str] = set()
        self.counted: list[str] = []
        self.began = ""
        self.began_at = 0.0
        self._read(_whole(file))

    def _read(self, data: bytes) -> None:
        """Take what the file says, as far as it is understood."""
        first, *lines = data.decode("utf-8", "replace").split("\n")
        if first != FORMAT:
            return
        for line in lines:
            key, _, value = line.partition(" ")
            if key in ("calls", "cards") and value.isascii() and value.isdigit():
                setattr(self, key, min(int(value[:9]), 10**9))
            elif key == "tips":
                self.tips = value
            elif key == "began":
                self._read_start(value)
            else:
                self._read_item(key, value)

    def _read_item(self, key: str, value: str) -> None:
        if key == "owes":
            self.owes.add(value)
        elif key == "call":
            self.counted.append(value)
        elif key == "told":
            entry, _, version = value.partition(" ")
            self.told[entry] = version

    def has(self, entry: str, version: str) -> bool:
        """Tell whether the agent was shown this version of an entry, and note nothing."""
        return self.told.get(entry) == version

    def knows(self, entry: str, version: str) -> bool:
        """Tell whether the agent was shown this version of an entry, and note that it now is."""
        if self.told.get(entry) == version:
            return True
        self.told.pop(entry, None)
        self.told[entry] = version
        return False

    def _read_start(self, value: str) -> None:
        what, _, at = value.partition(" ")
        try:
            self.began, self.began_at = what, float(at)
        except ValueError:
            self.began = ""

    def begins_again(self, what: str, now: float) -> bool:
        """Tell whether the same start was answered a moment ago, and note this one."""
        again = self.began == what and 0 <= now - self.began_at < MOMENT
        self.began, self.began_at = what, now
        return again

    def goes_on(self) -> None:
        """Note that the agent does something: the next start is another one."""
        self.began = ""

    def is_counted(self, call: str) -> bool:
        """Tell whether a call was counted, as where a host tells of it twice, and note it."""
        if not call:
            return False
        key = sha256(call.encode("utf-8", "surrogatepass")).hexdigest()[:_CALL]
        if key in self.counted:
            return True
        self.counted = [*self.counted, key][-MOST_CALLS:]
        return False

    def forget_told(self) -> None:
        """Note that the agent has lost what it was shown."""
        self.told.clear()

    def reset_count(self) -> None:
        """Begin to count anew: the agent has called us."""
        self.calls = self.cards = 0

    def close(self) -> None:
        """Write everything down and let go of the lock."""
        data = "\n".join(self._lines()).encode("utf-8", "replace")
        try:
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, data)
            os.truncate(self._file, len(data))
        finally:
            os.close(self._file)

    def _lines(self) -> Iterable[str]:
        yield FORMAT
        yield f"calls {self.calls}"
        yield f"cards {self.cards}"
        if self.tips is not None:
            yield f"tips {self.tips}"
        if self.began:
            yield f"began {self.began} {self.began_at}"
        yield from (f"call {one}" for one in self.counted)
        yield from (f"owes {one}" for one in sorted(self.owes))
        yield from (f"told {one} {told}" for one, told in [*self.told.items()][-MOST_TOLD:])
        yield ""


def open_memory(repo: Repository, host: str, session: str, agent: str) -> Memory:
    """Open the memory of an agent in this worktree; raises OSError where none can be kept."""
    path = memory_path(repo, host, session, agent)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(file, fcntl.LOCK_EX)
    return Memory(file)


def forget(repo: Repository, host: str, session: str, agent: str) -> None:
    """Remove the memory of an agent that has ended."""
    _remove(memory_path(repo, host, session, agent))


def memory_path(repo: Repository, host: str, session: str, agent: str) -> str:
    """Return where the memory of an agent lies; nothing of its name is used as a path."""
    names = f"{host}\0{session}\0{agent}".encode("utf-8", "surrogatepass")
    return repo.worktree_path(FOLDER, sha256(names).hexdigest()[:_NAME])


def prune(repo: Repository, now: float) -> None:
    """Remove the memories that are old or too many."""
    folder = repo.worktree_path(FOLDER)
    try:
        ages = sorted((now - one.stat().st_mtime, one.path) for one in os.scandir(folder))
    except OSError:
        return
    for place, (age, path) in enumerate(ages):
        if age > KEPT_SECONDS or place >= MOST_FILES:
            _remove(path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _whole(file: int) -> bytes:
    parts = []
    while part := os.read(file, 1 << 16):
        parts.append(part)
    return b"".join(parts)
