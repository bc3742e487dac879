"""A folder of documents becomes drafts: what export wrote, and what others wrote."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from git_knowl.model.anchor import FileAnchor, ForeignAnchor, PackageAnchor, PackageFingerprint
from git_knowl.model.document import parse, render
from git_knowl.services.exchange.export import JSON, export
from git_knowl.services.exchange.export_files import JSON_FILE
from git_knowl.services.exchange.found import ImportPathError
from git_knowl.services.exchange.import_ import import_path
from git_knowl.services.exchange.walk import MOST_FILES
from git_knowl.services.filters.secrets import find
from git_knowl.services.retire import retire
from git_knowl.services.review import Decision, decide
from tests.support import stores
from tests.support.cli import Knowl
from tests.support.contexts import REVIEWED, entry_names, inbox_of
from tests.support.people import CART, live, person, tips, write
from tests.support.processes import calls_made, killing_git

PLAIN = "---\nname: {name}\ndescription: Read before x\ntype: project\n---\nThe fact. Why: x.\n"
#: A git call that no command makes.
NEVER = 0
KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def out(repo, tmp_path):
    """Give the export of a store with a shared and a local entry."""
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "rule", type="feedback", body="No lint. Why: slow.\n")
    ctx.refresh()
    export(ctx, str(tmp_path / "out"))
    return tmp_path / "out"


@pytest.fixture
def other(repo):
    """Give a person in a clone without any knowledge."""
    return person(repo.clone("other"))


def accept_all(ctx):
    decide(ctx, [Decision(one.id, accepted=True) for one in inbox_of(ctx).drafts], REVIEWED)


def put(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def edited(path, old, new):
    path.write_text(path.read_text().replace(old, new))


# --- what export wrote ------------------------------------------------------------------------


def test_what_was_exported_comes_in_with_id_lane_and_evidence(repo, out, other):
    done = import_path(other, str(out))
    drafts = {draft.name: draft for draft in inbox_of(other).drafts}

    assert sorted(one.id for one in done.drafts) == sorted(one.id for one in drafts.values())
    assert {name: (one.kind, one.lane) for name, one in drafts.items()} == {
        "cart": ("capture", "shared"),
        "rule": ("capture", "local"),
    }
    assert drafts["cart"].entry == replace(live(person(repo), "cart"), reviewed=None)
    assert entry_names(other) == []


def test_accepted_it_is_the_entry_it_was(repo, out, other):
    import_path(other, str(out))
    accept_all(other)

    assert entry_names(other) == ["cart", "rule"]
    assert live(other, "cart").digest == live(person(repo), "cart").digest
    assert live(other, "cart").id == live(person(repo), "cart").id


@pytest.mark.parametrize("accepted", [False, True])
def test_importing_again_changes_nothing(repo, out, other, accepted):
    import_path(other, str(out))
    if accepted:
        accept_all(other)
    other.refresh()
    before = tips(repo)

    done = import_path(other, str(out))

    assert (done.drafts, len(done.unchanged), done.failed) == ((), 2, [])
    assert tips(repo) == before


def test_in_its_own_store_everything_is_known(repo, out):
    done = import_path(person(repo), str(out))

    assert (done.drafts, len(done.unchanged)) == ((), 2)


def test_a_json_file_says_the_same(repo, out, other):
    ctx = person(repo)
    export(ctx, str(out), JSON)

    done = import_path(other, str(out / JSON_FILE))
    again = import_path(other, str(out), JSON)

    assert [(draft.name, draft.lane) for draft in inbox_of(other).drafts] == [
        ("cart", "shared"),
        ("rule", "local"),
    ]
    assert (len(done.drafts), len(again.unchanged)) == (2, 2)


def test_an_edited_document_updates_the_live_entry(repo, out):
    edited(out / "shared/cart.md", "the price doubles", "the price triples")
    repo.write("lib/cart.ts", "changed\n")
    ctx = person(repo)
    old = live(ctx, "cart")

    import_path(ctx, str(out))
    again = import_path(ctx, str(out))
    (draft,) = inbox_of(ctx).drafts

    assert (draft.kind, draft.target, draft.expected) == ("update", old.id, old.digest)
    assert "triples" in draft.entry.body
    assert draft.entry.rev == old.rev + 1
    assert [item.text for item in draft.entry.anchors[0].accepted] == [draft.entry.digest]
    assert draft.entry.anchors[0].accepted[0].sha256 != old.anchors[0].accepted[0].sha256
    assert again.drafts == ()


def test_an_edited_document_that_is_new_here_is_observed_here(out, other):
    edited(out / "shared/cart.md", "the price doubles", "the price triples")

    import_path(other, str(out / "shared"))
    (draft,) = inbox_of(other).drafts

    assert [item.how for item in draft.entry.anchors[0].accepted] == ["draft"]


def test_unedited_evidence_is_kept_though_the_file_is_another_one_here(out, other):
    (other.repo.work_tree and os.unlink(os.path.join(other.repo.work_tree, "lib/cart.ts")))

    import_path(other, str(out / "shared"))
    (draft,) = inbox_of(other).drafts

    assert [item.how for item in draft.entry.anchors[0].accepted] == ["terminal"]


def test_what_was_retired_here_stays_retired(repo, out):
    ctx = person(repo)
    retire(ctx, "cart", "wrong", None)

    done = import_path(person(repo), str(out))

    assert (done.drafts, len(done.unchanged)) == ((), 2)


def test_what_was_discarded_here_stays_discarded(out, other):
    import_path(other, str(out))
    drafts = inbox_of(other).drafts
    decide(other, [Decision(one.id, accepted=False, reason="no") for one in drafts], REVIEWED)

    assert import_path(other, str(out)).drafts == ()


def test_a_name_that_another_entry_has_is_told(out, other):
    write(other, "cart", CART)
    other.refresh()

    done = import_path(other, str(out))

    assert [draft.name for draft in inbox_of(other).drafts] == ["rule"]
    assert "shared/cart.md: name: 'cart' is taken by the entry" in done.failed[0]


def test_the_same_entry_twice_is_one_draft(out, other):
    put(out, "copy.md", (out / "shared/cart.md").read_text())

    done = import_path(other, str(out))

    assert (len(done.drafts), len(done.unchanged)) == (2, 1)


def test_an_entry_of_a_newer_program_comes_in_whole(other, tmp_path):
    entry = stores.entry("later", anchors=(ForeignAnchor("hologram", {"depth": 3}),))
    (tmp_path / "later.md").write_bytes(render(entry))

    import_path(other, str(tmp_path / "later.md"))
    (draft,) = inbox_of(other).drafts
    accept_all(other)

    assert draft.entry == replace(entry, reviewed=None)
    assert draft.warnings == ("anchors: this version cannot look at the kind 'hologram'",)
    assert live(other, "later").anchors == entry.anchors


def test_an_edited_entry_of_a_newer_program_is_left_to_it(other, tmp_path):
    entry = stores.entry("later", anchors=(FileAnchor("a"), ForeignAnchor("hologram", {})))
    (tmp_path / "later.md").write_bytes(render(entry))

    assert "hologram" in import_path(other, str(tmp_path / "later.md")).failed[0]


def test_an_entry_that_breaks_a_rule_names_the_field(out, other):
    edited(out / "local/rule.md", "No lint. Why: slow.", "No lint.")

    done = import_path(other, str(out))

    assert len(done.drafts) == 1
    assert "local/rule.md: body: expected the reason" in done.failed[0]


# --- what others wrote ------------------------------------------------------------------------


def test_name_description_and_type_are_enough(other, tmp_path):
    put(tmp_path, "in/notes/first.md", PLAIN.format(name="the-first"))

    import_path(other, str(tmp_path / "in"))
    (draft,) = inbox_of(other).drafts

    assert (draft.kind, draft.name, draft.lane) == ("capture", "the-first", "shared")
    assert draft.entry.body == "The fact. Why: x.\n"
    assert draft.entry.source.ref.endswith("in/notes/first.md")


def test_a_file_name_in_kebab_case_stands_in_for_the_name(other, tmp_path):
    put(tmp_path, "in/from-file.md", PLAIN.replace("name: {name}\n", ""))

    import_path(other, str(tmp_path / "in"))

    assert [draft.name for draft in inbox_of(other).drafts] == ["from-file"]


def test_anchors_are_observed_from_the_top(other, tmp_path):
    put(
        tmp_path,
        "in/a.md",
        PLAIN.format(name="a").replace("type", "anchors: ['file:lib/cart.ts']\ntype"),
    )

    import_path(replace_cwd(other, "lib"), str(tmp_path / "in"))
    (draft,) = inbox_of(other).drafts

    assert isinstance(draft.entry.anchors[0], FileAnchor)
    assert len(draft.entry.anchors[0].accepted) == 1


def replace_cwd(ctx, folder):
    ctx.caller = replace(ctx.caller, cwd=os.path.join(ctx.repo.work_tree, folder))
    return ctx


def test_what_has_no_place_here_is_left_out_and_told(other, tmp_path):
    put(tmp_path, "in/a.md", PLAIN.format(name="a").replace("type", "mood: good\norigin: x\ntype"))

    done = import_path(other, str(tmp_path / "in"))

    assert len(done.drafts) == 1
    assert done.notes[0].endswith("in/a.md: left out mood, origin")


def test_handing_it_in_again_is_the_same_draft(repo, other, tmp_path):
    put(tmp_path, "in/a.md", PLAIN.format(name="a"))
    import_path(other, str(tmp_path / "in"))
    before = tips(repo)

    assert import_path(other, str(tmp_path / "in")).drafts == ()
    assert tips(repo) == before


def test_secrets_are_masked_in_text_and_refused_in_names(other, tmp_path):
    put(tmp_path, "in/a.md", PLAIN.format(name="a").replace("x.", f"{KEY}."))
    put(tmp_path, "in/b.md", PLAIN.format(name="b").replace("type", f"tags: [{KEY}]\ntype"))

    done = import_path(other, str(tmp_path / "in"))
    (draft,) = inbox_of(other).drafts

    assert "[REDACTED:GITHUB_TOKEN]" in draft.entry.body
    assert done.redacted == (("GITHUB_TOKEN", 1),)
    assert "b.md: tags: expected no secret" in done.failed[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the price doubles", f"the price doubles {KEY}"),
        ("description: Read", f"description: {KEY} Read"),
    ],
)
def test_secrets_in_an_exported_text_are_masked(out, other, old, new):
    edited(out / "shared/cart.md", old, new)

    done = import_path(other, str(out / "shared"))
    (draft,) = inbox_of(other).drafts

    assert done.redacted == (("GITHUB_TOKEN", 1),)
    assert not find(render(draft.entry).decode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("type: project", f"type: project\nlater: {KEY}"),
        ("by: Kim", f"by: {KEY} Kim"),
        ("file: lib", "file: lib"),
    ],
)
def test_secrets_anywhere_else_in_it_are_refused(out, other, old, new):
    edited(out / "shared/cart.md", old, new)

    done = import_path(other, str(out / "shared"))

    assert bool(done.failed) is (KEY in new)
    assert KEY not in "".join(done.failed)


def test_digests_and_integrities_are_no_secrets(other, tmp_path):
    fingerprint = PackageFingerprint(
        "0" * 64,
        "1.2.3",
        stores.TIME,
        stores.BY,
        "terminal",
        integrity="sha512-WgkVk2RWUcFjbTzyFcBQhpNXTKHv9OTAGEBjyhjBQyTNrzXoDOJV8yIiDFZV2VOmEGxYqWg1jXbqGLEzlRGKSQ==",
    )
    entry = stores.entry(
        "vue", type="reference", as_of="4b8175ae19fe8d1b2e7e95d0bc3789a0f463db33",
        anchors=(PackageAnchor("pkg:npm/vue", "package-lock.json"),),
    )  # fmt: skip
    anchor = replace(entry.anchors[0], accepted=(replace(fingerprint, text=entry.digest),))
    (tmp_path / "vue.md").write_bytes(render(replace(entry, anchors=(anchor,))))

    assert import_path(other, str(tmp_path / "vue.md")).failed == []


# --- what cannot be taken ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("no fence\n", "frontmatter: "),
        ("---\nname: a\n", "frontmatter: "),
        ("---\nname: a b\ndescription: x\ntype: user\n---\nx\n", "type: expected one of"),
        ("---\nname: a\ntype: project\n---\nx\n", "description: expected"),
        ("---\nid: x\nname: a\n---\nx\n", "id: expected"),
        ("---\nname: a\ndescription: x\ntype: project\n---\n", "body: expected"),
    ],
)
def test_a_document_that_cannot_be_taken_is_told_and_hides_no_other(other, tmp_path, text, error):
    put(tmp_path, "in/Bad.md", text)
    put(tmp_path, "in/good.md", PLAIN.format(name="good"))

    done = import_path(other, str(tmp_path / "in"))

    assert [draft.name for draft in inbox_of(other).drafts] == ["good"]
    assert len(done.failed) == 1
    assert "in/Bad.md: " in done.failed[0]
    assert error in done.failed[0]


def test_bytes_that_are_no_text_are_told(other, tmp_path):
    (tmp_path / "bad.md").write_bytes(b"---\nname: \xff\n---\n")

    assert "UTF-8" in import_path(other, str(tmp_path / "bad.md")).failed[0]


def test_a_document_without_end_is_not_read_to_it(other, tmp_path):
    (tmp_path / "big.md").write_bytes(b"---\n" + b"x" * 1_000_000)

    assert "at most" in import_path(other, str(tmp_path / "big.md")).failed[0]


@pytest.mark.parametrize("place", ["file", "folder", "root"])
def test_no_link_is_followed(other, tmp_path, place):
    put(tmp_path, "aside/a.md", PLAIN.format(name="a"))
    put(tmp_path, "in/b.md", PLAIN.format(name="b"))
    link = {"file": "in/c.md", "folder": "in/c", "root": "linked"}[place]
    os.symlink(tmp_path / ("aside/a.md" if place == "file" else "aside"), tmp_path / link)

    if place == "root":
        with pytest.raises(ImportPathError):
            import_path(other, str(tmp_path / "linked"))
    else:
        import_path(other, str(tmp_path / "in"))
        assert [draft.name for draft in inbox_of(other).drafts] == ["b"]


def test_git_folders_and_other_files_are_passed_over(other, tmp_path):
    for name in (".git/a.md", ".GIT/b.md", "c.txt", "d.markdown"):
        put(tmp_path / "in", name, PLAIN.format(name="x"))
    put(tmp_path / "in", "e.md", PLAIN.format(name="e"))
    os.mkfifo(tmp_path / "in/pipe.md")

    import_path(other, str(tmp_path / "in"))

    assert [draft.name for draft in inbox_of(other).drafts] == ["e"]


def test_a_file_that_cannot_be_opened_is_told(other, tmp_path, monkeypatch):
    put(tmp_path, "in/a.md", PLAIN.format(name="a"))
    monkeypatch.setattr("builtins.open", refuse_markdown)

    assert import_path(other, str(tmp_path / "in")).failed[0].endswith("a.md: Permission denied")


def refuse_markdown(path, *args, **options):
    if str(path).endswith(".md"):
        raise PermissionError(13, "Permission denied", path)
    return os.fdopen(os.open(path, os.O_RDONLY), *args, **options)


@pytest.mark.parametrize("path", ["nowhere", "", "empty"])
def test_a_path_with_nothing_to_import_is_an_error(other, tmp_path, path):
    (tmp_path / "empty").mkdir()

    with pytest.raises(ImportPathError):
        import_path(other, str(tmp_path / path) if path else "lib")


def test_too_many_documents_are_an_error(other, tmp_path, monkeypatch):
    monkeypatch.setattr("git_knowl.services.exchange.walk.MOST_FILES", 1)
    for name in ("a", "b"):
        put(tmp_path, f"in/{name}.md", PLAIN.format(name=name))

    with pytest.raises(ImportPathError, match="more than 1 documents"):
        import_path(other, str(tmp_path / "in"))

    assert MOST_FILES > 1
    assert inbox_of(other).drafts == ()


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "{}", '{"format": 2, "entries": []}', '{"format": 1, "entries": 3}', "[" * 9999],
)
def test_a_json_file_of_something_else_is_told(other, tmp_path, text):
    put(tmp_path, JSON_FILE, text)

    (told,) = import_path(other, str(tmp_path / JSON_FILE)).failed
    assert "expected what 'export --format json' writes" in told or "expected JSON: " in told


def test_one_bad_entry_of_a_json_file_hides_no_other(repo, out, other, tmp_path):
    export(person(repo), str(out), JSON)
    whole = json.loads((out / JSON_FILE).read_text())
    whole["entries"] += [3, {"name": "x"}]
    put(tmp_path, JSON_FILE, json.dumps(whole))

    done = import_path(other, str(tmp_path), JSON)

    assert len(done.drafts) == 2
    assert [fault.partition("entries.")[2] for fault in done.failed] == [
        "2: expected an object",
        "3: id: expected text, got nothing",
    ]


def test_documents_read_back_what_export_wrote(out):
    assert parse((out / "shared/cart.md").read_bytes()).name == "cart"


def test_many_documents_ask_git_no_more_often_than_few(repo, tmp_path):
    asked = []
    for number in (1, 2, 12):  # the first finds nothing of what it remembers for the others
        folder = tmp_path / str(number)
        for place in range(number):
            put(folder / "docs", f"{place}.md", PLAIN.format(name=f"{number}-{place}"))
        env = killing_git(folder / "git", NEVER)
        assert Knowl(repo.path, env).process("import", str(folder / "docs")).code == 0
        asked.append(calls_made(folder / "git"))

    assert asked[2] <= asked[1]
