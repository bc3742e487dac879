"""What `sync` prints with ``--json``, and what `status` prints of it; every key is always there."""

from typing import Literal

from git_knowl.model.schema.words import Open


class Owed(Open):
    """How many operations a remote did not show when it was last asked."""

    remote: str
    operations: int


class Moved(Open):
    """What became of one entry in a sync, by whom it was changed, and why where it is not plain."""

    id: str
    name: str
    kind: str
    by: str | None
    note: str


class Sync(Open):
    """What went both ways, or would go with ``dry_run``; ``owed`` is what the remote lacks still.

    ``commit`` is the tip of the shared lane that the remote shows, ``drafts`` how many updates came
    back for a person to decide. ``ok`` is false where something came in and the rest failed.
    """

    format: Literal[1]
    ok: bool
    remote: str
    state: Literal["nothing", "in step", "received", "sent", "exchanged"]
    dry_run: bool
    pull: bool
    commit: str | None
    received: tuple[Moved, ...]
    sent: tuple[Moved, ...]
    by: tuple[str, ...]
    drafts: int
    owed: int
