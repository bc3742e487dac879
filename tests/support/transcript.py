"""Console sessions as tests: ``$ command`` lines and what they print, with holes.

A session is a ``.console`` file or the ``console`` fences of a Markdown file, read in order::

    $ git knowl flag "totals double above three" -p lib/cart.ts
    01k4w2zt6mxf3q9v5c7d8e0abn
    $ git knowl show cart-doubles | head -n 1
    ...
    [1]

- ``> `` continues the command above it; the lines up to the next ``$ `` are its output, both
  streams as a terminal shows them; blank lines at the end of an output do not count.
- ``[N]`` as the last line is an exit code other than 0; ``...`` alone on a line stands for any
  lines. In a ``.console`` file lines that start with ``#: `` are comments.
- Ids, commit ids and their short forms, and dates match any other of their kind. An id stands for
  the same actual id wherever it comes again, in later commands too, so a session reads like a
  real one. ``<id>``, ``<oid>``, ``<short>``, ``<date>``, ``<path>`` and ``<number>`` match without
  being remembered.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from tests.support.cli import run_in_process
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 120.0
SHAPES = {
    "date": r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?",
    "id": r"[0-7][0-9a-hjkmnp-tv-z]{25}",
    "oid": r"[0-9a-f]{64}|[0-9a-f]{40}",
    "commit": r"[0-9a-f]{7,12}",
    "short": r"[0-9a-hjkmnp-tv-z]{6}",
    "path": r"/[^\s'\"]*",
    "number": r"\d+",
}
FORGOTTEN = {"date"}  # two dates may be the same by chance, or differ by a second
#: Texts taken for ids; the short forms must mix digits and letters, so that no word is meant.
EXAMPLE = re.compile(
    rf"(?<![\w-])(?:(?P<date>{SHAPES['date']})|(?P<id>{SHAPES['id']})|(?P<oid>{SHAPES['oid']})"
    rf"|(?=[a-z]*\d)(?=\d*[a-z])(?:(?P<commit>{SHAPES['commit']})|(?P<short>{SHAPES['short']})))"
    r"(?![\w-])"
)
HOLE = re.compile(r"<(?P<hole>id|oid|short|date|path|number)>")
SHELL = set("$`*?[]{}~\\!#")  # such a command is for a shell, as is one with an operator
OPERATORS = set("|&;<>()")


@dataclass(frozen=True)
class Step:
    """One command and the lines it is expected to print; the lines stand at ``start:end``."""

    command: str
    expected: list[str]
    start: int
    end: int


def read_steps(path: Path) -> list[Step]:
    """Return the steps of a transcript in the order they stand."""
    lines = path.read_text(encoding="utf-8").splitlines()
    blocks = _fences(lines) if path.suffix == ".md" else [(0, len(lines))]
    return [step for first, last in blocks for step in _steps(lines, first, last)]


def _fences(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the line ranges inside the ``console`` fences of a Markdown file."""
    start = None
    for number, line in enumerate(lines):
        if start is not None and line == "```":
            yield start, number
            start = None
        elif line == "```console":
            start = number + 1


def _steps(lines: list[str], first: int, last: int) -> Iterator[Step]:
    number = first
    while number < last:
        if not lines[number].startswith("$ "):
            number += 1
            continue
        command = [lines[number][2:]]
        number += 1
        while number < last and lines[number].startswith("> "):
            command.append(lines[number][2:])
            number += 1
        start = number
        while number < last and not lines[number].startswith(("$ ", "#: ")):
            number += 1
        end = number
        while end > start and not lines[end - 1].strip():
            end -= 1
        yield Step("\n".join(command), lines[start:end], start, end)


