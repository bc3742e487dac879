"""Entries that need other entries: whose change, verdict or end makes them suspect."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.anchors import entry as links
from git_knowl.anchors.base import Stamp, suspect
from git_knowl.anchors.evaluate import judge_entries
from git_knowl.anchors.needs import Others, with_links
from git_knowl.model.anchor import CommitAnchor, EntryLink, UrlAnchor
from git_knowl.model.ids import make_id
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from tests.support.anchored import KIM, NOW, Shelf, entry_on, entry_with, settle, world_of

if TYPE_CHECKING:
    from git_knowl.model.entry import Entry
    from git_knowl.model.verdict import AnchorVerdict
    from tests.support.builders import RepoBuilder

CART = "lib/cart.ts"


@dataclass(frozen=True)
class Stone:
    id: str
    reason: str = "no longer true"
    by: str = KIM
    at: str = NOW


def needing(number: int, *others: Entry) -> Entry:
    """Return an entry that needs others, with their present texts accepted."""
    named = tuple(EntryLink(other.id, other.name) for other in others)
    bare = replace(entry_with(number=number), depends_on=named)
    stamp = Stamp(bare.digest, NOW, KIM, "terminal")
    pairs = zip(named, others, strict=True)
    return replace(bare, depends_on=tuple(links.observe(*pair, stamp) for pair in pairs))


def told(repo: RepoBuilder, asked: Entry, *others: Entry, gone: tuple[Stone, ...] = ()):
    """Return what the first link of an entry says."""
    by_id = {other.id: other for other in others}
    given = Others(lambda ids: [by_id[one] for one in ids if one in by_id], lambda: gone)
    (found,) = judge_entries([asked], world_of(repo), given).values()
    return found.anchors[-1]


def place(found: AnchorVerdict) -> tuple[str, str | None]:
    return found.status, found.reason


class TestLink:
    @pytest.fixture
    def base(self, repo: RepoBuilder) -> Entry:
        return entry_on(repo, CART)

    def test_it_stands_after_the_anchors_under_its_kind(
        self, repo: RepoBuilder, base: Entry
    ) -> None:
        found = told(repo, needing(2, base), base)

        assert (found.kind, found.target, found.status) == ("entry", "entry:entry-1", ACTIVE)

    def test_a_suspect_entry_makes_those_that_need_it_suspect(
        self, repo: RepoBuilder, base: Entry
    ) -> None:
        repo.git("config", "user.name", "Kim")
        repo.git("config", "user.email", "kim@example.org")
        commit = repo.commit("double", {CART: "two\n"})
        middle = needing(2, base)

        found = told(repo, needing(3, middle), middle, base)

        assert found.status == SUSPECT
        assert str(found.reason).startswith("'entry-2' is suspect: entry:entry-1: 'entry-1' is")
        assert (found.commit, found.author) == (commit, KIM)

    def test_an_unknown_one_makes_them_unknown(self, repo: RepoBuilder) -> None:
        base = entry_with(CommitAnchor("1" * 40))

        assert told(repo, needing(2, base), base).status == UNKNOWN

    def test_another_text_is_suspect_and_both_digests_are_named(
        self, repo: RepoBuilder, base: Entry
    ) -> None:
        found = told(repo, needing(2, base), replace(base, body="Other."))

        assert place(found) == (SUSPECT, "the text of 'entry-1' changed on 2026-11-29")
        assert (found.expected, found.found) == (
            base.digest[:10],
            replace(base, body="Other.").digest[:10],
        )

    def test_a_retired_one_says_why(self, repo: RepoBuilder, base: Entry) -> None:
        found = told(repo, needing(2, base), gone=(Stone(base.id),))

        assert place(found) == (
            SUSPECT,
            "'entry-1' was retired on 2026-11-29: no longer true",
        )
        assert found.author == KIM

    def test_one_that_cannot_be_read_is_unknown(self, repo: RepoBuilder, base: Entry) -> None:
        assert told(repo, needing(2, base)).status == UNKNOWN

    def test_a_renamed_one_keeps_its_link_and_is_offered(self, repo: RepoBuilder) -> None:
        base = entry_with()

        found = told(repo, needing(2, base), replace(base, name="better-name"))

        assert (found.status, found.moved_to) == (ACTIVE, "better-name")

    def test_one_accepted_for_another_text_is_unknown(self, repo: RepoBuilder, base: Entry) -> None:
        other = replace(needing(2, base), body="Another text.")

        assert told(repo, other, base).status == UNKNOWN

    def test_a_link_of_a_time_before_fingerprints_counts_by_the_verdict(
        self, repo: RepoBuilder
    ) -> None:
        base = entry_with()
        old = replace(entry_with(number=2), depends_on=(EntryLink(base.id, base.name),))

        assert told(repo, old, base).status == ACTIVE


def circle(repo: RepoBuilder) -> dict[str, str]:
    """Return the verdicts of three entries that need each other, and of one that needs them."""
    ids = [make_id(number, b"0123456789") for number in (1, 2, 3)]
    plain = [entry_with(number=number) for number in (1, 2, 3)]
    ring = [
        replace(one, depends_on=(EntryLink(ids[at - 1], plain[at - 1].name),))
        for at, one in enumerate(plain)
    ]
    found = judge_entries([*ring, needing(4, ring[0])], world_of(repo))
    return {key: str(one.anchors[0].reason) for key, one in found.items()}


def test_entries_that_need_each_other_are_reported_and_never_hang(repo: RepoBuilder) -> None:
    one, two, three, four = circle(repo).values()

    assert one == "the entries need each other: entry-1 → entry-3 → entry-2 → entry-1"
    assert two == "the entries need each other: entry-2 → entry-1 → entry-3 → entry-2"
    assert three == "the entries need each other: entry-3 → entry-2 → entry-1 → entry-3"
    assert four.startswith("'entry-1' is unknown")


def test_an_entry_that_needs_itself_is_reported(repo: RepoBuilder) -> None:
    plain = entry_with()
    own = replace(plain, depends_on=(EntryLink(plain.id, plain.name),))

    assert place(told(repo, own)) == (
        UNKNOWN,
        "the entries need each other: entry-1 → entry-1",
    )


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14), st.integers(0, 6))
def test_suspicion_reaches_all_that_need_an_entry_and_nobody_else(
    pairs: set[tuple[int, int]], bad: int
) -> None:
    """Who stands on a circle is unknown at least, and never in the way of a proven change."""
    plain = {at: entry_with(number=at + 1) for at in range(7)}
    entries = {
        plain[at].id: replace(
            plain[at],
            depends_on=tuple(
                EntryLink(plain[to].id, plain[to].name) for one, to in pairs if one == at
            ),
        )
        for at in plain
    }
    changed = suspect(UrlAnchor("https://example.org", NOW, 1), "changed", "old", "new")

    found = with_links(
        entries, {key: (changed,) if key == plain[bad].id else () for key in entries}, Others()
    )

    status = {at: found[plain[at].id].status for at in plain}
    reached = needing_it(pairs, {bad})
    on_circles = {at for at in plain if at in needing_it(pairs, {o for o, to in pairs if to == at})}
    assert {at for at in plain if status[at] == SUSPECT} <= reached
    assert all(status[at] != ACTIVE for at in reached | needing_it(pairs, on_circles))
    assert on_circles or all(status[at] == SUSPECT for at in reached)


def needing_it(pairs: set[tuple[int, int]], start: set[int]) -> set[int]:
    """Return numbers with all that need one of them, or need what needs one."""
    found = set(start)
    while more := {one for one, to in pairs if to in found} - found:
        found |= more
    return found


def test_what_is_remembered_follows_what_is_needed(repo: RepoBuilder) -> None:
    base = entry_on(repo, CART)
    middle = needing(2, base)
    top = needing(3, middle)
    shelf = Shelf(repo, base, middle, top)
    settle()
    shelf.check()
    repo.write(CART, "two\n")
    shelf.check()
    assert set(shelf.ask().statuses.values()) == {SUSPECT}
    repo.git("checkout", CART)
    shelf.check()
    shelf.put(replace(base, body="Another text."))
    shelf.check()
    shelf.put(base)
    shelf.check()
    shelf.retire(base)
    shelf.check()
    shelf.put(base)
    shelf.check()
