"""A day of an agent by the SDK's own client: flag, capture, a person's review, the next session."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from tests.support.cli import COMMAND, Knowl
from tests.support.people import CART
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.support.builders import RepoBuilder

ENTRY = {
    "name": "cart-doubles",
    "description": "Read before touching prices: above three pieces they double",
    "type": "project",
    "body": "Above three pieces the price doubles. Why: two suppliers share an order.",
    "anchors": [CART],
}


def visit(folder: Path, talk: Callable[[Client], Awaitable[None]], mode: str = "auto") -> None:
    """Let a client of the SDK talk with a server of its own in a folder."""
    parameters = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "mcp"],
        cwd=str(folder),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    async def session() -> None:
        async with Client(stdio_client(parameters, errlog=sys.__stderr__), mode=mode) as client:
            await talk(client)

    anyio.run(session)


async def tool(client: Client, name: str, /, **given: Any) -> str:
    result = await client.call_tool(name, given)
    assert not result.is_error, result
    (content,) = result.content
    return str(content.text)


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-"), ("legacy", "2025-")])
def test_flag_capture_review_and_the_next_session_knows(
    repo: RepoBuilder, knowl: Knowl, mode: str, version: str
) -> None:
    async def first(client: Client) -> None:
        assert client.protocol_version.startswith(version)
        assert "knowledge_flag" in (client.instructions or "")
        listed = await client.list_tools()
        assert len(listed.tools) == 5
        said = await tool(client, "knowledge_flag", summary="above three it doubles", paths=[
            "lib/cart.ts"], cue="surprise")  # fmt: skip
        flag = said.split()[1]
        assert flag in await tool(client, "knowledge", mode="capture")
        items = [{"kind": "capture", "flags": [flag], "entry": ENTRY}]
        assert "draft " in await tool(client, "knowledge", mode="capture", items=items)
        assert "Nothing fits" in await tool(client, "knowledge_search", query="why does it double")

    async def second(client: Client) -> None:
        assert "cart-doubles" in await tool(client, "knowledge_search", query="price doubles")
        assert "two suppliers" in await tool(client, "knowledge_read", name="cart-doubles")
        assert "cart-doubles" in await tool(client, "knowledge_why", path="lib/cart.ts")
        resources = await client.list_resources()
        assert [one.name for one in resources.resources] == ["index", "cart-doubles"]
        templates = await client.list_resource_templates()
        assert len(templates.resource_templates) == 1
        for one in resources.resources:
            (content,) = (await client.read_resource(one.uri)).contents
            assert "cart-doubles" in content.text
        refused = await client.call_tool("knowledge_read", {"name": "nobody"})
        assert refused.is_error
        with pytest.raises(MCPError):
            await client.read_resource("knowl://entry/nobody")

    visit(repo.path, first, mode)
    (draft,) = knowl.json("inbox")["drafts"]
    knowl.ok("review", "--accept", draft["id"], "--reviewer", "Ada <ada@example.org>")
    (flag,) = knowl.json("inbox")["flags"]
    assert flag["host"] == "mcp"
    assert flag["outcome"] == "captured as cart-doubles"
    visit(repo.path, second, mode)
