"""The kind ``file``: a regular file or symlink, known by its content as git stores it.

Line endings and whatever else a clean filter evens out therefore raise no alarm. The blob id is
compared first; the SHA-256 decides only where nothing was accepted in this repository's own
object format, as after a migration.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from git_knowl.anchors.base import (
    STAGED,
    WORKTREE,
    AnchorError,
    Observation,
    Past,
    Stamp,
    State,
    World,
    accepted_for,
    active,
    own_object,
    suspect,
    unknown,
)
from git_knowl.model.anchor import (
    FileAnchor,
    FileFingerprint,
    SnippetFingerprint,
    SymbolFingerprint,
)
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing.encoding import object_id
from git_knowl.plumbing.history import Commit, changed_since
from git_knowl.plumbing.worktree import anchor_obstacle, is_untracked

CHURN_CHANGES = 10
CHURN_DAYS = 90
SHORT = 10
_WAY_OUT = "name a file of this project that is here, as file:PATH"
UNCOMMITTED = "verified on uncommitted content"

#: Fingerprints that tell whether they were taken from a file as committed.
Located: TypeAlias = FileFingerprint | SymbolFingerprint | SnippetFingerprint

# States that are neither content nor the lack of it.
_CANNOT_TELL: dict[State, str] = {
    "unreadable": "the file cannot be read",
    "filter-failed": "a filter that git runs on the file failed",
    "special": "a pipe, socket or device stands at the path",
}


def judge(anchor: FileAnchor, digest: str, world: World) -> AnchorVerdict:
    """Compare what stands at the path with every content accepted for this text of the entry."""
    case = _Case.of(anchor, digest, world)
    if not case.accepted:
        reason = "nobody has accepted the file for the present text of the entry"
        return replace(unknown(anchor, reason), expected="nothing accepted", found=case.found)
    if case.seen.state == "present":
        verdict = _judge_content(case, world)
    elif case.seen.state in _CANNOT_TELL:
        verdict = _cannot_tell(case, case.seen.note or _CANNOT_TELL[case.seen.state])
    else:
        verdict = _judge_absence(case, world)
    if verdict.reason and any(item.dirty for item in case.accepted):
        return replace(verdict, note=UNCOMMITTED)
    return verdict


def prepare(anchors: Sequence[tuple[FileAnchor, str]], world: World) -> None:
    """Ask the world at once what judging the anchors, each with its digest, will ask one by one."""
    world.blobs(sorted({anchor.path for anchor, _ in anchors}))
    cases = [_Case.of(anchor, digest, world) for anchor, digest in anchors]
    open_cases = [case for case in cases if case.accepted and case.seen.state not in _CANNOT_TELL]
    present = [case for case in open_cases if case.seen.state == "present"]
    absent = [case for case in open_cases if case.seen.state != "present"]
    world.digests(sorted({case.anchor.path for case in present if not case.own}))
    world.blobs(sorted({path for case in absent if (path := _only_holder(case, world))}))
    _prepare_past([case for case in open_cases if not _holds(case, world)], world)


def successors(anchor: FileAnchor, digest: str, world: World) -> list[str]:
    """Return the other path whose content has a say because the anchor's own is gone."""
    case = _Case.of(anchor, digest, world)
    is_gone = case.seen.state in ("absent", "directory")
    holder = _only_holder(case, world) if case.accepted and is_gone else None
    return [holder] if holder else []


def observe(anchor: FileAnchor, world: World, stamp: Stamp) -> FileAnchor:
    """Return the anchor with the present content as its only accepted fingerprint.

    Raises AnchorError when no content of a file can stand behind the path in this world.
    """
    obstacle = anchor_obstacle(world.repo, anchor.path)
    if obstacle:
        raise AnchorError(f"{anchor.target} cannot be anchored: {obstacle}", _WAY_OUT)
    content = world.content(anchor.path)
    if content is None:
        state = world.blobs([anchor.path])[anchor.path].state
        words = _CANNOT_TELL.get(state, "there is no such file here")
        raise AnchorError(f"{anchor.target} cannot be anchored: {words}", _WAY_OUT)
    return replace(anchor, accepted=(_fingerprint(anchor.path, content, world, stamp),))


