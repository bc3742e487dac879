"""Which entries rest on a path, as it is written in the folder of whoever asks."""

from __future__ import annotations

import pytest

from git_knowl.plumbing.repository import PathError
from git_knowl.services.why import why
from tests.support.people import CART, person, write


@pytest.fixture
def ctx(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "conf", "file:conf.yml")
    write(ctx, "both", CART, "file:conf.yml")
    write(ctx, "rule")
    ctx.refresh()
    return ctx


def names(ctx, target):
    return [one.row.name for one in why(ctx, target).entries]


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("lib/cart.ts", ["both", "cart"]),
        ("lib/cart.ts:2", ["both", "cart"]),
        ("lib", ["both", "cart"]),
        ("lib/", ["both", "cart"]),
        (".", ["both", "cart", "conf"]),
        ("lib/../conf.yml", ["both", "conf"]),
        ("lib/car", []),
        ("lib/cart.ts:x", []),
    ],
)
def test_a_path_a_line_and_a_folder_find_what_rests_on_them(ctx, target, found):
    assert names(ctx, target) == found


def test_paths_count_from_the_folder_one_stands_in(repo, ctx):
    ctx = person(repo, cwd=str(repo.path / "lib"))

    assert names(ctx, "cart.ts:1") == ["both", "cart"]
    assert names(ctx, "../conf.yml") == ["both", "conf"]
    assert names(ctx, ".") == ["both", "cart"]


def test_a_file_that_is_named_like_a_line_keeps_its_name(repo, ctx):
    repo.commit("odd", {"lib/cart.ts:2": "x\n"})
    write(ctx, "odd", "file:lib/cart.ts:2")
    ctx.refresh()

    assert names(ctx, "lib/cart.ts:2") == ["odd"]


def test_a_deleted_file_is_still_asked_about(repo, ctx):
    (repo.path / "lib/cart.ts").unlink()
    (repo.path / "lib").rmdir()

    found = why(person(repo), "lib/cart.ts:2").entries

    assert [(one.row.name, one.verdict.status) for one in found] == [
        ("both", "suspect"),
        ("cart", "suspect"),
    ]


@pytest.mark.parametrize("target", ["..", "/etc/passwd", "../elsewhere:3", ".git/config", ""])
def test_what_is_not_in_the_work_tree_is_refused(ctx, target):
    with pytest.raises(PathError):
        why(ctx, target)
