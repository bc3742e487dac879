"""Options that several verbs share, and what a writing verb says when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from git_knowl.interfaces.cli import output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from git_knowl.services.context import Context

F = TypeVar("F", bound="Callable[..., Any]")


def json_option(command: F) -> F:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


def reviewer_option(command: F) -> F:
    """Add ``--reviewer``, which names the person where git's identity is not theirs."""
    return click.option(
        "--reviewer", metavar="'NAME <MAIL>'", help="Who vouches for it.  [default: git's identity]"
    )(command)


def fresh_option(command: F) -> F:
    """Add ``--fresh``, for verbs that open an editor."""
    return click.option(
        "--fresh", is_flag=True, help="Set aside the text you left unfinished, and begin anew."
    )(command)


def tell_redacted(redacted: Iterable[tuple[str, int]]) -> None:
    """Say what was scrubbed, by type and never by value."""
    for kind, count in redacted:
        output.talk(f"note: replaced {count} value(s) of type {kind} before storing")


def tell(warnings: Iterable[str], redacted: Iterable[tuple[str, int]]) -> None:
    """Say what a person should know of a text, and what was scrubbed from it."""
    tell_redacted(redacted)
    for warning in warnings:
        output.talk(f"warning: {warning}")


def tell_older(names: Iterable[str], program: str = "git knowl") -> None:
    """Say what became of the entries whose place another one took, and how to take them out."""
    for name in names:
        output.talk(f"note: '{name}' is superseded: it stays live, found on request only")
        output.talk(f"hint: '{program} retire {name} --reason TEXT' takes it out")


def sync_after(ctx: Context) -> None:
    """Sync what was just written, where the user set that; the rest of us does not load it."""
    if ctx.settings.auto_sync:
        from git_knowl.services.sync.auto import after_write

        after_write(ctx)


def written(ctx: Context, ids: Iterable[str], *sentences: str, as_json: bool) -> None:
    """Print what a writing verb did: one object with the ids, or sentences on the side."""
    sync_after(ctx)
    output.notices(ctx.repo)
    if as_json:
        output.emit_json({"ok": True, "ids": list(ids)})
    else:
        for sentence in sentences:
            output.talk(sentence)
