"""A command line cut into the simple commands it runs, as far as that can be told without a shell.

What is quoted, commented or fed in on standard input is an argument here, not a command: the
program itself refuses what it must, so a line that cannot be told for sure is let through.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BREAKS = "\n;&|()`"
BLANK = " \t\r"
#: Words before a command that are not the command.
BEFORE = frozenset(
    (
        *("sudo", "env", "time", "command", "exec", "nohup", "nice", "xargs", "timeout", "builtin"),
        *("if", "then", "else", "elif", "while", "until", "do", "!", "{"),
    )
)
SHELLS = frozenset(("sh", "bash", "zsh", "dash"))
DEEPEST = 3


def commands(line: str, depth: int = 0) -> Iterator[list[str]]:
    """Yield the words of each simple command, those of a line given to a shell among them."""
    for words in simple(line):
        bare = command_of(words)
        if not bare:
            continue
        handed = handed_to_shell(bare) if depth < DEEPEST else ""
        if handed:
            yield from commands(handed, depth + 1)
        else:
            yield bare


def command_of(words: list[str]) -> list[str]:
    """Return a command without the assignments and the words that stand before it."""
    at, is_behind = 0, False
    while at < len(words) and is_before(words[at], is_behind=is_behind):
        is_behind = is_behind or words[at] in BEFORE
        at += 1
    return words[at:]


def is_before(word: str, *, is_behind: bool) -> bool:
    """Tell whether a word stands before the command; options and numbers do behind such a word."""
    name, equals, _ = word.partition("=")
    if word in BEFORE or (equals and name.isidentifier()):
        return True
    return is_behind and (word.startswith("-") or word[:1].isdigit())


def handed_to_shell(words: list[str]) -> str:
    """Return the line that a shell is given to run, '' for any other command."""
    if words[0].rpartition("/")[2] not in SHELLS:
        return ""
    for at, word in enumerate(words[1:], 2):
        if word.startswith("-") and word.endswith("c"):
            return " ".join(words[at:])
    return ""


def simple(line: str) -> Iterator[list[str]]:
    """Yield the words of a line between its operators, quotes taken off."""
    words: list[str] = []
    ends: list[str] = []
    at = 0
    while (at := blank(line, at)) < len(line):
        if line[at] in BREAKS:
            yield words
            words = []
            at = after_documents(line, at + 1, ends) if line[at] == "\n" else at + 1
        elif line.startswith("$(", at):
            at += 1
        else:
            at = take_word(line, at, words, ends)
    yield words


def take_word(line: str, at: int, words: list[str], ends: list[str]) -> int:
    """Add a word to the words, or what ends a document to the ends; return where it goes on."""
    word, at = next_word(line, at)
    if not word.startswith("<<") or word.startswith("<<<"):
        words.append(word)
        return at
    end = word[2:].lstrip("-")
    if not end:
        end, at = next_word(line, blank(line, at))
    ends.append(end)
    return at


def blank(line: str, at: int) -> int:
    """Return where blanks and a comment end."""
    while line[at : at + 1] and line[at] in BLANK:
        at += 1
    if line[at : at + 1] == "#":
        return (line.find("\n", at) + 1 or len(line) + 1) - 1
    return at


def after_documents(line: str, at: int, ends: list[str]) -> int:
    """Return where the documents end that begin here, each by a line of its own."""
    while ends:
        end = ends.pop(0)
        text = ""
        while at < len(line) and text.strip() != end:
            text = line[at:].partition("\n")[0]
            at += len(text) + 1
    return at


def next_word(line: str, at: int) -> tuple[str, int]:
    """Return a word without its quotes, and where it ends."""
    made = ""
    while at < len(line) and line[at] not in BREAKS + BLANK:
        char = line[at]
        if char == "<" and made.strip("<"):
            break
        at += 1
        if char in "'\"":
            char, at = quoted(line, at, char)
        elif char == "\\":
            char, at = line[at : at + 1].strip("\n"), at + 1
        made += char
    return made, at


def quoted(line: str, at: int, quote: str) -> tuple[str, int]:
    """Return what stands in quotes, and where it goes on behind them."""
    made: list[str] = []
    while at < len(line) and line[at] != quote:
        if line[at] == "\\" and quote == '"':
            at += 1
        made.append(line[at : at + 1])
        at += 1
    return "".join(made), at + 1
