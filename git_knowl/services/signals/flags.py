"""Flags made of commits: of one's own, each once however often it is rewritten, and rationed.

This module is on the path of the git hooks: it loads the standard library and git alone.
"""

from __future__ import annotations

import re

from git_knowl.model import ids, limits
from git_knowl.model.characters import UNFIT_FOR_BODY, UNFIT_FOR_LINE
from git_knowl.model.flag import Flag, FlagPath
from git_knowl.model.hashing import sha256
from git_knowl.model.light import dataclass
from git_knowl.plumbing import refs
from git_knowl.plumbing.listing import tree_blobs
from git_knowl.plumbing.messages import read_messages, read_messages_before
from git_knowl.services.filters import secrets
from git_knowl.services.signals.rules import DEPENDENCY, TRAILER, Signal, signals
from git_knowl.store import flags
from git_knowl.store.transaction import Record, publish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from git_knowl.plumbing.messages import Message
    from git_knowl.services.context import Context
    from git_knowl.store.view import View

#: Of a long way to catch up with, so many commits are read, the newest.
READ = 200
#: So many flags are made of so many commits in a row; what somebody asks for is not counted.
QUOTA = 2
WINDOW = 20
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Signalled:
    """The flags that were made, and how many commits the quota held back."""

    flags: tuple[Flag, ...] = ()
    held: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A commit with one thing it gives reason to flag, and its place among the commits read.

    ``only`` names the paths the flag is about, where those are not all the commit changed.
    """

    place: int
    message: Message
    signal: Signal
    only: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of its flag, the same after an amend, a rebase or a cherry-pick.

        Author, author date and mostly the subject survive those; the rest of the message and the
        content need not.
        """
        told = (self.message.author_email, str(self.message.authored), self.signal.summary)
        digest = sha256("\0".join(told).encode("utf-8", "surrogateescape")).digest()
        return ids.make_id(max(self.message.authored, 0) * 1000, digest)


@dataclass(frozen=True, slots=True)
class Moved:
    """A commit that moved a dependency which a reference entry rests on, in words and by lockfile.

    An entry on code is there to be followed; one on a dependency is there to be written anew.
    """

    commit: str
    told: str
    path: str


def from_commits(ctx: Context, commits: Sequence[str], moved: Sequence[Moved] = ()) -> Signalled:
    """Flag what the caller's own commits among these say or moved; ids are given the oldest first.

    A commit that was flagged before is not flagged again, whatever became of that flag.
    """
    recent = commits[-READ:]
    own = [
        (place, message)
        for place, message in enumerate(read_messages(ctx.repo, recent))
        if is_own(ctx, message)
    ]
    found = [*candidates(own), *dependencies(own, moved)]
    is_rationed = any(one.signal.rule != TRAILER for one in found)
    before = earlier(ctx, recent[0]) if is_rationed else []
    return keep(ctx, before + found) if found else Signalled()


def candidates(messages: Iterable[tuple[int, Message]]) -> list[Candidate]:
    """Return what the messages give reason to flag, each with its place."""
    return [
        Candidate(place, message, one) for place, message in messages for one in signals(message)
    ]


def dependencies(
    messages: Iterable[tuple[int, Message]], moved: Sequence[Moved]
) -> list[Candidate]:
    """Return what moves of dependencies give reason to flag."""
    return [
        Candidate(place, message, Signal(DEPENDENCY, one.told, "", "surprise"), (one.path,))
        for place, message in messages
        for one in moved
        if one.commit == message.oid
    ]


def is_own(ctx: Context, message: Message) -> bool:
    """Tell whether the caller made the commit, by the committer's address; agents use theirs."""
    address = (ctx.caller.person or "").rpartition("<")[2].rstrip(">")
    return bool(address) and message.committer_email.casefold() == address.casefold()


def earlier(ctx: Context, commit: str) -> list[Candidate]:
    """Return the candidates among the commits before one, which the quota may have to count."""
    before = read_messages_before(ctx.repo, commit, WINDOW - 1)
    places = range(-1, -len(before) - 1, -1)
    return candidates(zip(places, before, strict=True))


