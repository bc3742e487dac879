"""`git knowl stats`: counts over the life of the store."""

from collections import Counter
from dataclasses import asdict

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.model.stored import counted
from git_knowl.services.context import Context
from git_knowl.services.stats import stats

#: What joins the counts that stand in an order of their own.
IN_ORDER = {"funnel": " -> ", "use": ", ", "suspect": ", "}
#: So many words are printed; --json has them all.
MOST = 12


@click.command()
@json_option
def command(*, as_json: bool) -> None:
    """Count entries, flags and what became of them.

    Entries of the personal store are counted by type in a line of their own; all else is about this
    repository.

    Example: git knowl stats
    """
    ctx = open_context()
    found = {**asdict(stats(ctx)), **personal_types(ctx)}
    output.notices(ctx.repo)
    if as_json:
        output.emit_json({"format": 1, **found})
        return
    for title, counts in found.items():
        output.emit(f"{title}: {told(title, counts)}")


def personal_types(ctx: Context) -> dict[str, dict[str, int]]:
    """Return how many personal entries there are by type, nothing where no such store is set."""
    if not ctx.settings.personal:
        return {}
    from git_knowl.services.personal_store import PERSONAL, find_personal  # for few

    found = find_personal(ctx)
    return {PERSONAL: dict(Counter(row.type for row in found.cache.entry_rows()))} if found else {}


def told(title: str, counts: int | dict[str, int]) -> str:
    """Return counts in words: of a way things go in its order, else the most frequent first."""
    if isinstance(counts, int):
        return str(counts)
    if title in IN_ORDER:
        return IN_ORDER[title].join(f"{count} {word}" for word, count in counts.items())
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    kept = [f"{count} {counted(word)}" for word, count in ordered[:MOST]]
    more = [f"{len(ordered) - MOST} more"] if len(ordered) > MOST else []
    return ", ".join((*kept, *more)) or "none"
