"""Services as a door calls them: a repository, somebody who asks, and what they hand in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_knowl.model.entry import Reviewed
from git_knowl.services.afterwards import keep_up
from git_knowl.services.context import Caller, Context
from git_knowl.services.submit import submit
from git_knowl.store.inbox import Inbox, read_inbox
from git_knowl.store.snapshot import find_entry
from tests.support.clock import Clock, Entropy
from tests.support.seal import DATE, PERSON

if TYPE_CHECKING:
    from git_knowl.model.entry import Entry
    from git_knowl.model.flag import Flag
    from tests.support.builders import RepoBuilder

ADA = "Ada <ada@example.org>"
REVIEWED = Reviewed(ADA, DATE, "terminal")


def context(builder: RepoBuilder, **caller: Any) -> Context:
    """Return a context in a repository; nobody sits at a terminal unless the caller says so.

    What the caller gives are fields of `Caller`, and the ``person`` it is to identify.
    """
    person = caller.pop("person", PERSON)
    plain = {
        "identify": lambda: person,
        "host": None,
        "session": None,
        "terminal": False,
        "cwd": str(builder.path),
        "clock": Clock(),
        "entropy": Entropy(),
    }
    return Context(builder.open(), Caller(**{**plain, **caller}), keep_up)


def capture_item(name: str = "cart-doubles", *flags: str, **entry: Any) -> dict[str, Any]:
    """Return the item that proposes an entry on lib/cart.ts, or whatever the fields say."""
    fields = {
        "name": name,
        "description": f"Read before touching {name}",
        "type": "project",
        "body": "The cart doubles above three pieces. Why: the supplier ships pairs.",
        "anchors": ["file:lib/cart.ts"],
    }
    tests = {"derivable": "no", "reused": "yes"}
    return {
        "kind": "capture",
        "flags": list(flags),
        "entry": {**fields, **entry},
        "tests": tests,
    }


def feedback_item(name: str = "no-full-lint", *flags: str) -> dict[str, Any]:
    """Return the item that proposes what a user said."""
    return capture_item(
        name,
        *flags,
        type="feedback",
        body="Use the cached lint. Why: three minutes on a cold cache.",
        anchors=[],
        source={"kind": "quote", "quote": "never run the full lint"},
    )


def submit_items(ctx: Context, *items: dict[str, Any]) -> tuple[str, ...]:
    """Hand in items and return the ids of their drafts."""
    return submit(ctx, {"items": list(items)}).ids


def inbox_of(ctx: Context) -> Inbox:
    """Return the inbox as it is now."""
    return read_inbox(ctx.store.view())


def flag_of(ctx: Context, identifier: str) -> Flag:
    """Return a flag as it is now."""
    return next(flag for flag in inbox_of(ctx).flags if flag.id == identifier)


def entry_of(ctx: Context, identifier: str) -> Entry | None:
    """Return a live entry as it is now, or None."""
    found = find_entry(ctx.store.view(), identifier)
    return found[1] if found else None


def entry_names(ctx: Context) -> list[str]:
    """Return the names of all live entries."""
    ctx.refresh()
    return [row.name for row in ctx.cache.entry_rows()]
