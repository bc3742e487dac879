"""Laws of merging: who merges, in which order and how often, makes no difference.

Promised are commutativity and idempotence of everything, and associativity of the sets (tags,
links, evidence) and of conflicts. Three clones that write, exchange and cross their histories as
they like end with equal trees, once they have exchanged, and no text is lost on the way.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from git_knowl.model.anchor import FileAnchor, FileFingerprint, UrlAnchor
from git_knowl.model.document import parse, render
from git_knowl.model.entry import Entry, Related, Reviewed
from git_knowl.store.merge.entries import merge_entries
from git_knowl.store.merge.sides import merge_sides, sides_of
from tests.support import strategies
from tests.support.merging import Clone, World
from tests.support.stores import entry, identifier

WORDS = st.sampled_from(("one", "two", "three"))
TIMES = st.sampled_from(("2026-11-29T10:00:00Z", "2026-11-30T10:00:00Z", "2026-12-01T10:00:00Z"))
PEOPLE = st.sampled_from(("Ada <ada@example.org>", "Kim <kim@example.org>"))
HOWS = st.sampled_from(("terminal", "unattended"))


def reviews() -> st.SearchStrategy[Reviewed]:
    """Give reviews by few people."""
    return st.builds(Reviewed, PEOPLE, TIMES, HOWS)


def few(one: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Give sets in some order."""
    return st.lists(one, max_size=3, unique=True).map(tuple)


def evidence(text: str) -> st.SearchStrategy[FileAnchor]:
    """Give an anchor with fingerprints for a text."""
    items = st.builds(
        FileFingerprint,
        text=st.sampled_from((text, "0" * 64)),
        sha256=st.sampled_from([f"{number:064x}" for number in range(12)]),
        blob=st.just("sha1:" + "1" * 40),
        at=TIMES,
        by=PEOPLE,
        how=st.just("terminal"),
    )
    return st.builds(
        FileAnchor, st.sampled_from(("a.c", "b.c")), st.lists(items, max_size=10).map(tuple)
    )


@st.composite
def versions(draw: st.DrawFn) -> Entry:
    """Give a state of one entry, near to other states of it."""
    plain = entry(
        draw(WORDS),
        1,
        description=draw(WORDS),
        body=f"{draw(WORDS)}. Why: so.\n",
        rev=draw(st.integers(1, 4)),
        tags=draw(few(WORDS)),
        created=draw(TIMES),
        updated=draw(TIMES),
        reviewed=draw(reviews()),
        supersedes=draw(few(st.sampled_from([identifier(n) for n in (7, 8)]))),
        related=tuple(
            Related(identifier(n), "extends", draw(st.integers(1, 2)))
            for n in draw(few(st.just(9)))
        ),
        extra=draw(st.dictionaries(WORDS, WORDS, max_size=2)),
        provenance=draw(st.sampled_from(("observed", "stated"))),
    )
    url = UrlAnchor("https://example.org/", draw(TIMES), 90)
    named = replace(plain, anchors=(url, FileAnchor(draw(st.sampled_from(("a.c", "b.c"))))))
    proven = draw(evidence(named.digest))
    return replace(named, anchors=(url, replace(proven, path=named.anchors[1].path)))


bases = st.none() | versions()
wild = strategies.entries().map(lambda one: replace(one, id=identifier(1)))


@given(bases, versions(), versions())
def test_merging_is_commutative(base, ours, theirs):
    assert merge_entries(base, ours, theirs) == merge_entries(base, theirs, ours)


@settings(max_examples=25)
@given(wild | st.none(), wild, wild)
def test_merging_is_commutative_whatever_an_entry_holds(base, ours, theirs):
    assert merge_entries(base, ours, theirs) == merge_entries(base, theirs, ours)


@given(bases, versions())
def test_merging_is_idempotent(base, side):
    assert merge_entries(base, side, side).entry == side
    assert not merge_entries(base, side, side).is_conflict


@given(versions(), versions())
def test_a_side_that_changed_nothing_gives_way(base, changed):
    assert merge_entries(base, base, changed).entry == changed
    assert merge_entries(base, changed, base).entry == changed


@given(bases, versions(), versions())
def test_what_was_merged_absorbs_both_sides(base, ours, theirs):
    merged = merge_entries(base, ours, theirs)
    if not merged.is_conflict:
        for side in (ours, theirs):
            assert merge_entries(side, merged.entry, side).entry == merged.entry


