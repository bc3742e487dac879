"""A deadline for a process that somebody waits for: git at a hook, a host at a tool call."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    import _signal as signal  # what `signal` puts around it are enums, a third of a bare start

#: So long may a commit be held up, and so long what is stopped may take to end.
SECONDS = 10.0
GRACE = 2.0
STRIKES = 3


class Late(BaseException):
    """The hook outlived its deadline; like an interrupt, it is nobody's to handle below."""


class Watch:
    """A deadline for this process: Late is raised, again and again, and then the process ends.

    The children are stopped on the way up; they lead process groups of their own.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self.strikes = 0

    def __enter__(self) -> None:
        signal.signal(signal.SIGALRM, self._strike)
        signal.setitimer(signal.ITIMER_REAL, self.seconds, GRACE * 2)

    def __exit__(self, *failure: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _strike(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self.strikes += 1
        if self.strikes >= STRIKES:
            os._exit(os.EX_OK)
        raise Late
