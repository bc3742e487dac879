"""Fixtures of every test: the sealed environment, its guard, repositories and the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.clock import Clock
from tests.support.seal import Guard, sandbox, seal, unseal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The same examples in every run, so that a red run can be repeated; ``deep`` looks for new ones.
settings.register_profile("dev", derandomize=True, max_examples=30, deadline=None)
settings.register_profile("deep", derandomize=False, max_examples=1000, deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer to write what commands print now into the transcripts."""
    parser.addoption(
        "--update-transcripts",
        action="store_true",
        help="rewrite the expected output of console sessions; review the difference like code",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Seal the environment before any test module, and with it pygit2, is imported."""
    del config
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
    seal()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the sandbox."""
    del config
    unseal()


@pytest.fixture(scope="session")
def guard() -> Guard:
    """Watch this process from the first test on."""
    made = Guard()
    made.install()
    return made


@pytest.fixture(autouse=True)
def stay_inside(guard: Guard, request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that touched the real home folder or opened a network socket."""
    guard.network = request.node.get_closest_marker("network") is not None
    yield
    deeds = guard.verify()
    if deeds:
        pytest.fail(f"left the sandbox: {deeds}")


@pytest.fixture
def repo(tmp_path: Path) -> RepoBuilder:
    """Give a repository with one commit of lib/cart.ts and conf.yml."""
    return RepoBuilder.start(tmp_path)


@pytest.fixture
def repo256(tmp_path: Path) -> RepoBuilder:
    """Give the same repository with SHA-256 object ids."""
    return RepoBuilder.start(tmp_path, "sha256")


@pytest.fixture
def knowl(repo: RepoBuilder) -> Knowl:
    """Give the command line, standing in the repository."""
    return Knowl(repo.path)


@pytest.fixture
def clock() -> Clock:
    """Give a clock that stands still until the test moves it."""
    return Clock()


@pytest.fixture
def home() -> Path:
    """Give the home folder of the sandbox, with git's global configuration in it."""
    return sandbox() / "home"
