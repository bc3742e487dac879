"""How well `search` finds: recall and rank on public suites, and how often it keeps silent.

Run from a checkout: ``python -m tests.bench.retrieval [--semantic] [FOLDER]``; likeness in meaning
needs the extra. The suites are read from ``../shared/evals`` beside the checkout, or the folder
given; they are not part of the project.
Fixtures become entries (a slug of the title as name): stale ones are suspect, those to be reviewed
unknown, rejected ones are retired and so not searched. Forbidden is what a case must not return,
anywhere among the hits it asks for. Questions about other things show the false alarms.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from git_knowl.model.document import render
from git_knowl.model.entry import SHARED, Entry
from git_knowl.model.ids import make_id
from git_knowl.model.settings import OFF, ON, Settings
from git_knowl.model.status import SUSPECT, UNKNOWN
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import encode_commit, open_objects
from git_knowl.plumbing.repository import discover
from git_knowl.services.context import Caller, Context
from git_knowl.services.search import DEFAULT_LIMIT, EVERYTHING, Results
from git_knowl.services.search_fold import ranked
from git_knowl.services.semantic.likeness import likeness, make_all
from git_knowl.store import layout, trees
from git_knowl.store.cache_write import Cache, open_cache
from git_knowl.store.search_text import WORD

EVALS = Path(__file__).resolve().parents[3] / "shared" / "evals"
SUITES = ("retrieval-suite-v2.json", "semantic-suite.json", "retrieval-governance.json")
STATUS = {"stale": SUSPECT, "needs_review": UNKNOWN}
REJECTED = "rejected"
DAY = "2026-11-29T10:00:00Z"
WHO = "Bench <bench@example.org> 1700000000 +0000"
#: Nothing a repository of these suites knows about.
ELSEWHERE = (
    "how to bake sourdough bread at home",
    "best hiking trails near zurich",
    "what is the capital of mongolia",
    "football world cup winner 1998",
    "how do I grow tomatoes on a balcony",
    "guitar chords for beginners",
    "tailwind dark mode toggle animation",
    "rust borrow checker lifetime error",
    "install printer driver on windows",
    "train a neural network on mnist",
    "regex lookbehind in python",
    "why is the sky blue",
    "pip wheel build fails on musl",
    "css grid gap not working in safari",
    "mortgage interest rates",
    "how do vaccines work",
    "translate hello into finnish",
    "javascript closures explained",
    "museum opening hours on sunday",
    "repair a flat bicycle tyre",
)


@dataclass(frozen=True)
class Score:
    """What one suite came to: shares of its questions, the mean reciprocal rank, and the time.

    ``confident`` is the share of its own questions whose answer says that it fits, ``abstention``
    that of questions about other things whose answer says that nothing does.
    """

    recall_at_1: float
    recall_at_3: float
    recall_at_5: float
    mrr: float
    forbidden_hits: int
    wrong_first: float
    confident: float
    abstention: float
    ms_a_question: float


def main(folder: Path, semantic: str = OFF) -> int:
    """Print one line per suite, and per tier where a suite has tiers."""
    say(f"{'suite':<30}", *(f"{field.name.replace('_', ' '):>16}" for field in fields(Score)))
    for name in SUITES:
        suite = json.loads((folder / name).read_text(encoding="utf-8"))
        fixtures = [item for item in suite["fixtures"] if item.get("status") != REJECTED]
        for label, cases in groups(suite["cases"]).items():
            score = measure(fixtures, cases, semantic)
            title = name.removesuffix(".json") + label
            say(f"{title:<30}", *(f"{value:>16.3f}" for value in astuple(score)))
    return 0


def say(*cells: str) -> None:
    """Print one row."""
    sys.stdout.write("".join(cells) + "\n")


def groups(cases: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return all cases, and those of each tier where there are tiers."""
    found = {"": cases}
    for case in cases:
        if "tier" in case:
            found.setdefault(f" ({case['tier']})", []).append(case)
    return found


