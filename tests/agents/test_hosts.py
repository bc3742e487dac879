"""Every host with the event JSON its documentation shows, and with what it should never send."""

from __future__ import annotations

import json
import shutil
from importlib import import_module

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_knowl.services.agents import journal
from git_knowl.services.agents.hosts.base import ABSENT, CAPABILITIES, DOCUMENTED, VERIFIED
from git_knowl.services.agents.hosts.table import HOSTS, profile
from tests.support.agent_host import Claude, Host
from tests.support.cli import Knowl
from tests.support.people import CART, person, write
from tests.support.seal import ROOT

CUES = "surprise: reality overturned"
INDEX = "What earlier sessions found out in this repository"
FILE = "What earlier sessions found out about this file"
FIT = "Entries that may bear on the question"
QUESTION = "why does the cart price double above three pieces?"
UI = "git knowl ui"


@pytest.fixture
def told(repo, knowl):
    write(person(repo), "cart-doubles", CART, description="Read before touching the cart price")
    knowl.ok("index")
    return repo


def context(answer):
    """Return the text for the agent, in whichever envelope it came."""
    inner = answer.get("hookSpecificOutput", answer)
    return next((inner[key] for key in ("additionalContext", "additional_context", "context")
                 if key in inner), "")  # fmt: skip


def claude_like(told):
    return {"session_id": "s", "transcript_path": None, "cwd": str(told.path)}


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_claude_code_and_codex_are_told_in_the_envelope_of_each_event(told, name):
    host = Host(name, told.path, {**claude_like(told), "turn_id": "t", "model": "m"})
    patch = "*** Begin Patch\n*** Update File: lib/cart.ts\n@@\n-a\n+b\n*** End Patch\n"
    edit = {"tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_use_id": "u"}

    start = host.send("SessionStart", hook_event_name="SessionStart", source="startup")
    asked = host.send("UserPromptSubmit", hook_event_name="UserPromptSubmit", prompt=QUESTION)
    before = host.send("PreToolUse", hook_event_name="PreToolUse", **edit)

    for event, answer, text in (
        ("SessionStart", start, INDEX),
        ("UserPromptSubmit", asked, FIT),
        ("PreToolUse", before, FILE),
    ):
        expected = {"hookEventName": event, "additionalContext": context(answer)}
        assert answer["hookSpecificOutput"] == expected
        assert list(answer) == ["hookSpecificOutput"]
        assert text in context(answer)


def test_a_host_that_calls_us_for_the_user_and_for_the_repository_is_told_the_index_once(told):
    host = Host("codex", told.path, claude_like(told))
    first = host.send("SessionStart", source="startup")
    asked = host.send("UserPromptSubmit", prompt=QUESTION)
    again = [host.send("SessionStart", source="startup"),
             host.send("UserPromptSubmit", prompt=QUESTION)]  # fmt: skip
    host.send("PostToolUse", tool_name="shell", tool_input={"cmd": "true"})

    assert INDEX in context(first)
    assert FIT in context(asked)
    assert again == [{}, {}]
    assert INDEX in context(host.send("SessionStart", source="compact"))


@pytest.mark.parametrize("given", [{"cmd": "cat lib/cart.ts"}, {"command": ["cat", "lib/cart.ts"]}])
def test_codex_reads_files_by_its_shell(told, given):
    host = Host("codex", told.path, claude_like(told))

    assert FILE in context(host.send("PostToolUse", tool_name="shell", tool_input=given))


def test_gemini_is_told_after_a_tool_and_again_after_compression(told):
    host = Host("gemini", told.path, {**claude_like(told), "timestamp": "2026-11-29T10:00:00Z"})
    read = {
        "tool_name": "read_file",
        "tool_input": {"absolute_path": str(told.path / "lib/cart.ts")},
    }

    assert INDEX in context(host.send("SessionStart", source="startup"))
    assert FIT in context(host.send("BeforeAgent", prompt=QUESTION))
    assert FILE in context(host.send("AfterTool", **read, tool_response={"llmContent": "x"}))
    assert host.send("AfterTool", **read, tool_response={"error": {"message": "no"}}) == {}
    assert host.send("PreCompress", trigger="manual") == {}
    assert INDEX in context(host.send("BeforeAgent", prompt="go on"))
    assert FILE in context(host.send("AfterTool", **read, tool_response={"llmContent": "x"}))


