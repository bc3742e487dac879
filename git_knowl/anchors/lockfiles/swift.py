"""Package.resolved of Swift, version 1 to 3: pins by the address of their repository.

As in package URLs a package is ``HOST/OWNER/NAME``, one from a registry ``SCOPE/NAME``. The file
does not say which packages are direct.
"""

import re
from typing import Any

from git_knowl.anchors.lockfiles.json_text import format_number, load, objects, records, string
from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError, check_format

_ADDRESS = re.compile(
    r"(?:[a-z+]+://)?(?:[^@/]+@)?([^/:@]+)(?::\d+)?[:/]/*(.+?)(?:\.git)?/?", re.IGNORECASE
)
_LOCAL = ("/", ".", "file:")


def scan(text: str) -> Listing:
    """Return every pin that does not lie on this machine."""
    lockfile = load(text)
    number = format_number(lockfile.get("version"))
    check_format("version", number, ("1", "2", "3"))
    pins = (objects(lockfile).get("object", {}) if number == "1" else lockfile).get("pins")
    if not isinstance(pins, list):
        raise LockfileError("expected an array under 'pins'")
    return Listing([(name, _found(pin)) for pin in records(pins) if (name := _name(pin))])


def _name(pin: dict[str, Any]) -> str | None:
    if pin.get("kind") == "registry":
        return (string(pin.get("identity")) or "").replace(".", "/", 1) or None
    address = string(pin.get("location")) or string(pin.get("repositoryURL")) or ""
    match = None if address.startswith(_LOCAL) else _ADDRESS.fullmatch(address)
    return f"{match[1]}/{match[2]}" if match else None


def _found(pin: dict[str, Any]) -> Found:
    """Return the version; of a pin to a branch, which has none, its commit."""
    state = objects(pin).get("state", {})
    version, commit = string(state.get("version")), string(state.get("revision"))
    return Found(version or commit, commit and f"git:{commit}")
