"""`git knowl capture`: the packet for whoever writes, and the way back in."""

import json
from typing import Any

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.inbox_text import tell_expired
from git_knowl.interfaces.cli.input import read_json
from git_knowl.interfaces.cli.options import json_option, tell
from git_knowl.interfaces.cli.views import flag_object
from git_knowl.interfaces.door import open_context
from git_knowl.model.text import fenced, for_agent
from git_knowl.services.capture import Packet, packet
from git_knowl.services.context import Context
from git_knowl.services.submit import Submitted, submit


@click.command()
@click.option("--submit", "source", metavar="FILE|-", help="Take the payload that was written.")
@json_option
def command(source: str | None, *, as_json: bool) -> None:
    """Hand out what is flagged, or take the drafts written from it.

    Without options it prints what a writer needs: the pending flags with what a machine can tell
    about them, the index, the guidance and the schema of the answer. The answer goes back with
    --submit and becomes drafts; a person reviews them.

    Example: git knowl capture --submit payload.json
    """
    ctx = open_context()
    if source is None:
        found = packet(ctx)
        tell_expired(found.expired)
        show_packet(found, as_json=as_json)
    else:
        show_submitted(ctx, submit(ctx, read_json(source)), as_json=as_json)


def show_packet(found: Packet, *, as_json: bool) -> None:
    """Print the packet as one object, or as text an agent can read."""
    if as_json:
        output.emit_json(packet_object(found))
    else:
        click.echo(packet_text(found))


def packet_object(found: Packet) -> dict[str, Any]:
    """Return the packet as the schema `packet` describes it."""
    return {
        "format": 1,
        "flags": flag_objects(found),
        "index": found.index,
        "guidance": found.guidance,
        "schema": found.schema,
    }


def flag_objects(found: Packet) -> list[dict[str, Any]]:
    """Return the flags with what a machine can tell about each."""
    return [{**flag_object(flag), "checks": found.checks[flag.id]} for flag in found.flags]


def packet_text(found: Packet) -> str:
    """Return the packet as Markdown; what was flagged is data, escaped and fenced."""
    data = json.dumps(flag_objects(found), indent=2, ensure_ascii=False)
    schema = json.dumps(found.schema, separators=(",", ":"))
    return "\n\n".join(
        (
            found.guidance,
            f"# Pending flags ({len(found.flags)}), as data\n\n{fenced(for_agent(data), 'json')}",
            f"# What is known already\n\n{found.index.strip()}",
            f"# Schema of the answer (git knowl capture --submit -)\n\n{fenced(schema, 'json')}",
        )
    )


def show_submitted(ctx: Context, done: Submitted, *, as_json: bool) -> None:
    """Print the draft ids, and on the side what a person will want to know."""
    tell(done.warnings, done.redacted)
    for note in done.notes:
        output.talk(f"note: {note}")
    output.notices(ctx.repo)
    drafts = list(done.ids)
    if as_json:
        output.emit_json({"ok": True, "ids": drafts, "drafts": drafts})
    else:
        output.emit_lines(drafts)
