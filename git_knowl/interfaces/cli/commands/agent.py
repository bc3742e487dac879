"""`git knowl agent`: have a host of coding agents call us, or not any more."""

import os
import sys
from typing import Any

import click

from git_knowl.interfaces.agents import run as door
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.agents import installing, journal
from git_knowl.services.agents.hosts.base import CAPABILITIES
from git_knowl.services.agents.hosts.table import HOSTS, profile
from git_knowl.services.agents.plans import Places

LOG_LINES = 5
HOST = click.argument("host", type=click.Choice(list(HOSTS)))
USER = click.option("--user", is_flag=True, help="For all repositories of this user.")
#: Variable that moves the folder of a host -> the folder below home without it.
FOLDERS = {
    "claude": ("CLAUDE_CONFIG_DIR", ".claude"),
    "codex": ("CODEX_HOME", ".codex"),
    "cursor": ("", ".cursor"),
    "gemini": ("", ".gemini"),
    "copilot": ("COPILOT_HOME", ".copilot"),
    "opencode": ("", ".config/opencode"),
}


@click.group()
def command() -> None:
    """Have a host of coding agents call us, or not any more.

    A session then begins with the index, a file comes with the entries that rest on it, and a
    question with those that fit it.

    Example: git knowl agent status
    """


@command.command()
@HOST
@USER
@click.option("--no-block", is_flag=True, help="Leave CLAUDE.md, GEMINI.md or AGENTS.md alone.")
def install(host: str, *, user: bool, no_block: bool) -> None:
    """Put our hooks into the settings of a host, which are kept as they are otherwise.

    Repeating it changes nothing.

    Example: git knowl agent install claude
    """
    done = installing.install(where(user=user), host, block=not no_block)
    for sentence in done or (f"{HOSTS[host]} calls us already",):
        output.talk(sentence)
    if done and host == "codex":
        output.talk("Codex asks once whether it may run these hooks: type /hooks there")
    if done and not user and host != "claude":
        output.talk("commit what git sees of it, or use --user: no other worktree calls us before")


@command.command()
@HOST
@USER
def uninstall(host: str, *, user: bool) -> None:
    """Take our hooks out of the settings of a host again, byte by byte.

    Example: git knowl agent uninstall claude
    """
    done = installing.uninstall(where(user=user), host)
    for sentence in done or (f"{HOSTS[host]} does not call us",):
        output.talk(sentence)


@command.command()
@click.argument("host", type=click.Choice(list(HOSTS)), required=False)
@USER
@json_option
def status(host: str | None, *, user: bool, as_json: bool) -> None:
    """Say which hosts call us, what they can do, and what went wrong last.

    Example: git knowl agent status claude
    """
    seat = where(user=user)
    hosts = [host] if host else list(HOSTS)
    told: list[dict[str, Any]] = [
        {
            "host": one,
            "installed": installing.is_installed(seat, one),
            "files": [spot.path for spot in installing.status(seat, one) if spot.is_in],
            "capabilities": {name: profile(one).CAPABILITIES[name] for name in CAPABILITIES},
        }
        for one in hosts
    ]
    log = journal.last_lines(seat.repo, LOG_LINES) if seat.repo else []
    if as_json:
        output.emit_json({"format": 1, "hosts": told, "log": log})
        return
    for one in told:
        output.emit(f"{one['host']}: {'installed' if one['installed'] else 'not installed'}")
        output.emit_lines(f"  {path}" for path in one["files"])
        if host:
            output.emit_lines(f"  {name}: {how}" for name, how in one["capabilities"].items())
    output.emit_lines(f"log: {line}" for line in log)


@command.command()
@click.argument("host")
@click.argument("event")
def hook(host: str, event: str) -> None:
    """Answer an event of a host: its JSON on standard input, ours on standard output.

    It never fails: `git knowl agent status` tells what went wrong.

    Example: git knowl agent hook claude SessionStart
    """
    door.run(host, event)
    sys.stdout.flush()


def where(*, user: bool) -> installing.Where:
    """Return for whom something is installed: this repository, or this user everywhere."""
    home = os.path.expanduser("~")
    folders = {
        host: os.environ.get(variable) or os.path.join(home, below)
        for host, (variable, below) in FOLDERS.items()
    }
    if user:
        return installing.Where(Places("", "", folders), None)
    repo = open_context().repo
    places = Places(installing.main_checkout(repo), repo.require_work_tree(), folders)
    return installing.Where(places, repo)
