"""What a client can list and read without a tool: the index, and every entry by its name."""

from __future__ import annotations

from bisect import bisect_right
from urllib.parse import quote, unquote

from git_knowl.errors import KnowlError
from git_knowl.interfaces.mcp import text
from git_knowl.services.context import Context
from git_knowl.services.index_block import index_block
from git_knowl.services.listing import Listed, assemble
from git_knowl.services.personal import show_any
from git_knowl.services.use import note_read

INDEX = "knowl://index"
ENTRY = "knowl://entry/"
TEMPLATE = f"{ENTRY}{{name}}"
PAGE = 25
ADDRESS_CHARACTERS = 1_000


class NoSuchResource(KnowlError):
    """An address that names nothing here."""


def page(ctx: Context, after: str) -> tuple[tuple[Listed, ...], str | None]:
    """Return the entries that follow a name, and the name the next page follows, if any."""
    rows = sorted(ctx.cache.entry_rows(), key=lambda row: row.name)
    start = bisect_right([row.name for row in rows], after) if after else 0
    shown = rows[start : start + PAGE]
    more = shown[-1].name if start + PAGE < len(rows) else None
    return assemble(ctx, shown, {}).entries, more


def address(name: str) -> str:
    """Return the address of an entry."""
    return ENTRY + quote(name, safe="~")


def read(ctx: Context, uri: str) -> str:
    """Return the text of a resource; raises NoSuchResource, or what reading an entry raises."""
    if uri == INDEX:
        return index_block(ctx) or "Nothing is known here yet."
    if not uri.startswith(ENTRY) or len(uri) > ADDRESS_CHARACTERS:
        raise NoSuchResource(
            f"no resource at '{uri[:ADDRESS_CHARACTERS]}'", f"there are {INDEX} and {TEMPLATE}"
        )
    found = show_any(ctx, unquote(uri.removeprefix(ENTRY)))
    note_read(ctx, [found.entry.id])
    return text.shown(found, 0)
