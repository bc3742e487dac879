"""Whether the key answers, asked before a person spends an hour on decisions that it must sign."""

from __future__ import annotations

from git_knowl.plumbing.encoding import encode_commit, object_id
from git_knowl.plumbing.scratch import Scratch
from git_knowl.plumbing.signing import commit_signed
from git_knowl.services.context import Context


def check_key(ctx: Context) -> None:
    """Raise SigningError where commits are to be signed and the key does not do it now.

    Only a signature tells: an agent that lists a key may still refuse it. It is made on a commit
    that nobody ever sees.
    """
    if not ctx.settings.sign:
        return
    who = f"{ctx.caller.name()} {int(ctx.caller.clock())} +0000"
    nothing = object_id("tree", b"", ctx.repo.object_format)
    with Scratch(ctx.repo) as scratch:
        trial = encode_commit(nothing, (), who, who, "git-knowl asks whether the key signs\n")
        commit_signed(ctx.repo.with_objects(scratch.borrowed), trial)
