"""Evidence merged: anchors and links by what they name, accepted fingerprints as a set."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from git_knowl.model.accepted import KEPT, identity
from git_knowl.model.anchor import (
    Anchor,
    EntryLink,
    Fingerprint,
    ForeignAnchor,
    SnippetAnchor,
    UrlAnchor,
    accepting,
    fingerprints,
)
from git_knowl.store.merge.values import pick, pick_keys, pick_members

AnchorT = TypeVar("AnchorT", bound=Anchor)


def merge_anchors(
    base: Iterable[Anchor], first: Iterable[Anchor], second: Iterable[Anchor]
) -> tuple[Anchor, ...]:
    """Merge what an entry rests on; members are told apart by kind and target."""
    return pick_members([*base], [*first], [*second], _target, _merge_anchor)


def merge_links(
    base: Iterable[EntryLink], first: Iterable[EntryLink], second: Iterable[EntryLink]
) -> tuple[EntryLink, ...]:
    """Merge the links to other entries, which are told apart by id."""
    return pick_members([*base], [*first], [*second], lambda link: link.id, _merge_anchor)


def settle(anchor: AnchorT, digest: str) -> AnchorT:
    """Return an anchor with the newest fingerprints of one text, those of others left out.

    An anchor that holds no others, and not too many, stays as it is.
    """
    found = fingerprints(anchor)
    if len(found) <= KEPT and all(item.text == digest for item in found):
        return anchor
    return accepting(anchor, _newest(item for item in found if item.text == digest))


def carried(anchor: AnchorT, before: str, after: str) -> AnchorT:
    """Return an anchor whose fingerprints of one text count for another one."""
    found = fingerprints(anchor)
    return accepting(
        anchor, (replace(item, text=after) if item.text == before else item for item in found)
    )


def _target(anchor: Anchor) -> Hashable:
    quote = anchor.quote if isinstance(anchor, SnippetAnchor) else ""
    return anchor.kind, anchor.target, quote


def _merge_anchor(base: AnchorT | None, first: AnchorT, second: AnchorT) -> AnchorT:
    if first == second or base in (first, second):
        return pick(base, first, second) or first
    if isinstance(first, ForeignAnchor):
        return first
    made: AnchorT = _with_fields(base, first, second)
    return made


def _with_fields(base: Any, first: Any, second: Any) -> Any:
    extra = pick_keys(base.extra if base else {}, first.extra, second.extra)
    if isinstance(first, UrlAnchor):
        return replace(first, verified=max(first.verified, second.verified), extra=extra)
    accepted = _united((*first.accepted, *second.accepted))
    fields = {
        name: pick(getattr(base, name, None), getattr(first, name), getattr(second, name))
        for name in ("patch_id", "name")
        if hasattr(first, name)
    }
    return replace(first, accepted=accepted, extra=extra, **fields)


def _united(items: Iterable[Fingerprint]) -> tuple[Fingerprint, ...]:
    """Return the fingerprints of all texts, each once for a text with its latest signature."""
    found: dict[Hashable, Fingerprint] = {}
    for item in sorted(items, key=_age):
        found[item.text, identity(item)] = item
    return tuple(sorted(found.values(), key=_age))


def _newest(items: Iterable[Fingerprint]) -> tuple[Fingerprint, ...]:
    return _united(items)[-KEPT:]


def _age(item: Fingerprint) -> tuple[str, str]:
    return item.at, repr(item)
