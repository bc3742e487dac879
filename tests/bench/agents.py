"""What a host waits for: whole hook calls of an agent's session, beside a bare Python start.

``python -m tests.bench.agents [--rounds N] [--processor]`` prints a Markdown table, of the time
that passes or of what processors spend. Every call is a process that gets the JSON of Claude Code
on its standard input; each round is a session of its own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from tests.bench.clockwork import Spread, command, in_turns, processor_time
from tests.bench.stage import Stage, environment

#: Files and entries.
SIZES = ((500, 100), (5_000, 1_000), (5_000, 10_000))
BARE = "bare start"
ASKED = "why was the retry budget of the supplier cart measured"
VAIN = "please rename the kubernetes ingress and write a poem about its certificates"


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

    def edited(self, call: Callable[[], None]) -> Callable[[], None]:
        """Return a hook call after an edit of an anchored file: its verdict must be found out."""
        path = self.stage.path / self.stage.file(7)

        def run() -> None:
            path.write_text(f"changed {next(self.number)}\n")
            call()

        return run

    def measure(self, rounds: int, clock: Callable[[], float]) -> dict[str, Spread]:
        """Time all kinds of calls in turns, and afterwards those with a changed file."""
        anchored = str(self.stage.path / self.stage.file(3))
        bare = command([sys.executable, "-I", "-c", "pass"], self.stage.env, "/")
        warm = {
            BARE: bare,
            "session start, index": self.call("SessionStart", source="startup"),
            "before an edit, nothing on the file": self.tool("PreToolUse", "README"),
            "before an edit, entries on the file": self.tool("PreToolUse", anchored),
            "after a tool call, counted": self.call("PostToolUse", tool_name="Task"),
            "a question": self.call("UserPromptSubmit", prompt=ASKED),
            "a question that nothing fits": self.call("UserPromptSubmit", prompt=VAIN),
            "stop": self.call("Stop"),
        }
        found = in_turns(warm, rounds, clock)
        edit = self.tool("PostToolUse", str(self.stage.path / self.stage.file(7)))
        after = {
            "after an edit, judged afresh": self.edited(edit),
            "a question after an edit": self.edited(self.call("UserPromptSubmit", prompt=ASKED)),
        }
        cold = in_turns({BARE: bare, **after}, rounds, clock)
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
    options.add_argument("--processor", action="store_true", help="processor time")
    options.add_argument("--quick", action="store_true", help="the smallest store alone")
    given = options.parse_args()
    program = shutil.which("git-knowl") or str(Path(sys.executable).with_name("git-knowl"))
    print("| hook call | files | entries | bare starts (min / median) |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="knowl-bench-") as folder:
        env = environment(Path(folder), program)
        for files, entries in SIZES[:1] if given.quick else SIZES:
            clock = processor_time if given.processor else time.perf_counter
            report(Bench(Path(folder), files, entries, env), given.rounds, clock)
    return 0


def report(bench: Bench, rounds: int, clock: Callable[[], float]) -> None:
    """Print a row for every kind of call."""
    found = bench.measure(rounds, clock)
    bare = found.pop(BARE)
    for name, one in found.items():
        ratio = f"{one.low / bare.low:.2f} / {one.middle / bare.middle:.2f}"
        print(f"| {name} | {bench.stage.files:,} | {bench.stage.entries:,} | {ratio} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
