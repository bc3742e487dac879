"""What follows a write to the store: what is derived from it and read without this program."""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.services.agents.local_index_fresh import refresh
from git_knowl.services.anchored import write_list
from git_knowl.services.notes.project import project
from git_knowl.services.notes.records import note_suspects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.services.context import Context


def keep_up(ctx: Context) -> None:
    """Bring the list for the hooks, the notes and the index in a file up to the store.

    A failure is told and undoes nothing: both are made again with the next write.
    """
    try:
        write_list(ctx)
        note_suspects(ctx)
        project(ctx)
        refresh(ctx)
    except KnowlError as error:
        ctx.repo.notices.append(f"hooks and notes are behind the store: {error.message}")
