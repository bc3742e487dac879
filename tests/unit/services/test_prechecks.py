"""Hints about flags: what became of their paths, what is known there, what says the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.flag import FlagPath
from git_knowl.services import guidance
from git_knowl.services.capture import GUIDANCE, packet
from git_knowl.services.flag import flag
from git_knowl.services.prechecks import batch_warnings, flag_checks, likeness
from git_knowl.services.review import Decision, decide
from git_knowl.store.operations import PutFlag
from tests.support.clock import Clock
from tests.support.contexts import REVIEWED, capture_item, context, flag_of, submit_items
from tests.support.stores import write

ALL_WORDS = "one has all words of the other"
SAID = "the cart total doubles above three pieces"


def checks(ctx, *flags):
    return flag_checks(ctx, flags)[flags[0].id]


def accepted(ctx, *items):
    ids = submit_items(ctx, *items)
    decide(ctx, [Decision(one, accepted=True) for one in ids], REVIEWED)


def test_nothing_is_said_about_a_fresh_flag_on_an_unchanged_file(repo):
    ctx = context(repo)

    assert checks(ctx, flag(ctx, SAID, ("lib/cart.ts", "lib")).flag) == []


def test_paths_that_changed_or_went_are_told(repo):
    ctx = context(repo)
    made = flag(ctx, SAID, ("lib/cart.ts", "conf.yml", "never.ts")).flag
    repo.write("lib/cart.ts", "changed\n")
    (repo.path / "conf.yml").unlink()

    assert checks(context(repo), made) == [
        "lib/cart.ts has changed since the flag",
        "conf.yml is not here any more",
        "never.ts is not here",
    ]


def test_a_change_of_line_ends_that_git_evens_out_is_none(repo):
    repo.commit("attributes", {".gitattributes": "*.ts text=auto\n"})
    ctx = context(repo)
    made = flag(ctx, SAID, ("lib/cart.ts",)).flag
    repo.write("lib/cart.ts", repo.read("lib/cart.ts").replace("\n", "\r\n"))

    assert checks(context(repo), made) == []


def test_a_blob_of_another_object_format_cannot_be_compared(repo):
    ctx = context(repo)
    made = flag(ctx, SAID, ("lib/cart.ts",)).flag
    other = replace(made, paths=(FlagPath("lib/cart.ts", f"sha256:{'0' * 64}"),))

    assert checks(ctx, other) == ["lib/cart.ts has changed since the flag"]


def test_entries_on_a_path_or_below_it_are_named_a_few_of_them(repo):
    ctx = context(repo)
    accepted(ctx, *(capture_item(f"topic-{word}") for word in ("a", "b", "c", "d", "e")))
    made = flag(ctx, "something else entirely about trays", ("lib",)).flag

    assert checks(ctx, made) == ["entries on lib: topic-a, topic-b, topic-c and 2 more"]


def test_likely_twins_are_named_with_their_similarity(repo):
    clock = Clock()
    ctx = context(repo, clock=clock)
    accepted(ctx, capture_item("cart-total-doubles", description=SAID))
    first = flag(ctx, SAID).flag
    clock.advance(seconds=1)
    second = flag(ctx, f"{SAID}!").flag

    told = checks(ctx, first, second)

    assert f"much like flag {second.id} (100 %)" in told
    assert any(text.startswith("much like entry cart-total-doubles (") for text in told)


@pytest.mark.parametrize(
    ("other", "figure"),
    [
        (f"{SAID}.", "100 %"),
        (SAID.upper(), "100 %"),
        (f"{SAID}, which the supplier of trays never told anybody", ALL_WORDS),
        ("the cart total doubles", ALL_WORDS),
        ("above three pieces the cart total doubles", ALL_WORDS),
    ],
)
def test_only_texts_that_are_equal_are_alike_to_the_last(other, figure):
    assert list(likeness("flag", SAID, {"x": other})) == [f"much like flag x ({figure})"]


def test_what_is_nearly_equal_is_not_rounded_up():
    words = [f"word{n}" for n in range(100)]

    (told,) = likeness("flag", " ".join(words), {"x": " ".join([*words[1:], "words0"])})

    assert told == "much like flag x (99 %)"


def test_what_is_no_finding_is_doubted(repo):
    ctx = context(repo)

    assert any("announces" in text for text in checks(ctx, flag(ctx, "Let me fix the cart").flag))


def test_the_packet_holds_what_no_waiting_draft_has_taken(repo):
    clock = Clock()
    ctx = context(repo, clock=clock)
    taken = flag(ctx, "one finding about the cart").flag
    clock.advance(seconds=1)
    free = flag(ctx, "another one about the settings").flag
    clock.advance(seconds=1)
    done = flag(ctx, "a third, settled one").flag
    write(ctx.store, PutFlag(replace(done, outcome="dropped")))
    submit_items(ctx, capture_item("cart-doubles", taken.id))

    found = packet(ctx)

    assert found.flags == (free,)
    assert found.checks == {free.id: []}
    assert found.schema["$id"].endswith("capture")
    assert all(guidance.text(name).strip() in found.guidance for name in GUIDANCE)


def test_a_flag_comes_back_when_its_draft_is_gone(repo):
    ctx = context(repo)
    made = flag(ctx, SAID).flag
    item = {"kind": "discard", "flags": [made.id], "reason": "in the manual"}
    (draft,) = submit_items(ctx, item)
    assert packet(ctx).flags == ()

    decide(ctx, [Decision(draft, accepted=False)], REVIEWED)

    assert packet(ctx).flags == (flag_of(ctx, made.id),)
    assert flag_of(ctx, made.id).draft is None


def test_the_packet_shows_the_index(repo):
    ctx = context(repo)
    assert packet(ctx).index == ""
    accepted(ctx, capture_item())

    assert "- cart-doubles" in packet(context(repo)).index


def test_the_packet_tells_which_flags_expired(repo):
    clock = Clock()
    ctx = context(repo, clock=clock)
    made = flag(ctx, SAID).flag
    clock.advance(days=31)

    found = packet(ctx)

    assert [one.id for one in found.expired] == [made.id]
    assert found.flags == ()


def test_a_small_batch_of_mixed_items_is_fine():
    discard = {"kind": "discard", "flags": ["x"], "reason": "y"}

    assert list(batch_warnings([capture_item(), discard])) == []
    assert list(batch_warnings([capture_item()])) == []
