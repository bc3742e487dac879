"""The gate: text becomes live only through a person (DESIGN §6.4).

What an agent with the person's own account can still forge is said plainly in docs/trust.md.
"""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.model import limits
from git_knowl.model.entry import Reviewed
from git_knowl.model.text import hidden_characters
from git_knowl.services.filters import secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.model.entry import Entry
    from git_knowl.services.context import Context

TERMINAL = "terminal"
UNATTENDED = "unattended"
#: Verbs that put text in front of every agent: inside an agent host only a person may run them.
RESERVED = ("accept", "confirm", "edit", "move", "rename", "restore", "review", "undo")


class GateError(KnowlError):
    """A write that only a named person may do."""


def authorise(
    ctx: Context, verb: str, reviewer: str | None = None, *, entry: Entry | None = None
) -> Reviewed:
    """Return who vouches for a write, when and by which door.

    A person at a terminal is taken at git's identity, or at ``reviewer``. Without a terminal all
    verbs do the same but ``accept``, which names its reviewer wherever it runs; that is recorded as
    unattended. Raises GateError where a person is missing, where an agent host may not go on, and
    where it names a person: what it does, it does in the name of git's identity.
    """
    host = ctx.caller.host
    if host and not may_accept(ctx):
        restrain(host, verb, reviewer, entry)
    if verb == "accept" and not reviewer:
        raise GateError(
            "accepting without a terminal needs the name of the person who reviewed the text",
            "add --reviewer 'NAME <MAIL>', or run 'git knowl review' in a terminal",
        )
    attended = ctx.caller.terminal and not host and verb != "accept"
    person = check_person(reviewer) if reviewer else ctx.caller.name()
    return Reviewed(person, ctx.caller.now(), TERMINAL if attended else UNATTENDED)


def require_person(ctx: Context, verb: str, reviewer: str | None = None) -> Reviewed:
    """Return who vouches for what no agent host may do, whatever the settings say.

    Without a terminal the person is named by ``reviewer``, and it is recorded as unattended. Raises
    GateError where there is no person.
    """
    if ctx.caller.host:
        raise GateError(
            f"'{verb}' was asked for by the agent host '{ctx.caller.host}', and only a person may"
            " do it",
            "a person runs it in a terminal",
        )
    if not ctx.caller.terminal and not reviewer:
        raise GateError(
            f"'{verb}' asks a person, and there is no terminal",
            "run it in a terminal, or say with --reviewer 'NAME <MAIL>' who answers for it",
        )
    return authorise(ctx, verb, reviewer)


def restrain(host: str, verb: str, reviewer: str | None, entry: Entry | None) -> None:
    """Raise GateError for what an agent host may not do, or not in somebody else's name."""
    if is_reserved(verb, entry):
        raise GateError(
            f"'{verb}' was asked for by the agent host '{host}', and only a person may do it",
            "a person runs it in a terminal, or sets knowl.unattended to 'allow'",
        )
    if reviewer:
        raise GateError(
            f"the agent host '{host}' names {reviewer!r}, and only a person says who reviewed",
            "leave --reviewer out: it is recorded as unattended, with the name of the host",
        )


def is_reserved(verb: str, entry: Entry | None) -> bool:
    """Tell whether an agent host may not do this on its own."""
    if verb == "retire":
        return entry is None or (entry.type == "feedback" or not entry.evidence)
    return verb in RESERVED


def may_accept(ctx: Context) -> bool:
    """Tell whether a caller may let texts in at all, with a person named: no agent host may."""
    return not ctx.caller.host or ctx.settings.unattended == "allow"


def may_write_live(ctx: Context, reviewer: str | None) -> bool:
    """Tell whether `add` may make an entry: otherwise it makes a draft for a person."""
    if not may_accept(ctx):
        return False
    return ctx.caller.terminal or reviewer is not None


def check_person(text: str) -> str:
    """Return ``NAME <MAIL>`` in one spelling, or raise GateError with the form expected."""
    name, _, rest = text.strip().partition("<")
    mail = rest.removesuffix(">").strip()
    well_formed = name.strip() and rest.endswith(">") and "@" in mail.strip("@")
    if not well_formed or set("<>") & set(mail) or ">" in name or hidden_characters(text):
        raise GateError(
            f"reviewer: expected 'NAME <MAIL>', got '{text}'", "such as 'Ada <ada@example.org>'"
        )
    secrets.refuse("reviewer", text)
    if len(text) > limits.PATH:
        raise GateError(
            f"reviewer: expected at most {limits.PATH} characters, got {len(text)}",
            "such as 'Ada <ada@example.org>'",
        )
    return f"{' '.join(name.split())} <{mail}>"
