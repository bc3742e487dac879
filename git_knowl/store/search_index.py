"""The full-text part of the cache: what is put into FTS5, and what can be asked of it.

Words reach FTS5 as quoted strings of word characters only, so no question can be read as syntax.
"""

from __future__ import annotations

from git_knowl.store.cache import CacheReader, marks, sayable
from git_knowl.store.search_text import correctable, index_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from git_knowl.model.entry import Entry

#: A name says most per word, then the description; tags, paths and body count alike.
NOTHING = '""'
#: For SQLite no limit at all.
EVERY = -1
WEIGHTS = "bm25(4.0, 2.0, 1.0, 1.0, 1.0)"
SCHEMA = (
    """CREATE VIRTUAL TABLE fts USING fts5(
        name, description, tags, paths, body,
        tokenize = 'porter unicode61 remove_diacritics 2')""",
    f"INSERT INTO fts (fts, rank) VALUES ('rank', '{WEIGHTS}')",
    "CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID",
    """CREATE TABLE tag (
        tag TEXT NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (tag, key)) WITHOUT ROWID""",
    "CREATE INDEX tag_key ON tag (key)",
    """CREATE TABLE replaced (
        key INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID""",
    """CREATE TABLE related (
        key INTEGER NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL,
        PRIMARY KEY (key, place)) WITHOUT ROWID""",
)
REMOVALS = (
    "DELETE FROM fts WHERE rowid = ?",
    "DELETE FROM tag WHERE key = ?",
    "DELETE FROM replaced WHERE key = ?",
    "DELETE FROM related WHERE key = ?",
)


def put(connection: sqlite3.Connection, key: int, entry: Entry) -> set[str]:
    """Add an entry to the index, and return the chunks of its text for add_words."""
    targets = " ".join(anchor.target.partition(":")[2] for anchor in entry.anchors)
    columns = (entry.name, entry.description, " ".join(entry.tags), targets, entry.body)
    read = [index_text(column) for column in columns]
    connection.execute(
        "INSERT INTO fts (rowid, name, description, tags, paths, body) VALUES (?, ?, ?, ?, ?, ?)",
        (key, *(text for text, _ in read)),
    )
    tags = [(sayable(tag), key) for tag in entry.tags]
    connection.executemany("INSERT OR IGNORE INTO tag VALUES (?, ?)", tags)
    older = [(key, identifier) for identifier in entry.supersedes]
    connection.executemany("INSERT OR IGNORE INTO replaced VALUES (?, ?)", older)
    linked = [(key, place, one.id) for place, one in enumerate(entry.related)]
    connection.executemany("INSERT INTO related VALUES (?, ?, ?)", linked)
    return set().union(*(chunks for _, chunks in read))


def add_words(connection: sqlite3.Connection, chunks: Iterable[str]) -> None:
    """Remember the words that a misspelt one may have meant.

    Those of removed entries stay until the cache is made anew: at worst a question is corrected to
    a word that finds nothing.
    """
    connection.executemany(
        "INSERT OR IGNORE INTO word (word) VALUES (?)",
        ((word,) for word in sorted(correctable(chunks))),
    )


def rank(cache: CacheReader, words: Iterable[str], limit: int = EVERY) -> list[tuple[str, float]]:
    """Return id and relevance (more is better) of the best entries that have any of the words."""
    rows = cache.select(
        "SELECT entry.id, -best.score FROM"
        " (SELECT rowid, rank AS score FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT ?) AS best"
        " JOIN entry ON entry.key = best.rowid WHERE entry.shown_name IS NOT NULL"
        " ORDER BY best.score, entry.id",
        [_any_of(words), limit],
    )
    return [(entry_id, relevance) for entry_id, relevance in rows]


def count(cache: CacheReader, words: Iterable[str]) -> int:
    """Return how many entries have any of the words."""
    rows = cache.select("SELECT count(*) FROM fts WHERE fts MATCH ?", [_any_of(words)])
    return int(rows[0][0])


