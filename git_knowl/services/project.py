"""Which code the shared knowledge is about: its root commits, so that stores are not mixed up."""

from __future__ import annotations

from git_knowl.plumbing import refs
from git_knowl.plumbing.history import root_commits
from git_knowl.services.context import Context
from git_knowl.store import layout
from git_knowl.store.operations import Change, PutProject
from git_knowl.store.view import View


def put_project(ctx: Context, view: View) -> list[Change]:
    """Return the change that notes the root commits, while the store knows none."""
    if view.tree(refs.ENTRIES).find(layout.PROJECT_FILE):
        return []
    roots = root_commits(ctx.repo)
    return [PutProject(tuple(roots))] if roots else []
