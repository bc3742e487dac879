"""Make an entry out of what somebody wrote: scrubbed, checked, its evidence fingerprinted here.

Whoever writes supplies text and paths; ids, times, fingerprints and the commit are filled in.
Everything wrong is collected before anything is refused, and every message names its field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from git_knowl.anchors import kinds
from git_knowl.anchors.base import AnchorError, Stamp
from git_knowl.errors import KnowlError
from git_knowl.model import rules
from git_knowl.model.anchor import Anchor, AnchorT, EntryLink, UrlAnchor
from git_knowl.model.entry import Entry, Source
from git_knowl.model.targets import TargetError, as_asked, parse_anchor
from git_knowl.plumbing.repository import PathError
from git_knowl.services import observing
from git_knowl.services.context import Context
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import total
from git_knowl.store.cache import AmbiguousNameError, NoSuchEntryError
from git_knowl.store.snapshot import DamagedEntryError

#: What makes an anchor that somebody asks for none.
UNFIT = (
    TargetError,
    PathError,
    AnchorError,
    NoSuchEntryError,
    AmbiguousNameError,
    DamagedEntryError,
)
_HINT = "'git knowl schema entry' lists every field and its limit"


class EntryRefusedError(KnowlError):
    """An entry that breaks a rule; ``faults`` has one message for every field that does."""

    def __init__(self, faults: Iterable[str], hint: str | None = _HINT) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults), hint)


@dataclass(frozen=True, slots=True)
class Text:
    """What somebody wrote about an entry; anchors as text or objects, other entries as links.

    ``supersedes`` are ids (`git_knowl.services.supersede.resolve`).
    """

    name: str
    description: str
    type: str
    body: str
    anchors: tuple[str | Mapping[str, Any], ...] = ()
    source: Source | None = None
    depends_on: tuple[EntryLink, ...] = ()
    supersedes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Composed:
    """An entry ready to be stored, with what a reviewer should know and what was scrubbed."""

    entry: Entry
    warnings: tuple[str, ...] = ()
    redacted: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """What stays of an entry when its text changes: identity, age and everything unnamed."""

    id: str
    created: str
    rev: int = 1
    provenance: str = "observed"
    kept: Entry | None = None


def compose(
    ctx: Context,
    text: Text,
    origin: Origin,
    *,
    how: str,
    by: str | None = None,
    from_top: bool = False,
) -> Composed:
    """Return the entry for a text, its anchors observed in the caller's files.

    ``how`` and ``by`` sign the fingerprints; ``by`` is the caller unless given. ``from_top`` tells
    that paths count from the top of the work tree, as payloads write them. Raises EntryRefusedError
    listing what is wrong or not there, SecretError for a secret in a field that names something.
    """
    clean, redacted = scrub(text)
    bare = assemble(ctx, clean, origin, parse(ctx, clean, from_top=from_top))
    read_now = tuple(as_read(anchor, bare.updated) for anchor in bare.anchors)
    refuse(rules.validate(replace(bare, anchors=read_now)))
    stamp = Stamp(bare.digest, bare.updated, by or ctx.caller.name(), how)
    entry = bare.resting_on(observe(ctx, bare, stamp))
    return Composed(entry, tuple(warn(ctx, entry)), redacted)


def scrub(text: Text) -> tuple[Text, tuple[tuple[str, int], ...]]:
    """Return the text with secrets masked, and how many of which type; refuse what names things."""
    source = text.source or Source("session")
    free = (text.description.strip(), text.body.strip("\n"), source.quote or "", source.ref or "")
    done = secrets.scrub_all(*free)
    found = total(*done)
    secrets.refuse_named(named(text), free if found else ())
    description, body, quote, ref = (one.text for one in done)
    clean = replace(text, description=description, body=f"{body}\n" if body.strip() else "")
    if text.source is not None:
        clean = replace(clean, source=replace(source, quote=quote or None, ref=ref or None))
    return clean, found


def named(text: Text) -> list[tuple[str, str]]:
    """Return what of a text names something, each with its field."""
    found = [("entry.name", text.name), *(("entry.tags", tag) for tag in text.tags)]
    for anchor in text.anchors:
        values = (anchor,) if isinstance(anchor, str) else anchor.values()
        found += [("entry.anchors", str(value)) for value in values]
    return found


def parse(ctx: Context, text: Text, *, from_top: bool) -> list[Anchor]:
    """Return the anchors asked for; raises EntryRefusedError that names the positions."""
    folder = ctx.repo.work_tree if from_top and ctx.repo.work_tree else ctx.caller.cwd
    found, faults, hint = [], [], None
    for place, given in enumerate(text.anchors):
        try:
            anchor = parse_anchor(given, lambda path: ctx.repo.relative(path, folder))
            found.append(observing.complete(ctx, anchor))
        except UNFIT as error:
            message = error.message.removeprefix("anchor")
            faults.append(f"entry.anchors.{place}{'' if message[0] in '.:' else ': '}{message}")
            hint = hint or error.hint
    if faults:
        raise EntryRefusedError(faults, hint)
    return found


def own_anchor(anchor: AnchorT, kept: Entry | None) -> AnchorT:
    """Return the entry's own anchor where it has this one: a newer program may have added keys."""
    for old in kept.evidence if kept else ():
        if isinstance(old, type(anchor)) and as_asked(old) == as_asked(anchor):
            return old
    return anchor


