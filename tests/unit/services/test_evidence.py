"""Fingerprints changing hands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.accepted import KEPT
from git_knowl.model.anchor import (
    FileAnchor,
    FileFingerprint,
    PackageAnchor,
    PackageFingerprint,
    UrlAnchor,
)
from git_knowl.services.evidence import carry, join, sign, without_fingerprints
from tests.support.contexts import ADA, REVIEWED
from tests.support.seal import DATE
from tests.support.stores import TIME, entry

URL = UrlAnchor("https://example.org/", TIME, 90)


def file_item(text, number=0, **fields):
    made = FileFingerprint(text, f"{number:064x}", f"sha1:{number:040x}", TIME, "x", "draft")
    return replace(made, **fields)


def package_item(text, version, **fields):
    return replace(PackageFingerprint(text, version, TIME, "x", "draft"), **fields)


def evidence(text):
    return (
        FileAnchor("lib/cart.ts", (file_item("old"), file_item(text, 1))),
        PackageAnchor("pkg:npm/x", "package-lock.json", (package_item(text, "1"),)),
        URL,
    )


def test_signing_puts_the_reviewer_on_the_evidence_of_this_text_alone():
    plain = entry("cart", anchors=evidence(""))
    made = replace(plain, anchors=evidence(plain.digest))

    signed = sign(made, REVIEWED)

    first, second = signed.anchors[0].accepted
    assert first == file_item("old")
    assert (second.by, second.at, second.how) == (ADA, DATE, "terminal")
    assert signed.anchors[1].accepted[0].by == ADA
    assert signed.anchors[2] == URL
    assert (signed.updated, signed.reviewed) == (DATE, REVIEWED)
    assert signed.digest == made.digest


def test_evidence_is_carried_to_a_new_name():
    plain = entry("cart", anchors=evidence(""))
    old = replace(plain, anchors=evidence(plain.digest))
    new = carry(old, replace(old, name="till"))

    assert [item.text for item in new.anchors[0].accepted] == ["old", new.digest]
    assert [item.text for item in new.anchors[1].accepted] == [new.digest]


def test_nothing_is_left_of_what_was_accepted():
    bare = without_fingerprints(entry("cart", anchors=evidence("x")))

    assert [getattr(anchor, "accepted", ()) for anchor in bare.anchors] == [(), (), ()]
    assert bare.digest == entry("cart", anchors=evidence("y")).digest


def test_a_verify_adds_to_what_was_accepted_for_the_text():
    old = FileAnchor("a", (file_item("t", 1), file_item("t", 2), file_item("other", 3)))
    seen = FileAnchor("a", (file_item("t", 4),))

    assert join(old, seen).accepted == (file_item("t", 1), file_item("t", 2), file_item("t", 4))


def test_what_was_accepted_before_is_signed_again_and_counts_once():
    old = FileAnchor("a", (file_item("t", 1), file_item("t", 2)))
    again = file_item("t", 1, by=ADA)

    assert join(old, FileAnchor("a", (again,))).accepted == (file_item("t", 2), again)


def test_the_newest_are_kept():
    old = FileAnchor("a", tuple(file_item("t", number) for number in range(20)))

    kept = join(old, FileAnchor("a", (file_item("t", 99),))).accepted

    assert len(kept) == KEPT
    assert kept[-1] == file_item("t", 99)
    assert kept[0] == file_item("t", 13)


@pytest.mark.parametrize("version", ["1", "2"])
def test_packages_are_the_same_evidence_by_version_and_integrity(version):
    old = PackageAnchor("pkg:npm/x", "l", (package_item("t", "1"),))
    seen = PackageAnchor("pkg:npm/x", "l", (package_item("t", version, by=ADA),))

    assert len(join(old, seen).accepted) == int(version)


def test_a_page_that_was_read_again_is_the_new_reading():
    seen = UrlAnchor("https://example.org/", DATE, 90)

    assert join(URL, seen) == seen
