"""`git knowl export`: the entries in a folder."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import warn_damaged
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.export import FORMATS, MARKDOWN, export


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--format", "form", type=click.Choice(FORMATS), default=MARKDOWN, show_default=True,
              help="One document an entry, or one JSON file.")  # fmt: skip
@json_option
def command(folder: str, form: str, *, as_json: bool) -> None:
    """Write the entries into a folder.

    Below DIR there is a folder a lane, with one document an entry; as JSON there is one file,
    knowledge.json. Exporting again replaces those and nothing else.

    Example: git knowl export ../knowledge
    """
    done = export(open_context(), folder, form)
    warn_damaged(done.damaged)
    if as_json:
        output.emit_json({"ok": True, "ids": [], "files": list(done.files)})
    else:
        output.talk(f"wrote {output.counted(len(done.files), 'file')} below {folder}")
