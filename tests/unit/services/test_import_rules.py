"""Rules files of coding agents become drafts: one a rule, worded for an index, never twice."""

from __future__ import annotations

import pytest

from git_knowl.model.anchor import FileAnchor
from git_knowl.services.exchange.import_ import import_path
from git_knowl.services.exchange.sections import blocks
from git_knowl.services.review import Decision, decide
from tests.support.contexts import REVIEWED, entry_names, inbox_of
from tests.support.people import person, tips

AGENTS = """\
# Project

This is a monorepo: everything is built with bazel, since npm hangs on CI.

## Testing

- Never run the full lint. Why: it takes three minutes.
- Use the cached lint of `lib/cart.ts`.
  - it knows conf.yml too
- ok
- [all about it](docs/testing.md)

<!--
- Never show this comment to anybody.
-->

To release:

1. tag the commit
2. push the tag

```sh
# no heading
make release
```
"""


@pytest.fixture
def ctx(repo):
    return person(repo)


def read(repo, ctx, name, text, **options):
    repo.write(name, text)
    return import_path(ctx, name, **options)


def by_name(ctx):
    return {draft.name: draft for draft in inbox_of(ctx).drafts}


def test_every_rule_is_a_draft_of_its_own(repo, ctx):
    done = read(repo, ctx, "AGENTS.md", AGENTS)

    assert done.form == "rules"
    assert [draft.name for draft in done.drafts] == [
        "monorepo-everything-built-bazel-since-npm-hangs",
        "never-run-the-full-lint",
        "use-cached-lint-lib-cart-ts",
        "to-release",
    ]
    assert entry_names(ctx) == []


def test_a_rule_with_a_reason_is_feedback_and_the_rest_is_about_the_project(repo, ctx):
    read(repo, ctx, "AGENTS.md", AGENTS)
    drafts = by_name(ctx)
    lint = drafts["never-run-the-full-lint"]

    assert (lint.entry.type, lint.lane) == ("feedback", "local")
    others = [draft for name, draft in drafts.items() if name != lint.name]
    assert {draft.entry.type for draft in others} == {"project"}
    (cached,) = [draft for draft in others if "cached" in draft.entry.body]
    assert any("gives no reason" in warning for warning in cached.warnings)


def test_headings_are_the_topic_and_tags(repo, ctx):
    read(repo, ctx, "AGENTS.md", AGENTS)
    lint = by_name(ctx)["never-run-the-full-lint"].entry

    assert lint.description == "When it is about Testing: Never run the full lint."
    assert lint.tags == ("testing",)
    assert lint.source.ref == "import of AGENTS.md, under 'Testing'"
    assert lint.provenance == "stated"


def test_what_says_nothing_is_left_out_and_told(repo, ctx):
    done = read(repo, ctx, "AGENTS.md", AGENTS)
    told = " ".join(draft.entry.body for draft in done.drafts)

    assert "2 items are no rules: too short" in done.left_out[0]
    assert "comment" not in told


def test_steps_stay_together_with_what_announces_them(repo, ctx):
    done = read(repo, ctx, "AGENTS.md", AGENTS)
    bodies = [draft.entry.body for draft in done.drafts]

    assert any(
        body.startswith("To release:\n\n1. tag") and "make release" in body for body in bodies
    )


def test_only_a_tracked_path_written_out_becomes_an_anchor(repo, ctx):
    done = read(
        repo,
        ctx,
        "AGENTS.md",
        "- One thing about `lib/cart.ts:12` and lib/cart.ts here\n"
        "- Another thing about `conf.yml`, `lib/none.ts`, `../x` and `total(n)`\n"
        "- A third thing about lib/cart.ts without marks, or all of `lib/`\n",
    )
    anchors = [draft.entry.anchors for draft in done.drafts]

    assert [[one.path for one in found] for found in anchors] == [["lib/cart.ts"], ["conf.yml"], []]
    assert all(isinstance(one, FileAnchor) for found in anchors for one in found)
    assert any("names tree:lib, file:lib/cart.ts" in told for told in done.drafts[2].warnings)


def test_what_is_tracked_and_gone_is_no_anchor(repo, ctx):
    (repo.path / "conf.yml").unlink()

    done = read(repo, ctx, "AGENTS.md", "- The settings in `conf.yml` are read twice\n")

    assert done.drafts[0].entry.anchors == ()
    assert done.failed == []


def test_links_count_from_the_folder_of_the_file(repo, ctx):
    repo.write("docs/AGENTS.md", "- The cart is odd: see [it](../lib/cart.ts#L3)\n")

    done = import_path(ctx, "docs/AGENTS.md")

    assert [one.path for one in done.drafts[0].entry.anchors] == ["lib/cart.ts"]


@pytest.mark.parametrize("settle", ["wait", "accept", "discard"])
def test_importing_again_changes_nothing(repo, ctx, settle):
    read(repo, ctx, "AGENTS.md", AGENTS)
    if settle != "wait":
        drafts = inbox_of(ctx).drafts
        accepted = settle == "accept"
        decide(ctx, [Decision(one.id, accepted, "no") for one in drafts], REVIEWED)
    ctx.refresh()
    before = tips(repo)

    done = import_path(ctx, "AGENTS.md")

    assert (done.drafts, len(done.unchanged), done.failed) == ((), 4, [])
    assert tips(repo) == before


