"""What the profiles of hosts share: reading a payload that may hold anything, and envelopes.

A payload is hostile: every key may be missing, or of another type than it should be.
"""

from __future__ import annotations

from git_knowl.model import light_json
from git_knowl.services.agents.event import Event
from git_knowl.services.agents.ours import is_our_tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Protocol

    from git_knowl.services.agents.event import Said

    Payload = Mapping[str, Any]

    class Profile(Protocol):
        """What the module of a host has."""

        NAME: str
        EVENTS: dict[str, str]
        MATCHERS: dict[str, str]
        #: The release that was run to see what is `verified`, '' where nobody could.
        VERSION: str
        CAPABILITIES: dict[str, str]
        #: What its reader of settings takes beyond plain JSON.
        TAKES: frozenset[str]

        def read(self, name: str, payload: Payload) -> Event:
            """Return the event of a host's JSON object."""

        def answer(self, name: str, said: Said) -> dict[str, Any]:
            """Return the JSON object the host reads, {} where there is nothing to say."""


VERIFIED = "verified"
"""The program of the host was run, and the text seen to arrive."""

DOCUMENTED = "documented"
"""The vendor's documentation says so; nobody here has run it."""

ABSENT = "absent"
"""The host has no way, or none without starting another turn of the model."""

#: What a host's reader of settings may take beyond plain JSON.
COMMENTS = "comments"
COMMAS = "trailing commas"

#: What a host may be able to do, as the capability table lists it.
CAPABILITIES = ("index", "helper", "touching", "prompt", "calls", "compaction", "reminder", "deny")
#: Names under which tools take a path.
PATH_KEYS = ("file_path", "filePath", "path", "notebook_path", "absolute_path", "filename")
COMMAND_KEYS = ("command", "cmd", "script", "input")
#: Names under which hosts tell one tool call from another.
CALL_KEYS = ("tool_use_id", "toolCallId", "call")
PATCH = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
#: A command line has more words than anybody looks at; the rest is counted where they are.
MOST_PATHS = 2_000
LONGEST_PATH = 4_096
LONGEST_COMMAND = 20_000
LONGEST_PROMPT = 20_000
LONGEST_NAME = 500
_QUOTES = "\"'`();&|<>,:"


def text(payload: object, *keys: str, most: int = LONGEST_NAME) -> str:
    """Return the first of the keys that holds a text, '' where none does."""
    if isinstance(payload, dict):
        for key in keys:
            value = payload.get(key)
            if isinstance(value, str) and value:
                return value[:most]
    return ""


def inner(payload: Payload, *keys: str) -> dict[str, Any]:
    """Return the first of the keys that holds an object; a text of JSON is read."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value.startswith("{"):
            value = _parsed(value)
        if isinstance(value, dict):
            return value
    return {}


def tool_event(plain: Event, payload: Payload, given: object) -> Event:
    """Return the event of a tool call with what the tool was given, ``plain`` being without."""
    tool = text(payload, "tool_name", "toolName", "tool")
    command = command_of(given, tool)
    return Event(
        plain.kind,
        plain.session,
        plain.cwd,
        plain.agent,
        paths=paths_of(given, command),
        command=command,
        tool=tool,
        call=text(payload, *CALL_KEYS),
    )


def shell_event(plain: Event, command: str) -> Event:
    """Return the event of a shell that is about to run a command line, of which no file is told.

    For hosts that let a command be refused but show no text before it.
    """
    return Event(plain.kind, plain.session, plain.cwd, plain.agent, command=command)


def is_nobody(name: str, plain: Event) -> bool:
    """Tell whether an event of a subagent does not say of which one: it is not the main agent's."""
    return name.lower().startswith("subagent") and not plain.agent


def told_event(plain: Event, *, prompt: str = "", resets: bool = False) -> Event:
    """Return the event with what the user asked, or with what a start says of the context."""
    return Event(plain.kind, plain.session, plain.cwd, plain.agent, prompt=prompt, resets=resets)


def command_of(given: object, tool: str) -> str:
    """Return the command line of a shell tool, or the mode of a tool of ours."""
    if is_our_tool(tool):
        return text(given, "mode")
    if isinstance(given, dict) and isinstance(given.get("command"), list):
        return " ".join(word for word in given["command"] if isinstance(word, str))[
            :LONGEST_COMMAND
        ]
    return text(given, *COMMAND_KEYS, most=LONGEST_COMMAND)


def paths_of(given: object, command: str) -> tuple[str, ...]:
    """Return the files a tool names: by a key, in a patch, or as words of a command line."""
    named = text(given, *PATH_KEYS, most=LONGEST_PATH)
    if named:
        return (named,)
    patched = list(_patched(command))
    return tuple(dict.fromkeys(patched or _words(command)))[:MOST_PATHS]


def context_answer(name: str, said: Said) -> dict[str, Any]:
    """Return the envelope that several hosts share: text for the agent, a message, a refusal."""
    if said.denied:
        decision = {"permissionDecision": "deny", "permissionDecisionReason": said.denied}
        return {"hookSpecificOutput": {"hookEventName": name, **decision}}
    made: dict[str, Any] = {}
    if said.context:
        made["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": said.context}
    if said.notice:
        made["systemMessage"] = said.notice
    return made


def _patched(command: str) -> Iterator[str]:
    for line in command.splitlines():
        for start in PATCH:
            if line.startswith(start):
                yield line[len(start) :].strip()[:LONGEST_PATH]


def _words(command: str) -> Iterator[str]:
    """Yield the words of a command line that look like a path: a folder or an ending in it."""
    for word in command[:LONGEST_COMMAND].split():
        plain = word.strip(_QUOTES)
        if ("/" in plain or "." in plain) and not plain.startswith("-"):
            yield plain[:LONGEST_PATH]


def _parsed(value: str) -> object:
    try:
        return light_json.loads(value)
    except (ValueError, RecursionError):
        return None
