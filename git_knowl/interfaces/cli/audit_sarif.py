"""The audit as SARIF 2.1.0, the format in which code hosts take findings.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from git_knowl import __version__
from git_knowl.interfaces.cli.entry_text import said_of
from git_knowl.model.status import SUSPECT, UNKNOWN
from git_knowl.model.text import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.services.audit.audit import Audit
    from git_knowl.services.findings import Finding

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {SUSPECT: "warning", UNKNOWN: "note"}
RULES = {
    SUSPECT: "The evidence of an entry is not what it was when somebody last found it true.",
    UNKNOWN: "Whether the evidence of an entry still holds cannot be told from here.",
}
ROOT = "%SRCROOT%"


def sarif_object(done: Audit, found: Iterable[Finding]) -> dict[str, Any]:
    """Return the log of one run; with a base every result says whether it is new."""
    rules = [
        {
            "id": name,
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": LEVELS[name]},
        }
        for name, text in RULES.items()
    ]
    driver = {"name": "git-knowl", "version": __version__, "rules": rules}
    results = [result(one, is_compared=done.base is not None) for one in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def result(one: Finding, *, is_compared: bool) -> dict[str, Any]:
    """Return one finding."""
    row, anchor = one.entry.row, one.anchor
    made: dict[str, Any] = {
        "ruleId": anchor.status,
        "ruleIndex": list(RULES).index(anchor.status),
        "level": LEVELS[anchor.status],
        "message": {"text": message(one)},
        "locations": [location(one)],
        "partialFingerprints": {"entryAndAnchor/v1": f"{row.id} {plain(anchor.target)}"},
    }
    if is_compared:
        made["baselineState"] = "new" if one.counts else "unchanged"
    if one.snoozed:
        why = f"snoozed until {one.snoozed}"
        made["suppressions"] = [{"kind": "external", "justification": why}]
    return made


def message(one: Finding) -> str:
    """Return in words which entry rests on what, and what became of that."""
    row = one.entry.row
    said = "; ".join(said_of(one.anchor)) or one.anchor.status
    return plain(f"'{row.name}' ({row.description}) rests on {one.anchor.target}: {said}")


def location(one: Finding) -> dict[str, Any]:
    """Return the place in the project, or the entry by its name where there is none."""
    if one.place is None:
        return {"logicalLocations": [{"name": one.entry.row.name, "kind": "entry"}]}
    path = quote(one.place.path.encode("utf-8", "surrogateescape"))
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": path or ".", "uriBaseId": ROOT},
            "region": {"startLine": one.place.line},
        }
    }


def plain(text: str) -> str:
    """Return text without anything invisible."""
    return for_terminal(text, single_line=True)
