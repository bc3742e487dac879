"""The refs of the store as they stood at one moment, with the edits of one operation on top.

Reading opens only the folders asked for. An edit is seen by every later read of the same view, so
that several changes to one file add up; nothing is written before a transaction publishes it.
"""

from __future__ import annotations

from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import MissingObject, ObjectError, object_id
from git_knowl.plumbing.process import GitError
from git_knowl.store import layout, trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from git_knowl.errors import KnowlError
    from git_knowl.plumbing.objects import ObjectDatabase, TreeEntry
    from git_knowl.plumbing.repository import Repository

    class Names(Protocol):
        """A lookup of live names that is right for two tips, such as the derived cache."""

        @property
        def tips(self) -> Mapping[str, str | None]:
            """The commit of each lane the lookup answers for."""

        def prepare(self) -> None:
            """Do what takes long, such as filling a cache, while nobody waits for a lock."""

        def find_name(self, name: str) -> list[tuple[str, str]]:
            """Return (lane, id) of the live entries stored under a name.

            Raises LookupError when it cannot tell any more.
            """


ENTRY_REFS = (refs.ENTRIES, refs.LOCAL_ENTRIES)
LANES = tuple(refs.lane_of(ref) for ref in ENTRY_REFS)
#: The order in which a transaction moves the refs: what is live first, what waits for it after.
REFS = (*ENTRY_REFS, refs.INBOX, refs.STATE)

Holders = dict[str, list[tuple[str, str]]]


def read_refs(repo: Repository, names: tuple[str, ...]) -> dict[str, str | None]:
    """Return the commit of each ref, None for a missing one; raises BrokenRefError.

    A broken one of what this clone remembers counts as missing: that may be lost at any time.
    """
    try:
        return refs.read(repo, names)
    except refs.BrokenRefError as error:
        if error.ref != refs.STATE:
            raise
    others = tuple(name for name in names if name != refs.STATE)
    return {refs.STATE: None, **refs.read(repo, others)}


