"""Decision records become drafts while they hold; what took their place knows of them."""

from __future__ import annotations

import pytest

from git_knowl.services.exchange.decisions import is_record_name
from git_knowl.services.exchange.import_ import import_path
from git_knowl.services.review import Decision, decide
from tests.support.contexts import REVIEWED, inbox_of
from tests.support.people import live, person, tips

NYGARD = """\
# {number}. {title}

Date: 2020-01-01

## Status

{status}

## Context

Servers are a burden. See `lib/cart.ts`.

## Decision

We will use {title}. It is known.

## Consequences

None.
"""
MADR = """\
---
status: "{status}"
date: 2021-01-01
decision-makers: Kim
---
# {title}

## Context and Problem Statement

Servers are a burden.

## Considered Options

* Postgres
* {title}

## Decision Outcome

Chosen option: "{title}", because it is one file.

### Consequences

* Good, because it is small.
"""


@pytest.fixture
def ctx(repo):
    return person(repo)


def put(repo, number, title, status="Accepted", form=NYGARD):
    name = f"docs/adr/{number:04}-{title.lower().replace(' ', '-')}.md"
    repo.write(name, form.format(number=number, title=title, status=status))
    return name


def test_a_record_is_a_draft_with_its_sections(repo, ctx):
    put(repo, 1, "Postgres")

    done = import_path(ctx, "docs/adr")
    (draft,) = inbox_of(ctx).drafts
    entry = draft.entry

    assert done.form == "decisions"
    assert (entry.name, entry.type, entry.tags) == ("postgres", "project", ("decision",))
    assert entry.description == "When it is about the decision 'Postgres': We will use Postgres."
    assert entry.body.startswith("# Postgres\n\n## Context\n\nServers are a burden.")
    assert "Accepted" not in entry.body
    assert "2020" not in entry.body
    assert entry.source.ref == "import of docs/adr/0001-postgres.md"
    assert [one.path for one in entry.anchors] == ["lib/cart.ts"]


def test_status_in_frontmatter_is_read_too(repo, ctx):
    put(repo, 1, "SQLite", "accepted", MADR)

    (draft,) = import_path(ctx, "docs/adr").drafts

    assert "because it is one file." in draft.entry.description
    assert "Considered Options" in draft.entry.body
    assert "Kim" not in draft.entry.body


@pytest.mark.parametrize(
    "status",
    ["Superseded by [2. SQLite](0002-sqlite.md)", "deprecated", "rejected", "Superceded? Replaced"],
)
@pytest.mark.parametrize("form", [NYGARD, MADR])
def test_what_does_not_hold_any_more_is_left_out_and_told(repo, ctx, status, form):
    put(repo, 1, "Postgres", status, form)
    put(repo, 2, "SQLite")

    done = import_path(ctx, "docs/adr")

    assert [draft.name for draft in done.drafts] == ["sqlite"]
    assert "0001-postgres.md: its status is '" in done.left_out[0]


def test_what_is_only_proposed_says_so(repo, ctx):
    put(repo, 1, "Postgres", "Proposed")

    (draft,) = import_path(ctx, "docs/adr").drafts

    assert any("not decided yet" in told for told in draft.warnings)


@pytest.mark.parametrize(
    "line", ["* Status: accepted", "- **Status**: accepted", "Status: accepted"]
)
def test_status_as_a_line_is_read_and_left_out_of_the_text(repo, ctx, line):
    text = f"# Use x\n\n{line}\n* Deciders: Kim\n\nText.\n\n## Decision\n\nX.\n"
    repo.write("adr/0001-x.md", text)

    (draft,) = import_path(ctx, "adr").drafts

    assert "tatus" not in draft.entry.body
    assert "Deciders" not in draft.entry.body


def test_a_record_names_the_entry_that_it_took_the_place_of(repo, ctx):
    put(repo, 1, "Postgres")
    import_path(ctx, "docs/adr")
    decide(ctx, [Decision(one.id, accepted=True) for one in inbox_of(ctx).drafts], REVIEWED)
    old = live(ctx, "postgres")
    put(repo, 1, "Postgres", "Superseded by 2")
    put(repo, 2, "SQLite", "Accepted\n\nSupersedes [1. Postgres](0001-postgres.md)")

    done = import_path(ctx, "docs/adr")

    (draft,) = done.drafts
    assert draft.entry.supersedes == (old.id,)
    assert "takes the place of postgres: retire that one" in draft.warnings


def test_a_status_that_changes_is_no_new_draft(repo, ctx):
    put(repo, 1, "Postgres", "Proposed")
    import_path(ctx, "docs/adr")
    before = tips(repo)
    put(repo, 1, "Postgres", "Accepted")

    done = import_path(ctx, "docs/adr")

    assert (done.drafts, len(done.unchanged)) == ((), 1)
    assert tips(repo) == before


def test_files_without_a_number_and_templates_are_no_records(repo, ctx):
    put(repo, 1, "Postgres")
    repo.write("docs/adr/README.md", "# Index\n")
    repo.write("docs/adr/0000-template.md", "# Title\n")

    done = import_path(ctx, "docs/adr")

    assert len(done.drafts) == 1
    assert len(done.left_out) == 2


def test_one_record_can_be_imported_alone(repo, ctx):
    name = put(repo, 7, "Postgres")

    done = import_path(ctx, name)

    assert (done.form, len(done.drafts)) == ("decisions", 1)


@pytest.mark.parametrize(
    "name", ["0001-x.md", "1-x.md", "ADR-001-x.md", "adr_12_x.md", "0042_Use X.md", "20200102-x.md"]
)
def test_names_of_records(name):
    assert is_record_name(name)


@pytest.mark.parametrize(
    "name",
    ["README.md", "x-0001.md", "0001.md", "template.md", "0000-adr-template.md", "0001-x.txt"],
)
def test_other_names(name):
    assert not is_record_name(name)
