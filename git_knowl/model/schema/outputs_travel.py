"""What goes out with ``--json`` about texts that come in or go out: imports and proposals."""

from git_knowl.model.schema import words
from git_knowl.model.schema.words import Open


class WouldBe(Open):
    """A draft that `import --dry-run` would make."""

    kind: str
    name: str | None
    type: words.Type | None
    description: str | None
    warnings: tuple[str, ...]


class Import(Open):
    """What `import` made of the documents; ``form`` is what they were read as.

    ``unchanged`` are known already, ``left_out`` passed over on purpose; ``would`` is filled with
    ``--dry-run`` alone.
    """

    ok: bool
    ids: tuple[words.Id, ...]
    form: str
    would: tuple[WouldBe, ...]
    unchanged: tuple[str, ...]
    left_out: tuple[str, ...]
    failed: tuple[str, ...]


class Sent(Open):
    """What `inbox send` sent; ``known`` are there already, ``kept`` stay here, with the reason."""

    ok: bool
    ids: tuple[words.Id, ...]
    remote: str
    ref: str
    commit: str | None
    known: tuple[words.Id, ...]
    kept: dict[str, str]


class Received(Open):
    """What `inbox receive` took in by sender; ``passed`` tells why others were not, by id.

    ``refused`` are sentences about what could not be read or taken.
    """

    ok: bool
    ids: tuple[words.Id, ...]
    remote: str
    senders: dict[str, tuple[words.Id, ...]]
    passed: dict[str, str]
    refused: tuple[str, ...]
