"""Settings as plain git configuration, and what git knows about the person and the terminal."""

from __future__ import annotations

import os

from git_knowl.plumbing.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.plumbing.repository import Repository

_SETTINGS = ("config", "-z", "--get-regexp", r"^knowl\.")
_NOTHING_FOUND = 1
_NOTHING_TO_UNSET = 5


def read_settings(repo: Repository) -> dict[str, str]:
    """Return every `knowl.*` setting, names in lower case, the last value of each.

    A name without a value counts as ``true``, as in git.
    """
    return begin_settings(repo)()


def begin_settings(repo: Repository) -> Callable[[], dict[str, str]]:
    """Start to read them, and return what waits for the answer."""
    asked = repo.converse(*_SETTINGS)

    def answer() -> dict[str, str]:
        done = asked.finish()
        if done.code not in (0, _NOTHING_FOUND):
            raise GitError(asked.argv, done.code, done.err.decode("utf-8", "replace"))
        return _parsed(done.out)

    return answer


def _parsed(listed: bytes) -> dict[str, str]:
    items = (os.fsdecode(item).partition("\n") for item in listed.split(b"\0")[:-1])
    return {name.lower(): value if given else "true" for name, given, value in items}


def get(repo: Repository, key: str) -> str | None:
    """Return the value of one setting, None when it is not set."""
    done = repo.run("config", "-z", "--get", key)
    if done.code:
        return None
    return os.fsdecode(done.out).removesuffix("\0")


def is_true(repo: Repository, key: str) -> bool:
    """Tell whether a setting is true, in any of the words git has for that."""
    return repo.run("config", "--type=bool", "--get", key).out.strip() == b"true"


def is_partial(repo: Repository) -> bool:
    """Tell whether a remote has objects that this clone left there until they are needed."""
    pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
    return bool(repo.run("config", "-z", "--get-regexp", pattern).out)


def identity_or_none(repo: Repository) -> str | None:
    """Return who commits here as ``Name <mail>``, or None when git cannot say one of the two."""
    done = repo.run("var", "GIT_COMMITTER_IDENT")
    if done.code:
        return None
    person = done.out.decode("utf-8", "surrogateescape").strip().rsplit(" ", 2)[0]
    return None if person.endswith("<>") else person


def editor(repo: Repository) -> str:
    """Return the shell command that edits a file, by git's own order of preference."""
    return _variable(repo, "GIT_EDITOR")


def pager(repo: Repository) -> str:
    """Return the shell command that pages, by git's own order of preference."""
    return _variable(repo, "GIT_PAGER")


def _variable(repo: Repository, name: str) -> str:
    return os.fsdecode(repo.git("var", name)).rstrip("\n")


def get_all(repo: Repository, key: str) -> list[str]:
    """Return every value of a setting, in git's order."""
    out = repo.git("config", "-z", "--get-all", key, ok=(0, 1))
    return os.fsdecode(out).split("\0")[:-1]


def by_scope(repo: Repository, key: str) -> dict[str, list[str]]:
    """Return every value of a setting by where it was set (``system``, ``global``, ``local`` …)."""
    out = repo.git("config", "-z", "--show-scope", "--get-all", key, ok=(0, 1))
    told = os.fsdecode(out).split("\0")[:-1]
    found: dict[str, list[str]] = {}
    for scope, value in zip(told[::2], told[1::2], strict=True):
        found.setdefault(scope, []).append(value)
    return found


def add_local(repo: Repository, key: str, value: str) -> None:
    """Add a value to a setting of this clone."""
    repo.git("config", "--local", "--add", key, value)


def remove_local(repo: Repository, key: str, value: str) -> bool:
    """Remove one value of a setting from this clone; tell whether it was there."""
    asked = ("config", "--local", "--fixed-value", "--unset-all", key, value)
    done = repo.run(*asked)
    if done.code not in (0, _NOTHING_TO_UNSET):
        raise GitError(["git", *asked], done.code, done.err.decode("utf-8", "replace"))
    return done.code == 0


def drop_empty_section(repo: Repository, section: str) -> None:
    """Remove the heading that git leaves at the end when the last setting below it is removed.

    It does so where a remark stands before the heading and might belong to it.
    """
    with open(os.path.join(repo.common_dir, "config"), "rb") as file:
        lines = file.read().splitlines()
    heading = f"[{section}]".encode()
    if lines[-1:] == [heading] and lines.count(heading) == 1:
        repo.git("config", "--local", "--remove-section", section)


def git_version(repo: Repository) -> tuple[int, int]:
    """Return the first two numbers of git's version."""
    words = repo.git("version").decode("ascii", "replace").split()
    major, minor = words[2].split(".")[:2]
    return int(major), int(minor)
