"""pubspec.lock of Dart and Flutter: YAML blocks by name, cut out by their indentation."""

import re

from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError, first_group

_LOCAL = "path"
_PACKAGES = re.compile(r"^packages:(?: \{\})?\n?", re.MULTILINE)
_SECTION = re.compile(r"\n(?=\S)")
_BLOCK = re.compile(r"\n(?=  \S)")
_KEY = re.compile(r"  [\"']?([^\s\"':]+)")
_DEPENDENCY = re.compile(r"\n    dependency: [\"']?(\w+)")
_SOURCE = re.compile(r"\n    source: [\"']?(\w+)")
_VERSION = re.compile(r"\n    version: [\"']?([^\"'\n]+)")
_CHECKSUM = re.compile(r"\n      sha256: [\"']?([0-9a-f]{64})")
_COMMIT = re.compile(r"\n      resolved-ref: [\"']?([0-9a-f]{40,64})")


def scan(text: str) -> Listing:
    """Return every package that is not a folder of the project.

    Those of an SDK come without a version: the file has ``0.0.0`` for all of them.
    """
    parts = _PACKAGES.split(text, maxsplit=1)
    if len(parts) == 1:
        raise LockfileError("expected a section 'packages:', found none")
    _, *blocks = _BLOCK.split(_SECTION.split("\n" + parts[1], maxsplit=1)[0])
    keyed = (_KEY.match(block) for block in blocks)
    sourced = [
        (key[1], key.string, first_group(_SOURCE, key.string)) for key in keyed if key is not None
    ]
    return Listing(
        [
            (name, _found(block, is_exact=source != "sdk"))
            for name, block, source in sourced
            if source != _LOCAL
        ],
        own=frozenset(name for name, _, source in sourced if source == _LOCAL),
    )


def _found(block: str, *, is_exact: bool) -> Found:
    commit, checksum = first_group(_COMMIT, block), first_group(_CHECKSUM, block)
    return Found(
        first_group(_VERSION, block) if is_exact else None,
        f"git:{commit}" if commit else checksum and f"sha256:{checksum}",
        first_group(_DEPENDENCY, block) == "direct",
    )