def test_gemini_tells_before_every_turn_that_it_may_compress_which_means_nothing(told):
    host = Host("gemini", told.path, claude_like(told))
    read = {"tool_name": "read_file", "tool_input": {"file_path": "lib/cart.ts"}}
    host.send("SessionStart", source="startup")
    host.send("AfterTool", **read, tool_response={"llmContent": "x"})
    host.send("PreCompress", trigger="auto")

    assert host.send("AfterTool", **read, tool_response={"llmContent": "x"}) == {}


def test_gemini_is_asked_what_the_user_wrote_and_not_what_it_put_before_it(told):
    host = Host("gemini", told.path, claude_like(told))
    said = context(host.send("SessionStart", source="startup"))
    escaped = said.replace("<", "&lt;").replace(">", "&gt;")
    asked = f"<hook_context>{escaped}</hook_context>\n\n"

    assert FIT in context(host.send("BeforeAgent", prompt=f"{asked}{QUESTION}"))
    assert host.send("BeforeAgent", prompt=f"{asked}thank you") == {}


@pytest.mark.parametrize(
    ("name", "event", "call", "answer"),
    [
        ("gemini", "BeforeTool", {"tool_name": "run_shell_command", "tool_input": "…"}, "reason"),
        ("opencode", "before", {"tool": "bash", "args": "…"}, "denied"),
        ("cursor", "beforeShellExecution", {}, "agent_message"),
    ],
)
def test_where_nothing_can_be_said_before_a_command_it_is_said_after_it(
    told, name, event, call, answer
):
    host = Host(name, told.path, {"session_id": "s", "session": "s", "cwd": str(told.path)})

    def given(line):
        inner = {"command": line}
        return {**{key: inner if value == "…" else value for key, value in call.items()}, **inner}

    assert host.send(event, **given("cat lib/cart.ts")) == {}
    assert "only a person runs it" in host.send(event, **given(UI))[answer]


def test_copilot_is_told_at_the_top_of_its_answers_and_refused_there(told):
    common = {"sessionId": "c", "timestamp": 1, "workingDirectory": str(told.path)}
    host = Host("copilot", told.path, common)
    edit = {"toolName": "edit", "toolArgs": json.dumps({"path": "lib/cart.ts"})}

    assert INDEX in host.send("sessionStart", source="new", initialPrompt="x")["additionalContext"]
    assert FIT in host.send("userPromptSubmitted", prompt=QUESTION)["additionalContext"]
    assert FILE in host.send("preToolUse", **edit)["additionalContext"]
    assert host.send("postToolUse", **edit, toolResult={"resultType": "failure"}) == {}
    refused = host.send("preToolUse", toolName="bash", toolArgs={"command": UI})
    assert refused["permissionDecision"] == "deny"
    assert INDEX in host.send("subagentStart", agentId="a")["additionalContext"]


def test_cursor_is_told_at_the_start_and_refused_at_its_shell(told):
    common = {"conversation_id": "c", "generation_id": "g", "workspace_roots": [str(told.path)]}
    host = Host("cursor", told.path, {**common, "cursor_version": "3.0", "model": "m"})

    assert INDEX in host.send("sessionStart")["additional_context"]
    assert host.send("beforeShellExecution", command="ls", cwd=str(told.path)) == {}
    refused = host.send("beforeShellExecution", command=UI, cwd=str(told.path))
    assert refused["permission"] == "deny"
    assert host.send("sessionEnd") == {}


