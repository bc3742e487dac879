"""`git knowl completion`: what a shell needs to complete verbs and options."""

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from git_knowl.interfaces.cli.table import COMPLETE

SHELLS: dict[str, type[ShellComplete]] = {
    "bash": BashComplete,
    "zsh": ZshComplete,
    "fish": FishComplete,
}
PROGRAM = "git-knowl"

#: git's own completion asks a function of this name; it tells the words and their number.
FOR_GIT = """
_git_knowl () {
    local at=${__git_cmd_idx:-1} kind value
    COMPREPLY=()
    while IFS=, read -r kind value; do
        [ "$kind" = plain ] && COMPREPLY+=("$value ")
    done < <(env COMP_WORDS="git-knowl ${words[*]:at+1}" COMP_CWORD=$((cword - at)) \\
        %s=bash_complete git-knowl)
}
"""


@click.command()
@click.argument("shell", type=click.Choice(tuple(SHELLS)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    It completes 'git-knowl'; the one for bash completes 'git knowl' too, where git's own completion
    is loaded.

    Example: git knowl completion bash >> ~/.bashrc
    """
    script = SHELLS[shell](ctx.find_root().command, {}, PROGRAM, COMPLETE).source()
    click.echo(script + (FOR_GIT % COMPLETE if shell == "bash" else ""), nl=False)
