"""The memory folder of a coding agent becomes drafts: topics with what the index says of them."""

from __future__ import annotations

import os

import pytest

from git_knowl.services.exchange.import_ import import_path
from tests.support.contexts import inbox_of
from tests.support.people import person, tips

INDEX = """\
# Memory

- [Who Kim is](user_role.md) — short answers only
- [Lint](feedback_lint.md) - which lint to run
- [[cart-steps]]: what is next for the cart
- [gone](gone.md) — nothing any more
- [out](../../etc/passwd.md) — not ours

## Build

- The build needs node 18 exactly: 20 breaks the loader
See debugging.md for what was tried.
"""
USER = """\
---
name: User role
description: Kim is a data scientist: prefers terse answers
type: user
---
Kim is a data scientist.
"""
FEEDBACK = """\
---
name: no-full-lint
description: "Which lint to run"
metadata:
  node_type: memory
  type: feedback
  originSessionId: abd31d05-4f5f-4d33-a4de-fcacef7d0773
---
Never run the full lint.

**Why:** three minutes.
**How to apply:** run the one of `lib/cart.ts`.
"""


@pytest.fixture
def ctx(repo):
    return person(repo)


@pytest.fixture
def memory(tmp_path):
    folder = tmp_path / "projects" / "x" / "memory"
    folder.mkdir(parents=True)
    put(folder, "MEMORY.md", INDEX)
    put(folder, "user_role.md", USER)
    put(folder, "feedback_lint.md", FEEDBACK)
    put(folder, "cart-steps.md", "# Cart steps\n\nDo the thing. Then more.\n")
    put(folder, "debugging.md", "The loader breaks on node 20. It was tried twice.\n")
    return folder


