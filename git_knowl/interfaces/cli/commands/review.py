"""`git knowl review`: a person decides what becomes of the drafts."""

from collections.abc import Sequence

import click

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import confirm_loop, conflict_loop, output, review_loop
from git_knowl.interfaces.cli.ask import can_ask
from git_knowl.interfaces.cli.inbox_text import count, draft_lines, tell_damaged, tell_expired
from git_knowl.interfaces.cli.options import json_option, tell, tell_older, written
from git_knowl.interfaces.cli.personal_text import tell_waiting
from git_knowl.interfaces.door import open_context
from git_knowl.model.entry import Reviewed
from git_knowl.services.conflicts import Settled, conflicts
from git_knowl.services.context import Context
from git_knowl.services.expiry import look
from git_knowl.services.gate import authorise, may_accept
from git_knowl.services.review import Decided, decide_named
from git_knowl.services.trust.ready import check_key
from git_knowl.store.conflicts import Conflict
from git_knowl.store.inbox import Inbox

LOOK_AGAIN = "'git knowl review' asks about it again"


class NobodyToAskError(KnowlError):
    """A review without a terminal and without decisions."""


@click.command()
@click.option("--accept", multiple=True, metavar="ID", help="Accept a draft (can be repeated).")
@click.option("--discard", multiple=True, metavar="ID", help="Discard a draft (can be repeated).")
@click.option("--reason", help="Why the drafts are discarded.")
@click.option(
    "--confirm",
    is_flag=True,
    help="Go through entries that came in unattended, or are kept from agents.",
)
@click.option("--reviewer", metavar="'NAME <MAIL>'", help="Who read the drafts; --accept needs it.")
@json_option
def command(
    accept: tuple[str, ...],
    discard: tuple[str, ...],
    reason: str | None,
    reviewer: str | None,
    *,
    confirm: bool,
    as_json: bool,
) -> None:
    """Go through the drafts, one by one, after what is in conflict.

    An entry that two people changed in different ways is shown with both texts beside each other:
    one of them is chosen, or another one written. In a terminal every draft is shown as it would be
    stored, beside its flags and evidence. What is accepted is live at once, in every worktree; all
    decisions of a review are one commit. Without a terminal drafts are named, and so is the person
    who read them: that is recorded as unattended. What others moved while a person decided is named
    and left for the next review.

    Example: git knowl review --accept 01k4w2zt6mxf3q9v5c7d8e0abn --reviewer "Ada <ada@example.org>"
    """
    if reason is not None and not discard:
        raise click.UsageError("--reason goes with --discard")
    if confirm and (accept or discard):
        raise click.UsageError("--confirm asks, --accept and --discard do not")
    ctx = open_context()
    if accept or discard:
        done = decide_named(ctx, accept, discard, reviewer, reason)
        tell_decided(ctx, done, as_json=as_json)
    elif confirm:
        tell_waiting(ctx, unattended=True)
        walk_unattended(ctx, reviewer, as_json=as_json)
    else:
        tell_waiting(ctx, unattended=False)
        walk_drafts(ctx, reviewer, as_json=as_json)


def walk_drafts(ctx: Context, reviewer: str | None, *, as_json: bool) -> None:
    """Ask a person about every conflict and draft, or list them where nobody can be asked."""
    found, torn = look(ctx), conflicts(ctx)
    tell_expired(found.expired)
    tell_damaged(found.inbox)
    if not (found.inbox.drafts or torn):
        written(ctx, (), "no draft waits for review", as_json=as_json)
        return
    if not can_ask():
        raise nobody_to_ask(ctx, found.inbox, torn, as_json=as_json)
    reviewed = authorise(ctx, "review", reviewer)
    check_key(ctx)
    settled = walk_conflicts(ctx, torn, reviewed) if torn else Settled()
    done = review_loop.walk(ctx, found.inbox, reviewed) if found.inbox.drafts else Decided({})
    tell_decided(ctx, done, settled.ids, as_json=as_json)


def walk_conflicts(ctx: Context, torn: Sequence[Conflict], reviewed: Reviewed) -> Settled:
    """Ask a person about every conflict, and say what was left as it is."""
    done = conflict_loop.walk(ctx, torn, reviewed)
    for error in done.left:
        output.talk(f"warning: left as it is: {error.message}")
        output.talk(f"hint: {error.hint or LOOK_AGAIN}")
    return done


def walk_unattended(ctx: Context, reviewer: str | None, *, as_json: bool) -> None:
    """Ask a person about every entry that came in unattended."""
    if not can_ask():
        raise NobodyToAskError(
            "confirming asks a person, and there is no terminal",
            "run 'git knowl review --confirm' in a terminal",
        )
    reviewed = authorise(ctx, "confirm", reviewer)
    check_key(ctx)
    done = confirm_loop.walk(ctx, reviewed)
    for error in done.left:
        output.talk(f"warning: left as it is: {error.message}")
    written(ctx, done.ids, f"{len(done.ids)} decided", as_json=as_json)


def nobody_to_ask(
    ctx: Context, inbox: Inbox, torn: Sequence[Conflict], *, as_json: bool
) -> NobodyToAskError:
    """List what waits, unless a program reads, and return how to decide on it."""
    for one in () if as_json else torn:
        output.emit(f"conflict  {one.live.name}  {count(len(one.sides), 'text')}")
    if not inbox.drafts:
        return NobodyToAskError(
            f"{count(len(torn), 'conflict')} to settle, and there is no terminal to ask a person",
            "a person runs 'git knowl review' in one",
        )
    by_name = ", or add --accept ID --reviewer 'NAME <MAIL>'" if may_accept(ctx) else ""
    for line in () if as_json else draft_lines(inbox.drafts):
        output.emit(line)
    return NobodyToAskError(
        f"{count(len(inbox.drafts), 'draft')} to review, and there is no terminal to ask a person",
        f"a person runs 'git knowl review' in one{by_name}",
    )


def tell_decided(
    ctx: Context, done: Decided, settled: Sequence[str] = (), *, as_json: bool
) -> None:
    """Say what became of every draft and conflict, or print the object of a writing verb."""
    tell(done.warnings, done.redacted)
    for known in done.known:
        output.talk(f"note: {known} was decided on before")
    for identifier, error in done.left:
        output.talk(f"warning: {identifier} waits on: {error.message}")
        output.talk(f"hint: {error.hint or LOOK_AGAIN}")
    for file in done.files:
        output.talk(f"note: the guideline is in '{file}' now, to be committed like any change")
    tell_older(done.older)
    told = [f"{identifier}: settled" for identifier in settled]
    told += [f"{identifier}: {outcome}" for identifier, outcome in done.outcomes.items()]
    written(ctx, (*settled, *done.ids), *(told or ["nothing was decided"]), as_json=as_json)
