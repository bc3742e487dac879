"""`git knowl edit`: the document of an entry in your editor."""

import click

from git_knowl.interfaces.cli.editor import edit_until
from git_knowl.interfaces.cli.evidence import look
from git_knowl.interfaces.cli.options import (
    fresh_option,
    json_option,
    reviewer_option,
    tell,
    written,
)
from git_knowl.interfaces.door import open_context
from git_knowl.model.status import SUSPECT
from git_knowl.services.edit import apply_edit, check_editable, document, unfinished
from git_knowl.services.verify import evidence


@click.command()
@click.argument("name")
@click.option("--reviewed", is_flag=True, help="Say that you compared old and new evidence.")
@fresh_option
@reviewer_option
@json_option
def command(name: str, reviewer: str | None, *, reviewed: bool, fresh: bool, as_json: bool) -> None:
    """Edit an entry in your editor.

    Times, fingerprints and reviewer are filled in by the program. Another text rests on the
    evidence as it is now: where that has changed, old and new are shown first.

    Example: git knowl edit cart-doubles
    """
    ctx = open_context()
    seen = evidence(ctx, name)
    check_editable(ctx, seen, looked=True, reviewer=reviewer)
    if seen.verdict.status == SUSPECT:
        look(ctx, seen, "Edit the text against the evidence as it is now", looked=reviewed)
    done = edit_until(
        ctx.repo,
        unfinished(seen.entry),
        document(seen.entry),
        lambda text: apply_edit(ctx, seen, text, looked=True, reviewer=reviewer),
        fresh=fresh,
    )
    tell(done.warnings, done.redacted)
    said = "is stored" if done.changed else "was not changed"
    written(ctx, [done.entry.id], f"'{done.entry.name}' {said}", as_json=as_json)
