"""The tour in the README goes as written, word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.seal import ROOT
from tests.support.transcript import Session, read_steps, replay

if TYPE_CHECKING:
    from pathlib import Path

README = ROOT / "README.md"


@pytest.mark.skipif(not read_steps(README), reason="the tour is not written yet")
def test_tour_of_the_readme(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The fences of kind ``console`` are one session, begun in an empty folder, all processes."""
    session = Session(tmp_path, in_process=False)

    replay(README, session, update=request.config.getoption("--update-transcripts"))
