"""A person writes a personal entry; it rests on what is the same in every repository."""

from __future__ import annotations

from dataclasses import replace

from git_knowl.model.entry import SHARED, Entry
from git_knowl.services.add import Added, Plan, with_older
from git_knowl.services.change import let_in, refuse_taken
from git_knowl.services.compose import EntryRefusedError, Origin, compose
from git_knowl.services.context import Context
from git_knowl.services.gate import require_person
from git_knowl.services.items import provenance
from git_knowl.services.personal_store import open_personal
from git_knowl.services.prechecks import likely_duplicates
from git_knowl.services.recording import record
from git_knowl.services.supersede import still_live
from git_knowl.store.operations import PutEntry
from git_knowl.store.transaction import publish

KINDS = ("package", "url")


def add_personal(ctx: Context, plan: Plan) -> Added:
    """Store a personal entry, live at once, in the name of a person; no agent host may.

    Raises EntryRefusedError for evidence that is not in every repository.
    """
    reviewed = require_person(ctx, "add", plan.reviewer)
    found = open_personal(ctx)
    refuse_taken(found, plan.text.name)
    plan = with_older(found, plan)
    origin = Origin(ctx.caller.new_id(), ctx.caller.now(), provenance=provenance(plan.text))
    made = compose(ctx, plan.text, origin, how=reviewed.how, by=reviewed.by, from_top=plan.from_top)
    _refuse_local(made.entry)
    entry = replace(made.entry, reviewed=reviewed, as_of=None, patch_id=None)
    warnings = (*made.warnings, *likely_duplicates(found, entry))
    said = record(found, "add", f"capture {entry.name}", reviewed)
    publish(found.store, lambda _: [PutEntry(SHARED, entry), let_in(entry)], said, fsync=True)
    found.refresh()
    older = tuple(still_live(found, entry.supersedes))
    return Added(entry.id, live=True, warnings=warnings, redacted=made.redacted, older=older)


def _refuse_local(entry: Entry) -> None:
    others = [one.target for one in entry.evidence if one.kind not in KINDS]
    if others:
        raise EntryRefusedError(
            [f"entry.anchors: expected {' or '.join(KINDS)} anchors, got '{others[0]}'"],
            "a personal entry rests on what is the same in every repository",
        )
