"""YAML as entries are stored: two levels of block style, and below them one line per item.

PyYAML's two emitters disagree with each other (libyaml escapes every emoji, the Python one none),
and a rendered entry is a blob whose id every clone must come to alike. So its few forms are
written here, and anything that a reader of YAML 1.1, YAML 1.2 or JSON could take for something
else than text is put in double quotes.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from git_knowl.model.characters import CONTROL, FORMAT, LINE_BREAK, NO_CHARACTER
from git_knowl.model.quoting import shown
from git_knowl.model.yaml_words import LONGEST_KEY, YamlError

#: Text that every parser takes for text, in block and in flow style: letters, ``_`` or ``/`` first,
#: then also digits and the signs that mean nothing. Said by what is left out of the first 161
#: characters; a class of all that is in takes as long to compile as Python to start.
_PLAIN_FIRST = r"[^\x00-.0-@\[-^`{-\xa0]"
_PLAIN_LAST = r"""[^\x00-&*,:=?\[-^`{-\xa0]"""
_PLAIN_INNER = r"""[^\x00-\x1f!-&*,:=?\[-^`{-\xa0]"""
PLAIN = re.compile(f"{_PLAIN_FIRST}(?:{_PLAIN_INNER}*{_PLAIN_LAST})?")
#: Words that some parser takes for a constant, and hex that might be a number in the next clone.
TAKEN = re.compile(r"(?i:y|n|yes|no|on|off|true|false|null)|[0-9a-f]{7,}")
ESCAPED = re.compile(f'["\\\\{CONTROL}{LINE_BREAK}{FORMAT}{NO_CHARACTER}]')
SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def write_yaml(fields: Mapping[str, Any]) -> str:
    """Return a mapping as YAML with LF line ends; the same value always gives the same text.

    Values are text, whole numbers, booleans, null, lists and mappings with text keys; anything
    else raises TypeError, and a key that no reader takes YamlError.
    """
    return "".join(f"{line}\n" for line in _block(fields, nested=False))


def _block(fields: Mapping[str, Any], *, nested: bool) -> list[str]:
    lines: list[str] = []
    for key, value in fields.items():
        name = _key(key)
        if _holds_collections(value):
            lines += [f"{name}:", *_items(value, nested=nested)]
        elif isinstance(value, Mapping) and value and not nested:
            lines += [f"{name}:", *(f"  {line}" for line in _block(value, nested=True))]
        else:
            lines.append(f"{name}: {_flow(value)}")
    return lines


def _holds_collections(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, list | Mapping) for item in value)


def _items(items: Iterable[Any], *, nested: bool) -> Iterable[str]:
    for item in items:
        if nested or not isinstance(item, Mapping) or not item:
            yield f"- {_flow(item)}"
        else:
            first, *others = _block(item, nested=True)
            yield f"- {first}"
            yield from (f"  {line}" for line in others)


def _flow(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(key)}: {_flow(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return _constant(value)


def _constant(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    raise TypeError(shown(value))


def _key(key: str) -> str:
    if len(key) > LONGEST_KEY:
        raise YamlError(f"a key of {len(key)} characters, {shown(key)}")
    return _text(key)


def _text(text: str) -> str:
    if PLAIN.fullmatch(text) and not TAKEN.fullmatch(text) and not ESCAPED.search(text):
        return text
    return f'"{ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    number = ord(character)
    if character in SHORT_ESCAPES:
        return SHORT_ESCAPES[character]
    if number <= ord("\xff"):
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= ord("\uffff") else f"\\U{number:08x}"
