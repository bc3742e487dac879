"""Two people wrote down the same thing under two names: each pair becomes one proposal to merge.

A name says nothing about the text, so a join cannot tell; who reads both can. What is proposed is
to retire the younger entry, once the other one says all that is true in it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from git_knowl.model import ids
from git_knowl.model.draft import Draft
from git_knowl.model.entry import SHARED
from git_knowl.services.context import Context
from git_knowl.services.filters.duplicates import similar
from git_knowl.services.prechecks import told, without
from git_knowl.services.propose import put
from git_knowl.store.cache import EntryRow
from git_knowl.store.decided import find_decided
from git_knowl.store.merge.outcome import NEW, Outcome

#: Below this, texts are on one subject rather than the same (filters/duplicates).
FLOOR = 85
#: Short texts are alike but for the one word that matters: so many words of so many letters are
#: shared, and they are most of all there are.
WORDS = 4
LETTERS = 4
SHARE = 0.6
#: A store that comes whole was gone through by its own people; so much is compared by ours.
MOST_NEW = 200


def propose(ctx: Context, outcomes: Iterable[Outcome]) -> int:
    """Put a draft into the inbox for every pair of a new entry and one that was here.

    Returns how many; a pair that waits, or was decided on, is not proposed again.
    """
    new = {one.id for one in outcomes if one.kind == NEW}
    if not new or len(new) > MOST_NEW or not ctx.caller.person:
        return 0
    view = ctx.store.view()
    drafts = [one for one in pairs(ctx, new) if not find_decided(view, one.id)]
    return len(drafts) - len(put(ctx, drafts)) if drafts else 0


def pairs(ctx: Context, new: set[str]) -> Iterator[Draft]:
    """Yield a draft for each new entry that says nearly the same as an older one of this clone."""
    rows = {row.name: row for row in ctx.cache.entry_rows()}
    texts = ctx.entry_texts
    here = {name: texts[name] for name, row in rows.items() if row.id not in new and name in texts}
    for name, row in rows.items():
        if row.id in new and name in texts:
            for other, score in similar(texts[name], without(here, name), 1, FLOOR):
                if not say_the_same(texts[name], texts[other]):
                    continue
                yield proposal(ctx, row, rows[other], told(score, texts[name], texts[other]))


def say_the_same(one: str, other: str) -> bool:
    """Tell whether two texts share enough words to be about the same, not only built alike."""
    first, second = (
        {word for word in re.findall(r"\w+", text.lower()) if len(word) >= LETTERS}
        for text in (one, other)
    )
    common = first & second
    return len(common) >= WORDS and len(common) >= SHARE * len(first | second)


def proposal(ctx: Context, one: EntryRow, other: EntryRow, likeness: str) -> Draft:
    """Return the draft that retires the younger of two entries; the same on every clone."""
    older, younger = sorted((one, other), key=lambda row: row.id)
    if younger.lane != SHARED != older.lane or younger.lane == SHARED != older.lane:
        older, younger = younger, older  # what only this clone has gives way
    item = hashlib.sha256(f"alike {older.id} {younger.id}".encode()).hexdigest()
    return Draft(
        id=ids.make_id(ids.milliseconds(younger.id), bytes.fromhex(item)[:10]),
        kind="retire",
        item=item,
        at=ctx.caller.now(),
        by=ctx.caller.name(),
        name=younger.name,
        target=younger.id,
        expected=younger.digest,
        reason=f"says the same as '{older.name}'",
        warnings=(f"much like entry {older.name} ({likeness}): see what the other lacks first",),
        lane=younger.lane,
    )
