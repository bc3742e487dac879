"""`git knowl inbox`: flags and drafts with their outcome; drop, edit, send and receive them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.services.proposals.receive import Received
    from git_knowl.services.proposals.send import Sent

#: So many refusals, and things passed over, are told one by one.
SHOWN = 10
#: Up to so many are named by id in one line.
FEW = 3


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def command(click_context: click.Context, *, as_json: bool) -> None:
    """List flags and drafts; drop, edit, send or receive them.

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


@command.command("send")
@click.argument("remote", required=False)
@click.argument("ids", metavar="[ID]...", nargs=-1)
@json_option
def send_command(remote: str | None, ids: tuple[str, ...], *, as_json: bool) -> None:
    """Send what waits to a remote, for somebody else to review.

    Everything that waits, or what is named. It stands there on a ref of this clone alone, and a
    teammate takes it in with 'git knowl inbox receive'. What is there already is not sent again.

    Example: git knowl inbox send origin
    """
    from git_knowl.services.proposals.send import send

    ctx = open_context()
    done = send(ctx, remote, ids)
    output.notices(ctx.repo)
    for identifier, reason in done.kept.items():
        output.talk(f"note: {identifier} stays here: {reason}")
    if done.local:
        told = output.counted(done.local, "draft")
        output.talk(f"note: {told} for lane 'local' among them; others decide on the lane anew")
    if as_json:
        output.emit_json(sent_object(done))
    else:
        known = f", {len(done.known)} there already" if done.known else ""
        output.talk(f"sent {len(done.ids)} to {done.ref} of '{done.remote}'{known}")


@command.command("receive")
@click.argument("remote", required=False)
@json_option
def receive_command(remote: str | None, *, as_json: bool) -> None:
    """Take in what others sent to a remote; it waits here for review.

    What is known here, or was decided on, is passed over. Nothing becomes live, and nothing tells
    for sure who wrote a proposal: whoever can write to the remote can send one.

    Example: git knowl inbox receive origin
    """
    from git_knowl.services.proposals.receive import receive

    ctx = open_context()
    done = receive(ctx, remote)
    output.notices(ctx.repo)
    for refusal in done.refused[:SHOWN]:
        output.talk(f"warning: refused {refusal}")
    tell_more(len(done.refused), "refused")
    for line in passed_lines(done):
        output.talk(line)
    if as_json:
        output.emit_json(received_object(done))
        return
    for sender, taken in done.senders.items():
        output.talk(f"received {len(taken)} from {sender}")
    if not done.ids:
        output.talk("nothing new was received")


def tell_more(number: int, what: str) -> None:
    """Say how many were not told one by one."""
    if number > SHOWN:
        output.talk(f"note: {number - SHOWN} more {what}; --json lists all")


def passed_lines(done: Received) -> Iterator[str]:
    """Yield why some were passed over, a line a reason; a few are named."""
    reasons: dict[str, list[str]] = {}
    for identifier, reason in done.passed.items():
        reasons.setdefault(reason, []).append(identifier)
    for reason, ids in reasons.items():
        named = ", ".join(ids) if len(ids) <= FEW else f"{len(ids)} of them"
        yield f"note: passed over {named}: {reason}"


def sent_object(done: Sent) -> dict[str, Any]:
    """Return the shape of `inbox send --json`."""
    return {
        "ok": True,
        "ids": list(done.ids),
        "remote": done.remote,
        "ref": done.ref,
        "commit": done.commit,
        "known": list(done.known),
        "kept": dict(done.kept),
    }


def received_object(done: Received) -> dict[str, Any]:
    """Return the shape of `inbox receive --json`."""
    return {
        "ok": True,
        "ids": list(done.ids),
        "remote": done.remote,
        "senders": {sender: list(taken) for sender, taken in done.senders.items()},
        "passed": dict(done.passed),
        "refused": list(done.refused),
    }
