"""Host events in, our answers out: from a flag in one session to the index of the next."""

from __future__ import annotations

import json

from tests.support.agent_host import Claude
from tests.support.cli import Knowl
from tests.support.people import KIM

SUMMARY = "totals double above three pieces because the supplier ships pairs"
QUESTION = "why do the totals of the cart double above three pieces?"


def test_what_one_session_flags_a_person_reviews_and_the_next_session_knows(repo, knowl):
    repo.worktree("beside", "topic")
    agent = Knowl(repo.path, {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"})
    first = Claude(repo.path, "s-1")

    # The first session hears what is worth a flag, works, and flags what it found out.
    greeting = first.start()
    assert "would a future session pay for it again?" in greeting
    assert "\n- " not in greeting
    assert first.edits("lib/cart.ts") == ""
    line = f"git knowl flag '{SUMMARY}' -p lib/cart.ts"
    flag = agent.ok("flag", SUMMARY, "-p", "lib/cart.ts").strip()
    assert first.runs(line) == ""
    assert "1 flag waits" in first.stops()
    assert first.stops() == ""

    # Asked by the person, it writes the flag up; it may not accept what it wrote.
    packet = agent.ok("capture")
    assert flag in packet
    entry = {
        "name": "cart-doubles",
        "description": "Read before touching totals of the cart",
        "type": "project",
        "body": f"The {SUMMARY}. Why: the contract. False when it ships single pieces.",
        "anchors": ["file:lib/cart.ts"],
    }
    payload = {"items": [{"kind": "capture", "flags": [flag], "entry": entry}]}
    draft = agent.json("capture", "--submit", "-", stdin=json.dumps(payload))["drafts"][0]
    assert first.runs("git knowl capture --submit -") == ""
    accept = ("review", "--accept", draft, "--reviewer", KIM)
    refused = first.send(
        "PreToolUse", tool_name="Bash", tool_input={"command": f"git knowl {' '.join(accept)}"}
    )
    assert refused["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert agent(*accept).code == 1
    assert first.stops() == ""

    # The person accepts; the session that runs is told of it, once.
    knowl.ok(*accept)
    news = first.told("PostToolUse", tool_name="Task")
    assert "- cart-doubles" in news
    assert first.told("PostToolUse", tool_name="Task") == ""

    # The next session, in another worktree, begins with it, and gets it where it matters.
    there = repo.path.parent / "beside"
    second = Claude(there, "s-2")
    assert "- cart-doubles — Read before touching totals of the cart [unattended]" in second.start()
    assert "- cart-doubles" in second.asks(QUESTION)
    assert SUMMARY in second.edits(str(there / "lib/cart.ts"))
    assert second.edits(str(there / "lib/cart.ts")) == ""

    # It changes the code: the entry is suspect there, and there only.
    (there / "lib/cart.ts").write_text("export const total = (n) => n\n")
    assert "[suspect]" in second.edits("lib/cart.ts", event="PostToolUse")
    assert "[suspect] [unattended]" in second.start("compact")
    assert "[suspect] [unattended]" not in Claude(repo.path, "s-3").start()
