"""Where each host keeps its settings, and what is put there: for one project, or for a user.

Linked worktrees: Claude Code honours the local settings of the main checkout in all of them, Codex
reads the hooks of the main checkout alone, so both are written there, once, and kept out of git's
sight. Codex looks for them only in a worktree that has a ``.codex`` folder, which the skill makes,
once it is committed. The other hosts read what stands in the worktree, so their files are meant to
be committed; the index of a worktree is not, where a host needs it in a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from git_knowl.services.agents import local_index, wording
from git_knowl.services.agents.hosts.table import profile
from git_knowl.services.agents.ours import RESERVED
from git_knowl.services.agents.parts import Block, Kept, Listed, Part, Whole

COMMAND = "git knowl agent hook"
#: A host waits so many seconds at most; Gemini counts in thousandths.
SECONDS = 10
#: Codex gives the end of a session so many at most.
LAST_SECONDS = 3
_DENIED = [
    f"{program} {verb} {option}".strip()
    for verb, option in RESERVED.items()
    for program in ("git knowl", "git-knowl")
]
CLAUDE_DENIED = tuple(f"Bash({line}:*)" for line in _DENIED)
#: What releases before the hook put into the settings of Gemini, which let it through.
GEMINI_DENIED = tuple(f"run_shell_command({line})" for line in _DENIED)


@dataclass(frozen=True)
class Places:
    """Folders: of the main checkout and of the asking worktree, and those of the user by host."""

    main: str
    here: str
    user: Mapping[str, str]


@dataclass(frozen=True)
class Step:
    """A part in a file below ``top``; ``hidden`` files are kept out of git's sight."""

    top: str
    path: str
    part: Part
    hidden: bool = False
    #: Whether the file decides if the host is installed.
    decides: bool = False


def project(host: str, places: Places) -> Iterator[Step]:
    """Yield what is put into one repository for a host."""
    main, here = places.main, places.here
    if host == "claude":
        yield Step(main, ".claude/settings.local.json", hooks(host), hidden=True, decides=True)
        yield Step(here, ".claude/skills/knowl-capture/SKILL.md", Whole(wording.SKILL))
    elif host == "codex":
        yield Step(main, ".codex/hooks.json", hooks(host), hidden=True, decides=True)
        yield Step(here, ".codex/skills/knowl-capture/SKILL.md", Whole(wording.SKILL))
    elif host == "cursor":
        yield Step(here, ".cursor/hooks.json", hooks(host), decides=True)
        yield Step(here, ".cursor/commands/knowl-capture.md", Whole(wording.CAPTURE))
        yield Step(here, local_index.FILES[host], Kept(local_index.HEAD), hidden=True)
    elif host == "gemini":
        yield Step(here, ".gemini/settings.json", hooks(host), decides=True)
        yield Step(here, ".gemini/commands/knowl-capture.toml", Whole(wording.TOML_COMMAND))
    elif host == "copilot":
        yield Step(here, ".github/hooks/knowl.json", hooks(host), decides=True)
        yield Step(here, ".github/skills/knowl-capture/SKILL.md", Whole(wording.SKILL))
    else:
        yield Step(here, ".opencode/plugins/knowl.js", Whole(wording.PLUGIN), decides=True)
        yield Step(here, ".opencode/commands/knowl-capture.md", Whole(wording.COMMAND))


def user(host: str, places: Places) -> Iterator[Step]:
    """Yield what is put into the home folder of a user for a host."""
    top = places.user[host]
    skill = Step(top, "skills/knowl-capture/SKILL.md", Whole(wording.SKILL))
    if host == "opencode":
        yield Step(top, "plugins/knowl.js", Whole(wording.PLUGIN), decides=True)
        yield Step(top, "commands/knowl-capture.md", Whole(wording.COMMAND))
        return
    names = {"codex": "hooks.json", "cursor": "hooks.json", "copilot": "hooks/knowl.json"}
    yield Step(top, names.get(host, "settings.json"), hooks(host), decides=True)
    if host == "gemini":
        yield Step(top, "commands/knowl-capture.toml", Whole(wording.TOML_COMMAND))
    elif host == "cursor":
        yield Step(top, "commands/knowl-capture.md", Whole(wording.CAPTURE))
    else:
        yield skill


def reads(host: str, places: Places) -> bool:
    """Tell whether a host reads in the asking worktree what is put there for it."""
    is_linked = bool(places.here) and places.main != places.here
    return not (host == "codex" and is_linked) or os.path.isdir(os.path.join(places.here, ".codex"))


def instructions(host: str, places: Places) -> Step:
    """Return the block in the file that a host reads for instructions."""
    name = {"claude": "CLAUDE.md", "gemini": "GEMINI.md"}.get(host, "AGENTS.md")
    return Step(places.here, name, Block(wording.BLOCK))


def hooks(host: str) -> Listed:
    """Return the items for the settings of a host that runs commands."""
    events, takes = list(profile(host).EVENTS), profile(host).TAKES
    if host == "cursor":
        items = [(("hooks", event), {"command": command(host, event)}) for event in events]
        return Listed(tuple(items), is_ours, (("version", 1),), takes=takes)
    if host == "copilot":
        items = [(("hooks", event), _copilot(event)) for event in events]
        return Listed(tuple(items), is_ours, (("version", 1),), takes=takes)
    found: list[tuple[tuple[str, ...], Any]]
    found = [(("hooks", event), _matched(host, event)) for event in events]
    if host == "claude":
        found += [(("permissions", "deny"), rule) for rule in CLAUDE_DENIED]
    former = (("tools", "exclude"),) if host == "gemini" else ()
    return Listed(tuple(found), is_ours, former=former, takes=takes)


def is_ours(item: Any) -> bool:
    """Tell whether an item of some settings is one of ours, of this version or another."""
    if isinstance(item, str):
        return item in CLAUDE_DENIED or item in GEMINI_DENIED
    if not isinstance(item, dict):
        return False
    inner = item.get("hooks")
    if isinstance(inner, list):
        return bool(inner) and all(map(is_ours, inner))
    told = (item.get(key) for key in ("command", "bash"))
    return any(isinstance(one, str) and one.startswith(f"{COMMAND} ") for one in told)


def command(host: str, event: str) -> str:
    """Return the command line of an event: always the same, for a change asks for trust again.

    Where the program is gone the host hears nothing of it.
    """
    return f"{COMMAND} {host} {event} 2>/dev/null || :"


def _matched(host: str, event: str) -> dict[str, Any]:
    seconds = LAST_SECONDS if event == "SessionEnd" else SECONDS
    seconds *= 1_000 if host == "gemini" else 1
    run = {"type": "command", "command": command(host, event), "timeout": seconds}
    matcher = profile(host).MATCHERS.get(event)
    return {**({"matcher": matcher} if matcher else {}), "hooks": [run]}


def _copilot(event: str) -> dict[str, Any]:
    return {"type": "command", "bash": command("copilot", event), "timeoutSec": SECONDS}
