"""`git knowl inbox`: flags and drafts with their outcome; drop and edit them."""

from typing import Any

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.editor import edit_until
from git_knowl.interfaces.cli.inbox_text import inbox_lines, tell_damaged, tell_expired
from git_knowl.interfaces.cli.options import fresh_option, json_option, tell, tell_redacted, written
from git_knowl.interfaces.cli.views import draft_object, flag_object
from git_knowl.interfaces.door import open_context
from git_knowl.model.draft import Draft
from git_knowl.model.flag import Flag
from git_knowl.services import redraft
from git_knowl.services.context import Context
from git_knowl.services.expiry import look
from git_knowl.services.filters.counts import Counts
from git_knowl.services.inbox import drop, edit_flag, find_editable
from git_knowl.services.outcomes import as_told
from git_knowl.store.inbox import Inbox, read_inbox


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def command(click_context: click.Context, *, as_json: bool) -> None:
    """List flags and drafts, drop or edit them.

    Drafts are listed while they wait for a person, flags for good: what became of each is told. A
    flag that nobody used expires after a month (knowl.flagExpiryDays); it can still be captured.

    Example: git knowl inbox
    """
    if click_context.invoked_subcommand is None:
        show(open_context(), as_json=as_json)


def show(ctx: Context, *, as_json: bool) -> None:
    """Print the inbox."""
    found = look(ctx)
    tell_expired(found.expired)
    tell_damaged(found.inbox)
    output.notices(ctx.repo)
    inbox = as_told(ctx, found.inbox)
    if as_json:
        output.emit_json(inbox_object(inbox))
        return
    for line in inbox_lines(inbox):
        output.emit(line)
    if not (found.inbox.flags or found.inbox.drafts):
        output.talk("nothing was flagged yet: 'git knowl flag' bookmarks a finding")


def inbox_object(inbox: Inbox) -> dict[str, Any]:
    """Return the shape of `inbox --json`; damaged records stand beside."""
    shape: dict[str, Any] = {
        "format": 1,
        "flags": [flag_object(flag) for flag in inbox.flags],
        "drafts": [draft_object(draft) for draft in inbox.drafts],
    }
    if inbox.damaged:
        shape["damaged"] = [{"path": one.path, "error": one.error} for one in inbox.damaged]
    return shape


@command.command("drop")
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", help="Why nothing comes of it.")
@json_option
def drop_command(ids: tuple[str, ...], reason: str | None, *, as_json: bool) -> None:
    """Let flags and drafts go, a draft with its flags.

    An id may be shortened as long as it names one thing. What cannot be read is named by the id in
    its path, or by the path itself.

    Example: git knowl inbox drop 01k4w2zt6mxf3q9v5c7d8e0abn --reason "found in the manual"
    """
    ctx = open_context()
    done = drop(ctx, ids, reason)
    tell_redacted(done.redacted)
    written(ctx, done.ids, f"dropped {len(done.ids)}", as_json=as_json)


@command.command("edit")
@click.argument("identifier", metavar="ID")
@fresh_option
@json_option
def edit_command(identifier: str, *, fresh: bool, as_json: bool) -> None:
    """Edit the summary of a flag, or the document of a draft.

    A draft whose text changes rests on the files as they are here and now.

    Example: git knowl inbox edit 01k4w2zt6mxf3q9v5c7d8e0abn
    """
    ctx = open_context()
    found = find_editable(read_inbox(ctx.store.view()), identifier)
    if isinstance(found, Draft):
        warnings, redacted = edit_draft(ctx, found, fresh=fresh)
    else:
        warnings, redacted = (), edit_summary(ctx, found, fresh=fresh)
    tell(warnings, redacted)
    written(ctx, [found.id], f"{found.id} is stored", as_json=as_json)


def edit_draft(ctx: Context, draft: Draft, *, fresh: bool) -> tuple[tuple[str, ...], Counts]:
    """Let the person edit a draft, store it, and return its warnings and what was scrubbed."""
    made = edit_until(
        ctx.repo,
        draft.id,
        redraft.source(draft),
        lambda text: redraft.redraft(ctx, draft, text),
        fresh=fresh,
    )
    redraft.store(ctx, draft, made.draft)
    return made.draft.warnings, made.redacted


def edit_summary(ctx: Context, flag: Flag, *, fresh: bool) -> Counts:
    """Let the person edit what a flag says, store it, and return what was scrubbed."""
    return edit_until(
        ctx.repo,
        flag.id,
        f"{flag.summary}\n",
        lambda text: edit_flag(ctx, flag, text),
        fresh=fresh,
    )
