"""How things are printed: columns, colour, pagers; data here, talk there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.report import HOLDS, frames, report, save_report
from git_knowl.plumbing.pager import feed
from tests.support.people import CART, person, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import RepoBuilder
    from tests.support.cli import Knowl

GREEN = "\x1b[32m"
PRIVATE = "the text of an entry"


@pytest.fixture
def filled(repo: RepoBuilder, knowl: Knowl) -> Knowl:
    write(person(repo), "cart", CART)
    return knowl.at(repo.path, GIT_PAGER="cat", TERM="xterm")


def shown(knowl: Knowl, *words: str) -> str:
    """Return what a person sees of a command that ends by itself."""
    with knowl.terminal(*words) as someone:
        assert someone.finish() == 0, someone.shown
    return someone.shown


def test_columns_are_as_wide_as_they_must_be_and_the_last_is_ragged() -> None:
    assert output.columns([("a", "bb", "c c"), ("aaa", "b", "")]) == ["a    bb  c c", "aaa  b"]
    assert output.columns([]) == []


@pytest.mark.parametrize(("number", "words"), [(0, "0 entries"), (1, "1 entry"), (2, "2 entries")])
def test_numbers_come_with_their_noun(number: int, words: str) -> None:
    assert output.counted(number, "entry", "entries") == words
    assert output.counted(3, "file") == "3 files"


@pytest.mark.parametrize(
    ("env", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)],
)
def test_a_terminal_gets_colour_unless_it_is_turned_off(
    filled: Knowl, env: dict[str, str], coloured: bool
) -> None:
    assert (GREEN in shown(filled.at(filled.cwd, **env), "ls")) is coloured


def test_a_dumb_terminal_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    for term, wanted in (("xterm", True), ("dumb", False)):
        monkeypatch.setenv("TERM", term)
        assert output.coloured() is wanted


def test_only_a_verdict_at_the_beginning_is_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "coloured", lambda: True)

    assert output.visible(["active  x", "  active y", "activex"]) == (
        f"{GREEN}active\x1b[0m  x\n  active y\nactivex"
    )
    assert output.visible(["active \x1b[5m"]) == f"{GREEN}active\x1b[0m \\x1b[5m"


def test_a_text_of_many_lines_begins_none_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    output.emit("active\nsuspect  other")
    output.talk("note\nerror: other")
    output.emit_text("suspect  other\n\n\tcode")

    assert capsys.readouterr() == (
        "active\\x0asuspect  other\n    suspect  other\n\n    \tcode\n",
        "note\\x0aerror: other\n",
    )


def test_a_column_holds_one_line() -> None:
    assert output.columns([("a", "b\nsuspect"), ("long", "c")]) == [
        "a     b\\x0asuspect",
        "long  c",
    ]


def test_elsewhere_there_is_neither_colour_nor_pager(filled: Knowl) -> None:
    piped = filled.at(filled.cwd, GIT_PAGER="sed s/^/paged:/")

    assert piped.process("ls").out == "active  project  cart  Read before touching cart\n"


@pytest.mark.parametrize(
    ("settings", "env", "start"),
    [
        ({}, {"GIT_PAGER": "sed s/^/env:/"}, "env:"),
        ({"core.pager": "sed 's/^/config: /' | cat"}, {}, "config: "),
        ({"core.pager": "sed s/^/config:/"}, {"GIT_PAGER": "sed s/^/env:/"}, "env:"),
        ({}, {"PAGER": "sed s/^/plain:/"}, "plain:"),
        ({"core.pager": "cat"}, {}, ""),
        ({"core.pager": ""}, {}, ""),
    ],
)
def test_the_pager_is_the_one_git_would_take(
    repo: RepoBuilder,
    filled: Knowl,
    settings: dict[str, str],
    env: dict[str, str],
    start: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("GIT_PAGER", raising=False)
    for key, value in settings.items():
        repo.git("config", key, value)
    filled.env.pop("GIT_PAGER")

    assert_begins(shown(filled.at(repo.path, NO_COLOR="1", **env), "ls"), start)


@pytest.mark.parametrize("words", ["ls", "show cart", "audit", "why .", "search cart"])
def test_what_lists_or_shows_goes_through_the_pager(filled: Knowl, words: str) -> None:
    one = filled.at(filled.cwd, NO_COLOR="1", GIT_PAGER="sed s/^/env:/")

    assert_begins(shown(one, *words.split()), "env:")


def assert_begins(text: str, start: str) -> None:
    """Check that there is some text, and what each of its lines begins with."""
    lines = text.splitlines()
    assert lines
    assert all(line.startswith(start) for line in lines), text


def test_what_says_nothing_opens_no_pager(knowl: Knowl) -> None:
    assert "paged" not in shown(knowl.at(knowl.cwd, GIT_PAGER="echo paged"), "ls")


def test_a_pager_that_is_left_early_is_no_error(filled: Knowl) -> None:
    assert shown(filled.at(filled.cwd, GIT_PAGER="true"), "show", "cart") == ""


def test_a_pager_reads_all_it_wants_to(tmp_path: Path) -> None:
    text = b"line\n" * 100_000

    feed(f"cat > '{tmp_path}/all'", text, os.environ)
    feed(f"head -n 1 > '{tmp_path}/first'", text, os.environ)

    assert (tmp_path / "all").read_bytes() == text
    assert (tmp_path / "first").read_bytes() == b"line\n"


@pytest.mark.parametrize(("env", "less"), [({}, "FRX"), ({"LESS": "S"}, "S")])
def test_less_is_asked_for_what_git_asks_for(
    tmp_path: Path, env: dict[str, str], less: str
) -> None:
    feed(f"printenv LESS > '{tmp_path}/less'", b"", {"PATH": os.environ["PATH"], **env})

    assert (tmp_path / "less").read_text() == f"{less}\n"


def test_a_raw_document_is_spelled_out_on_a_terminal_alone(
    repo: RepoBuilder, filled: Knowl
) -> None:
    write(person(repo), "joined", CART, body="zero\u200dwidth. Why: x.\n")

    assert "zero\u200dwidth" in filled.process("show", "joined", "--raw").out
    assert "zero\\u200dwidth" in shown(filled, "show", "joined", "--raw")


# --- reports of bugs --------------------------------------------------------------------------


def fail() -> None:
    raise ValueError(PRIVATE)


def break_down() -> None:
    try:
        fail()
    except ValueError as error:
        raise RuntimeError(PRIVATE) from error


def test_a_bug_leaves_a_report_without_what_the_store_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    with pytest.raises(RuntimeError) as caught:
        break_down()
    code = report(caught.value, ["show", PRIVATE])

    (saved,) = tmp_path.iterdir()
    told = saved.read_text()
    said = capsys.readouterr().err
    assert code == 70
    assert said.splitlines() == [
        "error: this is a bug in git-knowl: RuntimeError",
        f"hint: please attach {saved} to a bug report",
    ]
    assert "verb show" in told
    assert told.index("ValueError") < told.index("RuntimeError")
    assert "in break_down" in told
    assert PRIVATE not in told + said


def test_a_report_that_cannot_be_saved_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))

    assert report(ValueError("x"), []) == 70
    assert "hint: its report could not be saved: No such file" in capsys.readouterr().err


def test_an_error_of_the_system_names_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(PermissionError(13, "Permission denied", "/x"), []) == 1
    assert report(OSError("odd"), []) == 1
    assert report(OSError(28, "No space left on device"), []) == 1
    look = "hint: see that it is there and that you may read and write it, then repeat"
    assert capsys.readouterr().err.splitlines() == [
        "error: '/x': Permission denied",
        look,
        "error: the system refused",
        look,
        "error: No space left on device",
        "hint: make room on the disk, then repeat",
    ]


def test_frames_begin_with_the_cause() -> None:
    with pytest.raises(RuntimeError) as caught:
        break_down()

    lines = frames(caught.value)
    assert [line for line in lines if not line.startswith(" ")] == ["ValueError", "RuntimeError"]


def test_a_bug_report_says_what_it_holds_and_quotes_nothing() -> None:
    with pytest.raises(RuntimeError) as caught:
        break_down()

    path = Path(save_report(caught.value, ["show", "a-private-name"]))
    text = path.read_text(encoding="utf-8")
    path.unlink()

    assert HOLDS in text
    assert "verb show" in text
    assert "a-private-name" not in text
    assert not [line for line in text.splitlines() if str(caught.value) == line]
