"""Where proposals stand at a remote: one ref a clone, called after its person and a random mark.

What the mark is made of is kept in the state of the clone and can be lost: then the clone sends to
a new ref, and what it sent before stands on the old one, where others find it as ever.
"""

from __future__ import annotations

import hashlib
import re

from git_knowl.plumbing import refs
from git_knowl.services.context import Context
from git_knowl.services.recording import record
from git_knowl.services.sync.place import Place
from git_knowl.store.operations import Change
from git_knowl.store.state import PutState
from git_knowl.store.transaction import publish
from git_knowl.store.view import View

FOLDER = "proposals/"
FILE = "clone"
LENGTH = 40
_MARK = 8
_BYTES = 16
#: What the last part of a ref of proposals looks like; anything else there is none of ours.
WHO = re.compile(rf"[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{{{_MARK}}}")
_KEPT = re.compile(rb"[0-9a-f]{32}\n?")
_LONGEST = LENGTH + 1 + _MARK


def prefix(place: Place) -> str:
    """Return the folder of refs that proposals have at a remote: branches if it takes no other."""
    return f"{place.ref}-{FOLDER}" if place.is_branch else f"{refs.SHARED_PREFIX}{FOLDER}"


def copy_of(place: Place, who: str) -> str:
    """Return where the last fetched proposals of somebody are kept here."""
    return refs.tracking_ref(place.remote, f"{refs.SHARED_PREFIX}{FOLDER}{who}")


def is_who(name: str) -> bool:
    """Tell whether a name is one that a clone of this program gives itself."""
    return len(name) <= _LONGEST and WHO.fullmatch(name) is not None


def who(person: str, clone: str) -> str:
    """Return what a clone is called: the mail of its person, and what tells it from others."""
    mail = person.rpartition("<")[2].rstrip(">").casefold()
    slug = re.sub(r"[^a-z0-9]+", "-", mail)[:LENGTH].strip("-") or "somebody"
    return f"{slug}-{hashlib.sha256(clone.encode()).hexdigest()[:_MARK]}"


def own_or_none(ctx: Context) -> str | None:
    """Return what this clone is called, or None while it never sent anything or forgot."""
    clone = known_clone(ctx.store.view())
    return who(ctx.caller.person or "", clone) if clone else None


def own(ctx: Context) -> str:
    """Return what this clone is called; what its mark is made of is drawn the first time."""
    fresh = ctx.caller.entropy(_BYTES).hex()
    taken: list[str] = []

    def operation(view: View) -> list[Change]:
        taken[:] = [known_clone(view) or fresh]
        return [PutState(FILE, f"{taken[0]}\n".encode())]

    publish(ctx.store, operation, record(ctx, "send", "name this clone"))
    return who(ctx.caller.name(), taken[0])


def known_clone(view: View) -> str | None:
    """Return the random text that tells this clone from others, or None."""
    data = view.tree(refs.STATE).read(FILE) or b""
    return data.decode("ascii").strip() if _KEPT.fullmatch(data) else None
