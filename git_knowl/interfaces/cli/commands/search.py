"""`git knowl search`: find entries, or hear that nothing fits."""

from typing import Any

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import NO_ENTRY, entry_lines, warn_damaged
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.views import listing_object
from git_knowl.interfaces.door import open_context
from git_knowl.services.find_text import Found, find_text
from git_knowl.services.search import DEFAULT_LIMIT

MOST_HITS = 100


@click.command()
@click.argument("words", metavar="QUERY", nargs=-1, required=True)
@click.option("-n", "limit", type=click.IntRange(1, MOST_HITS), default=DEFAULT_LIMIT,
              show_default=True, help="So many hits at most.")  # fmt: skip
@json_option
def command(words: tuple[str, ...], limit: int, *, as_json: bool) -> None:
    """Search entries.

    Exact names and paths come first, misspelt words are forgiven; where nothing fits it says so.

    Example: git knowl search "why does the cart double"
    """
    ctx = open_context()
    found = find_text(ctx, " ".join(words), limit)
    if as_json:
        output.emit_json(found_object(found))
        return
    warn_damaged(found.listing.damaged)
    talk_about(found, is_empty=not (found.listing.damaged or ctx.cache.first_rows(1)))
    output.page(ctx.repo, "\n".join(entry_lines(found.listing.entries)))


def found_object(found: Found) -> dict[str, Any]:
    """Return the shape of `search --json`."""
    shape = listing_object(found.listing)
    for entry, score in zip(shape["entries"], found.scores, strict=True):
        entry["score"] = score
    return {
        **shape,
        "confident": found.confident,
        "corrected": {word: list(taken) for word, taken in found.corrected.items()},
    }


def talk_about(found: Found, *, is_empty: bool) -> None:
    """Say on the side how sure the answer is, and which words were taken for others."""
    for word, taken in found.corrected.items():
        output.talk(f"note: '{word}' is nowhere, searched for {' or '.join(taken)}")
    if is_empty:
        output.talk(NO_ENTRY)
    elif not found.listing.entries:
        output.talk("nothing fits; 'git knowl ls' lists everything")
    elif not found.confident:
        output.talk("note: nothing fits well, this is the nearest")