def warnings(anchor: FileAnchor, world: World) -> list[str]:
    """Return what a person should know before resting an entry on the file."""
    said = []
    if is_untracked(world.repo, anchor.path):
        said.append(f"{anchor.path} is untracked: in other checkouts the entry will be unknown")
    changes = changed_since(world.repo, world.head, anchor.path, CHURN_DAYS) if world.head else 0
    if changes > CHURN_CHANGES:
        said.append(
            f"{anchor.path} changed {changes} times in {CHURN_DAYS} days:"
            " anchored to a part of it (symbol:PATH#NAME, snippet:PATH:FROM-TO), the entry would"
            " raise fewer alarms"
        )
    return said


@dataclass(frozen=True, slots=True)
class Absence:
    """Why no file is at a path: ``is_proven`` tells that it was there and was taken away.

    ``went`` is where it lives now with changes, ``change`` the commit that took it away.
    """

    words: str
    went: str | None = None
    change: Commit | None = None
    is_proven: bool = True


@dataclass(frozen=True, slots=True)
class _Case:
    """An anchor beside what was accepted for the text and what is seen in one world.

    ``own`` are the accepted blobs in the object format of that world's repository.
    """

    anchor: FileAnchor
    accepted: list[FileFingerprint]
    own: frozenset[str]
    seen: Observation

    @classmethod
    def of(cls, anchor: FileAnchor, digest: str, world: World) -> Self:
        accepted = accepted_for(anchor.accepted, digest)
        seen = world.blobs([anchor.path])[anchor.path]
        return cls(anchor, accepted, _own_blobs(accepted, world), seen)

    @property
    def expected(self) -> str:
        """The accepted contents as short ids, the latest first."""
        ids = dict.fromkeys(item.blob.rpartition(":")[2][:SHORT] for item in self.accepted)
        return " or ".join(reversed(ids))

    @property
    def found(self) -> str:
        """What is there, as a short id or in a word."""
        return self.seen.blob[:SHORT] if self.seen.blob else self.seen.state


def _judge_content(case: _Case, world: World) -> AnchorVerdict:
    if _is_accepted(case, world):
        return active(case.anchor, case.seen.note)
    path = case.anchor.path
    held = world.committed([path])[path]
    if _is_here(case, held):
        return suspect(case.anchor, ways(world, "changed"), case.expected, case.found)
    past = world.past([path])[path]
    change = past.change
    parts = f"; a part of it went to {', '.join(past.parts)}" if past.parts else ""
    reason = f"content differs, {change_words(change)}{parts}"
    if held != case.seen.blob:
        reason = f"{reason}, and {ways(world, 'changed again')}"
    return blamed(suspect(case.anchor, reason, case.expected, case.found), change)


def _is_accepted(case: _Case, world: World) -> bool:
    if case.own:
        return case.seen.blob in case.own
    path = case.anchor.path
    return world.digests([path])[path] in {item.sha256 for item in case.accepted}


def _is_here(case: _Case, held: str | None) -> bool:
    """Tell whether the difference was made here and is in no commit; ``held`` is what HEAD has."""
    if case.seen.state == "present":
        return held is None or held in case.own
    return held is not None


def _own_blobs(accepted: Iterable[FileFingerprint], world: World) -> frozenset[str]:
    own = (own_object(item.blob, world.repo) for item in accepted)
    return frozenset(blob for blob in own if blob)


def _judge_absence(case: _Case, world: World) -> AnchorVerdict:
    moved_to = _moved_to(case, world)
    if moved_to:
        offer = f"moved to {moved_to}; verify with --follow anchors the entry there"
        return replace(active(case.anchor, offer), moved_to=moved_to)
    gone = absence(case.anchor.path, case.accepted, world, _holders(case, world))
    if not gone.is_proven:
        return _cannot_tell(case, gone.words)
    found = f"changed at {gone.went}" if gone.went else case.found
    verdict = suspect(case.anchor, gone.words, case.expected, found)
    return blamed(replace(verdict, moved_to=gone.went), gone.change)


