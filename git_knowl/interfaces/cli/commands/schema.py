"""`git knowl schema`: the published JSON Schemas."""

import json

import click

from git_knowl.model import schema


@click.command()
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print a JSON Schema.

    Without a name it lists the names: payloads that come in, documents that are stored, and what
    the reading verbs print with --json.

    Example: git knowl schema capture
    """
    if name is None:
        click.echo("\n".join(schema.names()))
    else:
        click.echo(json.dumps(schema.schema(name), indent=2))
