"""A clock that moves when told to, and bytes that are as random as a test wants them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 11, 29, 10, 0, tzinfo=UTC)


class Clock:
    """Time for services: called like ``time.time``, read as text, moved by the test."""

    def __init__(self, start: datetime = START) -> None:
        self.instant = start

    def __call__(self) -> float:
        return self.instant.timestamp()

    @property
    def now(self) -> str:
        """The time as entries and flags write it."""
        return self.instant.strftime("%Y-%m-%dT%H:%M:%SZ")

    def advance(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> None:
        """Move the clock forward."""
        self.instant += timedelta(days=days, hours=hours, seconds=seconds)


class Entropy:
    """Bytes for ids: called like ``os.urandom``; counts up by two, as ids leave one bit out."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, size: int) -> bytes:
        self.calls += 1
        return (2 * self.calls).to_bytes(size, "big")
