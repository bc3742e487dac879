"""What the commit somebody stands on, and its history, know of paths that differ or are gone."""

from collections.abc import Mapping, Sequence

from git_knowl.anchors.base import Past
from git_knowl.plumbing.changes import Trace, last_changes, shallow_ends
from git_knowl.plumbing.moves import copies_in, renames_in
from git_knowl.plumbing.repository import Repository
from git_knowl.plumbing.worktree import tree_blobs

_RENAMES_FOLLOWED = 20
_SPLITS_LOOKED_FOR = 20
_NO_CONTENT = ("040000", "160000")  # folders and submodules


def committed_blobs(repo: Repository, head: str, paths: Sequence[str]) -> dict[str, str | None]:
    """Return the blob a commit holds at each path, None where it holds no file."""
    found = tree_blobs(repo, head, list(paths))
    blobs = {path: oid for path, (mode, oid) in found.items() if mode not in _NO_CONTENT}
    return {path: blobs.get(path) for path in paths}


def past_of(repo: Repository, head: str, held: Mapping[str, str | None]) -> dict[str, Past]:
    """Return the past of each path; ``held`` gives the blob the commit itself holds, if any."""
    traces = last_changes(repo, head, held)
    is_cut = bool(shallow_ends(repo))
    went = _follow(repo, head, {path: traces[path] for path, blob in held.items() if not blob})
    parts = _parts(repo, {path: traces[path] for path, blob in held.items() if blob})
    return {
        path: Past(trace.change, trace.known, is_cut, went.get(path), parts.get(path, ()))
        for path, trace in traces.items()
    }


def _parts(repo: Repository, stayed: Mapping[str, Trace]) -> dict[str, tuple[str, ...]]:
    """Return the files that the last change of a path made out of it, for a few changes."""
    commits = {trace.change.oid for trace in stayed.values() if trace.change}
    if len(commits) > _SPLITS_LOOKED_FOR:
        return {}
    copies = {commit: copies_in(repo, commit) for commit in commits}
    return {
        path: tuple(copies[trace.change.oid].get(path, ()))
        for path, trace in stayed.items()
        if trace.change
    }


def common_move(folder: str, renames: Mapping[str, str]) -> str | None:
    """Return the one folder in which renamed files of a folder keep their places below it."""
    prefix = f"{folder}/"
    found = set()
    for old, new in renames.items():
        if old.startswith(prefix):
            place = old[len(prefix) - 1 :]
            found.add(new.removesuffix(place) if new.endswith(place) else "")
    return found.pop() or None if len(found) == 1 else None


def _follow(repo: Repository, head: str, gone: Mapping[str, Trace]) -> dict[str, str]:
    """Return where deleted paths live in ``head`` now, through renames of renames."""
    arrived: dict[str, str] = {}
    origins = {path: path for path in gone}
    for _ in range(_RENAMES_FOLLOWED):
        steps = _steps(repo, gone)
        origins = {new: origins[old] for old, new in steps.items()}
        held = committed_blobs(repo, head, list(origins))
        arrived |= {origins[path]: path for path, blob in held.items() if blob}
        gone = last_changes(repo, head, {path: None for path, blob in held.items() if not blob})
        if not gone:
            break
    return arrived


def _steps(repo: Repository, gone: Mapping[str, Trace]) -> dict[str, str]:
    renames = {
        commit: renames_in(repo, commit)
        for commit in {trace.change.oid for trace in gone.values() if trace.change}
    }
    return {
        path: renames[trace.change.oid][path]
        for path, trace in gone.items()
        if trace.change and path in renames[trace.change.oid]
    }
