"""What `agent status` prints as JSON."""

from typing import Literal

from git_knowl.model.schema.words import Open

How = Literal["verified", "documented", "absent"]


class Capabilities(Open):
    """What a host can do, and how that is known."""

    index: How
    helper: How
    touching: How
    prompt: How
    calls: How
    compaction: How
    reminder: How
    deny: How


class Place(Open):
    """Where a host calls us: in a worktree, or (null) for the user in all repositories."""

    worktree: str | None
    files: tuple[str, ...]


class Host(Open):
    """A host of coding agents: whether it calls us here, and the files with something of ours.

    ``unread`` says what is wrong with settings that the host does not read; ``run_with`` is the
    release of the host with which `verified` was seen.
    """

    host: str
    installed: bool
    files: tuple[str, ...]
    places: tuple[Place, ...]
    unread: tuple[str, ...]
    capabilities: Capabilities
    run_with: str | None


class Agents(Open):
    """Which hosts call us, and the last lines of the log of what went wrong.

    ``program`` is what `git knowl` says it is when it is called as a host would, '' without one.
    """

    format: Literal[1]
    program: str
    hosts: tuple[Host, ...]
    log: tuple[str, ...]
