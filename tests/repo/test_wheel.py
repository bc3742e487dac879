"""What a user installs: the wheel holds the package, its texts and the hooks, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from git_knowl import __version__
from tests.support.project import PACKAGE, project_files, project_settings
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = project_settings()
INFO = f"git_knowl-{__version__}.dist-info"
DATA = f"git_knowl-{__version__}.data/data"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder: Path = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def shipped_files() -> set[str]:
    """Name every file of the package, the hooks and the shared data as the wheel does."""
    files = project_files()
    shared = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    data = {
        f"{DATA}/{target}/{path.relative_to(ROOT / folder)}"
        for folder, target in shared.items()
        for path in files
        if path.is_relative_to(ROOT / folder)
    }
    package = {str(p.relative_to(ROOT)) for p in files if p.is_relative_to(PACKAGE)}
    hooks = {f"git_knowl/_{p.relative_to(ROOT)}" for p in files if p.is_relative_to(ROOT / "hooks")}
    return package | hooks | data


def test_wheel_holds_every_file_of_the_package_and_the_hooks(wheel: zipfile.ZipFile) -> None:
    names = {name for name in wheel.namelist() if not name.startswith(INFO)}

    assert names == shipped_files()


def test_wheel_says_that_it_is_typed(wheel: zipfile.ZipFile) -> None:
    assert "git_knowl/py.typed" in wheel.namelist()


def test_wheel_installs_the_command_git_finds(wheel: zipfile.ZipFile) -> None:
    scripts = wheel.read(f"{INFO}/entry_points.txt").decode()

    assert scripts.split() == ["[console_scripts]", "git-knowl", "=", "git_knowl.__main__:main"]


def test_wheel_names_what_it_needs_with_lower_bounds_only(wheel: zipfile.ZipFile) -> None:
    metadata = wheel.read(f"{INFO}/METADATA").decode().splitlines()
    needed = [
        line.removeprefix("Requires-Dist: ")
        for line in metadata
        if line.startswith("Requires-Dist: ") and "extra ==" not in line
    ]

    assert [line.lower() for line in needed] == [
        line.lower() for line in SETTINGS["project"]["dependencies"]
    ]
    assert all(">=" in line and "," not in line for line in needed)
    assert "Requires-Python: >=3.11" in metadata
    assert f"{INFO}/licenses/LICENSE" in wheel.namelist()
