"""What all verbs on a live entry keep to: what was seen is what is changed, or nothing is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.services.change import change, find_unchanged, rewrite
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.recording import record
from git_knowl.services.retire import retire
from git_knowl.services.verify import evidence, verify
from git_knowl.store import state
from git_knowl.store.operations import PutEntry
from tests.support.people import CART, live, names, person, tips, write


def test_a_step_gets_the_lane_and_the_entry_as_it_is_live_now(repo):
    ctx = person(repo)
    seen = write(ctx, "cart", CART)
    found = []

    def step(view, lane, entry):
        found.append((lane, entry))
        return [PutEntry(lane, replace(entry, rev=7))]

    change(ctx, seen, step, record(ctx, "edit", "edit cart"))

    assert found == [("shared", seen)]
    assert live(ctx, "cart").rev == 7


def test_evidence_that_joined_meanwhile_is_no_reason_to_refuse(repo):
    ctx = person(repo)
    seen = write(ctx, "cart", CART)
    repo.write("lib/cart.ts", "other\n")
    other = person(repo)
    verify(other, evidence(other, "cart"))

    done = rewrite(
        ctx, seen, lambda entry: replace(entry, rev=entry.rev + 1), record(ctx, "edit", "x")
    )

    assert len(done.new.anchors[0].accepted) == 2
    assert live(ctx, "cart") == done.new


def test_a_text_that_changed_meanwhile_is_left_alone(repo):
    ctx = person(repo)
    seen = write(ctx, "cart", CART)
    other = person(repo)
    apply_edit(other, evidence(other, "cart"), document(seen).replace("doubles", "trebles"))
    before = tips(repo)

    with pytest.raises(MovedError, match="'cart' was changed meanwhile") as caught:
        rewrite(ctx, seen, lambda entry: entry, record(ctx, "edit", "x"))

    assert caught.value.exit_code == 4
    assert tips(repo) == before


def test_an_entry_that_went_meanwhile_is_named_with_the_way_to_its_history(repo):
    ctx = person(repo)
    seen = write(ctx, "cart", CART)
    retire(person(repo), "cart", "it is gone")

    with pytest.raises(MovedError, match="'cart' is not live any more") as caught:
        find_unchanged(ctx.store.view(), seen)

    assert f"git knowl log {seen.id}" in caught.value.hint
    assert names(ctx) == {}


@pytest.mark.parametrize("is_accepted", [True, False])
def test_what_was_reviewed_here_stays_so_and_nothing_else_becomes_so(repo, is_accepted):
    ctx = person(repo)
    seen = write(ctx, "cart", CART)
    if not is_accepted:
        repo.git("update-ref", "-d", "refs/knowl-local/state")

    done = rewrite(
        ctx, seen, lambda entry: replace(entry, name="till", rev=2), record(ctx, "rename", "x")
    )

    found = state.read_door(ctx.store.view(), seen.id, done.new.digest) is not None
    assert found is is_accepted
