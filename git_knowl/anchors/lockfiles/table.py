"""The lockfiles that are read, by file name, and how a package is looked up in one."""

import posixpath
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from git_knowl.anchors.base import AnchorError
from git_knowl.anchors.lockfiles import (
    bun,
    bundler,
    cargo,
    composer,
    gomod,
    gradle,
    maven,
    mix,
    npm,
    nuget,
    pdm,
    pipfile,
    pnpm,
    poetry,
    pub,
    purl,
    pylock,
    requirements,
    swift,
    uv,
    yarn,
)
from git_knowl.anchors.lockfiles.listing import (
    Found,
    Listing,
    LockfileError,
    Resolution,
    Unreadable,
    settle,
)

Scan = Callable[[str], Listing]

LOCKFILES: dict[str, tuple[str, Scan]] = {
    "npm-shrinkwrap.json": ("npm", npm.scan),
    "package-lock.json": ("npm", npm.scan),
    "pnpm-lock.yaml": ("npm", pnpm.scan),
    "yarn.lock": ("npm", yarn.scan),
    "bun.lock": ("npm", bun.scan),
    "uv.lock": ("pypi", uv.scan),
    "poetry.lock": ("pypi", poetry.scan),
    "pdm.lock": ("pypi", pdm.scan),
    "Pipfile.lock": ("pypi", pipfile.scan),
    "pylock.toml": ("pypi", pylock.scan),
    "pylock.*.toml": ("pypi", pylock.scan),
    "*requirements*.txt": ("pypi", requirements.scan),
    "Cargo.lock": ("cargo", cargo.scan),
    "go.mod": ("golang", gomod.scan),
    "Gemfile.lock": ("gem", bundler.scan),
    "gems.locked": ("gem", bundler.scan),
    "composer.lock": ("composer", composer.scan),
    "mix.lock": ("hex", mix.scan),
    "pubspec.lock": ("pub", pub.scan),
    "packages.lock.json": ("nuget", nuget.scan),
    "packages.*.lock.json": ("nuget", nuget.scan),
    "gradle.lockfile": ("maven", gradle.scan),
    "buildscript-gradle.lockfile": ("maven", gradle.scan),
    "settings-gradle.lockfile": ("maven", gradle.scan),
    "pom.xml": ("maven", maven.scan),
    "Package.resolved": ("swift", swift.scan),
}


#: Names of lockfiles, among them those of kinds that are not read.
LIKE_LOCKFILES = ("*.lock", "*.lockb", "*.lockfile", "*-lock.*", "*.lock.*", "go.sum")


def resolve(path: str, content: bytes, package_url: str) -> Resolution:
    """Return what the lockfile at this path says about a package (a purl without version)."""
    try:
        package = purl.parse(package_url)
        index = _index(path, content, package.type)
    except (AnchorError, LockfileError) as error:
        return Unreadable(error.message)
    found = index.packages.get(package.name, [])
    return settle(found, index.partial, is_own=package.name in index.own)


def locate(package_type: str, paths: Iterable[str]) -> list[str]:
    """Return the paths that can resolve packages of this type, nearest to the top first."""
    candidates = [path for path in paths if _kind(path, package_type)]
    return sorted(candidates, key=lambda path: (path.count("/"), path))


def is_unknown(path: str) -> bool:
    """Tell whether a path has the name of a lockfile, but of no kind that is read here."""
    name = posixpath.basename(path)
    is_known = any(fnmatchcase(name, pattern) for pattern in LOCKFILES)
    return not is_known and any(fnmatchcase(name, pattern) for pattern in LIKE_LOCKFILES)


def names_for(package_type: str) -> list[str]:
    """Return the names of lockfiles for packages of this type, but not those that are patterns."""
    return [
        name
        for name, (known_type, _) in LOCKFILES.items()
        if known_type == package_type and "*" not in name
    ]


@dataclass(frozen=True, slots=True)
class _Index:
    """A listing by normalised name."""

    packages: dict[str, list[Found]]
    partial: str | None
    own: frozenset[str]


@lru_cache(maxsize=4)
def _index(path: str, content: bytes, package_type: str) -> _Index:
    """Return what a lockfile lists by normalised name.

    Kept for the last few files, since the entries of a store mostly rest on the same one.
    """
    scan = _kind(path, package_type)
    if scan is None:
        raise LockfileError(f"{path} is not a known kind of lockfile for {package_type} packages")
    listing = scan(_text(content))
    found: dict[str, list[Found]] = {}
    for name, item in listing.packages:
        found.setdefault(purl.normalise(package_type, name), []).append(item)
    own = frozenset(purl.normalise(package_type, name) for name in listing.own)
    return _Index(found, listing.partial, own)


def _kind(path: str, package_type: str) -> Scan | None:
    name = posixpath.basename(path)
    return next(
        (
            scan
            for pattern, (known_type, scan) in LOCKFILES.items()
            if known_type == package_type and fnmatchcase(name, pattern)
        ),
        None,
    )


def _text(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise LockfileError("the lockfile is not UTF-8 text") from error
    if "\n<<<<<<< " in "\n" + text:
        raise LockfileError("the lockfile holds an unresolved merge conflict")
    return text
