"""Working files as git would store them: after line end conversion, encodings and clean filters.

Git itself is asked, by `hash-object`: libgit2 returns raw bytes for LFS, custom filters and
`working-tree-encoding`. Nothing here writes to the repository or its index.
"""

from __future__ import annotations

import os
import stat

from git_knowl.errors import KnowlError
from git_knowl.plumbing.encoding import object_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.process import Finished
    from git_knowl.plumbing.repository import Repository
    from git_knowl.plumbing.scratch import Scratch

ABSENT = "!absent"
DIRECTORY = "!directory"
FILTER = "!filter"
SPECIAL = "!special"
UNREADABLE = "!unreadable"

_REGULAR = ""
_TIMEOUT = 600.0
# Git looks for a NUL in so many bytes to tell binary from text.
_BINARY_PROBE = 8000
_IN_WORDS = {
    ABSENT: "it is not in the work tree",
    DIRECTORY: "it is a directory",
    FILTER: "a filter or encoding set for it in .gitattributes fails",
    SPECIAL: "it is not a regular file",
    UNREADABLE: "it cannot be read",
}


class ContentError(KnowlError):
    """A working file whose content as git stores it cannot be had."""


def stored_blobs(repo: Repository, paths: list[str]) -> dict[str, str]:
    """Return the blob id each working file would get, or one of the states that start with ``!``.

    A symbolic link counts with its text, a file behind a linked folder as absent, as in git.
    """
    top = repo.require_work_tree()
    links: dict[str, bool] = {}
    found = {path: _look(top, path, repo.object_format, links) for path in paths}
    regular = [path for path, seen in found.items() if seen == _REGULAR]
    found |= _hash_all(repo, regular)
    doubtful = [path for path in regular if _is_doubtful(repo, path, found[path])]
    if doubtful:
        with _scratch(repo) as scratch:
            found |= dict.fromkeys(doubtful, FILTER) | scratch.add(doubtful)
    return found


def stored_content(repo: Repository, path: str) -> bytes:
    """Return a working file's content as git would store it; raise ContentError when it cannot."""
    top = repo.require_work_tree()
    seen = _look(top, path, repo.object_format, {})
    if seen == _REGULAR:
        with _scratch(repo) as scratch:
            oid = scratch.add([path]).get(path)
            if oid:
                return scratch.read(oid)
        seen = _hash_all(repo, [path])[path]
    if seen.startswith("!"):
        raise ContentError(f"the content of '{path}' cannot be taken: {_IN_WORDS[seen]}")
    return os.fsencode(os.readlink(os.path.join(top, path)))


def _scratch(repo: Repository) -> Scratch:
    from git_knowl.plumbing.scratch import Scratch  # noqa: PLC0415 - tempfile costs 10 ms

    return Scratch(repo)


def _look(top: str, path: str, object_format: str, links: dict[str, bool]) -> str:
    """Return the state of a path, the blob id of a symbolic link, or nothing for a regular file."""
    full = os.path.join(top, path)
    try:
        mode = os.lstat(full).st_mode
        if _is_behind_link(top, os.path.dirname(path), links):
            return ABSENT
        if stat.S_ISLNK(mode):
            return object_id("blob", os.fsencode(os.readlink(full)), object_format)
    except PermissionError:
        return UNREADABLE
    except (OSError, ValueError):
        return ABSENT
    if stat.S_ISREG(mode):
        return _REGULAR
    return DIRECTORY if stat.S_ISDIR(mode) else SPECIAL


def _is_behind_link(top: str, folder: str, links: dict[str, bool]) -> bool:
    if not folder:
        return False
    if folder not in links:
        parent = os.path.dirname(folder)
        links[folder] = _is_behind_link(top, parent, links) or os.path.islink(f"{top}/{folder}")
    return links[folder]


def _hash_all(repo: Repository, paths: list[str]) -> dict[str, str]:
    found, talk = _hash(repo, paths)
    if b"error: " not in talk:
        return found
    # A filter that is not required, or an encoding, failed, and git went on with the raw bytes. It
    # stops at each culprit when it has to store the content and every filter is required.
    with _scratch(repo) as scratch:
        return _hash(repo, paths, "-w", env=scratch.env, config=scratch.settings)[0]


def _hash(
    repo: Repository,
    paths: list[str],
    *options: str,
    env: dict[str, str] | None = None,
    config: tuple[str, ...] = (),
) -> tuple[dict[str, str], bytes]:
    """Hash files and go on after each one at which git gives up; return git's talk as well."""
    found: dict[str, str] = {}
    talk = b""
    args = ("hash-object", *options, "--stdin-paths")
    while len(found) < len(paths):
        rest = paths[len(found) :]
        stdin = os.fsencode("".join(f"{_quoted(path)}\n" for path in rest))
        done = repo.run(*args, stdin=stdin, timeout=_TIMEOUT, env=env, config=config)
        talk += done.err
        oids = done.out.decode("ascii").split()
        found.update(zip(rest, oids, strict=False))
        if len(oids) < len(rest):
            found[rest[len(oids)]] = _complaint(done)
    return found, talk


def _complaint(done: Finished) -> str:
    could_not_open = done.err.startswith(b"fatal: could not open")
    return UNREADABLE if could_not_open or b"\nfatal: could not open" in done.err else FILTER


def _quoted(path: str) -> str:
    """Quote a path in C style where `--stdin-paths` would not read it back as it is."""
    if path.isprintable() and not path.startswith('"'):
        return path
    return '"' + "".join(_escaped(byte) for byte in os.fsencode(path)) + '"'


def _escaped(byte: int) -> str:
    plain = 0x20 <= byte < 0x7F and byte not in b'"\\'
    return chr(byte) if plain else f"\\{byte:03o}"


def _is_doubtful(repo: Repository, path: str, oid: str) -> bool:
    """Tell whether line ends may be stored otherwise than `hash-object` says.

    Where conversion is automatic, git leaves the CRLF of a file alone whose staged blob has some.
    `hash-object` does not look at the index, and converts them.
    """
    if oid.startswith("!"):
        return False
    data = _text(os.path.join(repo.require_work_tree(), path))
    return b"\r\n" in data and object_id("blob", data, repo.object_format) != oid


def _text(full: str) -> bytes:
    """Return the bytes of a file; none when it is binary to git, or cannot be read."""
    try:
        with open(full, "rb", buffering=0) as file:
            data = file.read(_BINARY_PROBE)
            return b"" if b"\0" in data else data + file.readall()
    except OSError:
        return b""
