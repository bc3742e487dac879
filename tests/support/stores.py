"""Stores and entries for tests: the shortest way to something real on the refs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from git_knowl.model.anchor import UrlAnchor
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.flag import Flag, FlagPath
from git_knowl.model.ids import make_id
from git_knowl.plumbing.objects import open_objects
from git_knowl.store.store import Store
from git_knowl.store.transaction import Published, Record, publish

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.store.transaction import Change
    from git_knowl.store.view import View
    from tests.support.builders import RepoBuilder

BY = "Kim <kim@example.org>"
AT = 1_796_000_000
TIME = "2026-11-29T10:00:00Z"
RECORD = Record("capture", "capture something", BY, AT)


@dataclass(frozen=True)
class PutRaw:
    """Any bytes at any path of a ref, as a broken or a later program may leave them."""

    ref: str
    path: str
    data: bytes | None

    def apply(self, view: View) -> None:
        """Stage the bytes."""
        view.tree(self.ref).stage(self.path, self.data)


def identifier(number: int) -> str:
    """Return an id; a higher number is a higher id in another folder."""
    return make_id(AT * 1000 + number, (number * 7919 % 2**40).to_bytes(10, "big"))


def entry(name: str, number: int = 1, **fields: Any) -> Entry:
    """Return an entry of this name with everything that must be there."""
    plain = Entry(
        name=name,
        id=identifier(number),
        description=f"Read before touching {name}",
        type="project",
        created=TIME,
        updated=TIME,
        rev=1,
        body="The fact. Why: it was found out.\n",
        anchors=(UrlAnchor("https://example.org/", TIME, 90),),
        reviewed=Reviewed(BY, TIME, "terminal"),
    )
    return replace(plain, **fields)


def flag(summary: str, number: int = 1, **fields: Any) -> Flag:
    """Return a pending flag on one path."""
    plain = Flag(identifier(number), summary, TIME, BY, (FlagPath("lib/cart.ts", "sha1:ab"),))
    return replace(plain, **fields)


def draft(proposed: Entry, **fields: Any) -> Draft:
    """Return the draft that proposes a new entry."""
    plain = Draft(
        id=proposed.id,
        kind="capture",
        item="0" * 64,
        at=TIME,
        by=BY,
        name=proposed.name,
        entry=proposed,
    )
    return replace(plain, **fields)


def open_store(builder: RepoBuilder, *, bulk: bool = False) -> Store:
    """Return the store of a repository."""
    repo = builder.open()
    return Store(repo, open_objects(repo, bulk=bulk))


def write(store: Store, *changes: Change, record: Record = RECORD) -> Published:
    """Publish some changes as one operation."""
    return publish(store, lambda _: changes, record)


def record(op: str, subject: str = "", at: int = AT) -> Record:
    """Return what history is told about an operation."""
    return Record(op, subject or op, BY, at)


def all_ids(found: Iterable[Any]) -> list[str]:
    """Return the ids of entries, flags or drafts in the order given."""
    return [item.entry.id if hasattr(item, "entry") else item.id for item in found]
