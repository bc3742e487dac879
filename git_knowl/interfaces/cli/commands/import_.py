"""`git knowl import`: a folder of texts becomes drafts."""

from __future__ import annotations

from typing import Any

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option, tell_redacted
from git_knowl.interfaces.door import open_context
from git_knowl.interfaces.report import say
from git_knowl.services.context import Context
from git_knowl.services.exchange.fork import import_fork
from git_knowl.services.exchange.import_ import Imported, import_path
from git_knowl.services.exchange.recognise import FORMS

FAILED = 1


@click.command()
@click.argument("path", required=False)
@click.option("--from", "form", metavar="FORM|REMOTE",
              help=f"What PATH holds: {', '.join(FORMS)}  [default: what it looks like]; or whose"
                   " store to take entries from, with --id or --all.")  # fmt: skip
@click.option("--id", "wanted", multiple=True, metavar="ID",
              help="Take this entry of the store of REMOTE (can be repeated).")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Take every entry of the store of REMOTE.")
@click.option("--dry-run", is_flag=True, help="List what would become drafts, and store nothing.")
@json_option
def command(
    path: str | None,
    form: str | None,
    wanted: tuple[str, ...],
    *,
    everything: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Read a file or folder into drafts.

    Takes what 'git knowl export' wrote (markdown, json), and any Markdown whose frontmatter has
    name, description and type; the memory folder of a coding agent; rules files such as AGENTS.md
    or .cursor/rules; a folder of decision records. Nothing becomes live: 'git knowl review' goes
    through the drafts. Importing again changes nothing. What cannot be taken is told, and the rest
    is taken.

    With --id or --all entries come from the store of somebody else, a remote, a path or a URL that
    --from names: nothing is merged, nothing else of it stays here.

    Example: git knowl import --dry-run AGENTS.md
    """
    ctx = open_context()
    done = imported(ctx, path, form, None if everything else wanted, dry_run=dry_run)
    if form is None:
        output.talk(f"note: {path} is read as {done.form}")
    tell(done)
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(import_object(done, dry_run=dry_run))
        return FAILED if done.failed else 0
    for line in output.columns(draft_row(one) for one in listed(done)) if dry_run else ():
        output.emit(line)
    output.talk(summary(done, dry_run=dry_run))
    return FAILED if done.failed else 0


def imported(
    ctx: Context,
    path: str | None,
    form: str | None,
    wanted: tuple[str, ...] | None,
    *,
    dry_run: bool,
) -> Imported:
    """Take what a path holds, or entries (None for all) of the store that --from names."""
    if wanted == ():
        if path is None:
            raise click.UsageError("name a PATH, or with --from REMOTE the entries to take: --id")
        if form is not None and form not in FORMS:
            told = f"'{form}' is none of {', '.join(FORMS)}; a REMOTE needs --id or --all"
            raise click.BadParameter(told, param_hint="'--from'")
        return import_path(ctx, path, form, dry_run=dry_run)
    if form is None or path is not None:
        raise click.UsageError("--id and --all take entries of a store: name it with --from alone")
    return import_fork(ctx, form, wanted, dry_run=dry_run)


def tell(done: Imported) -> None:
    """Say what failed, what was left out and what was scrubbed."""
    tell_redacted(done.redacted)
    for note in done.notes:
        output.talk(f"note: {note}")
    for left in done.left_out:
        output.talk(f"note: left out {left}")
    for failure in done.failed:
        say("error", failure)


def summary(done: Imported, *, dry_run: bool) -> str:
    """Return in a line what came of everything."""
    drafts = output.counted(len(done.drafts), "draft")
    left = f", {len(done.left_out)} left out" if done.left_out else ""
    others = f"{len(done.unchanged)} known already{left}, {len(done.failed)} failed"
    return f"{'would make ' if dry_run else ''}{drafts}, {others}"


def listed(done: Imported) -> list[dict[str, Any]]:
    """Return what became of the documents, or would become, one object a draft."""
    return [
        {
            "kind": draft.kind,
            "name": draft.name,
            "type": draft.entry.type if draft.entry else None,
            "description": draft.entry.description if draft.entry else None,
            "warnings": list(draft.warnings),
        }
        for draft in done.drafts
    ]


def draft_row(one: dict[str, Any]) -> tuple[str, ...]:
    """Return the columns of a draft that would be made."""
    return (str(one["kind"]), str(one["type"]), str(one["name"]), str(one["description"]))


def import_object(done: Imported, *, dry_run: bool) -> dict[str, Any]:
    """Return the shape of `import --json`."""
    return {
        "ok": not done.failed,
        "ids": [] if dry_run else [draft.id for draft in done.drafts],
        "form": done.form,
        "would": listed(done) if dry_run else [],
        "unchanged": done.unchanged,
        "left_out": done.left_out,
        "failed": done.failed,
    }