@given(bases, versions(), versions())
def test_what_is_merged_can_be_stored_and_read(base, ours, theirs):
    merged = merge_entries(base, ours, theirs).entry
    assert parse(render(merged)) == merged


@given(bases, versions(), versions())
def test_no_rev_goes_back_and_a_new_text_has_a_new_rev(base, ours, theirs):
    merged = merge_entries(base, ours, theirs)
    if base is None or merged.is_conflict or base in (ours, theirs):
        return
    is_new = merged.entry.digest not in (ours.digest, theirs.digest)
    assert merged.entry.rev == max(ours.rev, theirs.rev) + is_new


@given(bases, versions(), versions())
def test_only_fingerprints_of_the_text_that_stands_survive_a_merge_of_both(base, ours, theirs):
    merged = merge_entries(base, ours, theirs)
    if merged.is_conflict or merged.entry in (ours, theirs):
        return
    for anchor in merged.entry.anchors:
        found = getattr(anchor, "accepted", ())
        assert len(found) <= 8
        assert {item.text for item in found} <= {merged.entry.digest}


@given(versions(), st.lists(st.tuples(few(WORDS), few(WORDS)), min_size=3, max_size=3))
def test_sets_are_associative(base, changes):
    def side(added: tuple[str, ...], taken: tuple[str, ...]) -> Entry:
        kept = [tag for tag in base.tags if tag not in taken]
        return replace(base, tags=tuple(dict.fromkeys((*kept, *(f"{tag}s" for tag in added)))))

    one, two, three = (side(*change) for change in changes)
    left = merge_entries(base, merge_entries(base, one, two).entry, three).entry
    right = merge_entries(base, one, merge_entries(base, two, three).entry).entry
    assert {*left.tags} == {*right.tags}


@given(versions(), st.data())
def test_evidence_is_associative(base, data):
    """Three people verify one text; whose review stands is no part of the promise."""

    def side() -> Entry:
        path = base.anchors[1].path
        proven = replace(data.draw(evidence(base.digest)), path=path)
        kept = tuple(item for item in proven.accepted if item.text == base.digest)[:8]
        return replace(
            base, anchors=(base.anchors[0], replace(proven, accepted=kept)), rev=base.rev + 1
        )

    bare = replace(base, anchors=(base.anchors[0], FileAnchor(base.anchors[1].path)))
    one, two, three = side(), side(), side()
    left = merge_entries(bare, merge_entries(bare, one, two).entry, three).entry
    right = merge_entries(bare, one, merge_entries(bare, two, three).entry).entry
    united = merge_entries(bare, replace(left, rev=9), replace(right, rev=9)).entry
    assert left.anchors == right.anchors == united.anchors


@given(versions(), st.lists(st.integers(2, 9), min_size=3, max_size=3, unique=True))
def test_conflicts_are_associative(base, numbers):
    one, two, three = (
        sides_of([replace(base, body=f"{n}. Why: so.\n", rev=base.rev + 1)]) for n in numbers
    )
    was = sides_of([base])
    left = merge_sides(was, merge_sides(was, one, two), three)
    right = merge_sides(was, one, merge_sides(was, two, three))
    assert list(left.items()) == list(right.items())
    assert len(left) == 3


@given(versions(), st.permutations(range(3)))
def test_a_resolution_outlives_the_conflict_and_two_alike_make_none(base, order):
    texts = [replace(base, body=f"{n}. Why: so.\n", rev=base.rev + 1) for n in order[:2]]
    torn = sides_of(texts)
    chosen = [
        replace(texts[0], rev=base.rev + 2, reviewed=Reviewed(by, base.updated, "terminal"))
        for by in ("Ada <ada@example.org>", "Kim <kim@example.org>")
    ]
    other = replace(texts[1], rev=base.rev + 2)

    assert merge_sides(torn, sides_of([chosen[0]]), torn) == sides_of([chosen[0]])
    assert len(merge_sides(torn, sides_of([chosen[0]]), sides_of([chosen[1]]))) == 1
    assert len(merge_sides(torn, sides_of([chosen[0]]), sides_of([other]))) == 2


#: How many ids the three clones write on; few, so that they meet.
IDS = 3
CLONES = st.integers(0, 2)


