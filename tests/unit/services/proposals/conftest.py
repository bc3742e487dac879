"""A hub, one who proposes and one who reviews."""

from __future__ import annotations

import pytest

from tests.support.builders import RepoBuilder
from tests.support.proposals import ADA, BOB, member


@pytest.fixture
def hub(tmp_path):
    return RepoBuilder.start(tmp_path, bare=True, name="hub")


@pytest.fixture
def ada(hub):
    """Give somebody whose flags and drafts others are to review."""
    return member(hub, "ada", ADA)


@pytest.fixture
def bob(hub):
    return member(hub, "bob", BOB)
