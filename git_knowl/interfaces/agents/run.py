"""One event of a host: its JSON in, its JSON out, and nothing at all when anything goes wrong."""

from __future__ import annotations

import os
import sys

from git_knowl.errors import KnowlError
from git_knowl.interfaces.clock import clock
from git_knowl.interfaces.door import after_write, identity_of
from git_knowl.interfaces.watch import Late, Watch
from git_knowl.model import light_json
from git_knowl.plumbing.repository import discover
from git_knowl.services.agents import journal
from git_knowl.services.agents.event import IDLE, START
from git_knowl.services.agents.hosts.table import HOSTS, profile
from git_knowl.services.agents.session import answer
from git_knowl.services.context import Caller, Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from git_knowl.plumbing.repository import Repository
    from git_knowl.services.agents.event import Event

#: Hosts give up on a hook after ten seconds, as we ask them to.
SECONDS = 8.0
#: A payload may carry a whole file; one that is longer is not read.
MOST_BYTES = 16 << 20


class PayloadError(KnowlError):
    """Something came in that is no event of a host."""


class Incident:
    """Where something went wrong, for the log: the repository, as soon as it is known."""

    def __init__(self, host: str, name: str) -> None:
        self.host = host
        self.name = name
        self.repo: Repository | None = None

    def note(self, *words: str) -> None:
        """Write a line to the log, where there is a repository to have one."""
        if self.repo is not None:
            journal.note(self.repo, clock(), self.host, self.name, *words)


def run(host: str, name: str, seconds: float = SECONDS) -> None:
    """Answer an event of a host on standard output; nothing that goes wrong reaches the host."""
    incident = Incident(host, name)
    try:
        with Watch(seconds):
            said = respond(host, name, incident)
        sys.stdout.write(said)
        sys.stdout.flush()
    except (Exception, Late) as error:  # noqa: BLE001 - the one broad handler of this door
        incident.note(*told(error))


def told(error: BaseException) -> tuple[str, ...]:
    """Return what the log says of an error: its kind and place, never what it quotes."""
    found = error.__traceback__
    where = ""
    while found is not None:
        file = found.tb_frame.f_code.co_filename.rpartition("git_knowl/")[2]
        where = f"{file}:{found.tb_lineno}"
        found = found.tb_next
    return ("failed:", type(error).__name__, where)


def respond(host: str, name: str, incident: Incident) -> str:
    """Return what the host reads, '' where there is nothing to say."""
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        event = read(host, name, data)
    except PayloadError as error:
        incident.repo = discover(os.getcwd(), os.environ)
        incident.note("ignored:", error.message)
        return ""
    if event.kind == IDLE:
        return ""
    cwd = event.cwd or os.getcwd()
    here = stands_in(cwd, incident)
    repo, cwd = place(here, cwd, event)
    ctx = Context(repo, caller(repo, host, cwd), after_write)
    said = answer(ctx, host, event)
    if event.kind == START:
        from git_knowl.services.agents.local_index import instead

        said = instead(ctx, host, said)
    return rendered(profile(host).answer(name, said))


def stands_in(cwd: str, incident: Incident) -> Repository:
    """Return the repository of a session; one that stands in none is noted where the host runs."""
    try:
        incident.repo = discover(cwd, os.environ)
    except KnowlError:
        incident.repo = discover(os.getcwd(), os.environ)
        raise
    return incident.repo


def read(host: str, name: str, data: bytes) -> Event:
    """Return what came in as an event; raises PayloadError for what is none."""
    payload = parsed(data)
    if host not in HOSTS or name not in profile(host).EVENTS:
        raise PayloadError("an event that nobody here knows")
    return profile(host).read(name, payload)


def parsed(data: bytes) -> dict[str, Any]:
    """Return the JSON object that came in, {} where nothing did; raises PayloadError."""
    if len(data) > MOST_BYTES:
        raise PayloadError("more than anybody sends")
    try:
        found = light_json.loads(data or b"{}")
    except (ValueError, RecursionError):
        raise PayloadError("no JSON") from None
    if not isinstance(found, dict):
        raise PayloadError("no JSON object")
    return found


def rendered(made: dict[str, Any]) -> str:
    """Return the answer as JSON on one line, in ASCII: no locale of a host can spoil it."""
    return f"{light_json.dumps(made)}\n" if made else ""


def place(here: Repository, cwd: str, event: Event) -> tuple[Repository, str]:
    """Return the worktree an event is about, and the folder its paths are seen from.

    That is the one the session stands in, unless it touches a file in another one of the same
    repository.
    """
    path = event.paths[0] if event.paths else ""
    if not os.path.isabs(path) or here.work_tree is None:
        return here, cwd
    folder = os.path.dirname(path)
    if f"{folder}/".startswith(f"{here.work_tree}/") or not os.path.isdir(folder):
        return here, cwd
    try:
        there = discover(folder, os.environ)
    except KnowlError:
        return here, cwd
    return (there, folder) if there.common_dir == here.common_dir else (here, cwd)


def caller(repo: Repository, host: str, cwd: str) -> Caller:
    """Describe who asks: the host, without a terminal."""
    return Caller(
        identify=identity_of(repo),
        host=host,
        session=None,
        terminal=False,
        cwd=cwd,
        clock=clock,
        entropy=os.urandom,
    )
