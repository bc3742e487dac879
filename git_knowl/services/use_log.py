"""The file to which every answer adds one short line: what was shown, read, and looked for.

On the path of a question of an agent's user: nothing is loaded for it. ``use`` takes the file over
into the state of this clone. Where a line cannot be written, nobody is told.
"""

from __future__ import annotations

import os

from git_knowl.model.hashing import sha256
from git_knowl.model.light_json import dumps
from git_knowl.plumbing import small_files
from git_knowl.store.search_text import question_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from git_knowl.services.context import Context

FILE = "use.jsonl"
SALT = "use.salt"
#: From this size on the file is taken over; it has then about a hundred lines.
FULL_BYTES = 8_192
#: Of a file that nothing could take over no more is kept.
MOST_BYTES = 262_144
MOST_IDS = 100
SALT_BYTES = 16
KEY_LETTERS = 16
SHOWN, READ, ASKED = "shown", "read", "asked"


def told_lookup(
    ctx: Context, question: str, ids: Iterable[str], *, missed: bool, text: str | None = None
) -> dict[str, Any] | None:
    """Return what is noted of a question, None where nothing can stand for it.

    ``missed`` tells that it was in vain, ``ids`` are the entries shown for it, and ``text`` is what
    is kept of its words.
    """
    key = key_of(ctx, question)
    if key is None:
        return None
    return {ASKED: key, "missed": missed, "text": text, SHOWN: list(ids)[:MOST_IDS]}


def add(ctx: Context, told: dict[str, Any]) -> None:
    """Add a line to the file, unless it has grown too long."""
    path = path_of(ctx)
    if size(path) < MOST_BYTES:
        line = dumps({"at": ctx.caller.now(), **told})
        small_files.append(path, f"{line}\n".encode("ascii"))


def is_full(ctx: Context) -> bool:
    """Tell whether the file has enough lines to be taken over."""
    return size(path_of(ctx)) > FULL_BYTES


def key_of(ctx: Context, question: str) -> str | None:
    """Return what stands for the words of a question in this clone alone, None without a salt.

    Order and case of the words make no difference.
    """
    words = sorted(question_words(question))
    salt = _salt(ctx)
    if not words or salt is None:
        return None
    told = "\0".join(words).encode("utf-8", "replace")
    return sha256(salt + told).hexdigest()[:KEY_LETTERS]


def path_of(ctx: Context) -> str:
    """Return where the file lies."""
    return ctx.repo.shared_path(FILE)


def size(path: str) -> int:
    """Return how many bytes a file has, 0 without one."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _salt(ctx: Context) -> bytes | None:
    """Return what keeps hashes from being guessed elsewhere; made with the first question."""
    path = ctx.repo.shared_path(SALT)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(ctx.caller.entropy(SALT_BYTES))
    except FileExistsError:
        pass
    except OSError:
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
