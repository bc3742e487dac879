"""What reading verbs print with ``--json`` (DESIGN §13); every key is always there."""

from typing import Any, Literal

from pydantic import Field

from git_knowl.model.schema import words
from git_knowl.model.schema.outputs_sync import Owed
from git_knowl.model.schema.words import Open


class AnchorLine(Open):
    """What one anchor says here and now."""

    kind: str
    target: str
    status: words.Status
    reason: str | None
    expected: str | None
    found: str | None
    commit: str | None
    author: str | None
    moved_to: str | None


class Link(Open):
    """Another entry; the id decides, the name is for people."""

    id: words.Id
    name: str


class EntryLine(Open):
    """One entry with its verdict; ``untrusted`` is there only where the text is kept from you.

    ``supersedes`` and ``superseded_by`` are there where it takes the place of others, or another
    one that of it; of one that nobody knows here the name is "".
    """

    name: str
    id: words.Id
    type: words.Type
    description: str
    status: words.Status
    digest: words.Digest
    anchors: tuple[AnchorLine, ...]
    lane: words.ShownLane
    tier: str
    conflict: bool
    updated: words.Time
    untrusted: bool | None = None
    supersedes: tuple[Link, ...] | None = None
    superseded_by: Link | None = None


class Change(Open):
    """A verdict that is another one since the last audit of this worktree."""

    name: str
    from_: str | None = Field(alias="from")
    to: str | None
    commit: str | None


class Source(Open):
    """Who or what vouches for the entry."""

    kind: str
    ref: str | None
    quote: str | None


class Reviewed(Open):
    """Who let the text in, when and by which door."""

    by: str
    at: str
    how: str


class Damaged(Open):
    """A file of the store that cannot be read; it hides no other."""

    lane: words.ShownLane
    path: str
    error: str


class Shape(Open):
    """What every answer that lists entries has; ``damaged`` only where something is."""

    format: Literal[1]
    damaged: tuple[Damaged, ...] | None = None


class Listing(Shape):
    """Entries with their verdicts: `ls` and `why`."""

    entries: tuple[EntryLine, ...]


class AuditLine(EntryLine):
    """One entry as the audit sees it; ``snoozed`` is the day until which it sleeps here."""

    snoozed: str | None = None


class Audit(Shape):
    """Verdicts, and what changed since the last audit of this worktree, or since ``base``."""

    entries: tuple[AuditLine, ...]
    changed: tuple[Change, ...]
    base: str | None = None


class Complaint(Open):
    """One thing about one entry that could be better."""

    kind: str
    id: words.Id
    name: str
    text: str


class Health(Open):
    """What could be better in the store: `audit --health`."""

    format: Literal[1]
    complaints: tuple[Complaint, ...]


class Signature(Open):
    """What git says of the signature of a commit: its state, whose it is, the key's print."""

    state: str
    signer: str
    key: str


class Vouched(Open):
    """The commit that let a text in, and its signature."""

    commit: str
    signature: Signature | None


class Operation(Open):
    """One commit on an entries ref; `log` tells its signature."""

    commit: str
    lane: words.Lane
    op: str
    subject: str
    author: str
    at: words.Time
    entries: tuple[Link, ...]
    signature: Signature | None = None


class Log(Open):
    """Operations on the store or on one entry, the latest first."""

    format: Literal[1]
    operations: tuple[Operation, ...]


class Show(EntryLine):
    """One entry whole; its keys stand beside ``format``."""

    format: Literal[1]
    body: str
    source: Source | None
    reviewed: Reviewed | None
    provenance: words.Provenance
    created: words.Time | None = None
    rev: int = 1
    as_of: str | None = None
    tags: tuple[str, ...] = ()
    depends_on: tuple[Link, ...] = ()
    history: tuple[Operation, ...]
    vouched: Vouched | None = None


class Difference(Open):
    """What changed in a file since it was found true, as a unified diff."""

    target: str
    diff: str


class Diff(Open):
    """The evidence of one entry, then and now."""

    format: Literal[1]
    name: str
    id: words.Id
    status: words.Status
    anchors: tuple[AnchorLine, ...]
    differences: tuple[Difference, ...]


