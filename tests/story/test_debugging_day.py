"""The case the project was created from: what one debugging day leaves behind, and who is warned.

A slow list is traced to a renderer that is instantiated hundreds of times. The day leaves a
guideline, two project entries on components, and a reference on a package version. Later a
well-meant refactor and an upgrade are warned about, and another worktree is untouched.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl

if TYPE_CHECKING:
    from pathlib import Path

LIST = "src/chat/MessageList.vue"
STREAM = "src/chat/MarkStream.vue"
LOCK = "pnpm-lock.yaml"
LIST_TEXT = """<script setup>
const isDark = useDark()
</script>
<template><MarkStream v-for="part in parts" :dark="isDark" /></template>
"""
STREAM_TEXT = """<script setup>
defineProps({ dark: Boolean })
</script>
<template><Render :dark="dark" /></template>
"""
LOCK_TEXT = """lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      markstream-vue:
        specifier: ^0.0.3
        version: 0.0.3

packages:

  markstream-vue@0.0.3:
    resolution: {integrity: sha512-aaaa}

snapshots:

  markstream-vue@0.0.3: {}
"""
PERSON = "Kim <kim@example.org>"
FLAGS = (
    ("every text part of the chat renders its own MarkStream: hundreds in a long chat", [LIST]),
    ("useDark inside MarkStream recalculated styles hundreds of times", [STREAM, LIST]),
    ("markstream-vue 0.0.3 has no batching of its own, whatever its options", [LOCK]),
    ("no global reactive composable in a leaf that is instantiated many times", [STREAM]),
)


def captured(name: str, kind: str, flags: list[str], text: str, anchors: list[str]) -> Any:
    """Return a capture item of the payload."""
    entry = {"name": name, "type": kind, "description": f"Read before touching {name}",
             "body": text, "anchors": anchors}  # fmt: skip
    return {"kind": "capture", "flags": flags, "entry": entry, "tests": {"reused": "yes"}}


def payload(flags: list[str]) -> str:
    """Return what the agent writes from the four flags of the day."""
    cost, model, library, rule = flags
    items = [
        captured("message-list-cost", "project", [cost],
                 "Each text part is an instance of MarkStream. Why: parts stream apart.",
                 [f"file:{LIST}"]),
        captured("dark-is-passed-down", "project", [model],
                 "The list asks useDark once and passes it down. Why: 400 askers took 20 s.",
                 [f"file:{STREAM}", f"file:{LIST}"]),
        captured("markstream-options", "reference", [library],
                 "No option of 0.0.3 batches rendering. Why: read in its source.",
                 ["package:npm/markstream-vue"]),
        {"kind": "guideline", "flags": [rule], "file": "docs/guidelines.md",
         "heading": "Components", "reason": "a convention the team keeps",
         "text": "Do not subscribe to a global reactive composable in a leaf component."},
    ]  # fmt: skip
    return json.dumps({"items": items})


@pytest.fixture
def main(tmp_path: Path) -> RepoBuilder:
    """Give the repository at the end of the debugging day, the fix committed."""
    builder = RepoBuilder.make(tmp_path)
    builder.commit("move useDark up", {LIST: LIST_TEXT, STREAM: STREAM_TEXT, LOCK: LOCK_TEXT})
    return builder


@pytest.fixture
def day(main: RepoBuilder) -> Knowl:
    """Give the command line after flags, capture and review."""
    knowl = Knowl(main.path)
    flags = [
        knowl.ok("flag", text, *(word for path in paths for word in ("-p", path)), "--cue", "cost")
        for text, paths in FLAGS
    ]
    submitted = knowl.json("capture", "--submit", "-", stdin=payload([f.strip() for f in flags]))
    accepts = [word for draft in submitted["drafts"] for word in ("--accept", draft)]
    knowl.ok("review", *accepts, "--reviewer", PERSON)
    return knowl


def verdicts(knowl: Knowl) -> dict[str, str]:
    """Return the verdict of every entry by its name."""
    return {entry["name"]: entry["status"] for entry in knowl.json("ls")["entries"]}


def test_the_day_leaves_three_entries_and_a_guideline(main: RepoBuilder, day: Knowl) -> None:
    """Nothing is lost when the session closes, and the guideline is a file like any code."""
    found = {entry["name"]: entry["type"] for entry in day.json("ls")["entries"]}

    assert found == {"message-list-cost": "project", "dark-is-passed-down": "project",
                     "markstream-options": "reference"}  # fmt: skip
    assert set(verdicts(day).values()) == {"active"}
    assert "global reactive composable" in main.read("docs/guidelines.md")
    assert {flag["outcome"].split()[0] for flag in day.json("inbox")["flags"]} <= {
        "captured", "became",
    }  # fmt: skip
    assert main.git("status", "--porcelain").split() == ["??", "docs/"]


def test_one_review_is_one_commit(main: RepoBuilder, day: Knowl) -> None:
    """History reads well: one operation, however many drafts."""
    subjects = main.git("log", "--format=%s", "refs/knowl/entries").splitlines()

    assert len(subjects) == 2


def test_a_refactor_is_warned_about_and_another_worktree_is_not(
    main: RepoBuilder, day: Knowl
) -> None:
    """Moving useDark back into the leaf turns its entry suspect where that happens."""
    feature = main.worktree("feature")
    there = day.at(feature.path)
    assert set(verdicts(there).values()) == {"active"}

    feature.commit(
        "tidy: keep the dark mode with its user",
        {STREAM: STREAM_TEXT.replace("defineProps", "useDark(); defineProps")},
    )

    assert verdicts(there) == {"message-list-cost": "active", "dark-is-passed-down": "suspect",
                               "markstream-options": "active"}  # fmt: skip
    assert set(verdicts(day).values()) == {"active"}
    [suspect] = [e for e in there.json("audit")["entries"] if e["status"] == "suspect"]
    [anchor] = [a for a in suspect["anchors"] if a["status"] == "suspect"]
    assert anchor["target"] == f"file:{STREAM}"
    assert anchor["commit"] == feature.rev("HEAD")
    line = "- dark-is-passed-down — Read before touching dark-is-passed-down"
    assert f"{line} [suspect]" in there.ok("index")
    assert f"{line} [suspect]" not in day.ok("index")


def test_an_upgrade_turns_the_reference_suspect(main: RepoBuilder, day: Knowl) -> None:
    """What was read in the source of one version may not hold for the next."""
    main.write(LOCK, LOCK_TEXT.replace("0.0.3", "0.1.0"))

    [reference] = [e for e in day.json("ls")["entries"] if e["name"] == "markstream-options"]

    assert reference["status"] == "suspect"
    assert (reference["anchors"][0]["expected"], reference["anchors"][0]["found"]) == (
        "0.0.3", "0.1.0",
    )  # fmt: skip


def test_an_unrelated_package_raises_no_alarm(main: RepoBuilder, day: Knowl) -> None:
    """Only the anchored package counts."""
    main.write(LOCK, LOCK_TEXT.replace("packages:\n", "packages:\n\n  left-pad@1.3.0:\n"
                                       "    resolution: {integrity: sha512-bbbb}\n"))  # fmt: skip

    assert verdicts(day)["markstream-options"] == "active"


def test_the_guideline_went_through_no_ref(main: RepoBuilder, day: Knowl) -> None:
    """A convention is a file to review like code; the store holds knowledge alone."""
    paths = main.git("ls-tree", "-r", "--name-only", "refs/knowl/entries")

    assert "guideline" not in paths
    assert len([path for path in paths.splitlines() if path.startswith("entries/")]) == 3
