"""Another name or another lane: text and evidence stay, others learn what they must."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.anchor import EntryLink
from git_knowl.model.status import ACTIVE, SUSPECT
from git_knowl.model.tiers import HERE, UNATTENDED
from git_knowl.plumbing import refs
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.filters.secrets import SecretError
from git_knowl.services.find import find_entry
from git_knowl.services.gate import GateError
from git_knowl.services.rename import LEFT, move, rename
from git_knowl.services.verify import evidence, verify
from git_knowl.store import layout, tombstones
from git_knowl.store.cache import AmbiguousNameError, NoSuchEntryError
from git_knowl.store.operations import PutEntry
from git_knowl.store.rules import NameTakenError
from tests.support.caches import plant
from tests.support.contexts import ADA
from tests.support.people import CART, agent, live, names, person, script, tier, tips, write
from tests.support.stores import entry as plain_entry
from tests.support.stores import write as put


def status(repo, name):
    return evidence(person(repo), name).verdict.status


def tombstone(ctx, lane, identifier):
    data = ctx.store.view().lane(lane).read(layout.record_path(layout.RETIRED, identifier))
    return data and tombstones.decode(data)


def test_a_renamed_entry_is_the_same_entry(repo):
    first = write(person(repo), "cart", CART)

    done = rename(person(repo), "cart", "till")

    entry = live(person(repo), "till")
    assert (done.old.name, done.new, done.lane) == ("cart", entry, "shared")
    assert (entry.id, entry.rev, entry.body) == (first.id, 2, first.body)
    assert entry.reviewed == first.reviewed
    assert names(person(repo)) == {"till": "shared"}
    assert repo.git("log", "-1", "--format=%s", refs.ENTRIES) == "rename cart to till"


def test_all_evidence_counts_on_under_the_new_name(repo):
    write(person(repo), "cart", CART)
    other = repo.worktree("feature", "feature")
    other.commit("four", {"lib/cart.ts": "four\n"})
    there = person(other)
    verify(there, evidence(there, "cart"))

    rename(person(repo), "cart", "till")

    assert (status(repo, "till"), status(other, "till")) == (ACTIVE, ACTIVE)


def test_what_was_suspect_stays_suspect(repo):
    write(person(repo), "cart", CART)
    repo.write("lib/cart.ts", "four\n")

    rename(person(repo), "cart", "till")

    assert status(repo, "till") == SUSPECT


def test_links_go_by_id_and_stay_right(repo):
    ctx = person(repo)
    first, second = write(ctx, "cart", CART), write(ctx, "supplier", CART)
    put(ctx.store, PutEntry("shared", replace(second, depends_on=(EntryLink(first.id, "cart"),))))

    rename(person(repo), "cart", "till")

    (link,) = live(person(repo), "supplier").depends_on
    assert find_entry(person(repo), link.id)[1].name == "till"


def test_the_name_it_has_is_no_change(repo):
    write(person(repo), "cart", CART)
    before = tips(repo)

    done = rename(person(repo), "cart", "cart")

    assert done.old == done.new
    assert tips(repo) == before


@pytest.mark.parametrize("lane", ["shared", "local"])
def test_a_name_that_is_taken_in_either_lane_is_refused(repo, lane):
    write(person(repo), "cart", CART)
    write(person(repo), "till", CART, lane=lane)
    before = tips(repo)

    with pytest.raises(NameTakenError, match="the name 'till' is taken"):
        rename(person(repo), "cart", "till")

    assert tips(repo) == before


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("Cart", EntryRefusedError),
        ("a" * 121, EntryRefusedError),
        ("../x", EntryRefusedError),
        ("", EntryRefusedError),
        ("AKIA" + "ABCDEFGHIJKLMNOP", SecretError),
    ],
)
def test_a_name_that_breaks_a_rule_is_refused_by_its_field(repo, name, error):
    write(person(repo), "cart", CART)

    with pytest.raises(error, match="name: expected"):
        rename(person(repo), "cart", name)


def test_of_two_with_one_name_either_can_be_renamed(repo):
    ctx = person(repo)
    first, second = plain_entry("cart", 1), plain_entry("cart", 2)
    plant(ctx.store, "shared", first, second)

    with pytest.raises(AmbiguousNameError, match="ambiguous"):
        rename(person(repo), "cart", "till")
    rename(person(repo), f"cart~{second.id[-6:]}", "till")

    assert live(person(repo), "cart").id == first.id
    assert live(person(repo), "till").id == second.id


def test_a_name_nobody_has_is_refused(repo):
    with pytest.raises(NoSuchEntryError, match="no entry has the name 'cart'"):
        rename(person(repo), "cart", "till")


def test_only_a_person_gives_names(repo):
    write(person(repo), "cart", CART)

    for verb in (lambda ctx: rename(ctx, "cart", "till"), lambda ctx: move(ctx, "cart", "local")):
        with pytest.raises(GateError, match="only a person may do it"):
            verb(agent(repo))
    repo.git("config", "knowl.unattended", "allow")

    assert rename(agent(repo), "cart", "till").new.reviewed.how == "unattended"


def test_a_name_given_without_a_terminal_is_unattended_until_a_person_confirms(repo):
    write(person(repo), "cart", CART)
    assert tier(person(repo)) == HERE

    done = rename(script(repo), "cart", "till", ADA)

    assert (done.new.reviewed.by, done.new.reviewed.how) == (ADA, "unattended")
    assert tier(person(repo)) == UNATTENDED


def test_a_person_who_renames_does_not_confirm_the_text(repo):
    write(script(repo), "cart", CART, reviewer=ADA)

    rename(person(repo), "cart", "till")

    assert tier(person(repo)) == UNATTENDED


def test_a_text_reviewed_by_others_is_not_reviewed_here_for_its_name(repo):
    write(person(repo), "cart", CART)
    repo.git("update-ref", "-d", refs.STATE)

    rename(person(repo), "cart", "till")

    assert tier(person(repo)) == "others"


def test_an_entry_that_leaves_the_shared_lane_leaves_a_tombstone(repo):
    first = write(person(repo), "cart", CART)
    ctx = person(repo)

    done = move(ctx, "cart", "local")

    assert names(ctx) == {"cart": "local"}
    assert (done.new.rev, done.lane) == (2, "local")
    stone = tombstone(ctx, "shared", first.id)
    assert (stone.name, stone.reason, stone.digest) == ("cart", LEFT, first.digest)
    assert status(repo, "cart") == ACTIVE
    assert tier(person(repo)) == HERE


def test_the_tombstone_is_gone_when_it_returns(repo):
    first = write(person(repo), "cart", CART)
    move(person(repo), "cart", "local")

    move(person(repo), "cart", "shared")

    ctx = person(repo)
    assert names(ctx) == {"cart": "shared"}
    assert tombstone(ctx, "shared", first.id) is None
    assert tombstone(ctx, "local", first.id) is None
    assert live(ctx, "cart").rev == 3


def test_what_becomes_shared_says_which_code_it_is_about(repo):
    write(person(repo), "cart", CART, lane="local")
    assert not repo.refs(refs.ENTRIES)

    move(person(repo), "cart", "shared")

    project = repo.git("show", f"{refs.ENTRIES}:project")
    assert project == repo.git("rev-list", "--max-parents=0", "HEAD")


@pytest.mark.parametrize("lane", ["shared", "local"])
def test_the_lane_it_is_in_is_no_change(repo, lane):
    write(person(repo), "cart", CART, lane=lane)
    before = tips(repo)

    assert move(person(repo), "cart", lane).lane == lane
    assert tips(repo) == before


def test_an_entry_that_was_moved_meanwhile_stays_where_it_is(repo):
    write(person(repo), "cart", CART)
    ctx = person(repo)
    find_entry(ctx, "cart")
    move(person(repo), "cart", "local")
    before = tips(repo)

    done = move(ctx, "cart", "local")

    assert done.lane == "local"
    assert tips(repo) == before


def test_an_entry_that_was_renamed_meanwhile_is_not_moved(repo):
    write(person(repo), "cart", CART)
    ctx = person(repo)
    find_entry(ctx, "cart")
    rename(person(repo), "cart", "till")

    with pytest.raises(MovedError, match="'cart' was changed meanwhile"):
        move(ctx, "cart", "local")
