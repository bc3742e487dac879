"""`git knowl guide`: the guidance for whoever flags or writes."""

import click

from git_knowl.services import guidance


@click.command()
@click.argument("name", type=click.Choice(guidance.names()), required=False)
def command(name: str | None) -> None:
    """Print the guidance for whoever flags or writes.

    Without a name it lists the topics.

    Example: git knowl guide flag
    """
    topics = "".join(f"{topic}\n" for topic in guidance.names())
    click.echo(topics if name is None else guidance.text(name), nl=False)
