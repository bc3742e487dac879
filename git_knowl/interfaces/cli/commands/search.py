"""`git knowl search`: find entries, or hear that nothing fits."""

from collections.abc import Sequence

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import NO_ENTRY, warn_damaged
from git_knowl.interfaces.cli.options import json_option, written
from git_knowl.interfaces.cli.search_text import (
    found_lines,
    found_object,
    miss_lines,
    misses_object,
    talk_about,
)
from git_knowl.interfaces.door import open_context
from git_knowl.model.entry import TYPES
from git_knowl.model.status import STATUSES
from git_knowl.services.context import Context
from git_knowl.services.find_text import Found
from git_knowl.services.misses import flag_miss, misses
from git_knowl.services.personal_search import find_any
from git_knowl.services.search import DEFAULT_LIMIT
from git_knowl.services.search_scope import ALL, Wanted
from git_knowl.services.semantic.likeness import make_all
from git_knowl.services.use import note_lookup

MOST_HITS = 100


@click.command()
@click.argument("words", metavar="QUERY", nargs=-1)
@click.option("-n", "limit", type=click.IntRange(1, MOST_HITS), default=DEFAULT_LIMIT,
              show_default=True, help="So many hits at most.")  # fmt: skip
@click.option("--type", "type_", type=click.Choice(TYPES), help="Only entries of this type.")
@click.option("--status", type=click.Choice(STATUSES), help="Only entries with this verdict here.")
@click.option("--path", help="Only entries resting on this file, or on anything in this folder.")
@click.option("--tag", help="Only entries with this tag.")
@click.option("--retired", is_flag=True, help="Also what was retired or superseded.")
@click.option("--as-of", metavar="DATE", help="Search the store as it stood at the end of a day.")
@click.option("--explain", is_flag=True, help="Say why each hit fits.")
@click.option("--misses", "wants_misses", is_flag=True,
              help="Tell instead what was looked for in vain.")  # fmt: skip
@click.option("--flag", "key", metavar="KEY", help="With --misses: flag one of them; QUERY says "
              "what it was about.")  # fmt: skip
@click.option("--embed", "wants_vectors", is_flag=True,
              help="Make what knowl.semantic needs of every entry now.")  # fmt: skip
@json_option
def command(
    words: tuple[str, ...],
    limit: int,
    type_: str | None,
    status: str | None,
    path: str | None,
    tag: str | None,
    *,
    retired: bool,
    as_of: str | None,
    explain: bool,
    wants_misses: bool,
    key: str | None,
    wants_vectors: bool,
    as_json: bool,
) -> None:
    """Search entries.

    Exact names and paths come first, misspelt words are forgiven; where nothing fits it says so. A
    suspect entry stands behind an active one on the same subject. This clone remembers what was
    looked for in vain: by a hash, or in words where knowl.keepQuestions is true. With the extra
    'semantic' and knowl.semantic true, likeness in meaning counts beside the words.

    Example: git knowl search "why does the cart double"
    """
    wanted = Wanted(type_, status, path, tag, as_of, retired)
    is_plain = wanted == ALL and not explain
    if wants_vectors:
        tell_made(is_alone=is_plain and not (words or wants_misses or key or as_json))
        return
    check_usage(words, key, wants_misses=wants_misses, is_plain=is_plain)
    ctx = open_context()
    query = " ".join(words)
    if key is not None:
        tell_flagged(ctx, key, query, as_json=as_json)
    elif wants_misses:
        tell_misses(ctx, limit, as_json=as_json)
    else:
        found = find_any(ctx, query, limit, wanted)
        remember(ctx, query, found, wanted)
        tell(ctx, found, explain=explain, as_json=as_json)


def check_usage(
    words: Sequence[str], key: str | None, *, wants_misses: bool, is_plain: bool
) -> None:
    """Raise UsageError for options that say nothing together, or for no question at all."""
    if key is not None and not wants_misses:
        raise click.UsageError("--flag goes with --misses")
    if wants_misses and not is_plain:
        raise click.UsageError("--misses goes with -n, --flag and --json alone")
    if wants_misses and words and key is None:
        raise click.UsageError("--misses takes no QUERY without --flag")
    if not (words or wants_misses):
        raise click.UsageError("missing argument 'QUERY'")


def tell_made(*, is_alone: bool) -> None:
    """Make what likeness in meaning needs, and say of how many entries it is there."""
    if not is_alone:
        raise click.UsageError("--embed goes with nothing else")
    output.talk(f"{make_all(open_context())} entries can be found by their meaning")


def remember(ctx: Context, query: str, found: Found, wanted: Wanted) -> None:
    """Note what was looked for; a search of the past says nothing about what is missing now."""
    if wanted.as_of is None:
        ids = [one.row.id for one in found.listing.entries]
        note_lookup(ctx, query, ids, missed=wanted == ALL and not found.confident)


def tell(ctx: Context, found: Found, *, explain: bool, as_json: bool) -> None:
    """Print what was found."""
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(found_object(found, explain=explain))
        return
    warn_damaged(found.listing.damaged)
    if not (found.listing.entries or found.listing.damaged or ctx.cache.first_rows(1)):
        output.talk(NO_ENTRY)
    else:
        talk_about(found)
    output.page(ctx.repo, found_lines(found, explain=explain))


def tell_misses(ctx: Context, limit: int, *, as_json: bool) -> None:
    """Print what was looked for in vain."""
    found = misses(ctx)[:limit]
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(misses_object(found))
    elif found:
        output.page(ctx.repo, miss_lines(found))
    else:
        output.talk("nothing was looked for in vain")


def tell_flagged(ctx: Context, key: str, words: str, *, as_json: bool) -> None:
    """Turn a question into a flag, and say which."""
    done = flag_miss(ctx, key, words)
    told = f"flag {done.raised.flag.id}: {done.raised.flag.summary}"
    written(ctx, [done.raised.flag.id], told, as_json=as_json)
