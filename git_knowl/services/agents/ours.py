"""What an agent does with this program, told from the name of a tool and its command line."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.services.agents.event import Event

#: Verbs by which text becomes live; only a person runs them.
RESERVED = {"add": "", "ui": "", "review": "--accept"}
#: Verbs that leave the entries as they are: after one of them, what is new was written by others.
READING = frozenset(
    (
        *("audit", "capture", "diff", "doctor", "export", "flag", "help", "inbox", "index"),
        *("lineage", "log", "ls", "schema", "search", "show", "site", "snooze", "stats", "status"),
        *("sync", "why"),
    )
)
#: Options of git before a command that take the next word.
VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path")
HELP = ("--help", "-h")


def is_ours(event: Event) -> bool:
    """Tell whether a tool call is one of ours: a command line, or a tool over MCP."""
    return is_our_tool(event.tool) or any(calls(event.command))


def is_our_tool(tool: str) -> bool:
    """Tell whether a tool is served by `git knowl mcp`, whatever the host puts before its name."""
    return "knowl" in tool.lower()


def is_capture(event: Event) -> bool:
    """Tell whether a tool call writes up what was flagged."""
    if is_our_tool(event.tool):
        return event.command == "capture"
    return any(verb == "capture" for verb, _ in calls(event.command))


def may_write(event: Event) -> bool:
    """Tell whether a call of ours may have written entries; the tools over MCP never do."""
    return any(verb not in READING for verb, _ in calls(event.command))


def names(event: Event) -> frozenset[str]:
    """Return the words of the calls that may write, among them what they write to by its name."""
    words = [word for verb, rest in calls(event.command) if verb not in READING for word in rest]
    return frozenset((*words, *(word.partition("=")[2] for word in words)))


def reserved(event: Event) -> str:
    """Return the verb of a command line that only a person runs, '' where there is none."""
    return next((verb for verb, rest in calls(event.command) if is_reserved(verb, rest)), "")


def is_reserved(verb: str, words: list[str]) -> bool:
    """Tell whether only a person runs a verb with the words after it; anybody asks for help."""
    if verb not in RESERVED or any(word in HELP for word in words):
        return False
    return not RESERVED[verb] or has_option(words, RESERVED[verb])


def has_option(words: list[str], option: str) -> bool:
    """Tell whether a long option is among the words."""
    return any(word.partition("=")[0] == option for word in words)


def calls(command: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the verb and the words after it of every call of ours in a command line.

    Who merely mentions us, in a message or a pattern, does not call us.
    """
    if "knowl" not in command:
        return
    from git_knowl.services.agents.shell import commands  # noqa: PLC0415 - few lines name us

    for words in commands(command):
        ours = behind_name(words)
        if ours is not None:
            yield (ours[0], ours[1:]) if ours else ("", [])


def behind_name(words: list[str]) -> list[str] | None:
    """Return what follows our name in a simple command, None where it runs something else."""
    name, *rest = words
    program = name.rpartition("/")[2]
    if program == "git-knowl":
        return rest
    if program != "git":
        return None
    while rest and rest[0].startswith("-"):
        rest = rest[2 if rest[0] in VALUED else 1 :]
    return rest[1:] if rest[:1] == ["knowl"] else None
