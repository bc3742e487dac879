"""`git knowl show`: one entry with its evidence."""

import sys
from collections.abc import Iterator
from typing import Any

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import INDENT, anchor_lines, superseded
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.signature_text import vouched_fact
from git_knowl.interfaces.cli.views import (
    entry_object,
    operation_object,
    relations_object,
    signature_object,
)
from git_knowl.interfaces.door import open_context
from git_knowl.model import stored
from git_knowl.model.entry import Entry, Reviewed, Source
from git_knowl.services.context import Context
from git_knowl.services.listing import Listed
from git_knowl.services.personal import document_any, show_any
from git_knowl.services.show import Shown
from git_knowl.services.trust.told import Vouched
from git_knowl.services.use import note_read

CONFLICTED = "changed in two ways at once: 'git knowl review' shows both texts, this is one of them"


@click.command()
@click.argument("name")
@click.option("--raw", is_flag=True, help="Print the document, in a pipe its very bytes.")
@json_option
def command(name: str, *, raw: bool, as_json: bool) -> None:
    """Show one entry with its evidence.

    NAME is a name, a name with the end of its id (name~abc123), an id, or a unique part of one.

    Example: git knowl show cart-doubles
    """
    if raw and as_json:
        raise click.UsageError("--raw and --json exclude each other")
    ctx = open_context()
    if raw:
        show_raw(ctx, document_any(ctx, name))
        return
    found = show_any(ctx, name)
    note_read(ctx, [found.entry.id])
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(shown_object(found))
    else:
        output.page(ctx.repo, lines(found))


def show_raw(ctx: Context, data: bytes) -> None:
    """Print a document: its very bytes, but on a terminal nothing that a terminal would obey.

    In a pipe it is data, for a program that compares digests or keeps a copy.
    """
    if sys.stdout.isatty():
        output.page(ctx.repo, data.decode("utf-8", "surrogateescape").rstrip("\n").split("\n"))
    else:
        click.echo(data, nl=False)


def shown_object(found: Shown) -> dict[str, Any]:
    """Return the shape of `show --json`."""
    entry = found.entry
    return {
        "format": 1,
        **entry_object(found.listed),
        **relations_object(found.listed, always=True),
        "body": entry.body,
        "source": source_object(entry.source),
        "reviewed": reviewed_object(entry.reviewed),
        "provenance": entry.provenance,
        "created": entry.created,
        "rev": entry.rev,
        "as_of": entry.as_of,
        "tags": list(entry.tags),
        "depends_on": [{"id": link.id, "name": link.name} for link in entry.depends_on],
        "history": [operation_object(one) for one in found.history],
        "vouched": vouched_object(found.vouched),
    }


def vouched_object(vouched: Vouched | None) -> dict[str, Any] | None:
    """Return which commit let the text in, and its signature."""
    if vouched is None:
        return None
    return {"commit": vouched.commit, "signature": signature_object(vouched.signature)}


def source_object(source: Source | None) -> dict[str, Any] | None:
    """Return who vouches for an entry."""
    if source is None:
        return None
    return {"kind": source.kind, "ref": source.ref, "quote": source.quote}


def reviewed_object(reviewed: Reviewed | None) -> dict[str, Any] | None:
    """Return who let an entry in."""
    if reviewed is None:
        return None
    return {"by": reviewed.by, "at": reviewed.at, "how": reviewed.how}


def lines(found: Shown) -> Iterator[str]:
    """Yield the entry for people: what it says, set off from what the program says about it."""
    row = found.listed.row
    marks = (found.listed.verdict.status, row.type, row.lane, f"reviewed: {found.listed.tier}")
    told = (*marks, "conflict" if row.conflict else "", superseded(found.listed))
    yield f"{row.name}  [{', '.join(filter(None, told))}]"
    if row.conflict:
        yield CONFLICTED
    yield f"{output.QUOTED}{row.description}"
    yield ""
    for line in found.entry.body.rstrip().split("\n"):
        yield f"{output.QUOTED}{line}".rstrip()
    yield ""
    yield from anchor_lines(found.listed.verdict.anchors)
    vouched = vouched_fact(found.vouched, found.listed.tier)
    for label, text in (*facts(found.entry), *older_fact(found.listed), *vouched):
        first, *more = text.split("\n")
        yield f"{label:<7}  {first}"
        yield from (f"{INDENT}{line}" for line in more)
    yield f"id       {row.id}, rev {found.entry.rev}, digest {row.digest[:12]}"


def older_fact(one: Listed) -> Iterator[tuple[str, str]]:
    """Yield whose place an entry takes, by its label."""
    if one.supersedes:
        names = ", ".join(older.name or older.id for older in one.supersedes)
        yield "instead", f"of {names}{' (in a circle, supersedes nothing)' if one.circles else ''}"


def facts(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what else is known of an entry, by its label."""
    if entry.source:
        told = ": ".join(filter(None, (entry.source.ref, entry.source.quote)))
        yield "source", f"{entry.source.kind}: {told}"
    if entry.depends_on:
        yield "needs", ", ".join(link.name for link in entry.depends_on)
    if entry.tags:
        yield "tags", ", ".join(entry.tags)
    if entry.promoted:
        yield "also in", entry.promoted.file
    if entry.reviewed:
        by, at, how = entry.reviewed.by, entry.reviewed.at, entry.reviewed.how
        yield "by", f"{stored.named(by)}, {stored.time(at)}, {stored.door(how)}"
