"""`git knowl verify`: somebody looked again and found the text still true."""

import click

from git_knowl.interfaces.cli.evidence import look
from git_knowl.interfaces.cli.options import json_option, reviewer_option, written
from git_knowl.interfaces.door import open_context
from git_knowl.services.context import Context
from git_knowl.services.verify import evidence, verify


def holder(ctx: Context, name: str, reviewer: str | None) -> Context:
    """Return the store that holds an entry: the repository's, or the personal one of a person."""
    if not ctx.settings.personal:
        return ctx
    from git_knowl.services.personal_verify import verifying  # for few

    return verifying(ctx, name, reviewer)


@click.command()
@click.argument("name")
@click.option("--reviewed", is_flag=True, help="Say that you compared old and new evidence.")
@click.option("--follow", is_flag=True, help="Anchor the entry where its file moved to.")
@reviewer_option
@json_option
def command(
    name: str, reviewer: str | None, *, reviewed: bool, follow: bool, as_json: bool
) -> None:
    """Confirm that an entry is still true, after looking.

    Shows the evidence then and now, and asks. Without a terminal --reviewed is required. One entry
    at a time: what was not looked at is not verified. An entry of the personal store is confirmed
    with the packages of this repository; no agent may do that.

    Example: git knowl verify cart-doubles
    """
    ctx = holder(open_context(), name, reviewer)
    seen = evidence(ctx, name)
    look(ctx, seen, f"Is '{seen.entry.name}' still true", looked=reviewed)
    done = verify(ctx, seen, follow=follow, reviewer=reviewer)
    written(ctx, [done.new.id], f"'{done.new.name}' is verified", as_json=as_json)
