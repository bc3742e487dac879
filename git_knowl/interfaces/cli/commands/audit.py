"""`git knowl audit`: every entry judged against the files of this worktree."""

import json
import sys
from collections.abc import Sequence

import click

from git_knowl.anchors.base import World
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.audit_text import audit_lines, audit_object
from git_knowl.interfaces.cli.entry_text import warn_damaged
from git_knowl.interfaces.cli.inbox_text import tell_expired
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.audit.audit import Audit, audit, audit_against, beside, pick_world
from git_knowl.services.context import Context

FINDINGS = 3
TEXT, JSON, SARIF, JUNIT, MARKDOWN = FORMATS = ("text", "json", "sarif", "junit", "markdown")


@click.command()
@click.option("--staged", is_flag=True, help="Judge what is staged.")
@click.option("--commit", metavar="REV", help="Judge what a commit holds, without a checkout.")
@click.option("--against", metavar="REV", help="Compare with the merge base of a revision, and "
              "count only what became worse since.")  # fmt: skip
@click.option("--exit-code", is_flag=True, help="Exit 3 when an entry is suspect and not snoozed.")
@click.option("--strict", is_flag=True, help="With --exit-code or junit: unknown counts too.")
@click.option("--format", "form", type=click.Choice(FORMATS), default=TEXT, show_default=True,
              help="How to print.")  # fmt: skip
@click.option("--review", is_flag=True, help="Go through the suspects one by one.")
@click.option("--health", "wants_health", is_flag=True,
              help="Tell instead what in the store could be better.")  # fmt: skip
@json_option
def command(
    commit: str | None,
    against: str | None,
    form: str,
    *,
    staged: bool,
    exit_code: bool,
    strict: bool,
    review: bool,
    wants_health: bool,
    as_json: bool,
) -> int:
    """Judge every entry against the files of this worktree.

    Shows what is not active, with the reason and the commit that changed it, and what changed since
    the last audit of this worktree. In a terminal this moves the cursor for the next audit; the
    other formats never do. Entries of the personal store stand behind the others in text and JSON,
    and are no findings.

    Example: git knowl audit --commit HEAD --against origin/main --exit-code
    """
    form = JSON if as_json else form
    others = [name for name, given in (("--staged", staged), ("--commit", commit)) if given]
    check_usage(others, review=review, is_text=form == TEXT)
    ctx = open_context()
    if wants_health:
        check_health(others, alone=not (review or against), is_known=form in (TEXT, JSON))
        return tell_health(ctx, as_json=form == JSON)
    world = pick_world(ctx, commit, staged=staged)
    seen = form == TEXT and sys.stdout.isatty()
    done = audit_against(ctx, world, against) if against else audit(ctx, world, move=seen)
    output.notices(ctx.repo)
    if review:
        from git_knowl.interfaces.cli.audit_loop import walk  # half of what an audit would load

        return walk(ctx, done)
    show(ctx, done, world, form, strict=strict)
    return FINDINGS if exit_code and done.findings(strict=strict) else 0


def show(ctx: Context, done: Audit, world: World, form: str, *, strict: bool) -> None:
    """Print the audit as text in a pager, or as a report."""
    if form in (TEXT, JSON):
        done = beside(ctx, world, done)
        output.notices(ctx.repo)
    warn_damaged(() if form == JSON else done.found.damaged)
    tell_expired(done.expired)
    if form == TEXT:
        output.page(ctx.repo, audit_lines(done))
    else:
        click.echo(report(done, world, form, strict=strict))


def report(done: Audit, world: World, form: str, *, strict: bool) -> str:
    """Return what a machine takes, or a comment."""
    if form == JSON:
        return json.dumps(audit_object(done))
    from git_knowl.services.findings import findings  # each report loads what it needs

    found = findings(done, world)
    if form == SARIF:
        from git_knowl.interfaces.cli.audit_sarif import sarif_object

        return json.dumps(sarif_object(done, found))
    if form == JUNIT:
        from git_knowl.interfaces.cli.audit_junit import junit_text

        return junit_text(done, found, strict=strict)
    from git_knowl.interfaces.cli.audit_markdown import markdown_text

    return markdown_text(done, found)


def tell_health(ctx: Context, *, as_json: bool) -> int:
    """Print what could be better in the store."""
    from git_knowl.interfaces.cli.health_text import health_lines, health_object
    from git_knowl.services.audit.health import health  # compares all texts with each other

    found = health(ctx)
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(health_object(found))
    else:
        output.page(ctx.repo, health_lines(found))
    return 0


def check_usage(others: Sequence[str], *, review: bool, is_text: bool) -> None:
    """Raise UsageError for options that exclude each other; ``others`` ask for foreign files."""
    if len(others) > 1:
        raise click.UsageError(f"{others[0]} and {others[1]} exclude each other")
    if review and (others or not is_text):
        raise click.UsageError("--review is about the files of this worktree, in a terminal")


def check_health(others: Sequence[str], *, alone: bool, is_known: bool) -> None:
    """Raise UsageError unless a look at the store is all that was asked for."""
    if others or not alone or not is_known:
        raise click.UsageError("--health looks at the store from this worktree, and stands alone")
