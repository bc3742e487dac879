"""Refs and formats that no store wrote: every reader says it, and no writer goes on."""

from __future__ import annotations

import pytest

from git_knowl.plumbing import refs
from git_knowl.store import layout
from tests.support import stores
from tests.support.caches import plant
from tests.support.people import tips
from tests.support.stores import PutRaw, open_store, write

READERS = (["ls"], ["index"], ["audit"], ["search", "cart"], ["log"], ["status"], ["stats"])
WRITERS = (
    ["flag", "one more finding"],
    ["snooze", "cart", "--until", "2099-01-01"],
    ["retire", "cart", "--reason", "old"],
    ["undo"],
)


@pytest.fixture
def filled(repo, knowl):
    """Give a repository whose shared lane and inbox hold something, and whose cache is warm."""
    knowl.ok(
        "add", "--name", "cart", "--type", "project", "-d", "Read first", "-a", "file:lib/cart.ts",
        "--body", "-", "--reviewer", "Ada <ada@example.org>", stdin="The fact. Why: seen.",
    )  # fmt: skip
    knowl.ok("flag", "the total doubles")
    knowl.ok("index")
    return repo


def loose(repo, ref, text):
    (repo.path / ".git" / ref).write_text(text)


def at(kind):
    def point(repo, ref):
        target = {"tree": "HEAD^{tree}", "blob": "HEAD:conf.yml"}[kind]
        loose(repo, ref, repo.git("rev-parse", target) + "\n")

    return point


def without_format(repo, ref):
    tree = repo.git("rev-parse", f"{ref}^{{tree}}")
    lines = [line for line in repo.git("ls-tree", tree).splitlines() if not line.endswith("format")]
    bare = repo.git("mktree", stdin="".join(f"{line}\n" for line in lines))
    repo.git("update-ref", ref, repo.git("commit-tree", bare, "-m", "x"))


def with_format(text):
    def point(repo, ref):
        write(open_store(repo), PutRaw(ref, "format", text))

    return point


BREAKS = {
    "garbage": lambda repo, ref: loose(repo, ref, "garbage\n"),
    "an empty file": lambda repo, ref: loose(repo, ref, ""),
    "a missing object": lambda repo, ref: loose(repo, ref, "12" * 20 + "\n"),
    "zeroes": lambda repo, ref: loose(repo, ref, "0" * 40 + "\n"),
    "a tree": at("tree"),
    "a blob": at("blob"),
    "a commit of the project": lambda repo, ref: repo.git("update-ref", ref, "HEAD"),
    "no format": without_format,
    "a garbled format": with_format(b"\xff\n"),
    "a format for newer readers": with_format(b"format 9\nreader 9\n"),
}


@pytest.mark.parametrize("ref", [refs.ENTRIES, refs.INBOX])
@pytest.mark.parametrize("breaking", BREAKS.values(), ids=BREAKS)
def test_no_broken_ref_looks_like_an_empty_store(filled, knowl, breaking, ref):
    breaking(filled, ref)
    files = sorted(filled.path.joinpath(".git/refs").rglob("*"))
    before = {path: path.read_bytes() for path in files if path.is_file()}
    asked = READERS if ref == refs.ENTRIES else (["inbox"], ["capture"], ["status"])

    for words in (*asked, *WRITERS):
        if words[0] not in affected(breaking, ref):
            continue
        done = knowl(*words)
        assert (done.code, done.out) == (1, ""), words
        assert ref in done.err, words
        assert "hint: " in done.err, words
    assert {path: path.read_bytes() for path in before} == before


def affected(breaking, ref):
    """Return the verbs that meet the break: what is no ref at all stops whoever reads all refs."""
    if ref == refs.INBOX:
        return {"inbox", "capture", "status", "flag"}
    verbs = {words[0] for words in (*READERS, *WRITERS)}
    is_commit = breaking in list(BREAKS.values())[-4:]
    return verbs - {"flag"} if is_commit else verbs


