"""What a host tells of a session, in words of ours, and what it is told in return.

This module is on the path of every tool call of an agent: it loads nothing.
"""

from __future__ import annotations

from git_knowl.model.light import dataclass

#: A session begins, is resumed, or goes on with a new context window.
START = "start"
#: The user asks something.
PROMPT = "prompt"
#: A tool is about to be used.
BEFORE = "before"
#: A tool was used, with success.
AFTER = "after"
#: The context window is about to be compacted, or just was, where nothing can be said about it.
COMPACTED = "compacted"
#: The agent has answered.
STOP = "stop"
#: A subagent begins.
HELPER = "helper"
#: The session, or the subagent, ends.
END = "end"
#: Something that we have nothing to do with, such as a tool call that failed.
IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a session; what a host did not tell is empty.

    ``agent`` names the subagent, ``cwd`` is the folder the session stands in, ``paths`` are files
    the tool names, as the host spells them, ``command`` is the command line of a shell tool,
    ``tool`` the name of the tool, and ``call`` stands for this one call. ``resets`` tells that the
    agent has lost what it was told so far.
    """

    kind: str
    session: str
    cwd: str
    agent: str = ""
    paths: tuple[str, ...] = ()
    command: str = ""
    prompt: str = ""
    tool: str = ""
    resets: bool = False
    call: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What the agent is told (``context``), the person (``notice``), and why a call is refused."""

    context: str = ""
    notice: str = ""
    denied: str = ""


NOTHING = Said()
#: What stands for an event that is none of ours.
NOTHING_OF_OURS = Event(IDLE, "", "")
