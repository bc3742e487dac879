"""The generated pages: command reference and man pages, made from the commands themselves.

``python -m tests.support.manual`` writes them; a test compares them with what is checked in.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import click
from click_man.man import ManPage

from git_knowl.interfaces.cli.app import cli
from git_knowl.interfaces.cli.table import COMMANDS, SECTIONS
from git_knowl.model.settings import keys
from tests.support.seal import ROOT

PROGRAM = "git-knowl"
REFERENCE = ROOT / "docs" / "commands.md"
MAN = ROOT / "docs" / "man"
#: Another one may write a usage line otherwise, so pages are compared under the one that made them.
CLICK = ".".join(version("click").split(".")[:2])
HEAD = f"""# Commands

Generated from `git knowl VERB -h` with click {CLICK}; a test keeps it in step. Data goes to
standard output, talk to standard error, and `--json` prints one object whose shape
`git knowl schema NAME` describes.

| exit code | meaning |
|---|---|
"""
EXIT_CODES = {
    0: "all is well",
    1: "an expected error: the message says what was expected, the hint names the way out",
    2: "wrong usage",
    3: "findings (audit --exit-code)",
    4: "a lost race, or a draft or entry that has moved",
    70: "a bug; a report file is named",
    130: "interrupted",
}
ENVIRONMENT = {
    "KNOWL_HOST": "name of the agent host that runs the command, where none is detected",
    "KNOWL_SESSION": "id of the session, for hosts that tell none",
    "KNOWL_NOW": "seconds since the epoch that stand for the present, for reproducible runs",
    "KNOWL_HOOK": "when set, the git hooks do nothing; they set it for what they start themselves",
    "NO_COLOR": "print without colour in a terminal too",
}
WIDTH: dict[str, Any] = {"terminal_width": 80, "max_content_width": 80}
#: What a paragraph begins with whose lines are to stay as they are.
VERBATIM = "\b"


def reference() -> str:
    """Return the command reference as Markdown: every verb by section, then the settings."""
    parts = [HEAD, *(f"| {code} | {meaning} |\n" for code, meaning in EXIT_CODES.items())]
    for title, verbs in SECTIONS.items():
        parts.append(f"\n## {title}\n")
        parts += [chapter(ctx) for verb in verbs for ctx in contexts(verb, root("git knowl"))]
    parts.append("\n## Settings\n\nPlain `git config`, in any scope.\n\n")
    parts.append("| key | default | what it does |\n|---|---|---|\n")
    parts += [f"| `{key.name}` | `{key.default}` | {key.help} |\n" for key in keys()]
    parts.append("\n## Environment\n\n| variable | what it does |\n|---|---|\n")
    parts += [f"| `{name}` | {meaning} |\n" for name, meaning in ENVIRONMENT.items()]
    return "".join(parts)


def chapter(ctx: click.Context) -> str:
    """Return the help of a verb as a terminal of 80 columns shows it."""
    lines = "\n".join(line.rstrip() for line in ctx.get_help().splitlines())
    return f"\n### {ctx.command_path.removeprefix('git knowl ')}\n\n```text\n{lines}\n```\n"


def root(name: str) -> click.Context:
    """Return the context of the program under one of its names."""
    return click.Context(cli, info_name=name, **{**cli.context_settings, **WIDTH})


def contexts(verb: str, parent: click.Context) -> Iterator[click.Context]:
    """Yield the context of a verb, and of each verb below it."""
    command = cli.get_command(parent, verb)
    assert command is not None
    ctx = click.Context(command, info_name=verb, parent=parent, **WIDTH)
    yield ctx
    for name, below in getattr(command, "commands", {}).items():
        yield click.Context(below, info_name=name, parent=ctx, **WIDTH)


def man_pages() -> dict[str, str]:
    """Return all pages by file name: one for the program and one for every verb."""
    program = root("git knowl")
    pages = {f"{PROGRAM}.1": program_page(program)}
    for ctx in (ctx for verb in COMMANDS for ctx in contexts(verb, program)):
        made = page(ctx, (ctx.command.help or "").partition("\n")[0].rstrip("."))
        pages[f"{made.command}.1"] = f"{told(ctx, made)}.SH SEE ALSO\n\\fBgit\\-knowl(1)\\fP\n"
    return pages


def program_page(ctx: click.Context) -> str:
    """Return the page that ``git knowl --help`` opens."""
    made = page(ctx, "keep what a coding session found out, off every branch")
    made.commands = [(verb, roff(line)) for verb, (_, line) in COMMANDS.items()]
    settings = [(key.name, f"{key.help}; default: {key.default}") for key in keys()]
    codes = [(str(code), meaning) for code, meaning in EXIT_CODES.items()]
    sections = (
        section("CONFIGURATION", settings),
        section("ENVIRONMENT", list(ENVIRONMENT.items())),
        section("EXIT STATUS", codes),
        ".SH SEE ALSO\ngit(1), git\\-config(1), git\\-worktree(1)\n",
    )
    return "".join((told(ctx, made), *sections))


def told(ctx: click.Context, made: ManPage) -> str:
    """Return the text of a page, with the command in the synopsis as it is typed."""
    return str(made).replace(f".B {made.command}\n", f".B {ctx.command_path}\n")


def page(ctx: click.Context, line: str) -> ManPage:
    """Return the page of one command: without a date, so that it changes with the command only."""
    made = ManPage(ctx.command_path.replace(" ", "-"))
    made.date, made.version = "", PROGRAM
    made.short_help = roff(line[0].lower() + line[1:])
    made.synopsis = " ".join(ctx.command.collect_usage_pieces(ctx))
    made.description = "\n".join(description(inspect.cleandoc(ctx.command.help or "")))
    options = (one for one in ctx.command.get_params(ctx) if isinstance(one, click.Option))
    records = [option.get_help_record(ctx) for option in options]
    made.options = [(record[0], roff(record[1])) for record in records if record]
    return made


def description(text: str) -> Iterator[str]:
    """Yield the lines of a help text as roff, paragraph by paragraph."""
    for paragraph in text.split("\n\n"):
        yield ""  # becomes a paragraph mark
        lines = paragraph.split("\n")
        if lines[0] == VERBATIM:
            yield from (".nf", *map(roff, lines[1:]), ".fi")
        else:
            yield from map(roff, lines)


def roff(line: str) -> str:
    """Return a line in which nothing is a command to the formatter."""
    escaped = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped[:1] in ("'", ".") else escaped


def section(title: str, terms: list[tuple[str, str]]) -> str:
    """Return a section of terms with what each means."""
    lines = [line for term, text in terms for line in (".TP", f"\\fB{roff(term)}\\fP", roff(text))]
    return "\n".join((f".SH {title}", *lines, ""))


def write() -> None:
    """Bring the checked-in pages up to date, and remove those of verbs that are gone."""
    REFERENCE.write_text(reference(), encoding="utf-8")
    MAN.mkdir(parents=True, exist_ok=True)
    pages = man_pages()
    for old in MAN.iterdir():
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        (MAN / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
