"""Programs that manage hooks: how they are recognised, and the lines that make them run ours.

Their files are theirs, and mostly shared by everybody who works on a project: the lines are
printed, never written. They find the shims by asking git, so that they hold in every clone, and
do nothing in one without git-knowl.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from git_knowl.services.hooks.program import CALL

#: What git hands to a hook at an event.
FOUND = 'f=$(git rev-parse --git-path common/knowl/hooks/run) && [ -f "$f" ]'
#: So much of a hook file is looked at for the mark of who wrote it.
LOOKED_AT = 8192

Lines = Callable[[Sequence[str]], str]


def call(event: str, arguments: str = '"$@"') -> str:
    """Return the line of shell that runs our shim wherever there is one, and never fails."""
    return f'{FOUND} && sh "$f" {event} {arguments} || true'


def _husky(events: Sequence[str]) -> str:
    return "\n".join(f"in .husky/{event}:\n{call(event)}" for event in events)


def _lefthook(events: Sequence[str]) -> str:
    steps = (
        f"{event}:\n  commands:\n    git-knowl:\n      run: {json.dumps(call(event, '{0}'))}"
        for event in events
    )
    return "\n".join(("in lefthook.yml:", *steps))


#: What pre-commit tells a hook by its environment, where git gives arguments.
_TOLD = {
    "post-checkout": '"$PRE_COMMIT_FROM_REF" "$PRE_COMMIT_TO_REF" "$PRE_COMMIT_CHECKOUT_TYPE"',
    "post-merge": '"$PRE_COMMIT_IS_SQUASH_MERGE"',
    "post-rewrite": '"$PRE_COMMIT_REWRITE_COMMAND"',
}


def _pre_commit(events: Sequence[str]) -> str:
    lines = ["in .pre-commit-config.yaml, below 'repos:':", "- repo: local", "  hooks:"]
    for event in events:
        entry = json.dumps(f"sh -c '{call(event, _TOLD.get(event, ''))}'")
        lines += [
            f"  - id: git-knowl-{event}",
            f"    name: git-knowl {event}",
            f"    entry: {entry}",
            "    language: system",
            f"    stages: [{event}]",
            "    always_run: true",
            "    pass_filenames: false",
            "    verbose: true",
        ]
    types = " ".join(f"-t {event}" for event in events)
    return "\n".join((*lines, f"then have it run at these events: pre-commit install {types}"))


def _simple_git_hooks(events: Sequence[str]) -> str:
    shown = json.dumps({event: call(event) for event in events}, indent=2)
    return f"in package.json, in the object 'simple-git-hooks':\n{shown[2:-2]}"


def _any(events: Sequence[str]) -> str:
    shown = "\n".join(f"at {event}: {call(event)}" for event in events)
    return f"have it run this:\n{shown}"


@dataclass(frozen=True, slots=True)
class Manager:
    """A program that manages hooks.

    ``mark`` stands in the hook files it writes, ``folder`` in the path of a hooks folder of its
    own, ``files`` are where its users say what runs; ``is_tolerant`` tells whether it leaves alone
    the hook files of events it has nothing for.
    """

    name: str
    mark: bytes
    files: tuple[str, ...]
    lines: Lines
    folder: str = ""
    is_tolerant: bool = True


MANAGERS = (
    Manager("husky", b"# husky", (".husky",), _husky, folder="/.husky", is_tolerant=False),
    Manager(
        "simple-git-hooks", b"SIMPLE_GIT_HOOKS",
        ("package.json", ".simple-git-hooks.json", ".simple-git-hooks.js", ".simple-git-hooks.cjs",
         "simple-git-hooks.json", "simple-git-hooks.js", "simple-git-hooks.cjs"),
        _simple_git_hooks, is_tolerant=False,
    ),
    Manager("overcommit", b"overcommit", (".overcommit.yml",), _any, is_tolerant=False),
    Manager(
        "lefthook", b"lefthook",
        ("lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", "lefthook.toml",
         ".lefthook.toml", "lefthook.json", ".lefthook.json", "lefthook-local.yml"),
        _lefthook,
    ),
    Manager("prek", b"prek", ("prek.toml", ".pre-commit-config.yaml"), _pre_commit),
    Manager("pre-commit", b"pre-commit.com", (".pre-commit-config.yaml",), _pre_commit),
    Manager("hk", b"hk run", ("hk.pkl",), _any),
)  # fmt: skip


def of_file(data: bytes) -> Manager | None:
    """Return who wrote a hook file, or None when nobody known did."""
    return next((one for one in MANAGERS if one.mark in data[:LOOKED_AT]), None)


def of_folder(folder: str) -> Manager | None:
    """Return who manages the hooks of a folder, by its path or by what lies there."""
    for one in MANAGERS:
        if one.folder and f"{one.folder}/" in f"{folder}/":
            return one
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        found = None if name.endswith(".sample") else of_file(read(os.path.join(folder, name)))
        if found is not None:
            return found
    return None


def calls_us(manager: Manager, top: str, event: str) -> bool:
    """Tell whether what a manager is told to run at an event includes us."""
    return any(
        CALL in line and event in line
        for name in manager.files
        for line in _lines_at(os.path.join(top, name), event)
    )


def _lines_at(path: str, event: str) -> list[str]:
    if os.path.isdir(path):  # of husky: one file an event
        return [
            f"{event} {line}" for line in os.fsdecode(read(os.path.join(path, event))).splitlines()
        ]
    return os.fsdecode(read(path)).splitlines()


def read(path: str) -> bytes:
    """Return what a file holds, nothing when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
