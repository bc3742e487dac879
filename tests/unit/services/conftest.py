"""A bare repository that two people share."""

from __future__ import annotations

import pytest

from tests.support.remotes import bare, member


@pytest.fixture
def hub(tmp_path):
    return bare(tmp_path)


@pytest.fixture
def ada(hub):
    return member(hub, "ada")


@pytest.fixture
def bob(hub):
    return member(hub, "bob")
