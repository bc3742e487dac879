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


class Host(Open):
    """A host of coding agents: whether it calls us, and the files with something of ours."""

    host: str
    installed: bool
    files: tuple[str, ...]
    capabilities: Capabilities


class Agents(Open):
    """Which hosts call us, and the last lines of the log of what went wrong."""

    format: Literal[1]
    hosts: tuple[Host, ...]
    log: tuple[str, ...]
