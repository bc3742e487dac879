"""The three worlds an anchor can be judged in: the work tree, the index, a commit.

A world asks git for many paths at once and remembers the answers; it is made for one command and
does not notice what changes afterwards.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from git_knowl.anchors.base import STAGED, WORKTREE, Files, Observation, Past, State
from git_knowl.anchors.commits import Standing, standings
from git_knowl.anchors.past import committed_blobs, common_move, past_of
from git_knowl.plumbing import history, moves, sets, spelling, worktree
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.refs import HEAD
from git_knowl.plumbing.repository import Repository

_FOLDER = "040000"
_SUBMODULE = "160000"
_BULK_READS = 1000
_MOST_COMPANIONS = 50
_HIDDEN = "not checked out here: what the index holds was judged"
_INTENDED = "staged without its content (git add -N)"
_OUTSIDE = Observation("unreadable", note="the path does not name a file of the project")
_ABSENT = Observation("absent")
_STATES: dict[str, State] = {
    worktree.ABSENT: "absent",
    worktree.DIRECTORY: "directory",
    worktree.UNREADABLE: "unreadable",
    worktree.FILTER: "filter-failed",
    worktree.SPECIAL: "special",
}


class _Files(ABC):
    """What the worlds share: a memory, and the history of the commit they are compared with."""

    label: str

    def __init__(self, repo: Repository, now: str, *, is_hurried: bool = False) -> None:
        self.repo = repo
        self.now = now
        self.is_hurried = is_hurried
        self._seen: dict[str, Observation] = {}
        self._committed: dict[str, str | None] = {}
        self._past: dict[str, Past] = {}
        self._digests: dict[str, str | None] = {}
        self._texts: dict[str, bytes | None] = {}
        self._sets: dict[str, Files] = {}
        self._standings: dict[str, Standing] = {}

    @cached_property
    def head(self) -> str | None:
        """The commit these files are compared with; None while there is none."""
        return history.head(self.repo)

    @cached_property
    def head_patch(self) -> str | None:
        """The patch id of that commit, as `history.patch_id` gives it."""
        return history.patch_id(self.repo, self.head) if self.head else None

    def blobs(self, paths: Sequence[str]) -> dict[str, Observation]:
        """Return what stands at every one of the paths, seen in as few git calls as possible."""
        new = _new(paths, self._seen)
        if new:
            self._seen.update(dict.fromkeys(new, _OUTSIDE))
            self._seen.update(self._look(_inside(new)))
        return {path: self._seen[path] for path in paths}

    def content(self, path: str) -> bytes | None:
        """Return a file as git stores it; None when it is absent or cannot be read."""
        return self._texts[path] if path in self._texts else next(self._contents([path]))[1]

    def contents(self, paths: Sequence[str]) -> dict[str, bytes | None]:
        """Return files as git stores them and keep them in memory; None as for ``content``."""
        self._texts.update(self._contents(_new(paths, self._texts)))
        return {path: self._texts[path] for path in paths}

    def digests(self, paths: Sequence[str]) -> dict[str, str | None]:
        """Return the SHA-256 of each file as git stores it; None where there is no content."""
        for path, data in self._contents(_new(paths, self._digests)):
            self._digests[path] = None if data is None else hashlib.sha256(data).hexdigest()
        return {path: self._digests[path] for path in paths}

    def committed(self, paths: Sequence[str]) -> dict[str, str | None]:
        """Return the blob that ``head`` holds at each path, None where it holds no file."""
        new = _new(paths, self._committed)
        asked = _inside(new)
        held = committed_blobs(self.repo, self.head, asked) if self.head and asked else {}
        self._committed |= {path: held.get(path) for path in new}
        return {path: self._committed[path] for path in paths}

    def past(self, paths: Sequence[str]) -> dict[str, Past]:
        """Return what the history of ``head`` knows of the paths; this may take a while."""
        new = _new(paths, self._past)
        held = self.committed(_inside(new))
        found = past_of(self.repo, self.head, held) if self.head and held else {}
        self._past |= {path: found.get(path, Past()) for path in new}
        return {path: self._past[path] for path in paths}

    def renamed_to(self, path: str) -> str | None:
        """Return where a file of ``head`` is now, by the likeness of what is staged."""
        return self._renames.get(path)

    def holders(self, blobs: Iterable[str]) -> set[str]:
        """Return the paths that hold one of the blobs, by the index or commit of this world."""
        return {path for blob in blobs for path in self._paths_by_blob.get(blob, ())}

    def committed_content(self, path: str) -> bytes | None:
        """Return what ``head`` holds at a path; None where it holds no file."""
        blob = self.committed([path])[path]
        return self.repo.git("cat-file", "blob", blob) if blob else None

    def committed_files(self, pathspec: str) -> Mapping[str, str]:
        """Return the blob that ``head`` holds at each path that a pathspec names."""
        return sets.commit_files(self.repo, self.head, pathspec) if self.head else {}

    def renamed_folder(self, folder: str) -> str | None:
        """Return where the files of a folder went together, by the likeness of their contents."""
        if not self.head or worktree.leads_outside(folder):
            return None
        change = history.last_change(self.repo, self.head, folder)
        committed = moves.renames_in(self.repo, change.oid) if change else {}
        return common_move(folder, self._renames) or common_move(folder, committed)

    def companions(self, path: str) -> list[str]:
        """Return files that were written together with the last change of a path, a few at most."""
        if not self.head:
            return []
        change = self.past([path])[path].change
        touched = moves.touched_in(self.repo, change.oid) if change else []
        found = dict.fromkeys((*self._touched, *touched))
        found.pop(path, None)
        return list(found)[:_MOST_COMPANIONS]

    def standings(self, commits: Mapping[str, str | None]) -> dict[str, Standing]:
        """Return where commits, given with their patch-ids, stand in the history of ``head``."""
        new = {oid: patch for oid, patch in commits.items() if oid not in self._standings}
        if new and self.head:
            self._standings |= standings(self.repo, self.head, new, is_hurried=self.is_hurried)
        nowhere = Standing(None, reason="there is no commit here yet")
        return {oid: self._standings.get(oid, nowhere) for oid in commits}

    def files(self, pathspec: str) -> Files:
        """Return the tracked files that a pathspec names; raises PathspecError."""
        if pathspec not in self._sets:
            self._sets[pathspec] = self._list(pathspec)
        return self._sets[pathspec]

    @abstractmethod
    def _list(self, pathspec: str) -> Files:
        """Return the files that nobody has asked about yet."""

    @abstractmethod
    def _look(self, paths: list[str]) -> dict[str, Observation]:
        """Return what stands at paths that nobody has asked about yet, all inside the project."""

    @cached_property
    @abstractmethod
    def _renames(self) -> Mapping[str, str]:
        """The files renamed since ``head``, old name to new name."""

    @cached_property
    @abstractmethod
    def _touched(self) -> Sequence[str]:
        """The files that are another content here than in ``head``."""

    @cached_property
    @abstractmethod
    def _paths_by_blob(self) -> Mapping[str, Sequence[str]]:
        """The index or commit of this world, turned around."""

    def _contents(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Yield each path, in any order, with its content where it has one."""
        seen = self.blobs(paths)
        blobs = {path: blob for path in paths if (blob := seen[path].blob)}
        objects = open_objects(self.repo, bulk=len(blobs) >= _BULK_READS)
        contents = (data for _, data in objects.read_blobs(blobs.values()))
        yield from zip(blobs, contents, strict=True)
        objects.close()
        yield from ((path, None) for path in paths if path not in blobs)


