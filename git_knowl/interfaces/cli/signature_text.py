"""Signatures in words for people."""

from __future__ import annotations

from collections.abc import Iterator

from git_knowl.interfaces.cli.entry_text import SHORT
from git_knowl.model.stored import named
from git_knowl.model.tiers import OTHERS, SIGNED
from git_knowl.plumbing import signing
from git_knowl.plumbing.signing import Signature
from git_knowl.services.trust.told import Vouched

#: What is wrong with a signature that does not count.
_WRONG = {
    signing.UNKNOWN_KEY: "signed by a key that is not allowed",
    signing.NO_SIGNERS: "signed, and no allowed signers are configured here",
    signing.EXPIRED: "signed by a key that has expired",
    signing.REVOKED: "signed by a key that was revoked",
    signing.BAD: "signature bad or revoked",
    signing.UNCHECKED: "signature not checked: the key is not here",
}


def signed_by(signature: Signature | None) -> Iterator[str]:
    """Yield what a signature says, nothing without one."""
    if signature is None:
        return
    if signature.state == signing.GOOD:
        yield f"signed by {named(signature.signer or signature.key)}"
    else:
        yield _WRONG[signature.state]


def vouched_fact(vouched: Vouched | None, tier: str) -> Iterator[tuple[str, str]]:
    """Yield which commit let a text in and how it is signed, with its label.

    Of a text from here nobody expects a signature, so there only one that is there is told.
    """
    signature = vouched.signature if vouched else None
    if vouched is None or (signature is None and tier not in (SIGNED, OTHERS)):
        return
    told = next(signed_by(signature), "not signed")
    key = f" ({signature.key})" if signature and signature.key else ""
    yield "let in", f"{vouched.commit[:SHORT]}, {told}{key}"
