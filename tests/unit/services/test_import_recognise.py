"""What a path holds is seen by itself; what is made to harm is refused in time, and says so."""

from __future__ import annotations

import json
import os

import pytest

from git_knowl.services.exchange.export import JSON, export
from git_knowl.services.exchange.export_files import JSON_FILE
from git_knowl.services.exchange.found import ImportPathError
from git_knowl.services.exchange.import_ import import_path
from git_knowl.services.exchange.recognise import recognise
from tests.support.contexts import inbox_of
from tests.support.people import CART, person, write

PLAIN = "---\ndescription: Read before x\ntype: project\n---\nThe fact. Why: x.\n"


@pytest.fixture
def ctx(repo):
    return person(repo)


def put(folder, *names, text="x"):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def form(folder, path="."):
    return recognise(str(folder), path, None, None).form


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["shared/a.md"], "markdown"),
        (["shared/a.md", "AGENTS.md", "MEMORY.md"], "markdown"),
        (["a.md", "b.md"], "markdown"),
        (["MEMORY.md", "a.md"], "memory"),
        (["memory/MEMORY.md", "0001-x.md"], "memory"),
        (["AGENTS.md"], "rules"),
        (["CLAUDE.md", "docs/a.md"], "rules"),
        ([".cursorrules"], "rules"),
        ([".cursor/rules/a.mdc"], "rules"),
        ([".github/copilot-instructions.md"], "rules"),
        (["0001-a.md", "0002-b.md", "README.md"], "decisions"),
        (["adr-001-a.md", "notes.md"], "decisions"),
        (["0001-a.md", "a.md", "b.md", "c.md"], "markdown"),
    ],
)
def test_a_folder_is_recognised_by_what_is_in_it(tmp_path, names, expected):
    put(tmp_path, *names)

    assert form(tmp_path) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.json", "json"),
        ("a.md", "markdown"),
        ("AGENTS.md", "rules"),
        ("agents.md", "rules"),
        ("x.mdc", "rules"),
        ("ts.instructions.md", "rules"),
        ("copilot-instructions.md", "rules"),
        (".windsurfrules", "rules"),
        ("MEMORY.md", "memory"),
        ("0001-x.md", "decisions"),
    ],
)
def test_a_file_is_recognised_by_its_name(tmp_path, name, expected):
    put(tmp_path, name)

    assert form(tmp_path, name) == expected


def test_every_markdown_file_of_a_folder_of_rules_is_one(ctx, tmp_path):
    put(tmp_path, ".claude/rules/style.md", text="- Never use tabs in these files\n")

    done = import_path(ctx, str(tmp_path / ".claude/rules"))

    assert (done.form, len(done.drafts)) == ("rules", 1)


@pytest.mark.parametrize("name", [JSON_FILE, "backup.json"])
def test_a_json_export_in_a_folder_is_read_by_itself(repo, ctx, tmp_path, name):
    write(ctx, "cart", CART)
    ctx.refresh()
    export(ctx, str(tmp_path), JSON)
    os.replace(tmp_path / JSON_FILE, tmp_path / name)
    put(tmp_path, "package.json", text="{}")

    done = import_path(person(repo.clone("other")), str(tmp_path))

    assert (done.form, len(done.drafts), done.failed) == (JSON, 1, [])


@pytest.mark.parametrize("also", ["note.md", "second.json"])
def test_two_things_at_once_are_asked_about(ctx, tmp_path, also):
    write(ctx, "cart", CART)
    ctx.refresh()
    export(ctx, str(tmp_path), JSON)
    put(tmp_path, also, text=(tmp_path / JSON_FILE).read_text())

    with pytest.raises(ImportPathError, match="and other documents"):
        import_path(ctx, str(tmp_path))


def test_what_the_caller_says_counts(ctx, tmp_path):
    put(tmp_path, "AGENTS.md", text=PLAIN.replace("---\nd", "---\nname: a\nd"))

    assert import_path(ctx, str(tmp_path), "markdown").drafts[0].name == "a"


def test_a_document_says_where_it_was_from_wherever_one_stands(repo, ctx):
    repo.write("notes/a.md", PLAIN)
    inside = person(repo, cwd=str(repo.path / "notes"))

    import_path(ctx, "notes")
    done = import_path(inside, ".")

    assert (done.drafts, len(done.unchanged)) == ((), 1)
    (draft,) = inbox_of(ctx).drafts
    assert draft.entry.source.ref == "import of notes/a.md"


# --- made to harm -----------------------------------------------------------------------------


def test_too_many_names_are_an_error(ctx, tmp_path, monkeypatch):
    monkeypatch.setattr("git_knowl.services.exchange.walk.MOST_NAMES", 3)
    put(tmp_path, "a.txt", "b.txt", "c.txt", "d.md")

    with pytest.raises(ImportPathError, match="more than 3 names"):
        import_path(ctx, str(tmp_path), "markdown")


def test_a_cycle_of_links_ends(ctx, tmp_path):
    put(tmp_path, "in/a.md", text=PLAIN)
    os.symlink(tmp_path / "in", tmp_path / "in/again")

    assert len(import_path(ctx, str(tmp_path / "in")).drafts) == 1


def test_a_path_with_a_nul_is_an_error(ctx):
    with pytest.raises(ImportPathError):
        import_path(ctx, "a\0b")


@pytest.mark.parametrize(
    "extra",
    [
        '"deep": ' + "[" * 40 + "]" * 40,
        '"deep": ' + '{"a":' * 40 + "1" + "}" * 40,
        '"half": 1.5',
        '"body": "\\ud800"',
        '"tags": ["\\ud800"]',
    ],
)
def test_values_that_no_document_holds_are_told(ctx, tmp_path, extra):
    made = {
        "name": "a",
        "id": "01k4w2zt6mxf3q9v5c7d8e0abn",
        "description": "Read before x",
        "type": "project",
        "created": "2026-11-29T10:00:00Z",
        "updated": "2026-11-29T10:00:00Z",
        "source": {"kind": "quote", "ref": "x"},
    }
    plain = json.dumps({**made, "body": "Text.\n"} if "body" not in extra else made)
    text = '{"format": 1, "entries": [' + plain[:-1] + f", {extra}" + "}]}"
    put(tmp_path, JSON_FILE, text=text)

    done = import_path(ctx, str(tmp_path / JSON_FILE))

    assert (done.drafts, len(done.failed)) == ((), 1)


def test_a_name_of_bytes_is_shown_and_imported(repo, ctx):
    with open(os.path.join(os.fsencode(repo.path), b"bad\xff.md"), "wb") as file:
        file.write(PLAIN.replace("---\nd", "---\nname: a\nd").encode())

    done = import_path(ctx, ".", "markdown")

    assert [draft.name for draft in done.drafts] == ["a"]
    assert "\\xff" in done.drafts[0].entry.source.ref


def test_a_special_file_is_no_document(ctx, tmp_path):
    os.mkfifo(tmp_path / "AGENTS.md")

    for path in (tmp_path, tmp_path / "AGENTS.md"):
        with pytest.raises(ImportPathError):
            import_path(ctx, str(path), "rules")
