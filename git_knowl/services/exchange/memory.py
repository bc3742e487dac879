"""The memory folder of a coding agent: an index, MEMORY.md, and a file a topic beside it.

A topic may have frontmatter with name, description and type, or none: then the line of the index
that links to it says what it is about. What the index says by itself is taken apart like rules.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model.text import for_terminal
from git_knowl.services.exchange.found import Foreign, Found, LeftOut, Unreadable
from git_knowl.services.exchange.front import read_front, text_of
from git_knowl.services.exchange.rules import is_rule, rule
from git_knowl.services.exchange.sections import blocks
from git_knowl.services.exchange.walk import Place, files
from git_knowl.services.exchange.wording import (
    cut,
    described,
    first_sentence,
    flat,
    given_description,
    lead_off,
    slug,
    type_of,
)
from git_knowl.services.guideline import HEADING

MEMORY = "memory"
INDEX = "memory.md"
#: Logs from which an agent makes its memory, and what stands for a part of it.
RAW = frozenset(("raw_memories.md", "memory_summary.md"))
RAW_FOLDERS = frozenset(("rollout_summaries",))
#: Types of other programs that are about a person: what a user wants, or is.
ABOUT_PEOPLE = ("feedback", "user")
LINKED = re.compile(
    r"\[[^\]\n]*\]\(<?([^)>\s]+)>?\)|\[\[([^\]|\n]+)[^\]\n]*\]\]|`([^`\n]+\.md)`|(?<![\w/.-])([\w./-]+\.md)\b"
)
MARKUP = re.compile(r"\[[^\]\n]*\]\([^)\n]*\)|\[\[[^\]\n]*\]\]|`[^`\n]*`")
BETWEEN = " \t-\u2014\u2013:*|>"


@dataclass(slots=True)
class Index:
    """What an index says: the rest of the line by topic file, and its own text."""

    hooks: dict[str, str] = field(default_factory=dict)
    own: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def is_index(name: str) -> bool:
    """Tell whether a file is the index of a memory folder by its name."""
    return name.lower() == INDEX


def read_memory(place: Place) -> Iterator[Found]:
    """Yield the topics of every folder with an index; an index that is named stands for its own."""
    if not place.is_folder:
        place = replace(place, full=os.path.dirname(place.full))
    folders: dict[str, list[str]] = {}
    for file in files(place, lambda name: name.endswith(".md")):
        folders.setdefault(os.path.dirname(file), []).append(file)
    roots = [one for one, inside in folders.items() if any(map(is_index_path, inside))]
    for root in roots:
        inner = [file for one in folders if belongs(one, root, roots) for file in folders[one]]
        yield from read_folder(place, root, inner)


def is_index_path(file: str) -> bool:
    """Tell whether a path is that of an index."""
    return is_index(os.path.basename(file))


def belongs(folder: str, root: str, roots: Iterable[str]) -> bool:
    """Tell whether a folder is part of one memory rather than of another inside it."""
    holders = [one for one in roots if f"{folder}/".startswith(f"{one}/")]
    is_raw = any(part in RAW_FOLDERS for part in folder[len(root) :].split("/"))
    return bool(holders) and max(holders, key=len) == root and not is_raw


def read_folder(place: Place, root: str, inner: list[str]) -> Iterator[Found]:
    """Yield the topics of one memory folder, then what its index says itself."""
    index_file = next(filter(is_index_path, inner))
    topics = {os.path.relpath(one, root): one for one in inner if one != index_file}
    try:
        index = read_index(place.read(index_file), topics)
    except KnowlError as error:
        yield Unreadable(place.shown(index_file), error.message)
        index = Index()
    for name, file in topics.items():
        yield from topic(place, file, index.hooks.get(name, ""))
    for target in index.missing:
        shown = for_terminal(target, single_line=True)
        yield LeftOut(place.shown(index_file), f"it links to {shown}, which is not in the folder")
    yield from own_text(place, index_file, "\n".join(index.own))


def read_index(text: str, topics: Mapping[str, str]) -> Index:
    """Return what the lines of an index say of the topics, and the lines about none."""
    index = Index()
    for line in read_front(text)[1].split("\n"):
        targets = [next(filter(None, found)) for found in LINKED.findall(line)]
        name = next(filter(None, (named(target, topics) for target in targets)), None)
        if name is not None and leads(line):
            index.hooks.setdefault(name, hook(line))
        elif any(is_local(target) for target in targets) and leads(line):
            index.missing.append(next(filter(is_local, targets)))
        else:
            index.own.append(line)
    return index


def named(target: str, topics: Mapping[str, str]) -> str | None:
    """Return the topic file that a link means, or None; nothing outside the folder is one."""
    path = posixpath.normpath(target.partition("#")[0])
    return next((one for one in (path, f"{path}.md", f"{slug(path)}.md") if one in topics), None)


def is_local(target: str) -> bool:
    """Tell whether a link goes to a Markdown file on disk."""
    return target.endswith(".md") and "://" not in target


def leads(line: str) -> bool:
    """Tell whether a line is there for its link: it begins with one."""
    return LINKED.match(lead_off(line).lstrip("*_")) is not None


def hook(line: str) -> str:
    """Return what a line of an index says beside its link."""
    rest = MARKUP.sub(" ", lead_off(line))
    return flat(LINKED.sub(" ", rest)).strip(BETWEEN)


def topic(place: Place, file: str, told: str) -> Iterator[Found]:
    """Yield one topic file as a new entry."""
    shown, name = place.shown(file), os.path.basename(file)
    if name.lower() in RAW:
        yield LeftOut(shown, "it is made of the others, or they of it")
        return
    try:
        front, body = read_front(place.read(file))
    except KnowlError as error:
        yield Unreadable(shown, error.message)
        return
    if not body.strip():
        yield LeftOut(shown, "it says nothing")
        return
    yield topic_entry(place, file, {**nested(front), **front}, (body, told))


def nested(front: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stands one level down under ``metadata``, as newer agents write it."""
    found = front.get("metadata")
    return dict(found) if isinstance(found, Mapping) else {}


