"""Find entries: exact names and paths first, then full text, misspelt words forgiven.

How much of a question an entry covers decides whether it fits at all; a word that few entries have
counts for more. Where nothing covers enough, the answer says so instead of showing what is least
unlike: an agent takes a list of hits for knowledge.

A hook asks at every question of a user: the standard library alone, and little of that.
"""

from __future__ import annotations

import math

from git_knowl.model.light import dataclass
from git_knowl.store import search_index
from git_knowl.store.cache import sayable
from git_knowl.store.search_text import (
    WORD,
    is_correctable,
    question_identifiers,
    question_words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from git_knowl.store.cache import CacheReader

    #: Tells which of some entries are not active, with their status.
    Judge = Callable[[Collection[str]], Mapping[str, str]]

DEFAULT_LIMIT = 10
NAME, PATH = "name", "path"
#: So many of the best by relevance are looked at again for how much of the question they cover.
CANDIDATES = 50
#: Shares of the question: enough to be sure, enough to be shown. Round on purpose; what they do on
#: public suites and on questions about other things is printed by tests/bench/retrieval.py.
SURE = 0.4
SHOWN = 0.25
#: Cosines of a question and an entry: enough to be sure, enough to be shown. Round as well.
SURE_OF_MEANING = 0.4
NEAR_IN_MEANING = 0.2
#: The same words are worth less than the very name.
MOST_ALIKE = 0.99
#: What has so much of the question is sure of its words, however unlike it seems.
NEARLY_ALL = 0.8
#: What a word counts for that was taken for another one.
CORRECTED = 0.7
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
    of the question it covers, ``words`` by which words; ``relevance`` is that of BM25. ``meaning``
    is how like the question it is in meaning, None where nobody compared them.
    """

    exact: str = ""
    share: float = 0.0
    relevance: float = 0.0
    words: tuple[str, ...] = ()
    meaning: float | None = None


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
NOTHING_ALIKE: Mapping[str, float] = {}
NOT_CORRECTED: Mapping[str, tuple[str, ...]] = {}


def all_active(ids: Collection[str]) -> Mapping[str, str]:
    """Take every entry for active."""
    del ids
    return {}


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
    corrected: Mapping[str, tuple[str, ...]] = NOT_CORRECTED


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
    judge: Judge = all_active,
    scope: Scope = EVERYTHING,
    alike: Mapping[str, float] = NOTHING_ALIKE,
) -> Results:
    """Return the live entries of a scope that fit a question, at most ``limit``.

    Entries that are not active rank behind others that fit as well; ``judge`` is asked for those
    that fit alone. ``alike`` tells by id how like the question entries are in meaning, as far as
    somebody compared them. The question is data: nothing in it has a meaning to the index.
    """
    question = sayable(question)
    exact = {key: why for key, why in exact_ids(cache, question).items() if scope.holds(key)}
    total = cache.size()
    terms = [weigh(cache, total, (word,)) for word in content_words(question)]
    found = look_up(cache, question, terms, judge, scope, alike)
    corrected = NOT_CORRECTED if exact or found.confident else corrections(cache, terms)
    if corrected:
        mended = [mend(cache, total, term, corrected) for term in terms]
        found = look_up(cache, question, mended, judge, scope, alike)
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
    judge: Judge,
    scope: Scope,
    alike: Mapping[str, float],
) -> Results:
    """Return what fits the terms, the identifiers of the question, or the question in meaning."""
    words = [form for term in terms if term.known for form in term.forms]
    ranked = candidates(cache, [*words, *question_identifiers(question)], scope)
    if alike:
        ranked = {**dict.fromkeys(nearest(alike, scope), 0.0), **ranked}
    had = cover(cache, terms, list(ranked))
    fits = {
        key: fitted(terms, had[key], relevance, alike.get(key)) for key, relevance in ranked.items()
    }
    shown = {key: fit for key, fit in fits.items() if is_shown(fit)}
    doubtful = judge(shown) if shown else {}
    hits = [Hit(key, score(fit, doubtful=key in doubtful), fit) for key, fit in shown.items()]
    hits.sort(key=lambda hit: (-hit.score, hit.id))
    return Results(tuple(hits), any(map(is_sure, fits.values())))


def nearest(alike: Mapping[str, float], scope: Scope) -> list[str]:
    """Return the entries of a scope that are most like the question in meaning."""
    near = [one for one, value in alike.items() if value >= NEAR_IN_MEANING and scope.holds(one)]
    return sorted(near, key=lambda one: (-alike[one], one))[:CANDIDATES]


def is_shown(fit: Fit) -> bool:
    """Tell whether an entry fits well enough to be shown as the nearest."""
    return fit.share >= SHOWN or (fit.meaning or 0.0) >= NEAR_IN_MEANING


def is_sure(fit: Fit) -> bool:
    """Tell whether an entry surely fits.

    Some words in common with what is about something else are no answer; that is known only of an
    entry that was compared.
    """
    if fit.meaning is None:
        return fit.share >= SURE
    least = SURE if fit.meaning >= NEAR_IN_MEANING else NEARLY_ALL
    return fit.share >= least or fit.meaning >= SURE_OF_MEANING


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


def fitted(
    asked: Sequence[Term],
    had: Sequence[Term],
    relevance: float = 0.0,
    meaning: float | None = None,
) -> Fit:
    """Return how well an entry fits that has some of what was asked; rare words count more."""
    total = sum(term.rarity for term in asked) or 1.0
    share = sum(term.rarity * term.worth / total for term in had)
    return Fit("", share, relevance, tuple(term.forms[0] for term in had), meaning)


def score(fit: Fit, *, doubtful: bool) -> float:
    """Return one number below 1 for how well an entry fits, in its words or in its meaning.

    The better of the two counts: each finds what the other cannot see. In a store of a few entries
    the relevance of BM25 is next to nothing; the share still orders.
    """
    value = (fit.share + fit.relevance / (fit.relevance + HALF)) / 2
    value = max(value, min(fit.meaning or 0.0, MOST_ALIKE))
    return round(value * (DOUBTFUL if doubtful else 1.0), 4)


def corrections(cache: CacheReader, terms: Iterable[Term]) -> Mapping[str, tuple[str, ...]]:
    """Return for the words that nobody wrote the known ones they may have meant."""
    unknown = [term.forms[0] for term in terms if not term.known and is_correctable(term.forms[0])]
    if not unknown:
        return NOT_CORRECTED
    from git_knowl.services import search_typos  # noqa: PLC0415 - for words that nobody wrote

    return search_typos.corrections(cache, unknown)


def mend(
    cache: CacheReader, total: int, term: Term, corrected: Mapping[str, tuple[str, ...]]
) -> Term:
    """Return the term with the forms it was corrected to, if it was."""
    forms = corrected.get(term.forms[0])
    return weigh(cache, total, forms, CORRECTED) if forms else term
