"""The server: the protocol by the official SDK, one service call for every question.

Questions are answered one after another in a thread, so that pings and cancellations are heard
meanwhile; nothing is remembered between two of them but who asks.
"""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import anyio
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from git_knowl import __version__
from git_knowl.errors import KnowlError
from git_knowl.interfaces.clock import clock
from git_knowl.interfaces.door import current_folder
from git_knowl.interfaces.mcp import resources, text
from git_knowl.interfaces.mcp.seat import Seat, opened, root_folders, take_seat
from git_knowl.interfaces.mcp.tools import INSTRUCTIONS, TOOLS
from git_knowl.interfaces.mcp.wire import wire
from git_knowl.interfaces.report import save_report
from git_knowl.model import schema
from git_knowl.model.schema.portable import portable
from git_knowl.services.context import Context

NAME = "git-knowl"
MARKDOWN = "text/markdown"
#: How long a client may take to say which folders it works in.
ROOTS_SECONDS = 3.0

Asked: TypeAlias = ServerRequestContext[Any, Any]


class UnknownToolError(KnowlError):
    """A tool nobody offers."""


class ToolArgumentsError(KnowlError):
    """Arguments that are not as the schema of the tool says."""


class Desk:
    """Takes the questions of one client; ``seat`` is where it sits as far as is known."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._knows_roots = False
        self._one_at_a_time = anyio.CapacityLimiter(1)

    async def list_tools(self, asked: Asked, params: Any) -> types.ListToolsResult:
        """Return the tools with what they take."""
        del asked, params
        return types.ListToolsResult(tools=[described(name) for name in TOOLS])

    async def call_tool(
        self, asked: Asked, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Answer a call; what cannot be done is an answer too, with the way out."""
        ask = partial(use_tool, params.name, params.arguments or {})
        said, failed = await self._ask(asked, ask)
        content = types.TextContent(type="text", text=said)
        return types.CallToolResult(content=[content], is_error=failed)

    async def list_resources(
        self, asked: Asked, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return the index and the entries, a page at a time."""
        after = (params.cursor if params else None) or ""
        found: list[tuple[Any, str | None]] = []
        said, failed = await self._ask(asked, partial(keep_page, found, after))
        if failed:
            raise MCPError(types.INTERNAL_ERROR, said)
        shown, more = found[0]
        entries = [
            types.Resource(
                uri=resources.address(one.row.name),
                name=text.line(one.row.name),
                description=text.line(one.row.description) or None,
                mime_type=MARKDOWN,
            )
            for one in shown
        ]
        index = types.Resource(
            uri=resources.INDEX,
            name="index",
            description="What is known here: one line an entry, what needs checking first",
            mime_type=MARKDOWN,
        )
        return types.ListResourcesResult(
            resources=entries if after else [index, *entries], next_cursor=more
        )

    async def list_templates(self, asked: Asked, params: Any) -> types.ListResourceTemplatesResult:
        """Return how the address of an entry is made."""
        del asked, params
        template = types.ResourceTemplate(
            uri_template=resources.TEMPLATE,
            name="entry",
            description="One entry with its verdict here, its evidence and its text",
            mime_type=MARKDOWN,
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, asked: Asked, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Return the text of the index or of an entry."""
        uri = str(params.uri)
        said, failed = await self._ask(asked, partial(resources.read, uri=uri))
        if failed:
            raise MCPError(types.INVALID_PARAMS, said)
        contents = types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=said)
        return types.ReadResourceResult(contents=[contents])

    async def roots_changed(self, asked: Asked, params: Any) -> None:
        """Ask anew, at the next question, where the client works."""
        del asked, params
        self._knows_roots = False

    async def _ask(self, asked: Asked, ask: Callable[[Context], str]) -> tuple[str, bool]:
        info = asked.session.client_params
        await self._learn_roots(asked)
        seat = replace(self._seat, client=info.client_info.name if info else None)
        return await anyio.to_thread.run_sync(
            partial(answer_and_tidy, seat, ask), limiter=self._one_at_a_time
        )

    async def _learn_roots(self, asked: Asked) -> None:
        """Ask the client once where it works, if it can say; without an answer go on without."""
        able = asked.session.client_capabilities
        if self._knows_roots or not able or not able.roots or not asked.session.can_send_request:
            return
        self._knows_roots = True
        try:
            found = await asked.session.send_request(
                types.ListRootsRequest(),
                types.ListRootsResult,
                request_read_timeout_seconds=ROOTS_SECONDS,
            )
        except (MCPError, ValueError):
            return
        folders = root_folders([str(root.uri) for root in found.roots])
        self._seat = replace(self._seat, roots=folders)


