from __future__ import annotations

import pytest

from tests.support.builders import RepoBuilder
from tests.support.stores import open_store


@pytest.fixture
def store(repo):
    """Give the store of a repository that has none yet."""
    return open_store(repo)


@pytest.fixture(params=["sha1", "sha256", "sha1-bulk"])
def any_store(request, tmp_path):
    """Give a store for each object format, and one read through libgit2."""
    object_format, _, bulk = request.param.partition("-")
    return open_store(RepoBuilder.start(tmp_path, object_format), bulk=bool(bulk))
