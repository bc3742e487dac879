"""The repository's own files, for tests that judge the project rather than the program."""

from __future__ import annotations

import subprocess
import tomllib
from typing import TYPE_CHECKING, Any

from tests.support.seal import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = ROOT / "git_knowl"


def project_settings() -> dict[str, Any]:
    """Return what pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def project_files() -> list[Path]:
    """Return the files of the repository: tracked, or new and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    found = (ROOT / name for name in listed.stdout.decode().split("\0") if name)
    return sorted(path for path in found if path.is_file())


def package_modules() -> list[Path]:
    """Return the modules of the package."""
    return sorted(PACKAGE.rglob("*.py"))