def put(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def by_name(ctx):
    return {draft.name: draft for draft in inbox_of(ctx).drafts}


def test_every_topic_and_every_line_of_the_index_is_a_draft(ctx, memory):
    done = import_path(ctx, str(memory))

    assert done.form == "memory"
    assert sorted(by_name(ctx)) == [
        "build-needs-node-18-exactly-20-breaks",
        "cart-steps",
        "debugging",
        "no-full-lint",
        "user-role",
    ]
    assert done.failed == []


def test_frontmatter_says_name_description_and_type(ctx, memory):
    import_path(ctx, str(memory))
    lint = by_name(ctx)["no-full-lint"]

    assert (lint.entry.type, lint.entry.description) == ("feedback", "Which lint to run")
    assert lint.entry.source.ref == (
        "import of memory/feedback_lint.md, session abd31d05-4f5f-4d33-a4de-fcacef7d0773"
    )
    assert [one.path for one in lint.entry.anchors] == ["lib/cart.ts"]
    assert lint.lane == "local"


def test_frontmatter_that_is_no_yaml_is_read_line_by_line(ctx, memory):
    import_path(ctx, str(memory))
    user = by_name(ctx)["user-role"]

    assert user.entry.description == "Kim is a data scientist: prefers terse answers"
    assert (user.entry.type, user.entry.provenance) == ("project", "stated")
    assert any("gives no reason" in told for told in user.warnings)


def test_without_frontmatter_the_index_says_what_it_is_about(ctx, memory):
    import_path(ctx, str(memory))
    drafts = by_name(ctx)

    assert drafts["cart-steps"].entry.description == (
        "When it is about Cart steps: what is next for the cart"
    )
    assert drafts["debugging"].entry.description == (
        "When it is about debugging: The loader breaks on node 20."
    )


def test_links_out_of_the_folder_and_to_nothing_are_told(ctx, memory):
    done = import_path(ctx, str(memory))

    assert [told.rpartition(": ")[2] for told in done.left_out] == [
        "it links to gone.md, which is not in the folder",
        "it links to ../../etc/passwd.md, which is not in the folder",
    ]


@pytest.mark.parametrize("path", ["memory", "memory/MEMORY.md", "."])
def test_the_folder_is_found_from_its_index_or_from_above(ctx, memory, path):
    done = import_path(ctx, os.path.join(str(memory.parent), path))

    assert (done.form, len(done.drafts)) == ("memory", 5)


def test_importing_again_from_elsewhere_changes_nothing(repo, ctx, memory):
    import_path(ctx, str(memory))
    before = tips(repo)
    memory.rename(memory.parent / "moved")

    done = import_path(ctx, str(memory.parent / "moved"))

    assert (done.drafts, len(done.unchanged)) == ((), 5)
    assert tips(repo) == before


def test_a_changed_topic_is_another_draft(ctx, memory):
    import_path(ctx, str(memory))
    put(memory, "debugging.md", "The loader breaks on node 20 and 22.\n")

    done = import_path(ctx, str(memory))

    assert [draft.name for draft in done.drafts] == ["debugging-2"]


def test_links_between_topics_are_followed_by_nobody(ctx, memory):
    put(memory, "a.md", "See [b](b.md), or [the index](MEMORY.md).\n")
    put(memory, "b.md", "See [a](a.md), which says more.\n")

    done = import_path(ctx, str(memory))

    assert len(done.drafts) == 7


@pytest.mark.parametrize("kind", ["file", "folder", "index"])
def test_no_link_of_the_file_system_is_followed(ctx, memory, tmp_path, kind):
    put(tmp_path, "aside/secret.md", "Something that nobody asked to import.\n")
    if kind == "index":
        os.replace(memory / "MEMORY.md", tmp_path / "aside/MEMORY.md")
        os.symlink(tmp_path / "aside/MEMORY.md", memory / "MEMORY.md")
    else:
        target = tmp_path / ("aside/secret.md" if kind == "file" else "aside")
        os.symlink(target, memory / ("secret.md" if kind == "file" else "aside"))

    done = import_path(ctx, str(memory))

    assert "nobody asked" not in str(done.drafts)
    assert (done.form == "memory") is (kind != "index")


def test_raw_logs_of_an_agent_are_left_out(ctx, tmp_path):
    put(tmp_path, "m/MEMORY.md", "# Index\n\n- Builds take long: cache them on disk\n")
    put(tmp_path, "m/raw_memories.md", "Everything that was ever said.\n")
    put(tmp_path, "m/rollout_summaries/one.md", "What one session said.\n")

    done = import_path(ctx, str(tmp_path / "m"))

    assert len(done.drafts) == 1
    assert "raw_memories.md" in done.left_out[0]


def test_memories_inside_each_other_stay_apart(ctx, tmp_path):
    for folder in ("m", "m/agent"):
        put(tmp_path, f"{folder}/MEMORY.md", f"- [one](one.md) — hook of {folder}\n")
        put(tmp_path, f"{folder}/one.md", f"Something about {folder}, plainly.\n")

    done = import_path(ctx, str(tmp_path / "m"))

    assert sorted(draft.entry.description for draft in done.drafts) == [
        "When it is about one: hook of m",
        "When it is about one: hook of m/agent",
    ]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\xff\xfe broken", "expected UTF-8"),
        (b"a\0b is no text\n", "body: expected text without control characters"),
        (b"x" * 1_000_000, "expected at most"),
        (b"word " * 5_000, "body: expected at most 20000"),
    ],
)
def test_a_topic_that_cannot_be_taken_is_told_and_hides_no_other(ctx, memory, data, error):
    (memory / "bad.md").write_bytes(data)

    done = import_path(ctx, str(memory))

    assert len(done.drafts) == 5
    assert len(done.failed) == 1
    assert "bad.md: " in done.failed[0]
    assert error in done.failed[0]


@pytest.mark.parametrize("front", ["a: &a [*a]", "a: " + "[" * 500, "? x", "!!python/none x", "\t"])
def test_frontmatter_made_to_harm_is_no_more_than_text(ctx, memory, front):
    put(memory, "bad.md", f"---\n{front}\n---\nThe text behind it says something.\n")

    done = import_path(ctx, str(memory))

    assert len(done.drafts) == 6
    assert "The text behind it says something." in str(done.drafts)


def test_an_empty_topic_is_left_out(ctx, memory):
    put(memory, "empty.md", "---\nname: x\n---\n\n")

    done = import_path(ctx, str(memory))

    assert any("empty.md: it says nothing" in told for told in done.left_out)
