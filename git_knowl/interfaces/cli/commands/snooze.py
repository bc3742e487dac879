"""`git knowl snooze`: leave a suspect entry out of the daily round until a date."""

import click

from git_knowl.interfaces.cli.options import json_option, written
from git_knowl.interfaces.door import open_context
from git_knowl.services.snooze import snooze


@click.command()
@click.argument("name")
@click.option("--until", required=True, metavar="DATE", help="Day as YYYY-MM-DD.")
@json_option
def command(name: str, until: str, *, as_json: bool) -> None:
    """Leave a suspect entry out of the daily round until a date.

    Its verdict stays what it is, in lists and for agents. An audit names it in one line with the
    date, counts it apart, never exits for it, and passes it over with --review. This clone alone
    remembers it.

    Example: git knowl snooze cart-doubles --until 2027-01-15
    """
    ctx = open_context()
    done = snooze(ctx, name, until)
    written(ctx, [done.row.id], f"'{done.row.name}' sleeps until {done.until}", as_json=as_json)