class ThreeClones(RuleBasedStateMachine):
    """Three people write and exchange as they like; nobody waits for anybody.

    The model remembers every text that was written, by what is unique in it, and which later one
    was written by somebody who had seen it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.clones = [Clone(self.world) for _ in range(3)]
        self.number = 0
        #: What is unique in each text, with its entry, the commit and the field.
        self.told: list[tuple[str, str, str, str]] = []
        self.ids: set[str] = set()
        self.texts: dict[str, Entry] = {}

    def fresh(self) -> str:
        """Return a word that nobody used."""
        self.number += 1
        return f"w{self.number}"

    def wrote(self, clone: Clone, one: Entry, field: str, word: str) -> None:
        """Remember a text."""
        clone.write(one)
        self.told.append((one.id, clone.tip, field, word))
        self.texts[one.digest] = one

    def live(self, clone: Clone, place: int) -> Entry | None:
        """Return the entry at a place if it is live and not in conflict."""
        sides = clone.state(identifier(place)).sides
        return next(iter(sides.values())) if len(sides) == 1 else None

    @rule(who=CLONES, place=st.integers(0, IDS - 1))
    def capture(self, who: int, place: int) -> None:
        """Write a new entry; two may have the same id, as of a draft that went to both."""
        clone = self.clones[who]
        if not clone.state(identifier(place)).files:
            word = self.fresh()
            self.ids.add(identifier(place))
            self.wrote(clone, entry(f"e{place}", place, body=f"{word}. Why: so.\n"), "body", word)

    @rule(
        who=CLONES,
        place=st.integers(0, IDS - 1),
        field=st.sampled_from(("body", "description", "tags", "name")),
    )
    def update(self, who: int, place: int, field: str) -> None:
        """Change one field of an entry."""
        clone = self.clones[who]
        old = self.live(clone, place)
        if old is None:
            return
        word = self.fresh()
        value: Any = {"body": f"{word}. Why: so.\n", "tags": (*old.tags, word)}.get(field, word)
        self.wrote(clone, replace(old, **{field: value}, rev=old.rev + 1), field, word)

    @rule(who=CLONES, place=st.integers(0, IDS - 1), found=st.integers(0, 3))
    def verify(self, who: int, place: int, found: int) -> None:
        """Accept what is there."""
        clone = self.clones[who]
        old = self.live(clone, place)
        if old is not None:
            item = FileFingerprint(
                old.digest, f"{found:064x}", "sha1:" + "1" * 40, old.updated, "Ada", "terminal"
            )
            had = next((a.accepted for a in old.anchors if isinstance(a, FileAnchor)), ())
            anchors = (old.anchors[0], FileAnchor("a.c", (*had, item)))
            new = replace(old, anchors=anchors, rev=old.rev + 1)
            clone.write(new)
            self.texts[new.digest] = new

    @rule(who=CLONES, place=st.integers(0, IDS - 1))
    def retire(self, who: int, place: int) -> None:
        """Retire an entry, one in conflict too."""
        clone = self.clones[who]
        if clone.state(identifier(place)).sides:
            for digest, side in clone.state(identifier(place)).sides.items():
                self.texts[digest] = side
            clone.retire(identifier(place), f"person {who}")
            self.told.append((identifier(place), clone.tip, "", ""))

    @rule(who=CLONES, place=st.integers(0, IDS - 1))
    def restore(self, who: int, place: int) -> None:
        """Bring back what was retired."""
        clone = self.clones[who]
        stone = clone.state(identifier(place)).stone
        if stone is not None and stone.digest in self.texts:
            clone.restore(self.texts[stone.digest])
            self.told.append((identifier(place), clone.tip, "", ""))

    @rule(who=CLONES, place=st.integers(0, IDS - 1), choice=st.integers(0, 5))
    def resolve(self, who: int, place: int, choice: int) -> None:
        """Choose one of the texts in conflict."""
        clone = self.clones[who]
        sides = list(clone.state(identifier(place)).sides.values())
        if len(sides) > 1:
            chosen = sides[choice % len(sides)]
            made = replace(chosen, rev=max(side.rev for side in sides) + 1)
            clone.write(made)
            self.told.append((made.id, clone.tip, "", ""))
            self.texts[made.digest] = made

    @rule(who=CLONES, whom=CLONES)
    def exchange(self, who: int, whom: int) -> None:
        """Join what another clone has."""
        self.clones[who].join(self.clones[whom].tip)

    @rule(one=CLONES, other=CLONES)
    def exchange_at_once(self, one: int, other: int) -> None:
        """Two clones join each other at the same moment: both come to the same tree."""
        tips = self.clones[one].tip, self.clones[other].tip
        self.clones[one].join(tips[1])
        self.clones[other].join(tips[0])
        assert self.clones[one].files() == self.clones[other].files()

    @precondition(lambda self: self.number > 0)
    @rule(who=CLONES)
    def again(self, who: int) -> None:
        """Joining what is known already changes nothing."""
        clone = self.clones[who]
        before = clone.tip
        for commit in sorted(self.world.ancestors(before))[-5:]:
            clone.join(commit)
        assert clone.tip == before

    def teardown(self) -> None:
        """Everybody exchanges with everybody; then all agree and nothing is lost."""
        first, *others = self.clones
        for other in others:
            first.join(other.tip)
        for other in others:
            other.join(first.tip)
        assert len({clone.tree for clone in self.clones}) == 1
        for one in self.ids:
            state = first.state(one)
            assert state.sides or state.stone, f"{one} is lost"
        for identifier_, commit, field, word in self.told:
            if field and not self.is_superseded(identifier_, commit):
                assert self.is_kept(first, identifier_, field, word), (field, word)

    def is_superseded(self, one: str, commit: str) -> bool:
        """Tell whether somebody who had seen a text wrote on the same entry later."""
        return any(
            other != commit and key == one and commit in self.world.ancestors(other)
            for key, other, _, _ in self.told
        )

    def is_kept(self, clone: Clone, one: str, field: str, word: str) -> bool:
        """Tell whether a text is live, in conflict, retired as it was, or came back as a draft."""
        state = clone.state(one)
        kept = [*state.sides.values()]
        kept += [draft.entry for who in self.clones for draft in who.drafts if draft.entry]
        if state.stone is not None and state.stone.digest in self.texts:
            kept.append(self.texts[state.stone.digest])
        return any(word in str(getattr(text, field)) for text in kept)


ThreeClones.TestCase.settings = settings(
    max_examples=50,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestThreeClones = ThreeClones.TestCase


#: What a clone does, the common things more often.
WEIGHTS = {
    "capture": 1,
    "update": 3,
    "verify": 1,
    "retire": 1,
    "restore": 1,
    "resolve": 1,
    "exchange": 2,
    "exchange_at_once": 1,
}


def act(machine: ThreeClones, chance: Random) -> None:
    """Do one thing at random."""
    (verb,) = chance.choices([*WEIGHTS], [*WEIGHTS.values()])
    who, place = chance.randrange(3), chance.randrange(IDS)
    match verb:
        case "update":
            field = chance.choice(("body", "description", "tags", "name"))
            machine.update(who=who, place=place, field=field)
        case "verify":
            machine.verify(who=who, place=place, found=chance.randrange(4))
        case "resolve":
            machine.resolve(who=who, place=place, choice=chance.randrange(6))
        case "exchange":
            machine.exchange(who=who, whom=place)
        case "exchange_at_once":
            machine.exchange_at_once(one=who, other=place)
        case _:
            getattr(machine, verb)(who=who, place=place)


def run_at_random(seed: int) -> None:
    """Let three clones do much at random, then all join all at the same moment, twice over."""
    chance, machine = Random(seed), ThreeClones()  # noqa: S311 - repeatable on purpose
    for _ in range(chance.randint(10, 60)):
        act(machine, chance)
    for _ in range(ROUNDS):
        tips = [clone.tip for clone in machine.clones]
        for clone in machine.clones:
            for tip in tips:
                clone.join(tip)
    assert len({clone.tree for clone in machine.clones}) == 1
    machine.teardown()


#: So often must all join all at the same moment, in whatever order, until all agree.
ROUNDS = 3


@pytest.mark.parametrize("seeds", [range(30)])
def test_many_crossing_histories_converge_and_lose_nothing(seeds):
    for seed in seeds:
        run_at_random(seed)


@pytest.mark.full
@pytest.mark.parametrize("seeds", [range(start, start + 250) for start in range(1_000, 4_000, 250)])
def test_very_many_crossing_histories_converge_and_lose_nothing(seeds):
    for seed in seeds:
        run_at_random(seed)
