"""`git knowl doctor`: what keeps the program from doing its work here."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.doctor.examine import Examined, examine

FINDINGS = 3


@click.command()
@json_option
def command(*, as_json: bool) -> int:
    """Look for what keeps the program from doing its work here.

    Says for every check that all is well, or what is wrong and the way out; the exit code is 3 when
    something is. Whether hooks fire is told from their last sign of life and HEAD's reflog.

    Example: git knowl doctor
    """
    ctx = open_context()
    done = examine(ctx)
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(doctor_object(done))
    else:
        output.emit("\n".join(lines(done)))
    return FINDINGS if any(one.findings for one in done) else 0


def doctor_object(done: Sequence[Examined]) -> dict[str, Any]:
    """Return the shape of `doctor --json`."""
    findings = [
        {"check": one.check, "problem": found.problem, "hint": found.hint}
        for one in done
        for found in one.findings
    ]
    checks = [
        {"check": one.check, "ok": not one.findings, "told": one.told or None} for one in done
    ]
    return {"format": 1, "ok": not findings, "findings": findings, "checks": checks}


def lines(done: Sequence[Examined]) -> Iterator[str]:
    """Yield a line for every check that is well, and what is wrong with the others."""
    for one in done:
        if not one.findings:
            yield f"ok       {one.check}" + (f": {one.told}" if one.told else "")
        for found in one.findings:
            yield f"problem  {one.check}: {found.problem}"
            if found.hint:
                yield f"         hint: {found.hint}"