def keep(ctx: Context, found: Sequence[Candidate]) -> Signalled:
    """Store the flags of the candidates that are new and within the quota.

    Those with a place below zero were seen at another time: they count if they have a flag.
    """
    made: list[Flag] = []
    held = 0

    def operation(view: View) -> list[flags.PutFlag]:
        nonlocal held
        chosen, held = ration(found, {one.id for one in found if is_known(view, one)})
        made[:] = [make(ctx, one) for one in chosen]
        return [flags.PutFlag(flag) for flag in made]

    record = Record("flag", "flag from commits", ctx.caller.name(), int(ctx.caller.clock()))
    publish(ctx.store, operation, record)
    return Signalled(tuple(made), held)


def ration(found: Sequence[Candidate], known: Collection[str]) -> tuple[list[Candidate], int]:
    """Return the candidates to flag, and how many the quota holds back; ``known`` have a flag."""
    spent = [one.place for one in found if one.id in known and one.signal.rule != TRAILER]
    chosen: dict[str, Candidate] = {}
    held = 0
    for one in found:
        if one.place < 0 or one.id in known or one.id in chosen:
            continue
        if one.signal.rule == TRAILER:
            chosen[one.id] = one
        elif sum(abs(one.place - place) < WINDOW for place in spent) < QUOTA:
            spent.append(one.place)
            chosen[one.id] = one
        else:
            held += 1
    return list(chosen.values()), held


def is_known(view: View, one: Candidate) -> bool:
    """Tell whether the inbox has a flag of this candidate, settled or not, readable or not."""
    return view.tree(refs.INBOX).find(flags.flag_path(one.id)) is not None


def make(ctx: Context, one: Candidate) -> Flag:
    """Return the flag of a candidate, masked and within every limit."""
    message, signal = one.message, one.signal
    summary, quote = secrets.scrub_all(one_line(signal.summary), many_lines(signal.quote))
    return Flag(
        id=one.id,
        summary=fitted(summary.text, limits.SUMMARY),
        at=ctx.caller.now(),
        by=f"{message.author} <{message.author_email}>",
        paths=places(ctx, message, one.only or message.paths),
        cue=signal.cue,
        quote=fitted(quote.text, limits.QUOTE) or None,
        host=ctx.caller.host,
        session=ctx.caller.session,
        worktree=ctx.repo.work_tree,
        head=message.oid,
        commit=message.oid,
    )


def places(ctx: Context, message: Message, paths: Iterable[str]) -> tuple[FlagPath, ...]:
    """Return the first paths with what the commit has there; none that cannot be shown."""
    shown = [path for path in paths if is_fit(path)][: limits.FLAG_PATHS]
    held = tree_blobs(ctx.repo, message.oid, shown)
    prefix = ctx.repo.object_format
    return tuple(
        FlagPath(path, f"{prefix}:{held[path][1]}" if path in held else None) for path in shown
    )


def is_fit(path: str) -> bool:
    """Tell whether a path may stand in a flag: short enough, visible, and without a secret."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    is_plain = len(path) <= limits.PATH and without(UNFIT_FOR_LINE, text) == text
    return is_plain and not secrets.find(path)


def one_line(text: str) -> str:
    """Return a text without what one line may not hold."""
    return " ".join(without(UNFIT_FOR_LINE, text).split())


def many_lines(text: str) -> str:
    """Return a text without what a quote may not hold."""
    return without(UNFIT_FOR_BODY, text).strip()


def without(unfit: str, text: str) -> str:
    """Return a text with spaces in place of the unfit characters.

    Most text is plain ASCII, and looking for them would take a fifth of a bare start to compile.
    """
    is_plain = text.isascii() and text.isprintable()
    return text if is_plain else re.sub(f"[{unfit}]", " ", text)


def fitted(text: str, limit: int) -> str:
    """Return the text, cut at a limit with a sign that it was."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + _CUT
