"""Counts over the life of a store."""

from __future__ import annotations

from git_knowl.services.flag import flag
from git_knowl.services.inbox import drop
from git_knowl.services.rate import rate
from git_knowl.services.retire import retire
from git_knowl.services.review import Decision, decide
from git_knowl.services.stats import stats
from git_knowl.services.use import note_lookup, note_read
from tests.support.clock import Clock
from tests.support.contexts import REVIEWED, capture_item, submit_items
from tests.support.people import CART, KIM, person, script, write


def test_an_empty_store_has_counts_of_nothing(repo):
    found = stats(person(repo))

    assert (found.entries, found.operations, found.retired) == ({}, {}, 0)


def test_what_is_there_and_what_became_of_it_is_counted_by_word(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "gone", CART)
    write(script(repo), "rule", reviewer=KIM, type="feedback", body="No lint. Why: slow.\n")
    ctx.refresh()
    retire(ctx, "gone", "not true any more", None)
    flag(ctx, "kept", cue="cost")
    drop(ctx, [flag(ctx, "dropped").flag.id], "known")
    submit_items(ctx, capture_item("draft"))
    ctx.refresh()

    found = stats(ctx)

    assert found.entries == {"project": 1, "feedback": 1}
    assert found.lanes == {"shared": 1, "local": 1}
    assert found.reviewed == {"terminal": 1, "unattended": 1}
    assert found.retired == 1
    assert found.flags == {"pending": 1, "dropped": 1}
    assert found.cues == {"cost": 1, "none": 1}
    assert found.drafts == {"capture": 1}
    assert found.operations == {"add": 3, "retire": 1}


def test_the_way_from_flags_to_entries_is_counted_with_the_reasons_against(repo):
    ctx = person(repo)
    kept, lost = (flag(ctx, word).flag.id for word in ("kept", "lost"))
    drop(ctx, [flag(ctx, "dropped").flag.id], "derivable")
    drop(ctx, [flag(ctx, "silent").flag.id], "")
    good, bad = submit_items(ctx, capture_item("good", kept), capture_item("bad", lost))
    submit_items(ctx, capture_item("waits"))
    decide(ctx, [Decision(good, True), Decision(bad, False, "derivable")], REVIEWED)
    ctx.refresh()

    found = stats(ctx)

    assert found.funnel == {"flags": 4, "drafts": 3, "accepted": 1}
    assert found.discards == {"derivable": 2, "without a reason": 1}


def test_reads_and_judgements_are_counted(repo):
    ctx = person(repo)
    cart = write(ctx, "cart", CART)
    write(ctx, "other", CART)
    note_read(ctx, [cart.id])
    note_lookup(ctx, "anything", [cart.id], missed=True)
    rate(ctx, "other", "wrong")
    rate(ctx, "cart", "useful")

    assert stats(ctx).use == {
        "shown": 1,
        "read": 1,
        "rated useful": 1,
        "rated wrong": 1,
        "entries ever read": 1,
        "questions in vain": 1,
    }


def test_suspects_are_counted_with_the_days_since_a_commit_made_them_so(repo):
    clock = Clock()
    ctx = person(repo, clock)
    write(ctx, "cart", CART)
    for name in ("conf", "conf-too", "conf-three"):
        write(ctx, name, "file:conf.yml")
    repo.commit("change", {"lib/cart.ts": "2\n"})
    clock.advance(days=10)
    ctx.refresh()

    found = stats(ctx).suspect

    assert (found["entries"], found["percent"]) == (1, 25)
    assert found["median days"] == found["oldest days"]
    repo.write("conf.yml", "uncommitted: true\n")
    ctx.refresh()
    assert stats(ctx).suspect["entries"] == 4
