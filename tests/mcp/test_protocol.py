"""The server over its streams, by a client written from the protocol: good manners and bad ones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from git_knowl.interfaces.mcp import wire
from tests.support.builders import RepoBuilder
from tests.support.cli import COMMAND
from tests.support.mcp_client import VERSION, Client
from tests.support.people import CART, person, write
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PARSE, REQUEST, METHOD, PARAMS = -32700, -32600, -32601, -32602


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    """Give a repository with two entries, one of them suspect."""
    made = RepoBuilder.start(tmp_path_factory.mktemp("shop"))
    kim = person(made)
    write(kim, "cart-doubles", CART)
    write(kim, "conf-is-read-once", "file:conf.yml")
    made.write("conf.yml", "a: 2\n")
    return made


@pytest.fixture(scope="module")
def server(shop: RepoBuilder) -> Iterator[Client]:
    """Give one client for all; whatever a test sends, the server is there for the next."""
    with Client(shop.path) as client:
        yield client


def error_of(said: dict[str, Any]) -> int:
    return int(said["error"]["code"])


def test_the_handshake_names_versions_tools_resources_and_what_they_are_for(
    shop: RepoBuilder,
) -> None:
    client = Client(shop.path)
    said = client.initialize()

    assert said["protocolVersion"] == VERSION
    assert said["serverInfo"]["name"] == "git-knowl"
    assert {"tools", "resources"} <= set(said["capabilities"])
    assert not {"prompts", "logging"} & set(said["capabilities"])
    assert "knowledge_flag" in said["instructions"]
    assert len(said["instructions"]) < 1_000
    assert client.close() == 0


def test_tools_are_listed_with_closed_schemas_in_a_few_bytes(server: Client) -> None:
    tools = server.request("tools/list")["result"]["tools"]

    assert [tool["name"] for tool in tools] == [
        "knowledge",
        "knowledge_flag",
        "knowledge_search",
        "knowledge_read",
        "knowledge_why",
    ]
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in tools)
    assert [tool["name"] for tool in tools if tool["annotations"]["readOnlyHint"]] == [
        "knowledge_search",
        "knowledge_read",
        "knowledge_why",
    ]
    assert len(json.dumps(tools)) < 9_000


def test_a_call_answers_with_text(server: Client) -> None:
    assert "cart-doubles" in server.tool("knowledge_search", query="cart-doubles")
    assert server.failing("knowledge_read", name="nobody").startswith("error: ")


def test_the_index_and_every_entry_are_resources(server: Client) -> None:
    listed = server.request("resources/list")["result"]["resources"]
    assert [one["uri"] for one in listed] == [
        "knowl://index",
        "knowl://entry/cart-doubles",
        "knowl://entry/conf-is-read-once",
    ]
    templates = server.request("resources/templates/list")["result"]["resourceTemplates"]
    assert [one["uriTemplate"] for one in templates] == ["knowl://entry/{name}"]

    def read(uri: str) -> str:
        (only,) = server.request("resources/read", {"uri": uri})["result"]["contents"]
        assert only["uri"] == uri
        return str(only["text"])

    assert "- conf-is-read-once — Read before touching conf-is-read-once [suspect]" in read(
        "knowl://index"
    )
    assert "Why: two suppliers" in read("knowl://entry/cart-doubles")


@pytest.mark.parametrize(
    "uri",
    [
        "knowl://entry/nobody",
        "knowl://entry/",
        "knowl://entry/%2e%2e%2fx",
        "knowl://entry/%ff%00",
        "knowl://",
        "file:///etc/passwd",
        "",
        "x" * 100_000,
    ],
)
def test_an_address_that_names_nothing_is_an_error(server: Client, uri: str) -> None:
    said = server.request("resources/read", {"uri": uri})

    assert error_of(said) == PARAMS
    assert len(json.dumps(said)) < 4_000


def test_more_entries_than_a_page_come_in_pages(tmp_path: Path) -> None:
    made = RepoBuilder.start(tmp_path)
    kim = person(made)
    for number in range(30):
        write(kim, f"entry-{number:02}", CART)
    found: list[str] = []
    with Client(made.path) as client:
        cursor: dict[str, Any] = {}
        while True:
            page = client.request("resources/list", cursor)["result"]
            found += [one["name"] for one in page["resources"]]
            if "nextCursor" not in page:
                break
            cursor = {"cursor": page["nextCursor"]}
        assert client.request("resources/list", {"cursor": "zzz"})["result"]["resources"] == []

    assert found == ["index", *(f"entry-{number:02}" for number in range(30))]


def test_ping_is_answered(server: Client) -> None:
    assert server.request("ping")["result"] == {}


@pytest.mark.parametrize(
    "method", ["prompts/list", "sampling/createMessage", "tools/nothing", "", "../../x"]
)
def test_an_unknown_method_is_refused(server: Client, method: str) -> None:
    assert error_of(server.request(method, {})) == METHOD


@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"name": 7},
        {"name": "knowledge_search", "arguments": "query"},
        {"name": "knowledge_search", "arguments": ["query"]},
    ],
)
def test_a_call_of_the_wrong_shape_is_refused(server: Client, params: Any) -> None:
    assert error_of(server.request("tools/call", params)) == PARAMS


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", PARSE),
        (b"hello", PARSE),
        (b"\xff\xfe\x00", PARSE),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"', PARSE),
        (b"[" * 100_000, PARSE),
        (b'{"a":' * 50_000, PARSE),
        (b"[]", REQUEST),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', REQUEST),
        (b"7", REQUEST),
        (b"null", REQUEST),
        (b"{}", REQUEST),
        (b'{"jsonrpc":"1.0","method":"ping"}', REQUEST),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', REQUEST),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', REQUEST),
    ],
)
def test_a_line_that_is_no_message_is_answered_without_an_id(
    server: Client, line: bytes, code: int
) -> None:
    server.write(line)

    said = server.receive()
    assert said["id"] is None
    assert error_of(said) == code
    assert server.request("ping")["result"] == {}


def test_a_broken_request_is_answered_under_its_id(server: Client) -> None:
    server.write(b'{"jsonrpc":"2.0","id":"seven","method":"ping","params":[1]}')

    said = server.receive()
    assert (said["id"], error_of(said)) == ("seven", REQUEST)


def test_a_line_of_any_length_is_refused_and_passed_over(server: Client) -> None:
    big = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y" * 100}})
    server.write(big.encode() + b" " * (3 * wire.MOST_BYTES))

    said = server.receive()
    assert (said["id"], error_of(said)) == (None, REQUEST)
    assert server.request("ping")["result"] == {}


def test_empty_lines_strange_notifications_and_answers_nobody_asked_for_are_passed_over(
    server: Client,
) -> None:
    server.write(b"")
    server.write(b"   \r")
    server.notify("notifications/nothing", {"x": 1})
    server.notify("notifications/cancelled", {"requestId": 99_999})
    server.notify("notifications/cancelled", {"requestId": []})
    server.send({"jsonrpc": "2.0", "id": 12_345, "result": {}})
    server.send({"jsonrpc": "2.0", "id": 12_346, "error": {"code": 1, "message": "no"}})
    server.send({"jsonrpc": "2.0", "id": 12_347, "result": 7})

    assert server.request("ping")["result"] == {}


def test_what_is_cancelled_gets_no_answer_and_holds_up_nothing(server: Client) -> None:
    cancelled = [
        server.ask("tools/call", {"name": "knowledge", "arguments": {"mode": "audit"}})
        for _ in range(3)
    ]
    for number in cancelled:
        server.notify("notifications/cancelled", {"requestId": number})

    said = server.request("ping")
    while "method" in said or said["id"] in cancelled:
        said = server.receive()
    assert said["result"] == {}
    assert "entries" in server.tool("knowledge", mode="audit")


def test_a_request_before_the_handshake_is_refused(shop: RepoBuilder) -> None:
    client = Client(shop.path)

    assert "error" in client.request("tools/call", {"name": "knowledge_search", "arguments": {}})
    client.initialize()
    assert "result" in client.request("tools/list")
    assert client.close() == 0


def test_who_stops_sending_still_gets_every_answer(shop: RepoBuilder) -> None:
    client = Client(shop.path)
    client.initialize()
    asked = [
        client.ask("tools/call", {"name": "knowledge_read", "arguments": {"name": "cart-doubles"}})
        for _ in range(3)
    ]

    assert client.close() == 0
    assert [said["id"] for said in client.rest()] == asked


def test_who_goes_away_without_reading_ends_the_server(shop: RepoBuilder) -> None:
    process = subprocess.Popen(
        [*COMMAND, "mcp"],
        cwd=shop.path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    with process, process.stdin as source, process.stdout as sink:  # type: ignore[union-attr]
        source.write(ping)
        source.flush()
        sink.readline()
        sink.close()
        source.write(ping)
        source.flush()

        assert process.wait(60) == 0
        assert process.stderr
        assert process.stderr.read() == b""


def test_a_client_says_where_it_works_and_where_it_goes_next(
    shop: RepoBuilder, tmp_path: Path
) -> None:
    other = RepoBuilder.start(tmp_path, name="other place")
    write(person(other), "other-entry", CART)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    uris = ["file:///nowhere", "file://far.example.org/x", other.path.as_uri()]

    with Client(elsewhere, roots=uris) as client:
        assert "other-entry" in client.tool("knowledge_search", query="other-entry")
        client.roots = [shop.path.as_uri()]
        client.notify("notifications/roots/list_changed")
        assert "cart-doubles" in client.tool("knowledge_search", query="cart-doubles")


def test_the_folder_of_the_server_decides_among_the_roots_it_is_in(
    shop: RepoBuilder, tmp_path: Path
) -> None:
    other = RepoBuilder.start(tmp_path)

    with Client(shop.path / "lib", roots=[other.path.as_uri(), shop.path.as_uri()]) as client:
        assert "cart-doubles" in client.tool("knowledge_search", query="cart-doubles")


def test_a_client_that_never_says_where_it_works_is_served_all_the_same(
    shop: RepoBuilder,
) -> None:
    with Client(shop.path, roots=[]) as client:
        call = {"name": "knowledge_why", "arguments": {"path": "lib/cart.ts"}}
        number = client.ask("tools/call", call)

        assert client.receive()["method"] == "roots/list"
        assert client.receive()["method"] == "notifications/cancelled"
        assert client.receive()["id"] == number
        assert "cart-doubles" in client.tool("knowledge_why", path="lib/cart.ts")


def test_an_interrupt_ends_a_server_that_waits_for_its_client(shop: RepoBuilder) -> None:
    client = Client(shop.path)
    client.initialize()

    client.process.send_signal(signal.SIGINT)

    assert client.process.wait(60) == 130
    client.close()
    assert client.errors == ""


def test_nothing_but_the_protocol_leaves_by_standard_output() -> None:
    script = (
        "import os; from git_knowl.interfaces.mcp.wire import claimed; ours = claimed(1, None);"
        " print('noise', flush=True); os.write(ours, b'told')"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=True)

    assert (done.stdout, done.stderr) == (b"told", b"noise\n")


def test_without_the_sdk_the_command_says_how_to_get_it(shop: RepoBuilder, tmp_path: Path) -> None:
    (tmp_path / "mcp.py").write_text("raise ModuleNotFoundError('no', name='mcp')\n")
    client = Client(shop.path, env={"PYTHONPATH": f"{tmp_path}:{ROOT}"})

    assert client.close() == 1
    told = client.errors
    assert "error: the package 'mcp' is not installed" in told
    assert "hint: pip install 'git-knowl[mcp]'" in told
