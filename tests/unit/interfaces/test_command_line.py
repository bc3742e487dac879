"""The command line as a whole: what it loads, how it fails, and with which exit code."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from git_knowl.interfaces.cli.app import cli
from git_knowl.interfaces.cli.table import COMMANDS
from tests.support import stores
from tests.support.caches import plant
from tests.support.cli import COMMAND
from tests.support.people import CART, person, write
from tests.support.stores import PutRaw

if TYPE_CHECKING:
    from pathlib import Path

    import click

    from tests.support.builders import RepoBuilder
    from tests.support.cli import Knowl

FORMAT = "refs/knowl/entries"


# --- usage ------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_help_of_a_verb_begins_with_the_line_of_the_table(verb: str) -> None:
    command: click.Command | None = cli.get_command(None, verb)

    assert command is not None
    assert command.help is not None
    assert command.help.split("\n")[0] == f"{COMMANDS[verb][1]}."
    assert f"Example: git knowl {verb}" in command.help


@pytest.mark.parametrize("verb", COMMANDS)
def test_options_that_can_be_repeated_say_so(verb: str) -> None:
    command = cli.get_command(None, verb)
    options = [one for one in command.params if getattr(one, "multiple", False)]

    assert all("(can be repeated)" in (one.help or "") for one in options)


def test_every_verb_is_listed_with_its_line(knowl: Knowl) -> None:
    listed = knowl.ok("-h")

    for verb, (_, line) in COMMANDS.items():
        assert f"  {verb} " in listed
        assert line in " ".join(listed.split())


@pytest.mark.parametrize(
    ("words", "error", "hint"),
    [
        (("lss",), "'lss' is not a git-knowl command, did you mean 'ls'?", "'git knowl -h'"),
        (("zzzzzz",), "'zzzzzz' is not a git-knowl command", "'git knowl -h'"),
        (("--frob",), "no such option '--frob'", "'git knowl -h'"),
        (("ls", "--frob"), "no such option '--frob'", "'git knowl ls -h'"),
        (("show",), "missing argument 'NAME'", "'git knowl show -h'"),
        (("search",), "missing argument 'QUERY'", "'git knowl search -h'"),
        (("ls", "extra"), "got unexpected extra argument (extra)", "'git knowl ls -h'"),
        (("search", "x", "-n", "0"), "invalid value for '-n': 0 is not in the range", "-h'"),
        (("ls", "--type", "idea"), "invalid value for '--type': 'idea' is not one of", "-h'"),
        (("audit", "--staged", "--commit", "HEAD"), "--staged and --commit exclude", "-h'"),
        (("audit", "--review", "--json"), "--review is about the files of this", "-h'"),
        (("audit", "--review", "--staged"), "--review is about the files of this", "-h'"),
        (("show", "x", "--raw", "--json"), "--raw and --json exclude each other", "-h'"),
        (("inbox", "drop"), "missing argument 'ID...'", "'git knowl inbox drop -h'"),
        (("completion", "cmd"), "invalid value for '{bash|zsh|fish}'", "-h'"),
        (("guide", "life"), "invalid value for", "'git knowl guide -h'"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_wrong_usage_is_exit_2_with_a_way_out(
    knowl: Knowl, words: tuple[str, ...], error: str, hint: str
) -> None:
    done = knowl(*words)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {error}")
    assert done.err.splitlines()[-1].startswith("hint: ")
    assert hint in done.err


def test_no_verb_at_all_shows_the_help(knowl: Knowl) -> None:
    done = knowl()

    assert (done.code, done.out) == (2, "")
    assert "Usage: git knowl" in done.err


def test_the_version_is_told(knowl: Knowl) -> None:
    assert knowl.ok("--version").startswith("git-knowl, version ")


# --- expected errors --------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["ls", "index", "status", "audit", "init", "uninstall"])
def test_outside_a_repository_nothing_is_assumed(tmp_path: Path, knowl: Knowl, verb: str) -> None:
    done = knowl.at(tmp_path)(verb)

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"error: no usable git repository at '{tmp_path}': ")
    assert "hint: " in done.err


def test_a_folder_that_is_gone_is_told(tmp_path: Path, knowl: Knowl) -> None:
    script = f'mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir ../gone && exec "$@"'

    for verb in ("ls", "index"):
        done = subprocess.run(
            ["sh", "-c", script, "sh", *COMMAND, verb],
            env=knowl.process_env(),
            capture_output=True,
            text=True,
            check=False,
        )

        assert done.returncode == 1
        assert done.stderr == "error: the current folder was removed\nhint: go to another one\n"


@pytest.mark.parametrize("verb", ["ls", "index", "search x", "audit", "status", "show x"])
def test_a_store_for_newer_readers_is_refused(repo: RepoBuilder, knowl: Knowl, verb: str) -> None:
    plant(
        person(repo).store,
        "shared",
        stores.entry("cart"),
        files={"format": b"format 9\nreader 9\n"},
    )

    done = knowl(*verb.split())

    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"error: {FORMAT} has format 9, this program reads and writes format 1\n"
        "hint: upgrade git-knowl\n"
    )


def test_a_newer_store_that_may_be_read_is_read(repo: RepoBuilder, knowl: Knowl) -> None:
    plant(
        person(repo).store,
        "shared",
        stores.entry("cart"),
        files={"format": b"format 9\nreader 1\n"},
    )

    assert [one["name"] for one in knowl.json("ls")["entries"]] == ["cart"]
    assert knowl.ok("index") != ""


def test_staged_needs_an_index(repo: RepoBuilder, knowl: Knowl) -> None:
    bare = knowl.at(repo.clone("bare", "--bare").path)

    done = bare("audit", "--staged")

    assert done.code == 1
    assert "is a bare repository" in done.err
    assert bare.ok("audit") == "0 active, 0 suspect, 0 unknown\n"


def test_what_the_system_refuses_is_an_expected_error(repo: RepoBuilder, knowl: Knowl) -> None:
    write(person(repo), "cart", CART)
    done = subprocess.run(
        ["sh", "-c", '"$@" > /dev/full', "sh", *COMMAND, "ls"],
        cwd=repo.path,
        env=knowl.process_env(),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr == (
        "error: No space left on device\nhint: make room on the disk, then repeat\n"
    )


# --- exit codes of an audit -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words", "code"),
    [
        (None, (), 0),
        (None, ("--exit-code",), 0),
        ("changed\n", (), 0),
        ("changed\n", ("--exit-code",), 3),
        ("changed\n", ("--exit-code", "--json"), 3),
        ("changed\n", ("--exit-code", "--staged"), 0),
        ("changed\n", ("--exit-code", "--commit", "HEAD"), 0),
    ],
)
def test_findings_are_exit_3_where_asked_for(
    repo: RepoBuilder, knowl: Knowl, content: str | None, words: tuple[str, ...], code: int
) -> None:
    write(person(repo), "cart", CART)
    if content:
        repo.write("lib/cart.ts", content)

    assert knowl("audit", *words).code == code


def test_unknown_is_a_finding_when_strict(repo: RepoBuilder, knowl: Knowl) -> None:
    plant(
        person(repo).store,
        "shared",
        stores.entry("odd", anchors=(stores.UrlAnchor("https://x", "never", 9),)),
    )

    assert knowl("audit", "--exit-code").code == 0
    assert knowl("audit", "--exit-code", "--strict").code == 3


# --- pipes and interrupts ---------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["ls", "ls --json", "index", "schema entry", "-h", "guide flag"])
def test_a_closed_pipe_is_no_error(repo: RepoBuilder, knowl: Knowl, verb: str) -> None:
    write(person(repo), "cart", CART)
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        [*COMMAND, *verb.split()],
        cwd=repo.path,
        env=knowl.process_env(),
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)

    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("stream", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_are_no_bug(repo: RepoBuilder, knowl: Knowl, stream: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$@" {stream}', "sh", *COMMAND, "status"],
        cwd=repo.path,
        env=knowl.process_env(),
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interrupt_is_exit_130(repo: RepoBuilder, knowl: Knowl) -> None:
    write(person(repo), "cart", CART)

    with knowl.terminal("uninstall", "--knowledge") as someone:
        someone.expect("to go on")
        someone.interrupt()
        assert someone.finish() == 130
    assert "Traceback" not in someone.shown


def test_an_interrupt_by_signal_leaves_no_traceback(repo: RepoBuilder, knowl: Knowl) -> None:
    script = (
        "import os, signal, sys\n"
        "from git_knowl import __main__\n"
        "__main__.run = lambda words: os.kill(os.getpid(), signal.SIGINT) or signal.pause()\n"
        "sys.exit(__main__.main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=repo.path,
        env=knowl.process_env(),
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (130, b"")
    assert signal.SIGINT == 2


# --- text of the store ------------------------------------------------------------------------


def test_text_that_a_locale_cannot_say_is_said_in_utf_8(repo: RepoBuilder, knowl: Knowl) -> None:
    write(person(repo), "cart", CART, description="Read: Größe — 重さ")
    plain = knowl.at(repo.path, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")

    for words in (("ls",), ("index",), ("show", "cart")):
        done = plain.process(*words)

        assert (done.code, done.err) == (0, "")
        assert "Größe — 重さ" in done.out


def test_what_a_terminal_would_obey_is_spelled_out(repo: RepoBuilder, knowl: Knowl) -> None:
    evil = stores.entry("evil", description="red \x1b[31m \u202e", body="x \x1b]0;title\x07\n")
    ctx = person(repo)
    plant(ctx.store, "shared", evil)
    stores.write(ctx.store, PutRaw(FORMAT, "entries/zz/\x1b[2J.md", b"no entry"))

    for words in (
        ("ls",),
        ("show", "evil"),
        ("search", "red"),
        ("audit",),
        ("index",),
        ("why", "."),
    ):
        done = knowl(*words)

        assert not set("\x1b\u202e\x07") & set(done.out + done.err), words
    assert "\\x1b[31m" in knowl.ok("ls")
