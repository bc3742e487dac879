"""What agents and programs hand in: flags, and the items of a capture."""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from git_knowl.model import limits
from git_knowl.model.schema import words
from git_knowl.model.schema.words import Closed

MOST_ITEMS = 100
MOST_TESTS = 20

Paths = Annotated[tuple[words.Path, ...], Field(max_length=limits.FLAG_PATHS)]
FlagId = Annotated[str, Field(min_length=1, max_length=26, description="the id of a flag")]
Flags = tuple[FlagId, ...]
AnchorText = Annotated[
    str,
    Field(
        max_length=limits.URL,
        description="file:PATH, symbol:PATH#QUALIFIED.NAME, snippet:PATH:FROM-TO, tree:PATHSPEC,"
        " package:TYPE/NAME[!LOCKFILE], url:[DAYSd:]URL, commit:REV or entry:NAME",
        json_schema_extra={"pattern": "^[a-z]+:.+$"},
    ),
]
Answer = Annotated[str, words.line(limits.REASON)] | bool
Tests = Annotated[dict[str, Answer], Field(max_length=MOST_TESTS)]


class Flag(Closed):
    """A bookmark: one sentence plus paths, not yet knowledge."""

    summary: words.Summary
    paths: Paths = ()
    cue: words.Cue | None = None
    quote: words.Quote | None = None


class FileTarget(Closed):
    """A regular file or symlink."""

    kind: Literal["file"]
    path: words.Path


class SymbolTarget(Closed):
    """A function, class or other named part of a source file."""

    kind: Literal["symbol"]
    path: words.Path
    symbol: words.Symbol


class SnippetTarget(Closed):
    """A few lines: quoted, or from one line number to another as they stand now."""

    kind: Literal["snippet"]
    path: words.Path
    quote: words.Snippet | None = None
    line: words.Line | None = None
    from_: Annotated[words.Line | None, Field(alias="from")] = None
    to: words.Line | None = None


class TreeTarget(Closed):
    """The tracked files of a directory or pathspec."""

    kind: Literal["tree"]
    pathspec: words.Pathspec


class PackageTarget(Closed):
    """A package; without a lockfile the nearest one that resolves it is taken."""

    kind: Literal["package"]
    purl: words.Purl
    lockfile: words.Path | None = None


class UrlTarget(Closed):
    """A page that was read just now."""

    kind: Literal["url"]
    url: words.Url
    max_age_days: words.Days = limits.URL_DEFAULT_AGE_DAYS


class CommitTarget(Closed):
    """A commit, by any revision that names it now."""

    kind: Literal["commit"]
    commit: words.Reference


class EntryTarget(Closed):
    """Another entry that this one needs: it goes to ``depends_on``."""

    kind: Literal["entry"]
    name: words.Name
    id: words.Id | None = None


Target = (
    AnchorText
    | Annotated[
        FileTarget
        | SymbolTarget
        | SnippetTarget
        | TreeTarget
        | PackageTarget
        | UrlTarget
        | CommitTarget
        | EntryTarget,
        Field(discriminator="kind"),
    ]
)
Targets = Annotated[tuple[Target, ...], Field(max_length=limits.ANCHORS)]


class Anchor(RootModel[Target]):
    """What an entry rests on; paths count from the top of the work tree."""


class Source(Closed):
    """Who or what vouches for an entry: a ref, a quote or both."""

    kind: words.SourceKind
    ref: words.Reference | None = None
    quote: words.Quote | None = None


class Link(Closed):
    """Another entry by name; the id decides when it is given."""

    name: words.Name
    id: words.Id | None = None


Tags = Annotated[tuple[words.Tag, ...], Field(max_length=limits.TAGS)]
Links = tuple[words.Name | Link, ...]
Older = Annotated[
    tuple[words.Name | Link, ...],
    Field(
        max_length=limits.SUPERSEDES,
        description="live entries, by name or id, in whose place this one stands: they stay live"
        " and are found on request only",
    ),
]


class NewEntry(Closed):
    """The text of a new entry; id, times, fingerprints and reviewer are filled in.

    A source is required when there is no anchor, and always for feedback, whose body also says why.
    Paths of anchors count from the top of the work tree.
    """

    name: words.Name
    description: words.Description
    type: words.Type
    body: words.Body
    anchors: Targets = ()
    source: Source | None = None
    provenance: words.Provenance | None = None
    depends_on: Links = ()
    supersedes: Older = ()
    tags: Tags = ()


class ChangedEntry(Closed):
    """The fields of an entry that change; the others stay as they are."""

    name: words.Name | None = None
    description: words.Description | None = None
    type: words.Type | None = None
    body: words.Body | None = None
    anchors: Targets | None = None
    source: Source | None = None
    provenance: words.Provenance | None = None
    depends_on: Links | None = None
    supersedes: Older | None = None
    tags: Tags | None = None


class Capture(Closed):
    """A new entry made from flags."""

    kind: Literal["capture"]
    flags: Flags = ()
    entry: NewEntry
    tests: Tests | None = None


class Update(Closed):
    """A change of an entry; ``expected`` is the digest it was written against."""

    kind: Literal["update"]
    name: words.Name
    expected: words.Digest
    entry: ChangedEntry
    flags: Flags = ()
    reason: words.Reason | None = None
    tests: Tests | None = None


class NamedUpdate(Update):
    """What `git knowl update NAME --submit` takes: the name is on the command line already."""

    kind: Literal["update"] = "update"
    name: words.Name | None = None  # type: ignore[assignment]


class Retire(Closed):
    """A proposal to take an entry out; ``expected`` is the digest it was written against."""

    kind: Literal["retire"]
    name: words.Name
    expected: words.Digest
    reason: words.Reason
    flags: Flags = ()
    tests: Tests | None = None


class Discard(Closed):
    """Flags that are not worth an entry, and why."""

    kind: Literal["discard"]
    flags: Annotated[Flags, Field(min_length=1)]
    reason: words.Reason
    tests: Tests | None = None


class Guideline(Closed):
    """Text that belongs into a guideline file rather than into the store."""

    kind: Literal["guideline"]
    flags: Flags = ()
    file: words.Path | None = None
    heading: words.Tag | None = None
    text: words.Body
    reason: words.Reason
    tests: Tests | None = None


Item = Annotated[Capture | Update | Retire | Discard | Guideline, Field(discriminator="kind")]


class Submission(Closed):
    """What `git knowl capture --submit` takes."""

    items: Annotated[tuple[Item, ...], Field(min_length=1, max_length=MOST_ITEMS)]
