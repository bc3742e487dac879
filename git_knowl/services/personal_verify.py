"""Confirm a personal entry where the evidence is: in the files of the repository one works in."""

from __future__ import annotations

from git_knowl.services.context import Context
from git_knowl.services.gate import require_person
from git_knowl.services.personal import holding


def verifying(ctx: Context, name: str, reviewer: str | None) -> Context:
    """Return the store that holds the entry a text names, for somebody who will confirm it.

    Raises GateError for an agent host that names a personal one, whatever the settings allow.
    """
    found = holding(ctx, name)
    if found is not ctx:
        require_person(found, "verify", reviewer)
    return found
