"""What is exported comes back as it was: every field, in both formats, into an empty clone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_knowl.model.anchor import accepting, fingerprints
from git_knowl.model.document import parse, render
from git_knowl.services.exchange.export import JSON, MARKDOWN, export
from git_knowl.services.exchange.export_files import JSON_FILE, file_name
from git_knowl.services.exchange.import_ import import_path
from git_knowl.services.filters.screen import screen_entry
from git_knowl.services.retire import retire
from git_knowl.store.operations import PutDraft, PutEntry
from tests.support import stores
from tests.support.builders import RepoBuilder
from tests.support.contexts import inbox_of
from tests.support.people import CART, live, person, write
from tests.support.strategies import entries

if TYPE_CHECKING:
    from git_knowl.model.anchor import Anchor
    from git_knowl.model.entry import Entry

LANES = ("shared", "local")


def vouched(entry: Entry) -> Entry:
    """Return the entry with evidence for its present text, as every live one has it."""
    kept = [one for one in entry.evidence if not hasattr(one, "accepted") or fingerprints(one)]
    bare = entry.resting_on(kept)
    return bare.resting_on(counted(anchor, bare.digest) for anchor in bare.evidence)


def counted(anchor: Anchor, digest: str) -> Anchor:
    """Return the anchor with its first fingerprint accepted for a text."""
    first, *others = fingerprints(anchor) or (None,)
    return anchor if first is None else accepting(anchor, (replace(first, text=digest), *others))


def storable(entry: Entry) -> bool:
    """Tell whether a live entry could look like this: no secret in it, a source if it needs one."""
    screened = screen_entry(entry)
    has_ground = bool(entry.source or entry.anchors)
    return has_ground and not screened.found and not screened.refused


@pytest.mark.parametrize("form", [MARKDOWN, JSON])
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    made=st.lists(
        entries().map(vouched).filter(storable),
        min_size=3,
        max_size=5,
        unique_by=(lambda one: one.name, lambda one: one.id),
    ),
    lanes=st.lists(st.sampled_from(LANES), min_size=5, max_size=5),
)
def test_entries_come_back_field_by_field(tmp_path_factory, form, made, lanes):
    place = tmp_path_factory.mktemp("round")
    pairs = list(zip(lanes, made, strict=False))
    ctx = person(RepoBuilder.start(place, name="source"))
    stores.write(ctx.store, *(PutEntry(lane, one) for lane, one in pairs))
    ctx.refresh()
    export(ctx, str(place / "out"), form)
    target = person(RepoBuilder.start(place, name="target"))

    done = import_path(target, str(place / "out"), form)

    assert done.failed == []
    found = {draft.id: (draft.lane, draft.entry) for draft in inbox_of(target).drafts}
    assert found == {one.id: (lane, replace(one, reviewed=None)) for lane, one in pairs}


def test_both_formats_say_the_same(repo, tmp_path):
    ctx = person(repo)
    extra = {"lane": "mine", "body": [1], "~body": "x", "content": {"no": None}, "": 7}
    odd = stores.entry("odd", extra=extra, body="\n---\nx\n\n", tags=("no", "0e1"))
    stores.write(ctx.store, PutEntry("shared", odd), PutEntry("local", stores.entry("other", 2)))
    ctx.refresh()
    found = {}
    for form in (MARKDOWN, JSON):
        export(ctx, str(tmp_path / form), form)
        target = person(repo.clone(f"for-{form}"))
        import_path(target, str(tmp_path / form))
        found[form] = {draft.name: (draft.entry, draft.lane) for draft in inbox_of(target).drafts}

    assert found[MARKDOWN] == found[JSON]
    assert found[JSON]["odd"] == (replace(odd, reviewed=None), "shared")


def test_what_was_retired_is_exported_on_request_and_stays_out(repo, tmp_path):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "other", CART)
    text = live(ctx, "cart").body
    retire(ctx, "cart", "it was wrong", None)
    ctx.refresh()

    for form in (MARKDOWN, JSON):
        out = tmp_path / form
        done = export(ctx, str(out), form, with_retired=True)
        target = person(repo.clone(f"for-{form}"))
        took = import_path(target, str(out))

        assert done.lost == ()
        assert [draft.name for draft in took.drafts] == ["other"]
        assert "it was retired (it was wrong)" in took.left_out[0]
    (document,) = (tmp_path / MARKDOWN / "retired").iterdir()
    assert parse(document.read_bytes()).body == text
    (listed,) = json.loads((tmp_path / JSON / JSON_FILE).read_text())["retired"]
    assert listed["retired"]["reason"] == "it was wrong"


def test_without_the_request_nothing_retired_leaves(repo, tmp_path):
    ctx = person(repo)
    write(ctx, "cart", CART)
    retire(ctx, "cart", "it was wrong", None)
    ctx.refresh()

    assert export(ctx, str(tmp_path / "out")).files == ()


def test_the_other_side_of_a_conflict_stands_beside(repo, tmp_path):
    ctx = person(repo)
    kept = stores.entry("cart")
    side = replace(kept, body="Another text. Why: x.\n")
    path = f"conflicts/{side.id}/{side.digest}.md"
    put = stores.PutRaw("refs/knowl/entries", path, render(side))
    stores.write(ctx.store, PutEntry("shared", kept), put)
    ctx.refresh()

    for form in (MARKDOWN, JSON):
        export(ctx, str(tmp_path / form), form)
        target = person(repo.clone(f"for-{form}"))
        took = import_path(target, str(tmp_path / form))

        assert [draft.entry.body for draft in took.drafts] == [kept.body]
        assert "the other side of a conflict" in took.left_out[0]
    (document,) = (tmp_path / MARKDOWN / "conflicts").iterdir()
    assert parse(document.read_bytes()) == side


@pytest.mark.parametrize("name", ["con", "nul", "com1", "lpt9", "aux"])
def test_no_file_is_called_like_a_device(name):
    assert file_name(name) == f"{name}_.md"


@pytest.mark.parametrize("name", ["cone", "com", "com10", "a-con"])
def test_other_names_stay(name):
    assert file_name(name) == f"{name}.md"


@pytest.mark.parametrize("size", [101, 1_025])
def test_a_key_that_no_document_can_hold_is_refused_by_name(repo, tmp_path, size):
    ctx = person(repo)
    for name in ("one", "two"):
        write(ctx, name, CART)
    export(ctx, str(tmp_path), JSON)
    file = tmp_path / JSON_FILE
    whole = json.loads(file.read_text())
    whole["entries"][0]["newer"] = [{"k" * size: 1}]
    whole["entries"][1]["description"] = "Read before anything"
    file.write_text(json.dumps(whole))

    done = import_path(ctx, str(tmp_path))

    (told,) = done.failed
    assert "frontmatter: expected keys of at most 100 characters, got 'kkk" in told
    assert told.endswith(f"of {size}")
    assert [draft.name for draft in done.drafts] == ["two"]


def test_a_draft_that_has_such_a_key_already_hides_no_other(repo, tmp_path):
    ctx = person(repo)
    bad = replace(stores.entry("bad", 4), extra={"k" * 1_025: 1})
    drafts = [stores.draft(stores.entry("good", 3)), stores.draft(bad)]
    stores.write(ctx.store, *map(PutDraft, drafts))

    found = inbox_of(ctx)

    assert [draft.id for draft in found.drafts] == [drafts[0].id]
    assert "expected keys of at most 100 characters" in found.damaged[0].error
