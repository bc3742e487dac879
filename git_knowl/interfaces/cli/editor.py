"""The user's editor, by git's own order of preference."""

from __future__ import annotations

import os
import shlex
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import can_ask, confirm
from git_knowl.plumbing.config import editor
from git_knowl.plumbing.process import GitError
from git_knowl.services.files import read_text, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from git_knowl.plumbing.repository import Repository

    T = TypeVar("T")

_HINT = "set core.editor with git config"


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
        raise EditorError(f"expected UTF-8 from the editor, byte {error.start} is not") from error
    return new or ""


def edit_until(repo: Repository, name: str, text: str, take: Callable[[str], T]) -> T:
    """Let the person edit a text until ``take`` makes something of it, and return that.

    A text that was refused is shown with the reason and can be edited again. If the person stops
    there it is kept in a file, where the next edit under the same ``name`` begins; UnfinishedError
    tells so.
    """
    kept = repo.worktree_path("unfinished", f"{name}.md")
    unfinished = read_text(kept)
    if unfinished:
        output.talk("note: this goes on with the text you left unfinished")
    text = unfinished or text
    while True:
        text = edit(repo, text)
        try:
            made = take(text)
        except KnowlError as error:
            replace_file(kept, text)
            if not (can_ask() and _again(error)):
                raise _unfinished(error, kept) from error
        else:
            _forget(kept)
            return made


def _command(repo: Repository) -> str:
    try:
        return editor(repo)
    except GitError as error:
        raise EditorError(f"no editor is set: {error.message}", _HINT) from error


def _unfinished(error: KnowlError, kept: str) -> UnfinishedError:
    hints = filter(None, (error.hint, f"your text is kept in {kept}"))
    unfinished = UnfinishedError(error.message, "; ".join(hints))
    unfinished.exit_code = error.exit_code
    return unfinished


def _again(error: KnowlError) -> bool:
    output.talk(f"error: {error.message}")
    if error.hint:
        output.talk(f"hint: {error.hint}")
    return confirm("Edit it again")


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
