"""Anchors as people and programs ask for them: ``file:lib/cart.ts``, or an object in a payload.

What comes out is an anchor nobody has accepted yet: a file without fingerprints, a package whose
lockfile may still have to be found, a url not yet verified.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from packageurl import PackageURL

from git_knowl.errors import KnowlError
from git_knowl.model import limits
from git_knowl.model.anchor import Anchor, FileAnchor, PackageAnchor, UrlAnchor
from git_knowl.model.quoting import shown
from git_knowl.model.rules import PURL, path_faults, url_faults

#: Turns a path as somebody wrote it into one from the top of the work tree.
Locate = Callable[[str], str]

#: Kinds of DESIGN that are written in the same way and come with later versions.
LATER = ("symbol", "snippet", "tree", "commit", "entry")
_SCHEMA = "'git knowl schema anchor' shows what is expected"
AGED_URL = re.compile(r"(?:([0-9]{1,6})d:)?(.*)", re.DOTALL)
VERSION = re.compile(r"[^/]@|[?#]")


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
    if name in LATER:
        raise TargetError(
            f"anchor: kind '{name}' is not supported by this version", f"it has {kinds}"
        )
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


def _refuse(faults: list[str]) -> None:
    if faults:
        raise TargetError(faults[0], _SCHEMA)


def _split_file(target: str) -> dict[str, Any]:
    return {"path": target}


def _make_file(fields: Mapping[str, Any], locate: Locate) -> FileAnchor:
    return FileAnchor(_path("anchor.path", locate(_text(fields, "path"))))


def _split_package(target: str) -> dict[str, Any]:
    purl, _, lockfile = target.partition("!")
    return {"purl": purl, "lockfile": lockfile}


def _make_package(fields: Mapping[str, Any], locate: Locate) -> PackageAnchor:
    purl = canonical_purl(_text(fields, "purl"))
    if not fields.get("lockfile"):
        return PackageAnchor(purl, "")
    return PackageAnchor(purl, _path("anchor.lockfile", locate(_text(fields, "lockfile"))))


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
    "package": Kind(_split_package, _make_package),
    "url": Kind(_split_url, _make_url),
}
