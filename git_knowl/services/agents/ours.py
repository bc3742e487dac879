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
        "why",
    )
)
_AROUND = "\"'`();&|$"


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


def reserved(event: Event) -> str:
    """Return the verb of a command line that only a person runs, '' where there is none."""
    for verb, rest in calls(event.command):
        if verb in RESERVED and (not RESERVED[verb] or has_option(rest, RESERVED[verb])):
            return verb
    return ""


def has_option(words: list[str], option: str) -> bool:
    """Tell whether a long option is among the words."""
    return any(word.partition("=")[0] == option for word in words)


def calls(command: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the verb and the words after it of every call of ours in a command line."""
    words = [word.strip(_AROUND) for word in command.split()]
    for at, word in enumerate(words):
        name = word.rpartition("/")[2]
        behind_git = "git" in (one.rpartition("/")[2] for one in words[:at])
        if name == "git-knowl" or (word == "knowl" and behind_git):
            yield _call(words[at + 1 :])


def _call(words: list[str]) -> tuple[str, list[str]]:
    return (words[0], words[1:]) if words else ("", [])
