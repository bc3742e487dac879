"""Rules files of coding agents: every item of a list and every stretch of prose is one text.

What tells somebody to do something is feedback where it says why, since feedback without a reason
is no entry; all else is about the project. Headings become tags and the topic of the description.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from git_knowl.errors import KnowlError
from git_knowl.services.exchange.found import Foreign, Found, LeftOut, Unreadable
from git_knowl.services.exchange.front import read_front, text_of
from git_knowl.services.exchange.sections import Block, blocks
from git_knowl.services.exchange.walk import Place, files
from git_knowl.services.exchange.wording import (
    DIRECTIVE,
    cut,
    described,
    first_sentence,
    flat,
    lead_off,
    slug,
    tags_of,
    type_of,
)

RULES = "rules"
#: Files of rules by their name in lower case, whatever folder they are in.
NAMES = frozenset(
    (
        "agents.md",
        "agents.override.md",
        "claude.md",
        "claude.local.md",
        "gemini.md",
        "conventions.md",
        "copilot-instructions.md",
        ".cursorrules",
        ".windsurfrules",
        ".clinerules",
    )
)
SUFFIXES = (".mdc", ".instructions.md")
#: Folders in which every Markdown file is one of rules.
FOLDERS = frozenset(("rules", ".clinerules"))
#: What is shorter says nothing that could be looked up.
SHORTEST = 12
#: Where a file says for which files it holds.
SCOPES = ("globs", "applyTo", "paths")
REFERRED = re.compile(r"(?<!\S)@([\w./~-]+\.\w+)")
LINKS_ONLY = re.compile(r"\s*!?\[[^\]]*\]\([^)]*\)[\s.]*\Z")


def is_rules_file(name: str) -> bool:
    """Tell whether a file is one of rules by its name."""
    return name.lower() in NAMES or name.lower().endswith(SUFFIXES)


def read_rules(place: Place) -> Iterator[Found]:
    """Yield the rules of every file of a place."""
    every = posixpath.basename(place.full).lower() in FOLDERS
    wanted = (lambda name: is_rules_file(name) or name.endswith(".md")) if every else is_rules_file
    for file in files(place, wanted):
        try:
            yield from rules_of(place, file, place.read(file))
        except KnowlError as error:
            yield Unreadable(place.shown(file), error.message)


def rules_of(place: Place, file: str, text: str) -> Iterator[Found]:
    """Yield the rules of a file, and what of it is none."""
    front, body = read_front(text)
    shown, short = place.shown(file), 0
    scope = scope_of(front, place, file)
    for block in blocks(body):
        if is_rule(block):
            yield rule(place, file, block, scope)
        else:
            short += 1
    if short:
        told = "1 item is no rule" if short == 1 else f"{short} items are no rules"
        yield LeftOut(shown, f"{told}: too short, or a link")
    for other in dict.fromkeys(REFERRED.findall(body)):
        yield LeftOut(shown, f"it refers to {other}: import that by itself")


def scope_of(front: Mapping[str, object], place: Place, file: str) -> str:
    """Return the files that rules hold for, "" for all: as the file says, or by its folder."""
    told = next(filter(None, (text_of(dict(front), key) for key in SCOPES)), "")
    folder = place.folder(file) or ""
    hidden = any(part.startswith(".") for part in folder.split("/"))
    return told if told not in ("", "**", "**/*", "*") else "" if hidden or told else folder


def is_rule(block: Block) -> bool:
    """Tell whether a block says enough to be one."""
    plain = flat(block.text)
    return len(plain) >= SHORTEST and not LINKS_ONLY.match(block.text)


def rule(place: Place, file: str, block: Block, scope: str) -> Foreign:
    """Return one rule as a new entry."""
    body = body_of(block, scope)
    sentence = first_sentence(block.text) or flat(block.text)
    kind, hint = type_of(body, is_feedback=bool(DIRECTIVE.match(flat(lead_off(block.text)))))
    titles = block.headings[1:] if len(block.headings) > 1 else block.headings
    topic = cut(scope, 80) if scope else " / ".join(flat(one) for one in titles[-2:])
    return Foreign(
        place.shown(file),
        {
            "name": slug(sentence) or slug(" ".join(titles)),
            "description": described(topic, sentence),
            "type": kind,
            "body": body,
            "tags": tags_of(titles),
            "source": {"kind": "session", "ref": source_of(place.origin(file), titles)},
            "provenance": "stated",
        },
        {"from": RULES, "text": flat(block.text), "scope": scope},
        place.folder(file),
        (hint,) if hint else (),
    )


def body_of(block: Block, scope: str) -> str:
    """Return the text of a rule, with what announced it and what it holds for."""
    parts = [block.introduced_by, block.text, f"Holds for: {scope}" if scope else ""]
    return "\n\n".join(filter(None, parts)) + "\n"


def source_of(origin: str, titles: tuple[str, ...]) -> str:
    """Return where a rule came from: its file, and the headings above it."""
    under = f", under '{cut(' / '.join(map(flat, titles)), 200)}'" if titles else ""
    return f"import of {cut(origin, 1000)}{under}"
