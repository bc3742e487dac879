"""What time it is, for every door; ``KNOWL_NOW`` fixes it for tests and reproducible runs."""

from __future__ import annotations

import os
import time

from git_knowl.errors import KnowlError

VARIABLE = "KNOWL_NOW"
#: The last second of the year 9999; entries write years with four digits.
LATEST = 253_402_300_799.0


class ClockError(KnowlError):
    """A fixed time that is none."""


def clock() -> float:
    """Return seconds since the epoch; raise ClockError when the fixed time cannot be one."""
    fixed = os.environ.get(VARIABLE)
    if not fixed:
        return time.time()
    try:
        seconds = float(fixed)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LATEST:
        raise ClockError(
            f"{VARIABLE}: expected seconds since the epoch, got '{fixed}'",
            "unset it, or correct it",
        )
    return seconds


def now() -> str:
    """Return the time as entries write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock()))
