"""The real programs of two hosts, offline, in a linked worktree: our text reaches their model.

The programs are large, so these tests run where ``PYTEST_AGENT_PROGRAMS`` names a folder that has
them: `npm pack @anthropic-ai/claude-code-linux-x64` unpacked as ``claude/``, and the platform
package of `@openai/codex` as ``codex/``. Without it they are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.cli import Knowl
from tests.support.model_stand_in import stand_in
from tests.support.people import CART, person, write
from tests.support.seal import ROOT

VARIABLE = "PYTEST_AGENT_PROGRAMS"
FOLDER = Path(os.environ.get(VARIABLE, "/nonexistent"))
CLAUDE = FOLDER / "claude/package/claude"
CODEX = next(iter(FOLDER.glob("codex/package/vendor/*/bin/codex")), FOLDER / "codex")
QUESTION = "why does the cart price double above three pieces?"
INDEX = "What earlier sessions found out in this repository"
FILE = "What earlier sessions found out about this file"
FIT = "Entries that may bear on the question"

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Stage:
    """A repository with a store, a worktree beside it, and what the model was sent."""

    main: Path
    here: Path
    home: Path
    log: Path

    def turns(self) -> list[str]:
        """Return the bodies that reached the model, as JSON."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [json.dumps(json.loads(line)["body"], ensure_ascii=False) for line in lines]

    def seen(self) -> str:
        """Return all that reached the model."""
        return "\n".join(self.turns())

    def run(self, argv: list[str], **env: str) -> None:
        """Run an agent program in the worktree, with a home folder of its own."""
        kept = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            argv, cwd=self.here, env={**kept, **env}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        assert self.log.exists(), done.stderr.decode()


@pytest.fixture
def stage(repo, tmp_path):
    write(person(repo), "cart-doubles", CART, description="Read before touching the cart price")
    here = repo.worktree("beside", "topic")
    home = tmp_path / "home"
    home.mkdir()
    return Stage(repo.path, here.path, home, tmp_path / "requests")


claude = pytest.mark.skipif(not CLAUDE.exists(), reason=f"{VARIABLE} has no Claude Code")
codex = pytest.mark.skipif(not CODEX.exists(), reason=f"{VARIABLE} has no Codex")
REFUSED = "git knowl ui"


@claude
def test_claude_code_in_a_worktree_sends_the_index_the_fit_and_the_entries_on_a_file(stage):
    seen = asked_claude(stage, read=str(stage.here / "lib/cart.ts"))

    assert INDEX in seen
    assert FIT in seen
    assert FILE in seen
    assert "persisted-output" not in seen


@claude
def test_claude_code_sends_the_entries_on_a_file_that_a_command_line_names(stage):
    assert FILE in asked_claude(stage, line="cat lib/cart.ts")


@claude
def test_claude_code_does_not_run_what_only_a_person_may(stage):
    seen = asked_claude(stage, line=REFUSED, flags=("--dangerously-skip-permissions",))

    assert "tool_result" in seen
    assert "denied" in seen


@claude
def test_claude_code_is_told_the_same_by_the_plugin(stage):
    flags = ("--plugin-dir", str(ROOT / "docs/plugins/claude"))
    seen = asked_claude(stage, flags, install=False, read=str(stage.here / "lib/cart.ts"))

    assert INDEX in seen
    assert FILE in seen


@codex
def test_codex_in_a_worktree_sends_the_index_the_fit_and_the_entries_on_a_file(stage):
    seen = asked_codex(stage, line="cat lib/cart.ts")

    assert INDEX in seen
    assert FIT in seen
    assert FILE in seen


@codex
def test_codex_does_not_run_what_only_a_person_may(stage):
    assert "only a person runs it" in asked_codex(stage, line=REFUSED)


def asked_claude(stage, flags=(), *, install=True, **tool):
    if install:
        Knowl(stage.here).ok("agent", "install", "claude", "--no-block")
    with stand_in(stage.log, **tool) as port:
        stage.run(
            [str(CLAUDE), "-p", QUESTION, "--output-format", "json", *flags],
            ANTHROPIC_API_KEY="dummy",
            ANTHROPIC_BASE_URL=f"http://127.0.0.1:{port}",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            IS_SANDBOX="1",
        )
    return stage.seen()


def asked_codex(stage, **tool):
    Knowl(stage.here).ok("agent", "install", "codex", "--no-block")
    folder = stage.home / ".codex"
    folder.mkdir()
    with stand_in(stage.log, **tool) as port:
        (folder / "config.toml").write_text(codex_config(port, stage), encoding="utf-8")
        stage.run(
            [str(CODEX), "exec", "--dangerously-bypass-hook-trust", QUESTION],
            CODEX_HOME=str(folder),
            KEY="x",
        )
    return stage.seen()


def codex_config(port: int, stage: Stage) -> str:
    trusted = "".join(
        f'[projects."{path}"]\ntrust_level = "trusted"\n' for path in (stage.main, stage.here)
    )
    return (
        'model = "m"\nmodel_provider = "mock"\n'
        '[model_providers.mock]\nname = "mock"\nwire_api = "responses"\nenv_key = "KEY"\n'
        f'base_url = "http://127.0.0.1:{port}/v1"\n{trusted}'
    )
