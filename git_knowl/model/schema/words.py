"""The kinds of text that schemas are made of; ``description`` is what a message calls expected.

``format`` names a check of this program (`git_knowl.model.schema.check`); to other validators,
who leave unknown formats alone, ``pattern`` says most of the same.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from git_knowl.model import limits
from git_knowl.model.faults import KEBAB_CASE_WORDS

ONE_LINE = "one-line"
PROSE = "prose"
TREE_PATH = "tree-path"
PATHSPEC = "pathspec"


def _text(limit: int | None, description: str, **keywords: str) -> Any:
    return Field(
        min_length=1,
        max_length=limit,
        description=description,
        json_schema_extra={**keywords},
    )


def line(limit: int) -> Any:
    """Return the field of one line of at most so many characters."""
    words = "one line without control or invisible characters"
    return _text(limit, words, pattern=r"^[^\u0000-\u001f\u007f]*$", format=ONE_LINE)


def prose(limit: int) -> Any:
    """Return the field of many lines of at most so many characters."""
    return _text(limit, "text without control characters but line feed and tab", format=PROSE)


Name = Annotated[str, _text(limits.NAME, KEBAB_CASE_WORDS, pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
Description = Annotated[str, line(limits.DESCRIPTION)]
Body = Annotated[str, prose(limits.BODY)]
Quote = Annotated[str, prose(limits.QUOTE)]
Reason = Annotated[str, line(limits.REASON)]
Reference = Annotated[str, line(limits.URL)]
Summary = Annotated[str, line(limits.SUMMARY)]
Tag = Annotated[str, line(limits.TAG)]
Path = Annotated[str, _text(limits.PATH, "a path from the top of the work tree", format=TREE_PATH)]
Pathspec = Annotated[
    str,
    _text(limits.PATH, "a folder or pathspec from the top of the work tree", format=PATHSPEC),
]
Symbol = Annotated[str, line(limits.SYMBOL)]
Snippet = Annotated[str, prose(limits.SNIPPET)]
Line = Annotated[int, Field(ge=1)]
Purl = Annotated[
    str, _text(limits.PATH, "a package URL without version", pattern="^pkg:[^@?#]+/[^@?#]+$")
]
Url = Annotated[str, _text(limits.URL, "an http or https address", pattern=r"^https?://\S+$")]
Days = Annotated[int, Field(ge=limits.URL_MAX_AGE_DAYS[0], le=limits.URL_MAX_AGE_DAYS[1])]
Id = Annotated[str, _text(None, "a lower-case ULID", pattern="^[0-7][0-9a-hjkmnp-tv-z]{25}$")]
Digest = Annotated[str, _text(None, "64 hex digits", pattern="^[0-9a-f]{64}$")]
ObjectId = Annotated[str, _text(None, "a full object id", pattern="^([0-9a-f]{40}|[0-9a-f]{64})$")]
Object = Annotated[
    str,
    _text(
        None,
        "an object id with its format",
        pattern="^(sha1:[0-9a-f]{40}|sha256:[0-9a-f]{64})$",
    ),
]
TreeDigest = Annotated[
    str,
    _text(None, "an object format and 64 hex digits", pattern="^(sha1|sha256):[0-9a-f]{64}$"),
]
Time = Annotated[
    str,
    _text(
        None,
        "a time such as 2026-11-29T10:00:00Z",
        pattern="^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z$",
    ),
]
Type = Literal["project", "reference", "feedback"]
Lane = Literal["shared", "local"]
#: Where an entry is shown from: a lane, or the personal store.
ShownLane = Literal["shared", "local", "personal"]
Status = Literal["active", "suspect", "unknown"]
Cue = Literal["surprise", "cost", "directive", "background"]
SourceKind = Literal["quote", "session", "commit", "task", "url"]
Provenance = Literal["observed", "stated", "inferred"]


class Closed(BaseModel):
    """What comes in at a door: an unknown key is a mistake."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class Open(BaseModel):
    """What this or a newer program wrote: keys may be added to it."""

    model_config = ConfigDict(extra="allow", defer_build=True)
