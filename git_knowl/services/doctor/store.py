"""Checks of the store itself: its refs, its objects, and whether its files agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from git_knowl.errors import KnowlError
from git_knowl.model import ids, limits
from git_knowl.plumbing import refs, upkeep
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.objects import object_id
from git_knowl.services.context import Context
from git_knowl.services.damaged import DamagedFile, newer_format, read_path, retire_damaged
from git_knowl.services.doctor.finding import Finding, Repair, counted, shortened
from git_knowl.services.gate import authorise
from git_knowl.services.hooks.program import Program
from git_knowl.store import layout, purged
from git_knowl.store.conflicts import read_side
from git_knowl.store.layout import CONFLICTS
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.superseded import in_circles
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.view import LANES, REFS, View

KNOWN_FILES = frozenset((layout.FORMAT_FILE, layout.PROJECT_FILE))
LONG = (
    "SELECT shown_name FROM entry WHERE length(description) > ? AND shown_name IS NOT NULL"
    " ORDER BY shown_name"
)
UNREADABLE = "'git knowl doctor' found that nobody could read it"
LOST = (
    "which texts were reviewed here and what sleeps is forgotten without it; the file"
    f" 'logs/{refs.STATE}' in the git directory tells which commits it pointed at"
)
FORGET = "forget what this clone remembered"
#: A writer at work has the lock of the clone; nobody waits for it at a terminal for longer.
PATIENCE = 5.0
TAKE_BACK = (
    "'git knowl log' shows the operations, 'git knowl undo' takes the last one back,"
    " 'git knowl retire PATH' takes the file out"
)
GET_BACK = (
    "take the object from another clone or a backup; what cannot be had any more 'git knowl retire"
    " PATH' takes out"
)


def check_refs(ctx: Context) -> Iterator[Finding]:
    """Find refs of ours that point nowhere, or at somebody else's ref."""
    for ref, target in upkeep.symbolic(ctx.repo).items():
        yield Finding(
            f"{ref} is no ref of its own, it leads to {target}",
            "nothing here makes such refs: 'git symbolic-ref --delete' unties it, and leaves the"
            " other one where it is",
        )
    lost = list(check_state(ctx))
    yield from lost
    if lost:
        return  # git lists no other ref beside a broken one
    tips = sorted(set(refs.ours(ctx.repo).values()))
    gone = upkeep.missing(ctx.repo, tips) if tips else None
    if gone:
        yield Finding(f"the history of the store is not whole: {gone}", GET_BACK)


def check_state(ctx: Context) -> Iterator[Finding]:
    """Find that what this clone remembers for itself cannot be read; everything goes on without."""
    try:
        commits = refs.read(ctx.repo, (refs.STATE,))
    except refs.BrokenRefError as error:
        yield Finding(error.message, LOST, Repair(FORGET, forget_state))
        return
    state = View(ctx.store.db, ctx.repo.object_format, commits).tree(refs.STATE)
    if commits[refs.STATE] and state.root is None:
        told = f"{refs.STATE} holds nothing that this clone remembers: something else wrote to it"
        yield Finding(told, LOST, Repair(FORGET, forget_state))


def forget_state(ctx: Context, _: Program) -> str:
    """Take away the ref that cannot be read, if it still cannot while nobody else writes."""
    with flock(ctx.repo, PATIENCE):
        if not any(check_state(ctx)):
            return f"{refs.STATE} can be read again"
        upkeep.drop_ref(ctx.repo, refs.STATE)
    ctx.refresh()
    return f"took {refs.STATE} away; the next write makes it anew"


def check_objects(ctx: Context) -> Iterator[Finding]:
    """Find files of the present state whose object cannot be read, lies, or was purged before."""
    view = ctx.store.view()
    for ref in REFS:
        listed = list(view.tree(ref).files())
        contents = view.read_each([blob for _, blob in listed])
        gone = purged.read_purged(view.tree(ref))
        for (path, blob), data in zip(listed, contents, strict=True):
            problem = fault(blob, data, ctx.repo.object_format)
            if problem:
                yield Finding(f"{path} of {ref}: {problem}", GET_BACK)
            elif isinstance(data, bytes) and data and purged.is_purged(data, gone):
                told = f"{path} of {ref} is a text that was purged, and is there again"
                yield Finding(told, "'git knowl purge' takes it out again, by its id")


def fault(blob: str, data: bytes | KnowlError, object_format: str) -> str | None:
    """Return what is wrong with the object of a file, None for a sound one."""
    if isinstance(data, KnowlError):
        return data.message
    found = object_id("blob", data, object_format)
    return None if found == blob else f"the object {blob} holds another content"


def check_store(ctx: Context) -> Iterator[Finding]:
    """Find files of the lanes that cannot be read, or do not agree with each other."""
    newer = {lane for lane in LANES if newer_format(ctx, lane) is not None}
    for lane, path, error in ctx.cache.damaged():
        yield of_damaged(read_path(lane, path, error), is_newer=lane in newer)
    yield from check_lengths(ctx)
    yield from check_circles(ctx)
    view = ctx.store.view()
    for lane in LANES:
        snapshot = Snapshot(view, lane)
        paths = [path for path, _ in snapshot.paths()]
        live = live_ids(paths)
        yield from check_tombstones(view, lane, live)
        yield from check_conflicts(lane, paths, live)
        yield from check_sides(snapshot, paths, live)
        if lane not in newer:
            yield from check_unknown(lane, paths)
    yield from check_twins(view)


