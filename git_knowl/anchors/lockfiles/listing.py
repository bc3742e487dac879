"""What every lockfile format answers in: the packages listed, and the resolution of one of them."""

import re
from dataclasses import dataclass
from typing import TypeAlias

from git_knowl.errors import KnowlError

_COMMIT = re.compile(r"(?:^git\+.*#|/tar\.gz/)([0-9a-f]{40}|[0-9a-f]{64})$")


class LockfileError(KnowlError):
    """A lockfile whose answer cannot be relied on; the message says why."""


@dataclass(frozen=True, slots=True)
class Found:
    """One resolved package; ``direct`` when the project itself asks for it, as far as is told.

    ``version`` is None where the package is named without an exact version.
    """

    version: str | None
    integrity: str | None = None
    direct: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """All packages of a lockfile, by their names as written there.

    ``partial`` says why a package that is not listed may be in use all the same; ``own`` are the
    names of packages that are part of the project itself, which are not listed.
    """

    packages: list[tuple[str, Found]]
    partial: str | None = None
    own: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Resolved:
    """The version in use (several: sorted and joined by ', '), with its integrity if just one."""

    version: str
    integrity: str | None = None


@dataclass(frozen=True, slots=True)
class Gone:
    """The lockfile is complete and does not resolve the package.

    ``is_own`` tells that it names it as part of the project itself.
    """

    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Nobody can tell from this file, and why."""

    reason: str


Resolution: TypeAlias = Resolved | Gone | Unreadable


def settle(found: list[Found], partial: str | None, *, is_own: bool = False) -> Resolution:
    """Return the resolution of one package from everything its lockfile says about it.

    Where the lockfile tells what the project asks for itself, other copies do not count.
    """
    if not found:
        return _unlisted(partial, is_own=is_own)
    exact = [item for item in found if item.version is not None]
    kept = [item for item in exact if item.direct] or exact
    versions = sorted({str(item.version) for item in kept})
    if not versions:
        return Unreadable("the package is named there without an exact version")
    hashes = {item.integrity for item in kept}
    integrity = hashes.pop() if len(versions) == len(hashes) == 1 else None
    return Resolved(", ".join(versions), integrity)


def _unlisted(partial: str | None, *, is_own: bool) -> Gone | Unreadable:
    return Unreadable(partial) if partial and not is_own else Gone(is_own=is_own)


def check_format(what: str, found: str | None, known: tuple[str, ...]) -> None:
    """Raise LockfileError unless the format number found is one that is known."""
    if found not in known:
        raise LockfileError(
            f"expected {what} {' or '.join(known)}, found {found or 'none'}",
            "name another lockfile with '!LOCKFILE', or anchor to the file itself",
        )


def first_group(pattern: re.Pattern[str], text: str) -> str | None:
    """Return the first group of the first match, if there is one."""
    match = pattern.search(text)
    return match[1] if match else None


def commit_of(address: str) -> str | None:
    """Return the commit a package address is pinned to, as ``git:HEX``, if it is a git address."""
    commit = first_group(_COMMIT, address)
    return commit and f"git:{commit}"
