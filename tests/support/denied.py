"""Commands to which the modes of files mean something: root may do everything, so it gives that up.

An ordinary user needs nothing for it.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache

from tests.support.cli import COMMAND, Knowl, Outcome

RIGHTS = "-dac_override,-dac_read_search"
WITHOUT_RIGHTS = ("setpriv", f"--bounding-set={RIGHTS}", f"--inh-caps={RIGHTS}")
NO_WAY = "needs an ordinary user, or setpriv, for modes to mean anything"


@cache
def prefix() -> tuple[str, ...] | None:
    """Return what a command line begins with so that modes mean something; None for no way."""
    if os.geteuid() != 0:
        return ()
    try:
        done = subprocess.run([*WITHOUT_RIGHTS, "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return None
    return WITHOUT_RIGHTS if done.returncode == 0 else None


class Denied(Knowl):
    """``git knowl`` as whoever may not do everything runs it, always as a process of its own."""

    def __call__(self, *args: str, stdin: str | bytes = b"") -> Outcome:
        """Run one command line."""
        env = {k: v for k, v in self.process_env().items() if not k.startswith("COVERAGE_")}
        done = subprocess.run(
            [*(prefix() or ()), *COMMAND, *args],
            cwd=self.cwd,
            env=env,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            check=False,
        )
        return Outcome(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))
