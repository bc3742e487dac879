"""How like a question the entries are in meaning, as far as somebody asked for that.

Vectors of entries are made when they are first needed, so many seconds at a time: until all are
there, those without one are found by their words, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Protocol

from git_knowl.model.entry import Entry
from git_knowl.model.settings import EVERYWHERE, OFF, SettingError
from git_knowl.services.context import Context
from git_knowl.services.semantic.extra import SemanticUnavailable, check
from git_knowl.services.semantic.vectors import FILE, Vectors

#: A question waits no longer than so many seconds for vectors of entries.
PATIENCE = 2.0
#: So many entries are read, run and kept at a time: what is kept survives an interruption.
BATCH = 5
#: Characters of a part of a body, as a rule; a longer paragraph is one part.
PART = 1_000
MOST_PARTS = 16


class Embedder(Protocol):
    """What makes vectors of texts and compares them; ``name`` changes when its vectors do."""

    @property
    def name(self) -> str:
        """The name that vectors are kept under."""

    def embed(self, texts: Sequence[str]) -> bytes:
        """Return the vectors of some texts, one behind the other."""

    def compare(self, question: bytes, kept: Sequence[bytes]) -> list[float]:
        """Return for each run of vectors the cosine of the one most like the question."""


Load = Callable[[], Embedder]


def load_model() -> Embedder:
    """Load the model of the extra; raises SemanticUnavailable."""
    check()
    from git_knowl.services.semantic.model import load  # noqa: PLC0415 - many times a bare start

    return load()


def likeness(
    ctx: Context, question: str, *, on_the_way: bool = False, load: Load = load_model
) -> Mapping[str, float]:
    """Return for the live entries that have vectors how like a question they are, by id.

    Nothing for who did not turn it on, nor ``on_the_way`` of an agent unless it is on everywhere,
    nor for a question that the model cannot read. Where the extra is missing, or vectors are,
    ``notices`` of the repository tell it.
    """
    semantic = reach(ctx, on_the_way=on_the_way)
    if semantic == OFF or (on_the_way and semantic != EVERYWHERE):
        return {}
    if not (ctx.cache.size() and is_readable(question)):
        return {}
    until = ctx.caller.clock() + PATIENCE
    try:
        embedder = load()
    except SemanticUnavailable as error:
        tell(ctx, f"{error.message} ({error.hint})")
        return {}
    kept, missing = brought_up(ctx, embedder, lambda: ctx.caller.clock() < until)
    if missing:
        tell(
            ctx,
            f"entries that are found by their words alone so far: {missing}; their vectors are made"
            " as questions come, or all at once by 'git knowl search --embed'",
        )
    found = embedder.compare(embedder.embed([question]), list(kept.values()))
    return dict(zip(kept, found, strict=True))


def reach(ctx: Context, *, on_the_way: bool) -> str:
    """Return where likeness counts; on the way of an agent a value of no meaning turns it off."""
    try:
        return ctx.settings.semantic
    except SettingError:
        if on_the_way:
            return OFF
        raise


def is_readable(question: str) -> bool:
    """Tell whether at least half of the letters are of the script that the model was trained on.

    All texts in another one are alike to it.
    """
    letters = [char for char in question if char.isalpha()]
    return 2 * sum(char.isascii() for char in letters) >= len(letters)


def tell(ctx: Context, notice: str) -> None:
    """Have a person told once, however many stores are asked."""
    if notice not in ctx.repo.notices:
        ctx.repo.notices.append(notice)


def make_all(ctx: Context, load: Load = load_model) -> int:
    """Make the vectors of every live entry that has none, and return how many have some now.

    Raises SemanticUnavailable where the extra is missing.
    """
    return len(brought_up(ctx, load(), lambda: True)[0])


def brought_up(
    ctx: Context, embedder: Embedder, may_go_on: Callable[[], bool]
) -> tuple[dict[str, bytes], int]:
    """Return the vectors of the live entries by id, newest made first, and how many have none."""
    blobs = live(ctx)
    with closing(Vectors(ctx.repo.shared_path(FILE), embedder.name)) as vectors:
        known = vectors.of(blobs.values())
        missing = sorted((one for one, blob in blobs.items() if blob not in known), reverse=True)
        for batch in batches(missing):
            made = {
                blobs[entry.id]: embedder.embed(list(texts_of(entry)))
                for entry in ctx.cache.entries(batch)
            }
            vectors.keep(made)
            known |= made
            if not may_go_on():
                break
    kept = {one: known[blob] for one, blob in blobs.items() if blob in known}
    return kept, len(blobs) - len(kept)


def live(ctx: Context) -> dict[str, str]:
    """Return the blob of every live entry by its id."""
    rows = ctx.cache.select("SELECT id, blob FROM entry WHERE shown_name IS NOT NULL")
    return {identifier: str(blob) for identifier, blob in rows}


def batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield so many at a time."""
    return (ids[at : at + BATCH] for at in range(0, len(ids), BATCH))


def texts_of(entry: Entry) -> Iterator[str]:
    """Yield what of an entry is run: the whole from its beginning on, then its body in parts."""
    yield f"{entry.name.replace('-', ' ')}\n{entry.description}\n{entry.body}"
    yield from parts(re.split(r"\n\s*\n", entry.body))


def parts(paragraphs: Iterable[str]) -> list[str]:
    """Join short paragraphs to parts; of a very long body the first are all that counts."""
    found: list[str] = []
    for text in filter(None, map(str.strip, paragraphs)):
        if found and len(found[-1]) + len(text) < PART:
            found[-1] += f"\n{text}"
        else:
            found.append(text)
    return found[:MOST_PARTS]
