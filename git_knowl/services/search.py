"""Find entries: exact names and paths first, then full text, misspelt words forgiven.

How much of a question an entry covers decides whether it fits at all; a word that few entries have
counts for more. Where nothing covers enough, the answer says so instead of showing what is least
unlike: an agent takes a list of hits for knowledge.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from git_knowl.store import search_index
from git_knowl.store.cache import CacheReader, sayable
from git_knowl.store.search_text import (
    WORD,
    is_correctable,
    question_identifiers,
    question_words,
)

DEFAULT_LIMIT = 10
NAME, PATH = "name", "path"
#: So many of the best by relevance are looked at again for how much of the question they cover.
CANDIDATES = 50
#: Shares of the question: enough to be sure, enough to be shown. Round on purpose; what they do on
#: public suites and on questions about other things is printed by tests/bench/retrieval.py.
SURE = 0.4
SHOWN = 0.25
#: What a word counts for that was taken for another one.
CORRECTED = 0.7
#: Percentage of equal characters, in order, that makes a known word the likely correction.
LIKENESS = 80
MOST_CORRECTIONS = 3
#: What an entry that is not active is worth beside an active one that fits as well.
DOUBTFUL = 0.85
#: The relevance that counts as one half.
HALF = 10.0

#: Words that ask rather than name.
ASKING = frozenset(
    WORD.findall("""
        a about an and any are as at be been but by can could did do does for from had has have how
        i if in into is it its me my no not now of on or our should so than that the their them then
        there these they this those to too us use used uses using was we were what when where which
        who whom whose why will with would you your""")
)


@dataclass(frozen=True, slots=True)
class Fit:
    """Why an entry fits.

    ``exact`` is what the question names of it, ``name`` or ``path``, or "". ``share`` is how much
    of the question it covers, ``words`` by which words; ``relevance`` is that of BM25.
    """

    exact: str = ""
    share: float = 0.0
    relevance: float = 0.0
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Among which entries is searched: all but those hidden, or of some ids alone."""

    among: frozenset[str] | None = None
    hidden: frozenset[str] = frozenset()

    def holds(self, identifier: str) -> bool:
        """Tell whether an entry may be found."""
        return identifier not in self.hidden and (self.among is None or identifier in self.among)

    def most(self, wanted: int) -> int:
        """Return how many to ask the index for, so that so many are left if there are."""
        return search_index.EVERY if self.among is not None else wanted + len(self.hidden)


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that fits; ``score`` is 1 for an exact name or path and less for the rest."""

    id: str
    score: float
    fit: Fit


@dataclass(frozen=True, slots=True)
class Results:
    """What was found, the best first.

    ``confident`` is false when nothing fits, and when what is shown covers little of the question.
    ``corrected`` maps misspelt words to what they were taken for.
    """

    hits: tuple[Hit, ...] = ()
    confident: bool = False
    corrected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing asked for, which any of its forms fulfils; ``rarity`` is what it counts for."""

    forms: tuple[str, ...]
    rarity: float
    worth: float = 1.0
    known: bool = True


def search(
    cache: CacheReader,
    question: str,
    limit: int = DEFAULT_LIMIT,
    *,
    doubtful: Collection[str] = (),
    scope: Scope = EVERYTHING,
) -> Results:
    """Return the live entries of a scope that fit a question, at most ``limit``.

    Entries among the ``doubtful`` ids (those not active) rank behind others that fit as well. The
    question is data: nothing in it has a meaning to the index.
    """
    question = sayable(question)
    exact = {key: why for key, why in exact_ids(cache, question).items() if scope.holds(key)}
    total = cache.size()
    terms = [weigh(cache, total, (word,)) for word in content_words(question)]
    found = look_up(cache, question, terms, doubtful, scope)
    corrected: dict[str, tuple[str, ...]] = {}
    if not exact and not found.confident:
        corrected = corrections(cache, terms)
    if corrected:
        mended = [mend(cache, total, term, corrected) for term in terms]
        found = look_up(cache, question, mended, doubtful, scope)
    hits = [Hit(entry_id, 1.0, Fit(why)) for entry_id, why in exact.items()]
    hits += [hit for hit in found.hits if hit.id not in exact]
    return Results(tuple(hits[:limit]), bool(exact) or found.confident, corrected)


def exact_ids(cache: CacheReader, question: str) -> dict[str, str]:
    """Return which entries the question names by name, id or anchored path, and by what.

    A question that is nothing but a folder stands for what rests on anything below it; a file named
    among other words counts too.
    """
    asked = question.strip()
    kebab = "-".join(question_words(asked))
    named = cache.entry_rows(
        "(entry.name IN (?, ?) OR entry.shown_name = ? OR entry.id = ?)",
        [asked, kebab, asked, asked.lower()],
    )
    resting = cache.by_path(asked.removeprefix("./")) if "/" in asked else []
    for word in asked.split():
        if "/" in word or "." in word:
            resting += cache.by_path(word.removeprefix("./"), below=False)
    return dict.fromkeys((row.id for row in named), NAME) | {
        row.id: PATH for row in resting if row.id not in {one.id for one in named}
    }


