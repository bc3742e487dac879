"""Which commit vouches for a text: through merges, machines' work, forged commits, cut history."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from git_knowl.model.document import render
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.plumbing.objects import encode_commit, genesis, open_objects
from git_knowl.store import layout, trees
from git_knowl.store.origins import MOST_STEPS, Known, find_origins
from git_knowl.store.view import View
from tests.support import stores
from tests.support.builders import RepoBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_knowl.store.origins import Origin

BY = "Kim <kim@example.org>"
ENTRIES = "refs/knowl/entries"
PERSON = ("Knowl-Op: edit", f"Reviewed-by: {BY}", "Knowl-How: terminal")
MACHINE = ("Knowl-Op: sync",)


class History:
    """A history of the shared lane, commit by commit, with whatever trailers and parents."""

    def __init__(self, repo: RepoBuilder) -> None:
        self.repo = repo.open()
        self.db = open_objects(self.repo)
        self.root, objects = genesis(self.repo.object_format)
        self.db.write(objects)
        self.count = 0

    def commit(
        self,
        parents: Sequence[str],
        texts: Sequence[Entry],
        trailers: Sequence[str] = PERSON,
        body: str = "",
    ) -> str:
        """Write a commit that holds exactly these entries and return its id."""
        self.count += 1
        changes = {layout.entry_path(one.id, one.name): render(one) for one in texts}
        changes[layout.FORMAT_FILE] = layout.FORMAT_TEXT
        view = View(self.db, self.repo.object_format, {})
        tree, objects = trees.edit(view, self.repo.object_format, None, changes)
        who = f"{BY} {1_796_000_000 + self.count} +0000"
        message = "\n".join(
            [f"step {self.count}", "", *([body, ""] if body else []), *trailers, ""]
        )
        data = encode_commit(tree, tuple(parents), who, who, message)
        return self.db.write([*objects, ("commit", data)])[-1]

    def origins(self, tip: str, known: Known | None = None) -> dict[str, Origin]:
        """Return the origins of the entries at a tip, by id."""
        view = View(self.db, self.repo.object_format, {ENTRIES: tip})
        files = (
            (layout.parse_entry_path(path), blob)
            for path, blob in view.tree(ENTRIES).files(layout.ENTRIES)
        )
        wanted = {found[0]: blob for found, blob in files if found}
        return find_origins(self.repo, view, wanted, tip, known)

    def vouchers(self, tip: str, entry: Entry) -> tuple[str, ...]:
        return self.origins(tip)[entry.id].vouchers


@pytest.fixture
def history(repo):
    return History(repo)


CART = stores.entry("cart", 1)
TILL = stores.entry("till", 2)


def saying(entry: Entry, text: str) -> Entry:
    return replace(entry, body=f"{text}. Why: so.\n")


def looked_at(entry: Entry, rev: int) -> Entry:
    """Return the entry as somebody leaves it who changes nothing of the text."""
    return replace(entry, rev=rev, updated=f"2026-11-30T10:00:{rev:02}Z")


def test_edits_that_leave_the_text_alone_are_passed_through(history):
    first = history.commit([history.root], [CART])
    second = history.commit([first], [looked_at(CART, 2), TILL])

    assert history.vouchers(second, CART) == (first,)
    assert history.vouchers(second, TILL) == (second,)


def test_a_merge_hands_on_what_either_side_let_in(history):
    first = history.commit([history.root], [CART])
    ours = history.commit([first], [saying(CART, "Ours")])
    theirs = history.commit([first], [CART, TILL])
    merge = history.commit([ours, theirs], [saying(CART, "Ours"), TILL], MACHINE)
    other_way = history.commit([theirs, ours], [saying(CART, "Ours"), TILL], MACHINE)

    for tip in (merge, other_way):
        assert history.vouchers(tip, CART) == (ours,)
        assert history.vouchers(tip, TILL) == (theirs,)


def test_a_text_that_a_merge_made_needs_both_sides_and_the_merge(history):
    first = history.commit([history.root], [CART])
    ours = history.commit([first], [replace(CART, tags=("ours",))])
    theirs = history.commit([first], [replace(CART, description="Theirs")])
    made = replace(CART, tags=("ours",), description="Theirs")
    merge = history.commit([ours, theirs], [made], MACHINE)

    assert set(history.vouchers(merge, CART)) == {merge, ours, theirs}


@pytest.mark.parametrize("trailers", [(), PERSON[1:], (*PERSON, *MACHINE)])
def test_a_text_that_a_foreign_merge_made_has_nobody(history, trailers):
    first = history.commit([history.root], [CART])
    ours = history.commit([first], [replace(CART, tags=("ours",))])
    theirs = history.commit([first], [replace(CART, description="Theirs")])
    merge = history.commit([ours, theirs], [saying(CART, "Evil")], trailers)

    assert history.vouchers(merge, CART) == ()


def test_a_person_in_the_trailers_of_a_merge_does_not_make_it_a_review(history):
    first = history.commit([history.root], [CART])
    other = history.commit([first], [CART, TILL])
    merge = history.commit([first, other], [saying(CART, "Slipped in"), TILL], PERSON)

    assert set(history.vouchers(merge, CART)) == {merge, first}


@pytest.mark.parametrize(
    "trailers",
    [
        (),
        ("Reviewed-by: Linus <linus@example.org>",),
        ("Knowl-How: terminal", "Reviewed-by: Linus <linus@example.org>"),
        ("Knowl-Op: edit", "Knowl-Op: add", "Knowl-How: terminal"),
    ],
    ids=["none", "reviewer alone", "no verb", "two verbs"],
)
def test_what_plain_git_wrote_vouches_for_nothing_whoever_signs_it(history, trailers):
    first = history.commit([history.root], [CART])
    second = history.commit([first], [saying(CART, "Forged")], trailers)

    assert history.vouchers(second, CART) == ()


@pytest.mark.parametrize(
    "trailers",
    [
        ("Knowl-Op: edit",),
        ("Knowl-Op: edit", "Knowl-How: unattended"),
        ("Knowl-Op: edit", "Knowl-How: terminal", "Knowl-How: terminal"),
        ("Knowl-Op: edit", "Knowl-How: unattended", "Knowl-How: terminal"),
        ("Knowl-Op: edit", "Knowl-How: TERMINAL"),
    ],
)
def test_without_exactly_one_door_with_a_person_behind_it_a_commit_needs_what_was_before(
    history, trailers
):
    first = history.commit([history.root], [CART])
    second = history.commit([first], [saying(CART, "Changed")], trailers)
    fresh = history.commit([second], [saying(CART, "Changed"), TILL], trailers)

    assert set(history.vouchers(second, CART)) == {second, first}
    assert history.vouchers(fresh, TILL) == ()


def test_trailers_in_the_body_of_a_message_are_prose(history):
    body = "\n".join(PERSON) + "\n\nso much for that"
    commit = history.commit([history.root], [CART], (), body)

    assert history.vouchers(commit, CART) == ()


def test_reviewer_time_and_door_belong_to_the_text(history):
    first = history.commit([history.root], [CART])
    other = Reviewed("Linus <linus@example.org>", stores.TIME, "terminal")
    second = history.commit([first], [replace(CART, reviewed=other)])

    assert history.vouchers(second, CART) == (second,)


def test_what_sync_scrubbed_is_as_good_as_what_it_scrubbed(history):
    theirs = history.commit([history.root], [CART])
    scrubbed = history.commit([theirs], [saying(CART, "[REDACTED:TOKEN]")], MACHINE)

    assert set(history.vouchers(scrubbed, CART)) == {scrubbed, theirs}


@pytest.mark.parametrize("steps", [MOST_STEPS, MOST_STEPS + 1, 200])
def test_a_chain_of_machines_is_followed_so_far_and_no_further(history, steps):
    tip = history.commit([history.root], [CART])
    for number in range(steps):
        tip = history.commit([tip], [saying(CART, f"Turn {number}")], MACHINE)

    assert len(history.vouchers(tip, CART)) == (steps + 1 if steps <= MOST_STEPS else 0)


UNDO = ("Knowl-Op: undo", f"Reviewed-by: {BY}", "Knowl-How: terminal")


def test_what_an_undo_brought_back_is_worth_what_it_was_before(history):
    first = history.commit([history.root], [CART], ())
    second = history.commit([first], [saying(CART, "Edited")])
    back = history.commit([second], [looked_at(CART, 3)], UNDO)
    again = history.commit([back], [saying(CART, "Edited")], UNDO)

    assert history.vouchers(second, CART) == (second,)
    assert history.vouchers(back, CART) == ()
    assert set(history.vouchers(again, CART)) == {again, second}


def test_an_undone_retirement_leaves_the_entry_as_it_was(history):
    first = history.commit([history.root], [CART, TILL])
    gone = history.commit([first], [TILL], ("Knowl-Op: retire",))
    other = history.commit([gone], [looked_at(TILL, 2)])
    back = history.commit([gone], [CART, TILL], UNDO)
    later = history.commit([other], [CART, TILL], UNDO)

    assert set(history.vouchers(back, CART)) == {back, first}
    assert set(history.vouchers(later, CART)) == {later, first}


def test_an_undo_that_brings_back_what_was_not_before_has_nobody(history):
    first = history.commit([history.root], [CART])
    second = history.commit([first], [saying(CART, "Edited")])
    forged = history.commit([second], [saying(CART, "Never said")], UNDO)
    fresh = history.commit([second], [saying(CART, "Edited"), TILL], UNDO)

    assert history.vouchers(forged, CART) == ()
    assert history.vouchers(fresh, TILL) == ()


@pytest.mark.parametrize("verb", ["rename", "verify", "migrate", "purge", "retire", "later-verb"])
def test_a_verb_that_lets_nothing_in_says_nothing_for_a_text(history, verb):
    first = history.commit([history.root], [CART], ())
    trailers = (f"Knowl-Op: {verb}", *PERSON[1:])
    second = history.commit([first], [saying(CART, "Slipped in"), TILL], trailers)

    assert history.vouchers(second, CART) == ()
    assert history.vouchers(second, TILL) == ()


def test_a_damaged_file_before_makes_nothing_of_what_follows(history, repo):
    path = layout.entry_path(CART.id, CART.name)
    view = View(history.db, history.repo.object_format, {})
    changes = {path: b"no entry", layout.FORMAT_FILE: layout.FORMAT_TEXT}
    tree, objects = trees.edit(view, history.repo.object_format, None, changes)
    who = f"{BY} 1 +0000"
    data = encode_commit(tree, (history.root,), who, who, "damage\n\nKnowl-Op: edit\n")
    damaged = history.db.write([*objects, ("commit", data)])[-1]
    mended = history.commit([damaged], [CART])

    assert history.vouchers(mended, CART) == (mended,)


def test_where_a_shallow_clone_ends_nobody_vouches(history, repo):
    tip = history.commit([history.root], [CART])
    for number in range(3):
        tip = history.commit([tip], [CART, *[stores.entry(f"e{n}", 10 + n) for n in range(number)]])
    repo.git("update-ref", ENTRIES, tip)
    shallow = RepoBuilder.make(repo.path.parent, name="shallow")
    source = f"file://{repo.path}"
    shallow.git("fetch", "--quiet", "--depth=2", source, f"{ENTRIES}:{ENTRIES}")
    cut = History(shallow)

    assert cut.vouchers(tip, CART) == ()
    assert cut.vouchers(tip, stores.entry("e1", 11)) == (tip,)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_known_at_an_earlier_tip_changes_no_answer(history, seed):
    """Whatever the history looks like, the short walk says what the long one says."""
    chance = random.Random(seed)  # noqa: S311 - the same histories every time
    made = [(history.root, (CART, TILL))]
    tips = [history.commit([history.root], (CART, TILL))]
    made = [(tips[0], (CART, TILL))]
    for number in range(14):
        parents = chance.sample(made, k=min(len(made), chance.choice([1, 1, 1, 2])))
        texts = [changed(chance, parents, place, number) for place in range(2)]
        trailers = (
            MACHINE if len(parents) > 1 else chance.choice([PERSON, PERSON, MACHINE, UNDO, ()])
        )
        commit = history.commit([parent for parent, _ in parents], texts, trailers)
        made.append((commit, tuple(texts)))

    whole = {commit: history.origins(commit) for commit, _ in made}
    for commit, _ in made[-6:]:
        for earlier, _ in chance.sample(made, k=5):
            known = Known(earlier, whole[earlier])
            assert history.origins(commit, known) == whole[commit]


def changed(chance: random.Random, parents: list, place: int, number: int) -> Entry:
    """Return what becomes of an entry: taken over, looked at, changed, or set back."""
    taken = chance.choice(parents)[1][place]
    what = chance.choice(["same", "same", "looked at", "changed", "back"])
    if what == "looked at":
        return looked_at(taken, number + 2)
    if what == "changed":
        return saying(taken, f"Turn {number}")
    return (CART, TILL)[place] if what == "back" else taken
