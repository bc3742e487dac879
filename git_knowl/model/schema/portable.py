"""A schema as hosts of agents can read it, smaller than what a payload is checked with.

Hosts hand tools on to models whose services take a part of JSON Schema only: no references, no
alternatives, no formats of ours, no list of types. Of alternatives the first one is published; the
others still pass the check. What every text has in common is left out: a list of tools is read in
every session, used or not.
"""

from collections.abc import Mapping
from typing import Any

from git_knowl.model.schema.words import ONE_LINE, PROSE

#: What says nothing to a model, or is refused by a service that hands tools on to one.
DROPPED = frozenset(
    ("$defs", "$id", "$schema", "default", "discriminator", "format", "minLength", "title")
)
#: Formats whose description is the same at every field.
COMMON = frozenset((ONE_LINE, PROSE))
ALTERNATIVES = ("oneOf", "anyOf")

Schema = Mapping[str, Any]


def portable(schema: Schema) -> dict[str, Any]:
    """Return a schema without references, alternatives and what only our own check knows."""
    return _plain(schema, schema.get("$defs", {}))


def _plain(schema: Schema, definitions: Schema) -> dict[str, Any]:
    found = _chosen(schema, definitions)
    made = {key: value for key, value in found.items() if key not in DROPPED}
    if found.get("format") in COMMON or "properties" in made:
        made.pop("description", None)
    if isinstance(made.get("type"), list):
        made["type"] = made["type"][0]
    if "enum" in made:
        made["enum"] = [choice for choice in made["enum"] if choice is not None]
    if "\\" in made.get("pattern", ""):  # engines differ in what they let a backslash escape
        del made["pattern"]
    if "properties" in made:
        fields = made["properties"].items()
        made["properties"] = {name: _plain(field, definitions) for name, field in fields}
    for key in ("items", "additionalProperties"):
        if isinstance(made.get(key), Mapping):
            made[key] = _plain(made[key], definitions)
    return made


def _chosen(schema: Schema, definitions: Schema) -> Schema:
    """Follow references, and of alternatives the first, until a schema says its type itself."""
    while True:
        reference = schema.get("$ref")
        branches = next((schema[key] for key in ALTERNATIVES if key in schema), None)
        if reference is not None:
            schema = definitions[reference.rpartition("/")[2]]
        elif branches is not None:
            schema = branches[0]
        else:
            return schema
