"""YAML as frontmatter needs it: mappings, lists and four kinds of scalars, nothing that surprises.

Values are built straight from the parser's events: only there can aliases, tags and depth be
refused before anything is expanded, and it takes 0.6 of the time of PyYAML's C loader.
"""

import re
from typing import Any

import yaml

from git_knowl.model.characters import SURROGATE
from git_knowl.model.quoting import shown
from git_knowl.model.yaml_words import LONGEST_KEY, YamlError, resolve

#: Without libyaml PyYAML has only the slower one, which gives the same events.
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

DEEPEST = 32

HALF_CHARACTER = re.compile(f"[{SURROGATE}]")


def read_yaml(text: str) -> Any:
    """Return the value of one YAML document, in which only plain words can be other than text.

    Dates, floats and numbers with leading zeros stay text as written. Raises YamlError.
    """
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=Loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        problem = error.problem or error.context or "no sense"
        raise YamlError(f"broken YAML ({problem})", error.problem_mark) from error
    except yaml.YAMLError as error:
        raise YamlError(f"broken YAML ({str(error).splitlines()[0]})") from error
    return builder.value


class _Builder:
    """A stack of open collections; the innermost takes the next value."""

    def __init__(self) -> None:
        self.value: Any = None
        self._documents = 0
        self._open: list[dict[str, Any] | list[Any]] = []
        self._keys: list[Any] = []

    def take(self, event: yaml.Event) -> None:
        """Add what one event stands for."""
        if isinstance(event, yaml.ScalarEvent):
            self._take_scalar(event)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
            self._keys.pop()
        elif isinstance(event, yaml.AliasEvent):
            raise YamlError("an alias", event.start_mark)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._count_document(event)

    def _count_document(self, event: yaml.DocumentStartEvent) -> None:
        self._documents += 1
        if self._documents > 1:
            raise YamlError("a second document", event.start_mark)

    def _take_scalar(self, event: yaml.ScalarEvent) -> None:
        _refuse_properties(event)
        text = event.value
        if HALF_CHARACTER.search(text):
            raise YamlError("half a character", event.start_mark)
        if self._expects_key():
            self._keys[-1] = self._checked_key(event)
        else:
            self._add(resolve(text) if event.implicit[0] else text)

    def _begin(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent) -> None:
        _refuse_properties(event)
        if self._expects_key():
            raise YamlError("a key that is no text", event.start_mark)
        if len(self._open) == DEEPEST:
            raise YamlError(f"more than {DEEPEST} levels", event.start_mark)
        made: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._add(made)
        self._open.append(made)
        self._keys.append(None)

    def _expects_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1], dict) and self._keys[-1] is None

    def _checked_key(self, event: yaml.ScalarEvent) -> str:
        key: str = event.value
        if key in self._open[-1]:
            raise YamlError(f"the key {shown(key)} for the second time", event.start_mark)
        if len(key) > LONGEST_KEY:
            raise YamlError(f"a key of {len(key)} characters", event.start_mark)
        return key

    def _add(self, value: Any) -> None:
        if not self._open:
            self.value = value
            return
        holder = self._open[-1]
        if isinstance(holder, list):
            holder.append(value)
        else:
            holder[self._keys[-1]] = value
            self._keys[-1] = None


def _refuse_properties(event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
    if event.anchor is not None:
        raise YamlError("a mark for aliases", event.start_mark)
    if event.tag is not None:
        raise YamlError("a YAML tag", event.start_mark)
