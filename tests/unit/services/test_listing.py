"""Listings: every live entry with verdict and tier, filtered, whatever else is damaged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.model.tiers import HERE, OTHERS, UNATTENDED
from git_knowl.plumbing.repository import PathError
from git_knowl.services import listing
from git_knowl.services.confirm import Confirmation, confirm, unattended
from git_knowl.services.index_block import index_block
from git_knowl.services.judging import list_all_in, list_some
from git_knowl.services.listing import Damaged, list_all
from git_knowl.services.rename import rename
from git_knowl.services.select import Filter, select
from git_knowl.services.status import status
from git_knowl.services.trust import tiers as trust_tiers
from git_knowl.store.operations import PutEntry
from git_knowl.store.state import Accept, PutState
from tests.support import stores
from tests.support.anchored import settle
from tests.support.caches import plant
from tests.support.contexts import REVIEWED
from tests.support.people import CART, person, script, write


@pytest.fixture
def ctx(repo):
    """Give a person in a repository with an entry on each of its files and one on a word."""
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "conf", "file:conf.yml", type="reference", lane="local")
    write(ctx, "rule", type="feedback", body="Never lint it all. Why: three minutes.\n")
    ctx.refresh()
    return ctx


def told(found):
    return {one.row.name: one.verdict.status for one in found.entries}


def whole(found):
    return [(one.row.id, one.verdict, one.tier) for one in found.entries]


def picked(ctx, **wanted):
    return [one.row.name for one in select(list_all(ctx), ctx, Filter(**wanted)).entries]


def test_entries_come_by_name_with_their_anchors(ctx):
    found = list_all(ctx)

    assert told(found) == {"cart": ACTIVE, "conf": ACTIVE, "rule": ACTIVE}
    assert [[one.target for one in each.verdict.anchors] for each in found.entries] == [
        [CART],
        ["file:conf.yml"],
        [],
    ]
    assert found.damaged == ()


def test_what_is_remembered_and_what_is_looked_at_say_the_same(repo, ctx):
    repo.write("lib/cart.ts", "changed\n")
    settle()
    first, remembered, looked_at = list_all(ctx), list_all(ctx), list_all_in(ctx, ctx.world)

    assert whole(first) == whole(remembered) == whole(looked_at)
    assert told(remembered)["cart"] == SUSPECT


def test_some_keep_the_order_they_were_asked_in(ctx):
    rows = [ctx.cache.by_name(name) for name in ("rule", "cart")]

    assert [one.row.name for one in list_some(ctx, rows).entries] == ["rule", "cart"]


def test_the_tier_is_what_this_clone_remembers_and_no_claim(repo, ctx):
    write(script(repo), "hasty", CART, reviewer="Kim <kim@example.org>")
    stores.write(ctx.store, PutEntry("shared", stores.entry("foreign")))
    ctx.refresh()

    tiers = {one.row.name: one.tier for one in list_all(ctx).entries}

    assert tiers == {
        "cart": HERE,
        "conf": HERE,
        "foreign": OTHERS,
        "hasty": UNATTENDED,
        "rule": HERE,
    }


def rewritten(ctx, name, how):
    """Put another door into the document of an entry, with nothing but git's plumbing."""
    entry = ctx.cache.entries([ctx.cache.by_name(name).id])[0]
    claimed = replace(entry, reviewed=replace(entry.reviewed, how=how))
    stores.write(ctx.store, PutEntry(ctx.cache.by_name(name).lane, claimed))
    ctx.refresh()


def doors_of(ctx, name):
    """Return how a name is shown by each of those that tell how it came in."""
    (listed,) = select(list_all(ctx), ctx, Filter()).entries
    lines = [line for line in index_block(ctx).splitlines() if line.startswith(f"- {name} ")]
    marked = [line.endswith("[unattended]") for line in lines] == [True]
    return listed.tier, marked, status(ctx).unattended, [e.entry.name for e in unattended(ctx)]


