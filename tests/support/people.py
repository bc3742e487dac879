"""Who calls the services in tests (a person, a script, an agent), and what they write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_knowl.model.entry import Source
from git_knowl.services.add import Plan, add
from git_knowl.services.compose import Text
from git_knowl.services.find import find_entry
from git_knowl.services.listing import list_all
from tests.support.clock import Clock, Entropy
from tests.support.contexts import context

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.model.entry import Entry
    from git_knowl.services.context import Context
    from tests.support.builders import RepoBuilder

KIM = "Kim <kim@example.org>"
CART = "file:lib/cart.ts"
BODY = "Above three pieces the price doubles. Why: two suppliers.\n"
ENTROPY = Entropy()


def person(repo: RepoBuilder, clock: Callable[[], float] | None = None, **more: Any) -> Context:
    """Return the context of a person who sits at a terminal in this repository."""
    caller = {"person": KIM, "terminal": True, "clock": clock or Clock(), "entropy": ENTROPY}
    return context(repo, **{**caller, **more})


def script(repo: RepoBuilder, clock: Callable[[], float] | None = None, **more: Any) -> Context:
    """Return the context of a program without a terminal."""
    return person(repo, clock, terminal=False, **more)


def agent(repo: RepoBuilder, clock: Callable[[], float] | None = None, **more: Any) -> Context:
    """Return the context of a coding agent, which may have a terminal of its own."""
    return person(repo, clock, **{"host": "claude", "session": "s1", "terminal": False, **more})


def plan(name: str, *anchors: str, body: str = BODY, **more: Any) -> Plan:
    """Return what somebody wants to add; what is no field of the text is one of the plan."""
    fields: dict[str, Any] = {
        "name": name,
        "description": f"Read before touching {name}",
        "type": "project",
        "body": body,
        "anchors": anchors,
        "source": None if anchors else Source("quote", quote="as the contract says"),
    }
    told = ("description", "type", "source", "tags")
    fields |= {key: more.pop(key) for key in told if key in more}
    return Plan(Text(**fields), **more)


def write(ctx: Context, name: str, *anchors: str, **more: Any) -> Entry:
    """Add an entry that is live at once and return it."""
    done = add(ctx, plan(name, *anchors, **more))
    assert done.live
    return live(ctx, name)


def live(ctx: Context, name: str) -> Entry:
    """Return the live entry of a name as it is stored now."""
    ctx.refresh()
    return find_entry(ctx, name)[1]


def names(ctx: Context) -> dict[str, str]:
    """Return the lane of every live entry by the name it is shown under."""
    ctx.refresh()
    return {row.name: row.lane for row in ctx.cache.entry_rows()}


def tier(ctx: Context) -> str:
    """Return how the text of the only live entry came in."""
    ctx.refresh()
    (found,) = list_all(ctx).entries
    return found.tier


def tips(repo: RepoBuilder) -> dict[str, str]:
    """Return every ref of the store: equal means that nothing was written."""
    return repo.refs("refs/knowl", "refs/knowl-local")
