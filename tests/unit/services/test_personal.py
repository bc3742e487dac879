"""The personal store: read in every repository behind its own, and never sent along with it."""

from __future__ import annotations

import pytest

from git_knowl.model.entry import Source
from git_knowl.model.settings import SettingError, Settings
from git_knowl.plumbing import refs
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.gate import GateError
from git_knowl.services.index_block import index_block
from git_knowl.services.listing import list_all
from git_knowl.services.personal import document_any, show_any, with_personal
from git_knowl.services.personal_add import add_personal
from git_knowl.services.personal_search import find_any
from git_knowl.services.personal_store import PersonalStoreError, open_personal
from git_knowl.services.retire import retire
from git_knowl.services.why import why
from git_knowl.store.cache import NoSuchEntryError
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import CART, agent, person, plan, script, tips, write
from tests.support.remotes import bare, member

PAGE = "url:3650d:https://example.org/guide"
PACKAGE = "package:pypi/requests!requirements.txt"
SAID = Source("quote", quote="never run the full lint")


@pytest.fixture
def store(repo, tmp_path):
    """Give the personal store, set for the repository."""
    made = RepoBuilder.make(tmp_path, bare=True, name="personal.git")
    repo.git("config", "knowl.personal", str(made.path))
    return made


@pytest.fixture
def ctx(repo, store):
    return person(repo)


def add(ctx, name, *anchors, **more):
    return add_personal(ctx, plan(name, *anchors, **more))


def listed(ctx):
    ctx.refresh()
    return {one.row.name: (one.row.lane, one.verdict.status, one.tier)
            for one in with_personal(ctx, list_all(ctx)).entries}  # fmt: skip


def blobs(repo):
    """Return every content that a repository holds, but for the file that names the format."""
    told = repo.git("cat-file", "--batch-all-objects", "--batch-check").splitlines()
    found = {line.split()[0] for line in told if " blob " in line}
    return found - {repo.git("rev-parse", f"{refs.ENTRIES}:format").strip()}


def test_a_personal_entry_is_read_in_every_repository(repo, store, ctx, tmp_path):
    write(ctx, "own", CART)
    add(ctx, "mine", type="feedback", source=SAID)
    other = RepoBuilder.start(tmp_path, "sha256", name="other")
    other.git("config", "knowl.personal", str(store.path))

    assert listed(ctx) == {
        "own": ("shared", "active", "here"),
        "mine": ("personal", "active", "here"),
    }
    assert listed(person(other)) == {"mine": ("personal", "active", "here")}


def test_nothing_of_it_is_in_the_store_of_the_repository(repo, store, ctx):
    add(ctx, "mine", PAGE, type="reference")

    assert tips(repo) == {}
    assert set(tips(store)) == {refs.ENTRIES, "refs/knowl-local/state"}


def test_nothing_of_it_is_sent_with_the_store_of_the_repository(tmp_path, store):
    hub = bare(tmp_path)
    ada = member(hub, "ada")
    ada.repo.git("config", "knowl.personal", str(store.path))
    ada.write("own", CART)
    add(ada.ctx, "mine", PAGE, type="reference")
    ada.sync()

    assert "mine" not in hub.git("ls-tree", "-r", "--name-only", refs.ENTRIES)
    assert not blobs(hub) & blobs(store)


def test_an_entry_of_the_repository_wins_over_a_personal_one_of_its_name(ctx):
    add(ctx, "rule", PAGE, type="reference")
    write(ctx, "rule", CART)

    assert listed(ctx)["rule"] == ("shared", "active", "here")
    assert show_any(ctx, "rule").listed.row.lane == "shared"
    assert "[personal]" not in index_block(ctx)


def test_packages_are_judged_in_the_files_of_whoever_asks(repo, store, ctx, tmp_path):
    repo.commit("lock", {"requirements.txt": "requests==2.31.0\n"})
    add(ctx, "requests", PACKAGE, type="reference")
    same, newer, none = (RepoBuilder.start(tmp_path, name=name) for name in ("a", "b", "c"))
    same.commit("lock", {"requirements.txt": "requests==2.31.0\n"})
    newer.commit("lock", {"requirements.txt": "requests==3.0.0\n"})
    found = []
    for one in (same, newer, none):
        one.git("config", "knowl.personal", str(store.path))
        found.append(listed(person(one))["requests"][1])

    assert found == ["active", "suspect", "unknown"]


def test_it_is_found_shown_and_named_by_what_it_rests_on(repo, ctx):
    repo.commit("lock", {"requirements.txt": "requests==2.31.0\n"})
    add(ctx, "requests", PACKAGE, type="reference", body="Retries are off. Why: so they are.\n")
    write(ctx, "own", CART)
    ctx.refresh()

    first, *_ = find_any(ctx, "are retries off", 5).listing.entries
    assert first.row.name == "requests"
    assert [one.row.name for one in why(ctx, "requirements.txt").entries] == ["requests"]
    assert show_any(ctx, "requests").listed.row.lane == "personal"
    assert b"Retries are off" in document_any(ctx, "requests")
    with pytest.raises(NoSuchEntryError):
        show_any(ctx, "nothing")


