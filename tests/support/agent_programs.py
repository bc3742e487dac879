"""The real programs of agent hosts, run offline in a linked worktree against a stand-in.

The programs are large, so they are only there where ``PYTEST_AGENT_PROGRAMS`` names a folder that
has them, each in a folder of its own: ``claude`` and ``codex`` hold what `npm pack` gives for
`@anthropic-ai/claude-code-linux-x64` and the platform package of `@openai/codex`, unpacked, and
``gemini``, ``copilot``, ``opencode`` what `npm install` makes of `@google/gemini-cli`,
`@github/copilot` and `opencode-linux-x64`.
"""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.cli import Knowl
from tests.support.model_stand_in import stand_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.model_protocols import Step

VARIABLE = "PYTEST_AGENT_PROGRAMS"
FOLDER = Path(os.environ.get(VARIABLE, "/nonexistent"))
PATTERNS = {
    "claude": "package/claude",
    "codex": "package/vendor/*/bin/codex",
    "gemini": "node_modules/@google/gemini-cli/bundle/gemini.js",
    "copilot": "node_modules/@github/copilot-linux-x64/copilot",
    "opencode": "node_modules/opencode-linux-x64/bin/opencode",
}
HERE, USER = "", "--user"
#: A context of so many tokens is what the hosts are told they have, where they ask us.
WINDOW = 100_000


def program(host: str) -> Path | None:
    """Return the program of a host, None where it is not there."""
    return next(FOLDER.glob(f"{host}/{PATTERNS[host]}"), None)


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

    def run(self, argv: list[str], **env: str) -> str:
        """Run an agent program in the worktree, with a home folder of its own; return its talk."""
        kept = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            argv, cwd=self.here, env={**kept, **env}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        return (done.stdout + done.stderr).decode("utf-8", "replace")

    @contextmanager
    def host(
        self, name: str, *steps: Step, scopes: tuple[str, ...] = (HERE,)
    ) -> Iterator[Callable[..., str]]:
        """Yield how to ask a host something: its question and more arguments.

        It calls us in this repository, or for this user, or both. The model goes through the steps,
        however often it is asked.
        """
        folders = {"HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / ".config")}
        knowl = Knowl(self.here, folders)
        for scope in scopes:
            knowl.ok("agent", "install", name, *([scope] if scope else []))
        with stand_in(self.log, *steps) as port:
            yield lambda ask, *more: STARTS[name](self, port, ask, more)


def start_claude(stage: Stage, port: int, ask: str, more: tuple[str, ...]) -> str:
    """Ask Claude Code."""
    return stage.run(
        [str(program("claude")), "-p", ask, "--output-format", "stream-json", "--verbose",
         "--dangerously-skip-permissions", *more],
        ANTHROPIC_API_KEY="dummy",
        ANTHROPIC_BASE_URL=f"http://127.0.0.1:{port}",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        IS_SANDBOX="1",
    )  # fmt: skip


def start_codex(stage: Stage, port: int, ask: str, more: tuple[str, ...]) -> str:
    """Ask Codex; nobody is there to trust the hooks."""
    folder = stage.home / ".codex"
    folder.mkdir(exist_ok=True)
    trusted = "".join(
        f'[projects."{path}"]\ntrust_level = "trusted"\n' for path in (stage.main, stage.here)
    )
    (folder / "config.toml").write_text(
        'model = "m"\nmodel_provider = "mock"\n'
        f"model_context_window = {WINDOW}\nmodel_auto_compact_token_limit = {WINDOW - 10_000}\n"
        "[features]\nmulti_agent = true\n"
        '[model_providers.mock]\nname = "mock"\nwire_api = "responses"\nenv_key = "KEY"\n'
        f'base_url = "http://127.0.0.1:{port}/v1"\n{trusted}',
        encoding="utf-8",
    )
    freely = ("--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox")
    return stage.run(
        [str(program("codex")), "exec", *freely, ask, *more], CODEX_HOME=str(folder), KEY="x"
    )


def start_gemini(stage: Stage, port: int, ask: str, more: tuple[str, ...]) -> str:
    """Ask Gemini CLI."""
    folder = stage.home / ".gemini"
    folder.mkdir(exist_ok=True)
    told = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
    }
    settings = folder / "settings.json"
    kept = json.loads(settings.read_text(encoding="utf-8")) if settings.exists() else {}
    settings.write_text(json.dumps({**kept, **told}), encoding="utf-8")
    return stage.run(
        ["node", str(program("gemini")), "-p", ask, "--yolo", "-m", "gemini-2.5-pro", *more],
        GEMINI_API_KEY="x",
        GOOGLE_GEMINI_BASE_URL=f"http://127.0.0.1:{port}",
        GEMINI_CLI_TRUST_WORKSPACE="true",
    )


def start_copilot(stage: Stage, port: int, ask: str, more: tuple[str, ...]) -> str:
    """Ask Copilot CLI; it unpacks itself once."""
    return stage.run(
        [str(program("copilot")), "-p", ask, "--allow-all-tools", "--trust-folder", *more],
        XDG_CACHE_HOME=str(FOLDER / "cache"),
        COPILOT_OFFLINE="true",
        COPILOT_PROVIDER_BASE_URL=f"http://127.0.0.1:{port}/v1",
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS=str(WINDOW),
        COPILOT_PROVIDER_API_KEY="x",
        COPILOT_MODEL="gpt-4.1",
    )


def start_opencode(stage: Stage, port: int, ask: str, more: tuple[str, ...]) -> str:
    """Ask OpenCode; what it would fetch from a registry of packages it does without."""
    here = f"http://127.0.0.1:{port}"
    model = {"name": "m", "limit": {"context": WINDOW, "output": 4_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "mock",
        "options": {"baseURL": f"{here}/v1", "apiKey": "x"},
        "models": {"m": model},
    }
    told = {"model": "mock/m", "autoupdate": False, "provider": {"mock": provider}}
    return stage.run(
        [str(program("opencode")), "run", ask, *more],
        OPENCODE_CONFIG_CONTENT=json.dumps(told),
        OPENCODE_DISABLE_MODELS_FETCH="1",
        OPENCODE_DISABLE_AUTOUPDATE="1",
        npm_config_registry=f"{here}/",
        npm_config_fetch_retries="0",
    )


STARTS: dict[str, Callable[[Stage, int, str, tuple[str, ...]], str]] = {
    "claude": start_claude,
    "codex": start_codex,
    "gemini": start_gemini,
    "copilot": start_copilot,
    "opencode": start_opencode,
}
