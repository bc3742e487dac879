"""Clones of a store in memory: a graph of commits and trees, without a repository or a process."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from git_knowl.plumbing.objects import Commit, MissingObject, decode_tree, object_id
from git_knowl.store import layout, tombstones
from git_knowl.store.merge.bases import Bases
from git_knowl.store.merge.outcome import Admit, admit_all
from git_knowl.store.merge.plan import Plan, Roots, make_plan
from git_knowl.store.merge.reader import Reader
from git_knowl.store.merge.states import State, files_of, read_state, spelled
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.trees import Objects, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_knowl.model.draft import Draft
    from git_knowl.model.entry import Entry
    from git_knowl.plumbing.objects import TreeEntry

FORMAT = "sha1"


class World:
    """All objects and commits of some clones; reads like a database."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.commits: dict[str, Commit] = {}
        self.folders_read = 0
        self.files_read = 0
        self.first = self.commit(self.write_tree(None, {layout.FORMAT_FILE: layout.FORMAT_TEXT}))

    def read_blobs(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield id and content."""
        for oid in oids:
            if oid not in self.objects:
                raise MissingObject(oid)
            self.files_read += 1
            yield oid, self.objects[oid]

    def read_tree(self, oid: str) -> list[TreeEntry]:
        """Return the items of a tree."""
        self.folders_read += 1
        return decode_tree(self.objects[oid], FORMAT) if oid else []

    def read_commit(self, oid: str) -> Commit:
        """Return a commit."""
        return self.commits[oid]

    def write(self, objects: Objects) -> list[str]:
        """Keep objects."""
        made = [object_id(kind, data, FORMAT) for kind, data in objects]
        self.objects.update(zip(made, (data for _, data in objects), strict=True))
        return made

    def close(self) -> None:
        """Let go of nothing."""

    def commit(self, tree: str, *parents: str) -> str:
        """Return a new commit."""
        oid = f"{len(self.commits):040x}"
        self.commits[oid] = Commit(tree, parents, "", "", "")
        return oid

    def write_tree(self, root: str | None, changes: dict[str, bytes | str | None]) -> str:
        """Return a tree after some changes."""
        made, objects = Reader(self, FORMAT).edit(root, changes)
        self.write(objects)
        return made

    def ancestors(self, *commits: str) -> set[str]:
        """Return all commits that lead to some, those themselves among them."""
        found: set[str] = set()
        waiting = [*commits]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += self.commits[one].parents
        return found

    def common(self, one: str, *others: str) -> list[str]:
        """Return what `git merge-base --all` does."""
        shared = self.ancestors(one) & self.ancestors(*others)
        below = {parent for commit in shared for parent in self.commits[commit].parents}
        return sorted(shared - self.ancestors(*below)) if below else sorted(shared)

    def joined(self, ours: str, theirs: str, admit: Admit = admit_all) -> tuple[str, Plan]:
        """Return the tree that joining two commits comes to, and the plan."""
        reader = Reader(self, FORMAT)

        def merge(base: str | None, one: str, other: str) -> str:
            roots = Roots(base, one, other, is_folded=True)
            return reader.edit(one, make_plan(reader, roots, admit_all).changes)[0]

        common = self.common(ours, theirs)
        base = Bases(self, self.common, merge).tree(common)
        mine, other = self.commits[ours].tree, self.commits[theirs].tree
        roots = Roots(base, mine, other, is_folded=len(common) > 1)
        plan = make_plan(reader, roots, admit)
        tree, objects = reader.edit(roots.ours, plan.changes)
        self.write(objects)
        return tree, plan


class Clone:
    """One clone: its tip, and the drafts that came back to it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tip = world.first
        self.drafts: list[Draft] = []

    @property
    def tree(self) -> str:
        """The tree of the tip."""
        return self.world.commits[self.tip].tree

    def files(self) -> dict[str, bytes]:
        """Return all files with their content."""
        return {path: self.world.objects[blob] for path, blob in walk(self.world, self.tree)}

    def state(self, identifier: str) -> State:
        """Return what stands of an id."""
        reader = Reader(self.world, FORMAT)
        return read_state(reader, files_of(reader, self.tree, identifier))

    def put(self, changes: dict[str, bytes | str | None]) -> None:
        """Commit changes of files."""
        self.tip = self.world.commit(self.world.write_tree(self.tree, changes), self.tip)

    def write(self, *entries: Entry) -> None:
        """Make texts of one entry stand in place of all it had: one live, several in conflict."""
        reader = Reader(self.world, FORMAT)
        old = files_of(reader, self.tree, entries[0].id)
        new = spelled(reader, {one.digest: one for one in entries}, [])
        self.put(dict.fromkeys(old) | {p: reader.content(b) for p, b in new.items()})

    def retire(self, identifier: str, by: str = "Ada <ada@example.org>") -> None:
        """Retire an entry."""
        state = self.state(identifier)
        live = next(iter(state.sides.values()))
        stone = Tombstone(identifier, live.name, "gone", by, live.updated, live.digest)
        path = layout.record_path(layout.RETIRED, identifier)
        self.put(dict.fromkeys(state.files) | {path: tombstones.encode(stone)})

    def restore(self, entry: Entry) -> None:
        """Bring a retired entry back, with a higher rev than it ever had in this history."""
        reader = Reader(self.world, FORMAT)
        trees = {self.world.commits[one].tree for one in self.world.ancestors(self.tip)}
        states = (read_state(reader, files_of(reader, tree, entry.id)) for tree in trees)
        self.write(replace(entry, rev=max(state.rev for state in states) + 1))

    def join(self, other: str, admit: Admit = admit_all) -> Plan:
        """Join a commit, as `git_knowl.store.merge.join` does on refs."""
        common = self.world.common(self.tip, other)
        if other in common:
            return Plan()
        tree, plan = self.world.joined(self.tip, other, admit)
        is_ahead = self.tip in common and tree == self.world.commits[other].tree
        self.tip = other if is_ahead else self.world.commit(tree, self.tip, other)
        self.drafts += plan.drafts
        return plan
