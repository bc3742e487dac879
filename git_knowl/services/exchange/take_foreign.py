"""Texts of other systems become drafts: a free name, anchors that are sure, hints for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model import limits
from git_knowl.model.draft import Draft
from git_knowl.services.exchange.desk import ImportDesk
from git_knowl.services.exchange.found import Foreign
from git_knowl.services.exchange.mentions import mentioned
from git_knowl.services.items import make_draft
from git_knowl.services.propose import draft_id, item_digest

#: So many endings are tried for a name that is taken.
MOST_TRIES = 1_000


def make_foreign(desk: ImportDesk, found: Foreign, digest: str) -> Draft:
    """Return the draft of a foreign text; raises an error naming the field that is wrong."""
    said = mentioned(str(found.fields["body"]), desk.paths, found.folder)
    fields = {**found.fields, "name": free_name(desk, found, digest)}
    try:
        draft = made(desk, {**fields, "anchors": list(said.anchors)}, digest)
        hints = (*found.hints, *said.hints)
    except KnowlError:
        if not said.anchors:
            raise
        draft = made(desk, fields, digest)
        told = f"names {', '.join(said.anchors)}, which cannot be anchored as it stands here"
        hints = (*found.hints, told, *said.hints)
    older = superseded(desk, found)
    if draft.entry is not None and older:
        draft = replace(draft, entry=replace(draft.entry, supersedes=tuple(older)))
        hints += tuple(f"takes the place of {one}: retire that one" for one in older.values())
    return replace(draft, warnings=(*draft.warnings, *hints))


def made(desk: ImportDesk, fields: Mapping[str, Any], digest: str) -> Draft:
    """Return the draft of checked fields."""
    item = {"kind": "capture", "flags": [], "entry": fields}
    desk.check(item)
    return make_draft(desk, item, draft_id(desk.ctx, digest, len(desk.made)), digest)


def superseded(desk: ImportDesk, found: Foreign) -> dict[str, str]:
    """Return id and name of the live entries that came of the texts this one took the place of."""
    before = (desk.before(item_digest(one)) for one in found.replaces)
    rows = desk.ctx.cache.by_ids([one for one in before if one is not None])
    return {row.id: row.name for row in rows}


def free_name(desk: ImportDesk, found: Foreign, digest: str) -> str:
    """Return the name of a text, with a number behind it where another has it."""
    wanted = str(found.fields["name"]) or f"{found.identity['from']}-{digest[:8]}"
    tries = (with_number(wanted, number) for number in range(1, MOST_TRIES))
    return next((name for name in tries if not desk.is_taken(name)), wanted)


def with_number(name: str, number: int) -> str:
    """Return a name with a number behind it, but for the first."""
    ending = "" if number == 1 else f"-{number}"
    return f"{name[: limits.NAME - len(ending)].rstrip('-')}{ending}"
