"""What a user sees of us after a git command, and what never reaches him."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from git_knowl.interfaces.hooks import run as door
from git_knowl.plumbing import process
from git_knowl.services.catchup import catch_up as catchup
from git_knowl.services.catchup.catch_up import CaughtUp
from git_knowl.services.hooks import heartbeat
from tests.repo.test_imports import HEAVY, loaded_by
from tests.support.hooked import PROGRAM, cursor, git, install, ok
from tests.support.people import CART, person, write


@pytest.fixture
def told(repo):
    """Give a repository with hooks and one entry resting on a file, all caught up."""
    write(person(repo), "cart", CART)
    install(repo)
    repo.write("conf.yml", "a: 2\n")
    ok(repo, "commit", "-qam", "catch up")
    return repo


def change(repo, message="change", **env):
    repo.write("lib/cart.ts", f"{message}\n")
    return git(repo, "commit", "-qam", message, **env)


def test_after_a_commit_the_user_learns_which_entry_turned_suspect_by_which_file(told):
    done = change(told)

    (line,) = done.err.splitlines()
    assert line.startswith("knowl: 'cart' is suspect")
    assert "lib/cart.ts" in line
    assert (done.code, done.out, cursor(told)) == (0, "", told.rev("HEAD"))


def test_what_was_said_is_not_said_again(told):
    change(told)

    assert ok(told, "commit", "-q", "--amend", "-m", "other words") == ""
    assert ok(told, "commit", "-q", "--allow-empty", "-m", "more") == ""


def test_after_a_switch_the_user_learns_what_is_suspect_there(told):
    told.git("switch", "-qc", "side")
    told.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "x")
    told.write("lib/cart.ts", "side\n")
    told.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", "side")
    told.git("-c", "core.hooksPath=/dev/null", "switch", "-q", "main")

    assert "'cart' is suspect" in ok(told, "switch", "-q", "side")


def test_commits_left_behind_are_read_as_after_a_commit_and_being_left_is_no_finding(told):
    told.git("config", "user.email", "kim@example.org")
    for branch, message in (("plain", "more"), ("cue", "x\n\nKnowl-Flag: prices double at noon")):
        ok(told, "switch", "-qc", branch, "main")
        ok(told, "commit", "-q", "--allow-empty", "-m", message, KNOWL_HOOK="1")
        ok(told, "switch", "-q", "main")
        ok(told, "switch", "-q", branch)
        said = ok(told, "switch", "-q", "main")
        assert ("flagged 'prices double at noon'" in said) is (branch == "cue")

    ok(told, "switch", "-q", "cue")
    assert ok(told, "switch", "-q", "main") == ""


def test_a_rebase_says_it_once_at_its_end(told):
    unseen = ("-c", "core.hooksPath=/dev/null")
    told.git("branch", "base")
    for number in range(5):
        told.write("conf.yml", f"a: {number} here\n")
        ok(told, "commit", "-qam", f"work {number}")
    told.git(*unseen, "switch", "-q", "base")
    told.write("lib/cart.ts", "changed\n")
    told.git(*unseen, "commit", "-qam", "other")
    told.git(*unseen, "switch", "-q", "main")

    assert ok(told, "rebase", "-q", "base").count("'cart' is suspect") == 1


@pytest.mark.parametrize("value", ["true", "yes", "1"])
def test_whoever_wants_quiet_gets_it_and_nothing_is_lost(told, value):
    told.git("config", "knowl.quiet", value)

    assert change(told).err == ""
    assert cursor(told) == told.rev("HEAD")


def test_at_most_three_lines_and_no_control_characters_reach_the_terminal(
    repo, monkeypatch, capfdbinary
):
    lines = ("first \x1b[31mred", "zweitens – ü", "third", "fourth")
    monkeypatch.setattr(catchup, "catch_up", lambda *_: CaughtUp(lines))
    monkeypatch.chdir(repo.path)

    door.run(("post-commit",))

    said = capfdbinary.readouterr().err
    assert said.count(b"\n") == 3
    assert b"\x1b" not in said
    assert "zweitens – ü".encode() in said


def test_a_hook_that_hangs_is_stopped_with_all_it_started(repo, monkeypatch, tmp_path):
    pid = tmp_path / "pid"

    def hang(*_):
        process.run(["sh", "-c", f"sleep 60 & echo $! >{pid}; wait"], dict(os.environ))

    monkeypatch.setattr(catchup, "catch_up", hang)
    monkeypatch.chdir(repo.path)

    door.run(("post-commit",), seconds=0.3)

    assert heartbeat.failure(repo.open()).endswith("Late")
    assert not lives(int(pid.read_text()))


def lives(pid: int) -> bool:
    """Tell whether a process runs; who is dead may still wait for its parent to look."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return False
        except (ProcessLookupError, FileNotFoundError):
            return False
        time.sleep(0.02)
    return True


