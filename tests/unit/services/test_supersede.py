"""In whose place an entry stands: how it is said, refused, carried on, and taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.entry import Reviewed
from git_knowl.services.add import add
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.exchange.export import JSON, MARKDOWN, export
from git_knowl.services.exchange.import_ import import_path
from git_knowl.services.listing import list_all
from git_knowl.services.rename import rename
from git_knowl.services.retire import restore, retire
from git_knowl.services.review import Decision, decide
from git_knowl.services.show import show
from git_knowl.services.submit import submit
from git_knowl.services.supersede import circle
from git_knowl.services.undo import undo_last
from git_knowl.services.verify import evidence
from git_knowl.store.cache import NoSuchEntryError
from git_knowl.store.inbox import read_inbox
from git_knowl.store.superseded import superseded
from tests.support.people import CART, KIM, live, person, plan, script, write

REVIEWED = Reviewed(KIM, "2026-11-30T10:00:00Z", "terminal")
OTHERS = ("old", "older")


@pytest.fixture
def ctx(repo):
    ctx = person(repo)
    for name in OTHERS:
        write(ctx, name, CART)
    return ctx


def taking(name, *older):
    made = plan(name, CART)
    return replace(made, text=replace(made.text, supersedes=older))


def hidden(ctx):
    """Return by name which entry stands in the place of which."""
    ctx.refresh()
    names = {row.id: row.name for row in ctx.cache.entry_rows()}
    return {names[old]: names[new] for old, new in superseded(ctx.cache).items()}


def said(ctx, name):
    """Return by name what the listing tells: whose place it takes, and who takes its."""
    ctx.refresh()
    (found,) = [one for one in list_all(ctx).entries if one.row.name == name]
    newer = found.superseded_by
    return [one.name for one in found.supersedes], newer.name if newer else None


def item(name, *older, **more):
    text = taking(name, *older).text
    fields = {"name": name, "description": text.description, "type": "project"}
    fields |= {"body": text.body, "anchors": [CART], "supersedes": list(older)}
    return {"kind": "capture", "entry": fields, **more}


def update(ctx, name, *older):
    entry = {"supersedes": list(older)}
    return {"kind": "update", "name": name, "expected": live(ctx, name).digest, "entry": entry}


def propose(ctx, *items):
    return submit(ctx, {"items": list(items)}).ids


def accept(ctx, *drafts):
    return decide(ctx, [Decision(one, accepted=True) for one in drafts], REVIEWED)


# --- said ------------------------------------------------------------------------------------


def test_names_and_ids_become_ids_and_each_is_there_once(ctx):
    old = live(ctx, "old").id

    done = add(ctx, taking("new", "old", old, "older"))

    assert live(ctx, "new").supersedes == (old, live(ctx, "older").id)
    assert done.older == OTHERS
    assert not any("much like entry old" in warning for warning in done.warnings)
    assert hidden(ctx) == {"old": "new", "older": "new"}
    assert said(ctx, "new") == (["old", "older"], None)
    assert said(ctx, "old") == ([], "new")


@pytest.mark.parametrize("door", ["add", "draft", "capture", "update", "edit"])
def test_every_door_names_the_field_of_an_entry_that_is_not_live(ctx, repo, door):
    retire(ctx, "older", "gone")
    ways = {
        "add": lambda: add(ctx, taking("new", "old", "older")),
        "draft": lambda: add(script(repo), taking("new", "old", "older")),
        "capture": lambda: propose(ctx, item("new", "old", "older")),
        "update": lambda: propose(ctx, update(ctx, "old", "nobody", "older")),
        "edit": lambda: apply_edit(ctx, evidence(ctx, "old"), edited(ctx, "old", "old", "older")),
    }

    with pytest.raises(Exception, match=r"entry\.supersedes\.1: 'older' was retired") as caught:
        ways[door]()

    assert caught.value.hint
    assert read_inbox(ctx.store.view()).drafts == ()


def edited(ctx, name, *older):
    text = document(live(ctx, name))
    return text.replace("\nreviewed:", f"\nsupersedes: [{', '.join(older)}]\nreviewed:")


def test_a_person_who_edits_may_write_names(ctx):
    apply_edit(ctx, evidence(ctx, "old"), edited(ctx, "old", "older"))

    assert live(ctx, "old").supersedes == (live(ctx, "older").id,)


@pytest.mark.parametrize("older", [("old",), ("older",)], ids=["itself", "a circle"])
def test_nothing_stands_in_its_own_place(ctx, older):
    accept(ctx, *propose(ctx, update(ctx, "older", "old")))

    with pytest.raises(Exception, match=r"entry\.supersedes: .* got old > (older > )?old"):
        propose(ctx, update(ctx, "old", *older))
    with pytest.raises(EntryRefusedError, match="got old >"):
        apply_edit(ctx, evidence(ctx, "old"), edited(ctx, "old", *older))


def test_drafts_that_make_a_circle_together_are_refused_when_the_second_is_accepted(ctx):
    first, second = propose(ctx, update(ctx, "old", "older"), update(ctx, "older", "old"))

    with pytest.raises(EntryRefusedError, match="got old > older > old"):
        accept(ctx, first, second)
    accept(ctx, first)
    with pytest.raises(EntryRefusedError, match="got older > old > older"):
        accept(ctx, second)
    assert hidden(ctx) == {"older": "old"}


@pytest.mark.parametrize(
    ("older", "ring"),
    [
        ({"a": ["a"]}, ["a", "a"]),
        ({"a": ["b"], "b": ["c"], "c": ["a"]}, ["a", "b", "c", "a"]),
        ({"a": ["b"], "b": ["c"], "c": ["b"]}, []),
        ({"a": ["b", "c"], "b": [], "c": ["a"]}, ["a", "c", "a"]),
        ({}, []),
    ],
)
def test_a_circle_is_told_step_by_step(older, ring):
    assert circle("a", older.get("a", ()), older) == ring


# --- drafts ----------------------------------------------------------------------------------


def test_an_update_may_change_nothing_but_whose_place_is_taken_and_take_it_back(ctx):
    accept(ctx, *propose(ctx, update(ctx, "old", "older")))
    assert hidden(ctx) == {"older": "old"}
    with pytest.raises(Exception, match="expected a change"):
        propose(ctx, {**update(ctx, "old", "older"), "reason": "again"})

    accept(ctx, *propose(ctx, update(ctx, "old")))

    assert hidden(ctx) == {}


def test_an_update_that_says_nothing_of_it_keeps_it_though_the_older_one_is_retired(ctx):
    older = live(ctx, "older").id
    accept(ctx, *propose(ctx, update(ctx, "old", "older")))
    retire(ctx, "older", "replaced")
    ctx.refresh()

    accept(ctx, *propose(ctx, {**update(ctx, "old"), "entry": {"description": "Read it"}}))
    assert live(ctx, "old").supersedes == (older,)
    accept(ctx, *propose(ctx, {**update(ctx, "old", older), "entry": {"tags": ["x"]}}))

    assert live(ctx, "old").supersedes == (older,)
    assert said(ctx, "old") == (["older"], None)


def test_accepting_names_those_that_can_be_retired_now(ctx):
    done = accept(ctx, *propose(ctx, item("new", *OTHERS)))
    assert done.older == OTHERS

    again = accept(ctx, *propose(ctx, {**update(ctx, "new"), "entry": {"tags": ["x"]}}))
    assert again.older == ()


def test_what_is_retired_in_the_same_review_points_on_and_is_not_named(ctx):
    gone = {"kind": "retire", "name": "old", "expected": live(ctx, "old").digest, "reason": "two"}

    done = accept(ctx, *propose(ctx, gone, item("new", "old")))

    assert done.older == ()
    with pytest.raises(NoSuchEntryError) as caught:
        show(ctx, "old")
    assert caught.value.hint.startswith("'new' has taken its place; ")


# --- what becomes of it ----------------------------------------------------------------------


def test_a_new_name_keeps_the_link(ctx):
    add(ctx, taking("new", "old"))

    rename(ctx, "old", "ancient")
    rename(ctx, "new", "newest")

    assert said(ctx, "newest") == (["ancient"], None)
    assert hidden(ctx) == {"ancient": "newest"}


def test_undo_and_retiring_bring_the_older_one_back_to_light(ctx):
    add(ctx, taking("new", "old"))
    undo_last(ctx)
    assert hidden(ctx) == {}

    add(ctx, taking("newer", "old"))
    retire(ctx, "newer", "was wrong")
    assert hidden(ctx) == {}
    restore(ctx, "newer")
    assert hidden(ctx) == {"old": "newer"}


@pytest.mark.parametrize("form", [MARKDOWN, JSON])
def test_an_export_and_its_import_keep_it(ctx, repo, tmp_path, form):
    add(ctx, taking("new", "old"))
    export(ctx, str(tmp_path / "out"), form)
    other = person(type(repo).start(tmp_path, name="other"))

    accept(other, *(one.id for one in import_path(other, str(tmp_path / "out")).drafts))

    assert hidden(other) == {"old": "new"}


def test_an_import_brings_it_where_the_text_is_live_already(ctx, tmp_path):
    add(ctx, taking("new", "old"))
    export(ctx, str(tmp_path))
    accept(ctx, *propose(ctx, update(ctx, "new")))

    done = import_path(ctx, str(tmp_path))
    assert [draft.name for draft in done.drafts] == ["new"]
    again = import_path(ctx, str(tmp_path))
    assert (again.drafts, len(again.unchanged)) == ((), 3)
    accept(ctx, done.drafts[0].id)

    assert hidden(ctx) == {"old": "new"}
    assert import_path(ctx, str(tmp_path)).drafts == ()


@pytest.mark.parametrize(("told", "kept"), [("[old]", True), ("ADR 3", False), ("[3]", False)])
def test_what_documents_of_others_replace_is_taken_where_it_is_an_entry(ctx, tmp_path, told, kept):
    text = (
        f"---\nname: new\ndescription: Read it\ntype: project\nsupersedes: {told}\n---\nA fact.\n"
    )
    (tmp_path / "new.md").write_text(text)

    done = import_path(ctx, str(tmp_path))

    assert (done.failed, [bool(one.entry.supersedes) for one in done.drafts]) == ([], [kept])
    assert any("supersedes" in note for note in done.notes) is not kept
