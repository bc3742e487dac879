"""What a person or agent is told when something they did before stands in the way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_live_entries import add, editor, finish, unfinished
from tests.support import stores
from tests.support.caches import plant
from tests.support.contexts import capture_item, feedback_item
from tests.support.people import CART, KIM, person, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import RepoBuilder
    from tests.support.cli import Knowl

ADD = ("add", "--name", "till", "--type", "project", "-d", "Read before", "-a", CART)


def submit(knowl: Knowl, *items: dict[str, object]) -> list[str]:
    """Hand in items and return the ids of their drafts."""
    drafts: list[str] = knowl.json("capture", "--submit", "-", stdin=json.dumps({"items": items}))[
        "drafts"
    ]
    return drafts


# --- proposed before --------------------------------------------------------------------------


def test_a_discarded_text_proposed_again_says_who_when_why_and_the_way_back(knowl: Knowl) -> None:
    (draft,) = submit(knowl, capture_item())
    knowl.ok("review", "--discard", draft, "--reason", "no longer so", "--reviewer", KIM)

    done = knowl("capture", "--submit", "-", stdin=json.dumps({"items": [capture_item()]}))

    assert done.out == f"{draft}\n"
    assert f"{draft} was submitted before and was discarded by {KIM} at 20" in done.err
    assert "(no longer so): a person brings it back with 'git knowl add'" in done.err


def test_a_dropped_text_proposed_again_says_who_and_when(knowl: Knowl) -> None:
    words = (*ADD, "--body", "-")
    draft = knowl.ok(*words, stdin="Why: so.").strip()
    knowl.ok("inbox", "drop", draft)

    done = knowl(*words, stdin="Why: so.")

    assert "the same text for 'till' was proposed before" in done.err
    assert "was discarded by" in done.err


@pytest.mark.parametrize(
    ("accept", "retire", "words"),
    [
        (False, False, "waits for review"),
        (True, False, "is an entry"),
        (True, True, "is a retired entry: 'git knowl restore' brings it back"),
    ],
)
def test_what_became_of_a_text_is_told(
    knowl: Knowl, accept: bool, retire: bool, words: str
) -> None:
    (draft,) = submit(knowl, capture_item())
    if accept:
        knowl.ok("review", "--accept", draft, "--reviewer", KIM)
    if retire:
        knowl.ok("retire", "cart-doubles", "--reason", "gone")

    done = knowl("capture", "--submit", "-", stdin=json.dumps({"items": [capture_item()]}))

    assert f"note: {draft} was submitted before and {words}" in done.err


@pytest.mark.parametrize("form", ["markdown", "json"])
def test_an_import_of_a_discarded_entry_says_so(
    repo: RepoBuilder, knowl: Knowl, tmp_path: Path, form: str
) -> None:
    add(knowl, "cart")
    knowl.ok("export", str(tmp_path / "out"), "--format", form)
    other = knowl.at(repo.clone("other").path)
    draft = other.json("import", str(tmp_path / "out"))["ids"][0]
    other.ok("review", "--discard", draft, "--reason", "not ours", "--reviewer", KIM)

    done = other("import", str(tmp_path / "out"))

    assert f"discarded by {KIM}" in done.err
    assert "(not ours)" in done.err
    assert "0 drafts, 1 known already" in done.err


# --- import and export ------------------------------------------------------------------------


def test_an_export_as_json_is_recognised_by_what_the_folder_holds(
    repo: RepoBuilder, knowl: Knowl, tmp_path: Path
) -> None:
    add(knowl, "cart")
    knowl.ok("export", str(tmp_path / "out"), "--format", "json")
    other = knowl.at(repo.clone("other").path)

    assert len(other.json("import", str(tmp_path / "out"))["ids"]) == 1


def test_a_folder_with_both_forms_asks_which_is_meant(knowl: Knowl, tmp_path: Path) -> None:
    add(knowl, "cart")
    for form in ("json", "markdown"):
        knowl.ok("export", str(tmp_path / "out"), "--format", form)

    done = knowl("import", str(tmp_path / "out"))

    assert done.code == 1
    assert "say with --from which of them is meant: json or markdown" in done.err
    assert knowl("import", str(tmp_path / "out"), "--from", "json").code == 0


def test_a_foreign_json_file_beside_documents_is_passed_over(knowl: Knowl, tmp_path: Path) -> None:
    add(knowl, "cart")
    knowl.ok("export", str(tmp_path / "out"))
    (tmp_path / "out/knowledge.json").write_text('{"mine": 1}')

    assert knowl("import", str(tmp_path / "out")).code == 0


@pytest.mark.parametrize("text", ["{", '{"format": 1, "format": 1, "entries": []}', "[]"])
def test_a_broken_export_is_told(knowl: Knowl, tmp_path: Path, text: str) -> None:
    (tmp_path / "knowledge.json").write_text(text)

    done = knowl("import", str(tmp_path))

    assert done.code == 1
    assert "knowledge.json: expected" in done.err


def test_an_export_says_what_of_it_is_local_and_can_leave_it_out(
    repo: RepoBuilder, knowl: Knowl, tmp_path: Path
) -> None:
    write(person(repo), "cart", CART)
    write(person(repo), "mine", CART, lane="local")

    done = knowl("export", str(tmp_path / "all"))
    shared = knowl("export", str(tmp_path / "shared"), "--lane", "shared")

    assert "note: 1 entry of lane 'local' among them; --lane shared leaves those out" in done.err
    assert "note:" not in shared.err
    assert [path.name for path in (tmp_path / "shared").rglob("*.md")] == ["cart.md"]
    assert len(list((tmp_path / "all").rglob("*.md"))) == 2


def test_show_raw_in_a_pipe_is_the_very_bytes_of_the_document(
    repo: RepoBuilder, knowl: Knowl
) -> None:
    evil = stores.entry("evil", body="x \x1b[31m\u202e\n")
    plant(person(repo).store, "shared", evil)
    path = next(
        one
        for one in repo.git("ls-tree", "-r", "--name-only", "refs/knowl/entries").split("\n")
        if one.endswith(".md")
    )

    stored = repo.git("show", f"refs/knowl/entries:{path}")

    assert knowl.ok("show", "evil", "--raw").strip() == stored.strip()
    assert "\x1b[31m" in knowl.ok("show", "evil", "--raw")


# --- unfinished texts -------------------------------------------------------------------------


def test_fresh_sets_an_unfinished_text_aside_and_begins_anew(repo, knowl, tmp_path):
    add(knowl, "cart")
    broken = knowl.at(repo.path, **editor(tmp_path, "s/^type:.*/type: idea/"))
    assert "where the next try begins unless it has --fresh" in broken("edit", "cart").err
    (kept,) = unfinished(repo)

    again = knowl.at(repo.path, **editor(tmp_path, "s/doubles/trebles/"))
    assert "note: this goes on with the text you left unfinished; --fresh begins anew" in (
        again("edit", "cart").err
    )
    again = knowl.at(repo.path, **editor(tmp_path, "s/doubles/trebles/"))
    done = again("edit", "cart", "--fresh")

    aside = kept.with_suffix(".1.md")
    assert done.code == 0
    assert f"note: your unfinished text is set aside in {aside}" in done.err
    assert "type: idea" in aside.read_text()
    assert "trebles" in knowl.json("show", "cart")["body"]


def test_fresh_helps_where_the_unfinished_text_cannot_be_read(repo, knowl, tmp_path):
    broken = knowl.at(repo.path, **editor(tmp_path, "s/.*//"))
    assert broken(*ADD, "-e", "--reviewer", KIM).code == 1
    (kept,) = unfinished(repo)
    kept.write_bytes(b"caf\xe9")
    fresh = knowl.at(repo.path, **editor(tmp_path, "$ s/.*/Why: so./"))

    assert fresh(*ADD, "-e", "--reviewer", KIM).code == 1
    assert fresh(*ADD, "-e", "--reviewer", KIM, "--fresh").code in (0, 1)
    assert kept.with_suffix(".1.md").read_bytes() == b"caf\xe9"


def test_fresh_without_anything_unfinished_changes_nothing(repo, knowl, tmp_path):
    add(knowl, "cart")
    edited = knowl.at(repo.path, **editor(tmp_path, "s/doubles/trebles/"))

    assert edited.ok("edit", "cart", "--fresh") == ""


def test_at_the_terminal_one_can_begin_afresh(repo, knowl, tmp_path):
    add(knowl, "cart")
    twice = editor(tmp_path, "s/^type: project/type: idea/", "s/doubles/trebles/")

    with knowl.at(repo.path, **twice).terminal("edit", "cart") as someone:
        someone.expect("Edit it again [y,n,f,?]?")
        someone.send("f\n")
        text = finish(someone)

    assert "set aside in" in text
    assert "trebles" in knowl.json("show", "cart")["body"]
    assert "type: idea" in unfinished(repo)[0].read_text()


# --- evidence ---------------------------------------------------------------------------------


def conflict(repo: RepoBuilder) -> None:
    """Leave lib/cart.ts in the middle of a merge with conflicts."""
    repo.git("checkout", "-qb", "other")
    repo.commit("theirs", {"lib/cart.ts": "theirs\n"})
    repo.git("checkout", "-q", "-")
    repo.commit("ours", {"lib/cart.ts": "ours\n"})
    repo.git("merge", "other", check=False)


def test_a_file_in_conflict_is_verified_once_it_is_resolved(repo, knowl):
    add(knowl, "cart")
    conflict(repo)

    done = knowl("verify", "cart", "--reviewed")
    added = knowl(*ADD, "--body", "-", "--reviewer", KIM, stdin="Why: so.")
    repo.git("add", "lib/cart.ts")

    assert (done.code, added.code) == (1, 1)
    assert "'lib/cart.ts' has unresolved merge conflicts" in done.err
    assert "'lib/cart.ts' has unresolved merge conflicts" in added.err
    assert knowl("verify", "cart", "--reviewed").code == 0


def test_a_file_that_only_quotes_conflict_markers_is_verified(repo, knowl):
    add(knowl, "cart")
    repo.write("lib/cart.ts", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")

    assert knowl("verify", "cart", "--reviewed").code == 0


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a: 1\n", "a: 1", "-a: 1\n+a: 1\n\\ No newline at end of file"),
        ("a: 1", "a: 1\n", "-a: 1\n\\ No newline at end of file\n+a: 1"),
        (b"\xe9\n", b"\xe8\n", "-\\xe9\n+\\xe8"),
    ],
)
def test_evidence_that_differs_in_no_letter_is_still_shown(repo, knowl, before, after, shown):
    repo.commit("before", {"conf.yml": before})
    add(knowl, "cart", "-a", "file:conf.yml")
    repo.write("conf.yml", after)

    assert shown in knowl.ok("diff", "cart")
    assert knowl.json("diff", "cart")["differences"][0]["diff"]


def test_an_empty_file_that_is_gone_is_told(repo, knowl):
    repo.commit("empty", {"empty.txt": ""})
    add(knowl, "cart", "-a", "file:empty.txt")
    repo.git("rm", "-q", "empty.txt")

    assert "empty.txt: the content differs in no line" in knowl.ok("diff", "cart")


def test_lockfiles_that_were_not_searched_are_named(repo, knowl):
    repo.write(".gitignore", "web/\n")
    repo.commit("lockfiles", {"package-lock.json": "{", "deno.lock": "x", "Cargo.lock": "x"})
    repo.write("sub/yarn.lock", "# yarn lockfile v1\n")
    repo.write("pnpm-lock.yaml", "x")

    done = knowl(*ADD, "-a", "package:npm/vue", "--body", "-", stdin="Why: so.")

    assert done.code == 1
    assert "package-lock.json (not valid JSON in line 1" in done.err
    assert "deno.lock (a kind that is not read)" in done.err
    assert "sub/yarn.lock (untracked)" in done.err
    assert "pnpm-lock.yaml (untracked)" in done.err
    assert "Cargo.lock" not in done.err
    assert "only tracked lockfiles are searched" in done.err


def test_a_path_that_counts_from_elsewhere_is_told(repo, knowl):
    below = knowl.at(repo.path / "lib")
    item = capture_item(anchors=["file:cart.ts"])

    payload = below("capture", "--submit", "-", stdin=json.dumps({"items": [item]}))
    line = below(*ADD[:-1], "file:lib/cart.ts", "--body", "-", stdin="Why: so.")

    assert "payloads count from the top of the work tree: write 'lib/cart.ts'" in payload.err
    assert "as the command line does, '../lib/cart.ts'" in line.err


def test_a_guideline_that_is_accepted_says_which_file_it_went_to(repo, knowl):
    item = {"kind": "guideline", "flags": [], "text": "Do.", "reason": "so"}
    draft, other = submit(knowl, item, feedback_item())

    done = knowl("review", "--accept", draft, "--accept", other, "--reviewer", KIM)

    assert "note: the guideline is in 'AGENTS.md' now" in done.err
    assert (repo.path / "AGENTS.md").read_text() == "Do.\n"
