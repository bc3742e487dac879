"""One entry with everything, by whatever names it."""

from __future__ import annotations

import pytest

from git_knowl.services.show import document, show
from git_knowl.store.snapshot import DamagedEntryError
from tests.support import stores
from tests.support.caches import plant
from tests.support.people import CART, live, person, write


@pytest.fixture
def ctx(repo):
    return person(repo)


def test_an_entry_comes_with_verdict_tier_and_history(repo, ctx):
    cart = write(ctx, "cart", CART)
    repo.write("lib/cart.ts", "changed\n")

    found = show(ctx, cart.id[-8:])

    assert found.entry == cart
    assert (found.listed.verdict.status, found.listed.tier) == ("suspect", "here")
    assert [one.op for one in found.history] == ["add"]


def test_the_document_is_the_very_bytes_of_the_store(repo, ctx):
    write(ctx, "cart", CART)
    entry = live(ctx, "cart")
    stored = repo.git(
        "cat-file", "blob", f"refs/knowl/entries:entries/{entry.id[-2:]}/{entry.id}.cart.md"
    )

    assert document(ctx, "cart") == stored.encode() + b"\n"


@pytest.mark.parametrize("text", ["broken", stores.identifier(7)])
def test_a_damaged_entry_says_what_is_wrong_and_how_to_look(ctx, text):
    path = f"entries/{stores.identifier(7)[-2:]}/{stores.identifier(7)}.broken.md"
    plant(ctx.store, "local", files={path: b"---\nname: 1\n"})

    with pytest.raises(DamagedEntryError, match="in lane local is damaged: ") as caught:
        show(ctx, text)

    told = f"'git show refs/knowl-local/entries:{path}' prints what is stored"
    assert caught.value.hint.startswith(told)
    assert f"'git knowl retire {path}'" in caught.value.hint
