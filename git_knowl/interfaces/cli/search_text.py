"""What a search found, and what was looked for in vain, as people and programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import INDENT, entry_row
from git_knowl.interfaces.cli.views import listing_object
from git_knowl.services.misses import SHORT_KEY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from git_knowl.services.find_text import Found, Note
    from git_knowl.services.listing import Listed
    from git_knowl.services.search import Fit
    from git_knowl.store.use import Question

#: What a question without kept words is shown as.
HASHED = "(only a hash is kept)"


def found_object(found: Found, *, explain: bool) -> dict[str, Any]:
    """Return the shape of `search --json`."""
    shape = listing_object(found.listing)
    for entry, score in zip(shape["entries"], found.scores, strict=True):
        note = found.notes[entry["id"]]
        entry["score"] = score
        entry["older"] = list(note.older)
        entry["gone"] = note.gone or None
        if explain:
            entry["fit"] = fit_object(note.fit)
    return {
        **shape,
        "confident": found.confident,
        "corrected": {word: list(taken) for word, taken in found.corrected.items()},
    }


def fit_object(fit: Fit) -> dict[str, Any]:
    """Return why an entry fits."""
    return {
        "exact": fit.exact or None,
        "share": round(fit.share, 4),
        "relevance": round(fit.relevance, 4),
        "words": list(fit.words),
        "meaning": None if fit.meaning is None else round(fit.meaning, 4),
    }


def found_lines(found: Found, *, explain: bool) -> Iterator[str]:
    """Yield one line a hit, and below it what else is to be said."""
    entries = found.listing.entries
    rows = output.columns(hit_row(one, found.notes[one.row.id]) for one in entries)
    for one, row, score in zip(entries, rows, found.scores, strict=True):
        note = found.notes[one.row.id]
        yield row
        yield from (f"{INDENT}older, suspect: {name}" for name in note.older)
        if note.gone and not one.superseded_by:
            yield f"{INDENT}{note.gone}"
        if explain:
            yield f"{INDENT}{explained(note.fit, score)}"


def hit_row(one: Listed, note: Note) -> tuple[str, ...]:
    """Return the columns of a hit; what is gone has no verdict to go by."""
    status, *rest = entry_row(one)
    return (note.gone.split(maxsplit=1)[0] if note.gone else status, *rest)


def explained(fit: Fit, score: float) -> str:
    """Return in words what a score is made of."""
    if fit.exact:
        return f"{score:.2f}: the question has its {fit.exact}"
    words = ", ".join(fit.words) or "none of its words"
    share, relevance = f"{fit.share:.0%} of the question", f"relevance {fit.relevance:.1f}"
    meaning = "" if fit.meaning is None else f", meaning {fit.meaning:.2f}"
    return f"{score:.2f}: {share} ({words}), {relevance}{meaning}"


def talk_about(found: Found) -> None:
    """Say on the side how sure the answer is, and which words were taken for others."""
    for word, taken in found.corrected.items():
        output.talk(f"note: '{word}' is nowhere, searched for {' or '.join(taken)}")
    if not found.listing.entries:
        output.talk("nothing fits; 'git knowl ls' lists everything")
    elif not found.confident:
        output.talk("note: nothing fits well, this is the nearest")


def miss_lines(found: Iterable[Question]) -> list[str]:
    """Return one line a question: how often it found nothing, when last, and what it was."""
    return output.columns(
        (
            one.key[:SHORT_KEY],
            f"{one.missed} of {one.asked}",
            one.last[:10],
            f"{one.text or HASHED}{f' [flag {one.flag}]' if one.flag else ''}",
        )
        for one in found
    )


def misses_object(found: Sequence[Question]) -> dict[str, Any]:
    """Return the shape of `search --misses --json`."""
    told = [
        {
            "key": one.key,
            "missed": one.missed,
            "asked": one.asked,
            "last": one.last,
            "text": one.text,
            "flag": one.flag,
        }
        for one in found
    ]
    return {"format": 1, "misses": told}