def measure(
    fixtures: list[dict[str, Any]], cases: list[dict[str, Any]], semantic: str = OFF
) -> Score:
    """Ask every question of a store that holds the fixtures."""
    ids = {item["id"]: make_id(number, bytes(10)) for number, item in enumerate(fixtures)}
    names = {entry_id: name for name, entry_id in ids.items()}
    statuses = {ids[item["id"]]: STATUS.get(item.get("freshness", ""), "") for item in fixtures}
    statuses = {key: status for key, status in statuses.items() if status}
    with tempfile.TemporaryDirectory() as folder:
        cache = fill(Path(folder), [entry(ids[item["id"]], item) for item in fixtures])
        ctx = asking(Path(folder), cache, semantic)
        start = time.perf_counter()
        answers = [answer(ctx, case["query"], statuses) for case in cases]
        spent = (time.perf_counter() - start) / len(cases)
        elsewhere = [answer(ctx, question, statuses) for question in ELSEWHERE]
        cache.close()
    found = [[names[hit.id] for hit in one.hits] for one in answers]
    pairs = list(zip(cases, found, strict=True))

    def recall_at(most: int) -> float:
        return mean([recall(hits, case["expectedItemIds"], most) for case, hits in pairs])

    return Score(
        recall_at_1=recall_at(1),
        recall_at_3=recall_at(3),
        recall_at_5=recall_at(5),
        mrr=mean([rank(hits, case["expectedItemIds"]) for case, hits in pairs]),
        forbidden_hits=sum(forbidden(hits, case) for case, hits in pairs),
        wrong_first=mean([bool({*hits[:1]} & {*case["mustNotReturn"]}) for case, hits in pairs]),
        confident=confidence(answers),
        abstention=1 - confidence(elsewhere),
        ms_a_question=spent * 1000,
    )


def answer(ctx: Context, question: str, statuses: Mapping[str, str]) -> Results:
    """Ask as every door does: suspect entries stand behind their active rivals."""
    alike = likeness(ctx, question)
    return ranked(ctx.cache, question, DEFAULT_LIMIT, lambda _: statuses, EVERYTHING, alike)[0]


def recall(hits: list[str], expected: list[str], most: int) -> float:
    """Return which share of what so many hits could show is among the first so many."""
    return len({*hits[:most]} & {*expected}) / min(most, len(expected))


def forbidden(hits: list[str], case: dict[str, Any]) -> int:
    """Return how many of the hits a case asks for it must not get."""
    return len({*hits[: case["limit"]]} & {*case["mustNotReturn"]})


def rank(hits: list[str], expected: list[str]) -> float:
    """Return one over the place of the first right hit, 0 without one."""
    return next((1 / place for place, hit in enumerate(hits, 1) if hit in expected), 0.0)


def confidence(answers: list[Results]) -> float:
    """Return the share of answers that say they fit."""
    return mean([answer.confident for answer in answers])


def mean(values: list[float] | list[bool]) -> float:
    """Return the average."""
    return sum(values) / len(values)


def entry(identifier: str, item: dict[str, Any]) -> Entry:
    """Return a fixture as an entry."""
    more = [item.get("reasoning", ""), *item.get("steps", []), *item.get("alternatives", [])]
    return Entry(
        name="-".join(WORD.findall(item["title"].lower())),
        id=identifier,
        description=item["title"],
        type="project",
        created=DAY,
        updated=DAY,
        rev=1,
        body="\n".join([item["content"], *map(str, more)]),
        tags=tuple(item["tags"]),
    )


def asking(folder: Path, cache: Cache, semantic: str) -> Context:
    """Return the repository as a service is handed it, all vectors made if they are to count."""
    caller = Caller(lambda: None, None, None, False, str(folder), time.time, os.urandom)
    ctx = Context(discover(str(folder), os.environ), caller)
    ctx.cache = cache
    ctx.settings = Settings(semantic=semantic)
    if semantic != OFF:
        make_all(ctx)
    return ctx


def fill(folder: Path, entries: list[Entry]) -> Cache:
    """Write entries into a new repository and return their cache."""
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    repo = discover(str(folder), os.environ)
    db = open_objects(repo)
    files = {layout.entry_path(item.id, item.name): render(item) for item in entries}
    files[layout.FORMAT_FILE] = layout.FORMAT_TEXT
    root, objects = trees.edit(db, repo.object_format, None, dict(files))
    db.write(objects)
    [commit] = db.write([("commit", encode_commit(root, (), WHO, WHO, "fixtures\n"))])
    refs.update(repo, [refs.Update(refs.ENTRIES, commit, None)], "fixtures")
    return open_cache(repo, {SHARED: commit, "local": None}, db)


if __name__ == "__main__":
    wanted = ArgumentParser(prog="python -m tests.bench.retrieval", description=__doc__)
    wanted.add_argument("folder", nargs="?", type=Path, default=EVALS, help="where the suites are")
    wanted.add_argument("--semantic", action="store_true", help="count likeness in meaning")
    given = wanted.parse_args()
    sys.exit(main(given.folder, ON if given.semantic else OFF))
