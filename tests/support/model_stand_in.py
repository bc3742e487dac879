"""A stand-in for the model of a coding agent, on the loopback interface.

It speaks two streamed protocols (Messages, Responses). The first turn of a conversation asks for
one tool call, the next one ends it. Every request body goes into a file, a JSON object a line. It
runs as a process of its own, for the tests themselves may open no socket; the first line it prints
is its port, and it ends with its standard input.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.seal import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Events = list[tuple[str, dict[str, Any]]]
#: Names under which a host offers its shell, and what each takes.
SHELLS: dict[str, Callable[[str], dict[str, Any]]] = {
    "exec_command": lambda line: {"cmd": line},
    "shell_command": lambda line: {"command": line},
    "shell": lambda line: {"command": ["bash", "-lc", line]},
}


class Handler(BaseHTTPRequestHandler):
    """One request of an agent program."""

    protocol_version = "HTTP/1.1"
    log = ""
    path_to_read = ""
    line = ""

    def do_HEAD(self) -> None:
        """Answer a question whether somebody is here."""
        self.plain({})

    def do_GET(self) -> None:
        """Answer questions about models and features with nothing."""
        self.plain({"data": [], "models": []})

    def do_POST(self) -> None:
        """Answer a turn."""
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        with Path(self.log).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"path": self.path, "body": body}) + "\n")
        if "/messages" in self.path and "count_tokens" not in self.path:
            self.stream(messages(body, self.path_to_read, self.line))
        elif "/responses" in self.path:
            self.stream(responses(body, self.line))
        else:
            self.plain({"input_tokens": 5})

    def plain(self, value: dict[str, Any]) -> None:
        """Send one JSON object."""
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, events: Events) -> None:
        """Send events as a stream, and end it."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            told = json.dumps({**data, "type": name})
            self.wfile.write(f"event: {name}\ndata: {told}\n\n".encode())
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Say nothing."""


def messages(body: dict[str, Any], path: str, line: str) -> Events:
    """Return a turn of the Messages protocol: use a tool, or say that it is done."""
    name, given = ("Read", {"file_path": path}) if path else ("Bash", {"command": line})
    tools = {tool.get("name") for tool in body.get("tools") or ()}
    asks = name in tools and "tool_result" not in json.dumps(body.get("messages"))
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": "done"}
    if asks:
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
    usage = {"input_tokens": 5, "output_tokens": 1}
    start: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "m"}
    start |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    end = {"stop_reason": "tool_use" if asks else "end_turn", "stop_sequence": None}
    return [
        ("message_start", {"message": start}),
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": end, "usage": {"output_tokens": 3}}),
        ("message_stop", {}),
    ]


def responses(body: dict[str, Any], line: str) -> Events:
    """Return a turn of the Responses protocol."""
    shell = next(
        (tool["name"] for tool in body.get("tools") or () if tool.get("name") in SHELLS), ""
    )
    said = [{"type": "output_text", "text": "done"}]
    item: dict[str, Any] = {"type": "message", "id": "i", "role": "assistant", "content": said}
    if shell and "function_call_output" not in json.dumps(body.get("input")):
        given = json.dumps(SHELLS[shell](line))
        item = {"type": "function_call", "id": "f", "call_id": "c1", "name": shell,
                "arguments": given}  # fmt: skip
    usage = {"input_tokens": 5, "input_tokens_details": None, "output_tokens": 3,
             "output_tokens_details": None, "total_tokens": 8}  # fmt: skip
    return [
        ("response.created", {"response": {"id": "r"}}),
        ("response.output_item.done", {"item": item}),
        ("response.completed", {"response": {"id": "r", "usage": usage}}),
    ]


@contextmanager
def stand_in(log: Path, *, read: str = "", line: str = "") -> Iterator[int]:
    """Run a stand-in whose one tool call reads a file or runs a command, and yield its port."""
    argv = [sys.executable, "-m", "tests.support.model_stand_in", str(log), read, line]
    child = subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        yield int(child.stdout.readline())
    finally:
        child.communicate()


def main() -> None:
    """Serve until standard input ends."""
    Handler.log, Handler.path_to_read, Handler.line = sys.argv[1:4]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