def test_the_same_rules_in_two_files_are_one(repo, ctx):
    repo.write("CLAUDE.md", AGENTS)
    repo.write("AGENTS.md", AGENTS)

    done = import_path(ctx, ".")

    assert (len(done.drafts), len(done.unchanged)) == (4, 4)


def test_a_name_that_is_taken_gets_a_number(repo, ctx):
    text = "## {0}\n\n- Never touch the parser by hand, says {0}\n"

    done = read(repo, ctx, "AGENTS.md", "".join(map(text.format, ("one", "two"))).replace(
        "says one", "on Monday").replace("says two", "on Tuesday"))  # fmt: skip
    again = read(repo, ctx, "AGENTS.md", "- Never touch the parser by hand, on Sunday\n")

    names = [draft.name for draft in (*done.drafts, *again.drafts)]
    assert len(set(names)) == 3
    assert all(name.startswith("never-touch-parser-hand") for name in names)


def test_a_pattern_says_when_to_open_it(repo, ctx):
    repo.write(
        ".cursor/rules/ts.mdc",
        "---\ndescription: x\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\n"
        "- Be strict in all files\n",
    )

    (draft,) = import_path(ctx, ".cursor/rules").drafts

    assert draft.entry.description == "When it is about *.ts,*.tsx: Be strict in all files"
    assert draft.entry.body.endswith("Holds for: *.ts,*.tsx\n")


def test_rules_of_a_folder_hold_for_it(repo, ctx):
    repo.write("packages/web/AGENTS.md", "- Colours come from the theme alone\n")

    (draft,) = import_path(ctx, "packages/web/AGENTS.md").drafts

    assert "packages/web" in draft.entry.description


def test_a_reference_to_another_file_is_told_and_not_followed(repo, ctx):
    repo.write("docs/style.md", "- Never follow this rule from elsewhere\n")

    done = read(repo, ctx, "CLAUDE.md", "Read @docs/style.md before anything else here.\n")

    assert len(done.drafts) == 1
    assert "refers to docs/style.md" in done.left_out[0]


def test_letters_of_any_script_get_a_name(repo, ctx):
    (draft,) = read(repo, ctx, "AGENTS.md", "- 모든 규칙은 여기에 기록되어 있습니다\n").drafts

    assert draft.name.startswith("rules-")
    assert draft.entry.body == "모든 규칙은 여기에 기록되어 있습니다\n"


def test_a_dry_run_stores_nothing(repo, ctx):
    before = tips(repo)

    done = read(repo, ctx, "AGENTS.md", AGENTS, dry_run=True)

    assert len(done.drafts) == 4
    assert tips(repo) == before


def test_secrets_are_masked(repo, ctx):
    key = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"

    done = read(repo, ctx, "AGENTS.md", f"- Never use the token {key} for a release\n")

    assert done.redacted == (("GITHUB_TOKEN", 1),)
    assert key not in str(done.drafts)


def test_a_text_much_like_a_live_entry_is_warned_about(repo, ctx):
    read(repo, ctx, "AGENTS.md", "- Never run the full lint. Why: three minutes.\n")
    decide(ctx, [Decision(one.id, accepted=True) for one in inbox_of(ctx).drafts], REVIEWED)
    ctx.refresh()

    done = read(repo, ctx, "AGENTS.md", "- Never run the full lint. Why: it is slow.\n")

    assert any("much like entry" in told for told in done.drafts[0].warnings)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("\n\n# A\n## B\n", []),
        ("text\nmore\n\nagain\n", [(False, "text\nmore\n\nagain")]),
        ("- a\n- b\n  c\n\n  d\n", [(True, "a"), (True, "b\nc\n\nd")]),
        ("- a\n\ntext\n", [(True, "a"), (False, "text")]),
        ("- [x] a\n* b\n+ c\n", [(True, "a"), (True, "b"), (True, "c")]),
        ("- a\n  - b\n    - c\n", [(True, "a\n- b\n  - c")]),
        ("1. a\n2. b\n", [(True, "a"), (True, "b")]),
        ("Steps:\n1. a\n2. b\n", [(False, "Steps:\n1. a\n2. b")]),
        ("```\n- a\n# b\n```\n", [(False, "```\n- a\n# b\n```")]),
        ("- a\n  ```\n  # b\n  ```\n- c\n", [(True, "a\n```\n# b\n```"), (True, "c")]),
        ("<!-- - a -->\n- b\n", [(True, "b")]),
        ("```\nnever closed\n- a\n", [(False, "```\nnever closed\n- a")]),
        ("<!-- never closed\n- a\n", []),
    ],
)
def test_markdown_is_taken_apart(text, found):
    assert [(block.is_item, block.text) for block in blocks(text)] == found


def test_a_list_keeps_what_announces_it():
    found = list(blocks("# T\n\nNever do:\n\n- a\n- b\n\n## U\n- c\n"))

    assert [(one.headings, one.introduced_by, one.text) for one in found] == [
        (("T",), "Never do:", "a"),
        (("T",), "Never do:", "b"),
        (("T", "U"), "", "c"),
    ]
