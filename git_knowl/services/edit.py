"""A person edits the document of a live entry."""

from __future__ import annotations

from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.anchor import ForeignAnchor
from git_knowl.model.document import parse, render
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.status import SUSPECT
from git_knowl.model.targets import as_asked
from git_knowl.services.change import change, let_in, refuse_taken
from git_knowl.services.compose import Composed, EntryRefusedError, Origin, Text, compose
from git_knowl.services.context import Context
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import Counts
from git_knowl.services.find import refuse_conflicted
from git_knowl.services.gate import authorise
from git_knowl.services.recording import record
from git_knowl.services.supersede import refuse_circle, resolve
from git_knowl.services.verify import Evidence
from git_knowl.store.operations import Change, PutEntry
from git_knowl.store.view import View


class NotLookedError(KnowlError):
    """A new text against evidence that nobody compared."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The entry as it is now; ``changed`` is false when nothing was written."""

    entry: Entry
    changed: bool
    warnings: tuple[str, ...] = ()
    redacted: Counts = ()


def unfinished(entry: Entry) -> str:
    """Return the name under which an edit is kept: another text of the entry starts a new one."""
    return f"{entry.id}-{entry.digest[:12]}"


def document(entry: Entry) -> str:
    """Return what the editor shows: the entry as it is stored."""
    return render(entry).decode()


def check_editable(
    ctx: Context, seen: Evidence, *, looked: bool = False, reviewer: str | None = None
) -> None:
    """Raise before an editor opens what would be raised after.

    That is GateError, ConflictedError, EntryRefusedError, or NotLookedError for changed evidence
    that nobody has ``looked`` at: another text will rest on it.
    """
    authorise(ctx, "edit", reviewer, entry=seen.entry)
    refuse_conflicted(ctx, seen.entry.id)
    text_of(seen.entry)
    if seen.verdict.status == SUSPECT and not looked:
        raise NotLookedError(
            f"the evidence of '{seen.entry.name}' has changed since it was found true",
            "compare old and new with 'git knowl diff', then repeat with --reviewed",
        )


def apply_edit(
    ctx: Context,
    seen: Evidence,
    edited: str,
    *,
    looked: bool = False,
    reviewer: str | None = None,
) -> Edited:
    """Store the edited document; the program keeps id, times, rev, fingerprints and reviewer.

    Another text rests on the evidence as it is now. Raises DocumentError, or whatever composing an
    entry or `check_editable` raises, naming the field.
    """
    old, new = seen.entry, parse(edited.encode())
    if told(new) == told(old):
        return Edited(old, changed=False)
    check_editable(ctx, seen, looked=looked, reviewer=reviewer)
    reviewed = authorise(ctx, "edit", reviewer, entry=old)
    made = compose_edit(ctx, old, new, reviewed)

    def step(view: View, lane: str, live: Entry) -> list[Change]:
        del view
        return edit_changes(lane, live, old, made.entry)

    change(ctx, old, step, record(ctx, "edit", f"edit {old.name}", reviewed))
    return Edited(made.entry, changed=True, warnings=made.warnings, redacted=made.redacted)


def compose_edit(ctx: Context, old: Entry, new: Entry, reviewed: Reviewed) -> Composed:
    """Return the edited entry with everything the program fills in, signed by the person."""
    if new.name != old.name:
        refuse_taken(ctx, new.name)
    refuse_secrets(new)
    origin = Origin(old.id, old.created, old.rev + 1, new.provenance, kept=new)
    text = replace(text_of(new), supersedes=resolve(ctx, new.supersedes, old.supersedes))
    made = compose(ctx, text, origin, how=reviewed.how, by=reviewed.by, from_top=True)
    refuse_circle(ctx, made.entry, old.supersedes)
    return replace(made, entry=replace(made.entry, reviewed=reviewed))


def edit_changes(lane: str, live: Entry, old: Entry, new: Entry) -> list[Change]:
    """Return the changes that put an edited entry in its place.

    Evidence stays where only what no reader is told was edited. Raises MovedError when just that
    was edited meanwhile.
    """
    if told(live) != told(old):
        raise MovedError(f"'{old.name}' was changed meanwhile", "look at it again and repeat")
    made = replace(new, rev=live.rev + 1)
    if new.digest == live.digest:
        made = made.resting_on(live.evidence)
    return [PutEntry(lane, made), let_in(made)]


def refuse_secrets(entry: Entry) -> None:
    """Raise SecretError for a secret under a key that this version does not know."""
    parts = (entry, entry.source, *entry.anchors, *entry.depends_on, *entry.related)
    for part in parts:
        for key, value in getattr(part, "extra", {}).items():
            secrets.refuse(f"entry.{key}", f"{key}: {value}")


def told(entry: Entry) -> tuple[object, ...]:
    """Return what a person may change in the document."""
    extras = [getattr(anchor, "extra", None) for anchor in entry.evidence]
    return (entry.digest, entry.provenance, entry.supersedes, entry.related, entry.extra, extras)


def text_of(entry: Entry) -> Text:
    """Return the text of an entry as somebody would write it.

    Raises EntryRefusedError for an anchor of a kind that this version cannot look at.
    """
    foreign = [
        f"entry.anchors.{place}: this version cannot look at anchors of the kind '{anchor.kind}'"
        for place, anchor in enumerate(entry.anchors)
        if isinstance(anchor, ForeignAnchor)
    ]
    if foreign:
        raise EntryRefusedError(foreign, "a newer git-knowl may know the kind")
    return Text(
        name=entry.name,
        description=entry.description,
        type=entry.type,
        body=entry.body,
        anchors=tuple(map(as_asked, entry.anchors)),
        source=entry.source,
        depends_on=entry.depends_on,
        supersedes=entry.supersedes,
        tags=entry.tags,
    )
