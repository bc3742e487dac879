"""The kind ``tree``: the tracked files of a directory or pathspec, with their contents.

Submodules and untracked files do not count, nor does the mode of a file. Nothing is read but what
git itself cannot tell from its stat.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from git_knowl.anchors.base import (
    WORKTREE,
    AnchorError,
    Files,
    Stamp,
    World,
    accepted_for,
    active,
    suspect,
    unknown,
)
from git_knowl.anchors.file import SHORT, blamed, change_words, ways
from git_knowl.model.anchor import TreeAnchor, TreeFingerprint
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing import sets
from git_knowl.plumbing.history import Commit, changed_since, last_change
from git_knowl.plumbing.process import GitError
from git_knowl.plumbing.sets import PathspecError

CHURN_CHANGES = 10
CHURN_DAYS = 90
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Changes:
    """What became of a set of files."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    @classmethod
    def between(cls, old: Mapping[str, str], new: Mapping[str, str]) -> "Changes":
        """Compare two states."""
        return cls(
            tuple(sorted(new.keys() - old.keys())),
            tuple(sorted(old.keys() - new.keys())),
            tuple(sorted(path for path in old.keys() & new.keys() if old[path] != new[path])),
        )

    @property
    def words(self) -> str:
        """What changed in a phrase, a few files by their names."""
        parts = (("changed", self.changed), ("added", self.added), ("removed", self.removed))
        return "; ".join(f"{verb} {_named(paths)}" for verb, paths in parts if paths)


def judge(anchor: TreeAnchor, digest: str, world: World) -> AnchorVerdict:
    """Compare the files that are there with every state accepted for this text of the entry."""
    accepted = accepted_for(anchor.accepted, digest)
    try:
        files = world.files(anchor.pathspec)
    except PathspecError as error:
        return unknown(anchor, error.message)
    found = _said(len(files.blobs), digest_of(files.blobs, world))
    if not accepted:
        reason = "nobody has accepted the files for the present text of the entry"
        return replace(unknown(anchor, reason), expected="nothing accepted", found=found)
    expected = _said(accepted[-1].files, accepted[-1].digest)
    own = {item.digest for item in accepted if item.digest.startswith(_prefix(world))}
    if digest_of(files.blobs, world) in own:
        return active(anchor)
    if files.unsure or not own:
        return replace(unknown(anchor, _doubt(files)), expected=expected, found=found)
    if not files.blobs:
        return _judge_absence(anchor, accepted, expected, world)
    return _judge_change(anchor, accepted, files.blobs, world)


def observe(anchor: TreeAnchor, world: World, stamp: Stamp) -> TreeAnchor:
    """Return the anchor with the present files as its only accepted state.

    Raises AnchorError when the pathspec names no tracked file, or one that cannot be read.
    """
    try:
        files = world.files(anchor.pathspec)
    except PathspecError as error:
        raise AnchorError(f"{anchor.target} cannot be anchored: {error.message}") from error
    if files.unsure:
        raise AnchorError(f"{anchor.target} cannot be anchored: {_doubt(files)}")
    if not files.blobs:
        raise AnchorError(
            f"{anchor.target} cannot be anchored: it names no tracked file",
            "untracked files and submodules do not count",
        )
    return replace(anchor, accepted=(_fingerprint(anchor, files.blobs, world, stamp),))


def warnings(anchor: TreeAnchor, world: World) -> list[str]:
    """Return what a person should know before resting an entry on the files."""
    head, pathspec = world.head, anchor.pathspec
    changes = changed_since(world.repo, head, pathspec, CHURN_DAYS, literal=False) if head else 0
    if changes <= CHURN_CHANGES:
        return []
    said = (
        f"{pathspec} changed {changes} times in {CHURN_DAYS} days:"
        " anchored to a part of it, the entry would raise fewer alarms"
    )
    return [said]


def digest_of(blobs: Mapping[str, str], world: World) -> str:
    """Return the digest of files: the object format, and SHA-256 over their blobs and paths."""
    made = hashlib.sha256()
    for path in sorted(blobs):
        made.update(f"{blobs[path]} {path}\0".encode("utf-8", "surrogateescape"))
    return _prefix(world) + made.hexdigest()


