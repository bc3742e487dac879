"""Package anchors: an entry rests on the version of a package that a lockfile resolves to."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from git_knowl.anchors.base import (
    AnchorError,
    Stamp,
    World,
    accepted_for,
    active,
    suspect,
    unknown,
)
from git_knowl.anchors.file import blamed, change_words, ways
from git_knowl.anchors.lockfiles import purl, table
from git_knowl.anchors.lockfiles.listing import Gone, Resolution, Resolved, Unreadable
from git_knowl.model.anchor import PackageAnchor, PackageFingerprint
from git_knowl.model.status import ACTIVE, SUSPECT
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing.changes import changes_of
from git_knowl.plumbing.history import Commit
from git_knowl.plumbing.objects import open_objects

# A large lockfile takes tens of milliseconds to scan, and each of these commits has another.
_COMMITS_READ = 30

_OWN = "the package is part of the project itself"
_ITS_FILES = "anchor to its files, as file:PATH, symbol:PATH#NAME or tree:FOLDER"

#: So many lockfiles that were not searched are named.
NAMED = 5


def judge(anchor: PackageAnchor, digest: str, world: World) -> AnchorVerdict:
    """Compare the resolved version with those accepted for the text ``digest``.

    Suspect when version or integrity differs or the package is gone; unknown when the lockfile
    cannot tell or nothing was accepted for this text.
    """
    accepted = accepted_for(anchor.accepted, digest)
    if not accepted:
        return unknown(anchor, "no version was accepted for this text")
    if _is_absent(anchor, world):
        return _judge_absence(anchor, accepted, world)
    found = _resolve(anchor.purl, anchor.lockfile, world)
    if isinstance(found, Unreadable):
        return replace(unknown(anchor, found.reason), expected=accepted[-1].version)
    verdict = _compare(anchor, accepted, found)
    return _explained(anchor, verdict, found, world) if verdict.status == SUSPECT else verdict


def prepare(anchors: Sequence[tuple[PackageAnchor, str]], world: World) -> None:
    """Ask the world at once what judging the anchors, each with its digest, will ask one by one."""
    world.contents(sorted({anchor.lockfile for anchor, _ in anchors if anchor.lockfile}))


def successors(anchor: PackageAnchor, digest: str, world: World) -> list[str]:
    """Return the lockfiles that may have taken over from one that is gone."""
    is_open = accepted_for(anchor.accepted, digest) and _is_absent(anchor, world)
    return _heirs(anchor, world) if is_open else []


def observe(anchor: PackageAnchor, world: World, stamp: Stamp) -> PackageAnchor:
    """Return the anchor with the version resolved now as its only accepted one.

    Raises AnchorError when the lockfile does not resolve the package.
    """
    found = _resolve(anchor.purl, anchor.lockfile, world)
    if not isinstance(found, Resolved):
        raise AnchorError(f"{anchor.target} cannot be anchored: {_refusal(found)}", _way_out(found))
    item = PackageFingerprint(
        text=stamp.text,
        version=found.version,
        at=stamp.at,
        by=stamp.by,
        how=stamp.how,
        integrity=found.integrity,
    )
    return replace(anchor, accepted=(item,))


def complete(
    anchor: PackageAnchor,
    world: World,
    paths: Iterable[str],
    untracked: Callable[[], Iterable[str]] = tuple,
) -> PackageAnchor:
    """Return the anchor with its lockfile, chosen from the paths where none is named.

    Of the lockfiles that resolve the package the one nearest to the top is taken. Raises
    AnchorError when there is none, or more than one equally near; then it names the lockfiles that
    were not searched, those among the ``untracked`` paths too.
    """
    if anchor.lockfile:
        return anchor
    known = list(paths)
    nearest = _nearest(anchor.purl, world, known)
    if not nearest:
        _refuse_own(anchor.purl, world, known)
        unread = [*_unread(anchor.purl, world, known), *_untracked(anchor.purl, untracked())]
        raise _nowhere(anchor.purl, unread)
    if len(nearest) > 1:
        raise AnchorError(
            f"more than one lockfile resolves {anchor.purl}: {', '.join(nearest)}",
            "name one as package:TYPE/NAME!LOCKFILE",
        )
    return replace(anchor, lockfile=nearest[0])


def _resolve(package_url: str, lockfile: str, world: World) -> Resolution:
    if not lockfile:
        return Unreadable("no lockfile is named")
    content = world.content(lockfile)
    if content is None:
        seen = world.blobs([lockfile])[lockfile]
        return Unreadable(seen.note or f"lockfile {lockfile} is {seen.state}")
    return table.resolve(lockfile, content, package_url)


def _refusal(found: Gone | Unreadable) -> str:
    if isinstance(found, Unreadable):
        return found.reason
    return _OWN if found.is_own else "the lockfile does not hold it"


def _way_out(found: Gone | Unreadable) -> str:
    if isinstance(found, Gone) and found.is_own:
        return _ITS_FILES
    return "name the lockfile that resolves it as package:TYPE/NAME!LOCKFILE"


def _judge_absence(
    anchor: PackageAnchor, accepted: list[PackageFingerprint], world: World
) -> AnchorVerdict:
    for path in _heirs(anchor, world):
        found = _resolve(anchor.purl, path, world)
        if not isinstance(found, Resolved):
            continue
        verdict = _compare(anchor, accepted, found)
        if verdict.status == ACTIVE:
            offer = f"resolved by {path} now; verify with --follow anchors the entry there"
            return replace(verdict, note=offer, moved_to=path)
        reason = f"{anchor.lockfile} is gone; by {path}, {verdict.reason}"
        return replace(verdict, reason=reason, moved_to=path)
    return replace(
        unknown(anchor, f"lockfile {anchor.lockfile} is absent"), expected=accepted[-1].version
    )


def _is_absent(anchor: PackageAnchor, world: World) -> bool:
    path = anchor.lockfile
    return world.content(path) is None and world.blobs([path])[path].state == "absent"


def _heirs(anchor: PackageAnchor, world: World) -> list[str]:
    """Return where a lockfile that is gone went, or what else its folder has of that kind."""
    path = anchor.lockfile
    went = world.renamed_to(path) or world.past([path])[path].renamed_to
    folder = f"{path.rpartition('/')[0]}/".removeprefix("/")
    beside = (folder + name for name in table.names_for(purl.parse(anchor.purl).type))
    seen = world.blobs([one for one in dict.fromkeys((went, *beside)) if one])
    return [one for one, found in seen.items() if found.state == "present"]


def _explained(
    anchor: PackageAnchor, verdict: AnchorVerdict, found: Resolution, world: World
) -> AnchorVerdict:
    """Return a verdict with the commit that brought the present version, where one did."""
    path = anchor.lockfile
    held = world.committed_content(path)
    in_head = None if held is None else table.resolve(path, held, anchor.purl)
    if in_head != found:
        return replace(verdict, reason=f"{verdict.reason}, {ways(world, 'changed')}")
    change = _culprit(anchor, found, world)
    words = f"{verdict.reason}, {change_words(change)}"
    return blamed(replace(verdict, reason=words), change)


def _culprit(anchor: PackageAnchor, found: Resolution, world: World) -> Commit | None:
    """Return the newest commit after which the lockfile said what it says, and before it did not.

    None where the newest commits all say the same.
    """
    path, repo = anchor.lockfile, world.repo
    changes = list(changes_of(repo, world.head, path, _COMMITS_READ)) if world.head else []
    wanted = {blob for _, before, after in changes for blob in (*before, after)}
    blobs = sorted(wanted - {repo.zero_id})
    objects = open_objects(repo)
    said: dict[str, Resolution | None] = {repo.zero_id: None}
    for blob, data in objects.read_blobs(blobs):
        said[blob] = table.resolve(path, data, anchor.purl)
    objects.close()
    for commit, before, after in changes:
        if said[after] == found and all(said[blob] != found for blob in before):
            return commit
    return None


def _compare(
    anchor: PackageAnchor, accepted: list[PackageFingerprint], found: Resolved | Gone
) -> AnchorVerdict:
    if isinstance(found, Gone):
        path = anchor.lockfile
        reason = f"{_OWN}, by {path}" if found.is_own else f"package is gone from {path}"
        return suspect(anchor, reason, accepted[-1].version)
    same = [item for item in accepted if item.version == found.version]
    if not same:
        old = accepted[-1].version
        return suspect(anchor, f"version {old} became {found.version}", old, found.version)
    if any(not _differs(item.integrity, found.integrity) for item in same):
        return active(anchor)
    reason = f"version {found.version} is the same, its integrity is not"
    return suspect(anchor, reason, str(same[-1].integrity), found.integrity)


def _differs(one: str | None, other: str | None) -> bool:
    """Tell whether two integrities contradict each other: no hash in common under one algorithm.

    A lockfile may go from one algorithm to another, or name several, for the same archive.
    """
    ours, theirs = _hashes(one), _hashes(other)
    return bool(ours.keys() & theirs.keys()) and not ours.items() & theirs.items()


def _hashes(integrity: str | None) -> dict[str, str]:
    """Return algorithm and value of integrities such as ``sha512-…``, ``sha256:…``, ``10c0/…``."""
    hashes = {}
    for item in (integrity or "").split():
        end = next((at for at, char in enumerate(item) if char in "-:/"), 0)
        hashes[item[:end]] = item[end:]
    return hashes


def _nearest(package_url: str, world: World, paths: Iterable[str]) -> list[str]:
    """Return the lockfiles nearest to the top that resolve a package."""
    nearest: list[str] = []
    for path in table.locate(purl.parse(package_url).type, paths):
        if nearest and path.count("/") > nearest[0].count("/"):
            break
        if isinstance(_resolve(package_url, path, world), Resolved):
            nearest.append(path)
    return nearest


def _refuse_own(package_url: str, world: World, paths: Iterable[str]) -> None:
    """Raise AnchorError where a lockfile names the package as part of the project."""
    for path in table.locate(purl.parse(package_url).type, paths):
        found = _resolve(package_url, path, world)
        if isinstance(found, Gone) and found.is_own:
            raise AnchorError(f"{package_url} cannot be anchored: {_OWN}, by {path}", _ITS_FILES)


def _unread(package_url: str, world: World, paths: Iterable[str]) -> Iterator[str]:
    """Yield the tracked lockfiles that say nothing about any package, each with the reason."""
    for path in table.locate(purl.parse(package_url).type, paths):
        found = _resolve(package_url, path, world)
        if isinstance(found, Unreadable):
            yield f"{path} ({found.reason})"
    yield from (f"{path} (a kind that is not read)" for path in paths if table.is_unknown(path))


def _untracked(package_url: str, paths: Iterable[str]) -> Iterator[str]:
    names = list(paths)
    known = table.locate(purl.parse(package_url).type, names)
    yield from (f"{path} (untracked)" for path in (*known, *filter(table.is_unknown, names)))


def _nowhere(package_url: str, unread: list[str]) -> AnchorError:
    more = [f"{len(unread) - NAMED} more"] if len(unread) > NAMED else []
    told = f"; not searched: {', '.join([*unread[:NAMED], *more])}" if unread else ""
    return AnchorError(
        f"no lockfile here resolves {package_url}{told}",
        "check the spelling; only tracked lockfiles are searched: name another as"
        " package:TYPE/NAME!LOCKFILE, or anchor to the file that fixes the version (file:PATH)",
    )
