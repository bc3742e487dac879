"""Where the tour is played: a throw-away repository with the commits of the one it stands in.

It borrows the objects of that repository (git's alternates) instead of copying them, and checks out
one file only, so it is there at once at any size. Nothing is ever written to what it borrows from,
and nothing of the user's configuration, hooks, templates or filters has a say in it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.plumbing.environment import NO_HOOKS, scrubbed
from git_knowl.plumbing.history import head
from git_knowl.plumbing.process import Finished, run
from git_knowl.plumbing.repository import Repository

NAME, MAIL = "Tour Guide", "tour@example.org"
FEATURE = "feature"
#: The likeliest places of knowledge come first; any other text file will do as well.
SUFFIXES = (".py", ".ts", ".tsx", ".js", ".go", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp",
            ".cs", ".rb", ".php", ".swift", ".scala", ".vue", ".sh", ".sql", ".toml", ".yml",
            ".yaml", ".json", ".md", ".rst", ".txt")  # fmt: skip
#: Folders and names of files that say little about the project itself.
ASIDE = re.compile(
    r"(?:^|/)(?:test|spec|fixture|vendor|third_party|node_modules|dist|doc|example|\.)"
    r"|(?:[._-](?:test|spec|min|generated)s?|_pb2?)\.[^/]+$",
    re.IGNORECASE,
)
#: Bytes of a file that has something to say and is still read at a glance.
SMALLEST, LARGEST = 200, 1 << 16
#: Characters of a path that still fits into a line beside other words.
LONGEST = 200
#: So many files are opened in search of one that is text.
MOST_OPENED = 50
REGULAR = ("100644", "100755")
#: Characters that mean something in a sparse-checkout pattern.
#: What the commands of the tour raise for hooks that stand in the user's settings.
EVENTS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout")
PATTERN = re.compile(r"([\\*?\[\] ])")
PATIENCE = 300.0
#: What is set in the throw-away repository, whatever the user has.
CONFIG = {
    "user.name": NAME,
    "user.email": MAIL,
    "core.sparseCheckout": "true",
    **dict(setting.split("=") for setting in NO_HOOKS),
    **{f"hook.{event}.enabled": "false" for event in EVENTS},
    "gc.auto": "0",
    "maintenance.auto": "false",
    "knowl.unattended": "allow",  # the tour may be asked for by a coding agent
}
#: Attributes that would have a filter of the user's run, or want another encoding on disk.
ATTRIBUTES = "* -filter -working-tree-encoding\n"


class TourError(KnowlError):
    """A tour that cannot be given here, or a step of it that failed."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Two worktrees of a throw-away repository, and the file the finding is about."""

    main: str
    feature: str
    file: str
    env: Mapping[str, str]

    def call(self, folder: str, *words: str) -> Finished:
        """Run git in one of the worktrees and return whatever came of it."""
        return call(["git", "-C", folder, *words], self.env)


@contextmanager
def staged(repo: Repository, environ: Mapping[str, str]) -> Iterator[Stage]:
    """Set the stage in a folder of its own, and remove it afterwards.

    Raises TourError where there is no commit, or no text file in it.
    """
    tip = head(repo)
    if tip is None:
        raise TourError(
            "there is no commit here yet, so there is nothing to look at",
            "make a first commit, or run it in another repository",
        )
    with tempfile.TemporaryDirectory(prefix="git-knowl-tour-") as folder:
        env = environment(environ, folder)
        main, feature = os.path.join(folder, "main"), os.path.join(folder, FEATURE)
        borrow(repo, main, env)
        must(env, "-C", main, "update-ref", "refs/heads/main", begin(main, tip, env))
        file = pick(main, env)
        # Files that a partial clone never fetched are then no hindrance to a commit.
        must(env, "-C", main, "config", "remote.borrowed.promisor", "true")
        check_out(main, os.path.join(main, ".git"), file, env)
        must(env, "-C", main, "worktree", "add", "-q", "--no-checkout", "-b", FEATURE, feature)
        check_out(feature, os.path.join(main, ".git", "worktrees", FEATURE), file, env)
        yield Stage(main, feature, file, env)