def having(cache: CacheReader, words: Iterable[str], ids: Sequence[str]) -> set[str]:
    """Return those of the entries that have any of the words."""
    # By their keys: otherwise all entries with a word are looked at, which may be every one.
    rows = cache.select(
        "SELECT entry.id FROM entry JOIN fts ON fts.rowid = entry.key"
        f" WHERE fts MATCH ? AND fts.rowid IN (SELECT key FROM entry WHERE id IN ({marks(ids)}))",
        [_any_of(words), *ids],
    )
    return {entry_id for (entry_id,) in rows}


def tagged(cache: CacheReader, tag: str) -> set[str]:
    """Return the live entries with a tag, upper and lower case alike."""
    rows = cache.select(
        "SELECT entry.id FROM entry JOIN tag USING (key)"
        " WHERE entry.shown_name IS NOT NULL AND tag.tag = ? COLLATE NOCASE",
        [sayable(tag)],
    )
    return {entry_id for (entry_id,) in rows}


def replaced(cache: CacheReader) -> list[tuple[str, str]]:
    """Return (older, newer) for every live entry that says which ones it replaces."""
    rows = cache.select(
        "SELECT replaced.id, entry.id FROM replaced JOIN entry USING (key)"
        " WHERE entry.shown_name IS NOT NULL ORDER BY replaced.id, entry.id"
    )
    return [(older, newer) for older, newer in rows]


def linked(cache: CacheReader, entry_id: str) -> list[str]:
    """Return the live entries that say they replace one, then those it says it is related to."""
    rows = cache.select(
        "SELECT id FROM (SELECT newer.id, 0 AS rank, newer.id AS place FROM replaced"
        " JOIN entry AS newer USING (key) WHERE replaced.id = ?1 AND newer.shown_name IS NOT NULL"
        " UNION ALL SELECT related.id, 1, related.place FROM related JOIN entry USING (key)"
        " WHERE entry.id = ?1 AND entry.shown_name IS NOT NULL) AS told"
        " WHERE id IN (SELECT id FROM entry WHERE shown_name IS NOT NULL) ORDER BY rank, place",
        [entry_id],
    )
    return [one for (one,) in rows]


def tags(cache: CacheReader, entry_id: str) -> list[str]:
    """Return the tags of a live entry."""
    rows = cache.select(
        "SELECT tag FROM tag JOIN entry USING (key)"
        " WHERE entry.id = ? AND entry.shown_name IS NOT NULL ORDER BY tag",
        [entry_id],
    )
    return [tag for (tag,) in rows]


def sharing(cache: CacheReader, entry_id: str, ids: Sequence[str]) -> set[str]:
    """Return those of the entries that have a tag or an anchored path in common with one."""
    same = (
        f"SELECT other.key FROM {table} AS other WHERE other.{column} IN (SELECT mine.{column}"
        f" FROM {table} AS mine JOIN entry USING (key) WHERE entry.id = ?)"
        for table, column in (("tag", "tag"), ("anchor", "path"))
    )
    rows = cache.select(
        f"SELECT id FROM entry WHERE id IN ({marks(ids)}) AND key IN ({' UNION '.join(same)})",
        [*ids, entry_id, entry_id],
    )
    return {found for (found,) in rows} - {entry_id}


def known_words(cache: CacheReader, initial: str) -> list[str]:
    """Return the words with this first letter that a misspelt one may have meant."""
    rows = cache.select(
        "SELECT word FROM word WHERE word >= ? AND word < ? ORDER BY word",
        [initial, chr(ord(initial) + 1)],
    )
    return [word for (word,) in rows]


def _any_of(words: Iterable[str]) -> str:
    """Return the FTS5 expression; a single character of a paired script is found as a beginning."""
    return (
        " OR ".join(
            f'"{word}"*' if len(word) == 1 and not word.isascii() else f'"{word}"' for word in words
        )
        or NOTHING
    )
