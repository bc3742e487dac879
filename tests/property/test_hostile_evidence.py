"""No anchor, whatever it names, stops a judge or a verb, reaches git as an option, or comes in.

What no door of ours would write is put on the refs by plain means, as another program may.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors import kinds
from git_knowl.anchors.evaluate import judge_entries, looked_at, successors_of
from git_knowl.anchors.unreadable import UNREADABLE
from git_knowl.anchors.worlds import CommitWorld, StagedWorld, WorkTreeWorld
from git_knowl.model.anchor import (
    APPLIED,
    CommitAnchor,
    CommitFingerprint,
    FileAnchor,
    FileFingerprint,
    ForeignAnchor,
    PackageAnchor,
    PackageFingerprint,
    SnippetAnchor,
    SnippetFingerprint,
    SymbolAnchor,
    SymbolFingerprint,
    TreeAnchor,
    TreeFingerprint,
    UrlAnchor,
    accepting,
    fingerprints,
)
from git_knowl.model.document import render
from git_knowl.model.entry import Promoted
from git_knowl.model.rules import barred, validate
from git_knowl.model.status import SUSPECT, UNKNOWN
from git_knowl.plumbing.listing import index_blobs, tree_blobs
from git_knowl.services.sync.incoming import admit
from git_knowl.store import layout
from git_knowl.store.drafts import PutDraft
from tests.support.agent_host import Claude
from tests.support.anchored import KIM, NOW, Shelf, entry_with
from tests.support.builders import RepoBuilder
from tests.support.caches import plant
from tests.support.cli import Knowl
from tests.support.stores import draft, entry, identifier, open_store
from tests.support.stores import write as write_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.model.anchor import Anchor
    from git_knowl.model.entry import Entry

ZERO = "0" * 64
BLOB = f"sha1:{'1' * 40}"
#: What no anchor may name: places outside, options, bytes that no name has, endless ones.
PATHS = {
    "above": "../out.py",
    "absolute": "/etc/hostname",
    "nothing": "",
    "blank": " ",
    "nul": "lib/x\0y",
    "line": "lib/x\ny",
    "endless": "a/" * 15_000 + "b",
    "name": "a" * 30_000,
    "git": ".git/config",
    "dot": "lib/./x",
    "slash": "lib//x",
}
#: What a path may be called, and git may take for something else when it is handed it carelessly.
ODD = {"option": "--output=pwned", "magic": ":(glob)**", "dash": "-", "at": "HEAD:lib/x"}
PATHSPECS = {**PATHS, "exclude": ":(top,exclude)../x"}
#: What git knows as a pathspec or does not; none of our business, and no reason to stop.
MAGIC = {"attr": ":(attr:foo)lib", "bogus": ":(bogus)lib", "all": ":(glob)**"}
OBJECTS = ("sha1:--help", "sha1:HEAD", f"sha1:{'1' * 39}", "md5:xx", "", "sha1:1\nHEAD", "-")
COMMITS = ("--output=pwned", "HEAD", "HEAD\nHEAD", "", "HEAD@{5 years ago}", "\0")
BY = {"text": "", "at": NOW, "by": KIM, "how": "terminal"}


def file_on(path: str, blob: str = BLOB, commit: str | None = None) -> FileAnchor:
    return FileAnchor(path, (FileFingerprint(sha256=ZERO, blob=blob, commit=commit, **BY),))


def symbol_on(path: str, blob: str = BLOB, commit: str | None = None) -> SymbolAnchor:
    item = SymbolFingerprint(blob=blob, algorithm=1, digest=ZERO, commit=commit, **BY)
    return SymbolAnchor(path, "foo", (item,))


def snippet_on(path: str, commit: str | None = None) -> SnippetAnchor:
    item = SnippetFingerprint(sha256=ZERO, commit=commit, **BY)
    return SnippetAnchor(path, "one line", 1, (item,))


def tree_on(pathspec: str, commit: str | None = None, tree: str | None = None) -> TreeAnchor:
    item = TreeFingerprint(digest=f"sha1:{ZERO}", tree=tree, files=3, commit=commit, **BY)
    return TreeAnchor(pathspec, (item,))


def package_on(lockfile: str) -> PackageAnchor:
    return PackageAnchor("pkg:npm/x", lockfile, (PackageFingerprint(version="1.0", **BY),))


def commit_on(commit: str, patch_id: str | None = None) -> CommitAnchor:
    return CommitAnchor(commit, patch_id, (CommitFingerprint(state=APPLIED, **BY),))


def misnamed() -> Iterator[tuple[str, Anchor]]:
    """Yield what no door of ours writes."""
    for word, path in PATHS.items():
        for make in (file_on, symbol_on, snippet_on, package_on):
            yield f"{make.__name__}-{word}", make(path)
    yield from ((f"tree-{word}", tree_on(pathspec)) for word, pathspec in PATHSPECS.items())
    for place, blob in enumerate(OBJECTS):
        yield f"file-blob-{place}", file_on("lib/x", blob)
        yield f"symbol-blob-{place}", symbol_on("lib/m.py", blob)
        yield f"tree-tree-{place}", tree_on("lib", tree=blob)
    for place, commit in enumerate(COMMITS):
        for make in (file_on, symbol_on, snippet_on, tree_on):
            yield f"{make.__name__}-commit-{place}", make("lib", commit=commit)
        yield f"commit-{place}", commit_on(commit)
        yield f"patch-{place}", commit_on("1" * 40, commit)
    yield "symbol-unnamed", SymbolAnchor("lib/m.py", "", symbol_on("x").accepted)
    yield "snippet-unquoted", SnippetAnchor("lib/x", "", 1, snippet_on("x").accepted)
    yield "snippet-nowhere", replace(snippet_on("lib/x"), line=-99_999_999_999)


def odd() -> Iterator[tuple[str, Anchor]]:
    """Yield what may be named, and what only looks at nothing."""
    for word, path in ODD.items():
        for make in (file_on, symbol_on, snippet_on, package_on):
            yield f"{make.__name__}-{word}", make(path)
    yield from ((f"tree-{word}", tree_on(spec)) for word, spec in {**ODD, **MAGIC}.items())
    yield "url", UrlAnchor("x", "9999-99-99T99:99:99Z", 99_999_999_999_999)
    yield "foreign", ForeignAnchor("quantum", {"path": "../x"})


MISNAMED, OTHERS = dict(misnamed()), dict(odd())
ALL = {**MISNAMED, **OTHERS}


def holding(anchor: Anchor, number: int = 1) -> Entry:
    """Return an entry whose one anchor has what it accepts accepted for the very text."""
    bare = entry_with(anchor, number=number)
    items = [replace(item, text=bare.digest) for item in fingerprints(anchor)]
    return replace(bare, anchors=(accepting(anchor, items),))


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    made = RepoBuilder.start(tmp_path_factory.mktemp("evidence"))
    made.commit("files", {"lib/x": "one line\n", "lib/m.py": "def foo():\n    return 1\n"})
    (made.path / "lib/x").write_text("another line\n")
    return made


WORLDS = {
    "worktree": lambda repo: WorkTreeWorld(repo, NOW),
    "hurried": lambda repo: WorkTreeWorld(repo, NOW, is_hurried=True),
    "staged": lambda repo: StagedWorld(repo, NOW),
    "commit": lambda repo: CommitWorld(repo, "HEAD", NOW),
}


@pytest.mark.parametrize("label", WORLDS)
def test_every_anchor_gets_a_verdict_in_every_world(code: RepoBuilder, label: str) -> None:
    entries = [holding(anchor, number) for number, anchor in enumerate(ALL.values(), 1)]
    world = WORLDS[label](code.open())
    found = judge_entries(entries, world)

    for name, one in zip(ALL, entries, strict=True):
        verdict = found[one.id].anchors[0]
        assert verdict.reason, name
        assert verdict.status in (UNKNOWN, SUSPECT), name
        if not name.startswith("tree") and name.rpartition("-")[2] in PATHS:
            assert verdict.status == UNKNOWN, name
        assert "\0" not in "".join((*successors_of(one, world), *looked_at(one, world)))
    assert not list(code.path.rglob("*pwned*"))


@pytest.fixture(scope="module")
def world(code: RepoBuilder) -> WorkTreeWorld:
    return WorkTreeWorld(code.open(), NOW)


@pytest.mark.parametrize("ask", ["prepare", "judge", "successors"])
def test_no_judge_raises_even_where_nobody_stands_before_it(
    code: RepoBuilder, world: WorkTreeWorld, ask: str
) -> None:
    """In depth: the table keeps such anchors from the modules, and these bear them all the same.

    What git says of them is no verdict, and it is caught; nothing else may come.
    """
    for one in map(holding, ALL.values()):
        anchor = one.anchors[0]
        given = ([(anchor, one.digest)],) if ask == "prepare" else (anchor, one.digest)
        judge = kinds.module_of(anchor.kind) if anchor.kind in kinds.KINDS else None
        with suppress(*UNREADABLE):
            getattr(judge, ask, lambda *_: None)(*given, world)
    assert not list(code.path.rglob("*pwned*"))


def test_verdicts_are_remembered_beside_evidence_of_any_kind(code: RepoBuilder) -> None:
    entries = [holding(anchor, number) for number, anchor in enumerate(ALL.values(), 1)]
    shelf = Shelf(code, *entries, holding(FileAnchor("lib/m.py"), 5_000))

    shelf.check()
    shelf.check()


@pytest.mark.parametrize("name", MISNAMED)
def test_what_no_door_writes_is_not_let_in_and_does_not_stand(name: str) -> None:
    one = replace(entry("odd"), anchors=(MISNAMED[name],))

    assert validate(one) != []
    assert barred(one)
    assert isinstance(admit(one), str)


@pytest.mark.parametrize("word", PATHS)
def test_neither_does_a_guideline_file_that_is_none(code: RepoBuilder, word: str) -> None:
    one = entry("odd")
    promoted = replace(one, promoted=Promoted(PATHS[word], one.digest))

    assert barred(promoted)
    assert isinstance(admit(promoted), str)
    assert tree_blobs(code.open(), "HEAD", [PATHS[word]]) == {}
    assert index_blobs(code.open(), [PATHS[word], "lib/x"]).keys() == {"lib/x"}


# --- on the refs, past every door -------------------------------------------------------------

VERBS = (
    *(("ls",), ("index",), ("audit",), ("search", "cart"), ("status",), ("stats",), ("capture",)),
    *(("show", "plain"), ("why", "lib/x"), ("log",), ("diff", "plain"), ("review",), ("inbox",)),
    *(("audit", "--staged"), ("audit", "--commit", "HEAD"), ("audit", "--health"), ("mine",)),
    *(("audit", "--format", "sarif"), ("status", "--porcelain")),
    *(("export", "out"), ("hooks", "run", "post-commit"), ("notes", "rebuild")),
)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    """Give a repository whose lane and inbox hold all of them, and one sound entry."""
    made = RepoBuilder.start(tmp_path_factory.mktemp("attacked"))
    made.commit("files", {"lib/x": "one line\n", "lib/m.py": "def foo():\n    return 1\n"})
    files = {layout.entry_path(identifier(1), "plain"): render(entry("plain"))}
    for number, (name, anchor) in enumerate(ALL.items(), 2):
        named = name.replace("_", "-")
        one = replace(holding(anchor), id=identifier(number), name=named)
        files[layout.entry_path(one.id, named)] = render(one)
    plant(open_store(made), "shared", files=files)
    for number, anchor in enumerate((ALL["file_on-above"], ALL["snippet_on-nul"]), 1_000):
        waiting = replace(entry(f"wait-{number}", number), anchors=(anchor,))
        write_store(open_store(made), PutDraft(draft(waiting)))
    return made


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_one_entry_stops_no_verb(attacked: RepoBuilder, words: tuple[str, ...]) -> None:
    done = Knowl(attacked.path)(*words)

    assert "Traceback" not in done.err
    assert "this is a bug" not in done.err
    assert done.code in (0, 1) if words in (("review",), ("diff", "plain")) else done.code == 0
    assert len(done.err.splitlines()) < 20


def test_the_sound_entry_is_told_and_the_others_are_named(attacked: RepoBuilder) -> None:
    knowl = Knowl(attacked.path)
    found = knowl.json("ls")
    listed = {one["name"] for one in found["entries"]}
    damaged = {one["path"].split(".", 1)[1].removesuffix(".md") for one in found["damaged"]}

    assert "plain" in listed
    assert damaged == {name.replace("_", "-") for name in MISNAMED}
    assert listed == {"plain", *(name.replace("_", "-") for name in OTHERS)}
    assert "- plain — " in knowl.ok("index", "--budget", "100000")


def test_an_agent_is_served_beside_them(attacked: RepoBuilder) -> None:
    claude = Claude(attacked.path)

    assert "- plain" in claude.start() or "more" in claude.start()
    assert isinstance(claude.asks("What of the cart?"), str)
    assert isinstance(claude.edits("lib/x"), str)


def test_doctor_names_such_an_entry_and_its_anchor(attacked: RepoBuilder) -> None:
    done = Knowl(attacked.path)("doctor", "--json")
    told = [one["problem"] for one in json.loads(done.out)["findings"] if one["check"] == "store"]

    assert any("anchors.0." in one for one in told)
    assert told[-1].startswith("and ")
    assert len(told) <= 30
