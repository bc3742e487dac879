"""Tiers: how a text was let in, and which of them reach agents.

Read on the short paths, so it loads nothing.
"""

from __future__ import annotations

#: Reviewed in this clone, by a person at a terminal or page.
HERE = "here"
#: Reviewed elsewhere, and signed by a key that git's own configuration allows.
SIGNED = "signed"
#: Reviewed elsewhere, so the file says; unsigned, or by a key nobody here vouches for.
OTHERS = "others"
#: No person at a terminal or page has confirmed it.
UNATTENDED = "unattended"
TIERS = (HERE, SIGNED, OTHERS, UNATTENDED)
#: What stands for an entry whose text is kept from agents.
UNTRUSTED = "untrusted"


def parse_tiers(text: str) -> tuple[str, ...] | None:
    """Return the tiers a setting lists, in their own order; None for any other word, or none."""
    words = text.replace(",", " ").split()
    if not words or not set(words) <= set(TIERS):
        return None
    return tuple(tier for tier in TIERS if tier in words)


def needs_signatures(trusted: tuple[str, ...]) -> bool:
    """Tell whether it matters which texts of others are signed."""
    return (SIGNED in trusted) != (OTHERS in trusted)
