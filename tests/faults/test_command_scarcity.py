"""On a full or read-only disk a write is refused with the way out, and reading goes on."""

from __future__ import annotations

import pytest

from tests.support.deeds import USUAL, check_objects, scene, seen
from tests.support.scarce import (
    NO_NAMESPACE,
    can_mount,
    on_full_disk,
    on_read_only_disk,
    with_file_limit,
    without_room_beside,
)

mounting = pytest.mark.skipif(not can_mount(), reason=NO_NAMESPACE)
#: KiB left on the disk: for nothing, for the objects at most, for some of the refs, for all.
SPARE = (0, 24, 40, 256)
READING = (("ls", "--json"), ("inbox", "--json"), ("index",), ("capture",), ("log",), ("audit",))


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    return scene(tmp_path_factory.mktemp("start"))


@pytest.fixture(params=USUAL)
def deed(request, start):
    return start.deeds[request.param]


def check_refused(outcome):
    assert outcome.code == 1, outcome.err
    assert outcome.out == ""
    first, second = outcome.err.splitlines()
    assert first.startswith("error: ")
    assert second.startswith("hint: ")


def check_goes_on(start, deed, knowl):
    """Check that once there is room the same command does the whole of it."""
    knowl(*deed.args, stdin=deed.stdin)
    assert seen(knowl) == start.done(deed)
    check_objects(knowl)


@mounting
def test_on_a_disk_that_fills_up_a_command_is_done_whole_or_refused(start, deed, tmp_path):
    codes = []
    for spare in SPARE:
        (tmp_path / f"{spare}").mkdir()
        knowl = start.copy(tmp_path / f"{spare}" / "repo")
        outcome = on_full_disk(knowl, spare, *deed.args, stdin=deed.stdin)
        codes.append(outcome.code)
        if outcome.code == 0:
            assert seen(knowl) == start.done(deed)
        else:
            check_refused(outcome)
            assert seen(knowl) == start.before
        check_goes_on(start, deed, knowl)

    assert codes[0] == 1
    assert codes[-1] == 0


def test_where_no_file_may_grow_a_command_is_refused(start, deed, tmp_path):
    knowl = start.copy(tmp_path / "repo")

    check_refused(with_file_limit(knowl, 0, *deed.args, stdin=deed.stdin))

    assert seen(knowl) == start.before
    check_goes_on(start, deed, knowl)


@mounting
def test_in_a_read_only_repository_a_command_that_writes_is_refused(start, deed, tmp_path):
    knowl = start.copy(tmp_path / "repo")

    check_refused(on_read_only_disk(knowl, *deed.args, stdin=deed.stdin))

    assert seen(knowl) == start.before


@mounting
def test_in_a_read_only_repository_what_only_reads_answers_as_ever(start, tmp_path):
    there, writable = start.copy(tmp_path / "there"), start.copy(tmp_path / "writable")

    for args in READING:
        told = on_read_only_disk(there, *args)
        assert told.code == 0, told.err
        assert told.out == writable.ok(*args)


@mounting
def test_without_room_for_derived_files_everything_is_done_all_the_same(start, deed, tmp_path):
    knowl = start.copy(tmp_path / "repo")

    outcome = without_room_beside(knowl, *deed.args, stdin=deed.stdin)

    assert outcome.code == 0, outcome.err
    assert seen(knowl) == start.done(deed)
    listed = (knowl.cwd / ".git/common/knowl/anchored-paths").read_text()
    assert "lib/cart.ts" in listed
