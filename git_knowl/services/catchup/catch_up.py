"""From the commit this worktree was told of to HEAD: what turned suspect, what was flagged.

The hooks call this, and nothing depends on their doing so: two commits are compared, whatever lies
between them, and where the older one is unknown or gone everything is judged. On the way of most
commits only the standard library and git are loaded.
"""

from __future__ import annotations

from git_knowl.model.light import dataclass
from git_knowl.model.text import for_terminal
from git_knowl.plumbing import between, refs
from git_knowl.services.catchup import cursor
from git_knowl.services.catchup.flags import CHECKOUT, expired_lines, flag_lines, passed
from git_knowl.services.catchup.turned import look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from git_knowl.plumbing.repository import Repository
    from git_knowl.services.catchup.flags import Passed
    from git_knowl.services.catchup.turned import Turned
    from git_knowl.services.context import Context

SHARED = "shared"
#: A git command is followed by so many lines of ours at most.
LINES = 3
_SHORT = 10


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """What a person should be told, in at most three lines; mostly nothing."""

    lines: tuple[str, ...] = ()


def catch_up(ctx: Context, event: str) -> CaughtUp:
    """Move the cursor of this worktree to HEAD, and say what is new on the way, each thing once.

    ``event`` is the hook that asks. Entries are judged in a hurry: what would have to be parsed
    first is not announced.
    """
    head, _ = refs.checked_out(ctx.repo)
    old = cursor.read_cursor(ctx.repo)
    if head is None or old == head:
        return CaughtUp()
    ctx.hurry()
    told = cursor.read_told(ctx.repo)
    if old is None:
        cursor.move_cursor(ctx.repo, head)  # a first look may take too long, but not every time
    found = look(ctx, old, head)
    turned = [one for one in found.suspects if cursor.is_news(told, one.mark)]
    commits = passed(ctx.repo, old, head, event)
    news = turned if event != CHECKOUT else ()
    others = [*left_lines(found.left), *flag_lines(ctx, commits, news), *expired_lines(ctx)]
    cursor.write_told(ctx.repo, told, {one.mark for one in found.suspects}, found.sound)
    cursor.move_cursor(ctx.repo, head)
    only = head if is_one_step(commits, old, event) else None
    note(ctx, turned, only)
    lines = compose(ctx.repo, turned, others[: LINES - 1], only)
    return CaughtUp(tuple(for_terminal(line, single_line=True) for line in lines))


def is_one_step(commits: Sequence[Passed], old: str | None, event: str) -> bool:
    """Tell whether HEAD moved by one commit on top of where it was, and not by a checkout."""
    return [one.parents for one in commits] == [[old]] and event != CHECKOUT


def left_lines(count: int) -> Iterable[str]:
    """Return a line about entries there was no time for, if there were any."""
    entries = "1 entry was" if count == 1 else f"{count} entries were"
    return [f"{entries} not looked at: git knowl audit"] if count else []


def note(ctx: Context, turned: Sequence[Turned], only: str | None) -> None:
    """Have notes put on the commits that are known to have turned something suspect."""
    known = [(one.commit or (None if one.reason else only), one) for one in turned]
    shared = [
        (commit, one.name, one.path) for commit, one in known if commit and one.lane == SHARED
    ]
    if shared:
        from git_knowl.services.notes.suspected import keep_suspects  # noqa: PLC0415 - where there are some

        keep_suspects(ctx.repo, shared)


def compose(
    repo: Repository, turned: Sequence[Turned], others: Sequence[str], only: str | None
) -> Iterable[str]:
    """Return the lines to print; ``only`` is the commit that changed every path, if one did."""
    room = LINES - len(others)
    if len(turned) > room == 1:
        return [f"{len(turned)} entries turned suspect: git knowl audit", *others]
    shown = turned if len(turned) <= room else turned[: room - 1]
    lines = [f"'{one.name}' is suspect: {explained(repo, one, only)}" for one in shown]
    if len(shown) < len(turned):
        lines.append(f"and {len(turned) - len(shown)} more: git knowl audit")
    return [*lines, *others]


def explained(repo: Repository, one: Turned, only: str | None) -> str:
    """Return which change makes an entry suspect."""
    if one.reason is not None:
        return f"{one.path}: {one.reason}"
    commit = only or between.last_changed_by(repo, one.path)
    return f"{one.path} changed" + (f" by {commit[:_SHORT]}" if commit else "")
