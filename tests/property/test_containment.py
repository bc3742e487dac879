"""Nothing that stands in the store leaves its block, forges a line or label, or reaches a terminal.

The texts are put on the refs by plain git, past every door that would refuse them.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from git_knowl.model.document import render
from git_knowl.model.entry import SHARED
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.model.text import (
    MARKS,
    fenced,
    for_agent,
    for_terminal,
    hidden_characters,
    unmarked,
)
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import encode_commit
from git_knowl.services.index import line_text
from git_knowl.store import drafts, flags, layout, tombstones, trees
from git_knowl.store.cache import EntryRow
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.hostile import FORGED, HALVES, PIECES, hostile_entry, misnamed_entry, texts
from tests.support.stores import TIME, draft, entry, flag, identifier, open_store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from git_knowl.store.store import Store
    from tests.support.cli import Outcome

ENTRIES = refs.entries_ref(SHARED)
FEW = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
#: Everything at once: one text that holds all pieces.
ALL = " ".join(PIECES)
READING = (
    *(("ls",), ("show", "cart"), ("search", "word"), ("search", "cart"), ("why", "lib/cart.ts")),
    *(("index",), ("status",), ("audit",), ("audit", "--health"), ("inbox",), ("log",)),
    *(("log", "cart"), ("diff", "cart"), ("stats",), ("doctor",), ("review",), ("capture",)),
    *(("audit", "--format", "markdown"), ("notes", "rebuild"), ("hooks", "status")),
    *(("sync", "--dry-run"), ("lineage", "cart"), ("export", "out"), ("mine",)),
    *(("verify", "cart", "--reviewed"), ("retire", "gone", "--reason", "x"), ("restore", "gone")),
    *(("rename", "cart", "till"), ("hooks", "run", "post-commit"), ("ls", "--tier", "others")),
)
#: Those that print the most of a store.
MANY_TEXTS = (("ls",), ("show", "cart"), ("audit",), ("inbox",), ("log",), ("doctor",), ("index",))
JSON_VERBS = (
    ("ls",),
    ("show", "cart"),
    ("search", "cart"),
    ("why", "lib/cart.ts"),
    ("inbox",),
    ("audit",),
)


def put(store: Store, ref: str, files: Mapping[str, bytes], who: str, message: str) -> None:
    """Commit files to a ref of the store as plain git can, whatever they hold."""
    view = store.view()
    changes = {layout.FORMAT_FILE: layout.FORMAT_TEXT, **files}
    root, objects = trees.edit(store.db, store.repo.object_format, view.tree(ref).root, changes)
    store.db.write(objects)
    old = refs.read(store.repo, (ref,))[ref]
    parents = (old,) if old and ref == ENTRIES else ()
    commit = store.db.write([("commit", encode_commit(root, parents, who, who, message))])[0]
    refs.update(store.repo, [refs.Update(ref, commit, old)], "plant")


def plant(repo: RepoBuilder, text: str) -> None:
    """Put a text wherever the store keeps one: entries, tombstones, the inbox, history."""
    store = open_store(repo)
    one = hostile_entry(text)
    gone = tombstones.Tombstone(identifier(3), "gone", f"r{text}", f"by{text}", TIME, "0" * 64)
    files = {
        layout.entry_path(one.id, one.name): render(one),
        layout.entry_path(identifier(2), "plain"): render(entry("plain", 2)),
        layout.entry_path(identifier(7), "odd"): render(misnamed_entry(text, 7, "odd")),
        layout.record_path(layout.RETIRED, gone.id): tombstones.encode(gone),
        f"entries/zz/{ascii_part(text)}": b"no entry",
    }
    who = f"Eve {ident(text)} <eve@example.org> 1796000000 +0000"
    message = f"capture {text}\n\nKnowl-Op: capture\nKnowl-Entry: {one.id} {ident(text)}\n"
    put(store, ENTRIES, files, who, message)
    waiting = draft(hostile_entry(text, 5, "wait"), by=f"by{text}", warnings=(f"w{text}",))
    marked = flag(f"s{text}", 6, by=f"by{text}", quote=text, host=text, session=text)
    inbox = {
        drafts.draft_path(waiting.id): drafts.encode(waiting),
        flags.flag_path(marked.id): flags.encode(marked),
    }
    put(store, refs.INBOX, inbox, who, "inbox")


def ident(text: str) -> str:
    """Return what git lets stand in a name."""
    return "".join(char for char in text if char not in "\n\0<>")


def ascii_part(text: str) -> str:
    """Return a file name that a tree may hold."""
    name = text.replace("/", "").replace("\0", "").encode()[:100].decode(errors="ignore")
    return name if name not in ("", ".", "..") else "x"


def leaks(done: Outcome) -> list[str]:
    """Return what came out and must not: hidden characters, lines that the text began."""
    found = []
    for stream in (done.out, done.err):
        found += hidden_characters(stream, single_line=False)
        found += [line for line in stream.split("\n") if line.lstrip("-*#").startswith(FORGED)]
    return [*found, *(["Traceback"] if "Traceback" in done.err else [])]


def check_all(repo: RepoBuilder, text: str, verbs: tuple[tuple[str, ...], ...] = READING) -> None:
    plant(repo, text)
    knowl = Knowl(repo.path)
    before = outside(repo)
    for words in JSON_VERBS:
        json.loads(knowl(*words, "--json").out)
    found = {words: leaks(knowl(*words)) for words in verbs}

    assert {words: what for words, what in found.items() if what} == {}
    assert outside(repo) == before


def outside(repo: RepoBuilder) -> list[str]:
    """Return the files beside and in the work tree, but for what was asked to be written."""
    folder = repo.path.parent
    found = (path.relative_to(folder) for path in folder.rglob("*"))
    return sorted(
        str(path) for path in found if ".git" not in path.parts and "out" not in path.parts
    )


def test_everything_at_once_comes_out_as_data(repo: RepoBuilder) -> None:
    check_all(repo, ALL)


@given(text=texts())
@FEW
def test_no_text_reaches_a_terminal_or_forges_a_line(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    check_all(start(tmp_path_factory), text, MANY_TEXTS)


def start(tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    """Return a new repository; a fixture would be shared by all examples."""
    return RepoBuilder.start(tmp_path_factory.mktemp("hostile"))


@pytest.mark.parametrize("verb", [("sync", "--dry-run"), ("sync",), ("sync", "--pull"), ("init",)])
def test_what_a_remote_holds_comes_out_of_a_sync_as_data(
    repo: RepoBuilder, verb: tuple[str, ...]
) -> None:
    plant(repo, ALL)
    other = repo.clone("other")
    knowl = Knowl(other.path)
    done = knowl(*verb)

    assert leaks(done) == []
    assert leaks(knowl("log", "--since-last")) == []
    assert leaks(knowl("ls")) == []
    assert "Traceback" not in done.err


# --- blocks for agents, reports for machines --------------------------------------------------


def row(description: str, *, conflict: bool = False, unattended: bool = False) -> EntryRow:
    """Return an entry as the cache knows it."""
    made = EntryRow.__new__(EntryRow)
    made.name, made.description, made.conflict = "cart", description, conflict
    made.how = made.tier = "unattended" if unattended else "here"
    return made


@given(text=texts(pieces=PIECES + HALVES))
def test_an_index_line_is_one_line_that_closes_nothing_and_wears_no_mark_of_its_own(
    text: str,
) -> None:
    line = line_text(row(text), ACTIVE)

    assert line.startswith("- cart — ")
    assert line.index("\n") == len(line) - 1
    assert hidden_characters(line, single_line=False) == []
    assert not {"<", ">"} & set(line)
    assert [mark for mark in MARKS if f"[{mark}]" in line.lower()] == []


@given(text=texts(pieces=PIECES + HALVES))
def test_the_marks_that_an_entry_has_stay_last(text: str) -> None:
    assert line_text(row(text), SUSPECT).endswith(" [suspect]\n")
    assert line_text(row(text, unattended=True), UNKNOWN).endswith(" [unknown] [unattended]\n")
    assert line_text(row(text, conflict=True), SUSPECT) == "- cart [conflict]\n"


@given(text=texts(pieces=PIECES + HALVES))
def test_what_is_fenced_stays_in_its_fence(text: str) -> None:
    first, *inside, last = fenced(for_agent(text), "json").split("\n")

    assert first == f"{last}json"
    assert not any(line.strip().startswith(last) for line in inside)


@given(text=texts(pieces=PIECES + HALVES))
def test_doing_it_twice_changes_nothing(text: str) -> None:
    once = unmarked(text)

    assert unmarked(once) == once
    assert for_terminal(for_terminal(text)) == for_terminal(text)


def test_the_block_of_an_attacked_store_opens_and_closes_once(repo: RepoBuilder) -> None:
    plant(repo, ALL)
    block = Knowl(repo.path).ok("index")
    listed = [line for line in block.split("\n") if line.startswith("- ")]

    assert block.startswith("<knowledge>\n")
    assert block.endswith("</knowledge>\n")
    assert block.count("<") == block.count(">") == 2
    assert [line.split()[1] for line in listed] == ["cart", "plain"]


def test_reports_of_an_attacked_store_are_well_formed(repo: RepoBuilder) -> None:
    plant(repo, ALL)
    knowl = Knowl(repo.path)
    sarif = json.loads(knowl("audit", "--format", "sarif").out)
    junit = ET.fromstring(knowl("audit", "--format", "junit").out)  # noqa: S314 - our own
    markdown = knowl("audit", "--format", "markdown").out

    assert sarif["version"] == "2.1.0"
    assert {case.get("name") for case in junit.iter("testcase")} >= {"cart", "plain"}
    assert "<script" not in re.sub(r"`[^`]*`", "", markdown)
    assert not any(line.startswith(("::", "##[", FORGED)) for line in markdown.split("\n"))


# --- names of files ---------------------------------------------------------------------------

OUTSIDE = (
    *("../evil.md", "/evil/evil.md", "a/../../evil.md", "./../evil.md", "..", "", "~/evil.md/.."),
    *(".git/hooks/post-commit", ".GIT/config", ".git./config", ".git /config", "git~1/config"),
    *("GIT~1/hooks/x", ".gi\u200ct/config", ".g\u200dit/config", "sub/.git/config", ".git\u2060/x"),
    *(".git::$INDEX_ALLOCATION/x", "a\x00b", "a\nb", "link/evil.md"),
)


@pytest.mark.parametrize("path", OUTSIDE, ids=ascii)
def test_a_guideline_is_written_nowhere_but_in_the_work_tree(
    repo: RepoBuilder, path: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    away = tmp_path_factory.mktemp("away")
    (repo.path / "link").symlink_to(away)
    knowl = Knowl(repo.path)
    item = {"kind": "guideline", "flags": [], "file": path, "text": "x", "reason": "y"}
    done = knowl("capture", "--submit", "-", stdin=json.dumps({"items": [item]}))
    before = everything(repo)
    for identity in done.out.split():
        knowl("review", "--accept", identity, "--reviewer", "Kim <kim@example.org>")

    assert list(away.iterdir()) == []
    assert {name for name in everything(repo) - before if "knowl" not in name} <= {"AGENTS.md"}


def everything(repo: RepoBuilder) -> set[str]:
    """Return the files of work tree and git directory, but for objects and refs."""
    found = (path.relative_to(repo.path) for path in repo.path.rglob("*") if path.is_file())
    kept = (path for path in found if path.parts[:2] not in (GIT_OBJECTS, GIT_REFS, GIT_LOGS))
    return {str(path) for path in kept}


GIT_OBJECTS, GIT_REFS, GIT_LOGS = (".git", "objects"), (".git", "refs"), (".git", "logs")


def test_an_export_names_its_files_by_rule_and_not_by_what_the_store_says(
    repo: RepoBuilder, tmp_path: Path
) -> None:
    plant(repo, ALL)
    Knowl(repo.path)("export", str(tmp_path / "out"))
    names = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.md")]

    assert [name for name in names if not re.fullmatch(r"(?:[a-z0-9-]+/)+[a-z0-9~.-]+", name)] == [
        name for name in names if name.startswith("origin/")
    ]


def test_nothing_of_an_attacked_store_is_run(repo: RepoBuilder) -> None:
    plant(repo, ALL)
    knowl = Knowl(repo.path)
    for words in (("audit",), ("hooks", "run", "post-commit"), ("notes", "rebuild"), ("index",)):
        knowl(*words)

    assert list(repo.path.parent.rglob("*pwned*")) == []
