"""Identifiers: lower-case ULIDs, and prefixes that name exactly one of them.

A ULID is 48 bits of milliseconds and 80 random bits in Crockford base 32 (https://github.com/ulid/spec);
lower case, because refs and files on case-folding disks must not collide.
"""

from git_knowl.errors import KnowlError

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 26
#: So many letters at its beginning are a clock.
CLOCK = 10
SHORT = 6


class IdError(KnowlError):
    """An id or prefix that names nothing, or more than one thing."""


def make_id(milliseconds: int, entropy: bytes) -> str:
    """Return the ULID of a time since the epoch and ten random bytes.

    The lowest bit is left out: 512 folders instead of 1,024 make the trees of a write smallest at
    100,000 entries (docs/decisions/0004).
    """
    number = ((milliseconds << 80) | int.from_bytes(entropy[:10], "big")) & ~1
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(125, -5, -5))


def milliseconds(identifier: str) -> int:
    """Return the time since the epoch that an id begins with."""
    number = 0
    for letter in identifier[:CLOCK]:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number


def is_id(text: str) -> bool:
    """Tell whether the text is a full lower-case ULID."""
    return len(text) == LENGTH and text[0] in "01234567" and not text.strip(ALPHABET)


def shard(identifier: str) -> str:
    """Return the two-letter folder of an id: its last two, since the first ones are a clock."""
    return identifier[-2:]


def resolve(prefix: str, candidates: "list[str]", what: str) -> str:
    """Return the one candidate that is, begins or ends with the given text (in lower case).

    Raises IdError when there is none or more than one; ``what`` names the kind of thing.
    """
    wanted = prefix.lower()
    if wanted in candidates:
        return wanted
    found = sorted({c for c in candidates if c.startswith(wanted) or c.endswith(wanted)})
    if len(found) == 1 and wanted:
        return found[0]
    if not found or not wanted:
        raise IdError(f"no {what} has the id '{prefix}'", "list them with 'git knowl inbox'")
    shown = ", ".join(found[:5])
    raise IdError(f"id '{prefix}' is ambiguous: {shown}", "give more characters of the id")
