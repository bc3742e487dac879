"""mix.lock: an Elixir map (before 1.0 a list) with one tuple a line, from Hex or from git.

The key is the name of the application, the tuple names the package; a package of an organisation
is ``ORGANISATION/NAME`` as in package URLs. The file does not say which packages are direct.
"""

import re
from collections.abc import Iterator

from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError

_HEX = re.compile(r'^[ %{[]*"[^"]+": \{:hex, :"?([^\s",}]+)"?, "([^"]+)"(.*)$', re.MULTILINE)
_TAIL = re.compile(r'\], "([^"\n]+)"(?:, "([0-9a-f]{64})")?\}+,?$')
_GIT = re.compile(r'^[ %{[]*"([^"]+)": \{:git, "[^"]*", "([0-9a-f]{40,64})"', re.MULTILINE)
_ORGANISATION = "hexpm:"


def scan(text: str) -> Listing:
    """Return every package; of one from git, which has no version here, its commit."""
    if not text.lstrip().startswith(("%{", "[")):
        raise LockfileError("expected an Elixir map, beginning with '%{'")
    found = list(_from_hex(text))
    found.extend((name, Found(commit)) for name, commit in _GIT.findall(text))
    return Listing(found)


def _from_hex(text: str) -> Iterator[tuple[str, Found]]:
    """Yield packages with the checksum of their archive, which old files do not have."""
    for name, version, rest in _HEX.findall(text):
        tail = _TAIL.search(rest)
        repository, checksum = tail.groups() if tail else ("", None)
        owner = repository.removeprefix(_ORGANISATION)
        full = f"{owner}/{name}" if owner != repository else name
        yield full, Found(version, checksum and f"sha256:{checksum}")
