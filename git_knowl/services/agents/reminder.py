"""The one reminder of a session that flags wait for somebody to capture them.

What was said is kept for the clone, not for a worktree or subagent: a session has many of those,
and is reminded once.
"""

from __future__ import annotations

from git_knowl.model.hashing import sha256
from git_knowl.plumbing import refs, small_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository
    from git_knowl.services.context import Context

FILE = "agent-reminded"
HOUR = 3_600
#: After the first reminder that led to nothing it takes an hour to the next one, then two, four…
MOST_DOUBLINGS = 7
#: So many sessions are kept of which nobody is to be reminded any more, the latest.
MOST_SESSIONS = 32
_LETTERS = 16
_MOST_BYTES = 100 + MOST_SESSIONS * (_LETTERS + 1)


class Reminded:
    """What was said in this clone: how often in vain, when last, and to which sessions.

    Among the sessions are those that made a capture: of them nobody is reminded either.
    """

    def __init__(self, times: int = 0, at: float = 0.0, sessions: tuple[str, ...] = ()) -> None:
        self.times = times
        self.at = at
        self.sessions = sessions

    def is_due(self, now: float) -> bool:
        """Tell whether the last reminder was long enough ago; the clock may have gone back."""
        pause = HOUR << min(self.times - 1, MOST_DOUBLINGS) if self.times else 0
        return not 0 <= now - self.at < pause

    def with_session(self, session: str, times: int, at: float) -> Reminded:
        """Return the same when a session has come to it, the latest last."""
        others = tuple(one for one in self.sessions if one != session)
        return Reminded(times, at, (*others, session)[-MOST_SESSIONS:])


def reminder(ctx: Context, session: str) -> str:
    """Return the sentence for the person, or '' where none is due; it is said once a session."""
    known, now = last(ctx.repo), ctx.caller.clock()
    key = key_of(ctx, session)
    count = 0 if key in known.sessions or not known.is_due(now) else waiting(ctx)
    if not count:
        return ""
    keep(ctx.repo, known.with_session(key, known.times + 1, now))
    flags = "1 flag waits" if count == 1 else f"{count} flags wait"
    return f"{flags} to be written up: /knowl-capture, or ask for 'git knowl capture'."


def waiting(ctx: Context) -> int:
    """Return how many flags nobody has used yet."""
    view = ctx.store.view()
    if not view.commits[refs.INBOX]:
        return 0
    from git_knowl.model.flag import Flag  # noqa: PLC0415 - somebody has flagged
    from git_knowl.store.flags import read_flags  # noqa: PLC0415 - somebody has flagged

    return sum(isinstance(one, Flag) and one.is_pending for one in read_flags(view))


def captured(ctx: Context, session: str) -> None:
    """Note that a capture was made: this session is reminded no more, others begin anew."""
    keep(ctx.repo, last(ctx.repo).with_session(key_of(ctx, session), 0, 0))


def key_of(ctx: Context, session: str) -> str:
    """Return what stands for a session of a host, '' for one without a name."""
    if not session:
        return ""
    told = f"{ctx.caller.host}\0{session}".encode("utf-8", "surrogatepass")
    return sha256(told).hexdigest()[:_LETTERS]


def last(repo: Repository) -> Reminded:
    """Return what was said; nothing where the file is none of ours."""
    try:
        with open(repo.shared_path(FILE), encoding="ascii") as file:
            times, at, *sessions = file.read(_MOST_BYTES).split()
        return Reminded(max(int(times), 0), float(at), tuple(sessions))
    except (OSError, ValueError):
        return Reminded()


def keep(repo: Repository, now: Reminded) -> None:
    """Keep the same for the next session, where that can be written."""
    line = " ".join((str(now.times), f"{now.at:.0f}", *now.sessions))
    small_files.put(repo.shared_path(FILE), f"{line}\n".encode("ascii"))
