"""What lies in the repository besides code."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from git_knowl import __version__
from tests.support.project import project_files
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from pathlib import Path

#: Registries and folders of the machines this is built on; put together here, so as not to find
#: themselves.
HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("static", "crates", "io"),
        ("index", "crates", "io"),
        ("proxy", "golang", "org"),
        ("deb", "debian", "org"),
    )
]
FOLDERS = ["/".join(("", *parts)) for parts in (("work",), ("tmp", "spec"), ("opt", "knowl-venv"))]
FOREIGN = re.compile(
    "|".join([*map(re.escape, HOSTS), *(rf"(?<![\w.-]){folder}\b" for folder in FOLDERS)])
)


def texts() -> list[tuple[str, str]]:
    found = []
    for path in project_files():
        try:
            found.append((str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return found


def test_no_file_names_a_registry_or_a_folder_of_one_machine() -> None:
    named = {f"{name}: {hit[0]}" for name, text in texts() for hit in FOREIGN.finditer(text)}

    assert sorted(named) == []


def test_changelog_has_a_section_for_what_is_not_released_and_for_every_release() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"(?m)^## \[(.+?)\]", changelog)

    assert sections[0] == "Unreleased"
    assert __version__ == "0.1.0" or __version__ in sections


def test_continuous_integration_runs_the_line_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"grep -x '(.*)' README.md", script)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert pattern is not None
    assert len(re.findall(rf"(?m)^{pattern[1]}$", readme)) == 1


def shell_scripts() -> list[Path]:
    return [path for path in project_files() if is_shell(path)]


def is_shell(path: Path) -> bool:
    with path.open("rb") as file:
        return bool(re.match(rb"#!.*\b(?:sh|bash)\b", file.readline()))


def test_shell_scripts_pass_shellcheck() -> None:
    program = shutil.which("shellcheck")
    if program is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(
        [program, *map(str, shell_scripts())], capture_output=True, text=True, check=False
    )

    assert done.stdout == ""
