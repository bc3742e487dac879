"""`git knowl stats`: counts over the life of the store."""

from dataclasses import asdict

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.stats import stats


@click.command()
@json_option
def command(*, as_json: bool) -> None:
    """Count entries, flags and what became of them.

    Example: git knowl stats
    """
    ctx = open_context()
    found = asdict(stats(ctx))
    output.notices(ctx.repo)
    if as_json:
        output.emit_json({"format": 1, **found})
        return
    for title, counts in found.items():
        output.emit(f"{title}: {counts if isinstance(counts, int) else pairs(counts)}")


def pairs(counts: dict[str, int]) -> str:
    """Return counts by word, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count} {word}" for word, count in ordered) or "none"
