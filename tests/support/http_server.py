"""A smart HTTP host on the loopback interface: `git http-backend` behind a small server.

It runs as a process of its own, for the tests themselves may open no socket. The first line it
prints is its port; it ends with its standard input.
"""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHO = "ada:open-sesame"
HEADERS = {"Content-Encoding": "HTTP_CONTENT_ENCODING", "Git-Protocol": "HTTP_GIT_PROTOCOL"}


class Handler(BaseHTTPRequestHandler):
    """One request of a git client, answered by the program git ships for that."""

    protocol_version = "HTTP/1.1"
    root = ""
    secret = ""
    page: str | None = None

    def do_GET(self) -> None:
        """Answer the question which refs there are."""
        self.answer(b"")

    def do_POST(self) -> None:
        """Answer a fetch or a push."""
        self.answer(self.body())

    def answer(self, body: bytes) -> None:
        """Let in who may come in, and pass on what git says; a page stands for all of it."""
        if self.page is not None:
            self.reply(200, {"Content-Type": "text/html"}, self.page.encode())
            return
        if not self.may_enter():
            self.reply(401, {"WWW-Authenticate": 'Basic realm="git"'}, b"")
            return
        done = subprocess.run(
            ["git", "http-backend"],
            env=self.environment(len(body)),
            input=body,
            capture_output=True,
            check=False,
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = (line.split(": ", 1) for line in head.decode("latin-1").split("\r\n"))
        headers = {line[0]: line[1] for line in lines if len(line) == 2}
        self.reply(int(headers.pop("Status", "200").split(" ")[0]), headers, content)

    def may_enter(self) -> bool:
        """Tell whether the client said the secret, where there is one."""
        given = self.headers.get("Authorization", "")
        return (
            not self.secret or given == f"Basic {base64.b64encode(self.secret.encode()).decode()}"
        )

    def environment(self, length: int) -> dict[str, str]:
        """Return what CGI says of the request."""
        asked = urlsplit(self.path)
        told = {name: self.headers[key] for key, name in HEADERS.items() if key in self.headers}
        return {
            **os.environ,
            **told,
            "GIT_PROJECT_ROOT": self.root,
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "ada" if self.secret else "",
            "REMOTE_ADDR": "127.0.0.1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": asked.path,
            "QUERY_STRING": asked.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(length),
        }

    def body(self) -> bytes:
        """Return the whole body, which git sends in chunks when it is long."""
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        data = b""
        while size := int(self.rfile.readline(), 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def reply(self, status: int, headers: dict[str, str], content: bytes) -> None:
        """Send an answer whose length is known."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base
        """Keep quiet."""


@contextmanager
def serve(root: Path, secret: str = "", page: str | None = None) -> Iterator[str]:
    """Serve the repositories of a folder and give the address; a secret keeps others out.

    With a page, that is the answer to every question.
    """
    argv = [sys.executable, "-P", __file__, str(root), secret, *([] if page is None else [page])]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        yield f"http://127.0.0.1:{child.stdout.readline().strip()}"
        child.communicate()


def main() -> None:
    """Serve until standard input ends."""
    Handler.root, Handler.secret = sys.argv[1:3]
    Handler.page = next(iter(sys.argv[3:]), None)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
