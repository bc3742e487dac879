"""gradle.lockfile: ``GROUP:ARTIFACT:VERSION=CONFIGURATIONS`` a line, and ``empty=`` at the end.

The file does not say which modules are direct, and holds no checksums.
"""

import re

from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError

_MODULE = re.compile(r"^([^#:=\s]+):([^:=\s]+):([^:=\s]+)=", re.MULTILINE)
_EMPTY = re.compile(r"^empty=", re.MULTILINE)


def scan(text: str) -> Listing:
    """Return every module, named as in package URLs: ``GROUP/ARTIFACT``."""
    modules = _MODULE.findall(text)
    if not modules and not _EMPTY.search(text):
        raise LockfileError("expected lines GROUP:ARTIFACT:VERSION=CONFIGURATIONS, found none")
    return Listing(
        [(f"{group}/{artifact}", Found(version)) for group, artifact, version in modules]
    )