class WorkTreeWorld(_Files):
    """The working files of one worktree, in whatever state they are."""

    label = WORKTREE

    def __init__(self, repo: Repository, now: str, *, is_hurried: bool = False) -> None:
        super().__init__(repo, now, is_hurried=is_hurried)
        self._index: dict[str, tuple[str, str, bool] | None] = {}

    def marks(self, paths: Sequence[str]) -> dict[str, str | None]:
        """Return how the index speaks of each path: None when it does not.

        The blob id where the index counts in place of a file that is not there, else an empty text.
        """
        new = _new(paths, self._index)
        found = worktree.index_blobs(self.repo, new) if new else {}
        self._index |= {path: found.get(path) for path in new}
        return {path: _mark(self._index[path]) for path in paths}

    @cached_property
    def folds_case(self) -> bool:
        """Whether the file system answers to other spellings of a name."""
        return spelling.folds_case(self.repo)

    def _look(self, paths: list[str]) -> dict[str, Observation]:
        marks = self.marks(paths)
        found = worktree.stored_blobs(self.repo, paths)
        return {path: self._observation(path, found[path], marks[path]) for path in paths}

    def _observation(self, path: str, found: str, mark: str | None) -> Observation:
        mode, oid, _ = self._index[path] or (None, None, False)
        if mark and found == worktree.ABSENT:
            return Observation("present", oid, mode, note=_HIDDEN)
        if found in _STATES:
            return Observation(_STATES[found], mode=mode, dirty=mode not in (None, _SUBMODULE))
        if mode is None and self._is_foreign(path):
            return _ABSENT
        return Observation("present", found, mode, dirty=found != oid)

    def _is_foreign(self, path: str) -> bool:
        """Tell whether a file that is not in the index belongs to something else that is there."""
        if worktree.nested_repository(self.repo.require_work_tree(), path):
            return True
        return self.folds_case and spelling.other_spelling(self.repo, path) is not None

    def _contents(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        seen = self.blobs(paths)
        yield from super()._contents([path for path in paths if not seen[path].dirty])
        for path in paths:
            if seen[path].dirty:
                yield path, self._uncommitted(path)

    def _uncommitted(self, path: str) -> bytes | None:
        try:
            return worktree.stored_content(self.repo, path)
        except worktree.ContentError:
            return None

    def _list(self, pathspec: str) -> Files:
        listed = sets.index_files(self.repo, pathspec)
        blind = [path for path, entry in listed.items() if entry.is_blind]
        unclean = [path for path in sets.unclean_files(self.repo, pathspec) if path in listed]
        looked = self.blobs([*blind, *unclean])
        blobs = {path: entry.oid for path, entry in listed.items() if path not in looked}
        blobs |= {path: seen.blob for path, seen in looked.items() if seen.blob}
        gone = ("absent", "directory")
        unsure = {p: s.state for p, s in looked.items() if not s.blob and s.state not in gone}
        return Files(blobs, unsure, list(looked))

    @cached_property
    def _renames(self) -> Mapping[str, str]:
        return moves.renames_in_index(self.repo, self.head) if self.head else {}

    @cached_property
    def _touched(self) -> Sequence[str]:
        return moves.touched_since(self.repo, self.head) if self.head else ()

    @cached_property
    def _paths_by_blob(self) -> Mapping[str, Sequence[str]]:
        return moves.paths_by_blob(self.repo)


class StagedWorld(_Files):
    """The index, as the next commit would take it; in a hook the index that hook was given."""

    label = STAGED

    def _look(self, paths: list[str]) -> dict[str, Observation]:
        listed = worktree.index_blobs(self.repo, paths, staged=True)
        intended = self._intended({path: oid for path, (_, oid, _) in listed.items()})
        found = {path: _stored(mode, oid) for path, (mode, oid, _) in listed.items()}
        found |= dict.fromkeys(intended, Observation("unreadable", note=f"the file is {_INTENDED}"))
        return {path: found.get(path, _ABSENT) for path in paths}

    def _contents(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        # A hook may keep its new objects in a directory of its own.
        read = ("cat-file", "blob")
        for path, seen in self.blobs(paths).items():
            yield (
                path,
                self.repo.git(*read, seen.blob, env=self.repo.hook_env) if seen.blob else None,
            )

    def _list(self, pathspec: str) -> Files:
        listed = sets.index_files(self.repo, pathspec, staged=True)
        blobs = {path: entry.oid for path, entry in listed.items()}
        intended = self._intended(blobs)
        kept = {path: oid for path, oid in blobs.items() if path not in intended}
        return Files(kept, dict.fromkeys(intended, _INTENDED))

    def _intended(self, listed: Mapping[str, str]) -> set[str]:
        """Return those of the paths, each with its blob, of which no content is staged."""
        return worktree.intended_paths(self.repo, listed, staged=True)

    @cached_property
    def _renames(self) -> Mapping[str, str]:
        return moves.renames_in_index(self.repo, self.head, staged=True) if self.head else {}

    @cached_property
    def _touched(self) -> Sequence[str]:
        return moves.touched_since(self.repo, self.head, staged=True) if self.head else ()

    @cached_property
    def _paths_by_blob(self) -> Mapping[str, Sequence[str]]:
        return moves.paths_by_blob(self.repo, staged=True)


class CommitWorld(_Files):
    """The files of one commit."""

    def __init__(self, repo: Repository, rev: str, now: str, *, is_hurried: bool = False) -> None:
        super().__init__(repo, now, is_hurried=is_hurried)
        self.label = f"commit {rev}"
        self._head = self._find(rev)

    @property
    def head(self) -> str | None:
        """The commit itself; None only before the first one of a bare repository."""
        return self._head

    def _find(self, rev: str) -> str | None:
        return history.resolve(self.repo, rev)

    def _look(self, paths: list[str]) -> dict[str, Observation]:
        found = worktree.tree_blobs(self.repo, self._head, paths) if self._head else {}
        return {path: _stored(*found[path]) if path in found else _ABSENT for path in paths}

    def _list(self, pathspec: str) -> Files:
        return Files(self.committed_files(pathspec))

    @cached_property
    def _renames(self) -> Mapping[str, str]:
        return {}

    @cached_property
    def _touched(self) -> Sequence[str]:
        return ()

    @cached_property
    def _paths_by_blob(self) -> Mapping[str, Sequence[str]]:
        return moves.paths_by_blob(self.repo, self._head) if self._head else {}


class BareWorld(CommitWorld):
    """What HEAD holds in a repository without a work tree; nothing before the first commit."""

    def __init__(self, repo: Repository, now: str, *, is_hurried: bool = False) -> None:
        super().__init__(repo, HEAD, now, is_hurried=is_hurried)

    def _find(self, rev: str) -> str | None:
        return history.head(self.repo) and super()._find(rev)


DefaultWorld: TypeAlias = WorkTreeWorld | CommitWorld


def default_world(repo: Repository, now: str, *, is_hurried: bool = False) -> DefaultWorld:
    """Return the world of whoever asks without saying more: the work tree, or HEAD without one."""
    if repo.is_bare:
        return BareWorld(repo, now, is_hurried=is_hurried)
    return WorkTreeWorld(repo, now, is_hurried=is_hurried)


def _new(paths: Sequence[str], known: Container[str]) -> list[str]:
    return [path for path in dict.fromkeys(paths) if path not in known]


def _inside(paths: Sequence[str]) -> list[str]:
    """Return the paths that can name a file of the project: nobody is asked about the others."""
    return [path for path in paths if not worktree.leads_outside(path)]


def _mark(entry: tuple[str, str, bool] | None) -> str | None:
    """Return the blob that stands in for a file that is not there, '' where nothing does."""
    if entry is None:
        return None
    mode, oid, is_hidden = entry
    return oid if is_hidden and mode != _SUBMODULE else ""


def _stored(mode: str, oid: str) -> Observation:
    """Return what an index or tree entry shows; folders and submodules hold no content."""
    return _ABSENT if mode in (_FOLDER, _SUBMODULE) else Observation("present", oid, mode)