def test_opencode_is_told_by_the_plugin_that_asks(told):
    host = Host("opencode", told.path, {"session": "o", "cwd": str(told.path)})

    assert INDEX in host.send("start")["context"]
    assert FIT in host.send("prompt", prompt=QUESTION)["context"]
    assert INDEX in Host("opencode", told.path, {"session": "of-o"}).send("helper")["context"]
    assert host.send("before", tool="bash", args={"command": "cat lib/cart.ts"}) == {}
    assert FILE in host.send("after", tool="read", args={"filePath": "lib/cart.ts"})["context"]
    assert "only a person" in host.send("before", tool="bash", args={"command": UI})["denied"]
    assert host.send("compacting") == {}
    assert FILE in host.send("after", tool="read", args={"filePath": "lib/cart.ts"})["context"]


@pytest.mark.parametrize("name", HOSTS)
def test_every_profile_says_of_every_capability_how_it_is_known(name):
    found = profile(name)

    assert name == found.NAME
    assert list(found.CAPABILITIES) == list(CAPABILITIES)
    assert set(found.CAPABILITIES.values()) <= {VERIFIED, DOCUMENTED, ABSENT}
    assert set(found.MATCHERS) <= set(found.EVENTS)
    assert bool(found.VERSION) == (VERIFIED in found.CAPABILITIES.values())
    assert import_module(f"git_knowl.services.agents.hosts.{name}").__doc__


HOSTS_AND_EVENTS = [(name, event) for name in HOSTS for event in profile(name).EVENTS]
ODD = [
    b"",
    b"null",
    b"[]",
    b"{",
    b"\xff\xfe",
    b'"text"',
    b"[" * 100_000,
    b'{"cwd": 5, "session_id": [], "tool_input": "x", "tool_name": null, "prompt": {}}',
    b'{"cwd": "/nonexistent", "workspace_roots": 7, "toolArgs": "{"}',
    b'{"session_id": "\\ud800", "prompt": "\\ud800\\u0000 the cart price", "unknown": {"a": [1]}}',
]


@pytest.mark.parametrize("data", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize(
    ("name", "event"),
    [
        *(("claude", event) for event in ("SessionStart", "PreToolUse", "UserPromptSubmit")),
        ("copilot", "postToolUse"),
        ("cursor", "sessionStart"),
    ],
)
def test_a_host_never_sees_an_error_whatever_it_sends(told, name, event, data):
    done = Host(name, told.path).raw(event, data)

    assert done.out == "" or isinstance(json.loads(done.out), dict)


def test_the_page_on_agents_has_the_capabilities_of_the_profiles():
    page = (ROOT / "docs/agents.md").read_text(encoding="utf-8")

    for name in CAPABILITIES:
        known = [profile(host).CAPABILITIES[name] for host in HOSTS]
        assert f"| {' | '.join((name, *known))} |" in page
    for host in HOSTS:
        assert f"{HOSTS[host]} {profile(host).VERSION}".strip() in page


KEYS = st.sampled_from(
    [
        *("session_id", "sessionId", "cwd", "tool_input", "toolArgs", "tool_name", "toolName"),
        *("prompt", "source", "args", "agent_id", "tool_response", "workspace_roots"),
    ]
)
INNER = st.sampled_from(["file_path", "path", "command", "mode", "error", "resultType", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(INNER, inner),
    max_leaves=5,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pair=st.sampled_from(HOSTS_AND_EVENTS), payload=st.dictionaries(KEYS, VALUES))
def test_any_json_object_becomes_an_event_of_texts(pair, payload):
    name, event = pair
    found = profile(name).read(event, payload)

    assert all(isinstance(part, str) for part in (found.session, found.cwd, found.prompt))
    assert all(isinstance(part, str) for part in (found.agent, found.command, found.tool))
    assert all(isinstance(path, str) for path in found.paths)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../outside",
        ".git/config",
        "lib/../../x",
        "nul\0byte",
        "",
        "lib",
        "link/cart.ts",
    ],
)
def test_a_path_that_is_no_file_of_the_worktree_says_nothing(told, path):
    (told.path / "link").symlink_to("lib")

    assert Claude(told.path).edits(path) == ""