def test_a_newer_format_is_read_with_a_note_and_never_written(filled, knowl):
    with_format(b"format 9\nreader 1\n")(filled, refs.ENTRIES)
    before = tips(filled)[refs.ENTRIES]

    for words in (["ls"], ["index"], ["audit"]):
        done = knowl(*words)
        assert done.code == 0, words
        assert "cart" in done.out or words == ["audit"]
        assert "warning: lane shared: format 9 is newer than this program" in done.err, words
        assert "hint: upgrade git-knowl\n" in done.err, words
        assert "undo" not in done.err, words
    assert "1 damaged" in knowl("audit").out
    refused = knowl("retire", "cart", "--reason", "old")
    assert (refused.code, "format 9" in refused.err) == (1, True)
    assert tips(filled)[refs.ENTRIES] == before


def test_a_newer_inbox_is_read_with_a_note_and_never_written(filled, knowl):
    with_format(b"format 9\nreader 1\n")(filled, refs.INBOX)

    done = knowl("inbox")
    assert (done.code, "the total doubles" in done.out) == (0, True)
    assert "warning: the inbox: format 9 is newer than this program" in done.err
    assert "hint: upgrade git-knowl\n" in done.err
    assert "drop" not in done.err
    assert knowl("flag", "one more").code == 1


def test_what_cannot_be_read_in_a_newer_lane_is_no_reason_to_take_it_out(filled, knowl):
    """This program may not write there, and a newer one may well read it."""
    path = f"entries/{stores.identifier(8)[-2:]}/{stores.identifier(8)}.till.md"
    files = {layout.FORMAT_FILE: b"format 9\nreader 1\n", path: b"in the new way"}
    plant(open_store(filled), "shared", stores.entry("habit", 9), files=files)

    for words in (["ls"], ["show", "till"]):
        done = knowl(*words)
        assert "format 9 is newer than this program" in done.err, words
        assert "hint: upgrade git-knowl\n" in done.err, words
        assert "retire" not in done.err, words


def test_a_newer_lane_does_not_hide_the_way_out_of_damage_in_the_other(filled, knowl):
    path = f"entries/{stores.identifier(8)[-2:]}/{stores.identifier(8)}.till.md"
    plant(open_store(filled), "local", stores.entry("habit", 9), files={path: b"no entry"})
    with_format(b"format 9\nreader 1\n")(filled, refs.ENTRIES)

    err = knowl("ls").err
    assert "hint: upgrade git-knowl\n" in err
    assert "'git knowl retire PATH --reason TEXT' takes a damaged file out" in err


def test_history_of_a_shallow_clone_ends_in_words(filled, knowl, tmp_path):
    knowl.ok("rename", "cart", "till")
    shallow = filled.clone("shallow", "--depth=1", "--no-local")
    shallow.git("fetch", "-q", "--depth=1", "origin", "refs/knowl/entries:refs/knowl/entries")
    there = knowl.at(shallow.path)

    log = there("log")
    assert (log.code, log.out.count("\n")) == (0, 1)
    assert "rename cart to till" in log.out
    assert "this clone is shallow" in log.err
    stats = there("stats")
    assert "operations: 1 rename" in stats.out
    assert "this clone is shallow" in stats.err
    before = tips(shallow)
    undone = there("undo")
    assert undone.code == 1
    assert "history ends here: this clone is shallow" in undone.err
    assert "--unshallow" in undone.err
    assert tips(shallow) == before
    assert "till" in there("ls").out


def test_the_same_clone_made_whole_takes_the_operation_back(filled, knowl):
    knowl.ok("rename", "cart", "till")
    shallow = filled.clone("shallow", "--depth=1", "--no-local")
    shallow.git("fetch", "-q", "--depth=1", "origin", "refs/knowl/entries:refs/knowl/entries")
    shallow.git("fetch", "-q", "--unshallow", "origin", "refs/knowl/entries")
    there = knowl.at(shallow.path)

    assert "undid 'rename cart to till'" in there("undo").err
    assert there("log").err == ""
    assert "cart" in there("ls").out
