"""`git knowl init`: prepare this repository."""

import os

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.hooks_text import program, tell
from git_knowl.interfaces.door import current_folder, open_context
from git_knowl.interfaces.hosts import detect
from git_knowl.services.setup import init

NOTHING = "nothing has to be set up"


@click.command()
@click.option("--no-hooks", is_flag=True, help="Install no git hooks.")
@click.option("--personal", is_flag=False, flag_value="", metavar="[DIR]",
              help="Make your personal store instead, for every repository.  "
              "[default: ~/knowledge.git]")  # fmt: skip
def command(personal: str | None, *, no_hooks: bool) -> None:
    """Prepare this repository.

    Needed by no other verb, and harmless to repeat. It fetches the store of the remote where there
    is one, installs the git hooks beside those of others, keeps the refs of the store out of 'git
    log --decorate' where your settings would show them, and says what it did.

    With --personal it makes a bare repository for what you want of every agent and know of
    libraries you use everywhere, and names it in your global settings (knowl.personal); this
    repository stays as it is, and none is needed.

    Example: git knowl init
    """
    if personal is not None:
        if no_hooks:
            raise click.UsageError("--no-hooks is about this repository, --personal is not")
        tell_done(make_personal(personal))
        return
    ctx = open_context()
    done = init(ctx, None if no_hooks else program())
    output.notices(ctx.repo)
    for sentence in done.done:
        output.talk(sentence)
    if done.hooks is not None:
        tell(done.hooks)
    elif not done.done:
        output.talk(NOTHING)


def make_personal(folder: str) -> list[str]:
    """Make the personal store of whoever asks, and return what was done."""
    from git_knowl.plumbing.outside import Outside
    from git_knowl.services.personal_setup import set_up  # for few

    host, _ = detect(os.environ)
    return set_up(Outside(current_folder(), os.environ), folder, host=host)


def tell_done(done: list[str]) -> None:
    """Say what was done, or that there was nothing to do."""
    for sentence in done or [NOTHING]:
        output.talk(sentence)
