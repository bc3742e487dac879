"""The hermetic seal: an environment of our own, and a guard on the real home and the network.

It is set when pytest is configured, before any test module is imported: libgit2 remembers the home
folder it finds when pygit2 is first loaded.
"""

from __future__ import annotations

import os
import pwd
import shutil
import site
import stat
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "Kim"
MAIL = "kim@example.org"
PERSON = f"{NAME} <{MAIL}>"
DATE = "2026-11-29T10:00:00Z"

#: All that survives of the environment the tests were started with; hosts of coding agents, git's
#: own variables inside hooks and the user's settings must not reach a test.
KEPT = ("PATH", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT", "VIRTUAL_ENV", "CI")
KEPT_PREFIXES = ("COVERAGE_", "HYPOTHESIS_", "PYTEST_", "PYTHON")
#: With this every process that a test starts would compile all it loads anew, in twice the time.
DROPPED = ("PYTHONDONTWRITEBYTECODE",)
#: Where git or git-knowl might write below a home folder.
TRACES = (
    ".gitconfig",
    ".config/git",
    ".config/git-knowl",
    ".cache/git-knowl",
    ".local/share/git-knowl",
    ".local/state/git-knowl",
    ".git-knowl",
)
REAL_HOME = "PYTEST_REAL_HOME"  # workers of pytest-xdist inherit a sealed environment

GITCONFIG = f"""\
[user]
	name = {NAME}
	email = {MAIL}
[init]
	defaultBranch = main
[gc]
	auto = 0
[maintenance]
	auto = false
"""


def seal() -> None:
    """Replace this process's environment by the sealed one; children inherit it."""
    base = Path(tempfile.mkdtemp(prefix="git-knowl-tests-")).resolve()
    sealed = sealed_environment(base)
    (base / "home").mkdir()
    (base / "home" / "gitconfig").write_text(GITCONFIG, encoding="utf-8")
    os.environ.clear()
    os.environ.update(sealed)
    time.tzset()


def unseal() -> None:
    """Remove the sandbox; the environment stays as it is, for pytest is about to leave."""
    shutil.rmtree(sandbox(), ignore_errors=True)


def sandbox() -> Path:
    """Return the folder of this test process; templates and the home folder lie in it."""
    return Path(os.environ["HOME"]).parent


def sealed_environment(base: Path) -> dict[str, str]:
    """Return the environment tests see, with a home folder below ``base``."""
    home = base / "home"
    old = os.environ
    kept = {k: v for k, v in old.items() if k in KEPT or k.startswith(KEPT_PREFIXES)}
    kept = {k: v for k, v in kept.items() if k not in DROPPED}
    return {
        **kept,
        REAL_HOME: old.get(REAL_HOME, old.get("HOME", "")),
        "PATH": os.pathsep.join([str(program_folder(base)), old.get("PATH", os.defpath)]),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": tempfile.gettempdir(),
        "GIT_TEMPLATE_DIR": "",
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_DATE": DATE,
        "GIT_EDITOR": "false",
        "GIT_SEQUENCE_EDITOR": "false",
        "GIT_PAGER": "cat",
        "PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "file",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        "COLUMNS": "80",
        "LINES": "24",
    }


def program_folder(base: Path) -> Path:
    """Return a folder with a ``git-knowl``: the installed one, else one for this checkout."""
    scripts = Path(sysconfig.get_path("scripts"))
    if (scripts / "git-knowl").exists():
        return scripts
    program = base / "bin" / "git-knowl"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m git_knowl "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    return program.parent


class SealError(Exception):
    """A test reached for the real home folder or the network."""


class Guard:
    """Refuses sockets and the real home folder to this process, and remembers who tried.

    Children are not seen by it: they have the sealed environment, git has no protocol but files,
    and ``traces`` looks at the places where a program of ours could leave something behind.
    """

    def __init__(self) -> None:
        homes = {pwd.getpwuid(os.getuid()).pw_dir, os.environ.get(REAL_HOME, "")}
        self.homes = tuple(f"{Path(home).resolve()}/" for home in homes if len(home) > 1)
        allowed = (ROOT, sys.prefix, sys.base_prefix, site.getuserbase(), tempfile.gettempdir())
        self.allowed = tuple(f"{Path(path).resolve()}/" for path in allowed)
        self.network = False
        self.broken: list[str] = []
        self.before = self.traces()

    def install(self) -> None:
        """Start to watch; an audit hook cannot be taken away again."""
        sys.addaudithook(self.audit)

    def audit(self, event: str, arguments: tuple[object, ...]) -> None:
        """Raise SealError for an event that leaves the sandbox."""
        if event == "open":
            self.judge_path(arguments[0])
        elif event in {"socket.connect", "socket.bind", "socket.sendto"}:
            self.judge_address(event, arguments[1])
        elif event == "socket.getaddrinfo":
            self.judge_address(event, arguments[:2])

    def judge_path(self, path: object) -> None:
        """Refuse a file below a real home folder that is neither ours nor Python's."""
        if not isinstance(path, str | bytes):
            return
        name = os.fsdecode(path)
        if name.startswith(self.homes) and not name.startswith(self.allowed):
            self.refuse(f"opened {name}")

    def judge_address(self, event: str, address: object) -> None:
        """Refuse every address but that of a Unix socket."""
        if not self.network and isinstance(address, tuple):
            self.refuse(f"{event} {address}")

    def refuse(self, deed: str) -> None:
        """Remember the deed, so that a swallowed error still fails the test, and raise."""
        self.broken.append(deed)
        raise SealError(deed)

    def traces(self) -> dict[str, tuple[int, int] | None]:
        """Return time and size of what lies at TRACES, None where nothing does."""
        return {home + name: _signature(home + name) for home in self.homes for name in TRACES}

    def verify(self) -> str | None:
        """Return what the test just run did outside the sandbox, and forget it."""
        now = self.traces()
        touched = [f"changed {path}" for path, mark in now.items() if mark != self.before[path]]
        deeds, self.broken, self.before = self.broken + touched, [], now
        return "; ".join(deeds) or None


def _signature(path: str) -> tuple[int, int] | None:
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return info.st_mtime_ns, 0 if stat.S_ISDIR(info.st_mode) else info.st_size