def observe(ctx: Context, entry: Entry, stamp: Stamp) -> list[Anchor]:
    """Return the evidence as it stands now; raises EntryRefusedError for what does not."""
    fields = [f"entry.anchors.{place}" for place in range(len(entry.anchors))]
    fields += [f"entry.depends_on.{place}" for place in range(len(entry.depends_on))]
    found, faults, hint = [], [], None
    for field, anchor in zip(fields, entry.evidence, strict=True):
        try:
            found.append(observing.observe(ctx, anchor, stamp))
        except AnchorError as error:
            faults.append(f"{field}: {error.message}")
            hint = hint or other_reading(ctx, anchor) or error.hint
    if faults:
        raise EntryRefusedError(faults, hint)
    return found


def other_reading(ctx: Context, anchor: Anchor) -> str | None:
    """Return a hint where the file that is missing is there by the other way of counting paths."""
    path = getattr(anchor, "path", None) or getattr(anchor, "lockfile", "")
    folder = ctx.repo.prefix
    if not folder or not path or present(ctx, path):
        return None
    if present(ctx, folder + path):
        return f"paths in payloads count from the top of the work tree: write '{folder}{path}'"
    plain = path.removeprefix(folder)
    if plain == path or not present(ctx, plain):
        return None
    up = "../" * folder.count("/")
    return (
        f"'{plain}' is here; seen from the current folder, as the command line does, '{up}{plain}'"
    )


def present(ctx: Context, path: str) -> bool:
    """Tell whether a file is there in the caller's files."""
    return ctx.world.blobs([path])[path].state == "present"


def assemble(ctx: Context, text: Text, origin: Origin, asked: Iterable[Anchor]) -> Entry:
    """Return the entry with everything but its fingerprints filled in.

    Entries among what was asked for as anchors join those that the text depends on.
    """
    bare = assembled(ctx, text, origin)
    given = [own_anchor(one, origin.kept) for one in (*asked, *text.depends_on)]
    links = {one.id: one for one in given if isinstance(one, EntryLink)}
    return bare.resting_on(
        (*(one for one in given if not isinstance(one, EntryLink)), *links.values())
    )


def assembled(ctx: Context, text: Text, origin: Origin) -> Entry:
    """Return the entry of a text without evidence."""
    new = Entry(
        name=text.name,
        id=origin.id,
        description=text.description,
        type=text.type,
        created=origin.created,
        updated=ctx.caller.now(),
        rev=origin.rev,
        body=text.body,
        as_of=ctx.world.head,
        patch_id=ctx.world.head_patch,
        source=text.source,
        provenance=origin.provenance,
        supersedes=text.supersedes,
        tags=text.tags,
    )
    kept = origin.kept
    if kept is None:
        return new
    return replace(
        new,
        related=kept.related,
        promoted=kept.promoted,
        extra=kept.extra,
    )


def as_read(anchor: Anchor, now: str) -> Anchor:
    """Return the anchor as the rules take it, who ask of a page when it was read."""
    return replace(anchor, verified=now) if isinstance(anchor, UrlAnchor) else anchor


def refuse(faults: list[str]) -> None:
    """Raise EntryRefusedError when there are faults, each with its field."""
    if faults:
        raise EntryRefusedError(f"entry.{fault}" for fault in faults)


def warn(ctx: Context, entry: Entry) -> list[str]:
    """Return what a reviewer should know of an entry and its files."""
    advice = (kinds.warnings(anchor, ctx.world) for anchor in entry.anchors)
    return [*rules.warnings(entry), *(warning for told in advice for warning in told)]
