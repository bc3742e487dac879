"""Our own small files beside a repository: replaced whole or left alone; any may be lost."""

from __future__ import annotations

import os


def holds(path: str, data: bytes) -> bool:
    """Tell whether a file has exactly this content."""
    try:
        with open(path, "rb") as file:
            return file.read() == data
    except OSError:
        return False


def put(path: str, data: bytes) -> bool:
    """Replace a file whole, or leave it as it was and return False."""
    # `tempfile` costs half a bare start; a name with the process id is as good in our own folder.
    beside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(beside, "wb") as file:
            file.write(data)
        os.replace(beside, path)
    except OSError:
        return False
    return True


def drop(path: str) -> bool:
    """Remove a file; tell whether it went."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def append(path: str, data: bytes) -> bool:
    """Add to the end of a file; tell whether that went well."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "ab") as file:
            file.write(data)
    except OSError:
        return False
    return True


def take(path: str) -> bytes:
    """Return the content of a file and remove it; nothing where there is none."""
    beside = f"{path}.{os.getpid()}"
    try:
        os.rename(path, beside)
        with open(beside, "rb") as file:
            data = file.read()
        os.unlink(beside)
    except OSError:
        return b""
    return data