def topic_entry(place: Place, file: str, front: dict[str, Any], said: tuple[str, str]) -> Foreign:
    """Return a topic as a new entry, from its frontmatter, its body and its line in the index."""
    body, told = said
    stem = os.path.basename(file).removesuffix(".md")
    asked = text_of(front, "type").lower()
    otherwise = "reference" if asked == "reference" else "project"
    kind, hint = type_of(body, is_feedback=asked in ABOUT_PEOPLE, otherwise=otherwise)
    title = text_of(front, "name") or heading_of(body) or stem
    given = given_description(text_of(front, "description"))
    return Foreign(
        place.shown(file),
        {
            "name": slug(title, 100) or slug(stem, 100),
            "description": given or described(spaced(title), told or first_sentence(body)),
            "type": kind,
            "body": body.strip("\n") + "\n",
            "source": {"kind": "session", "ref": source_of(place.origin(file), front)},
            **({"provenance": "stated"} if asked in ABOUT_PEOPLE else {}),
        },
        {"from": MEMORY, "text": flat(body)},
        place.folder(file),
        (hint,) if hint else (),
    )


def heading_of(body: str) -> str:
    """Return the title of a text that begins with one."""
    first = next((line for line in body.split("\n") if line.strip()), "")
    found = HEADING.match(first)
    return flat(found[2]) if found else ""


def spaced(title: str) -> str:
    """Return a name as words."""
    return title if " " in title else title.replace("-", " ").replace("_", " ")


def source_of(origin: str, front: Mapping[str, Any]) -> str:
    """Return where a topic came from: its file, and the session that wrote it if it says so."""
    session = cut(flat(text_of(dict(front), "originSessionId")), 100)
    return f"import of {cut(origin, 1000)}" + (f", session {session}" if session else "")


def own_text(place: Place, file: str, text: str) -> Iterator[Found]:
    """Yield what an index says by itself."""
    for block in blocks(text):
        if is_rule(block):
            yield rule(place, file, block, "")