@dataclass
class Session:
    """A shell that stands in a folder; ``known`` holds which actual id an example stands for."""

    cwd: Path
    in_process: bool = True
    env: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root = self.cwd

    def run(self, step: Step) -> list[str]:
        """Run a step's command and return the lines a terminal would show."""
        command = _replace(self.known, step.command)
        words = _simple_words(command) if self.in_process else None
        code, text = self._call(words[2:]) if words else self._shell(command)
        shown = text.rstrip("\n").split("\n") if text.strip("\n") else []
        return [*shown, f"[{code}]"] if code else shown

    def agrees(self, step: Step, actual: list[str]) -> bool:
        """Tell whether the output is as expected, and remember the ids it was seen with."""
        pattern, examples = self._pattern(step.expected)
        found = re.fullmatch(pattern, "".join(f"{line}\n" for line in actual))
        if not found:
            return False
        seen = {example: found[group] for group, example in examples.items()}
        if len(set(seen.values())) < len(seen) or set(seen.values()) & set(self.known.values()):
            return False  # two examples cannot be one id
        self.known |= seen
        return True

    def as_examples(self, actual: list[str]) -> list[str]:
        """Return output as it is written down: with the examples for the ids known by now."""
        back = {real: example for example, real in self.known.items()}
        return [_replace(back, line).replace(str(self.root), "<path>") for line in actual]

    def _call(self, args: list[str]) -> tuple[int, str]:
        with TemporaryFile() as out:
            code = run_in_process(tuple(args), self.cwd, self.env, (b"", out, out))
            out.seek(0)
            return code, os.fsdecode(out.read())

    def _shell(self, command: str) -> tuple[int, str]:
        reading, writing = os.pipe()
        done = subprocess.run(
            ["bash", "-c", f"trap 'pwd -P >/dev/fd/{writing}' EXIT\n{command}"],
            cwd=self.cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT), **self.env},
            pass_fds=[writing],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
        os.close(writing)
        with os.fdopen(reading, "rb") as where:
            self.cwd = type(self.cwd)(os.fsdecode(where.read()).strip() or self.cwd)
        return done.returncode, os.fsdecode(done.stdout)

    def _pattern(self, expected: list[str]) -> tuple[str, dict[str, str]]:
        """Return a pattern for the lines, and which example each of its groups stands for."""
        groups: dict[str, str] = {}
        lines = [
            "(?:.*\n)*?" if line == "..." else _line_pattern(line, self.known, groups) + "\n"
            for line in expected
        ]
        return "".join(lines), {group: example for example, group in groups.items()}


def _line_pattern(line: str, known: dict[str, str], groups: dict[str, str]) -> str:
    parts = []
    at = 0
    while at < len(line):
        found = HOLE.match(line, at) or EXAMPLE.match(line, at)
        if not found:
            parts.append(re.escape(line[at]))
            at += 1
            continue
        parts.append(_token_pattern(found, known, groups))
        at = found.end()
    return "".join(parts)


def _token_pattern(found: re.Match[str], known: dict[str, str], groups: dict[str, str]) -> str:
    kind, example = found.lastgroup or "", found[0]
    if kind == "hole":
        return f"(?:{SHAPES[found['hole']]})"
    if kind in FORGOTTEN:
        return f"(?:{SHAPES[kind]})"
    if example in groups:
        return f"(?P={groups[example]})"
    actual = _actual(known, example)
    if actual is not None:
        return re.escape(actual)
    groups[example] = f"example{len(groups)}"
    return f"(?P<{groups[example]}>{SHAPES[kind]})"


def _actual(known: dict[str, str], example: str) -> str | None:
    """Return what an example, or a short form of one, stands for by now."""
    if example in known:
        return known[example]
    for long, real in known.items():
        if long.endswith(example):
            return real[-len(example) :]
        if long.startswith(example):
            return real[: len(example)]
    return None


def _replace(known: dict[str, str], text: str) -> str:
    return EXAMPLE.sub(lambda found: _actual(known, found[0]) or found[0], text)


def _simple_words(command: str) -> list[str] | None:
    """Return the words of a ``git knowl`` command that needs no shell, else None."""
    if not command.startswith("git knowl ") or SHELL & set(command) or "\n" in command:
        return None
    if "--help" in command:  # git itself answers it, with the manual page
        return None
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    return None if any(set(word) <= OPERATORS for word in words if word) else words


def replay(path: Path, session: Session, *, update: bool = False) -> None:
    """Run a transcript and fail at the first step that prints something else.

    With ``update`` the differing outputs are written into the file instead.
    """
    changes: list[tuple[Step, list[str]]] = []
    for step in read_steps(path):
        actual = session.run(step)
        if session.agrees(step, actual):
            continue
        written = session.as_examples(actual)
        if not update:
            raise AssertionError(_difference(path, step, written))
        changes.append((step, written))
    if changes:
        _rewrite(path, changes)


def _difference(path: Path, step: Step, actual: list[str]) -> str:
    lines = [f"{path.name}:{step.start}: $ {step.command}", "--- expected", *step.expected]
    return "\n".join([*lines, "--- actual (--update-transcripts writes it)", *actual])


def _rewrite(path: Path, changes: list[tuple[Step, list[str]]]) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for step, actual in reversed(changes):
        lines[step.start : step.end] = actual
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
