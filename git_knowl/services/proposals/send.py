"""Send flags and drafts to a remote, for somebody else to review; what is there is not sent again.

What a remote lacks is computed against what it shows, and nothing counts as sent until it shows it.
"""

from __future__ import annotations

import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.draft import Draft
from git_knowl.model.entry import LOCAL
from git_knowl.model.flag import Flag
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.objects import encode_commit, object_id
from git_knowl.plumbing.remote import REFUSED, RemoteMoved
from git_knowl.services.context import Context
from git_knowl.services.inbox import find
from git_knowl.services.proposals.fit import UnfitError, fit_draft, fit_flag
from git_knowl.services.proposals.place import copy_of, own, prefix
from git_knowl.services.proposals.reading import Garbage, listing
from git_knowl.services.purged import descent
from git_knowl.services.sync.place import Place, choose
from git_knowl.store import drafts, flags, layout, trees
from git_knowl.store.inbox import Inbox, read_inbox
from git_knowl.store.view import View

TRIES = 8
LONGEST_PAUSE = 1.0
_BYTES = 10
_OTHERS = "others sent it: it is theirs to send"
_DOUBTED = "it may hold what was purged elsewhere: read it, then send it by its id"


class ProposalsRefusedError(KnowlError):
    """A remote that does not take proposals, whatever they are."""


class FirstBranchError(KnowlError):
    """Proposals that would be the first branch of an empty remote."""


class LostSendError(MovedError):
    """A ref that moved, or did not show what it took, in every round."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What the remote shows now of what was sent, and by id why something stays here.

    ``known`` was there already; ``commit`` is what the ref points at, None where nothing ever was
    sent. ``local`` counts the drafts for the lane that never travels by itself.
    """

    remote: str
    ref: str
    commit: str | None
    ids: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    local: int = 0


@dataclass(slots=True)
class Parcel:
    """Records by path that are to be sent, what of it was settled here, and what is kept back."""

    records: dict[str, bytes] = field(default_factory=dict)
    settled: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    local: int = 0


def send(ctx: Context, given: str | None = None, chosen: Sequence[str] = ()) -> Sent:
    """Send the pending flags and drafts, or those that are named by id, to a remote.

    They stand on a ref of this clone's own, one commit on top of the one there before. Raises
    RemoteError for what keeps us from reaching it, ProposalsRefusedError when it takes none, and
    LostSendError when others were faster every time; then everything waits here as before.
    """
    place = choose(ctx, given)
    view = ctx.store.view()
    parcel = pack(ctx, view, chosen)
    name = own(ctx)
    ref = f"{prefix(place)}{name}"
    source = next(iter(remote.push_places(ctx.repo, place.remote)), place.remote)
    for turn in range(TRIES):
        tip = remote.ls(ctx.repo, source, [ref]).get(ref)
        done = exchange(ctx, place, parcel, (source, ref, tip))
        if done is not None:
            keep(ctx, copy_of(place, name), done.commit)
            return done
        time.sleep(pause(ctx, turn))
    raise LostSendError(
        f"'{place.remote}' moved {ref}, or did not show what it took, in {TRIES} rounds",
        "what was to be sent is still here: try again",
    )


def pause(ctx: Context, turn: int) -> float:
    """Return seconds to wait: more each time, and by chance, so that no two go in step."""
    longest = min(LONGEST_PAUSE, 0.05 * 2.0**turn)
    return longest * (0.5 + ctx.caller.entropy(_BYTES)[-1] / 255)


def exchange(
    ctx: Context, place: Place, parcel: Parcel, there: tuple[str, str, str | None]
) -> Sent | None:
    """Put what is missing on top of what a ref shows; return what came of it, None to try again."""
    source, ref, tip = there
    try:
        bring(ctx, place, source, tip)
    except RemoteMoved:
        return None
    root, missing, gone = compared(ctx, parcel, tip)
    known = tuple(id_of(path) for path in parcel.records if path not in missing)
    done = Sent(place.remote, ref, tip, (), known, parcel.kept, parcel.local)
    if not missing:
        return done
    if place.is_branch and tip is None:
        check_branches(ctx, place, source)
    commit = write(ctx, root, tip, {**missing, **dict.fromkeys(gone)})
    told = remote.push(ctx.repo, place.remote, [(commit, ref, tip)])[ref]
    if told.kind == REFUSED:
        raise refused(place, ref, told.reason)
    if remote.ls(ctx.repo, source, [ref]).get(ref) != commit:
        return None
    return replace(done, commit=commit, ids=tuple(map(id_of, missing)))


def bring(ctx: Context, place: Place, source: str, tip: str | None) -> None:
    """Fetch what a ref shows, unless it is here.

    Raises RemoteMoved when it is gone by now, ProposalsRefusedError when it is no commit.
    """
    if tip is None:
        return
    if ctx.repo.run("cat-file", "-e", f"{tip}^{{tree}}").code:
        remote.fetch(ctx.repo, source, [tip])
    kind = ctx.repo.git("cat-file", "-t", tip).decode("ascii", "replace").strip()
    if kind != "commit":
        raise ProposalsRefusedError(
            f"'{place.remote}' holds a {kind} where this clone sends its proposals",
            "whoever keeps the remote can take that ref away",
        )


