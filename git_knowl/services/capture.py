"""The packet for whoever writes: what is flagged, what is known, how an entry is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from git_knowl.model import schema
from git_knowl.model.flag import Flag
from git_knowl.services import guidance
from git_knowl.services.context import Context
from git_knowl.services.expiry import look
from git_knowl.services.index_block import index_block
from git_knowl.services.prechecks import flag_checks

#: The guidance a writer gets, in this order.
GUIDANCE = ("capture", "admission", "entry", "update", "retire")


@dataclass(frozen=True, slots=True)
class Packet:
    """Pending flags with what a machine can tell of them, the index, the guidance, the schema.

    ``expired`` are the flags that waited too long and are told of this once.
    """

    flags: tuple[Flag, ...]
    checks: dict[str, list[str]]
    index: str
    guidance: str
    schema: dict[str, Any]
    expired: tuple[Flag, ...] = ()


def packet(ctx: Context) -> Packet:
    """Return what is needed to write drafts from the flags that no waiting draft was made of."""
    found = look(ctx)
    waiting = {draft.id for draft in found.inbox.drafts}
    flags = tuple(
        flag for flag in found.inbox.flags if flag.is_pending and flag.draft not in waiting
    )
    return Packet(
        flags,
        flag_checks(ctx, flags),
        index_block(ctx),
        "\n\n".join(guidance.text(name).strip() for name in GUIDANCE),
        schema.schema("capture"),
        found.expired,
    )