class Personal(Open):
    """The entries of the personal store as they are judged here; ``suspects`` are names."""

    entries: int
    active: int
    suspect: int
    unknown: int
    suspects: tuple[str, ...]


class Status(Open):
    """What waits and what is suspect, in numbers; ``suspects`` are names.

    ``owed`` are operations of the shared lane that a remote does not have yet; ``personal`` is
    there where a personal store is set, and counted nowhere else.
    """

    format: Literal[1]
    flags: int
    drafts: int
    entries: int
    active: int
    suspect: int
    unknown: int
    unattended: int
    damaged: int
    conflicts: int
    suspects: tuple[str, ...]
    owed: tuple[Owed, ...] = ()
    personal: Personal | None = None


class Finding(Open):
    """What a check found to be wrong, the way out, and what `--repair` would offer to do."""

    check: str
    problem: str
    hint: str | None
    repair: str | None = None


class Checked(Open):
    """A check that was made; ``told`` is what it has to say although all is well."""

    check: str
    ok: bool
    told: str | None


class Doctor(Open):
    """What keeps the program from doing its work here."""

    format: Literal[1]
    ok: bool
    findings: tuple[Finding, ...]
    checks: tuple[Checked, ...]


class HookLine(Open):
    """One event of git in one worktree: whether we are run, why (not), and the way out."""

    worktree: str
    event: str
    file: str
    fires: bool
    state: Literal["fires", "free", "stale", "managed", "blocked"]
    reason: str
    manager: str | None
    hint: str | None


class Hooks(Open):
    """What fires where: `hooks status`."""

    format: Literal[1]
    hooks: tuple[HookLine, ...]


class Stats(Open):
    """Counts by word over the life of the store; ``personal`` ones are counted nowhere else."""

    format: Literal[1]
    entries: dict[str, int]
    lanes: dict[str, int]
    reviewed: dict[str, int]
    retired: int
    flags: dict[str, int]
    cues: dict[str, int]
    drafts: dict[str, int]
    funnel: dict[str, int] = {}
    discards: dict[str, int] = {}
    use: dict[str, int] = {}
    suspect: dict[str, int] = {}
    operations: dict[str, int]
    personal: dict[str, int] = {}


class FlagLine(Open):
    """One flag with what became of it; ``sender`` is whom it was received from."""

    id: words.Id
    summary: str
    paths: tuple[str, ...]
    cue: words.Cue | None
    quote: str | None
    by: str
    host: str | None
    session: str | None
    at: words.Time
    outcome: str
    sender: str | None = None


class CheckedFlag(FlagLine):
    """One flag with what a machine can tell about it."""

    checks: tuple[str, ...]


class Packet(Open):
    """What whoever writes drafts is handed; ``schema`` is that of the answer."""

    format: Literal[1]
    flags: tuple[CheckedFlag, ...]
    index: str
    guidance: str
    schema_: dict[str, Any] = Field(alias="schema")


class DraftLine(Open):
    """One draft that waits for a person; ``sender`` is whom it was received from."""

    id: words.Id
    kind: str
    name: str | None
    flags: tuple[words.Id, ...]
    warnings: tuple[str, ...]
    sender: str | None = None


class DamagedRecord(Open):
    """A flag or draft that cannot be read; it hides no other."""

    path: str
    error: str


class Inbox(Open):
    """Flags and drafts of this clone; ``damaged`` only where something is."""

    format: Literal[1]
    flags: tuple[FlagLine, ...]
    drafts: tuple[DraftLine, ...]
    damaged: tuple[DamagedRecord, ...] | None = None


class Written(Open):
    """What a writing verb did.

    `flag` and `add` give ``id`` too, `capture --submit` gives ``drafts``, `export` the ``files`` it
    wrote, and names what was ``withheld`` from an agent host.
    """

    ok: bool
    ids: tuple[words.Id, ...]
    id: words.Id | None = None
    drafts: tuple[words.Id, ...] | None = None
    files: tuple[str, ...] | None = None
    withheld: tuple[str, ...] | None = None
