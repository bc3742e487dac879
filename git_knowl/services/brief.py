"""All that a reviewer is shown beside a draft, read before the question is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import unified_diff

from git_knowl.errors import KnowlError
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.flag import Flag
from git_knowl.services.context import Context
from git_knowl.services.edit import document
from git_knowl.services.evidence import sign, without_fingerprints
from git_knowl.services.redraft import source
from git_knowl.services.relations import Named, named
from git_knowl.services.review import Decision, rehearse
from git_knowl.services.standing import evidence_here, live
from git_knowl.services.verify import Evidence
from git_knowl.store.inbox import Inbox


@dataclass(frozen=True, slots=True)
class Brief:
    """A draft with its flags, and what becomes of it.

    ``text`` is the very document that accepting stores (or the guideline, or the reason), ``diff``
    what an update changes, ``evidence`` what the entry rests on as it is here, ``trouble`` why
    accepting would be refused. ``older`` names the entries in whose place the text stands, each
    with what it says where it is live.
    """

    draft: Draft
    flags: tuple[Flag, ...]
    text: str
    diff: str = ""
    evidence: Evidence | None = None
    trouble: KnowlError | None = None
    older: tuple[tuple[Named, Entry | None], ...] = ()


def brief(ctx: Context, inbox: Inbox, draft: Draft, reviewed: Reviewed) -> Brief:
    """Return what a person needs to decide on a draft."""
    old = live(ctx, draft)
    proposed = signed(draft, old, reviewed)
    return Brief(
        draft,
        tuple(flag for flag in inbox.flags if flag.id in draft.flags),
        document(proposed) if proposed else source(draft),
        difference(old, proposed) if old and proposed else "",
        evidence_here(ctx, draft, draft.entry or old),
        trouble(ctx, draft, reviewed),
        older(ctx, draft.entry) if draft.entry else (),
    )


def older(ctx: Context, entry: Entry) -> tuple[tuple[Named, Entry | None], ...]:
    """Return the entries in whose place one stands, and what they say where they are live."""
    texts = {one.id: one for one in ctx.cache.entries(entry.supersedes)}
    return tuple((one, texts.get(one.id)) for one in named(ctx, entry.supersedes).values())


def signed(draft: Draft, old: Entry | None, reviewed: Reviewed) -> Entry | None:
    """Return the entry as accepting stores it."""
    if draft.entry is None:
        return None
    rev = old.rev + 1 if old else draft.entry.rev
    return sign(replace(draft.entry, rev=rev), reviewed)


def difference(old: Entry, new: Entry) -> str:
    """Return the unified diff of what an entry tells, without what the program fills in."""
    plain = replace(new, **{key: getattr(old, key) for key in ("updated", "rev", "reviewed")})
    plain = replace(plain, as_of=old.as_of, patch_id=old.patch_id)
    before, after = (document(without_fingerprints(entry)).splitlines() for entry in (old, plain))
    return "\n".join(unified_diff(before, after, "live", "proposed", lineterm=""))


def trouble(ctx: Context, draft: Draft, reviewed: Reviewed) -> KnowlError | None:
    """Return why accepting a draft would be refused, None when it would not."""
    try:
        rehearse(ctx, [Decision(draft.id, accepted=True, seen=draft)], reviewed)
    except KnowlError as error:
        return error
    return None
