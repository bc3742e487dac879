"""What a check has found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, and the way out where there is one."""

    problem: str
    hint: str | None = None
