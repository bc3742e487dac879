"""`git knowl purge`: what a person is shown and types, and what a kill at any step leaves."""

from __future__ import annotations

import shutil
import signal

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import tips
from tests.support.processes import calls_made, killing_git
from tests.support.purges import LEAK, LEAKING, files_holding, reachable

ADA = "Ada <ada@example.org>"
KILLED = -signal.SIGKILL
YES = ("--yes", "--reviewer", ADA)
#: The calls of git around the swap of the refs, the last ones of the purge itself.
LATE = 8


def leaking(repo):
    """Leave a text in an entry, a draft's flag, and a file to look for it with."""
    knowl = Knowl(repo.path)
    about = ("--name", "leaks", "--type", "project", "-d", "Read first", "-a", "file:lib/cart.ts")
    knowl.ok("add", *about, "--body", "-", "--reviewer", ADA, stdin=LEAKING)
    knowl.ok("flag", f"somebody said {LEAK}", "-p", "lib/cart.ts")
    (repo.path.parent / "leak.txt").write_text(f"{LEAK}\n")
    return knowl


@pytest.fixture
def leaked(repo):
    return leaking(repo)


def purge(*more):
    return ("purge", "--text", "../leak.txt", *more)


def test_a_person_reads_what_goes_and_what_stays_and_types_a_word(repo, leaked):
    with leaked.terminal(*purge()) as terminal:
        shown = terminal.expect("type 'purge' to go on:")
        terminal.send("purge\n")
        assert terminal.finish() == 0

    assert "1 version of an entry in refs/knowl/entries" in shown
    assert "1 flag in refs/knowl-local/inbox" in shown
    assert "until the gc of git prunes them" in " ".join(shown.split())
    assert reachable(repo) == files_holding(repo) == []


@pytest.mark.parametrize("answer", ["yes", "Purge", "y", ""])
def test_any_other_word_changes_nothing(repo, leaked, answer):
    before = tips(repo)

    with leaked.terminal(*purge()) as terminal:
        terminal.expect("to go on:")
        terminal.send(f"{answer}\n")
        assert terminal.finish() == 1

    assert tips(repo) == before


def test_the_text_is_asked_for_and_not_shown(repo, leaked):
    with leaked.terminal("purge", "--text", "-", "--redact") as terminal:
        terminal.expect("the text that leaked:")
        terminal.send(f"{LEAK}\n")
        shown = terminal.expect("to go on:")
        terminal.send("purge\n")
        assert terminal.finish() == 0

    assert LEAK not in shown
    assert "[REDACTED:PURGED]" in leaked.ok("show", "leaks")


def test_a_dry_run_changes_nothing_and_needs_nobody(repo, leaked):
    before = tips(repo)

    done = leaked(*purge("--dry-run"))

    assert (done.code, done.out) == (0, "")
    assert "1 version of an entry" in done.err
    assert tips(repo) == before


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "there is no terminal"),
        (("--yes",), "there is no terminal"),
        (("--reviewer", ADA), "nobody confirmed it"),
    ],
)
def test_without_a_terminal_a_person_is_named_and_says_yes(repo, leaked, more, said):
    before = tips(repo)

    done = leaked(*purge(*more))

    assert done.code == 1
    assert said in done.err
    assert tips(repo) == before


def test_an_agent_host_is_refused(repo, leaked):
    repo.git("config", "knowl.unattended", "allow")

    done = leaked.at(repo.path, KNOWL_HOST="claude")(*purge(*YES))

    assert done.code == 1
    assert "only a person" in done.err
    assert reachable(repo)


def test_no_error_names_a_command_that_goes_on_without_asking(repo, leaked):
    said = [leaked(*purge(*more)).err for more in ((), ("--yes",), ("--reviewer", ADA))]

    assert not [one for one in said if "--yes --reviewer" in one or "force" in one]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--redact", "leaks"),
        ("--known", "leaks"),
        ("--remote", "origin", "leaks"),
        ("--remote", "origin", "--known"),
    ],
)
def test_what_is_meant_is_said_in_one_way(leaked, words):
    assert leaked("purge", *words).code == 2


def test_a_name_that_nothing_has_is_an_error(leaked):
    done = leaked("purge", "nothing", *YES)

    assert done.code == 1
    assert "no entry has the name 'nothing'" in done.err


def test_ids_are_printed_for_programs(leaked):
    identifier = leaked.json("show", "leaks")["id"]

    assert leaked.json("purge", "leaks", *YES) == {"ok": True, "ids": [identifier]}


# --- killed ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    repo = RepoBuilder.start(tmp_path_factory.mktemp("start"))
    leaking(repo)
    return repo


def killed(start, folder, call, moment="before"):
    """Kill a purge at a call of git; check that it is not begun, or is repeated to its end."""
    folder.mkdir()
    shutil.copy(start.path.parent / "leak.txt", folder)
    shutil.copytree(start.path, folder / "repo", symlinks=True)
    repo = RepoBuilder(folder / "repo")
    env = killing_git(folder / "shims", call, moment)
    code = Knowl(repo.path, env).process(*purge(*YES)).code
    if code == 0:
        return False
    assert code == KILLED
    assert repo.git("fsck", "--strict", "--no-dangling") == ""
    is_begun = tips(repo) != tips(start)
    listed = {one["name"] for one in Knowl(repo.path).json("ls")["entries"]}
    assert listed == (set() if is_begun else {"leaks"})
    again = Knowl(repo.path)(*purge(*YES))
    assert again.code == 0 or "nothing in the store of this clone holds that" in again.err
    assert reachable(repo) == files_holding(repo) == []
    return True


def calls_of(start, folder):
    shutil.copytree(start.path, folder / "repo", symlinks=True)
    shutil.copy(start.path.parent / "leak.txt", folder)
    env = killing_git(folder / "shims", 0)
    assert Knowl(folder / "repo", env).process(*purge(*YES)).code == 0
    return calls_made(folder / "shims")


def test_killed_around_its_swap_it_is_not_begun_or_repeated_to_its_end(start, tmp_path):
    folder = tmp_path / "count"
    folder.mkdir()
    total = calls_of(start, folder)

    for call in range(total - LATE, total + 1, 4):
        assert killed(start, tmp_path / f"{call}", call)


@pytest.mark.full
def test_killed_at_any_git_call_it_is_not_begun_or_repeated_to_its_end(start, tmp_path):
    folder = tmp_path / "count"
    folder.mkdir()
    total = calls_of(start, folder)

    for call in range(1, total + 1):
        assert killed(start, tmp_path / f"{call}", call)
    assert killed(start, tmp_path / "after", total, "after")


# --- a remote ----------------------------------------------------------------------------------


def test_the_history_at_a_remote_is_replaced_after_a_typed_word(repo, leaked, tmp_path):
    hub = RepoBuilder.start(tmp_path, bare=True, name="hub.git")
    repo.git("remote", "add", "origin", str(hub.path))
    leaked.ok("sync")
    done = leaked(*purge(*YES))
    assert "'origin' held it when it was last seen" in done.err
    stopped = leaked("sync")
    assert stopped.code == 1
    assert "'origin' still holds what was purged" in stopped.err
    assert (
        "1 commit of it would be other ones"
        in leaked("purge", "--remote", "origin", "--dry-run").err
    )
    with leaked.terminal("purge", "--remote", "origin") as terminal:
        shown = terminal.expect("to go on:")
        terminal.send("purge\n")
        assert terminal.finish() == 0

    assert "refs/knowl/entries" in shown
    assert LEAK not in hub.git("log", "-p", "refs/knowl/entries")
    leaked.ok("sync")
