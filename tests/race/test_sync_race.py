"""Many clones that sync with one remote at the same moment: all of them get in."""

from __future__ import annotations

import pytest

from tests.support.cli import COMMAND, Knowl
from tests.support.processes import Job, run_together
from tests.support.remotes import ENTRIES, bare, member


def race(tmp_path, count):
    """Let so many clones with an entry each sync at once; return them and the remote."""
    hub = bare(tmp_path)
    everyone = [member(hub, f"clone{number}") for number in range(count)]
    for number, one in enumerate(everyone):
        one.write(f"entry-{number}")
    jobs = [
        Job([*COMMAND, "sync"], one.repo.path, Knowl(one.repo.path).process_env())
        for one in everyone
    ]
    outcomes = run_together(jobs)
    assert [one.code for one in outcomes] == [0] * count, [one.err for one in outcomes]
    return hub, everyone


def check(hub, everyone):
    """Check that the remote has what every clone wrote, and that one sync more makes all equal."""
    listed = hub.git("ls-tree", "-r", "--name-only", ENTRIES)
    tips = set()
    for number, one in enumerate(everyone):
        assert f".entry-{number}.md" in listed
        hub.git("cat-file", "-e", str(one.tip))
        one.sync()
        tips.add(one.tip)
    assert tips == {hub.rev(ENTRIES)}


def test_four_clones_at_once_all_get_in(tmp_path):
    check(*race(tmp_path, 4))


@pytest.mark.slow
def test_ten_clones_at_once_all_get_in(tmp_path):
    check(*race(tmp_path, 10))


def test_two_syncs_of_one_clone_at_once_both_end_well(tmp_path):
    hub = bare(tmp_path)
    ada, bob = member(hub, "ada"), member(hub, "bob")
    ada.write("adas")
    ada.sync()
    bob.write("bobs")
    linked = bob.repo.worktree("linked", "topic")
    jobs = [
        Job([*COMMAND, "sync"], repo.path, Knowl(repo.path).process_env())
        for repo in (bob.repo, linked, bob.repo)
    ]

    outcomes = run_together(jobs)

    assert [one.code for one in outcomes] == [0] * 3, [one.err for one in outcomes]
    assert bob.names == {"adas", "bobs"}
    assert bob.tip == hub.rev(ENTRIES)
