"""A name that no entry has: what became of that one, or what it may have been meant for.

Imports rapidfuzz: only who found nothing loads it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz, process

from git_knowl.model.ids import is_id
from git_knowl.services.context import Context
from git_knowl.services.retired import RestoreError, full_name, matching, retired
from git_knowl.store.cache import NoSuchEntryError, Retired, sayable
from git_knowl.store.snapshot import Snapshot

#: Percentage of equal characters, in order, from which on a name is offered for another.
LIKENESS = 70
#: So many characters of a name tell something of it.
SHORTEST = 3
MOST = 3
_NAMED = "(entry.shown_name = ? OR entry.id = ?)"


def told_missing(ctx: Context, text: str) -> NoSuchEntryError:
    """Return the error for a text that names no live entry, with the nearest way out."""
    found = matching(retired(ctx), text)
    if found:
        latest = max(found, key=lambda one: (one.at, one.id))
        return told_retired(ctx, text, latest, is_one=len(found) == 1)
    elsewhere = told_personal(ctx, text)
    if elsewhere is not None:
        return elsewhere
    near = near_names(ctx, text)
    return NoSuchEntryError(
        f"no entry has the name '{text}'", f"{offer(near)}list them with 'git knowl ls'"
    )


def told_personal(ctx: Context, text: str) -> NoSuchEntryError | None:
    """Return the error for a text that names a personal entry, None where there is none."""
    if not ctx.settings.personal:
        return None
    from git_knowl.services.personal_store import find_personal, reach  # noqa: PLC0415 - for few

    found = find_personal(ctx)
    rows = found.cache.entry_rows(_NAMED, [sayable(text)] * 2) if found else []
    if found is None or not rows:
        return None
    return NoSuchEntryError(
        f"'{text}' is in the personal store, and no entry of this repository",
        f"it is changed there: '{reach(found)} …'",
    )


def told_not_retired(ctx: Context, text: str) -> RestoreError:
    """Return the error for a text that names nothing retired, with the nearest way out."""
    found = ctx.cache.entry_rows(_NAMED, [sayable(text)] * 2)
    if found:
        return RestoreError(
            f"'{text}' is live, there is nothing to bring back",
            f"'git knowl show {found[0].name}' prints it",
        )
    near = nearest(text, [stone.name for stone in retired(ctx)])
    return RestoreError(
        f"no retired entry has the name '{text}'",
        f"{offer(near)}'git knowl log' shows what was retired",
    )


def offer(names: Sequence[str]) -> str:
    """Return the question that offers some names, or nothing."""
    quoted = " or ".join(f"'{name}'" for name in names)
    return f"did you mean {quoted}? " if quoted else ""


def told_retired(ctx: Context, text: str, stone: Retired, *, is_one: bool) -> NoSuchEntryError:
    """Return the error for a text that names what was retired: by whom, why, and its heir."""
    name = stone.name if is_one else full_name(stone)
    return NoSuchEntryError(
        f"'{text}' was retired by {stone.by} at {stone.at}: {stone.reason}",
        f"{instead_of(ctx, stone)}'git knowl log {name}' tells its history; a person brings it back"
        f" with 'git knowl restore {name}'",
    )


def instead_of(ctx: Context, stone: Retired) -> str:
    """Return which live entry has taken the place of a retired one, "" for none."""
    left = Snapshot(ctx.store.view(), stone.lane).tombstone(stone.id)
    heir = (left.superseded_by if left else None) or ""
    row = ctx.cache.by_id(heir) if is_id(heir) else None
    return f"'{row.name}' has taken its place; " if row else ""


def near_names(ctx: Context, text: str) -> list[str]:
    """Return the shown names most like a text, the nearest first, then those that hold it."""
    return nearest(text, [row.name for row in ctx.cache.entry_rows()])


def nearest(text: str, names: Sequence[str]) -> list[str]:
    """Return the same of any names, a few of them at most."""
    asked = sayable(text).partition("~")[0]
    alike = process.extract(asked, names, scorer=fuzz.ratio, score_cutoff=LIKENESS, limit=MOST)
    holding = (name for name in names if len(asked) >= SHORTEST and asked in name)
    return list(dict.fromkeys([*(name for name, _, _ in alike), *holding]))[:MOST]
