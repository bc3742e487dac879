"""Signatures on the commits of the shared lane, asked of git once and remembered.

Whom to believe is said by git's own configuration. What was found holds for one state of the
allowed keys; another one, and every commit that matters is judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from git_knowl.errors import KnowlError
from git_knowl.model.entry import SHARED
from git_knowl.model.tiers import OTHERS
from git_knowl.plumbing import allowed, signing
from git_knowl.plumbing.repository import Repository
from git_knowl.plumbing.signing import GOOD, Signature
from git_knowl.services.context import Context
from git_knowl.store.cache import EntryRow
from git_knowl.store.origins import Origin, find_origins
from git_knowl.store.trust_file import TrustFile

#: So many gits judge at once.
SIDE_BY_SIDE = 4
#: The texts that a signature could raise, as the cache has them.
_RAISABLE = f"entry.tier = '{OTHERS}' AND entry.lane = '{SHARED}'"


def know_signatures(ctx: Context) -> None:
    """Bring what the cache says about signed entries up to the keys that are allowed now.

    Where no key is allowed at all, no history is read. What cannot be found out counts as unsigned.
    """
    keys = allowed_keys(ctx)
    if ctx.cache.signatures_for() == keys:
        return
    signed: list[str] = []
    rows = ctx.cache.entry_rows(_RAISABLE) if keys else []
    if rows:
        try:
            signed = signed_among(ctx, rows, keys)
        except KnowlError as error:
            ctx.repo.notices.append(f"no signature could be judged: {error.message}")
            return
    ctx.cache.keep_signed(keys, signed)


def signed_among(ctx: Context, rows: Iterable[EntryRow], keys: str) -> list[str]:
    """Return the ids of the entries that every commit vouches for which must, by an allowed key."""
    origins = origins_of(ctx, rows)
    needed = dict.fromkeys(one for origin in origins.values() for one in origin.vouchers)
    found = judge(ctx, needed, keys)
    good = {commit for commit, signature in found.items() if signature.state == GOOD}
    return [
        identifier
        for identifier, origin in origins.items()
        if origin.vouchers and good.issuperset(origin.vouchers)
    ]


def origins_of(ctx: Context, rows: Iterable[EntryRow]) -> dict[str, Origin]:
    """Return which commit let each of these texts in, and remember it for the next tip."""
    tip = ctx.tips[SHARED]
    wanted = {row.id: row.blob for row in rows}
    if tip is None or not wanted:
        return {}
    file = TrustFile(ctx.repo)
    found = find_origins(ctx.repo, ctx.store.view(), wanted, tip, file.known())
    file.keep_origins(tip, found)
    return found


def origin_of(ctx: Context, row: EntryRow) -> Origin | None:
    """Return which commit let a text of the shared lane in, None for one of the local lane."""
    if row.lane != SHARED or ctx.tips[SHARED] is None:
        return None
    view = ctx.store.view()
    known = TrustFile(ctx.repo).known()
    return find_origins(ctx.repo, view, {row.id: row.blob}, str(ctx.tips[SHARED]), known)[row.id]


def look(ctx: Context, commits: Iterable[str]) -> dict[str, Signature]:
    """Return what git says of the signatures of commits that have one."""
    found = judge(ctx, commits, allowed_keys(ctx))
    return {commit: one for commit, one in found.items() if one.state != signing.NONE}


def judge(ctx: Context, commits: Iterable[str], keys: str) -> dict[str, Signature]:
    """Return what git says of commits; only what is not remembered is asked."""
    wanted = list(dict.fromkeys(commits))
    file = TrustFile(ctx.repo)
    found = file.signatures(wanted, keys)
    missing = [commit for commit in wanted if commit not in found]
    batches = [missing[at : at + signing.BATCH] for at in range(0, len(missing), signing.BATCH)]
    for told in asked(ctx.repo, batches):
        file.keep_signatures(told, keys)
        found |= told
    return found


def asked(repo: Repository, batches: Sequence[list[str]]) -> Iterator[dict[str, Signature]]:
    """Yield what git says, batch by batch; several are asked side by side, as each waits a lot."""
    if len(batches) < 2:
        yield from (signing.verify(repo, batch) for batch in batches)
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - 20 ms, for many commits

    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        yield from pool.map(lambda batch: signing.verify(repo, batch), batches)


def allowed_keys(ctx: Context) -> str:
    """Return the state of the allowed keys, "" where there is none."""
    return allowed.fingerprint(ctx.repo, ctx.caller.now()[:10])
