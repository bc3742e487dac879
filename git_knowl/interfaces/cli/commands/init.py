"""`git knowl init`: prepare this repository."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.door import open_context
from git_knowl.services.setup import init


@click.command()
@click.option("--no-hooks", is_flag=True, help="Install no hooks (this version installs none).")
def command(*, no_hooks: bool) -> None:
    """Prepare this repository.

    Needed by no other verb, and harmless to repeat. It keeps the refs of the store out of
    'git log --decorate' where your settings would show them, and says what it did.

    Example: git knowl init
    """
    del no_hooks
    for sentence in init(open_context()).done or ("nothing has to be set up",):
        output.talk(sentence)
