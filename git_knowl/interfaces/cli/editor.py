"""The user's editor, by git's own order of preference."""

from __future__ import annotations

import os
import shlex
import signal
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import click

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import ask, can_ask
from git_knowl.interfaces.report import say_error
from git_knowl.model.quoting import byte_found
from git_knowl.plumbing.config import editor
from git_knowl.plumbing.process import GitError
from git_knowl.services.files import read_text, replace_file, unfinished_path
from git_knowl.services.filters import secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from git_knowl.plumbing.repository import Repository

    T = TypeVar("T")

_HINT = "set core.editor with git config"
AGAIN, AFRESH = "y", "f"
STEPS = {
    AGAIN: "yes, this text",
    "n": "no, keep this text for the next try",
    AFRESH: "begin afresh from the text as it was, and set this one aside",
}


class EditorError(KnowlError):
    """No editor could be run, or what it left cannot be read."""


class UnfinishedError(KnowlError):
    """An edit that cannot be stored as it is; the text is kept for the next try."""


def edit(repo: Repository, text: str, extension: str = ".md") -> str:
    """Return the text as the person left it, saved or not; raises EditorError."""
    command = _command(repo)
    # Git hands its editor to a shell; click splits words and no more.
    shell = shlex.join(("sh", "-c", f'{command} "$@"', command))
    try:
        with _uninterrupted():
            new = click.edit(text, editor=shell, extension=extension, require_save=False)
    except click.ClickException as error:
        raise EditorError(f"the editor '{command}' failed", _HINT) from error
    except UnicodeDecodeError as error:
        found = byte_found(error.object, error.start)
        raise EditorError(
            f"expected UTF-8 from the editor, got {found}", "set your editor to save as UTF-8"
        ) from error
    return new or ""


def edit_until(
    repo: Repository,
    name: str,
    text: str,
    take: Callable[[str], T],
    *,
    fresh: bool | None = None,
) -> T:
    """Let the person edit a text until ``take`` makes something of it, and return that.

    A text that was refused is shown with the reason and can be edited again, or set aside for the
    one given here. If the person stops there it is kept in a file, where the next edit under the
    same ``name`` begins; UnfinishedError tells so. ``fresh`` sets such a text aside from the start;
    None tells that the caller has no option for that.
    """
    kept = unfinished_path(repo, f"{name}.md")
    if fresh:
        _set_aside(kept)
    new = _unfinished_text(kept, can_drop=fresh is False) or text
    while True:
        new = edit(repo, new)
        try:
            made = take(new)
        except KnowlError as error:
            replace_file(kept, secrets.scrub(new).text)
            answer = _next_step(error) if can_ask() else None
            if answer not in (AGAIN, AFRESH):
                raise _unfinished(error, kept, can_drop=fresh is not None) from error
            if answer == AFRESH:
                _set_aside(kept)
                new = text
        else:
            _forget(kept)
            return made


def _unfinished_text(kept: str, *, can_drop: bool) -> str:
    """Return the text that was left unfinished, or nothing."""
    text = read_text(kept)
    if text:
        ending = "; --fresh begins anew" if can_drop else ""
        output.talk(f"note: this goes on with the text you left unfinished{ending}")
    return text


def _set_aside(kept: str) -> None:
    """Move an unfinished text to a name where no edit begins, and say which."""
    if not os.path.lexists(kept):
        return
    stem = kept.removesuffix(".md")
    places = (f"{stem}.{number}.md" for number in count(1))
    place = next(one for one in places if not os.path.lexists(one))
    os.rename(kept, place)
    output.talk(f"note: your unfinished text is set aside in {place}")


def _command(repo: Repository) -> str:
    try:
        return editor(repo)
    except GitError as error:
        raise EditorError(f"no editor is set: {error.message}", _HINT) from error


def _unfinished(error: KnowlError, kept: str, *, can_drop: bool) -> UnfinishedError:
    ending = ", where the next try begins unless it has --fresh" if can_drop else ""
    hints = filter(None, (error.hint, f"your text is kept in {kept}{ending}"))
    unfinished = UnfinishedError(error.message, "; ".join(hints))
    unfinished.exit_code = error.exit_code
    return unfinished


def _next_step(error: KnowlError) -> str | None:
    say_error(error)
    return ask("Edit it again", STEPS)


def _forget(path: str) -> None:
    if os.path.exists(path):
        os.unlink(path)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Leave Ctrl-C to the editor, as git does; a handler of ours is not handed down to it."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
