"""A client of the MCP server written from the protocol, and calls of a tool without any client."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import tempfile
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from git_knowl.interfaces.mcp.seat import Seat
from git_knowl.interfaces.mcp.server import answer, use_tool
from tests.support.cli import COMMAND
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Self

VERSION = "2025-06-18"
PATIENCE = 60.0


def seat(folder: Path, client: str = "claude-code", **more: Any) -> Seat:
    """Return where a client sits that was started in a folder."""
    return Seat(
        str(folder), **{"environ": dict(os.environ), "session": "s1", **more}, client=client
    )


def call(place: Seat, tool: str, **given: Any) -> str:
    """Return what a tool answers; a failure fails the test."""
    said, failed = answer(place, partial(use_tool, tool, given))
    assert not failed, said
    return said


def fail(place: Seat, tool: str, **given: Any) -> str:
    """Return what a tool says when it refuses."""
    said, failed = answer(place, partial(use_tool, tool, given))
    assert failed, said
    return said


class Client:
    """JSON lines over the standard streams of a server of its own.

    ``roots`` are answered when the server asks for them; None says that the client has none.
    """

    def __init__(
        self,
        folder: Path,
        env: Mapping[str, str] | None = None,
        name: str = "tester",
        roots: list[str] | None = None,
    ) -> None:
        self.name = name
        self.roots = roots
        self.errors = ""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the client
        self.process = subprocess.Popen(
            [*COMMAND, "mcp"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._next = 0

    def __enter__(self) -> Self:
        self.initialize()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            assert self.close() == 0
            assert self.errors == ""
        else:
            self.process.kill()
            self.close()

    def initialize(self) -> dict[str, Any]:
        """Shake hands, and return what the server says of itself."""
        able = {} if self.roots is None else {"roots": {"listChanged": True}}
        client = {"name": self.name, "version": "1"}
        params = {"protocolVersion": VERSION, "capabilities": able, "clientInfo": client}
        said: dict[str, Any] = self.request("initialize", params)["result"]
        self.notify("notifications/initialized")
        return said

    def write(self, line: bytes) -> None:
        """Send bytes as they are, with a line end."""
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        """Send one message."""
        self.write(json.dumps(message).encode())

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and return its id, without waiting for the answer."""
        self._next += 1
        told = {} if params is None else {"params": params}
        self.send({"jsonrpc": "2.0", "id": self._next, "method": method, **told})
        return self._next

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and return its answer, whatever the server asks meanwhile."""
        number = self.ask(method, params)
        while True:
            said = self.receive()
            if said.get("method") == "roots/list":
                roots = [{"uri": uri} for uri in self.roots or ()]
                self.send({"jsonrpc": "2.0", "id": said["id"], "result": {"roots": roots}})
            elif said.get("id") == number:
                return said

    def receive(self) -> dict[str, Any]:
        """Return the next message; each line of standard output is one."""
        said: dict[str, Any] = json.loads(self._lines.get(timeout=PATIENCE))
        assert said["jsonrpc"] == "2.0"
        return said

    def tool(self, name: str, /, **given: Any) -> str:
        """Call a tool that must succeed, and return its text."""
        result = self.request("tools/call", {"name": name, "arguments": given})["result"]
        assert not result["isError"], result
        return str(result["content"][0]["text"])

    def failing(self, name: str, /, **given: Any) -> str:
        """Call a tool that must fail, and return what it says."""
        result = self.request("tools/call", {"name": name, "arguments": given})["result"]
        assert result["isError"], result
        return str(result["content"][0]["text"])

    def close(self) -> int:
        """Leave; return the exit code. What was written to standard error is in ``errors``."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.process.stdout.close()
        self._errors.seek(0)
        self.errors = self._errors.read().decode("utf-8", "replace")
        self._errors.close()
        return code

    def rest(self) -> list[dict[str, Any]]:
        """Return the messages nobody has received, after the server is gone."""
        return [json.loads(self._lines.get()) for _ in range(self._lines.qsize())]

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)
