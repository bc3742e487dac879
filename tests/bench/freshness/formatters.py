"""A formatter's day: whatever formatter is here runs over whole files."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

#: Suffixes and the command that writes the formatted text to stdout, given the file's name.
FORMATTERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "black": ((".py",), ("black", "-q", "-l", "79", "-")),
    "ruff format": ((".py",), ("ruff", "format", "-q", "--line-length", "120", "-")),
    "gofmt": ((".go",), ("gofmt",)),
    "prettier": (
        (".js", ".ts", ".tsx", ".jsx", ".mjs"),
        ("prettier", "--print-width", "100", "--single-quote", "--stdin-filepath", "{name}"),
    ),
    "rustfmt": ((".rs",), ("rustfmt", "--edition", "2021", "--config", "max_width=90")),
    "clang-format": (
        (".java", ".c", ".cc", ".cpp", ".h"),
        ("clang-format", "--style=Google", "--assume-filename={name}"),
    ),
}


def installed(suffix: str) -> list[str]:
    """Return the formatters that are here for a suffix."""
    return [
        name
        for name, (suffixes, command) in FORMATTERS.items()
        if suffix in suffixes and shutil.which(command[0])
    ]


def formatted(formatter: str, path: str, data: bytes) -> bytes | None:
    """Return a file as the formatter leaves it; None where it refuses or changes nothing."""
    command = [part.format(name=Path(path).name) for part in FORMATTERS[formatter][1]]
    done = subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)
    return done.stdout if done.returncode == 0 and done.stdout not in (b"", data) else None