class Tree:
    """What one ref holds: files by path, as committed and with staged edits on top."""

    __slots__ = ("_format", "_root", "_staged_in", "_view", "commit", "ref", "staged")

    def __init__(self, view: View, ref: str, commit: str | None) -> None:
        self._view = view
        self.ref = ref
        self.commit = commit
        self.staged: dict[str, bytes | str | None] = {}
        self._staged_in: dict[str, list[str]] = {}
        self._root: str | None = None
        self._format: bytes | None = None

    @property
    def root(self) -> str | None:
        """The tree of the commit, read when it is first asked for; None while the ref is absent.

        Raises FormatError for a tree that is none of a store, or that needs a newer reader.
        """
        if self._root is None and self.commit:
            try:
                self._root = self._readable_root(self.commit)
            except (layout.FormatError, ObjectError):
                # What only this clone remembers may be lost; a newer program's may not.
                if self.ref != refs.STATE or layout.newer(self._format):
                    raise
                self.commit = None
        return self._root

    def _readable_root(self, commit: str) -> str:
        root = self._view.db.read_commit(commit).tree
        blob = trees.find(self._view, root, layout.FORMAT_FILE)
        self._format = self._view.read_blob(blob) if blob else None
        if self._view.read_tree(root):
            layout.check_readable(self.ref, self._format)
        return root

    @property
    def newer(self) -> str | None:
        """What a reader must be told of a format newer than this program, None for its own."""
        return layout.newer(self._format) if self.root else None

    def check_writable(self) -> None:
        """Raise FormatError unless what is committed, if anything, has the format written here.

        An older one is written by what raises it, and by nothing else.
        """
        if not self.is_empty:
            is_raised = layout.FORMAT_FILE in self.staged
            layout.check_writable(self.ref, self._format, is_raised=is_raised)

    @property
    def is_empty(self) -> bool:
        """Tell whether the ref is absent or its commit holds no file."""
        return not (self.root and self._view.read_tree(self.root))

    def committed(self, path: str) -> str | None:
        """Return the blob at a path as committed, or None."""
        return trees.find(self._view, self.root, path)

    def find(self, path: str) -> str | None:
        """Return the blob at a path, or None; a staged file has an id too."""
        if path not in self.staged:
            return self.committed(path)
        data = self.staged[path]
        return self._view.blob_id(data) if isinstance(data, bytes) else data

    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None."""
        found = self.staged[path] if path in self.staged else self.committed(path)
        return self._view.read_blob(found) if isinstance(found, str) else found

    def files(self, under: str = "") -> Iterator[tuple[str, str]]:
        """Yield (path, blob) of every file below a folder, staged ones last."""
        for path, blob in trees.walk(self._view, self.root, under):
            if path not in self.staged:
                yield path, blob
        for folder, paths in self._staged_in.items():
            if not under or f"{folder}/".startswith(f"{under}/"):
                yield from self._staged_files(paths)

    def files_in(self, folder: str, start: str = "") -> Iterator[tuple[str, str]]:
        """Yield (path, blob) of the files right in a folder, staged ones last.

        ``start`` is how their names begin: only for these is the id of a staged file computed.
        """
        begin = f"{folder}/{start}"
        for path, blob in trees.files_in(self._view, self.root, folder):
            if path.startswith(begin) and path not in self.staged:
                yield path, blob
        staged = self._staged_in.get(folder, ())
        yield from self._staged_files(path for path in staged if path.startswith(begin))

    def changed_since(self, commit: str | None) -> Iterator[tuple[str, str | None]]:
        """Yield (path, blob, or None where it is gone) of all that differs from another commit.

        Equal folders are not opened, staged edits are left out. Raises MissingObject when the
        other commit is no longer there.
        """
        old = self._view.db.read_commit(commit).tree if commit else None
        yield from trees.changed(self._view, old, self.root)

    def stage(self, path: str, data: bytes | str | None) -> None:
        """Put a file, by its content or by the id of a blob in the database; None removes it."""
        if path not in self.staged:
            self._staged_in.setdefault(path.rpartition("/")[0], []).append(path)
            self._view.note_staged(self.ref, path)
        self.staged[path] = data

    def edited(self) -> tuple[str, trees.Objects]:
        """Return the id of the tree with all staged edits and the objects it needs."""
        return trees.edit(self._view, self._view.object_format, self.root, self.staged)

    def _staged_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        for path in paths:
            blob = self.find(path)
            if blob is not None:
                yield path, blob


class View:
    """All refs of the store at one moment; ``commits`` maps each ref to its tip or None."""

    __slots__ = (
        "_folders",
        "_listed",
        "_names",
        "_newer",
        "_staged",
        "_trees",
        "commits",
        "db",
        "object_format",
    )

    def __init__(
        self,
        db: ObjectDatabase,
        object_format: str,
        commits: Mapping[str, str | None],
        names: Names | None = None,
    ) -> None:
        self.db = db
        self.object_format = object_format
        self.commits = commits
        self._names = names
        self._newer: Holders | None = None
        self._listed: Holders | None = None
        self._staged: Holders = {}
        self._trees: dict[str, Tree] = {}
        self._folders: dict[str, list[TreeEntry]] = {}

    def tree(self, ref: str) -> Tree:
        """Return what a ref holds."""
        if ref not in self._trees:
            self._trees[ref] = Tree(self, ref, self.commits.get(ref))
        return self._trees[ref]

    def lane(self, lane: str) -> Tree:
        """Return what the entries ref of a lane holds."""
        return self.tree(refs.entries_ref(lane))

    def read_tree(self, oid: str) -> list[TreeEntry]:
        """Read one folder; asked again, it is answered from memory."""
        if oid not in self._folders:
            self._folders[oid] = self.db.read_tree(oid)
        return self._folders[oid]

    def read_blob(self, blob: str) -> bytes:
        """Return the content of a blob."""
        return next(self.read_blobs([blob]))[1]

    def read_blobs(self, blobs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (blob, content) in the order of asking; raises MissingObject for an absent one."""
        return iter(self.db.read_blobs(blobs))

    def read_each(self, blobs: Sequence[str]) -> Iterator[bytes | KnowlError]:
        """Yield the content of every blob as one stream, or why one of them cannot be read."""
        done = 0
        try:
            for _, data in self.read_blobs(blobs):
                yield data
                done += 1
        except (ObjectError, GitError):
            for blob in blobs[done:]:
                yield self._read_or_error(blob)

    def blob_id(self, data: bytes) -> str:
        """Return the id git would give to this content."""
        return object_id("blob", data, self.object_format)

    def entry_files(self, lane: str, identifier: str) -> list[tuple[str, str]]:
        """Return (path, blob) of the live entry of an id; more than one only in a damaged store."""
        folder = layout.entry_folder(identifier)
        return list(self.lane(lane).files_in(folder, f"{identifier}."))

    def is_live(self, identifier: str) -> bool:
        """Tell whether an entry of this id is live in either lane."""
        return any(self.entry_files(lane, identifier) for lane in LANES)

    def is_known(self, identifier: str) -> bool:
        """Tell whether an entry of this id is live or was: its draft waits for nothing."""
        tombstone = layout.record_path(layout.RETIRED, identifier)
        return self.is_live(identifier) or any(self.lane(lane).find(tombstone) for lane in LANES)

    def holders(self, name: str) -> list[tuple[str, str]]:
        """Return (lane, id) of all live entries of a name, the lowest id first."""
        candidates = {*self._candidates(name), *self._staged.get(name, ())}
        holders = [
            (lane, identifier)
            for lane, identifier in candidates
            if self.lane(lane).find(layout.entry_path(identifier, name)) is not None
        ]
        return sorted(holders, key=lambda pair: pair[1])

    def list_names(self) -> Holders:
        """Return (lane, id) of all committed live entries by name: every folder is opened, once."""
        if self._listed is None:
            self._listed = {}
            for lane in LANES:
                files = trees.walk(self, self.lane(lane).root, layout.ENTRIES)
                _add_names(self._listed, lane, (path for path, _ in files))
        return self._listed

    def note_staged(self, ref: str, path: str) -> None:
        """Remember the name in the path of an entry file, so that `holders` looks there too."""
        if ref in ENTRY_REFS:
            _add_names(self._staged, refs.lane_of(ref), [path])

    def _read_or_error(self, blob: str) -> bytes | KnowlError:
        try:
            return self.read_blob(blob)
        except (ObjectError, GitError) as error:
            return error

    def _candidates(self, name: str) -> list[tuple[str, str]]:
        """Ask the lookup and what changed since its tips; without one, list both lanes."""
        if self._names is not None:
            try:
                found = self._names.find_name(name)
                return [*found, *self._names_since(self._names.tips).get(name, ())]
            except (LookupError, MissingObject):
                self._names = None
        return self.list_names().get(name, [])

    def _names_since(self, tips: Mapping[str, str | None]) -> Holders:
        if self._newer is None:
            newer: Holders = {}
            for lane in LANES:
                tree = self.lane(lane)
                if tree.commit != tips.get(lane):
                    files = tree.changed_since(tips.get(lane))
                    _add_names(newer, lane, (path for path, _ in files))
            self._newer = newer
        return self._newer


def _add_names(names: Holders, lane: str, paths: Iterable[str]) -> None:
    for path in paths:
        found = layout.parse_entry_path(path)
        if found:
            names.setdefault(found[1], []).append((lane, found[0]))
