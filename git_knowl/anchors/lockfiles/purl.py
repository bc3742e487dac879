"""Package URLs without version: what they name, and when two names are one package.

See https://github.com/package-url/purl-spec.
"""

import re
from dataclasses import dataclass

from packageurl import PackageURL

from git_knowl.anchors.base import AnchorError

TYPES = ("cargo", "golang", "npm", "pypi")


@dataclass(frozen=True, slots=True)
class Package:
    """A package by ecosystem and name; the name holds an npm scope or a Go module path whole."""

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
    if purl.type not in TYPES:
        raise AnchorError(
            f"package type '{purl.type}' is not known", f"the known ones: {', '.join(TYPES)}"
        )
    if purl.version or purl.qualifiers or purl.subpath:
        raise AnchorError(
            f"package '{text}' says more than type and name",
            "leave out version, qualifiers and subpath: the lockfile gives the version",
        )
    name = f"{purl.namespace}/{purl.name}" if purl.namespace else purl.name
    return Package(purl.type, normalise(purl.type, name))


def normalise(package_type: str, name: str) -> str:
    """Return the spelling under which equal names of an ecosystem are equal.

    Python names follow PEP 503; npm names are lower-cased as their purls are; the others are
    compared as they are.
    """
    if package_type == "pypi":
        return re.sub(r"[-_.]+", "-", name).lower()
    return name.lower() if package_type == "npm" else name
