"""Where a client sits: the repository its questions are about, and under which name it asks.

Found anew for every call, so that nothing another process wrote is missed, and let go of after it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from git_knowl.interfaces.door import after_write, make_caller
from git_knowl.model.ids import make_id
from git_knowl.plumbing.repository import NotARepository, Repository, discover
from git_knowl.services.context import Context
from git_knowl.services.filters.secrets import scrub

#: Words in what clients call themselves that are the name their host has everywhere else.
HOSTS = frozenset(("claude", "codex", "cursor", "gemini", "copilot", "opencode"))
NAMELESS = "mcp"
NAME_CHARACTERS = 60
MOST_ROOTS = 20


@dataclass(frozen=True, slots=True)
class Seat:
    """What does not change between two calls of a client.

    ``start`` is the folder the server was started in, ``roots`` are those the client works in;
    ``client`` is what it calls itself, ``session`` stands for this server where the environment
    names none.
    """

    start: str
    environ: Mapping[str, str]
    session: str
    client: str | None = None
    roots: tuple[str, ...] = ()


def take_seat(start: str, environ: Mapping[str, str], now: float, entropy: bytes) -> Seat:
    """Return the seat of a client that has not said anything yet."""
    return Seat(start, environ, f"{NAMELESS}-{make_id(int(now * 1000), entropy)}")


@contextmanager
def opened(seat: Seat) -> Iterator[Context]:
    """Give the repository as it is now; raises NotARepository where there is none any more."""
    repo = find_repository(seat)
    folder = repo.work_tree or repo.git_dir
    caller = make_caller(repo, folder)
    named = replace(
        caller,
        host=caller.host or host_name(seat.client),
        session=caller.session or seat.session,
        terminal=False,
    )
    ctx = Context(repo, named, after_write)
    try:
        yield ctx
    finally:
        let_go(ctx)


def let_go(ctx: Context) -> None:
    """Close what a command would leave to the end of its process."""
    held = (ctx.__dict__.get(name) for name in ("cache", "objects"))
    for one in filter(None, held):
        one.close()


def find_repository(seat: Seat) -> Repository:
    """Return the repository of the first folder that has one; raises what the last one raised."""
    *others, last = folders(seat)
    for folder in others:
        try:
            return discover(folder, seat.environ)
        except NotARepository:
            continue
    return discover(last, seat.environ)


def folders(seat: Seat) -> Sequence[str]:
    """Return where to look, in order.

    The folder the server stands in decides if the client works there: it may be one of several
    worktrees. Else the client's own folders come first; it may have started us anywhere.
    """
    if "GIT_DIR" in seat.environ or any(is_below(seat.start, root) for root in seat.roots):
        return (seat.start,)
    return (*seat.roots, seat.start)


def is_below(folder: str, root: str) -> bool:
    """Tell whether a folder is another one, or inside of it."""
    inner, outer = os.path.realpath(folder), os.path.realpath(root)
    return inner == outer or inner.startswith(outer.rstrip("/") + "/")


def root_folders(uris: Sequence[str]) -> tuple[str, ...]:
    """Return the folders of this machine that a client's roots name."""
    found = (root_folder(uri) for uri in uris[:MOST_ROOTS])
    return tuple(folder for folder in found if folder)


def root_folder(uri: str) -> str | None:
    """Return the folder a ``file:`` address names, None for any other address."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    is_here = parts.scheme == "file" and parts.netloc in ("", "localhost")
    return path if is_here and os.path.isabs(path) and "\0" not in path else None


def host_name(client: str | None) -> str:
    """Return the host a client belongs to, as flags and drafts name it.

    A client is never taken for a person, whatever it calls itself.
    """
    told = scrub(client or "").text.lower()
    plain = "".join(char if char.isascii() and char.isalnum() else "-" for char in told)
    words = [word for word in plain.split("-") if word]
    known = next((word for word in words if word in HOSTS), None)
    return known or "-".join(words)[:NAME_CHARACTERS].rstrip("-") or NAMELESS
