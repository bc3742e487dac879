"""Package URLs without version: what they name, and when two names are one package.

See https://github.com/package-url/purl-spec.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from packageurl import PackageURL

from git_knowl.anchors.base import AnchorError


def _as_for_python(name: str) -> str:
    """Return a name as PEP 503 has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _as_for_dart(name: str) -> str:
    return name.lower().replace("-", "_")


SPELLINGS: dict[str, Callable[[str], str]] = {
    "cargo": str,
    "composer": str.lower,
    "gem": str,
    "golang": str,
    "hex": str.lower,
    "maven": str,
    "npm": str.lower,
    "nuget": str.lower,
    "pub": _as_for_dart,
    "pypi": _as_for_python,
    "swift": str.lower,
}
"""The known types, each with how to spell a name so that equal names are equal."""

_FORMS = {
    "composer": "VENDOR/NAME",
    "maven": "GROUP/ARTIFACT",
    "swift": "HOST/OWNER/NAME",
}


@dataclass(frozen=True, slots=True)
class Package:
    """A package by ecosystem and name; the name holds scope, group, owner or path as well."""

    type: str
    name: str


def parse(text: str) -> Package:
    """Return the package of a purl.

    Raises AnchorError for anything but type and name, and for a type nobody here can resolve.
    """
    try:
        purl = PackageURL.from_string(text)
    except ValueError as error:
        raise AnchorError(
            f"'{text}' is not a package URL", "expected pkg:TYPE/NAME, such as pkg:pypi/requests"
        ) from error
    if purl.type not in SPELLINGS:
        raise AnchorError(
            f"package type '{purl.type}' is not known", f"the known ones: {', '.join(SPELLINGS)}"
        )
    if purl.version or purl.qualifiers or purl.subpath:
        raise AnchorError(
            f"package '{text}' says more than type and name",
            "leave out version, qualifiers and subpath: the lockfile gives the version",
        )
    if purl.type in _FORMS and not purl.namespace:
        raise AnchorError(
            f"package '{text}' lacks a part of its name",
            f"expected pkg:{purl.type}/{_FORMS[purl.type]}",
        )
    name = f"{purl.namespace}/{purl.name}" if purl.namespace else purl.name
    return Package(purl.type, normalise(purl.type, name))


def normalise(package_type: str, name: str) -> str:
    """Return the spelling under which equal names of an ecosystem are equal."""
    return SPELLINGS[package_type](name)
