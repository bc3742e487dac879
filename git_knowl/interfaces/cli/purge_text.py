"""What a person reads before and after a purge."""

from __future__ import annotations

from collections.abc import Iterator

from git_knowl.interfaces.cli.output import counted
from git_knowl.services.purge.remote import Replacement
from git_knowl.services.purge.survey import Found

#: What is true after every purge, whatever was found.
ELSEWHERE = (
    ("the objects stay in the object database, where nothing of the store leads to them, until the"
    " gc of git prunes them (gc.pruneExpire: two weeks unless set); until then an id is enough"),
    ("other clones, forks, repositories that borrow objects, bundles, backups and open editors keep"
    " what they have; remotes that this clone never synced with were not looked at"),
    "a secret that leaked is worthless only when it is replaced where it is used",
)  # fmt: skip
MANY = {"version of an entry": "versions of an entry", "side of a conflict": "sides of a conflict"}


def found_lines(found: Found) -> Iterator[str]:
    """Yield what holds it, a line for each kind and place."""
    for one in found.places:
        yield f"  {counted(one.count, one.kind, MANY.get(one.kind))} in {one.where}"
    for name in found.made_of_it:
        yield (
            f"  '{name}' was changed here on top of a text that others purged: the change goes"
            " too, and waits as a draft ('git knowl review')"
        )
    if found.unsigned:
        yield f"  {counted(found.unsigned, 'commit')} will lose the signature: other bytes"


def remaining_lines(found: Found) -> Iterator[str]:
    """Yield what a purge does not reach, the particular first."""
    for name in found.remotes:
        yield (
            f"'{name}' held it when it was last seen: sync stops there until its history is"
            " replaced ('git knowl purge --help')"
        )
    for ref in found.others:
        yield f"'{ref}' leads to it and is no ref of the store: it stays as it is"
    if found.shallow:
        yield "this clone is shallow: what was before it is not in it and was not looked at"
    yield from ELSEWHERE


def replacement_lines(plan: Replacement) -> Iterator[str]:
    """Yield what becomes of a remote."""
    yield f"'{plan.place.remote}' shows {plan.place.ref} at {plan.seen}"
    yield (
        f"  {counted(plan.commits, 'commit')} of it would be other ones, without what was purged;"
        " all else that others sent is joined first and stays"
    )
    for text in plan.made_of_it:
        yield (
            f"  '{text.name}' was changed there on top of what was purged: the change goes too,"
            " and waits here as a draft ('git knowl review')"
        )
    if plan.unsigned:
        yield f"  {counted(plan.unsigned, 'commit')} would lose the signature"
    yield (
        "  clones that synced with it still hold what was purged: their next sync stops and says so"
    )
    yield "  the host may keep the old objects, and show them by id, for as long as it likes"
