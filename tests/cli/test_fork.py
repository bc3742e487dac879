"""`git knowl import --from REMOTE`: chosen entries of a stranger's store become drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import stores
from tests.support.cli import Knowl
from tests.support.contexts import inbox_of
from tests.support.people import CART, live, person, write

if TYPE_CHECKING:
    from tests.support.builders import RepoBuilder

EVE = "Eve <eve@example.org>"
TOKEN = "ghp_" + "Zq3" * 12


@pytest.fixture
def fork(repo: RepoBuilder) -> RepoBuilder:
    """Return somebody's clone with three entries of their own."""
    made = repo.clone("fork")
    ctx = person(made, person=EVE)
    write(ctx, "cart", CART)
    write(ctx, "conf", "file:conf.yml", body=f"Ask with {TOKEN}. Why: so.\n")
    write(ctx, "rule", type="feedback", lane="shared", body="Never lint it all. Why: slow.\n")
    return made


def identifier(fork: RepoBuilder, name: str) -> str:
    return live(person(fork), name).id


def everything(repo: RepoBuilder) -> set[str]:
    """Return every object of a repository, reachable or not."""
    listed = repo.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    return set(listed.splitlines())


def objects_of_store(repo: RepoBuilder) -> set[str]:
    """Return what the store of a repository consists of, without what every store has."""
    listed = repo.git("rev-list", "--objects", "refs/knowl/entries").splitlines()
    return {line.split(" ")[0] for line in listed if not line.endswith(" format")}


def test_the_chosen_entry_is_a_draft_and_nothing_else_of_the_fork_is_here(repo, fork):
    refs = set(repo.refs())

    done = Knowl(repo.path)("import", "--from", str(fork.path), "--id", identifier(fork, "cart"))

    assert (done.code, done.out) == (0, "")
    (draft,) = inbox_of(person(repo)).drafts
    assert (draft.name, draft.kind, draft.sender) == ("cart", "capture", f"{fork.path} entries")
    assert set(repo.refs()) - refs == {"refs/knowl-local/inbox"}
    assert everything(repo).isdisjoint(objects_of_store(fork))


def test_a_draft_keeps_nothing_that_the_fork_claims_about_it(repo, fork):
    Knowl(repo.path).ok("import", "--from", str(fork.path), "--all")

    for draft in inbox_of(person(repo)).drafts:
        assert draft.entry.reviewed is None
        said = {item.by for anchor in draft.entry.anchors for item in anchor.accepted}
        assert "eve" not in str(said).lower()


def test_all_entries_come_scrubbed_and_again_changes_nothing(repo, fork):
    knowl = Knowl(repo.path)
    done = knowl("import", "--from", str(fork.path), "--all", "--json")
    again = knowl("import", "--from", str(fork.path), "--all", "--json")

    assert len(done.json["ids"]) == 3
    assert TOKEN not in knowl.ok("inbox", "--json") + str(inbox_of(person(repo)).drafts)
    assert (again.json["ids"], len(again.json["unchanged"])) == ([], 3)


def test_a_configured_remote_is_named_and_a_part_of_an_id_is_enough(repo, fork):
    repo.git("remote", "add", "eve", str(fork.path))
    part = identifier(fork, "rule")[-8:]

    shown = Knowl(repo.path).ok("import", "--from", "eve", "--id", part, "--dry-run")

    assert shown.startswith("capture  feedback  rule")
    assert inbox_of(person(repo)).drafts == ()


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--from", "FORK", "--id", "zzzzzzzz"], 1, "no entry has the id 'zzzzzzzz'"),
        (["--from", "nobody", "--all"], 1, "there is no remote 'nobody'"),
        (["--from", "HERE", "--all"], 1, "has no store"),
        (["--all"], 2, "name it with --from"),
        (["--from", "FORK"], 2, "name a PATH"),
        (["--from", "FORK", "conf.yml"], 2, "is none of"),
        (["--from", "FORK", "--id", "x", "conf.yml"], 2, "name it with --from alone"),
        (["--from", "--upload-pack=touch owned", "--all"], 1, "there is no remote"),
        (["--from", "ext::sh -c touch% owned", "--all"], 1, "cannot be reached"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_had_is_told(repo, fork, words, code, told):
    places = {"FORK": str(fork.path), "HERE": str(repo.path)}

    done = Knowl(repo.path)("import", *(places.get(word, word) for word in words))

    assert done.code == code
    assert told in done.err
    assert not (repo.path / "owned").exists()


def test_a_hostile_tree_is_looked_at_and_not_followed(repo, fork):
    """Folders that hold themselves by the thousand, names that are paths, huge files."""
    ctx = person(fork)
    entry = stores.entry("big", 7)
    path = f"entries/{entry.id[-2:]}/{entry.id}.big.md"
    stores.write(
        ctx.store,
        stores.PutRaw("refs/knowl/entries", path, b"---\n" + b"x" * 400_000),
        stores.PutRaw("refs/knowl/entries", "entries/aa/bb/cc/dd.md", b"deep"),
        stores.PutRaw("refs/knowl/entries", "entries/stray.md", b"stray"),
    )

    done = Knowl(repo.path)("import", "--from", str(fork.path), "--all", "--json")

    assert done.code == 1
    assert len(done.json["ids"]) == 3
    assert "expected at most" in done.json["failed"][0]
