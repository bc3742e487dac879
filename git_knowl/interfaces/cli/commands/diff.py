"""`git knowl diff`: the evidence of an entry then and now."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.evidence import evidence_lines
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.views import anchor_object
from git_knowl.interfaces.door import open_context
from git_knowl.services.evidence_diff import differences
from git_knowl.services.verify import evidence


@click.command()
@click.argument("name")
@json_option
def command(name: str, *, as_json: bool) -> None:
    """Show the evidence of an entry then and now.

    For evidence that differs it prints what changed since it was found true.

    Example: git knowl diff cart-doubles
    """
    ctx = open_context()
    seen = evidence(ctx, name)
    found = list(differences(ctx, seen))
    if not as_json:
        compared = [line for one in found for line in one.text.split("\n")]
        output.page(ctx.repo, [*evidence_lines(ctx, seen), *compared])
        return
    shape = {
        "format": 1,
        "name": seen.entry.name,
        "id": seen.entry.id,
        "status": seen.verdict.status,
        "anchors": [anchor_object(anchor) for anchor in seen.verdict.anchors],
        "differences": [{"target": one.target, "diff": one.text} for one in found],
    }
    output.emit_json(shape)
