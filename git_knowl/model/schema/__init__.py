"""JSON Schemas of what comes in at a door, stands in the store, and goes out with ``--json``.

pydantic models are their source; jsonschema checks payloads with what is published.
"""

from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from git_knowl.errors import KnowlError
from git_knowl.model.schema import outputs, payloads, stored
from git_knowl.model.schema.messages import messages

DIALECT = "https://json-schema.org/draft/2020-12/schema"
VERSION = 1

#: Every schema by the name `git knowl schema` takes.
MODELS: dict[str, type[BaseModel]] = {
    "anchor": payloads.Anchor,
    "audit": outputs.Audit,
    "capture": payloads.Submission,
    "diff": outputs.Diff,
    "discard": payloads.Discard,
    "draft": stored.Draft,
    "entry": stored.Entry,
    "flag": payloads.Flag,
    "guideline": payloads.Guideline,
    "inbox": outputs.Inbox,
    "log": outputs.Log,
    "ls": outputs.Listing,
    "packet": outputs.Packet,
    "retire": payloads.Retire,
    "search": outputs.Search,
    "show": outputs.Show,
    "stats": outputs.Stats,
    "status": outputs.Status,
    "update": payloads.NamedUpdate,
    "why": outputs.Listing,
    "write": outputs.Written,
}


class UnknownSchemaError(KnowlError):
    """A name that no schema has."""


class _Generator(GenerateJsonSchema):
    """Schemas short enough for an agent's packet: no title per field, ``null`` as one more type."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave the title out: it repeats the key."""
        del schema
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> dict[str, Any]:
        """Return the schema of a value or null, without a union where a list of types will do."""
        inner = self.generate_inner(schema["schema"])
        if "type" not in inner:
            return super().nullable_schema(schema)
        choices = {"enum": [*inner["enum"], None]} if "enum" in inner else {}
        return {**inner, **choices, "type": [inner["type"], "null"]}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> dict[str, Any]:
        """Leave out a default of null: a key that is not required says as much."""
        made = super().default_schema(schema)
        return {key: value for key, value in made.items() if key != "default" or value is not None}


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
    made = MODELS[name].model_json_schema(schema_generator=_Generator)
    return {"$schema": DIALECT, "$id": f"urn:git-knowl:schema:{VERSION}:{name}", **made}


def check(name: str, payload: object) -> list[str]:
    """Return what is wrong with a payload, each as ``path: expected …, got …``; empty when fine."""
    return messages(schema(name), payload)
