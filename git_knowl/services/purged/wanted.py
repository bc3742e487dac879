"""What is to be purged: everything of some ids, every place of a text, or what others purged."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model.yaml_writer import write_yaml
from git_knowl.store import layout
from git_knowl.store.purged import PLACEHOLDER, digest_of

#: A shorter text stands in too many places by chance.
SHORTEST = 6
LONGEST = 20_000
#: Fields by which a flag or a draft belongs to an entry, or to a draft that became one.
_BELONGING = ("id", "target", "draft")


class PurgeError(KnowlError):
    """A purge that cannot be done as it was asked for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for: with ids and a text, that text in what belongs to the ids alone.

    ``digests`` name contents that were purged before, here or elsewhere; they stand by themselves,
    with ``descent``, the digests of contents that were made of these.
    """

    ids: frozenset[str] = frozenset()
    text: str = ""
    digests: frozenset[str] = frozenset()
    descent: frozenset[str] = frozenset()
    forms: tuple[bytes, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "forms", forms_of(self.text))

    def is_in_file(self, path: str, data: bytes) -> bool:
        """Tell whether a file of a lane, with its path, is to be purged."""
        if self.digests:
            return digest_of(data) in self.digests or self.is_made_of_it(data)
        return (not self.ids or id_in(path) in self.ids) and self._is_told(path, data)

    def is_made_of_it(self, data: bytes) -> bool:
        """Tell whether a file of a lane was made of one that was purged elsewhere."""
        return bool(self.descent) and digest_of(data) in self.descent

    def is_in_record(self, path: str, data: bytes) -> bool:
        """Tell whether a flag or a draft, with its path in the inbox, is to be purged."""
        if self.digests:
            return False
        belongs = not self.ids or id_in(path) in self.ids or bool(self.ids & ids_of(data))
        return belongs and self._is_told(path, data)

    def is_in(self, data: bytes) -> bool:
        """Tell whether any bytes hold the text, in one of the ways in which it is written."""
        return any(form in data for form in self.forms)

    def _is_told(self, path: str, data: bytes) -> bool:
        return self.is_in(data) or self.text in path if self.forms else bool(self.ids)

    def redacted(self, data: bytes) -> bytes:
        """Return bytes with the placeholder in every place of the text."""
        for form in self.forms:
            data = data.replace(form, PLACEHOLDER.encode())
        return data


def read_wanted_text(text: str) -> str:
    """Return a text to look for as the store would hold it; raises PurgeError for a short one."""
    found = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    if not SHORTEST <= len(found.strip()) <= LONGEST:
        raise PurgeError(
            f"text: expected {SHORTEST} to {LONGEST} characters, got {len(found.strip())}",
            "give the text that leaked, and nothing else; a short one would be found everywhere",
        )
    return found


def forms_of(text: str) -> tuple[bytes, ...]:
    """Return the ways in which documents and records write a text, the longest first."""
    if not text:
        return ()
    yaml = write_yaml({"k": text}).partition(" ")[2].removesuffix("\n")
    if yaml.startswith('"'):
        yaml = yaml[1:-1]
    spelt = {text, yaml, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    found = {form.encode("utf-8", "surrogateescape") for form in spelt}
    return tuple(sorted(found, key=lambda form: (-len(form), form)))


def id_in(path: str) -> str | None:
    """Return the id that the path of an entry, record or side of a conflict names."""
    folder, _, rest = path.partition("/")
    if folder == layout.ENTRIES:
        return (layout.parse_entry_path(path) or (None,))[0]
    if folder in (layout.RETIRED, layout.FLAGS, layout.DRAFTS):
        return layout.parse_record_path(folder, path)
    return rest.partition("/")[0] if folder == layout.CONFLICTS else None


def ids_of(data: bytes) -> set[str]:
    """Return the ids to which a flag or draft belongs; a damaged record belongs to none."""
    try:
        fields: Any = json.loads(data)
    except ValueError:
        return set()
    found = (fields.get(key) for key in _BELONGING) if isinstance(fields, dict) else ()
    return {one for one in found if isinstance(one, str)}
