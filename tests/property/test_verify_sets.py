"""Laws of accepted evidence: verifying adds, never replaces, and counts for one text alone."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from git_knowl.anchors.base import accepted_for
from git_knowl.model.accepted import KEPT, identity
from git_knowl.model.anchor import FileAnchor, FileFingerprint, PackageAnchor, PackageFingerprint
from git_knowl.services.evidence import join

TEXTS = ("1" * 64, "2" * 64)
contents = st.integers(0, 30)
rounds = st.lists(contents, min_size=1, max_size=40)


def file_seen(content, text, minute):
    digest = hashlib.sha256(b"%d" % content).hexdigest()
    at = f"2026-11-29T{minute // 60:02}:{minute % 60:02}:00Z"
    item = FileFingerprint(text, digest, f"sha1:{digest[:40]}", at, f"Kim {minute}", "terminal")
    return FileAnchor("lib/cart.ts", (item,))


def package_seen(content, text, minute):
    at = f"2026-11-29T{minute // 60:02}:{minute % 60:02}:00Z"
    item = PackageFingerprint(text, f"1.{content}.0", at, f"Kim {minute}", "terminal")
    return PackageAnchor("pkg:npm/left-pad", "package-lock.json", (item,))


kinds = st.sampled_from((file_seen, package_seen))


def verified(seen, many, text=TEXTS[0], start=None):
    """Return an anchor after somebody verified one content after the other."""
    anchor = start or seen(many[0], text, 0)
    for minute, content in enumerate(many, 1):
        anchor = join(anchor, seen(content, text, minute))
    return anchor


def identities(anchor):
    return [identity(item) for item in anchor.accepted]


def newest(many):
    """Return the distinct contents of some rounds, the one verified last at the end."""
    return list(dict.fromkeys(reversed(many)))[::-1]


@given(kinds, rounds)
def test_the_newest_contents_are_kept_in_the_order_of_their_last_verify(seen, many):
    expected = [identity(seen(one, TEXTS[0], 0).accepted[0]) for one in newest(many)[-KEPT:]]

    assert identities(verified(seen, many)) == expected


@given(kinds, rounds, contents)
def test_verifying_never_outdates_another_content_while_there_is_room(seen, many, other):
    before = verified(seen, newest(many)[: KEPT - 1])

    after = join(before, seen(other, TEXTS[0], 99))

    assert set(identities(after)) >= set(identities(before))


@given(kinds, rounds)
def test_verifying_the_same_again_changes_no_more_than_who_and_when(seen, many):
    once = verified(seen, many)
    twice = join(once, seen(many[-1], TEXTS[0], 99))

    assert identities(twice) == identities(once)
    assert twice.accepted[-1].by == "Kim 99"


@given(kinds, rounds, rounds)
def test_what_was_accepted_for_another_text_never_counts(seen, many, more):
    first = verified(seen, many, TEXTS[0])

    second = verified(seen, more, TEXTS[1], first)

    assert not accepted_for(second.accepted, TEXTS[0])
    assert {item.text for item in second.accepted} == {TEXTS[1]}
