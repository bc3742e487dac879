"""requirements*.txt: only exact pins (``==`` without a wildcard) resolve anything.

Files named by ``-r`` or ``-c`` are not followed: a package that is missing here may be there.
"""

import re
from collections.abc import Iterator

from git_knowl.anchors.lockfiles.listing import Found, Listing

_REQUIREMENT = re.compile(
    r"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?=$|[=<>!~@;(-])(.*)"
)
_PIN = re.compile(r"={2,3}\s*([^\s,;*)]+)(?=[\s,;)]|$)")
_HASH = re.compile(r"--hash[= ](\S+)")
_COMMENT = re.compile(r"(^|\s)#.*")
_INCLUDE = re.compile(r"-[rc]|--(?:requirement|constraint)\b")


def scan(text: str) -> Listing:
    """Return every requirement; those without an exact pin have no version."""
    lines = list(_logical_lines(text))
    is_partial = any(_INCLUDE.match(line) for line in lines)
    return Listing(
        [
            (match[1], _found(match[2]))
            for line in lines
            if not line.startswith("-") and (match := _REQUIREMENT.match(line))
        ],
        "files included by -r or -c are not followed, and it is not pinned here"
        if is_partial
        else None,
    )


def _logical_lines(text: str) -> Iterator[str]:
    """Yield requirements and options without comments, continuation lines joined."""
    for line in text.replace("\\\n", " ").split("\n"):
        stripped = (_COMMENT.sub("", line) if "#" in line else line).strip()
        if stripped:
            yield stripped


def _found(rest: str) -> Found:
    specifiers = rest.partition(";")[0]
    pin = None if specifiers.startswith("@") else _PIN.search(specifiers)
    hashes = _HASH.findall(rest)
    return Found(pin[1] if pin else None, hashes[0] if len(hashes) == 1 else None)
