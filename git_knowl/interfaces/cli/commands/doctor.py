"""`git knowl doctor`: what keeps the program from doing its work here."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import ask, output
from git_knowl.interfaces.cli.hooks_text import program
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.context import Context
from git_knowl.services.doctor.examine import Examined, examine
from git_knowl.services.doctor.finding import Repair

FINDINGS = 3


@click.command()
@click.option("--repair", is_flag=True,
              help="Offer what can safely be mended, one by one; needs a terminal.")  # fmt: skip
@json_option
def command(*, repair: bool, as_json: bool) -> int:
    """Look for what keeps the program from doing its work here.

    Says for every check that all is well, or what is wrong and the way out; the exit code is 3 when
    something is. Whether hooks fire is told from their last sign of life and HEAD's reflog.

    A repair touches what can be made anew, or what 'git knowl undo' brings back. Without a terminal
    nothing is mended.

    Example: git knowl doctor
    """
    ctx = open_context()
    done = examine(ctx)
    if repair and not as_json and has_repairs(done):
        done = mend(ctx, done)
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(doctor_object(done))
    else:
        output.emit_lines(lines(done))
    return FINDINGS if any(one.findings for one in done) else 0


def has_repairs(done: Sequence[Examined]) -> bool:
    """Tell whether there is anything to offer, and somebody to answer."""
    offered = any(found.repair for one in done for found in one.findings)
    return offered and ask.can_ask()


def mend(ctx: Context, done: Sequence[Examined]) -> list[Examined]:
    """Ask for each repair, do those that are wanted, and look again."""
    for one in done:
        for found in one.findings:
            if found.repair:
                output.talk(f"{one.check}: {found.problem}")
                if ask.confirm(f"{found.repair.question}"):
                    do(ctx, found.repair)
    return examine(open_context())


def do(ctx: Context, repair: Repair) -> None:
    """Do one repair and say what came of it; one that fails keeps no other from being offered."""
    try:
        output.talk(repair.do(ctx, program()))
    except (KnowlError, OSError) as error:
        output.talk(f"not mended: {error.message if isinstance(error, KnowlError) else error}")


def doctor_object(done: Sequence[Examined]) -> dict[str, Any]:
    """Return the shape of `doctor --json`."""
    findings = [
        {
            "check": one.check,
            "problem": found.problem,
            "hint": found.hint,
            "repair": found.repair.question if found.repair else None,
        }
        for one in done
        for found in one.findings
    ]
    checks = [
        {"check": one.check, "ok": one.is_made and not one.findings, "told": one.told or None}
        for one in done
    ]
    return {"format": 1, "ok": not findings, "findings": findings, "checks": checks}


def lines(done: Sequence[Examined]) -> Iterator[str]:
    """Yield a line for every check that is well, and what is wrong with the others."""
    for one in done:
        if not one.findings:
            word = "ok     " if one.is_made else "skipped"
            yield f"{word}  {one.check}" + (f": {one.told}" if one.told else "")
        for found in one.findings:
            yield f"problem  {one.check}: {found.problem}"
            if found.hint:
                yield f"         hint: {found.hint}"
            if found.repair:
                yield f"         'git knowl doctor --repair' offers to {found.repair.question}"
