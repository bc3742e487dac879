"""Three states of one id: what stands, and what neither clock nor accident decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.anchor import FileAnchor, FileFingerprint
from git_knowl.model.entry import Promoted, Related, Reviewed
from git_knowl.store.merge.entries import merge_entries
from tests.support.merging import Clone, World
from tests.support.stores import TIME, entry, identifier

CART = entry("cart-total", 1, tags=("a",))
LATER = "2026-12-01T10:00:00Z"
UNATTENDED = Reviewed("Bot <b@example.org>", TIME, "unattended")


def proven(one, *contents: int, at: str = TIME):
    """Return an entry that rests on a file with these contents, found for its very text."""
    bare = replace(one, anchors=(FileAnchor("lib/cart.ts"),))
    items = tuple(
        FileFingerprint(bare.digest, f"{n:064x}", f"sha1:{n:040x}", at, "Ada", "terminal")
        for n in contents
    )
    return replace(bare, anchors=(FileAnchor("lib/cart.ts", items),))


def contents(one):
    """Return what was found of the file, for the text as it is."""
    return [int(i.sha256, 16) for i in one.anchors[0].accepted if i.text == one.digest]


def merged(base, ours, theirs):
    """Return the entry, which must be no conflict."""
    found = merge_entries(base, ours, theirs)
    assert not found.is_conflict
    return found.entry


def test_evidence_of_one_text_is_united():
    base, ours, theirs = proven(CART, 1), proven(CART, 1, 2), proven(CART, 1, 3)
    assert contents(merged(base, replace(ours, rev=2), replace(theirs, rev=2))) == [1, 2, 3]


def test_of_much_evidence_the_newest_eight_stand_whoever_merges():
    base = proven(CART, 1)
    ours = replace(proven(CART, *range(1, 9)), rev=2)
    theirs = replace(proven(CART, *range(11, 16), at=LATER), rev=2)
    found = merged(base, ours, theirs)
    assert found == merged(base, theirs, ours)
    assert contents(found)[3:] == [11, 12, 13, 14, 15]
    assert len(contents(found)) == 8


def test_evidence_of_the_old_text_does_not_count_for_the_new_one():
    base = proven(CART, 1)
    ours = replace(proven(CART, 1, 2), rev=2)
    theirs = proven(replace(CART, body="Another. Why: so.\n", rev=2), 5)
    assert contents(merged(base, ours, theirs)) == [5]


@pytest.mark.parametrize("said", [{"name": "cart-sum"}, {"tags": ("a", "b")}])
def test_evidence_counts_on_under_another_name_and_with_other_tags(said):
    base = proven(CART, 1)
    ours, theirs = proven(replace(CART, **said, rev=2), 1), replace(proven(CART, 1, 2), rev=2)
    assert contents(merged(base, ours, theirs)) == [1, 2]


def test_a_text_of_two_people_rests_on_no_evidence_until_somebody_looks():
    base = proven(CART, 1)
    ours = proven(replace(CART, body="Another. Why: so.\n", rev=2), 2)
    theirs = proven(replace(CART, description="Read it first", rev=2), 3)
    found = merged(base, ours, theirs)
    assert (found.rev, contents(found)) == (3, [])


def test_tags_and_links_are_sets():
    base = replace(CART, tags=("a", "b"), supersedes=(identifier(7),))
    ours = replace(base, tags=("a", "b", "c"), supersedes=(), rev=2)
    theirs = replace(base, tags=("b", "d"), supersedes=(identifier(7), identifier(8)), rev=2)
    found = merged(base, ours, theirs)
    assert sorted(found.tags) == ["b", "c", "d"]
    assert found.supersedes == (identifier(8),)


def test_an_anchor_that_one_side_took_out_is_out():
    base = replace(CART, anchors=(FileAnchor("a.c"), FileAnchor("b.c")))
    ours = replace(base, anchors=(FileAnchor("b.c"),), rev=2)
    theirs = replace(base, anchors=(FileAnchor("a.c"), FileAnchor("b.c"), FileAnchor("c.c")), rev=2)
    assert [anchor.path for anchor in merged(base, ours, theirs).anchors] == ["b.c", "c.c"]


def test_more_than_may_be_there_is_a_conflict():
    tags = tuple(f"t{number}" for number in range(11))
    base = replace(CART, tags=())
    ours, theirs = replace(base, tags=tags), replace(base, tags=tuple(f"u{tag}" for tag in tags))
    assert merge_entries(base, ours, theirs).is_conflict


def test_feedback_that_would_lose_its_reason_is_a_conflict():
    base = replace(CART, type="project")
    ours = replace(base, type="feedback", source=None, rev=2)
    theirs = replace(base, body="It is so.\n", rev=2)
    assert merge_entries(base, ours, theirs).is_conflict


def test_a_text_that_nobody_attended_taints_what_it_is_merged_into():
    ours = replace(CART, body="Another. Why: so.\n", rev=3)
    theirs = replace(CART, description="Read it first", rev=2, reviewed=UNATTENDED)
    assert merged(CART, ours, theirs).reviewed == UNATTENDED


def test_who_confirmed_the_old_text_has_not_reviewed_the_new_one():
    base = replace(CART, reviewed=UNATTENDED)
    confirmed = replace(base, reviewed=Reviewed("Ada <a@b>", TIME, "terminal"), rev=5)
    changed = replace(base, body="Another. Why: so.\n", rev=2)
    assert merged(base, confirmed, changed).reviewed == UNATTENDED


def test_what_no_reader_is_told_goes_by_rev():
    ours = replace(CART, promoted=Promoted("a.md", "0" * 64), extra={"k": 1, "o": 1}, rev=2)
    theirs = replace(CART, promoted=Promoted("b.md", "0" * 64), extra={"k": 2}, rev=3)
    found = merged(CART, ours, theirs)
    assert (found.promoted.file, found.extra) == ("b.md", {"k": 2, "o": 1})


def test_relations_are_told_apart_by_id_and_kind():
    one = Related(identifier(7), "extends", 3)
    ours = replace(CART, related=(one,), rev=2)
    theirs = replace(CART, related=(Related(identifier(7), "contradicts"),), rev=2)
    assert len(merged(CART, ours, theirs).related) == 2


def test_a_conflict_outlives_a_clean_merge_of_two_of_its_texts_in_crossing_histories():
    """The folded base has a rev that neither side has seen, which proves nothing."""
    world = World()
    one, two, three, both = (Clone(world) for _ in range(4))
    one.write(entry("e", 1, body="w1. Why: so.\n"))
    two.write(entry("e", 1, body="w2. Why: so.\n"))
    three.join(two.tip)
    two.write(entry("e", 1, body="w2. Why: so.\n", tags=("w3",), rev=2))
    three.write(entry("e", 1, body="w2. Why: so.\n", description="w4", rev=2))
    one.join(two.tip)
    both.join(two.tip)
    both.join(three.tip)
    three.join(one.tip)

    three.join(both.tip)

    bodies = {side.body for side in three.state(identifier(1)).sides.values()}
    assert bodies == {"w1. Why: so.\n", "w2. Why: so.\n"}


def test_only_what_differs_is_read():
    world = World()
    ada, kim = Clone(world), Clone(world)
    for number in range(300):
        ada.write(entry(f"e{number}", number))
    kim.join(ada.tip)
    ada.write(entry("e7", 7, body="Another. Why: so.\n", rev=2))
    kim.write(entry("e8", 8, body="Another. Why: so.\n", rev=2))
    world.folders_read = world.files_read = 0

    kim.join(ada.tip)

    assert world.files_read <= 8
    assert world.folders_read <= 24
