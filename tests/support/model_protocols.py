"""How the models of coding agents are asked, and how they answer: five protocols, as streams.

A step is what the model does in one turn: ``tools`` has the names under which the hosts offer a
tool, each with what it is given there (the first one on offer is used), and ``tokens`` is what the
turn is said to have cost, which makes a host compact. Without a step the model says that it is
done.
"""

from __future__ import annotations

import itertools
import json
from typing import Any, NamedTuple

Step = dict[str, Any]
Body = dict[str, Any]
#: (name of the event, '' where the protocol has none; data).
Events = list[tuple[str, dict[str, Any]]]
DONE = "done"
TOKENS = 5
#: Each tool call has an id of its own.
COUNT = itertools.count(1)


class Call(NamedTuple):
    """One use of a tool; some hosts keep tools in a space of their own."""

    name: str
    given: dict[str, Any]
    space: str = ""


def reads(path: str, **more: Any) -> Step:
    """Return the step that reads a file."""
    names = {"Read": "file_path", "read_file": "file_path", "view": "path", "read": "filePath"}
    return {"tools": {tool: {key: path} for tool, key in names.items()}, **more}


def runs(line: str, **more: Any) -> Step:
    """Return the step that runs a command line."""
    plain = {"command": line, "description": "a command"}
    tools: dict[str, dict[str, Any]] = {
        "exec_command": {"cmd": line},
        "shell_command": {"command": line},
        "shell": {"command": ["bash", "-lc", line]},
    }
    tools |= dict.fromkeys(("Bash", "bash", "run_shell_command"), plain)
    return {"tools": tools, **more}


def helps(task: str) -> Step:
    """Return the step that starts a subagent."""
    told = {"description": "a task", "prompt": task}
    return {
        "tools": {
            "Task": {**told, "subagent_type": "general-purpose"},
            "Agent": {**told, "subagent_type": "general-purpose"},
            "spawn_agent": {"message": task},
            "task": {**told, "name": "look", "agent_type": "general-purpose",
                     "subagent_type": "general", "mode": "sync"},
        }
    }  # fmt: skip


def offered(body: Body) -> dict[str, str]:
    """Return the tools a request offers, in any of the protocols, each with its space."""
    found: dict[str, str] = {}
    for tool in body.get("tools") or ():
        space = tool.get("name", "") if tool.get("type") == "namespace" else ""
        inner = [*tool.get("functionDeclarations", ()), *tool.get("tools", ())]
        for one in (*inner, tool.get("function"), tool):
            if isinstance(one, dict) and "name" in one:
                found[one["name"]] = space
    return found


def call_of(step: Step, body: Body) -> Call | None:
    """Return the first tool of a step that a request offers, with what it is given."""
    spaces = offered(body)
    asked = step.get("tools", {}).items()
    return next((Call(name, given, spaces[name]) for name, given in asked if name in spaces), None)


def messages(call: Call | None, tokens: int) -> Events:
    """Return a turn of the Messages protocol."""
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": DONE}
    if call:
        block = {"type": "tool_use", "id": f"toolu_{next(COUNT)}", "name": call.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.given)}
    usage = {"input_tokens": tokens, "output_tokens": 1}
    start: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "m"}
    start |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    end = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    events: Events = [
        ("message_start", {"message": start}),
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": end, "usage": {"output_tokens": 3}}),
        ("message_stop", {}),
    ]
    return [(name, {**data, "type": name}) for name, data in events]


def responses(call: Call | None, tokens: int) -> Events:
    """Return a turn of the Responses protocol."""
    said = [{"type": "output_text", "text": DONE}]
    item: dict[str, Any] = {"type": "message", "id": "i", "role": "assistant", "content": said}
    if call:
        item = {"type": "function_call", "id": "f", "call_id": f"c{next(COUNT)}",
                "name": call.name, "arguments": json.dumps(call.given)}  # fmt: skip
        item |= {"namespace": call.space} if call.space else {}
    usage = {"input_tokens": tokens, "input_tokens_details": None, "output_tokens": 3,
             "output_tokens_details": None, "total_tokens": tokens + 3}  # fmt: skip
    events: Events = [
        ("response.created", {"response": {"id": "r"}}),
        ("response.output_item.done", {"item": item}),
        ("response.completed", {"response": {"id": "r", "usage": usage}}),
    ]
    return [(name, {**data, "type": name}) for name, data in events]


def content(call: Call | None, tokens: int) -> Events:
    """Return a turn of the Gemini API."""
    part: dict[str, Any] = {"text": DONE}
    if call:
        part = {"functionCall": {"name": call.name, "args": call.given}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 3, "totalTokenCount": tokens + 3}
    return [("", {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"})]


def completions(call: Call | None, tokens: int) -> Events:
    """Return a turn of the Chat Completions protocol."""
    said: dict[str, Any] = {"role": "assistant", "content": DONE}
    if call:
        told = {"name": call.name, "arguments": json.dumps(call.given)}
        asked = {"index": 0, "id": f"call_{next(COUNT)}", "type": "function", "function": told}
        said = {"role": "assistant", "content": None, "tool_calls": [asked]}
    usage = {"prompt_tokens": tokens, "completion_tokens": 3, "total_tokens": tokens + 3}
    end = "tool_calls" if call else "stop"
    made = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    parts = ({"delta": said, "finish_reason": None}, {"delta": {}, "finish_reason": end})
    first, last = ({**made, "choices": [{"index": 0, **part}]} for part in parts)
    return [("", first), ("", {**last, "usage": usage})]


#: Part of the path of a request -> how its turn is told.
PROTOCOLS = {
    "/messages": messages,
    "/responses": responses,
    "GenerateContent": content,
    "/chat/completions": completions,
}
