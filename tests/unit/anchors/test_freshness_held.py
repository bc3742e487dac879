"""Of a few entries: which stored verdicts still hold is never more than what judging would say."""

from __future__ import annotations

import shutil

import pytest

from git_knowl.anchors.freshness_held import held_statuses
from git_knowl.plumbing import refs
from git_knowl.services.verdicts import judge_all
from tests.support.people import CART, person, write

ALL = {"commit", "conf", "file", "needs-file", "snippet", "symbol", "tree"}


@pytest.fixture
def judged(repo):
    """Give a store of all kinds that rest on what is in the repository, judged once."""
    repo.commit("more", {"docs/a.md": "one\n", "docs/b.md": "two\n"})
    ctx = person(repo)
    for name, anchor in {
        "commit": "commit:HEAD",
        "conf": "file:conf.yml",
        "file": CART,
        "snippet": "snippet:conf.yml:1-1",
        "symbol": "symbol:lib/cart.ts#total",
        "tree": "tree:docs",
    }.items():
        write(ctx, name, anchor)
    write(ctx, "needs-file", "entry:file")
    judge_all(person(repo))
    return repo


def held(repo):
    """Return the names of the entries whose verdict is told, each of which is the true one."""
    ctx = person(repo)
    rows = {row.id: row.name for row in ctx.cache.entry_rows()}
    head, _ = refs.checked_out(ctx.repo)
    told = held_statuses(ctx.repo, ctx.tips, head, ctx.caller.now(), list(rows))
    true = judge_all(ctx).statuses
    assert {one: true.get(one, "active") for one in told} == told
    return {rows[one] for one in told}


def edit(repo):
    repo.write("lib/cart.ts", "changed\n")


def remove(repo):
    (repo.path / "lib/cart.ts").unlink()


def relink(repo):
    shutil.move(repo.path / "lib", repo.path / "other")
    (repo.path / "lib").symlink_to("other")


def grow(repo):
    repo.write("docs/c.md", "three\n")
    repo.git("add", "docs/c.md")


def unsettle(repo):
    repo.git("update-index", "--skip-worktree", "conf.yml")


def add(repo):
    write(person(repo), "new", "file:conf.yml")


def forget(repo):
    for path in (repo.path / ".git").rglob("verdicts-v1.sqlite"):
        path.write_bytes(b"no database")


#: A set of files may have another one as soon as git names another file as unclean.
ON_CART = {"file", "needs-file", "symbol", "tree"}
#: Where the index moved, what leaned on it must be asked again.
ON_INDEX = {"commit", "tree"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda _: None, ALL),
        (edit, ALL - ON_CART),
        (remove, ALL - ON_CART),
        (relink, ALL - ON_CART),
        (grow, ALL - ON_INDEX),
        (unsettle, set()),
        (add, set()),
        (forget, set()),
    ],
    ids=["nothing", "edit", "remove", "relink", "grow", "unsettle", "add", "forget"],
)
def test_what_a_change_has_nothing_to_do_with_still_holds(judged, change, expected):
    change(judged)

    assert held(judged) == expected
