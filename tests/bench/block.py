"""What the index block costs a model: tokens of the fixed text, of a line, of the whole.

Run from a checkout: ``python -m tests.bench.block [FOLDER]``, in a Python that has ``bpe-openai``
beside the package (``pip install bpe-openai``, 75 MB; nothing else needs it). The entries are those
of the public suites that ``retrieval`` reads, once with the title as description and once with the
content, which fills what a description may hold; and made ones that are as long as they can be, in
Latin and in Chinese. Every tenth entry is suspect. Prints a Markdown table for docs/agents.md.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from bpe_openai import get_encoding

from git_knowl.model import limits
from git_knowl.model.entry import Entry
from git_knowl.model.ids import make_id
from git_knowl.model.status import ACTIVE, SUSPECT
from git_knowl.services.index import TYPES, Line, build
from git_knowl.services.index_text import CLOSING, OPENING
from tests.bench.retrieval import EVALS, SUITES, entry, fill, say

TOKENIZER = get_encoding("o200k_base")
HEAD = ("entries", "number", "a line", "the longest", "listed", "block", "characters")
MADE = 200
LATIN = "Retries of the queue worker are counted per supplier and not per order, because "
CHINESE = "购物车的总价在超过三件商品时加倍，因为有两个供应商按照不同的价格表结算。"


def main(folder: Path) -> int:
    """Print the table."""
    say(f"Fixed text: {tokens(fixed())} tokens, {len(fixed())} characters.\n\n")
    row(HEAD)
    row(["---"] * len(HEAD))
    for label, entries in sets(folder):
        measure(label, entries)
    return 0


def fixed() -> str:
    """Return what a block says before the first entry and after the last one."""
    return OPENING + "".join(f"\n{kind}:\n" for kind in TYPES) + CLOSING


def sets(folder: Path) -> Iterator[tuple[str, list[Entry]]]:
    """Yield the sets of entries, with what they are called."""
    for name in SUITES:
        suite = json.loads((folder / name).read_text(encoding="utf-8"))
        told = [(item["title"], item["content"], item) for item in suite["fixtures"]]
        made = [entry(identifier(at), item) for at, (_, _, item) in enumerate(told)]
        label = name.removesuffix(".json")
        yield f"{label}, titles", made
        texts = (content[: limits.DESCRIPTION] for _, content, _ in told)
        yield (
            f"{label}, contents",
            [replace(one, description=text) for one, text in zip(made, texts, strict=True)],
        )
    yield "made, 300 characters, Latin", longest(LATIN)
    yield "made, 300 characters, Chinese", longest(CHINESE)


def longest(text: str) -> list[Entry]:
    """Return entries whose descriptions are as long as they may be."""
    said = (text * limits.DESCRIPTION)[: limits.DESCRIPTION]
    item = {"title": "", "content": "", "tags": []}
    plain = entry("", item)
    return [
        replace(plain, id=identifier(at), name=f"supplier-retries-{at:03}", description=said)
        for at in range(MADE)
    ]


def identifier(number: int) -> str:
    """Return an id."""
    return make_id(1_796_000_000_000 + number, number.to_bytes(10, "big"))


def measure(label: str, entries: list[Entry]) -> None:
    """Print the row of a set: what any line costs, and the block within the usual budget."""
    statuses = {one.id: SUSPECT for one in entries[::10]}
    with tempfile.TemporaryDirectory() as folder:
        cache = fill(Path(folder), entries)
        rows = cache.entry_rows()
        text = build(cache, statuses, lambda _: set(), limits.INDEX_DEFAULT_BUDGET)
    costs = [tokens(Line(one, statuses.get(one.id, ACTIVE)).text) for one in rows]
    shown = [line for line in text.splitlines() if line.startswith("- ")]
    mean = f"{statistics.mean(costs):.1f}"
    row((label, len(rows), mean, max(costs), len(shown), tokens(text), len(text)))


def tokens(text: str) -> int:
    """Return what a text costs."""
    return len(TOKENIZER.encode(text))


def row(cells: Iterable[object]) -> None:
    """Print one row."""
    say(f"| {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else EVALS))
