"""`git knowl tour`: the whole loop on a throw-away clone."""

import os

import click

from git_knowl.interfaces.cli.tour import tour
from git_knowl.plumbing.repository import discover


@click.command()
def command() -> None:
    """Play the whole loop on a throw-away clone of this repository.

    Two worktrees, a flag, a capture, a review, and a change that makes the entry suspect in one
    worktree and not in the other. Every command is shown with what it prints. Your repository is
    only read: the clone borrows its commits and is gone afterwards.

    Example: git knowl tour
    """
    tour(discover(os.getcwd(), os.environ), os.environ)
