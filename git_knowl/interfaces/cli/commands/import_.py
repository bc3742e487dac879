"""`git knowl import`: a folder of entries becomes drafts."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option, tell_redacted
from git_knowl.interfaces.door import open_context
from git_knowl.interfaces.report import say
from git_knowl.services.exchange.import_ import Imported, import_path
from git_knowl.services.exchange.import_files import FORMATS

FAILED = 1


@click.command()
@click.argument("path")
@click.option("--from", "form", type=click.Choice(FORMATS),
              help="What PATH holds.  [default: what it holds]")  # fmt: skip
@json_option
def command(path: str, form: str | None, *, as_json: bool) -> int:
    """Read a folder of entries into drafts.

    Takes what 'git knowl export' wrote, and any Markdown whose frontmatter has name, description
    and type. Nothing becomes live: 'git knowl review' goes through the drafts. Importing again
    changes nothing. A document that cannot be taken is told, and the others are taken.

    Example: git knowl import ../knowledge
    """
    ctx = open_context()
    done = import_path(ctx, path, form)
    tell(done)
    output.notices(ctx.repo)
    if as_json:
        output.emit_json({"ok": not done.failed, "ids": list(done.drafts), "failed": done.failed})
    else:
        drafts = output.counted(len(done.drafts), "draft")
        others = f"{len(done.unchanged)} known already, {len(done.failed)} failed"
        output.talk(f"{drafts}, {others}")
    return FAILED if done.failed else 0


def tell(done: Imported) -> None:
    """Say what failed, what was left out and what was scrubbed."""
    tell_redacted(done.redacted)
    for note in done.notes:
        output.talk(f"note: {note}")
    for failure in done.failed:
        say("error", failure)
