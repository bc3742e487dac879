"""From a pydantic model to its JSON Schema, in the short form that is published."""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema


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


def generate(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of a model."""
    return model.model_json_schema(schema_generator=_Generator)
