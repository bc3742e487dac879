"""Which keys git takes signatures from here, as far as it takes to see that this changed.

Everything is git's own: the settings of ``gpg.*``, the files they name, the keyring. Nothing of the
store is asked. Read on the short paths.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.plumbing.repository import Repository

SIGNERS = "gpg.ssh.allowedsignersfile"
_FILES = (SIGNERS, "gpg.ssh.revocationfile")
_KEYRING = ("pubring.kbx", "pubring.gpg", "pubring.db", "public-keys.d", "trustdb.gpg")
#: What a home without any key holds.
_TRUST_ONLY = frozenset(("trustdb.gpg",))


def read_settings(repo: Repository) -> dict[str, str]:
    """Return the settings of ``gpg.*`` by their name in lower case, ``~`` in paths resolved."""
    asked = ("config", "-z", "--type=path", "--get-regexp", r"^gpg\.")
    listed = repo.run(*asked).out.split(b"\0")[:-1]
    items = (os.fsdecode(item).partition("\n") for item in listed)
    return {name.lower(): value for name, _, value in items}


def fingerprint(repo: Repository, day: str) -> str:
    """Return what tells one state of the allowed keys from another, "" where no key is allowed.

    Keys of a keyring expire by themselves, so with one it holds for the ``day`` it was asked on.
    """
    settings = read_settings(repo)
    named = [f"{name} {_mark(repo, settings[name])}" for name in _FILES if name in settings]
    keyring = list(_keyring(repo))
    if SIGNERS not in settings and not keyring:
        return ""
    plain = [f"{name}={value}" for name, value in sorted(settings.items())]
    return "\n".join([*plain, *named, *keyring, *([day] if keyring else [])])


def has_keyring(repo: Repository) -> bool:
    """Tell whether GnuPG has any key here."""
    return any(_keyring(repo))


def _keyring(repo: Repository) -> Iterator[str]:
    """Yield the marks of the files that hold keys of GnuPG; nothing where there is no key."""
    home = repo.variable("GNUPGHOME") or os.path.join(repo.variable("HOME") or "", ".gnupg")
    found = [name for name in _KEYRING if os.path.exists(os.path.join(home, name))]
    if not _TRUST_ONLY.issuperset(found):
        yield from (f"{name} {_mark(repo, os.path.join(home, name))}" for name in found)


def _mark(repo: Repository, path: str) -> str:
    """Return what changes with the content of a file; git means it by the top of the work tree."""
    try:
        status = os.stat(os.path.join(repo.work_tree or repo.git_dir, path))
    except OSError:
        return "missing"
    return f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"
