"""The audit as JUnit XML, which most CI servers show: a case an entry, a failure a suspect."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from git_knowl.interfaces.cli.entry_text import said_of
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.model.text import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from git_knowl.services.audit.audit import Audit
    from git_knowl.services.findings import Finding
    from git_knowl.services.listing import Damaged, Listed

FAILURE = "failure"
SKIPPED = "skipped"


def junit_text(done: Audit, found: Iterable[Finding], *, strict: bool) -> str:
    """Return the document; ``strict`` makes a failure of what is unknown too."""
    by_entry: dict[str, list[Finding]] = {}
    for one in found:
        by_entry.setdefault(one.entry.row.id, []).append(one)
    bad = (SUSPECT, UNKNOWN) if strict else (SUSPECT,)
    told = [(one, by_entry.get(one.row.id, [])) for one in done.found.entries]
    cases = [(one, outcome(one, said, bad), said) for one, said in told]
    lines = [line for one, result, said in cases for line in case_lines(one, result, said)]
    suite = suite_tag([result for _, result, _ in cases], errors=len(done.found.damaged))
    body = (suite, *lines, *map(damaged_line, done.found.damaged), "</testsuite>")
    return "\n".join(
        ('<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", *body, "</testsuites>")
    )


def suite_tag(results: Sequence[str | None], errors: int) -> str:
    """Return the tag that opens the suite, with its counts."""
    counts = {
        "tests": len(results) + errors,
        "failures": results.count(FAILURE),
        "errors": errors,
        "skipped": results.count(SKIPPED),
    }
    told = " ".join(f'{name}="{number}"' for name, number in counts.items())
    return f'<testsuite name="git knowl audit" {told}>'


def damaged_line(one: Damaged) -> str:
    """Return the case of a file of the store that cannot be read."""
    error = f"<error message={attribute(one.error)}/>"
    return f'<testcase classname="store" name={attribute(one.path)}>{error}</testcase>'


def outcome(one: Listed, told: Sequence[Finding], bad: Sequence[str]) -> str | None:
    """Return how a case ends: a failure, skipped, or None for success."""
    if one.verdict.status == ACTIVE:
        return None
    return FAILURE if one.verdict.status in bad and any(f.counts for f in told) else SKIPPED


def case_lines(one: Listed, result: str | None, told: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of one case."""
    place = next((finding.place for finding in told if finding.place), None)
    where = f" file={attribute(place.path)} line={attribute(str(place.line))}" if place else ""
    names = f"classname={attribute(one.row.type)} name={attribute(one.row.name)}"
    if result is None:
        yield f"<testcase {names}{where}/>"
        return
    lines = [f"{finding.anchor.target}: {'; '.join(said_of(finding.anchor))}" for finding in told]
    said = attribute(lines[0] if lines else one.verdict.status)
    kind = f" type={attribute(one.verdict.status)}" if result == FAILURE else ""
    yield f"<testcase {names}{where}>"
    yield f"<{result} message={said}{kind}>{content(one.row.description, *lines)}</{result}>"
    yield "</testcase>"


def attribute(text: str) -> str:
    """Return text as a quoted value of an attribute."""
    return f'"{escape(for_terminal(text, single_line=True))}"'


def content(*lines: str) -> str:
    """Return lines as the text of an element; what XML forbids is spelled out."""
    return escape("\n".join(for_terminal(line, single_line=True) for line in lines))
