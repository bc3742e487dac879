"""Errors of jsonschema in the words of this project: path, what was expected, what was found.

Where a schema offers alternatives (a union), the validator takes the one that the value itself
names, by JSON type and then by ``kind``. So a message is about a field, never about a union.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend

from git_knowl.model.anchor_rules import pathspec_faults
from git_knowl.model.faults import BODY, LINE, path_faults
from git_knowl.model.quoting import shown
from git_knowl.model.schema.words import ONE_LINE, PATHSPEC, PROSE, TREE_PATH

Schema: TypeAlias = Mapping[str, Any]

TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
#: What a keyword of a limit expects, and what counts as found.
LIMITS = {
    "maxLength": "at most {} characters",
    "minItems": "{} or more items",
    "maxItems": "at most {} items",
    "maxProperties": "at most {} keys",
}
BOUNDS = {"minimum": "a number from {} up", "maximum": "at most {}"}

FORMATS = FormatChecker(formats=())


@FORMATS.checks(ONE_LINE)
def _is_one_line(value: object) -> bool:
    return not isinstance(value, str) or (bool(value.strip()) and not LINE.search(value))


@FORMATS.checks(PROSE)
def _is_prose(value: object) -> bool:
    return not isinstance(value, str) or (bool(value.strip()) and not BODY.search(value))


@FORMATS.checks(TREE_PATH)
def _is_tree_path(value: object) -> bool:
    return not isinstance(value, str) or not path_faults("", value)


@FORMATS.checks(PATHSPEC)
def _is_pathspec(value: object) -> bool:
    return not isinstance(value, str) or not pathspec_faults("", value)


def validator(schema: Schema) -> Any:
    """Return what finds the errors of payloads; making it takes longer than a payload does."""
    choose = partial(_chosen, schema.get("$defs", {}))
    keywords = {"oneOf": choose, "anyOf": choose, "pattern": _matched}
    made = extend(Draft202012Validator, keywords)  # type: ignore[no-untyped-call]
    return made(schema, format_checker=FORMATS)


def messages(checker: Any, payload: object) -> list[str]:
    """Return one message for every field of the payload that is not as its `validator` says."""
    found: dict[str, str] = {}
    for error in checker.iter_errors(payload):
        for path, message in _told(error):
            name = ".".join(map(str, path)) or "payload"
            found.setdefault(name, f"{name}: {message}")
    return list(found.values())


def _matched(_: Any, pattern: str, value: object, __: Schema) -> Iterator[ValidationError]:
    """Check a pattern as JSON Schema means it: in Python ``$`` lets a last line end pass."""
    if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), value):
        yield ValidationError("")


def _chosen(
    definitions: Schema, validator: Any, branches: Sequence[Schema], value: object, _: Schema
) -> Iterator[ValidationError]:
    """Check a value against the one branch that it names itself."""
    leaves = [leaf for branch in branches for leaf in _leaves(definitions, branch)]
    typed = [leaf for leaf in leaves if _has_type(validator, leaf, value)]
    named = [leaf for leaf in typed if len(typed) == 1 or _has_kind(validator, leaf, value)]
    if named:
        yield from validator.descend(value, named[0])
    elif typed:
        yield _unknown_kind(typed, value)
    else:
        words = dict.fromkeys(TYPES[leaf["type"]] for leaf in leaves)
        yield ValidationError(f"expected {' or '.join(words)}, got {shown(value)}")


def _unknown_kind(leaves: Sequence[Schema], value: Any) -> ValidationError:
    kinds = ", ".join(_expected(leaf["properties"]["kind"]) for leaf in leaves)
    found = shown(value["kind"]) if "kind" in value else "nothing"
    return ValidationError(f"expected one of {kinds}, got {found}", path=["kind"])


def _leaves(definitions: Schema, branch: Schema) -> Iterator[Schema]:
    """Yield the schemas a union comes down to, with references followed and unions opened."""
    if "$ref" in branch:
        yield from _leaves(definitions, definitions[branch["$ref"].rpartition("/")[2]])
    elif "oneOf" in branch or "anyOf" in branch:
        for inner in branch.get("oneOf") or branch["anyOf"]:
            yield from _leaves(definitions, inner)
    else:
        yield branch


def _has_type(validator: Any, leaf: Schema, value: object) -> bool:
    found: bool = validator.is_type(value, leaf["type"])
    return found


def _has_kind(validator: Any, leaf: Schema, value: Any) -> bool:
    fits: bool = validator.evolve(schema=leaf["properties"]["kind"]).is_valid(value.get("kind"))
    return fits


def _told(error: Any) -> Iterator[tuple[list[str | int], str]]:
    path = list(error.absolute_path)
    keyword, schema, value = str(error.validator), error.schema, error.instance
    if keyword == "required":
        for key in error.validator_value:
            if key not in value:
                yield [*path, key], f"expected {_expected(schema['properties'][key])}, got nothing"
    elif keyword == "additionalProperties":
        keys = ", ".join(schema["properties"])
        for key in value:
            if key not in schema["properties"]:
                yield [*path, key], f"expected one of the keys {keys}, got {shown(key)}"
    else:
        yield path, _message(error, keyword)


def _message(error: Any, keyword: str) -> str:
    if keyword in ("oneOf", "anyOf"):
        return str(error.message)
    if keyword in LIMITS:
        return (
            f"expected {LIMITS[keyword].format(error.validator_value)}, got {len(error.instance)}"
        )
    if keyword in BOUNDS:
        expected = BOUNDS[keyword].format(error.validator_value)
        return f"expected {expected}, got {error.instance}"
    return f"expected {_expected(error.schema)}, got {shown(error.instance)}"


def _expected(schema: Schema) -> str:
    """Return what a schema asks for: its own words for text of a certain form, else its values."""
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return f"one of {', '.join(str(choice) for choice in schema['enum'] if choice)}"
    kinds = schema.get("type", "object")
    first = kinds if isinstance(kinds, str) else kinds[0]
    return (
        str(schema["description"])
        if first == "string" and "description" in schema
        else TYPES[first]
    )
