"""Standard input and output as the protocol uses them: one JSON message a line, and nothing else.

The transport of the SDK reads lines of any length and says nothing to what it cannot read; a client
that sent half a message would wait for ever. So the lines are ours, the protocol is the SDK's.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from io import BufferedReader
from typing import Any, TypeAlias

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp import types
from mcp.shared.message import SessionMessage

#: More than any payload within the limits; keeps a wrong client from filling the memory.
MOST_BYTES = 4 * 1024 * 1024
#: What is raised where the other end of a stream is gone, because the server is about to end.
GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError)
#: So many lines are read before the first of them is taken.
MOST_AHEAD = 4
#: How long an answer may still take after the client has closed its side.
PATIENCE = 60.0

Messages: TypeAlias = tuple[ObjectReceiveStream[Any], ObjectSendStream[Any]]


class Traffic:
    """Which requests wait for their answer, so that none is cut off when a client stops sending."""

    def __init__(self) -> None:
        self._waiting: set[str] = set()
        self._quiet = anyio.Event()

    def came(self, message: Any) -> None:
        """Note a request, or that one is not waited for any more."""
        if isinstance(message, types.JSONRPCRequest):
            self._waiting.add(str(message.id))
        elif getattr(message, "method", "") == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def went(self, message: Any) -> None:
        """Note an answer."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._settle(message.id)

    async def settled(self) -> None:
        """Wait until every request has its answer, though not for ever."""
        with anyio.move_on_after(PATIENCE):
            while self._waiting:
                self._quiet = anyio.Event()
                await self._quiet.wait()

    def _settle(self, identifier: object) -> None:
        self._waiting.discard(str(identifier))
        self._quiet.set()


@asynccontextmanager
async def wire() -> AsyncIterator[Messages]:
    """Give the streams of messages from and to the client on descriptors 0 and 1.

    While they are open, whatever else reads standard input finds its end, and what is printed goes
    to standard error: nothing but the protocol leaves by standard output.
    """
    source, sink = claimed(0, os.O_RDONLY), claimed(1, None)
    to_server, from_client = anyio.create_memory_object_stream[Any](0)
    to_client, from_server = anyio.create_memory_object_stream[Any](0)
    traffic = Traffic()
    async with anyio.create_task_group() as group:
        group.start_soon(receive, source, to_server, to_client.clone(), traffic)
        group.start_soon(send, sink, from_server, traffic, group.cancel_scope)
        yield from_client, to_client
        group.cancel_scope.cancel()


def claimed(number: int, mode: int | None) -> int:
    """Take a standard stream for the protocol, and leave another one in its place."""
    ours = os.dup(number)
    other = os.dup(2) if mode is None else os.open(os.devnull, mode)
    os.dup2(other, number)
    os.close(other)
    return ours


async def receive(
    source: int,
    to_server: ObjectSendStream[Any],
    to_client: ObjectSendStream[Any],
    traffic: Traffic,
) -> None:
    """Pass on what a client sends until it stops; what is no message is answered at once."""
    pump = Pump(source)
    # A daemon: a thread that waits for a client must not keep the program from ending.
    threading.Thread(target=pump.run, daemon=True).start()
    async with to_server, to_client, pump.lines:
        with suppress(*GONE):
            async for line in pump.lines:
                message, refusal = read_message(line)
                if message is not None:
                    traffic.came(message)
                    await to_server.send(SessionMessage(message))
                if refusal is not None:
                    await to_client.send(SessionMessage(refusal))
                pump.taken()
            await traffic.settled()


class Pump:
    """Reads lines in a thread of its own, never more than a few ahead of who takes them."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(MOST_AHEAD)
        self._into, self.lines = anyio.create_memory_object_stream[bytes](MOST_AHEAD)

    def run(self) -> None:
        """Read to the end; a loop that is closed meanwhile takes nothing more."""
        with suppress(RuntimeError):
            with suppress(OSError), open(self._source, "rb") as file:
                while line := bounded_line(file):
                    if line.strip():
                        self._room.acquire()
                        self._loop.call_soon_threadsafe(self._put, line)
            self._loop.call_soon_threadsafe(self._into.close)

    def taken(self) -> None:
        """Make room for one more line."""
        self._room.release()

    def _put(self, line: bytes) -> None:
        with suppress(*GONE):
            self._into.send_nowait(line)


def bounded_line(file: BufferedReader) -> bytes:
    """Return the next line, b"" at the end; of one that is too long only the beginning."""
    line = file.readline(MOST_BYTES + 1)
    rest = line
    while rest and not rest.endswith(b"\n"):
        rest = file.readline(MOST_BYTES + 1)
    return line


def read_message(line: bytes) -> tuple[Any, types.JSONRPCError | None]:
    """Return the message of a line, or the answer to what is none."""
    if len(line) > MOST_BYTES:
        return None, refused(None, types.INVALID_REQUEST, f"expected at most {MOST_BYTES} bytes")
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return None, why_refused(line)
    if isinstance(message, types.JSONRPCNotification) and "id" in json.loads(line):
        return None, why_refused(line)  # a request whose id is none, and it waits for an answer
    return message, None


def why_refused(line: bytes) -> types.JSONRPCError | None:
    """Return the error for a line that is no message; None for an answer nobody understands."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return refused(None, types.PARSE_ERROR, "expected one JSON message a line")
    if isinstance(found, list):
        return refused(None, types.INVALID_REQUEST, "expected one message, not a batch")
    if not isinstance(found, dict):
        return refused(None, types.INVALID_REQUEST, "expected a JSON-RPC 2.0 message")
    if "method" not in found and ("result" in found or "error" in found):
        return None
    identifier = found.get("id")
    is_id = isinstance(identifier, int | str) and not isinstance(identifier, bool)
    return refused(
        identifier if is_id else None, types.INVALID_REQUEST, "expected a JSON-RPC 2.0 message"
    )


def refused(identifier: int | str | None, code: int, message: str) -> types.JSONRPCError:
    """Return an error as the protocol puts it."""
    told = types.ErrorData(code=code, message=message)
    return types.JSONRPCError(jsonrpc="2.0", id=identifier, error=told)


async def send(
    sink: int, messages: ObjectReceiveStream[Any], traffic: Traffic, scope: anyio.CancelScope
) -> None:
    """Write what the server answers; a client that went away ends the server."""
    async with messages:
        async for item in messages:
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await anyio.to_thread.run_sync(write_all, sink, f"{text}\n".encode())
            except OSError:
                scope.cancel()
                return
            traffic.went(item.message)


def write_all(sink: int, data: bytes) -> None:
    """Write bytes to a descriptor, however many calls that takes."""
    view = memoryview(data)
    while view:
        view = view[os.write(sink, view) :]
