"""Whole entries screened: free text masked, what names something refused, the rest untouched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model import limits
from git_knowl.model.anchor import EntryLink, FileAnchor, SnippetAnchor, UrlAnchor
from git_knowl.model.document import parse, render
from git_knowl.model.entry import Entry, Promoted, Reviewed, Source
from git_knowl.services.filters.screen import screen_entry
from tests.unit.services.filters.samples import KEY_ID, PASSWORD, body

AT = "2026-11-29T10:00:00Z"
TOKEN = "gh" + "p_" + body(36)
ENTRY = Entry(
    name="retry-budget",
    id="01k4zq8v7m3n5p6r8s9t0w1x2y",
    description="Read before raising the number of retries",
    type="project",
    created=AT,
    updated=AT,
    rev=3,
    body="The budget is shared.\n\n```\nretries = 3\n```\n",
    anchors=(FileAnchor("lib/cart.ts"), UrlAnchor("https://example.org/a#b", AT, 30)),
    source=Source("session", "host:session-4", "as it was said"),
    depends_on=(EntryLink("01k4zq8v7m3n5p6r8s9t0w1x2z", "other-entry"),),
    tags=("retries", "http"),
    reviewed=Reviewed("Ada <ada@example.org>", AT, "terminal"),
    extra={"later": {"key": "value"}},
)


def test_an_entry_without_a_secret_comes_back_as_it_is():
    screened = screen_entry(ENTRY)

    assert screened.entry is ENTRY
    assert (screened.found, screened.refused) == ((), ())


def test_free_text_is_masked_and_counted_by_type():
    entry = replace(
        ENTRY,
        description=f"Read before using {KEY_ID}",
        body=f"The key {KEY_ID} is dead.\n\n```\nDB_PASSWORD={PASSWORD}\n```\n",
        source=Source("quote", f"token: {TOKEN}", f"password: {PASSWORD}"),
    )
    screened = screen_entry(entry)

    assert screened.found == (("AWS_KEY", 2), ("GITHUB_TOKEN", 1), ("PASSWORD", 2))
    assert screened.refused == ()
    text = render(screened.entry).decode()
    assert [part for part in (KEY_ID, PASSWORD, TOKEN) if part in text] == []
    assert screened.entry.body.endswith("```\nDB_PASSWORD=[REDACTED:PASSWORD]\n```\n")


@pytest.mark.parametrize(
    "gives_away",
    [
        {"description": f"password: {PASSWORD}"},
        {"body": f"password:\n{PASSWORD}\n"},
        {"source": Source("quote", "mail", f"the password is {PASSWORD}")},
    ],
)
def test_what_one_field_gives_away_is_masked_in_every_other(gives_away):
    source = Source("quote", f"mail {PASSWORD}", f"so {PASSWORD}")
    bare = replace(ENTRY, description=f"At {PASSWORD}", body=f"a {PASSWORD}\n", source=source)

    assert screen_entry(bare).entry is bare
    assert PASSWORD not in repr(screen_entry(replace(bare, **gives_away)).entry)


def test_screening_twice_changes_nothing_and_the_document_stays_readable():
    once = screen_entry(replace(ENTRY, body=f"password: {PASSWORD}\n")).entry

    assert screen_entry(once).entry is once
    assert parse(render(once)) == once


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"name": f"key-{KEY_ID}"}, "name"),
        ({"tags": ("http", TOKEN)}, "tags.1"),
        ({"anchors": (FileAnchor(f"conf/{KEY_ID}.yml"),)}, "anchors.0"),
        ({"anchors": (UrlAnchor(f"https://kim:{PASSWORD}@x.org", AT, 9),)}, "anchors.0"),
        ({"depends_on": (EntryLink(ENTRY.depends_on[0].id, KEY_ID),)}, "depends_on.0"),
        ({"anchors": (SnippetAnchor("a.py", f'password = "{PASSWORD}"', 3),)}, "frontmatter"),
        ({"reviewed": Reviewed(TOKEN, AT, "terminal")}, "frontmatter"),
        ({"promoted": Promoted(f"{TOKEN}.md", "0" * 64)}, "frontmatter"),
        ({"extra": {"password": PASSWORD}}, "frontmatter"),
        ({"extra": {TOKEN: 1}}, "frontmatter"),
        ({"source": Source("session", "a", None, {"token": TOKEN})}, "frontmatter"),
    ],
)
def test_a_secret_that_cannot_be_masked_is_named_by_its_field_and_never_shown(changed, field):
    screened = screen_entry(replace(ENTRY, **changed))

    assert [told.partition(":")[0] for told in screened.refused] == [field]
    assert not any(value in told for told in screened.refused for value in (KEY_ID, TOKEN))


def test_what_masking_makes_too_long_to_store_is_refused():
    line = f"password: {PASSWORD[:6]}\n"
    entry = replace(ENTRY, body=line * (limits.BODY // len(line)))

    assert [told.partition(":")[0] for told in screen_entry(entry).refused] == ["body"]


def test_what_no_document_can_hold_is_refused():
    assert screen_entry(replace(ENTRY, extra={"a": "\ud800"})).refused != ()
