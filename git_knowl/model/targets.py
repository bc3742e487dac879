"""Anchors as people and programs ask for them: ``file:lib/cart.ts``, or an object in a payload.

What comes out is an anchor nobody has accepted yet: a file without fingerprints, a package whose
lockfile may still have to be found, lines nobody has read, a revision, the name of an entry.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from packageurl import PackageURL

from git_knowl.errors import KnowlError
from git_knowl.model import limits
from git_knowl.model.anchor import (
    Anchor,
    CommitAnchor,
    EntryLink,
    FileAnchor,
    PackageAnchor,
    SnippetAnchor,
    SymbolAnchor,
    TreeAnchor,
    UrlAnchor,
)
from git_knowl.model.anchor_rules import MAGIC, PURL, pathspec_faults, quote_faults, url_faults
from git_knowl.model.faults import line_faults, name_faults, path_faults
from git_knowl.model.quoting import shown

#: Turns a path as somebody wrote it into one from the top of the work tree.
Locate = Callable[[str], str]

_SCHEMA = "'git knowl schema anchor' shows what is expected"
AGED_URL = re.compile(r"(?:([0-9]{1,6})d:)?(.*)", re.DOTALL)
VERSION = re.compile(r"[^/]@|[?#]")
RANGE = re.compile(r"(.*):([1-9][0-9]{0,6})-([1-9][0-9]{0,6})", re.DOTALL)


class TargetError(KnowlError):
    """An anchor that is written wrongly, or of a kind that this version cannot make."""


class Kind(NamedTuple):
    """How one kind is read: command-line text to the fields of its object, and those to a value."""

    split: Callable[[str], dict[str, Any]]
    make: Callable[[Mapping[str, Any], Locate], Anchor]


def parse_anchor(given: str | Mapping[str, Any], locate: Locate | None = None) -> Anchor:
    """Return the anchor that a text or an object asks for; raises TargetError.

    ``locate`` is applied to every path: the command line counts from the current folder, payloads
    count from the top of the work tree.
    """
    if isinstance(given, str):
        name, colon, target = given.partition(":")
        kind = _kind(name if colon else given)
        fields: Mapping[str, Any] = kind.split(target)
    else:
        kind = _kind(given.get("kind"))
        fields = given
    return kind.make(fields, locate or _as_it_stands)


def as_asked(anchor: Anchor) -> str | dict[str, Any]:
    """Return an anchor as somebody would ask for it, so that `parse_anchor` gives the same one."""
    match anchor:
        case SnippetAnchor():
            fields = {"path": anchor.path, "quote": anchor.quote, "line": anchor.line}
            return {"kind": anchor.kind, **fields}
        case EntryLink():
            return {"kind": anchor.kind, "id": anchor.id, "name": anchor.name}
        case _:
            return anchor.target


def canonical_purl(text: str) -> str:
    """Return ``npm/@scope/x``, with or without ``pkg:``, in the one spelling of a package URL.

    A version is refused, since the lockfile says it. Raises TargetError.
    """
    kind, _, rest = unquote(text.removeprefix("pkg:")).partition("/")
    namespace, _, name = rest.rpartition("/")
    if VERSION.search(rest):
        raise TargetError(
            f"anchor: expected a package without version, got {shown(text)}",
            "the version is read from the lockfile",
        )
    try:
        purl = PackageURL(kind, namespace or None, name).to_string()
    except ValueError:
        purl = ""
    if not PURL.fullmatch(purl):
        raise TargetError(
            f"anchor: expected a package as TYPE/NAME, got {shown(text)}",
            "example: 'package:npm/@scope/x'",
        )
    return purl


def _as_it_stands(path: str) -> str:
    return path


def _kind(name: object) -> Kind:
    if isinstance(name, str) and name in KINDS:
        return KINDS[name]
    kinds = ", ".join(KINDS)
    raise TargetError(
        f"anchor: expected KIND:TARGET with a kind out of {kinds}, got {shown(name)}",
        "example: 'file:lib/cart.ts'",
    )


def _text(fields: Mapping[str, Any], key: str) -> str:
    found = fields.get(key)
    if not isinstance(found, str):
        raise TargetError(f"anchor.{key}: expected text, got {shown(found)}", _SCHEMA)
    return found


def _path(field: str, path: str) -> str:
    _refuse(path_faults(field, path))
    return path


def _file(fields: Mapping[str, Any], key: str, locate: Locate) -> str:
    asked = _text(fields, key)
    path = locate(asked)
    if asked and not path:
        raise TargetError(
            f"anchor.{key}: expected a file, got {shown(asked)}, the folder of the whole project",
            "name a file in it; 'tree:.' stands for all of them",
        )
    return _path(f"anchor.{key}", path)


def _refuse(faults: list[str], hint: str | None = None) -> None:
    if faults:
        raise TargetError(faults[0], hint or _SCHEMA)


def _split_file(target: str) -> dict[str, Any]:
    return {"path": target}


def _make_file(fields: Mapping[str, Any], locate: Locate) -> FileAnchor:
    return FileAnchor(_file(fields, "path", locate))


def _split_symbol(target: str) -> dict[str, Any]:
    path, _, symbol = target.partition("#")
    return {"path": path.replace("%23", "#").replace("%25", "%"), "symbol": symbol}


def _make_symbol(fields: Mapping[str, Any], locate: Locate) -> SymbolAnchor:
    path = _file(fields, "path", locate)
    symbol = _text(fields, "symbol")
    _refuse(
        line_faults("anchor.symbol", symbol, limits.SYMBOL), "example: 'symbol:cart.py#Cart.total'"
    )
    return SymbolAnchor(path, symbol)


def _split_snippet(target: str) -> dict[str, Any]:
    found = RANGE.fullmatch(target)
    if not found:
        raise TargetError(
            f"anchor: expected a snippet as PATH:FROM-TO, got {shown(target)}",
            "example: 'snippet:lib/cart.ts:12-18', one line is 'snippet:lib/cart.ts:12-12'",
        )
    return {"path": found[1], "from": int(found[2]), "to": int(found[3])}


def _make_snippet(fields: Mapping[str, Any], locate: Locate) -> SnippetAnchor:
    path = _file(fields, "path", locate)
    if fields.get("quote") is None:
        return _lines_to_read(path, _line(fields, "from"), _line(fields, "to"))
    quote = _text(fields, "quote").removesuffix("\n")
    _refuse(quote_faults("anchor.quote", quote))
    line = 0 if fields.get("line") is None else _line(fields, "line")
    return SnippetAnchor(path, quote, line)


def _lines_to_read(path: str, first: int, last: int) -> SnippetAnchor:
    if not first <= last < first + limits.SNIPPET_LINES:
        raise TargetError(
            f"anchor.to: expected {first} to {first + limits.SNIPPET_LINES - 1}, got {last}",
            f"a snippet has {limits.SNIPPET_LINES} lines at most",
        )
    return SnippetAnchor(path, "\n" * (last - first), first)


def _line(fields: Mapping[str, Any], key: str) -> int:
    found = fields.get(key)
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise TargetError(f"anchor.{key}: expected the number of a line, got {shown(found)}")
    return found


def _split_tree(target: str) -> dict[str, Any]:
    return {"pathspec": target}


def _make_tree(fields: Mapping[str, Any], locate: Locate) -> TreeAnchor:
    asked = _text(fields, "pathspec")
    pathspec = asked if MAGIC.match(asked) else locate(asked).removesuffix("/") or "."
    _refuse(pathspec_faults("anchor.pathspec", pathspec))
    return TreeAnchor(pathspec)


def _split_commit(target: str) -> dict[str, Any]:
    return {"commit": target}


def _make_commit(fields: Mapping[str, Any], locate: Locate) -> CommitAnchor:
    del locate
    rev = _text(fields, "commit")
    _refuse(line_faults("anchor.commit", rev, limits.PATH))
    return CommitAnchor(rev)


def _split_entry(target: str) -> dict[str, Any]:
    return {"name": target}


def _make_entry(fields: Mapping[str, Any], locate: Locate) -> EntryLink:
    del locate
    identifier, name = fields.get("id"), _text(fields, "name")
    # What follows the tilde is a part of the id, which tells entries of one name apart.
    _refuse(name_faults("anchor.name", name.partition("~")[0]))
    return EntryLink(identifier if isinstance(identifier, str) else "", name)


def _split_package(target: str) -> dict[str, Any]:
    purl, _, lockfile = target.partition("!")
    return {"purl": purl, "lockfile": lockfile}


def _make_package(fields: Mapping[str, Any], locate: Locate) -> PackageAnchor:
    purl = canonical_purl(_text(fields, "purl"))
    if not fields.get("lockfile"):
        return PackageAnchor(purl, "")
    return PackageAnchor(purl, _file(fields, "lockfile", locate))


def _split_url(target: str) -> dict[str, Any]:
    days, url = AGED_URL.fullmatch(target).groups()  # type: ignore[union-attr]
    return {"url": url} if days is None else {"url": url, "max_age_days": int(days)}


def _make_url(fields: Mapping[str, Any], locate: Locate) -> UrlAnchor:
    del locate
    days = fields.get("max_age_days")
    age = limits.URL_DEFAULT_AGE_DAYS if days is None else days
    if isinstance(age, bool) or not isinstance(age, int):
        raise TargetError(
            f"anchor.max_age_days: expected a whole number, got {shown(age)}", _SCHEMA
        )
    anchor = UrlAnchor(_text(fields, "url"), "", age)
    _refuse(url_faults("anchor", anchor))
    return anchor


#: The kinds that this version makes.
KINDS = {
    "file": Kind(_split_file, _make_file),
    "symbol": Kind(_split_symbol, _make_symbol),
    "snippet": Kind(_split_snippet, _make_snippet),
    "tree": Kind(_split_tree, _make_tree),
    "package": Kind(_split_package, _make_package),
    "url": Kind(_split_url, _make_url),
    "commit": Kind(_split_commit, _make_commit),
    "entry": Kind(_split_entry, _make_entry),
}
