"""Checks of what is this clone's alone: flags, drafts, and what it remembers."""

from __future__ import annotations

from collections.abc import Iterator

from git_knowl.model.draft import Draft
from git_knowl.services import inbox as service
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding, Repair
from git_knowl.services.hooks.program import Program
from git_knowl.store import layout
from git_knowl.store.inbox import read_inbox
from git_knowl.store.records import Damaged

REASON = "'git knowl doctor' found that nobody could read it"


def check_inbox(ctx: Context) -> Iterator[Finding]:
    """Find flags and drafts that cannot be read, and drafts about entries that are gone."""
    view = ctx.store.view()
    inbox = read_inbox(view)
    yield from map(of_damaged, inbox.damaged)
    for draft in inbox.drafts:
        if draft.kind == "update" and draft.target and not view.is_live(draft.target):
            yield orphaned(draft)


def of_damaged(one: Damaged) -> Finding:
    """Return the finding about a record that cannot be read."""
    told = f"{one.path} of the inbox cannot be read: {one.error}"
    if one.path == layout.FORMAT_FILE:
        return Finding(told, "upgrade git-knowl")
    key = service.key_of(one)

    def drop(ctx: Context, _: Program) -> str:
        service.drop(ctx, [key], REASON)
        return f"dropped '{key}' from the inbox; the reflog of its ref still has it"

    return Finding(
        told, f"'git knowl inbox drop {key}' takes it away", Repair(f"drop '{key}'", drop)
    )


def orphaned(draft: Draft) -> Finding:
    """Return the finding about a draft whose entry is gone."""
    return Finding(
        f"the draft {draft.id} changes '{draft.name}', which is not live any more",
        f"'git knowl restore {draft.target}' brings the entry back, 'git knowl inbox drop"
        f" {draft.id}' lets the draft go",
    )
