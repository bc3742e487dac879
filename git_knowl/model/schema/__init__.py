"""JSON Schemas of what comes in at a door, stands in the store, and goes out with ``--json``.

pydantic models are their source; jsonschema checks payloads with what is published. Both cost more
than all else that prints or reads a payload, so that only what one schema needs is loaded.
"""

from functools import cache
from importlib import import_module
from typing import Any

from git_knowl.errors import KnowlError

DIALECT = "https://json-schema.org/draft/2020-12/schema"
VERSION = 1

#: The model of every schema by the name `git knowl schema` takes; loaded when it is asked for.
MODELS: dict[str, str] = {
    "agents": "outputs_agents.Agents",
    "anchor": "payloads.Anchor",
    "audit": "outputs.Audit",
    "capture": "payloads.Submission",
    "diff": "outputs.Diff",
    "discard": "payloads.Discard",
    "doctor": "outputs.Doctor",
    "draft": "stored.Draft",
    "entry": "stored.Entry",
    "flag": "payloads.Flag",
    "guideline": "payloads.Guideline",
    "health": "outputs.Health",
    "hooks": "outputs.Hooks",
    "import": "outputs_travel.Import",
    "inbox": "outputs.Inbox",
    "log": "outputs.Log",
    "ls": "outputs.Listing",
    "mcp-flag": "tools.Flag",
    "mcp-knowledge": "tools.Knowledge",
    "mcp-read": "tools.Read",
    "mcp-search": "tools.Search",
    "mcp-why": "tools.Why",
    "misses": "outputs_search.Misses",
    "packet": "outputs.Packet",
    "receive": "outputs_travel.Received",
    "retire": "payloads.Retire",
    "search": "outputs_search.Search",
    "send": "outputs_travel.Sent",
    "show": "outputs.Show",
    "stats": "outputs.Stats",
    "status": "outputs.Status",
    "sync": "outputs_sync.Sync",
    "update": "payloads.NamedUpdate",
    "why": "outputs.Listing",
    "write": "outputs.Written",
}


class UnknownSchemaError(KnowlError):
    """A name that no schema has."""


def names() -> list[str]:
    """Return the names of all schemas."""
    return list(MODELS)


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a name; raises UnknownSchemaError."""
    if name not in MODELS:
        raise UnknownSchemaError(
            f"schema: expected one of {', '.join(MODELS)}, got '{name}'",
            "'git knowl schema entry' prints the one of the entry file",
        )
    module, _, model = MODELS[name].partition(".")
    made = _part("generator").generate(getattr(_part(module), model))
    return {"$schema": DIALECT, "$id": f"urn:git-knowl:schema:{VERSION}:{name}", **made}


def check(name: str, payload: object) -> list[str]:
    """Return what is wrong with a payload, each as ``path: expected …, got …``; empty when fine."""
    found: list[str] = _part("messages").messages(_validator(name), payload)
    return found


@cache
def _validator(name: str) -> Any:
    return _part("messages").validator(schema(name))


def _part(module: str) -> Any:
    return import_module(f"{__name__}.{module}")