def check_lengths(ctx: Context) -> Iterator[Finding]:
    """Find descriptions that are too long for a line: listings cut them."""
    most = limits.DESCRIPTION
    rows = ctx.cache.select(LONG, [most])
    if rows:
        told = counted(len(rows), "description has", "descriptions have")
        yield Finding(
            f"{told} more than {most} characters: {shortened([name for (name,) in rows])}",
            "they are shown cut; 'git knowl edit NAME' writes one that fits",
        )


def check_circles(ctx: Context) -> Iterator[Finding]:
    """Find entries that supersede each other in a circle, so that all of them stay as they are."""
    names = [row.name for row in ctx.cache.by_ids(in_circles(ctx.cache))]
    if names:
        yield Finding(
            f"entries in a circle of 'supersedes', which supersedes nothing: {shortened(names)}",
            "'git knowl edit NAME' takes the older one out of its list",
        )


def of_damaged(one: DamagedFile, *, is_newer: bool) -> Finding:
    """Return the finding about a file that cannot be read, with its removal where it may go."""
    told = f"{one.path} in lane {one.lane} cannot be read: {one.error}"
    if is_newer or one.path == layout.FORMAT_FILE:
        return Finding(told, "upgrade git-knowl")

    def take_out(ctx: Context, _: Program) -> str:
        retire_damaged(ctx, one, UNREADABLE, authorise(ctx, "retire"))
        return f"took '{one.path}' out; 'git knowl undo' brings it back"

    return Finding(told, TAKE_BACK, Repair(f"take '{one.title}' out of lane {one.lane}", take_out))


def live_ids(paths: Iterable[str]) -> set[str]:
    """Return the ids of the entries among some paths."""
    return {found[0] for path in paths if (found := layout.parse_entry_path(path))}


def check_tombstones(view: View, lane: str, live: set[str]) -> Iterator[Finding]:
    """Find entries that are live and retired at once, and replacements nobody knows."""
    stones = Snapshot(view, lane).retired()
    for identifier in sorted(live & stones.keys()):
        yield Finding(
            f"the entry {identifier} ('{stones[identifier].name}') is live in lane {lane} and has a"
            " tombstone there",
            f"'git knowl retire {identifier}' takes it out, 'git knowl undo' takes back what left"
            " both, if that was the last operation",
        )
    yield from (lost_heir(lane, stone) for stone in stones.values() if not has_heir(view, stone))


def has_heir(view: View, stone: Tombstone) -> bool:
    """Tell whether what a tombstone points on to is known, if it points anywhere."""
    heir = stone.superseded_by
    return heir is None or (ids.is_id(heir) and view.is_known(heir))


def lost_heir(lane: str, stone: Tombstone) -> Finding:
    """Return the finding about a tombstone that points at nothing."""
    return Finding(
        f"'{stone.name}' in lane {lane} was replaced by {stone.superseded_by}, and nobody knows it",
        "it may be in a lane or a clone that is not here; nothing needs to be done",
    )


def check_conflicts(lane: str, paths: Iterable[str], live: set[str]) -> Iterator[Finding]:
    """Find sides of a conflict whose entry is gone."""
    folders = {path.split("/")[1] for path in paths if path.startswith(f"{CONFLICTS}/")}
    for identifier in sorted(folders - live):
        yield Finding(
            f"lane {lane} keeps sides of a conflict about {identifier}, which is not live",
            "'git show' prints them; nothing shows them, so nothing needs to be done",
        )


def check_sides(snapshot: Snapshot, paths: Iterable[str], live: set[str]) -> Iterator[Finding]:
    """Find files in the folder of a conflict that are no text of it: nobody is shown them."""
    inside = (path for path in paths if path.startswith(f"{CONFLICTS}/"))
    for path in inside:
        if path.split("/")[1] in live and not is_side(snapshot, path):
            yield Finding(
                f"{path} in lane {snapshot.lane} is not the text that its name says",
                "it is carried along unread; deciding on the conflict ('git knowl review') takes"
                " it away, and so does 'git knowl retire' of the entry",
            )


def is_side(snapshot: Snapshot, path: str) -> bool:
    """Tell whether a file is what its place says; one that cannot be had is told of elsewhere."""
    try:
        return read_side(path, snapshot.read_file(path) or b"") is not None
    except KnowlError:
        return True


def check_unknown(lane: str, paths: Iterable[str]) -> Iterator[Finding]:
    """Find files that nothing here reads or writes."""
    for path in paths:
        if not is_known(path):
            yield Finding(
                f"{path} in lane {lane} is no file of this format",
                "it is carried along unread; 'git log' of the ref tells who put it there",
            )


def is_known(path: str) -> bool:
    """Tell whether a path has a meaning in this format; what stands there may be damaged."""
    folder, _, rest = path.partition("/")
    if folder == purged.PURGED:
        return purged.is_digest(rest)
    return path in KNOWN_FILES or (
        bool(rest) and folder in (layout.ENTRIES, layout.RETIRED, CONFLICTS)
    )


def check_twins(view: View) -> Iterator[Finding]:
    """Find entries that are live in both lanes, as a crash in the midst of a move leaves them."""
    shared, local = (live_ids(p for p, _ in Snapshot(view, lane).paths()) for lane in LANES)
    for identifier in sorted(shared & local):
        yield Finding(
            f"the entry {identifier} is live in both lanes; the shared one is shown",
            "'git knowl move NAME --lane shared' or '--lane local' leaves it in one of them",
        )
