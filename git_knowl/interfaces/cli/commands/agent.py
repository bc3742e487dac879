"""`git knowl agent`: have a host of coding agents call us, or not any more."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from git_knowl.interfaces.agents import run as door
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.agent_homes import homes
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.agents import installing, journal, leaving, working
from git_knowl.services.agents.hosts.base import CAPABILITIES
from git_knowl.services.agents.hosts.table import HOSTS, profile
from git_knowl.services.agents.local_index_fresh import refresh

LOG_LINES = 5
HOST = click.argument("host", type=click.Choice(list(HOSTS)))
USER = click.option("--user", is_flag=True, help="For all repositories of this user.")


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
    seat = where(user=user)
    done = installing.install(seat, host, block=not no_block)
    if done and not user:
        refresh(open_context())
    for sentence in done or (f"{HOSTS[host]} calls us already",):
        output.talk(sentence)
    if done:
        explain(seat, host)


def explain(seat: installing.Where, host: str) -> None:
    """Say what is left to do after an installation."""
    if host == "codex":
        output.talk("Codex asks once whether it may run these hooks: type /hooks there")
    if seat.repo is None:
        return
    if host in ("claude", "codex") and not installing.main_checkout(seat.repo):
        output.talk("the main repository is bare: repeat it in other worktrees, or use --user")
    elif host != "claude":
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
    """Say which hosts call us and where, what they can do, and what went wrong last.

    The command that they call is tried, too.

    Example: git knowl agent status claude
    """
    seat = where(user=user)
    folders = seat.places.user
    spots = leaving.spots(seat.repo, folders)
    told = [_told(seat, one, spots) for one in ([host] if host else HOSTS)]
    log = journal.last_lines(seat.repo, LOG_LINES) if seat.repo else []
    found = leaving.program(dict(os.environ))
    if as_json:
        output.emit_json({"format": 1, "program": found, "hosts": told, "log": log})
        return
    output.emit(f"program: {found or 'git does not find it, so no host hears of us'}")
    for one in told:
        _show(one, in_full=host is not None)
    output.emit_lines(f"log: {line}" for line in log)


def _told(seat: installing.Where, host: str, spots: Sequence[leaving.Spot]) -> dict[str, Any]:
    known, folders = profile(host), seat.places.user
    unread = leaving.unread(seat.repo, folders, host)
    files = [] if unread else [one.path for one in installing.status(seat, host) if one.is_in]
    return {
        "host": host,
        "installed": working.works(seat, host),
        "files": files,
        "places": [
            {"worktree": spot.worktree or None, "files": spot.files}
            for spot in spots
            if spot.host == host
        ],
        "unread": unread,
        "capabilities": {name: known.CAPABILITIES[name] for name in CAPABILITIES},
        "run_with": known.VERSION or None,
    }


def _show(told: dict[str, Any], *, in_full: bool) -> None:
    """Print what is known of a host: each place where it calls us, and what it can do."""
    here = "installed" if told["installed"] else "not installed"
    output.emit(f"{told['host']}: {here}{' here' if told['places'] else ''}")
    for place in told["places"]:
        folder = f"in '{place['worktree']}'" if place["worktree"] else "for this user"
        output.emit(f"  {folder}")
        output.emit_lines(f"    {path}" for path in place["files"])
    output.emit_lines(f"  does not read {told_why}" for told_why in told["unread"])
    if in_full:
        output.emit_lines(f"  {name}: {how}" for name, how in told["capabilities"].items())


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
    folders = homes()
    if user:
        return leaving.of_user(folders)
    return installing.seat(open_context().repo, folders)
