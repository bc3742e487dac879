"""Every verb either covers the personal store, marked and behind the rest, or names the way there.

And one command makes that store, with or without a repository around.
"""

from __future__ import annotations

import shutil

import pytest

from git_knowl.model.entry import Source
from git_knowl.model.schema import check
from git_knowl.services.personal_add import add_personal
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import CART, KIM, person, plan, write

PAGE = "url:3650d:https://example.org/guide"
PACKAGE = "package:pypi/requests!requirements.txt"
BY = ("--reviewer", KIM)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Give a repository with an entry, and a personal store whose package is newer here."""
    folder = tmp_path_factory.mktemp("made")
    repo = RepoBuilder.start(folder)
    store = RepoBuilder.make(folder, bare=True, name="personal.git")
    repo.git("config", "knowl.personal", str(store.path))
    repo.commit("lock", {"requirements.txt": "requests==2.31.0\n"})
    ctx = person(repo)
    write(ctx, "own", CART)
    add_personal(ctx, plan("requests", PACKAGE, type="reference"))
    add_personal(ctx, plan("short", type="feedback", source=Source("quote", quote="be short")))
    repo.commit("newer", {"requirements.txt": "requests==3.0.0\n"})
    return folder


@pytest.fixture
def repo(made, tmp_path):
    for name in ("repo", "personal.git"):
        shutil.copytree(made / name, tmp_path / name, symlinks=True)
    found = RepoBuilder(tmp_path / "repo")
    found.git("config", "knowl.personal", str(tmp_path / "personal.git"))
    return found


@pytest.fixture
def knowl(repo):
    return Knowl(repo.path)


@pytest.fixture
def there(repo):
    """Return how git is aimed at the personal store, as messages say it."""
    return f"git --git-dir {repo.path.parent / 'personal.git'} knowl"


def test_audit_tells_of_it_behind_the_others_and_finds_nothing_there(repo, knowl):
    done = knowl("audit", "--exit-code", "--strict")

    assert "suspect  requests [personal]\n" in done.out
    assert "1 active, 0 suspect, 0 unknown\npersonal: 1 active, 1 suspect, 0 unknown\n" in done.out
    assert done.code == 0
    found = knowl.json("audit")
    assert [(one["name"], one["lane"]) for one in found["entries"]] == [
        *(("own", "shared"), ("requests", "personal"), ("short", "personal"))
    ]
    assert check("audit", found) == []


def test_audit_judges_it_in_the_files_that_were_asked_for(knowl):
    before = knowl.json("audit", "--commit", "HEAD~1")["entries"]

    assert {one["name"]: one["status"] for one in before}["requests"] == "active"


@pytest.mark.parametrize("form", ["sarif", "junit", "markdown"])
def test_a_report_for_others_leaves_it_out(knowl, form):
    assert "requests" not in knowl.ok("audit", "--format", form)


def test_status_counts_it_by_itself(knowl):
    said = knowl.ok("status")
    found = knowl.json("status")

    assert "1 entry: 1 active, 0 suspect, 0 unknown here\n" in said
    assert "personal: 2 entries: 1 active, 1 suspect, 0 unknown here\n" in said
    assert "to look at: requests (git knowl verify NAME)\n" in said
    counts = {"entries": 2, "active": 1, "suspect": 1, "unknown": 0}
    assert found["personal"] == {**counts, "suspects": ["requests"]}
    assert found["entries"] == 1
    assert check("status", found) == []
    assert "entries 1\n" in knowl.ok("status", "--porcelain")


def test_stats_count_it_by_itself(knowl):
    found = knowl.json("stats")

    assert found["personal"] == {"reference": 1, "feedback": 1}
    assert found["entries"] == {"project": 1}
    assert check("stats", found) == []
    assert "personal: 1 feedback, 1 reference\n" in knowl.ok("stats")


def test_export_leaves_it_out_and_names_the_way(knowl, there, tmp_path):
    done = knowl("export", "../out")

    assert f"note: '{there} export ../out' writes those of the personal store\n" in done.err
    assert [one.name for one in (tmp_path / "out").rglob("*.md")] == ["own.md"]
    assert "personal" not in knowl("export", "../out", "--lane", "shared").err


def test_review_says_what_waits_there(repo, knowl, there):
    store = Knowl(repo.path.parent / "personal.git")
    about = ("--type", "feedback", "-d", "Read first", "--source", "said", "--body", "-")
    store.ok("add", "--name", "draft", *about, stdin="No. Why: so.\n")
    store.ok("add", "--name", "live", *about, *BY, stdin="No. Why: so.\n")

    assert f"note: 1 text in the personal store: '{there} review'\n" in knowl("review").err
    said = f"note: 1 text in the personal store: '{there} review --confirm'\n"
    assert said in knowl("review", "--confirm").err


@pytest.mark.parametrize(
    "verb",
    [("retire", "--reason", "so"), ("rename", "other"), ("log",), ("diff",), ("rate", "wrong"),
     ("snooze", "--until", "2027-01-01"), ("edit",), ("move", "--lane", "local")],
    ids=lambda verb: verb[0],
)  # fmt: skip
def test_a_verb_on_the_store_of_the_repository_names_the_way(knowl, there, verb):
    done = knowl(verb[0], "short", *verb[1:])

    assert done.code == 1
    assert "error: 'short' is in the personal store, and no entry of this repository\n" in done.err
    assert f"hint: it is changed there: '{there} …'\n" in done.err


def test_the_way_that_is_named_leads_there(repo):
    repo.git("config", "safe.bareRepository", "explicit")
    store = repo.path.parent / "personal.git"
    Knowl(repo.path, {"GIT_DIR": str(store)}).ok("retire", "short", "--reason", "so", *BY)

    assert {one["name"] for one in Knowl(repo.path).json("ls")["entries"]} == {"own", "requests"}


def test_a_package_is_verified_with_the_files_of_the_repository(knowl):
    knowl.ok("verify", "requests", "--reviewed", *BY)

    assert knowl.json("show", "requests")["status"] == "active"
    assert knowl.json("audit", "--commit", "HEAD~1")["entries"][1]["status"] == "active"


@pytest.mark.parametrize("host", ["", "claude"])
def test_nobody_but_a_person_verifies_it(repo, host):
    knowl = Knowl(repo.path, {"KNOWL_HOST": host})
    repo.git("config", "knowl.unattended", "allow")

    done = knowl("verify", "requests", "--reviewed", *(BY if host else ()))
    assert done.code == 1
    assert "person" in done.err


@pytest.fixture
def away(tmp_path):
    """Give a command line in a folder of no repository, with a home of its own."""
    home = tmp_path / "home"
    home.mkdir()
    return Knowl(home, {"HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / "gitconfig")})


def test_one_command_makes_it_and_sets_it_without_a_repository(away, repo):
    done = away("init", "--personal")

    assert f"made the personal store '{away.cwd}/knowledge.git'\n" in done.err
    repo.git("config", "--unset", "knowl.personal")
    about = ("--name", "mine", "--type", "feedback", "-d", "x", "--lane", "personal")
    knowl = away.at(repo.path)
    knowl.ok("add", *about, "--source", "said", "--body", "-", *BY, stdin="No. Why: so.\n")
    assert knowl.json("show", "mine")["lane"] == "personal"
    assert away("init", "--personal").err == "nothing has to be set up\n"


def test_it_is_made_where_one_says(away):
    away.ok("init", "--personal", "a/b.git")

    assert (away.cwd / "a" / "b.git" / "HEAD").exists()


def test_it_is_made_where_a_setting_says_already(away):
    (away.cwd / "gitconfig").write_text("[knowl]\n\tpersonal = ~/mine.git\n", encoding="utf-8")
    away.ok("init", "--personal")

    assert (away.cwd / "mine.git" / "HEAD").exists()
    done = away("init", "--personal", "other.git")
    assert done.code == 1
    assert "error: knowl.personal is '~/mine.git' already\n" in done.err


def test_a_folder_with_something_in_it_is_left_alone(away):
    (away.cwd / "full").mkdir()
    (away.cwd / "full" / "file").touch()

    done = away("init", "--personal", "full")
    assert "is there, and no bare repository of yours" in done.err
    assert not (away.cwd / "gitconfig").exists()


def test_a_bare_repository_that_is_there_is_taken(away):
    RepoBuilder.make(away.cwd, bare=True, name="there.git")

    assert "set knowl.personal to" in away("init", "--personal", "there.git").err


def test_an_agent_makes_none(away):
    done = away.at(away.cwd, KNOWL_HOST="claude")("init", "--personal")

    assert done.code == 1
    assert not (away.cwd / "knowledge.git").exists()


def test_it_is_one_thing_or_the_other(away):
    assert away("init", "--personal", "--no-hooks").code == 2
