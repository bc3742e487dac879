"""A hub with the clones of two people, and what they propose to each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from git_knowl.services.flag import flag
from git_knowl.services.review import Decision, decide
from tests.support.builders import RepoBuilder
from tests.support.contexts import REVIEWED, capture_item, submit_items
from tests.support.people import person

if TYPE_CHECKING:
    from git_knowl.services.context import Context

ADA = "Ada <ada@example.org>"
BOB = "Bob <bob@example.org>"


def member(hub: RepoBuilder, name: str, who: str) -> Context:
    """Return the context of somebody with a fresh clone of the hub."""
    return person(hub.clone(name), person=who)


def home(ctx: Context) -> RepoBuilder:
    """Return the repository somebody works in."""
    return RepoBuilder(Path(ctx.repo.require_work_tree()))


def fill(ctx: Context) -> tuple[str, str, str]:
    """Flag twice and make a draft of the first flag; return the ids of all three."""
    first = flag(ctx, "totals double above three", ("lib/cart.ts",), "surprise").flag.id
    second = flag(ctx, "the settings are read twice", ("conf.yml",)).flag.id
    (draft,) = submit_items(ctx, capture_item("cart-doubles", first))
    return first, second, draft


def shown(hub: RepoBuilder) -> dict[str, str]:
    """Return the refs of proposals that a hub shows."""
    return hub.refs("refs/knowl/proposals")


def accept(ctx: Context, *ids: str) -> None:
    """Accept drafts as somebody at a terminal."""
    decide(ctx, [Decision(one, accepted=True) for one in ids], REVIEWED)
    ctx.refresh()


def plant(hub: RepoBuilder, ref: str, files: dict[str, bytes], mode: str = "100644") -> str:
    """Put a commit with these files, whatever they are, on a ref of a bare repository."""
    index = {"GIT_INDEX_FILE": str(hub.path / "index-of-a-stranger")}
    Path(index["GIT_INDEX_FILE"]).unlink(missing_ok=True)
    for path, data in files.items():
        blob = hub.git("hash-object", "-w", "--stdin", stdin=data)
        hub.git("update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}", env=index)
    tree = hub.git("write-tree", env=index)
    commit = hub.git("commit-tree", tree, "-m", "x")
    hub.git("update-ref", ref, commit)
    return commit
