"""What a host waits for: whole hook calls of an agent's session, beside a bare Python start.

``python -m tests.bench.agents [--rounds N]`` prints a Markdown table. Every call is a process that
gets the JSON of Claude Code on its standard input; each round is a session of its own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

from tests.bench.clockwork import Spread, command, in_turns
from tests.bench.stage import Stage, environment

#: Files and entries.
SIZES = ((500, 100), (5_000, 1_000), (5_000, 10_000))
BARE = "bare start"


class Bench:
    """A repository with a store, and hook calls in it."""

    def __init__(self, base: Path, files: int, entries: int, env: dict[str, str]) -> None:
        self.stage = Stage(base / f"files{files}-{entries}", files, entries, env).build()
        self.number = count()
        command(["git-knowl", "index"], env, str(self.stage.path))()

    def call(self, event: str, **payload: object) -> Callable[[], None]:
        """Return a hook call in a session that knows nothing yet."""

        def run() -> None:
            session = f"s{next(self.number)}"
            told = {"session_id": session, "cwd": str(self.stage.path), **payload}
            subprocess.run(
                ["git-knowl", "agent", "hook", "claude", event],
                input=json.dumps({**told, "hook_event_name": event}).encode(),
                env=self.stage.env, cwd=self.stage.path, check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip

        return run

    def tool(self, event: str, path: str) -> Callable[[], None]:
        """Return a hook call about a tool that touches a file."""
        return self.call(event, tool_name="Edit", tool_input={"file_path": path})

    def edited(self) -> Callable[[], None]:
        """Return a hook call after an edit of an anchored file: its verdict must be found out."""
        path = self.stage.path / self.stage.file(7)
        call = self.tool("PostToolUse", str(path))

        def run() -> None:
            path.write_text(f"changed {next(self.number)}\n")
            call()

        return run

    def measure(self, rounds: int) -> dict[str, Spread]:
        """Time all kinds of calls in turns, and afterwards those with a changed file."""
        anchored = str(self.stage.path / self.stage.file(3))
        asked = "why was the retry budget of the supplier cart measured"
        bare = command([sys.executable, "-I", "-c", "pass"], self.stage.env, "/")
        warm = {
            BARE: bare,
            "session start, index": self.call("SessionStart", source="startup"),
            "before an edit, nothing on the file": self.tool("PreToolUse", "README"),
            "before an edit, entries on the file": self.tool("PreToolUse", anchored),
            "after a tool call, counted": self.call("PostToolUse", tool_name="Task"),
            "a question": self.call("UserPromptSubmit", prompt=asked),
            "stop": self.call("Stop"),
        }
        found = in_turns(warm, rounds)
        cold = in_turns({BARE: bare, "after an edit, judged afresh": self.edited()}, rounds)
        base = cold.pop(BARE)
        scaled = {
            name: Spread(one.low / base.low * found[BARE].low,
                         one.middle / base.middle * found[BARE].middle)
            for name, one in cold.items()
        }  # fmt: skip
        return found | scaled


def main() -> int:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--quick", action="store_true", help="the smallest store alone")
    given = options.parse_args()
    program = shutil.which("git-knowl") or str(Path(sys.executable).with_name("git-knowl"))
    print("| hook call | files | entries | bare starts (min / median) |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="knowl-bench-") as folder:
        env = environment(Path(folder), program)
        for files, entries in SIZES[:1] if given.quick else SIZES:
            report(Bench(Path(folder), files, entries, env), given.rounds)
    return 0


def report(bench: Bench, rounds: int) -> None:
    """Print a row for every kind of call."""
    found = bench.measure(rounds)
    bare = found.pop(BARE)
    for name, one in found.items():
        ratio = f"{one.low / bare.low:.2f} / {one.middle / bare.middle:.2f}"
        print(f"| {name} | {bench.stage.files:,} | {bench.stage.entries:,} | {ratio} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
