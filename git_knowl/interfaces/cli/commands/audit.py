"""`git knowl audit`: every entry judged against the files of this worktree."""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import anchor_lines, says_something, warn_damaged
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.views import listing_object
from git_knowl.interfaces.door import open_context
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.services.audit import Audit, audit, pick_world
from git_knowl.services.listing import Listed

FINDINGS = 3
FORMATS = TEXT, JSON = ("text", "json")


@click.command()
@click.option("--staged", is_flag=True, help="Judge what is staged.")
@click.option("--commit", metavar="REV", help="Judge what a commit holds, without a checkout.")
@click.option("--exit-code", is_flag=True, help="Exit 3 when an entry is suspect and not snoozed.")
@click.option("--strict", is_flag=True, help="With --exit-code: unknown and damaged count too.")
@click.option("--format", "form", type=click.Choice(FORMATS), default=TEXT, show_default=True,
              help="How to print.")  # fmt: skip
@click.option("--review", is_flag=True, help="Go through the suspects one by one.")
@json_option
def command(
    commit: str | None,
    form: str,
    *,
    staged: bool,
    exit_code: bool,
    strict: bool,
    review: bool,
    as_json: bool,
) -> int:
    """Judge every entry against the files of this worktree.

    Shows what is not active, with the reason and the commit that changed it, and what changed since
    the last audit of this worktree. In a terminal this moves the cursor for the next audit.

    Example: git knowl audit --commit origin/main --exit-code
    """
    wants_json = as_json or form == JSON
    check_usage(other=staged + (commit is not None), review=review, as_json=wants_json)
    ctx = open_context()
    seen = not wants_json and sys.stdout.isatty()
    done = audit(ctx, pick_world(ctx, commit, staged=staged), move=seen)
    output.notices(ctx.repo)
    if review:
        from git_knowl.interfaces.cli.audit_loop import walk  # half of what an audit would load

        return walk(ctx, done)
    if wants_json:
        output.emit_json(audit_object(done))
    else:
        warn_damaged(done.found.damaged)
        output.page(ctx.repo, "\n".join(audit_lines(done)))
    return FINDINGS if exit_code and done.findings(strict=strict) else 0


def check_usage(*, other: int, review: bool, as_json: bool) -> None:
    """Raise UsageError for options that exclude each other; ``other`` counts foreign worlds."""
    if other > 1:
        raise click.UsageError("--staged and --commit exclude each other")
    if review and (other or as_json):
        raise click.UsageError("--review is about the files of this worktree, in a terminal")


def audit_object(done: Audit) -> dict[str, Any]:
    """Return the shape of `audit --json`."""
    shape = listing_object(done.found)
    for entry in shape["entries"]:
        entry["snoozed"] = done.snoozed.get(entry["id"])
    changed = [
        {"name": one.name, "from": one.old, "to": one.new, "commit": one.commit}
        for one in done.changed
    ]
    return {**shape, "changed": changed}


def audit_lines(done: Audit) -> Iterator[str]:
    """Yield every entry that has something to tell, then the counts and what changed."""
    for one in done.found.entries:
        if says_something(one):
            yield from lines_of(one, done.snoozed.get(one.row.id))
    counts = Counter(one.verdict.status for one in done.found.entries)
    damaged = [f"{len(done.found.damaged)} damaged"] if done.found.damaged else []
    judged = [f"{counts[status]} {status}" for status in (ACTIVE, SUSPECT, UNKNOWN)]
    yield ", ".join((*judged, *damaged))
    for change in () if done.is_first else done.changed:
        commit = f" by {change.commit[:10]}" if change.commit else ""
        move = f"{change.old or 'new'} -> {change.new}"
        yield f"since the last audit: {change.name} {move}{commit}"


def lines_of(one: Listed, until: str | None) -> Iterator[str]:
    """Yield an entry and what speaks against it."""
    tail = f" (snoozed until {until})" if until else ""
    yield f"{one.verdict.status:<7}  {one.row.name}{tail}"
    for line in anchor_lines(one.verdict.anchors, telling=True):
        yield f"  {line}"
