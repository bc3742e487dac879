"""Bad input at the door: `error:` and `hint:` on a line each, an exit code, nothing stored."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
import pytest

from git_knowl.interfaces.cli.app import cli
from git_knowl.interfaces.cli.table import COMMANDS
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.contexts import capture_item
from tests.support.people import CART, KIM, person, tips, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.cli import Outcome

ADD = ("add", "--name", "till", "--type", "project", "-d", "Read before", "--reviewer", KIM)
BODY = ("--body", "-")
FEW_LETTERS = "01k4w2zt6mxf3q9v5c7d8e0abs"
#: Words of Python that mean nothing to whoever reads a message.
INTERNALS = ("Errno", "Traceback", "NoneType", "codec", "<class", "Error(", "Expecting")


def payload(**entry: object) -> str:
    """Return a payload that proposes an entry."""
    return json.dumps({"items": [capture_item("till", **entry)]})


#: Command lines that are refused, each with what comes in at standard input.
REFUSED: dict[str, tuple[tuple[str, ...], str | bytes]] = {
    "a path outside": (("flag", "x", "-p", "../out"), ""),
    "a path in the git directory": (("flag", "x", "-p", ".git/config"), ""),
    "a path through a link": (("flag", "x", "-p", "link/cart.ts"), ""),
    "an empty path": (("flag", "x", "-p", ""), ""),
    "the top as a path": (("flag", "x", "-p", "."), ""),
    "a path with a hidden character": (("flag", "x", "-p", "a\u202eb"), ""),
    "a long path": (("flag", "x", "-p", "p" * 301), ""),
    "too many paths": (("flag", "x", *("-p", "a", "-p", "b") * 11), ""),
    "an empty summary": (("flag", " "), ""),
    "a long summary": (("flag", "s" * 501), ""),
    "a control character in a summary": (("flag", "a\x07b"), ""),
    "a summary that is no UTF-8": (("flag", "a\udcffb"), ""),
    "a quote that is no UTF-8": (("flag", "x", "--quote", "a\udcff"), ""),
    "a description with a line break": ((*ADD, *BODY, "-d", "a\nb"), "Why: so"),
    "an anchor outside": ((*ADD, *BODY, "-a", "file:../out"), "Why: so"),
    "an anchor through a link": ((*ADD, *BODY, "-a", "file:link/cart.ts"), "Why: so"),
    "an anchor that is not here": ((*ADD, *BODY, "-a", "file:lib/none.ts"), "Why: so"),
    "an anchor on a folder": ((*ADD, *BODY, "-a", "file:lib"), "Why: so"),
    "an anchor of no kind": ((*ADD, *BODY, "-a", "wish:x"), "Why: so"),
    "an anchor without a path": ((*ADD, *BODY, "-a", "file:"), "Why: so"),
    "an anchor on no package": ((*ADD, *BODY, "-a", "package:npm/none"), "Why: so"),
    "an anchor on a version": ((*ADD, *BODY, "-a", "package:npm/x@1"), "Why: so"),
    "an anchor on an unknown ecosystem": ((*ADD, *BODY, "-a", "package:deb/x!a.lock"), "Why: so"),
    "an anchor on no address": ((*ADD, *BODY, "-a", "url:ftp"), "Why: so"),
    "an age beyond its limit": ((*ADD, *BODY, "-a", "url:9999d:https://x.org"), "Why: so"),
    "a name that is taken": ((*ADD, *BODY, "--name", "cart", "-a", CART), "Why: so"),
    "a name that is none": ((*ADD, *BODY, "--name", "No Name", "-a", CART), "Why: so"),
    "an entry without a source": ((*ADD, *BODY), "Why: so"),
    "a body beyond its limit": ((*ADD, *BODY, "-a", CART), "x" * 20_001),
    "a body that is no UTF-8": ((*ADD, *BODY, "-a", CART), b"caf\xe9"),
    "too many bytes": ((*ADD, *BODY, "-a", CART), "x" * (4 * 1024 * 1024 + 1)),
    "a body that is not there": ((*ADD, "--body", "none.md", "-a", CART), ""),
    "a body that is a folder": ((*ADD, "--body", "lib", "-a", CART), ""),
    "no body": ((*ADD, "-a", CART), ""),
    "a reviewer that is none": ((*ADD, *BODY, "-a", CART, "--reviewer", "Kim"), "Why: so"),
    "a reviewer that is too long": (
        (*ADD, *BODY, "-a", CART, "--reviewer", f"{'K' * 300} <a@b.c>"),
        "Why: so",
    ),
    "a flag that is not there": ((*ADD, *BODY, "-a", CART, "--from-flag", "none"), "Why: so"),
    "no JSON": (("capture", "--submit", "-"), "{"),
    "no UTF-8 for JSON": (("capture", "--submit", "-"), b"\xff"),
    "a key twice": (("capture", "--submit", "-"), '{"items": [], "items": []}'),
    "an item of no kind": (("capture", "--submit", "-"), '{"items": [{"kind": "wish"}]}'),
    "an item that is none": (("capture", "--submit", "-"), '{"items": [null, true, 1.5, []]}'),
    "a payload with a path outside": (
        ("capture", "--submit", "-"),
        payload(anchors=["file:../out"]),
    ),
    "a payload with a missing path": (("capture", "--submit", "-"), payload(anchors=["file:x"])),
    "a payload with a wrong anchor": (
        ("capture", "--submit", "-"),
        payload(anchors=[{"kind": "file", "path": None}]),
    ),
    "a guideline outside": (
        ("capture", "--submit", "-"),
        json.dumps(
            {
                "items": [
                    {
                        "kind": "guideline",
                        "flags": [],
                        "file": "../x.md",
                        "text": "Do.",
                        "reason": "so",
                    }
                ]
            }
        ),
    ),
    "an update that changes nothing": (
        ("update", "cart", "--submit", "-"),
        '{"expected": "%s", "entry": {}}',
    ),
    "an update of a moved entry": (
        ("update", "cart", "--submit", "-"),
        json.dumps({"expected": "0" * 64, "entry": {"body": "x"}}),
    ),
    "an entry that is not there": (("show", "none"), ""),
    "a draft that is not there": (("review", "--accept", FEW_LETTERS, "--reviewer", KIM), ""),
    "no reviewer": (("review", "--accept", FEW_LETTERS), ""),
    "a draft both accepted and discarded": (
        ("review", "--accept", "%s", "--discard", "%s", "--reason", "x", "--reviewer", KIM),
        "",
    ),
    "a discard without a reason": (("review", "--discard", "%s", "--reviewer", KIM), ""),
    "a flag or draft that is not there": (("inbox", "drop", "none"), ""),
    "an empty id": (("inbox", "drop", ""), ""),
    "a flag that is settled": (("inbox", "edit", "%s"), ""),
    "a revision that is none": (("audit", "--commit", "none"), ""),
    "a day that is none": (("snooze", "cart", "--until", "soon"), ""),
    "a day gone by": (("snooze", "cart", "--until", "2020-01-01"), ""),
    "a schema that is none": (("schema", "none"), ""),
    "a folder that holds nothing": (("import", "lib"), ""),
    "a folder that is none": (("import", "none"), ""),
    "a folder in the git directory": (("export", ".git/x"), ""),
    "a folder that is a file": (("export", "conf.yml"), ""),
    "evidence nobody looked at": (("verify", "cart"), ""),
    "a retire without a reason": (("retire", "cart", "--reason", " "), ""),
    "knowledge without a person": (("uninstall", "--knowledge"), ""),
}


@dataclass(frozen=True)
class Stocked:
    """A store that nobody may change, and what %s stands for in the words of a verb."""

    repo: RepoBuilder
    knowl: Knowl
    stands_for: dict[str, str]


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Stocked:
    """Give a store of one entry, one draft and one settled flag, to all that is refused."""
    repo = RepoBuilder.start(tmp_path_factory.mktemp("stocked"))
    knowl = Knowl(repo.path)
    write(person(repo), "cart", CART)
    (repo.path / "link").symlink_to("lib")
    draft = knowl.json("capture", "--submit", "-", stdin=json.dumps({"items": [capture_item()]}))
    flag = knowl.ok("flag", "something").strip()
    knowl.ok("inbox", "drop", flag)
    stands_for = {
        "review": draft["drafts"][0],
        "inbox": flag,
        "update": knowl.json("show", "cart")["digest"],
    }
    return Stocked(repo, knowl, stands_for)


@pytest.mark.parametrize("what", REFUSED)
def test_bad_input_is_told_with_a_way_out_and_stores_nothing(stocked: Stocked, what: str) -> None:
    words, stdin = REFUSED[what]
    name = stocked.stands_for.get(words[0], "")
    given = tuple(word.replace("%s", name) for word in words)
    before = tips(stocked.repo)

    done = stocked.knowl(
        *given, stdin=stdin.replace("%s", name) if isinstance(stdin, str) else stdin
    )

    assert done.code in (1, 4), done.err
    check_form(done)
    assert tips(stocked.repo) == before


def check_form(done: Outcome) -> None:
    """Check that a refusal ends with one line of error and one of hint, in plain words."""
    *_, error, hint = done.err.splitlines()
    assert error.startswith("error: "), done.err
    assert hint.startswith("hint: "), done.err
    assert len(hint) > len("hint: ")
    assert not [word for word in INTERNALS if word in f"{error}{hint}"], done.err


@pytest.mark.parametrize("verb", ["ls", "flag x", "capture", "init"])
def test_no_repository_is_told_with_a_way_out(tmp_path, knowl: Knowl, verb: str) -> None:
    done = knowl.at(tmp_path)(*verb.split())

    assert done.code == 1
    check_form(done)


@pytest.mark.parametrize("words", ["audit --staged", "audit --review"])
def test_a_bare_repository_is_told_with_a_way_out(
    repo: RepoBuilder, knowl: Knowl, words: str
) -> None:
    done = knowl.at(repo.clone("bare", "--bare").path)(*words.split())

    assert done.code == 1
    check_form(done)


def test_a_configuration_that_is_locked_is_told_with_a_way_out(
    repo: RepoBuilder, knowl: Knowl
) -> None:
    repo.git("config", "log.initialDecorationSet", "all")
    knowl.ok("init")
    (repo.path / ".git/config.lock").touch()

    done = knowl("uninstall")

    assert done.code == 1
    check_form(done)


# --- what arguments hold ----------------------------------------------------------------------


@pytest.mark.parametrize("evil", ["a\nhint: run this", "a\tb", "a\x1b[31mb", "a\u202eb", "a\rb"])
@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("flag", "x", "-p"),
        ("snooze", "cart", "--until"),
        ("audit", "--commit"),
        ("import",),
        ("schema",),
        ("ls", "--type"),
        ("ls", "--frob"),
        ("capture", "--submit"),
        (),
    ],
    ids=" ".join,
)
def test_an_argument_is_quoted_on_one_line(
    stocked: Stocked, words: tuple[str, ...], evil: str
) -> None:
    done = stocked.knowl(*words, evil)

    assert done.code in (1, 2), done.err
    assert [line.partition(": ")[0] for line in done.err.splitlines()] == ["error", "hint"]
    assert not set("\t\x1b\u202e\r") & set(done.err)


ODD = "caf\udce9"
TAKERS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "flag": lambda odd: ("flag", odd),
    "quote": lambda odd: ("flag", "x", "--quote", odd),
    "name": lambda odd: (*ADD, *BODY, "-a", CART, "--name", odd),
    "description": lambda odd: (*ADD, *BODY, "-a", CART, "-d", odd),
    "tag": lambda odd: (*ADD, *BODY, "-a", CART, "--tag", odd),
    "source": lambda odd: (*ADD, *BODY, "--source", odd),
    "reviewer": lambda odd: (*ADD, *BODY, "-a", CART, "--reviewer", f"{odd} <a@b.c>"),
    "anchor": lambda odd: (*ADD, *BODY, "-a", odd),
    "show": lambda odd: ("show", odd),
    "retire": lambda odd: ("retire", "cart", "--reason", odd),
    "rename": lambda odd: ("rename", "cart", odd),
    "drop": lambda odd: ("inbox", "drop", odd),
    "snooze": lambda odd: ("snooze", "cart", "--until", odd),
    "commit": lambda odd: ("audit", "--commit", odd),
    "import": lambda odd: ("import", odd),
}


@pytest.mark.parametrize("what", TAKERS)
def test_an_argument_that_is_no_utf_8_is_refused_in_the_right_words(
    stocked: Stocked, what: str
) -> None:
    before = tips(stocked.repo)

    done = stocked.knowl(*TAKERS[what](ODD), stdin="Why: so")

    assert done.code in (1, 2), done.err
    check_form(done)
    assert "control" not in done.err
    assert tips(stocked.repo) == before


def test_the_byte_that_is_no_utf_8_is_named(knowl: Knowl) -> None:
    assert "summary: expected UTF-8, got the byte 0xe9" in knowl("flag", ODD).err


# --- usage ------------------------------------------------------------------------------------


def misuses() -> list[tuple[str, ...]]:
    """Return for every verb a wrong option, an argument too many, and wrong choices."""
    found: list[tuple[str, ...]] = [
        ("lss",),
        ("--frob",),
        ("inbox", "dorp"),
        ("show",),
        ("ls", "x"),
    ]
    for verb in COMMANDS:
        found.append((verb, "--frob"))
        command = cli.get_command(None, verb)
        assert command is not None
        picky = [
            one for one in command.params if isinstance(one.type, (click.Choice, click.IntRange))
        ]
        options = [one.opts[0] for one in picky if one.opts[0].startswith("-")]
        found += [(verb, option, "none-of-these") for option in options]
    return found


@pytest.mark.parametrize("words", misuses(), ids=" ".join)
def test_every_misuse_is_told_in_the_form_of_the_house(
    knowl: Knowl, words: tuple[str, ...]
) -> None:
    done = knowl(*words)

    assert (done.code, done.out) == (2, ""), done.err
    assert [line.partition(": ")[0] for line in done.err.splitlines()] == ["error", "hint"]