def described(name: str) -> types.Tool:
    """Return a tool as a client lists it."""
    tool = TOOLS[name]
    return types.Tool(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=portable(schema.schema(tool.schema)),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes, destructive_hint=False, open_world_hint=False
        ),
    )


def use_tool(name: str, given: Mapping[str, Any], ctx: Context) -> str:
    """Check what a tool is given, and return what it answers."""
    if name not in TOOLS:
        raise UnknownToolError(f"no tool is called '{name}'", f"there are {', '.join(TOOLS)}")
    faults = schema.check(TOOLS[name].schema, given)
    if faults:
        raise ToolArgumentsError("; ".join(faults), "tools/list shows what it takes")
    return TOOLS[name].answer(ctx, given)


def keep_page(found: list[Any], after: str, ctx: Context) -> str:
    """Put one page of entries into a list, for who needs more than a text."""
    found.append(resources.page(ctx, after))
    return ""


def answer(seat: Seat, ask: Callable[[Context], str]) -> tuple[str, bool]:
    """Ask in the repository as it is now; return the answer, and whether it tells of a failure.

    The server outlives whatever goes wrong in one question.
    """
    try:
        with opened(seat) as ctx:
            said, failed = ask(ctx), False
    except KnowlError as error:
        said, failed = text.error_text(error), True
    except OSError as error:
        said, failed = text.error_text(KnowlError(error.strerror or "the system refused")), True
    except Exception as error:  # noqa: BLE001 - the one broad handler of this door
        said, failed = text.error_text(bug(error)), True
    return said.encode("utf-8", "backslashreplace").decode(), failed


def answer_and_tidy(seat: Seat, ask: Callable[[Context], str]) -> tuple[str, bool]:
    """Answer, and let go of what only the collector finds: a session may last for weeks."""
    said = answer(seat, ask)
    gc.collect()
    return said


def bug(error: Exception) -> KnowlError:
    """Return what is said of an error nobody expected; its report is kept in a file."""
    told = f"this is a bug in git-knowl: {type(error).__name__}"
    try:
        return KnowlError(told, f"please attach {save_report(error, ['mcp'])} to a bug report")
    except OSError:
        return KnowlError(told)


def make_server(desk: Desk) -> Server[Any]:
    """Return the server of the SDK with our answers in it."""
    server: Server[Any] = Server(
        NAME,
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=desk.list_tools,
        on_call_tool=desk.call_tool,
        on_list_resources=desk.list_resources,
        on_list_resource_templates=desk.list_templates,
        on_read_resource=desk.read_resource,
    )
    server.add_notification_handler(
        "notifications/roots/list_changed", types.NotificationParams, desk.roots_changed
    )
    return server


async def run(seat: Seat) -> None:
    """Serve the client on standard input and output until it leaves."""
    server = make_server(Desk(seat))
    async with wire() as (messages, answers):
        await server.run(messages, answers, server.create_initialization_options())


def serve() -> int:
    """Serve one client in the current folder, and return the exit code."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # what a client got wrong it is told
    seat = take_seat(current_folder(), dict(os.environ), clock(), os.urandom(10))
    gc.collect()
    gc.freeze()  # what is loaded by now stays; only what a question leaves behind is looked through
    anyio.run(partial(run, seat))
    return 0