def compared(
    ctx: Context, parcel: Parcel, tip: str | None
) -> tuple[str | None, dict[str, bytes], list[str]]:
    """Return the tree to build on, the records it lacks, and those in it that are settled here.

    What stands there and is no tree of proposals is not built on.
    """
    if tip is None:
        return None, parcel.records, []
    try:
        found = listing(ctx, tip)
    except Garbage:
        return None, parcel.records, []
    missing = {
        path: data
        for path, data in parcel.records.items()
        if found.blobs.get(path) != object_id("blob", data, ctx.repo.object_format)
    }
    return found.root, missing, [path for path in parcel.settled if path in found.blobs]


def write(
    ctx: Context, root: str | None, tip: str | None, changes: Mapping[str, bytes | None]
) -> str:
    """Write the tree with the changes and its commit, and return that."""
    object_format = ctx.repo.object_format
    staged = dict(changes) if root else {layout.FORMAT_FILE: layout.FORMAT_TEXT, **changes}
    tree, objects = trees.edit(ctx.objects, object_format, root, staged)
    who = f"{ctx.caller.name()} {int(ctx.caller.clock())} +0000"
    number = sum(data is not None for data in changes.values())
    subject = f"propose {number} {'record' if number == 1 else 'records'}\n"
    commit = encode_commit(tree, (tip,) if tip else (), who, who, subject)
    ctx.objects.write([*objects, ("commit", commit)])
    return object_id("commit", commit, object_format)


def keep(ctx: Context, copy: str, commit: str | None) -> None:
    """Remember what the remote showed of our own ref, so that it need not be fetched again."""
    before = refs.read(ctx.repo, (copy,))[copy]
    if commit and commit != before:
        refs.update(ctx.repo, [refs.Update(copy, commit, before)], "send proposals")


def check_branches(ctx: Context, place: Place, source: str) -> None:
    """Raise FirstBranchError where proposals would become the branch to check out."""
    if not remote.ls(ctx.repo, source, ["refs/heads/*"]):
        raise FirstBranchError(
            f"'{place.remote}' has no branch yet, and would take the proposals for the one to check"
            " out",
            "push a branch of the code first",
        )


def refused(place: Place, ref: str, reason: str) -> ProposalsRefusedError:
    """Return the error for a remote that does not take the ref."""
    hint = "whoever keeps the remote can allow it"
    if not place.is_branch:
        hint += "; where a host takes branches alone, name one with knowl.remoteRef"
    told = reason or "it gives no reason"
    return ProposalsRefusedError(f"'{place.remote}' does not take {ref}: {told}", hint)


def pack(ctx: Context, view: View, chosen: Sequence[str]) -> Parcel:
    """Return what is to be sent of the inbox: everything that waits, or what is named.

    Raises InboxError and IdError for what is named and is not there, or is settled.
    """
    inbox = read_inbox(view)
    named = [find(inbox, text) for text in chosen]
    parcel = Parcel(settled=settled_paths(view, inbox))
    local = {row.id for row in ctx.cache.entry_rows() if row.lane == LOCAL}
    waiting: list[Flag | Draft] = [*inbox.flags, *inbox.drafts]
    for one in named or waiting:
        reason = kept_back(one, local, is_named=bool(named))
        if reason is not None:
            parcel.kept |= {one.id: reason} if reason else {}
            continue
        try:
            put(parcel, one)
        except UnfitError as error:
            parcel.kept[one.id] = error.message
    return parcel


def kept_back(one: Flag | Draft, local: Container[str], *, is_named: bool) -> str | None:
    """Return why something is not sent, "" where that goes without saying, None to send it."""
    if isinstance(one, Flag) and not one.is_pending:
        return f"it is settled ({one.outcome})" if is_named else ""
    if not is_named and (one.sender or is_doubted(one)):
        return _OTHERS if one.sender else _DOUBTED
    if isinstance(one, Draft) and one.target and one.target in local:
        return f"it is about '{one.name}' of lane 'local', which nobody else has"
    return None


def put(parcel: Parcel, one: Flag | Draft) -> None:
    """Add a flag or draft as it may travel; raises UnfitError."""
    if isinstance(one, Draft):
        parcel.records[drafts.draft_path(one.id)] = drafts.encode(
            replace(fit_draft(one), sender=None)
        )
        parcel.local += one.lane == LOCAL
    else:
        parcel.records[flags.flag_path(one.id)] = flags.encode(replace(fit_flag(one), sender=None))


def settled_paths(view: View, inbox: Inbox) -> list[str]:
    """Return the paths of what somebody decided on here: it need not wait at the remote."""
    done = [flags.flag_path(one.id) for one in inbox.flags if not one.is_usable]
    return done + [drafts.draft_path(one.id) for one in inbox.settled if view.is_known(one.id)]


def id_of(path: str) -> str:
    """Return the id in the path of a record."""
    return path.rpartition("/")[2].removesuffix(layout.RECORD_SUFFIX)


def is_doubted(one: Flag | Draft) -> bool:
    """Tell whether something was made of a text that others purged, and nobody read it since."""
    return isinstance(one, Draft) and descent.WARNING in one.warnings
