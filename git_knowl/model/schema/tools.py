"""What the tools of the MCP server take; the items of a capture are checked as `capture` says."""

from typing import Annotated, Literal

from pydantic import Field

from git_knowl.model import limits
from git_knowl.model.schema import payloads, words
from git_knowl.model.schema.payloads import MOST_ITEMS, ChangedEntry, Flags, Tests
from git_knowl.model.schema.words import Closed

MOST_HITS = 20
DEFAULT_HITS = 5

#: A name, a name with the end of its id (``name~abc123``), or an id.
Named = Annotated[str, words.line(limits.NAME + 10)]
Question = Annotated[str, words.line(limits.SUMMARY)]
Place = Annotated[str, words.line(limits.URL)]
Offset = Annotated[int, Field(ge=0, le=10_000_000)]


class Item(Closed):
    """One outcome of a capture, whatever its kind; which keys a kind takes `capture` says."""

    kind: Literal["capture", "update", "retire", "discard", "guideline"]
    flags: Flags = ()
    entry: ChangedEntry | None = None
    name: Named | None = None
    expected: words.Digest | None = None
    reason: words.Reason | None = None
    file: words.Path | None = None
    heading: words.Tag | None = None
    text: words.Body | None = None
    tests: Tests | None = None


class Knowledge(Closed):
    """What the tool `knowledge` takes; which keys a mode takes the door says."""

    mode: Literal["capture", "update", "retire", "audit"]
    items: Annotated[tuple[Item, ...], Field(min_length=1, max_length=MOST_ITEMS)] | None = None
    name: Named | None = None
    expected: words.Digest | None = None
    entry: ChangedEntry | None = None
    reason: words.Reason | None = None
    flags: Flags = ()
    offset: Offset = 0


class Flag(payloads.Flag):
    """What the tool `knowledge_flag` takes: paths from the top, or full ones below it."""

    paths: Annotated[tuple[Place, ...], Field(max_length=limits.FLAG_PATHS)] = ()


class Search(Closed):
    """What the tool `knowledge_search` takes."""

    query: Question
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = DEFAULT_HITS


class Read(Closed):
    """What the tool `knowledge_read` takes; ``offset`` is the character of the body to go on at."""

    name: Named
    offset: Offset = 0


class Why(Closed):
    """What the tool `knowledge_why` takes: a path from the top, or a full one below it."""

    path: Place
