"""`git knowl init`: prepare this repository."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.hooks_text import program, tell
from git_knowl.interfaces.door import open_context
from git_knowl.services.setup import init


@click.command()
@click.option("--no-hooks", is_flag=True, help="Install no git hooks.")
def command(*, no_hooks: bool) -> None:
    """Prepare this repository.

    Needed by no other verb, and harmless to repeat. It fetches the store of the remote where there
    is one, installs the git hooks beside those of others, keeps the refs of the store out of 'git
    log --decorate' where your settings would show them, and says what it did.

    Example: git knowl init
    """
    ctx = open_context()
    done = init(ctx, None if no_hooks else program())
    output.notices(ctx.repo)
    for sentence in done.done:
        output.talk(sentence)
    if done.hooks is not None:
        tell(done.hooks)
    elif not done.done:
        output.talk("nothing has to be set up")