def test_what_is_passed_over_leaves_one_line_and_no_text(told):
    claude = Claude(told.path)
    for _ in range(2):
        claude.edits("/etc/passwd")
        claude.asks("secret words " * 50_000)
    claude.send("SessionStart", cwd="/nowhere/secret")

    found = [line.partition(" ")[2] for line in journal.last_lines(told.open(), 9)]
    assert found[:2] == [
        "claude ignored: a path outside the work tree",
        "claude ignored: all but the first part of a long prompt",
    ]
    assert len(found) == 3
    assert "failed: NotARepository" in found[2]
    assert "secret" not in "".join(found)


def test_an_unknown_host_or_event_is_silence_and_a_line_in_the_log(told):
    for host, event in (("emacs", "SessionStart"), ("claude", "TeaTime")):
        assert Host(host, told.path).raw(event, b"{}").out == ""

    assert len(journal.last_lines(told.open(), 9)) == 2


def test_outside_of_a_repository_there_is_silence(tmp_path):
    assert Claude(tmp_path).start() == ""


def test_a_repository_without_a_store_is_left_as_it_is(repo):
    before = sorted((repo.path / ".git").rglob("*"))

    assert all(CUES in Claude(repo.path).start(one) for one in ("startup", "compact"))
    assert CUES in Claude(repo.path, agent="a1").told("SubagentStart")
    assert Claude(repo.path).edits("lib/cart.ts") == Claude(repo.path).asks("what is here?") == ""
    assert sorted((repo.path / ".git").rglob("*")) == before


def test_a_store_from_a_newer_program_says_nothing_and_the_log_tells_why(told):
    newer = "format 99\nreader 99\n"
    blob = told.git("hash-object", "-w", "--stdin", stdin=newer)
    listed = told.git("ls-tree", "refs/knowl/entries").splitlines()
    kept = [line for line in listed if not line.endswith("\tformat")]
    tree = told.git("mktree", stdin="\n".join([*kept, f"100644 blob {blob}\tformat"]) + "\n")
    commit = told.git("commit-tree", tree, "-p", "refs/knowl/entries", "-m", "newer")
    told.git("update-ref", "refs/knowl/entries", commit)

    claude = Claude(told.path)

    assert claude.start() == claude.edits("lib/cart.ts") == claude.asks(QUESTION) == ""
    assert all("failed: FormatError" in line for line in journal.last_lines(told.open(), 3))


def test_a_cache_that_is_none_costs_time_and_nothing_else(told):
    (told.path / ".git/common/knowl/cache-v1.sqlite").write_bytes(b"junk" * 999)
    (told.path / ".git/knowl/verdicts-v1.sqlite").write_bytes(b"junk" * 999)

    assert "cart-doubles" in Claude(told.path).edits("lib/cart.ts")


def test_a_folder_that_cannot_be_written_costs_the_host_nothing(told):
    shutil.rmtree(told.path / ".git/knowl")
    (told.path / ".git/knowl").write_text("in the way")

    Claude(told.path).edits("lib/cart.ts")

    assert "failed: " in journal.last_lines(told.open(), 1)[0]


def test_the_log_holds_no_text_of_anybody_and_stays_short(told):
    host = Host("claude", told.path)
    for _ in range(3):
        host.raw("UserPromptSubmit", b'{"prompt": "secret words"')
    path = told.path / ".git/common/knowl" / journal.FILE
    path.write_bytes(b"x\n" * journal.MOST_BYTES)
    host.raw("UserPromptSubmit", b"[]")

    text = path.read_text()
    assert "secret" not in text
    assert len(text) < journal.MOST_BYTES
    assert text.endswith("ignored: no JSON object\n")


def test_a_hook_in_a_bare_repository_tells_the_index(told, tmp_path):
    bare = tmp_path / "bare.git"
    told.git("clone", "-q", "--bare", "--mirror", str(told.path), str(bare))
    told.git(f"--git-dir={bare}", "fetch", "-q", str(told.path), "refs/knowl/*:refs/knowl/*")

    assert INDEX in Claude(bare).start()


def test_a_person_may_type_the_command_and_is_told_its_usage(told):
    assert "HOST" in Knowl(told.path)("agent", "hook", "--help").out
