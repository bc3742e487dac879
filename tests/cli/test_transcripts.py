"""Console sessions beside this file; each starts in a fresh repository of one commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.builders import RepoBuilder
from tests.support.transcript import Session, replay

SESSIONS = sorted(Path(__file__).parent.glob("*.console"))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_session_goes_as_written(
    path: Path, repo: RepoBuilder, request: pytest.FixtureRequest
) -> None:
    replay(path, Session(repo.path), update=request.config.getoption("--update-transcripts"))
