"""A stand-in for the model of a coding agent, on the loopback interface.

It goes through a list of steps (``tests.support.model_protocols``), a step a turn that offers the
tool, whoever asks; the rest of the turns end at once. Every request body goes into a file, a JSON
object a line. It runs as a process of its own, for the tests themselves may open no socket; the
first line it prints is its port, and it ends with its standard input.
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

from tests.support import model_protocols
from tests.support.model_protocols import PROTOCOLS, TOKENS, call_of
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.model_protocols import Body, Call, Events, Step


class Handler(BaseHTTPRequestHandler):
    """One request of an agent program."""

    protocol_version = "HTTP/1.1"
    log = ""
    steps: list[Step] = []  # noqa: RUF012 - one stand-in, one list
    turn = threading.Lock()

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
        with self.turn, Path(self.log).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"path": self.path, "body": body}) + "\n")
        tell = next((PROTOCOLS[part] for part in PROTOCOLS if part in self.path), None)
        if ":generateContent" in self.path:
            self.plain(model_protocols.content(None, TOKENS)[0][1])
        elif tell is None or "count_tokens" in self.path:
            self.plain({"input_tokens": TOKENS, "totalTokens": TOKENS})
        else:
            self.stream(tell(*self.next_step(body)))

    def next_step(self, body: Body) -> tuple[Call | None, int]:
        """Return the tool call of this turn, None to end it, and what the turn cost."""
        with self.turn:
            call = call_of(self.steps[0], body) if self.steps else None
            step = self.steps.pop(0) if call else {}
        return call, step.get("tokens", TOKENS)

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
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(data)}\n\n".encode())
        if "/chat/completions" in self.path:
            self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextmanager
def stand_in(log: Path, *steps: Step) -> Iterator[int]:
    """Run a stand-in that goes through some steps, and yield its port."""
    argv = [sys.executable, "-m", "tests.support.model_stand_in", str(log), json.dumps(steps)]
    child = subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        yield int(child.stdout.readline())
    finally:
        child.communicate()


def main() -> None:
    """Serve until standard input ends."""
    Handler.log = sys.argv[1]
    Handler.steps = json.loads(sys.argv[2])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
