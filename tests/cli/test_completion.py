"""Completion, asked of a real bash: of the program itself, and through git's own completion."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.cli import Knowl

#: Where systems and git's own build leave git's completion.
PLACES = (
    "/usr/share/bash-completion/completions/git",
    "/usr/local/etc/bash_completion.d/git-completion.bash",
    "/opt/homebrew/etc/bash_completion.d/git-completion.bash",
)
GITS = next((place for place in PLACES if Path(place).exists()), None)
ASK = """\
eval "$(git-knowl completion bash)"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMP_LINE="$*"
COMP_POINT=${#COMP_LINE}
%s
printf '%%s\\n' "${COMPREPLY[@]}"
"""
BY_ITSELF = ASK % "_git_knowl_completion git-knowl"
#: What git's completion sets before it asks a function for a command it does not know.
AS_GIT_DOES = ASK % 'words=("$@") cword=$COMP_CWORD __git_cmd_idx=1; _git_knowl'
BY_GIT = f". '{GITS}'\n{ASK % '__git_wrap__git_main'}"

WORDS = [
    (["s"], ["snooze", "show", "search", "status", "stats", "sync", "schema"]),
    (["ls", "--st"], ["--status"]),
    (["ls", "--type", "p"], ["project"]),
    (["completion", ""], ["bash", "zsh", "fish"]),
    (["inbox", "d"], ["drop"]),
    (["nothing-like-that", "st"], ["status", "stats"]),
]


@pytest.fixture
def bash(knowl: Knowl, tmp_path: Path):
    """Give a bash that finds the program, and returns what it would offer for some words."""
    program = tmp_path / "bin" / "git-knowl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m git_knowl "$@"\n')
    program.chmod(0o755)
    env = knowl.process_env()
    env["PATH"] = f"{program.parent}:{env['PATH']}"

    def ask(script: str, *words: str) -> list[str]:
        done = subprocess.run(
            ["bash", "-c", script, "bash", *words],
            cwd=knowl.cwd,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return [line.strip() for line in done.stdout.splitlines() if line]

    return ask


@pytest.mark.parametrize(("words", "offered"), WORDS)
def test_the_program_is_completed(bash, words: list[str], offered: list[str]) -> None:
    assert bash(BY_ITSELF, "git-knowl", *words) == offered


@pytest.mark.parametrize(("words", "offered"), WORDS)
def test_gits_completion_is_answered(bash, words: list[str], offered: list[str]) -> None:
    assert bash(AS_GIT_DOES, "git", "knowl", *words) == offered


@pytest.mark.skipif(GITS is None, reason="git's completion is not installed here")
@pytest.mark.parametrize("before", [["git"], ["git", "-C", "."]])
def test_gits_own_completion_finds_ours(bash, before: list[str]) -> None:
    assert bash(BY_GIT, *before, "knowl", "ex") == ["export"]
    assert bash(BY_GIT, *before, "knowl", "show", "--r") == ["--raw"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_that_asks_the_program(knowl: Knowl, shell: str) -> None:
    script = knowl.ok("completion", shell)

    assert "git-knowl" in script
    assert f"_GIT_KNOWL_COMPLETE={shell}_complete" in script
