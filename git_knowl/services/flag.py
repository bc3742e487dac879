"""Bookmark a finding in a second: scrubbed, then one object and one ref move.

This module is on a short path: it loads the standard library and git alone.
"""

from __future__ import annotations

import re

from git_knowl.errors import KnowlError
from git_knowl.model import ids, limits
from git_knowl.model.characters import UNFIT_FOR_BODY, UNFIT_FOR_LINE
from git_knowl.model.flag import CUES, Flag, FlagPath
from git_knowl.model.hashing import sha256
from git_knowl.model.light import dataclass
from git_knowl.model.text import hidden_characters, refusal
from git_knowl.plumbing import refs
from git_knowl.plumbing.content import stored_blobs
from git_knowl.plumbing.listing import tree_blobs
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import total
from git_knowl.store import flags, layout
from git_knowl.store.records import RecordError
from git_knowl.store.transaction import Record, publish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.services.context import Context
    from git_knowl.store.view import View

#: How many letters at the end of an id come from what the flag says; the rest is the time.
_TAIL = 16
_FILE_MODES = ("100644", "100755", "120000")


class FlagError(KnowlError):
    """A flag that breaks a limit; the message names the field."""


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody flagged, checked and scrubbed; ``redacted`` counts what was taken out."""

    summary: str
    paths: tuple[str, ...] = ()
    cue: str | None = None
    quote: str | None = None
    redacted: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Flagged:
    """The flag as stored; ``redacted`` counts what was scrubbed by type, ``known`` a repetition."""

    flag: Flag
    redacted: tuple[tuple[str, int], ...] = ()
    known: bool = False


def flag(
    ctx: Context,
    summary: str,
    paths: tuple[str, ...] = (),
    cue: str | None = None,
    quote: str | None = None,
    admit: Callable[[View], None] | None = None,
) -> Flagged:
    """Store a flag and return it; while it waits, the same words and paths in one session find it.

    ``paths`` are relative to the caller's folder; ``admit`` raises where one more is too many.
    Raises FlagError naming the field that is wrong.
    """
    said = check(ctx, Said(summary, paths, cue, quote))
    blobs = stored(ctx, said.paths)
    written: list[Flagged] = []

    def operation(view: View) -> list[flags.PutFlag]:
        twins = find_twins(view, fingerprint(ctx, said))
        waiting = [twin for twin in twins if twin.is_pending]
        if admit and not waiting:
            admit(view)
        fresh = make(ctx, said, blobs, nth=len(twins))
        written[:] = [Flagged((waiting or [fresh])[0], said.redacted, bool(waiting))]
        return [] if waiting else [flags.PutFlag(fresh)]

    record = Record("flag", "flag", ctx.caller.name(), int(ctx.caller.clock()))
    publish(ctx.store, operation, record)
    return written[0]


def check(ctx: Context, said: Said) -> Said:
    """Return what was said with secrets masked and paths counted from the top.

    Raises FlagError for a field that breaks its limit, SecretError for a path with a secret in it.
    """
    quoted = (said.quote or "").replace("\r\n", "\n").strip()
    summary, quote = secrets.scrub_all(said.summary.strip(), quoted)
    check_summary(summary.text)
    check_quote(quote.text)
    if said.cue is not None and said.cue not in CUES:
        raise FlagError(
            f"cue: expected one of {', '.join(CUES)}, got '{said.cue}'",
            "leave it out where none fits",
        )
    if len(said.paths) > limits.FLAG_PATHS:
        raise FlagError(
            f"paths: expected at most {limits.FLAG_PATHS}, got {len(said.paths)}",
            "name the folder they are in",
        )
    paths = tuple(dict.fromkeys(locate(ctx, path) for path in said.paths))
    return Said(summary.text, paths, said.cue, quote.text or None, total(summary, quote))


def check_summary(summary: str) -> None:
    """Raise FlagError unless a summary is one visible line within its limit."""
    if not summary:
        raise FlagError("summary: expected one sentence, got nothing", "say what was found")
    check_text("summary", summary, limits.SUMMARY, UNFIT_FOR_LINE)


def check_quote(quote: str) -> None:
    """Raise FlagError for a quote that breaks its limit."""
    check_text("quote", quote, limits.QUOTE, UNFIT_FOR_BODY)


def check_text(field: str, text: str, limit: int, unfit: str) -> None:
    """Raise FlagError for a text that is too long or holds one of the unfit characters."""
    if len(text) > limit:
        raise FlagError(
            f"{field}: expected at most {limit} characters, got {len(text)}",
            "say it shorter: what is behind it goes into the entry",
        )
    if text.isascii() and text.isprintable():
        return  # the pattern takes longer to compile than all else a flag is checked for
    found = re.search(f"[{unfit}]", text)
    if found:
        raise FlagError(f"{field}: {refusal(found[0])}", "write it as plain text")


def locate(ctx: Context, path: str) -> str:
    """Return a path of the command line from the top of the work tree, checked."""
    found = ctx.repo.relative(path, ctx.caller.cwd)
    if not found:
        raise FlagError(
            f"path: expected a file or folder below the top, got '{path}'",
            "leave it out where a flag is about everything",
        )
    secrets.refuse("path", found)
    if len(found) > limits.PATH:
        raise FlagError(
            f"path: expected at most {limits.PATH} characters, got {len(found)}",
            "name a folder on the way to it",
        )
    # Bytes that are no UTF-8 are part of a name like any other.
    hidden = hidden_characters(found.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    if hidden:
        raise FlagError(
            f"path: expected visible characters, got {hidden[0]} in '{path}'",
            "name the folder it is in",
        )
    return found


def stored(ctx: Context, paths: tuple[str, ...]) -> tuple[FlagPath, ...]:
    """Return the paths with the blob each holds now; folders and missing files have none."""
    repo = ctx.repo
    if repo.work_tree is not None:
        seen = stored_blobs(repo, list(paths)) if paths else {}
        blobs = {path: blob for path, blob in seen.items() if not blob.startswith("!")}
    else:
        head = refs.checked_out(repo)[0]
        held = tree_blobs(repo, head, list(paths)) if head else {}
        blobs = {path: blob for path, (mode, blob) in held.items() if mode in _FILE_MODES}
    return tuple(
        FlagPath(path, f"{repo.object_format}:{blobs[path]}" if path in blobs else None)
        for path in paths
    )


def make(ctx: Context, said: Said, paths: tuple[FlagPath, ...], nth: int) -> Flag:
    """Return the flag; ``nth`` counts the settled ones that said the same before it."""
    head, branch = refs.checked_out(ctx.repo)
    caller = ctx.caller
    return Flag(
        id=ids.make_id(int(caller.clock() * 1000) + nth, fingerprint(ctx, said)),
        summary=said.summary,
        at=caller.now(),
        by=caller.name(),
        paths=paths,
        cue=said.cue,
        quote=said.quote,
        host=caller.host,
        session=caller.session,
        worktree=ctx.repo.work_tree,
        branch=branch,
        head=head,
    )


def fingerprint(ctx: Context, said: Said) -> bytes:
    """Return ten bytes that are equal for the same words and paths in one session.

    Without a session the person, the worktree and the day stand for it.
    """
    caller = ctx.caller
    session = caller.session or f"{caller.name()} {ctx.repo.work_tree} {caller.now()[:10]}"
    told = "\0".join((session, said.summary, *sorted(said.paths)))
    return sha256(told.encode("utf-8", "surrogateescape")).digest()[:10]


def find_twins(view: View, end: bytes) -> list[Flag]:
    """Return the flags whose id ends with these bytes; a damaged one counts for nothing."""
    tail = ids.make_id(0, end)[-_TAIL:]
    folder = f"{layout.FLAGS}/{ids.shard(tail)}"
    files = view.tree(refs.INBOX).files_in(folder)
    found = (layout.parse_record_path(layout.FLAGS, path) for path, _ in files)
    twins = [read(view, one) for one in found if one and one.endswith(tail)]
    return [twin for twin in twins if twin]


def read(view: View, identifier: str) -> Flag | None:
    """Return a flag, or None where its record is damaged."""
    try:
        return flags.read_flag(view, identifier)
    except RecordError:
        return None