def environment(environ: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return the environment of all commands: this very program is the one git finds.

    Of git's own variables only the place of its programs is kept, no configuration among them.
    """
    kept = {
        key: value
        for key, value in scrubbed(environ).items()
        if not key.startswith("GIT_") or key == "GIT_EXEC_PATH"
    }
    path = os.pathsep.join((program_folder(folder), environ.get("PATH", os.defpath)))
    quiet = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
    return {**kept, **quiet, "PATH": path}


def program_folder(folder: str) -> str:
    """Return where `git-knowl` is; one is made for a program that was started as a module."""
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    if shutil.which("git-knowl", path=here):
        return here
    made = os.path.join(folder, "bin", "git-knowl")
    os.mkdir(os.path.dirname(made))
    with open(made, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec '{sys.executable}' -P -m git_knowl \"$@\"\n")
    os.chmod(made, 0o700)
    return os.path.dirname(made)


def borrow(repo: Repository, main: str, env: Mapping[str, str]) -> None:
    """Make an empty repository that sees every object of another one."""
    options = ("--template=", f"--object-format={repo.object_format}", "--initial-branch=main")
    must(env, "init", "-q", *options, main)
    inside = os.path.join(main, ".git")
    objects = os.path.join(repo.common_dir, "objects")
    write(os.path.join(inside, "objects", "info", "alternates"), f"{objects}\n")
    write(os.path.join(inside, "info", "attributes"), ATTRIBUTES)
    shallow = os.path.join(repo.common_dir, "shallow")
    if os.path.exists(shallow):
        shutil.copyfile(shallow, os.path.join(inside, "shallow"))
    for key, value in CONFIG.items():
        must(env, "-C", main, "config", key, value)


def begin(main: str, tip: str, env: Mapping[str, str]) -> str:
    """Return an empty commit on top of the last one.

    Whoever asks for the patch of the last commit gets an answer without reading a file of it, which
    a partial clone need not have.
    """
    made = must(env, "-C", main, "commit-tree", "-p", tip, "-m", "begin a tour", f"{tip}^{{tree}}")
    return os.fsdecode(made.out).strip()


def check_out(folder: str, git_dir: str, file: str, env: Mapping[str, str]) -> None:
    """Fill index and folder of a worktree, the folder with one file."""
    pattern = PATTERN.sub(r"\\\1", file)
    write(os.path.join(git_dir, "info", "sparse-checkout"), f"/{pattern}\n")
    must(env, "-C", folder, "read-tree", "-m", "-u", "HEAD")


def pick(main: str, env: Mapping[str, str]) -> str:
    """Return the path of a text file of the last commit: code before prose, the largest first."""
    listed = must(env, "-C", main, "ls-tree", "-r", "-z", "--long", "--full-tree", "HEAD")
    for path, oid in candidates(os.fsdecode(listed.out).split("\0"))[:MOST_OPENED]:
        found = call(["git", "-C", main, "cat-file", "blob", oid], env)
        if found.code == 0 and is_text(found.out):
            return path
    raise TourError(
        "no text file is in the last commit, and the tour needs one",
        "run it in a repository that has one",
    )


def candidates(lines: Iterable[str]) -> list[tuple[str, str]]:
    """Return path and blob of the files the tour could be about, the best first."""
    order = {suffix: place for place, suffix in enumerate(SUFFIXES)}
    found = []
    for line in lines:
        about, _, path = line.partition("\t")
        mode, _, oid, size = about.split() if about else ("", "", "", "")
        if mode not in REGULAR or not size.isdecimal() or not 0 < int(size) < LARGEST:
            continue
        if len(path) <= LONGEST and path.isprintable():
            rank = order.get(os.path.splitext(path)[1].lower(), len(order))
            aside = bool(ASIDE.search(path))
            found.append((int(size) < SMALLEST, aside, rank, -int(size), path, oid))
    return [(path, oid) for *_, path, oid in sorted(found)]


def is_text(data: bytes) -> bool:
    """Tell whether content is text in UTF-8."""
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def write(path: str, text: str) -> None:
    """Write a file of the throw-away repository, with the folder it stands in."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)


def must(env: Mapping[str, str], *words: str) -> Finished:
    """Run a git command of the preparation, or raise TourError with git's own words."""
    done = call(["git", *words], env)
    if done.code:
        told = os.fsdecode(done.err).strip().rpartition("\n")[2]
        raise TourError(
            f"git could not set up the tour: {told}",
            "the tour clones this repository: see that 'git clone' of it works",
        )
    return done


def call(argv: list[str], env: Mapping[str, str]) -> Finished:
    """Run one command without a terminal."""
    return run(argv, dict(env), timeout=PATIENCE)