def test_the_block_for_agents_has_it_behind_the_others_within_the_budget(ctx):
    write(ctx, "own", CART)
    for number in range(30):
        add(ctx, f"mine-{number:02}", PAGE, type="reference")
    ctx.refresh()

    block = index_block(ctx)
    small = index_block(ctx, 100)

    assert block.index("- own —") < block.index("personal, for every repository:")
    assert "- mine-29 — Read before touching mine-29 [personal]\n" in block
    assert block.count("<knowledge>") == block.count("</knowledge>") == 1
    assert block.endswith("</knowledge>\n")
    assert "more personal: `git knowl ls` lists them." in small
    assert len(small) < len(block)


def test_a_block_of_personal_entries_alone_has_its_frame(ctx):
    add(ctx, "mine", PAGE, type="reference")

    block = index_block(ctx)

    assert block.startswith("<knowledge>\n")
    assert "- mine — Read before touching mine [personal]\n</knowledge>\n" in block


def test_the_short_path_leaves_it_to_the_command_line(repo, store, ctx):
    write(ctx, "own", CART)
    add(ctx, "mine", PAGE, type="reference")
    knowl = Knowl(repo.path)

    assert [knowl.ok("index") for _ in range(2)] == [index_block(ctx)] * 2


@pytest.mark.parametrize("anchor", [CART, "tree:lib", "commit:HEAD", "snippet:lib/cart.ts:1-2"])
def test_evidence_that_is_in_one_repository_alone_is_refused(store, ctx, anchor):
    with pytest.raises(EntryRefusedError, match="package or url"):
        add(ctx, "mine", anchor)

    assert tips(store) == {}


def test_a_commit_of_the_repository_is_not_written_down_elsewhere(store, ctx):
    add(ctx, "mine", PAGE, type="reference")

    assert b"as_of" not in document_any(ctx, "mine")
    assert "project" not in store.git("ls-tree", "--name-only", refs.ENTRIES).split()


def test_a_person_writes_it_and_no_agent(repo, store):
    for caller in (agent(repo), script(repo)):
        with pytest.raises(GateError):
            add(caller, "mine", PAGE, type="reference")

    assert tips(store) == {}


def test_it_is_changed_where_it_is(repo, store, ctx):
    add(ctx, "mine", PAGE, type="reference")
    retire(person(store), "mine", "not true any more")

    assert listed(ctx) == {}
    assert listed(person(store)) == {}


def test_one_that_is_not_there_is_told_and_hides_nothing(repo, ctx):
    write(ctx, "own", CART)
    repo.git("config", "knowl.personal", "/nowhere/at/all")
    other = person(repo)

    assert set(listed(other)) == {"own"}
    assert [
        one for one in other.repo.notices if "knowl.personal: expected a bare repository" in one
    ]
    with pytest.raises(PersonalStoreError, match="expected a bare repository"):
        open_personal(other)


def test_a_repository_with_a_work_tree_is_none(repo, tmp_path):
    other = RepoBuilder.start(tmp_path, name="other")
    repo.git("config", "knowl.personal", str(other.path / ".git"))

    with pytest.raises(PersonalStoreError, match="bare"):
        open_personal(person(repo))


def test_without_one_the_way_to_it_is_told(repo):
    with pytest.raises(PersonalStoreError) as caught:
        open_personal(person(repo))
    assert "'git knowl init --personal'" in caught.value.hint


def test_it_is_found_below_the_home_folder_and_under_a_careful_git(repo, home, ctx):
    RepoBuilder.make(home, bare=True, name="knowledge.git")
    repo.git("config", "knowl.personal", "~/knowledge.git")
    repo.git("config", "safe.bareRepository", "explicit")

    assert open_personal(person(repo)).repo.is_bare


@pytest.mark.parametrize("value", ["relative/path", "~other/x", "/with\nbreak"])
def test_a_path_that_depends_on_where_one_stands_is_refused(value):
    with pytest.raises(SettingError, match="absolute path"):
        Settings.from_config({"knowl.personal": value})


def test_the_command_line_adds_lists_and_marks_it(repo, store):
    knowl = Knowl(repo.path)
    about = ("--type", "feedback", "-d", "Read first", "--source", "said so", "--body", "-")
    by = ("--reviewer", "Ada <ada@example.org>")
    knowl.ok("add", "--name", "mine", "--lane", "personal", *about, *by, stdin="No. Why: so.\n")

    assert "[unattended, personal]" in knowl.ok("ls")
    assert knowl.json("ls")["entries"][0]["lane"] == "personal"
    assert knowl.json("show", "mine")["lane"] == "personal"
    assert "No. Why: so." in knowl.ok("show", "mine", "--raw")
    assert knowl.json("search", "mine")["entries"][0]["lane"] == "personal"


def test_a_flag_of_the_repository_is_not_settled_by_an_entry_elsewhere(repo, store):
    knowl = Knowl(repo.path)
    flag = knowl.ok("flag", "prices double", "-p", "lib/cart.ts").strip()
    about = ("--name", "mine", "--type", "feedback", "-d", "x", "--body", "-")

    assert knowl("add", *about, "--lane", "personal", "--from-flag", flag).code == 2
