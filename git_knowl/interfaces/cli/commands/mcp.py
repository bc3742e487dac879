"""`git knowl mcp`: the server for agents whose host speaks the Model Context Protocol."""

import click

from git_knowl.errors import KnowlError

#: Packages the extra brings in; anything else that is missing is a fault of ours.
EXTRA = ("anyio", "mcp", "mcp_types")


class ExtraMissing(KnowlError):
    """The SDK is not installed."""


@click.command()
def command() -> int:
    """Serve an agent over standard input and output.

    Hosts start it by themselves, in the folder they work in. It offers tools to flag, search, read
    and ask what rests on a file, and hands out what a capture, an update, a retirement or an audit
    needs. What comes back are flags and drafts: no tool lets a text in.

    Example: git knowl mcp
    """
    try:
        from git_knowl.interfaces.mcp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        raise ExtraMissing(
            f"the package '{error.name}' is not installed, and 'git knowl mcp' needs it",
            "pip install 'git-knowl[mcp]'",
        ) from error
    return serve()
