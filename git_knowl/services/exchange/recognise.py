"""What the files below a path are: recognised by their names, and by what stands in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from git_knowl.model.entry import LANES
from git_knowl.services.exchange.decisions import (
    DECISIONS,
    is_aside,
    is_record_name,
    read_decisions,
)
from git_knowl.services.exchange.export import JSON, MARKDOWN
from git_knowl.services.exchange.export_files import JSON_FILE, SUFFIX
from git_knowl.services.exchange.found import Found, ImportPathError
from git_knowl.services.exchange.memory import MEMORY, is_index, read_memory
from git_knowl.services.exchange.own_files import (
    is_json_export,
    json_files,
    read_documents,
    read_json,
)
from git_knowl.services.exchange.rules import FOLDERS, RULES, is_rules_file, read_rules
from git_knowl.services.exchange.walk import Place, files, open_place

READERS: dict[str, Callable[[Place], Iterator[Found]]] = {
    MARKDOWN: read_documents,
    JSON: read_json,
    MEMORY: read_memory,
    RULES: read_rules,
    DECISIONS: read_decisions,
}
FORMS = tuple(READERS)


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a path holds: its form, and how to read it."""

    place: Place
    form: str

    def read(self) -> Iterator[Found]:
        """Yield what every file holds; raises ImportPathError where there is none."""
        is_empty = True
        for found in READERS[self.form](self.place):
            is_empty = False
            yield found
        if is_empty:
            name = os.path.relpath(self.place.full, self.place.cwd)
            raise ImportPathError(
                f"'{name}' holds no {self.form} document", "name another with --from"
            )


def recognise(cwd: str, path: str, top: str | None, form: str | None) -> Recognised:
    """Return what a path holds, as the caller says or as it looks.

    Raises ImportPathError for a path that is nothing, or two things at once.
    """
    place = open_place(cwd, path, top)
    if form is None:
        form = form_of_folder(place, path) if place.is_folder else form_of_file(path)
    return Recognised(place, form)


def form_of_file(path: str) -> str:
    """Return what a file is by its name."""
    name = os.path.basename(path)
    if name.endswith(".json"):
        return JSON
    if is_index(name):
        return MEMORY
    if is_rules_file(name):
        return RULES
    return DECISIONS if is_record_name(name) else MARKDOWN


def form_of_folder(place: Place, path: str) -> str:
    """Return what a folder holds; an export comes first, then what has an index or a name."""
    names = list(listed(place))
    exports = list(filter(is_json_export, json_files(place)))
    if exports:
        refuse_two(path, exports, names)
        return JSON
    if any(map(is_exported, names)):
        return MARKDOWN
    if not names and any(map(is_named_like_export, json_files(place))):
        return JSON
    return form_of_names(place, names)


def refuse_two(path: str, exports: list[str], names: list[str]) -> None:
    """Raise ImportPathError where more than one file of an export is in a folder."""
    if len(exports) > 1 or any(file.endswith(SUFFIX) for file in names):
        raise ImportPathError(
            f"'{path}' holds {shown(exports)} of 'git knowl export' and other documents",
            f"name the file, or say with --from which of them is meant: {JSON} or {MARKDOWN}",
        )


def form_of_names(place: Place, names: list[str]) -> str:
    """Return what the files of a folder are that no export wrote."""
    bases = [os.path.basename(file) for file in names]
    top = [os.path.basename(file) for file in names if os.path.dirname(file) == place.full]
    if any(map(is_index, bases)):
        return MEMORY
    if is_rules_folder(place) or any(map(is_rules_file, top)):
        return RULES
    markdown = [name for name in top if name.endswith(SUFFIX) and not is_aside(name)]
    if are_records(top, markdown):
        return DECISIONS
    return RULES if not markdown and any(map(is_rules_file, bases)) else MARKDOWN


def is_rules_folder(place: Place) -> bool:
    """Tell whether a folder is called as one that holds rules."""
    return os.path.basename(place.full).lower() in FOLDERS


def are_records(names: list[str], documents: list[str]) -> bool:
    """Tell whether half of the documents, among all names, are called like decision records."""
    records = sum(map(is_record_name, names))
    return bool(records) and 2 * records >= len(documents)


def listed(place: Place) -> Iterator[str]:
    """Yield the files of a folder that some reader would take."""
    return files(place, lambda name: name.endswith(SUFFIX) or is_rules_file(name))


def is_exported(file: str) -> bool:
    """Tell whether a document stands where an export puts it."""
    return file.endswith(SUFFIX) and os.path.basename(os.path.dirname(file)) in LANES


def is_named_like_export(file: str) -> bool:
    """Tell whether a file has the name of an export: a broken one is told as such."""
    return os.path.basename(file) == JSON_FILE


def shown(exports: list[str]) -> str:
    """Return the names of files in a message."""
    return ", ".join(os.path.basename(file) for file in exports[:3])