def content_words(question: str) -> list[str]:
    """Return the words that name something; a word that stands alone always does."""
    words = question_words(question)
    return words if len(words) == 1 else [word for word in words if word not in ASKING]


def weigh(cache: CacheReader, total: int, forms: tuple[str, ...], worth: float = 1.0) -> Term:
    """Return a term with its rarity, as BM25 has it: a word that nobody wrote is the rarest."""
    having = search_index.count(cache, forms)
    rarity = math.log(1 + (total - having + 0.5) / (having + 0.5))
    return Term(forms, rarity, worth, known=having > 0)


def look_up(
    cache: CacheReader,
    question: str,
    terms: Sequence[Term],
    doubtful: Collection[str],
    scope: Scope,
) -> Results:
    """Return what the full text has for the terms, the identifiers of the question besides."""
    words = [form for term in terms if term.known for form in term.forms]
    ranked = candidates(cache, [*words, *question_identifiers(question)], scope)
    had = cover(cache, terms, list(ranked))
    fits = [(key, fitted(terms, had[key], relevance)) for key, relevance in ranked.items()]
    hits = [
        Hit(entry_id, score(fit, doubtful=entry_id in doubtful), fit)
        for entry_id, fit in fits
        if fit.share >= SHOWN
    ]
    hits.sort(key=lambda hit: (-hit.score, hit.id))
    return Results(tuple(hits), any(fit.share >= SURE for _, fit in fits))


def candidates(cache: CacheReader, words: Iterable[str], scope: Scope) -> dict[str, float]:
    """Return the relevance of the best entries of a scope that have any of the words."""
    ranked = search_index.rank(cache, words, scope.most(CANDIDATES))
    return dict([one for one in ranked if scope.holds(one[0])][:CANDIDATES])


def cover(cache: CacheReader, terms: Sequence[Term], ids: Sequence[str]) -> dict[str, list[Term]]:
    """Return for every entry the terms that it has."""
    had: dict[str, list[Term]] = {entry_id: [] for entry_id in ids}
    for term in terms:
        for entry_id in search_index.having(cache, term.forms, ids) if term.known else ():
            had[entry_id].append(term)
    return had


def fitted(asked: Sequence[Term], had: Sequence[Term], relevance: float = 0.0) -> Fit:
    """Return how well an entry fits that has some of what was asked; rare words count more."""
    total = sum(term.rarity for term in asked) or 1.0
    share = sum(term.rarity * term.worth / total for term in had)
    return Fit("", share, relevance, tuple(term.forms[0] for term in had))


def score(fit: Fit, *, doubtful: bool) -> float:
    """Return one number below 1 for how well an entry fits.

    In a store of a few entries the relevance of BM25 is next to nothing; the share still orders.
    """
    value = (fit.share + fit.relevance / (fit.relevance + HALF)) / 2
    return round(value * (DOUBTFUL if doubtful else 1.0), 4)


def corrections(cache: CacheReader, terms: Iterable[Term]) -> dict[str, tuple[str, ...]]:
    """Return for the words that nobody wrote the known ones they may have meant."""
    unknown = [term.forms[0] for term in terms if not term.known and is_correctable(term.forms[0])]
    found = {word: alike(cache, word) for word in unknown}
    return {word: meant for word, meant in found.items() if meant}


def alike(cache: CacheReader, word: str) -> tuple[str, ...]:
    """Return the known words most like a word, the nearest first; few err in the first letter.

    Two letters that changed places make a short word less alike than a long one; nothing else is
    forgiven in one, as ``fact`` and ``fast`` are both words.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - for misspelt words, in none of most questions

    # Words of entries that went are known for a while longer: this one may be such a word itself.
    known = [one for one in search_index.known_words(cache, word[0]) if one != word]
    near = process.extract(
        word, known, scorer=fuzz.ratio, score_cutoff=LIKENESS, limit=MOST_CORRECTIONS
    )
    return tuple(one for one, _, _ in near) or tuple(filter(swaps(word).__contains__, known))


def swaps(word: str) -> set[str]:
    """Return a word with any two neighbours behind its first letter in each other's place."""
    places = range(1, len(word) - 1)
    return {f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}" for at in places}


def mend(
    cache: CacheReader, total: int, term: Term, corrected: Mapping[str, tuple[str, ...]]
) -> Term:
    """Return the term with the forms it was corrected to, if it was."""
    forms = corrected.get(term.forms[0])
    return weigh(cache, total, forms, CORRECTED) if forms else term