def test_one_who_swallows_the_deadline_is_ended_without_a_word(repo):
    script = (
        "import time, sys\n"
        "from git_knowl.interfaces.hooks import run as door\n"
        "from git_knowl.interfaces import watch\n"
        "from git_knowl.services.catchup import catch_up as module\n"
        "watch.GRACE = 0.05\n"
        "def hang(*_):\n"
        "    while True:\n"
        "        try: time.sleep(60)\n"
        "        except BaseException: pass\n"
        "module.catch_up = hang\n"
        "door.run(('post-commit',), seconds=0.1)\n"
        "sys.exit(9)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=repo.path, env=env, capture_output=True, timeout=30, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_goes_wrong_is_kept_for_the_doctor_until_a_hook_works_again(repo, monkeypatch):
    words = "secret text"

    def fail(*_):
        raise RuntimeError(words)

    monkeypatch.chdir(repo.path)
    with monkeypatch.context() as broken:
        broken.setattr(catchup, "catch_up", fail)
        door.run(("post-commit",))
    failure = heartbeat.failure(repo.open())

    door.run(("post-commit",))

    assert failure.endswith("RuntimeError")
    assert "secret text" not in failure
    assert heartbeat.failure(repo.open()) is None


@pytest.mark.parametrize("where", ["nowhere", "of somebody else"])
def test_a_folder_without_a_usable_repository_is_met_with_silence(repo, tmp_path, where):
    folder = repo.path if where == "of somebody else" else tmp_path
    if where == "of somebody else":
        if os.geteuid() != 0:
            pytest.skip("only root can give a repository away")
        os.chown(repo.path, 12345, 12345)
        os.chown(repo.path / ".git", 12345, 12345)

    done = subprocess.run(
        [sys.executable, "-I", PROGRAM.door, "post-commit"],
        cwd=folder, capture_output=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_closed_streams_are_no_failure(told):
    told.write("lib/cart.ts", "changed\n")

    done = subprocess.run(
        ["sh", "-c", "git commit -qam change >&- 2>&- <&-"], cwd=told.path, check=False
    )

    assert done.returncode == 0
    assert cursor(told) == told.rev("HEAD")


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_the_locale_of_a_graphical_client_is_enough(told, locale):
    done = change(told, "ünï", PATH="/usr/bin:/bin", LC_ALL=locale, PYTHONPATH="/nowhere")

    assert "'cart' is suspect" in done.err


def test_the_python_of_the_project_has_no_say(told):
    """A module of the work tree must not be imported instead of one of Python's."""
    for name in ("signal", "sqlite3", "git_knowl", "sitecustomize"):
        told.write(f"{name}.py", "raise SystemExit('imported from the work tree')\n")

    done = change(told, PYTHONPATH=str(told.path), PYTHONHOME="")

    assert "'cart' is suspect" in done.err


def test_the_door_runs_with_the_standard_library_and_git_alone(told):
    told.git("config", "core.hooksPath", "/dev/null")
    told.write("lib/cart.ts", "changed\n")
    told.git("commit", "-qam", "change")

    loaded = loaded_by(
        "from git_knowl.interfaces.hooks.run import run\nrun(['post-commit'])", cwd=told.path
    )

    assert not loaded & HEAVY
    assert heartbeat.failure(told.open()) is None
    assert cursor(told) == told.rev("HEAD")


def test_the_verb_does_the_same_without_loading_the_command_line(told):
    told.git("config", "core.hooksPath", "/dev/null")
    told.write("lib/cart.ts", "changed\n")
    told.git("commit", "-qam", "change")

    loaded = loaded_by(
        "sys.argv = ['git-knowl', 'hooks', 'run', 'post-commit', '-x']\n"
        "from git_knowl.__main__ import main\n"
        "if main() != 0: raise SystemExit('failed')",
        cwd=told.path,
    )

    assert not loaded & HEAVY
    assert cursor(told) == told.rev("HEAD")