def accepted_files(
    anchor: TreeAnchor, accepted: Iterable[TreeFingerprint], world: World
) -> Mapping[str, str] | None:
    """Return the newest accepted state that this clone can still tell, path by path."""
    for item in reversed([*accepted]):
        if item.commit and item.digest.startswith(_prefix(world)):
            try:
                files = sets.commit_files(world.repo, item.commit, anchor.pathspec)
            except (GitError, PathspecError):
                continue  # the commit is not here, or is gone
            if digest_of(files, world) == item.digest:
                return files
    return None


def _judge_change(
    anchor: TreeAnchor, accepted: list[TreeFingerprint], now: Mapping[str, str], world: World
) -> AnchorVerdict:
    held = world.committed_files(anchor.pathspec)
    old = accepted_files(anchor, accepted, world)
    is_here = digest_of(held, world) in {item.digest for item in accepted}
    change = None if is_here else _last_change(anchor, world)
    told = [ways(world, "changed") if is_here else change_words(change)]
    if not is_here and held != now:
        told.append(f"and {ways(world, 'changed again')}")
    before = old if old is not None else held if is_here else None
    what = Changes.between(before, now).words if before is not None else "the files differ"
    expected = _said(accepted[-1].files, accepted[-1].digest)
    found = _said(len(now), digest_of(now, world))
    return blamed(suspect(anchor, f"{what}; {', '.join(told)}", expected, found), change)


def _judge_absence(
    anchor: TreeAnchor, accepted: list[TreeFingerprint], expected: str, world: World
) -> AnchorVerdict:
    went = world.renamed_folder(anchor.pathspec)
    if went and _is_same(anchor, accepted, went, world):
        offer = f"moved to {went}; verify with --follow anchors the entry there"
        return replace(active(anchor, offer), moved_to=went)
    is_here = bool(world.committed_files(anchor.pathspec))
    change = None if is_here else _last_change(anchor, world)
    if not is_here and change is None:
        reason = "no commit in the history of this checkout has files there"
        return replace(unknown(anchor, reason), expected=expected, found="no file")
    told = ways(world, "removed") if is_here else change_words(change)
    is_untold = is_here and not went and world.label == WORKTREE
    untold = "; if they moved, 'git add' of both folders shows where" if is_untold else ""
    moved = f"; they went to {went} with changes" if went else untold
    verdict = suspect(anchor, f"all files are gone, {told}{moved}", expected, "no file")
    return blamed(replace(verdict, moved_to=went), change)


def _is_same(
    anchor: TreeAnchor, accepted: list[TreeFingerprint], folder: str, world: World
) -> bool:
    """Tell whether a folder holds what the anchor's own held."""
    blobs = world.files(folder).blobs
    at_home = {f"{anchor.pathspec}{path[len(folder) :]}": oid for path, oid in blobs.items()}
    return digest_of(at_home, world) in {item.digest for item in accepted}


def _last_change(anchor: TreeAnchor, world: World) -> Commit | None:
    if world.head is None:
        return None
    return last_change(world.repo, world.head, anchor.pathspec, literal=False)


def _doubt(files: Files) -> str:
    if not files.unsure:
        return "the files were accepted in a repository of another object format"
    path, state = next(iter(sorted(files.unsure.items())))
    return f"{path} is {state}"


def _prefix(world: World) -> str:
    return f"{world.repo.object_format}:"


def _said(count: int, digest: str) -> str:
    mark = digest.partition(":")[2][:SHORT]
    return f"{count} file{'' if count == 1 else 's'} ({mark})" if count else "no file"


def _named(paths: tuple[str, ...]) -> str:
    rest = len(paths) - _MOST_NAMED
    return ", ".join(paths[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _fingerprint(
    anchor: TreeAnchor, blobs: Mapping[str, str], world: World, stamp: Stamp
) -> TreeFingerprint:
    is_clean = world.committed_files(anchor.pathspec) == blobs
    tree = None
    if is_clean and world.head:
        tree = sets.folder_tree(world.repo, world.head, anchor.pathspec)
    return TreeFingerprint(
        text=stamp.text,
        digest=digest_of(blobs, world),
        tree=tree and _prefix(world) + tree,
        files=len(blobs),
        at=stamp.at,
        by=stamp.by,
        how=stamp.how,
        commit=world.head,
        dirty=not is_clean,
    )
