"""What a person sees when something goes wrong, and the exit code that goes with it."""

from __future__ import annotations

import errno
import sys

from git_knowl.errors import KnowlError

#: What somebody who is about to post a report wants to know of it.
HOLDS = (
    "This report holds versions, the verb, and lines of the program's own source with the paths of"
    " its files. It holds no arguments, no messages of exceptions, and no text of your store."
)
FULL = (errno.ENOSPC, errno.EDQUOT)
LOOK = "see that it is there and that you may read and write it, then repeat"
EXPECTED = 1
BUG = 70


def report(error: Exception, arguments: list[str]) -> int:
    """Print an expected error as ``error:`` and ``hint:``, a bug with the path of its report.

    What the system refuses (a full disk, missing rights) is expected too.
    """
    if isinstance(error, KnowlError):
        say_error(error)
        return error.exit_code
    if isinstance(error, OSError):
        place = f"'{error.filename}': " if error.filename else ""
        say("error", f"{place}{error.strerror or 'the system refused'}")
        say("hint", "make room on the disk, then repeat" if error.errno in FULL else LOOK)
        return EXPECTED
    return report_bug(error, arguments)


def say_error(error: KnowlError) -> None:
    """Write what went wrong and the way out, a line each."""
    say("error", error.message)
    if error.hint:
        say("hint", error.hint)


def say(label: str, text: str) -> None:
    """Write one labelled line to standard error.

    Messages quote arguments: line breaks, tabs and control characters are made visible, so that
    nothing quoted looks like a line of ours.
    """
    from git_knowl.model.text import for_terminal

    sys.stderr.write(f"{label}: {for_terminal(text, single_line=True)}\n")


def report_bug(error: Exception, arguments: list[str]) -> int:
    """Say that this is a bug, and where the report of it is."""
    say("error", f"this is a bug in git-knowl: {type(error).__name__}")
    try:
        say("hint", f"please attach {save_report(error, arguments)} to a bug report")
    except OSError as refused:
        say("hint", f"its report could not be saved: {refused.strerror}")
    return BUG


def save_report(error: Exception, arguments: list[str]) -> str:
    """Save a report that can be pasted into an issue, and return its path.

    It says itself what it holds. Messages of exceptions stay out: they may quote entries and flags.
    """
    import tempfile

    from git_knowl import __version__

    verb = arguments[0] if arguments and arguments[0].isalpha() else "(none)"
    python = sys.version.split()[0]
    told = f"git-knowl {__version__}, Python {python}, {sys.platform}, verb {verb}"
    text = "\n".join((told, "", HOLDS, "", "```", *frames(error), "```", ""))
    with tempfile.NamedTemporaryFile(
        "w", prefix="git-knowl-bug-", suffix=".md", delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    return file.name


def frames(error: BaseException) -> list[str]:
    """Return where an exception and those before it were raised, the first one first."""
    import traceback

    before = error.__cause__ or error.__context__
    lines = [line.rstrip("\n") for line in traceback.format_tb(error.__traceback__)]
    return [*(frames(before) if before else []), *lines, type(error).__qualname__]
