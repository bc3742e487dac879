"""`git knowl flag` without the command line: one sentence in, one id out."""

from __future__ import annotations

import sys
from getopt import GetoptError, gnu_getopt

from git_knowl.interfaces.door import open_context
from git_knowl.interfaces.report import say
from git_knowl.model.flag import CUES

SHORT = "p:"
LONG = ["path=", "cue=", "quote=", "json"]


def run(arguments: list[str]) -> int | None:
    """Flag and print the id; None when the full command line must explain the usage."""
    try:
        options, words = gnu_getopt(arguments, SHORT, LONG)
    except GetoptError:
        return None
    named = dict(options)
    if len(words) != 1 or named.get("--cue", CUES[0]) not in CUES:
        return None
    paths = tuple(value for name, value in options if name in ("-p", "--path"))
    given = (words[0], paths, named.get("--cue"), named.get("--quote"))
    return perform(*given, as_json="--json" in named)


def perform(
    summary: str, paths: tuple[str, ...], cue: str | None, quote: str | None, *, as_json: bool
) -> int:
    """Store the flag, print its id, and say what was scrubbed."""
    from git_knowl.services.flag import flag

    ctx = open_context()
    done = flag(ctx, summary, paths, cue, quote)
    for kind, count in done.redacted:
        say("note", f"replaced {count} value(s) of type {kind} before storing")
    if done.known:
        say("note", "this was flagged already in this session")
    for notice in ctx.repo.notices:
        say("note", notice)
    sys.stdout.write(render(done.flag.id, as_json=as_json) + "\n")
    sys.stdout.flush()
    return 0


def render(identifier: str, *, as_json: bool) -> str:
    """Return the id alone, or the object of a writing verb."""
    if not as_json:
        return identifier
    return f'{{"ok": true, "ids": ["{identifier}"], "id": "{identifier}"}}'