def absence(
    path: str, accepted: Iterable[Located], world: World, holders: Collection[str] = ()
) -> Absence:
    """Return why no file is at a path; ``holders`` are the paths that have its accepted content.

    More than one of them tell nothing about where it went.
    """
    holder = next(iter(holders)) if len(holders) == 1 else None
    is_told = len(holders) <= 1
    if world.committed([path])[path]:
        went = holder or (world.renamed_to(path) if is_told else None)
        told = _departure(ways(world, "deleted"), went)
        return Absence(told if went or not is_told else told + untold_move(path, world), went)
    past = world.past([path])[path]
    words = _deletion_words(past)
    if words is None:
        return Absence(_nowhere_words(past, accepted), is_proven=False)
    went = holder or (past.renamed_to if is_told else None)
    return Absence(_departure(words, went), went, past.change)


def _only_holder(case: _Case, world: World) -> str | None:
    """Return the one path that holds an accepted blob while neither index nor disk has ours."""
    paths = _holders(case, world)
    return min(paths) if len(paths) == 1 else None


def _holders(case: _Case, world: World) -> set[str]:
    return set() if case.seen.dirty else world.holders(case.own)


def _moved_to(case: _Case, world: World) -> str | None:
    path = _only_holder(case, world)
    return path if path and world.blobs([path])[path].blob in case.own else None


def _departure(reason: str, went: str | None) -> str:
    return f"{reason}; it went to {went} with changes" if went else reason


def _deletion_words(past: Past) -> str | None:
    if past.change:
        return f"deleted by {commit_words(past.change)}"
    return "dropped by a merge in the history of this checkout" if past.is_known else None


def _nowhere_words(past: Past, accepted: Iterable[Located]) -> str:
    if past.is_cut:
        return (
            "not in the part of the history that this shallow clone has:"
            " 'git fetch --unshallow' brings the rest"
        )
    if all(item.dirty for item in accepted):
        return "not on this checkout: the file was accepted before it was ever committed"
    return "not on this checkout: no commit in its history has the file"


def change_words(change: Commit | None) -> str:
    """Return who changed a file last, in words."""
    if change:
        return f"last changed by {commit_words(change)}"
    return "changed by a commit that the history here does not show"


def ways(world: World, verb: str) -> str:
    """Return a change that is in no commit, in words."""
    return f"{verb} {'in the index' if world.label == STAGED else 'here'}, not committed"


def untold_move(path: str, world: World) -> str:
    """Return in words how to tell git where a path went that is missing among working files.

    Only tracked files are compared: an untracked one may be anything, and there can be many.
    """
    if world.label != WORKTREE:
        return ""
    which = "both paths" if world.blobs([path])[path].dirty else "the new path"
    return f"; if it moved, 'git add' of {which} shows where"


def commit_words(commit: Commit) -> str:
    """Return a commit as people name it in a sentence."""
    return f"{commit.oid[:SHORT]} '{commit.subject}'"


def _cannot_tell(case: _Case, reason: str) -> AnchorVerdict:
    return replace(unknown(case.anchor, reason), expected=case.expected, found=case.found)


def blamed(verdict: AnchorVerdict, commit: Commit | None) -> AnchorVerdict:
    """Return the verdict with the commit that is behind it, if one is known."""
    if commit is None:
        return verdict
    return replace(verdict, commit=commit.oid, author=f"{commit.author} <{commit.email}>")


def _fingerprint(path: str, content: bytes, world: World, stamp: Stamp) -> FileFingerprint:
    blob = object_id("blob", content, world.repo.object_format)
    return FileFingerprint(
        text=stamp.text,
        sha256=hashlib.sha256(content).hexdigest(),
        blob=f"{world.repo.object_format}:{blob}",
        at=stamp.at,
        by=stamp.by,
        how=stamp.how,
        commit=world.head,
        dirty=world.committed([path])[path] != blob,
    )


def _prepare_past(differing: Sequence[_Case], world: World) -> None:
    held = world.committed(sorted({case.anchor.path for case in differing}))
    world.past(sorted({c.anchor.path for c in differing if not _is_here(c, held[c.anchor.path])}))


def _holds(case: _Case, world: World) -> bool:
    """Tell whether accepted content is still there, at its place or at another."""
    is_present = case.seen.state == "present"
    return _is_accepted(case, world) if is_present else bool(_moved_to(case, world))
