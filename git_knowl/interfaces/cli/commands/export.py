"""`git knowl export`: the entries in a folder."""

import shlex

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import warn_damaged
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.personal_text import tell_personal
from git_knowl.interfaces.door import open_context
from git_knowl.model.entry import LANES
from git_knowl.services.exchange.export import FORMATS, MARKDOWN, export


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--format", "form", type=click.Choice(FORMATS), default=MARKDOWN, show_default=True,
              help="One document an entry, or one JSON file.")  # fmt: skip
@click.option("--lane", type=click.Choice(LANES), help="Entries of one lane only.  [default: both]")
@click.option("--retired", "with_retired", is_flag=True,
              help="What was retired, too, as it last was and with the reason.")  # fmt: skip
@json_option
def command(folder: str, form: str, lane: str | None, *, with_retired: bool, as_json: bool) -> None:
    """Write the entries into a folder.

    Below DIR there is a folder a lane, with one document an entry; as JSON there is one file,
    knowledge.json. Exporting again replaces those and nothing else. Other sides of conflicts stand
    beside, in a folder or list of their own; 'git knowl import' reads what is live. Entries of the
    personal store are not among them: it is exported by itself. Inside an agent host texts that are
    kept from agents are left out.

    Example: git knowl export ../knowledge
    """
    ctx = open_context()
    done = export(ctx, folder, form, lane, with_retired=with_retired)
    warn_damaged(done.damaged)
    for name in done.lost:
        output.talk(f"warning: the text of '{name}', which is retired, is not in this clone")
    if done.withheld:
        output.talk(f"note: kept from agents and left out: {', '.join(done.withheld)}")
    if done.local and lane is None:
        told = output.counted(done.local, "entry", "entries")
        output.talk(f"note: {told} of lane 'local' among them; --lane shared leaves those out")
    if lane is None:
        tell_personal(ctx, "writes those of the personal store", f"export {shlex.quote(folder)}")
    if as_json:
        withheld = {"withheld": list(done.withheld)} if done.withheld else {}
        output.emit_json({"ok": True, "ids": [], "files": list(done.files), **withheld})
    else:
        output.talk(f"wrote {output.counted(len(done.files), 'file')} below {folder}")
