"""`git knowl flag`, as the help shows it; the short path runs the same function."""

import click

from git_knowl.interfaces.short.flag import perform
from git_knowl.model.flag import CUES


@click.command()
@click.argument("summary")
@click.option("-p", "--path", "paths", multiple=True, help="File it is about (can be repeated).")
@click.option("--cue", type=click.Choice(CUES), help="Why it is worth keeping.")
@click.option("--quote", help="The words somebody used.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    summary: str, paths: tuple[str, ...], cue: str | None, quote: str | None, *, as_json: bool
) -> int:
    """Bookmark a finding: one sentence plus paths.

    A flag is no knowledge yet: somebody writes it up later and a person reviews it. Flag whatever
    a future session would pay for if it were lost. Prints the id of the flag.

    Example: git knowl flag "the cart doubles above three pieces" -p lib/cart.ts --cue surprise
    """
    return perform(summary, paths, cue, quote, as_json=as_json)
