"""The real programs of five hosts, offline, in a linked worktree: our text reaches their model.

They are skipped where the programs are not there (``tests.support.agent_programs``).
"""

from __future__ import annotations

import subprocess

import pytest

from git_knowl.services.agents import wording
from tests.support.agent_programs import HERE, PATTERNS, USER, VARIABLE, WINDOW, Stage, program
from tests.support.cli import Knowl
from tests.support.model_protocols import helps, reads, runs
from tests.support.people import CART, person, write
from tests.support.seal import ROOT

QUESTION = "why does the cart price double above three pieces?"
TASK = "look at the folder"
INDEX = "What earlier sessions found out in this repository"
FILE = "What earlier sessions found out about this file"
FIT = "Entries that may bear on the question"
REFUSED = "only a person runs it"
WAITS = "1 flag waits to be written up"

pytestmark = pytest.mark.slow


def hosts(*names):
    """Run a test for some hosts, each where its program is."""
    marks = [
        pytest.param(
            name, marks=pytest.mark.skipif(not program(name), reason=f"{VARIABLE} lacks {name}")
        )
        for name in names
    ]
    return pytest.mark.parametrize("host", marks)


@pytest.fixture
def stage(repo, tmp_path):
    write(person(repo), "cart-doubles", CART, description="Read before touching the cart price")
    here = repo.worktree("beside", "topic")
    home = tmp_path / "home"
    home.mkdir()
    return Stage(repo.path, here.path, home, tmp_path / "requests")


def look(host, stage):
    """Return the step that looks at the cart, by the tool each host has for it."""
    return runs("cat lib/cart.ts") if host == "codex" else reads(str(stage.here / "lib/cart.ts"))


@hosts(*PATTERNS)
def test_the_index_the_fit_and_the_entries_on_a_file_arrive_once(stage, host):
    with stage.host(host, look(host, stage), runs("true"), look(host, stage)) as ask:
        ask(QUESTION)
    last = stage.turns()[-1]

    assert [last.count(text) for text in (INDEX, FIT, FILE)] == [1, 1, 1]
    assert "Above three pieces the price doubles" in last
    assert "persisted-output" not in last


@hosts(*PATTERNS)
@pytest.mark.parametrize("scopes", [(USER,), (HERE, USER)], ids=["user", "both"])
def test_for_a_user_and_a_repository_together_everything_arrives_once(stage, host, scopes):
    with stage.host(host, look(host, stage), scopes=scopes) as ask:
        ask(QUESTION)
    last = stage.turns()[-1]

    assert [last.count(text) for text in (INDEX, FIT, FILE)] == [1, 1, 1]


@hosts(*PATTERNS)
def test_a_command_line_that_names_a_file_brings_the_entries_on_it(stage, host):
    with stage.host(host, runs("cat lib/cart.ts")) as ask:
        ask(QUESTION)

    assert FILE in stage.turns()[-1]


@hosts(*PATTERNS)
def test_what_only_a_person_may_run_is_not_run(stage, host):
    with stage.host(host, runs("git knowl ui")) as ask:
        ask(QUESTION)
    last = stage.turns()[-1]

    assert REFUSED in last or "denied" in last


@hosts("claude", "codex", "copilot", "opencode")
def test_a_subagent_gets_an_index_of_its_own(stage, host):
    with stage.host(host, helps(TASK), runs("sleep 3"), runs("sleep 3")) as ask:
        ask(QUESTION)
    helpers = [turn for turn in stage.turns() if TASK in turn and QUESTION not in turn]

    assert helpers
    assert all(turn.count(INDEX) == 1 for turn in helpers)


@hosts("codex", "opencode")
def test_what_a_compaction_takes_is_told_again(stage, host):
    full = runs("true", tokens=WINDOW - 3_000)
    with stage.host(host, look(host, stage), full, runs("cat lib/cart.ts")) as ask:
        ask(QUESTION)
    last = stage.turns()[-1]

    assert FIT not in last
    assert [last.count(text) for text in (INDEX, FILE)] == [1, 1]


@hosts("copilot")
def test_copilot_is_told_the_index_again_while_it_compacts(stage, host):
    full = runs("true", tokens=WINDOW - 3_000)
    with stage.host(host, full, runs("true"), runs("true"), runs("true")) as ask:
        ask(QUESTION)

    assert max(turn.count(INDEX) for turn in stage.turns()) > 1
    assert INDEX in stage.turns()[-1]


@hosts("claude")
def test_claude_code_is_told_the_index_again_after_compaction(stage, host):
    with stage.host(host, look(host, stage)) as ask:
        ask(QUESTION)
        ask("/compact", "--continue")
        ask("go on", "--continue")
    last = stage.turns()[-1]

    assert FIT not in last
    assert last.count(INDEX) == 1


@hosts("claude")
def test_claude_code_reminds_the_person_of_a_flag_and_not_the_model(stage, host):
    Knowl(stage.here).ok("flag", "the cart is odd", "-p", "lib/cart.ts")
    with stage.host(host) as ask:
        told = ask(QUESTION)

    assert WAITS in told
    assert WAITS not in stage.seen()


@hosts("claude", "codex", "copilot")
def test_the_skill_for_a_capture_is_on_the_list(stage, host):
    with stage.host(host) as ask:
        ask(QUESTION)

    assert wording.DESCRIPTION in stage.seen()


@hosts("opencode")
def test_the_command_for_a_capture_says_what_to_do(stage, host):
    with stage.host(host) as ask:
        ask("", "--command", "knowl-capture")

    assert "It prints the flags that wait" in stage.seen()


@hosts("gemini")
def test_the_command_of_gemini_works_where_no_index_is_put_before_it(stage, repo, host):
    repo.git("update-ref", "-d", "refs/knowl/entries")
    with stage.host(host) as ask:
        ask("/knowl-capture")

    assert "It prints the flags that wait" in stage.seen()


@hosts("claude")
def test_claude_code_is_told_the_same_by_the_plugin_and_takes_its_manifest(stage, host):
    folder = str(ROOT / "docs/plugins/claude")
    argv = [str(program("claude")), "plugin", "validate", folder]
    valid = subprocess.run(argv, capture_output=True, check=False, cwd=stage.here)
    with stage.host(host, look(host, stage), scopes=()) as ask:
        ask(QUESTION, "--plugin-dir", folder)

    assert valid.returncode == 0
    assert b"knowl-capture" in valid.stdout
    assert "git-knowl:knowl-capture" in stage.seen()
    assert [stage.turns()[-1].count(text) for text in (INDEX, FIT, FILE)] == [1, 1, 1]