def test_a_document_that_claims_a_person_is_unattended_until_somebody_confirms(repo):
    """What this clone remembers of the door counts, for every place that shows it."""
    ctx = person(repo)
    write(script(repo), "hasty", CART, reviewer="Kim <kim@example.org>")
    ctx.refresh()
    doubted = (UNATTENDED, True, 1, ["hasty"])
    assert doors_of(ctx, "hasty") == doubted

    rewritten(ctx, "hasty", "terminal")
    assert doors_of(ctx, "hasty") == doubted
    rename(ctx, "hasty", "calm")
    assert doors_of(ctx, "calm") == (UNATTENDED, True, 1, ["calm"])

    confirm(ctx, [Confirmation(seen) for seen in unattended(ctx)], REVIEWED)
    assert doors_of(ctx, "calm") == (HERE, False, 0, [])


def test_a_document_can_only_take_from_its_standing(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    ctx.refresh()

    rewritten(ctx, "cart", "unattended")

    assert doors_of(ctx, "cart") == (UNATTENDED, True, 1, ["cart"])


def test_what_was_accepted_before_doors_were_remembered_is_told_by_its_document(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    row = ctx.cache.by_name("cart")
    stores.write(ctx.store, Accept(row.id, row.digest))
    ctx.refresh()
    assert list_all(ctx).entries[0].tier == HERE

    rewritten(ctx, "cart", "unattended")

    assert list_all(ctx).entries[0].tier == UNATTENDED


def test_many_entries_get_their_tiers_like_few(ctx, monkeypatch):
    few = whole(list_all(ctx))
    monkeypatch.setattr(listing, "FEW", 0)
    monkeypatch.setattr(trust_tiers, "FEW", 0)

    assert whole(list_all(ctx)) == few


def test_a_text_that_was_changed_elsewhere_is_others_again(ctx):
    stores.write(ctx.store, *(PutState(path, None) for path in state_files(ctx)))

    assert {one.tier for one in list_all(ctx).entries} == {OTHERS}


def state_files(ctx):
    tree = ctx.store.view().tree("refs/knowl-local/state")
    return [path for path, _ in tree.files("accepted")]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ({}, ["cart", "conf", "rule"]),
        ({"type": "reference"}, ["conf"]),
        ({"status": SUSPECT}, []),
        ({"status": ACTIVE, "type": "project"}, ["cart"]),
        ({"path": "lib"}, ["cart"]),
        ({"path": "conf.yml"}, ["conf"]),
        ({"path": "."}, ["cart", "conf"]),
        ({"path": "nowhere"}, []),
        ({"tier": UNATTENDED}, []),
        ({"tier": HERE}, ["cart", "conf", "rule"]),
    ],
)
def test_filters_keep_what_they_name(ctx, wanted, names):
    assert picked(ctx, **wanted) == names


def test_a_path_outside_is_no_filter(ctx):
    with pytest.raises(PathError):
        picked(ctx, path="..")


def test_one_damaged_file_hides_no_entry(repo):
    ctx = person(repo)
    path = f"entries/zz/{stores.identifier(7)}.broken.md"
    plant(ctx.store, "shared", stores.entry("sound"), files={path: b"no entry"})

    found = list_all(ctx)

    assert told(found) == {"sound": ACTIVE}
    assert found.damaged == (Damaged("shared", path, found.damaged[0].error),)
    assert "frontmatter" in found.damaged[0].error


def test_a_bare_repository_is_judged_by_its_head(repo):
    write(person(repo), "cart", CART)
    bare = repo.clone("bare", "--bare")
    bare.git("fetch", "-q", str(repo.path), "refs/knowl/entries:refs/knowl/entries")
    ctx = person(bare)

    assert told(list_all(ctx)) == {"cart": ACTIVE}


def test_what_was_never_on_this_checkout_is_unknown(repo, ctx):
    repo.git("checkout", "-q", "--orphan", "other")
    repo.git("rm", "-q", "-f", "lib/cart.ts")
    repo.commit("another history")
    ctx = person(repo)

    assert told(list_all(ctx))["cart"] == UNKNOWN
