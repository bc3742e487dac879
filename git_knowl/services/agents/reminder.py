"""The one reminder of a session that flags wait for somebody to capture them."""

from __future__ import annotations

from git_knowl.model.flag import Flag
from git_knowl.plumbing import refs, small_files
from git_knowl.store.flags import read_flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository
    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.context import Context

FILE = "agent-reminded"
HOUR = 3_600
#: After the first reminder that led to nothing it takes an hour to the next one, then two, four…
MOST_DOUBLINGS = 7


def reminder(ctx: Context, memory: Memory) -> str:
    """Return the sentence for the person, or '' where none is due; it is said once a session."""
    if memory.reminded or memory.captured or not is_due(ctx):
        return ""
    count = waiting(ctx)
    if not count:
        return ""
    memory.reminded = True
    times, _ = last(ctx.repo)
    keep(ctx.repo, times + 1, ctx.caller.clock())
    flags = "1 flag waits" if count == 1 else f"{count} flags wait"
    return f"{flags} to be written up: /knowl-capture, or ask for 'git knowl capture'."


def waiting(ctx: Context) -> int:
    """Return how many flags nobody has used yet."""
    view = ctx.store.view()
    if not view.commits[refs.INBOX]:
        return 0
    return sum(isinstance(one, Flag) and one.is_pending for one in read_flags(view))


def is_due(ctx: Context) -> bool:
    """Tell whether the last reminder was long enough ago; the clock may have gone back."""
    times, at = last(ctx.repo)
    pause = HOUR << min(times - 1, MOST_DOUBLINGS) if times else 0
    return not 0 <= ctx.caller.clock() - at < pause


def captured(ctx: Context, memory: Memory) -> None:
    """Note that a capture was made: this session is reminded no more, others begin anew."""
    memory.captured = True
    small_files.drop(ctx.repo.shared_path(FILE))


def last(repo: Repository) -> tuple[int, float]:
    """Return how often was reminded in vain, and when for the last time."""
    try:
        with open(repo.shared_path(FILE), encoding="ascii") as file:
            times, at = file.read(100).split()
        return max(int(times), 0), float(at)
    except (OSError, ValueError):
        return 0, 0.0


def keep(repo: Repository, times: int, at: float) -> None:
    """Keep the same for the next session, where that can be written."""
    small_files.put(repo.shared_path(FILE), f"{times} {at:.0f}\n".encode("ascii"))
