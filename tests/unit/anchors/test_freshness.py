"""Stored verdicts: the short path says what judging afresh would say, or that it cannot tell."""

from __future__ import annotations

import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors import freshness, freshness_judge
from git_knowl.anchors.freshness import ABSENT, NEVER, settled
from git_knowl.model.anchor import UrlAnchor
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from tests.support.anchored import (
    NOW,
    Shelf,
    entry_on,
    entry_with,
    settle,
    verdict,
    verified,
    world_of,
)
from tests.support.builders import START_FILES, RepoBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

CART = "lib/cart.ts"
CONF = "conf.yml"


@pytest.fixture(params=[0, freshness.DENSE], ids=["sparse", "dense"])
def density(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test run with the files looked at one by one, and with those git names."""
    monkeypatch.setattr(freshness, "FEW", 0)
    monkeypatch.setattr(freshness, "DENSE", request.param)


@pytest.fixture
def shelf(repo: RepoBuilder) -> Shelf:
    """Give two entries on two files, judged and stored."""
    made = Shelf(repo, entry_on(repo, CART, number=1), entry_on(repo, CONF, number=2))
    settle()
    made.ask()
    return made


def ids(shelf: Shelf) -> list[str]:
    return list(shelf.entries)


class TestWarm:
    def test_before_anything_is_stored_it_cannot_tell(self, repo: RepoBuilder) -> None:
        assert Shelf(repo, entry_on(repo, CART)).warm() is None

    def test_while_nothing_moved_it_names_what_is_not_active(self, shelf: Shelf) -> None:
        assert shelf.warm() == {}
        shelf.repo.write(CART, "two\n")
        settle()
        shelf.check()

        assert shelf.warm() == {ids(shelf)[0]: SUSPECT}

    def test_nothing_is_loaded_while_nothing_moved(self, shelf: Shelf) -> None:
        judged = shelf.ask()

        assert shelf.loaded == []
        assert judged.statuses == {}
        assert judged.of(shelf.entries[ids(shelf)[0]]).anchors[0].status == ACTIVE

    def test_every_worktree_has_its_own(self, shelf: Shelf) -> None:
        other = Shelf(shelf.repo.worktree("other"), *shelf.entries.values())
        other.repo.write(CART, "two\n")
        settle()
        other.check()

        assert shelf.warm() == {}
        assert other.warm() == {ids(shelf)[0]: SUSPECT}


@pytest.mark.usefixtures("density")
class TestFiles:
    def test_only_what_rests_on_a_changed_file_is_judged_again(self, shelf: Shelf) -> None:
        shelf.repo.write(CONF, "a: 2\n")

        assert shelf.warm() is None
        shelf.check()
        assert shelf.loaded == [ids(shelf)[1]]

    @pytest.mark.parametrize("path", [CART, CONF])
    def test_a_file_that_goes_and_comes_back(self, shelf: Shelf, path: str) -> None:
        (shelf.repo.path / path).unlink()
        assert shelf.warm() is None
        shelf.check()
        shelf.repo.write(path, START_FILES[path])
        assert shelf.warm() is None
        settle()
        shelf.check()

        assert shelf.warm() == {}

    def test_touched_but_equal_is_judged_once_and_stored(self, shelf: Shelf) -> None:
        os.utime(shelf.repo.path / CART, ns=(1, 1))
        assert shelf.warm() is None
        settle()
        shelf.check()

        assert shelf.warm() == {}

    def test_a_file_from_the_future_is_never_trusted(self, shelf: Shelf) -> None:
        path = shelf.repo.path / CONF
        os.utime(path, ns=(path.stat().st_mtime_ns + 10**15,) * 2)
        shelf.check()

        assert shelf.warm() is None
        shelf.check()

    def test_a_folder_that_becomes_a_link_hides_its_files(self, shelf: Shelf) -> None:
        top = shelf.repo.path
        (top / "lib").rename(top / "other")
        (top / "lib").symlink_to("other")

        assert shelf.warm() is None
        shelf.check()
        settle()
        shelf.check()
        assert shelf.warm() == {ids(shelf)[0]: SUSPECT}
        (top / "lib").unlink()
        assert shelf.warm() is None
        (top / "other").rename(top / "lib")
        shelf.check()

    def test_a_folder_that_becomes_a_file(self, shelf: Shelf) -> None:
        shutil.rmtree(shelf.repo.path / "lib")
        shelf.repo.write("lib", "1\n")
        settle()
        shelf.check()

        assert shelf.warm() == {ids(shelf)[0]: SUSPECT}

    def test_a_path_out_of_the_project_is_not_looked_at(self, shelf: Shelf) -> None:
        anchor = replace(shelf.entries[ids(shelf)[0]].anchors[0], path="../x")
        bare = entry_with(anchor, number=3)
        item = replace(anchor.accepted[0], text=bare.digest)
        shelf.put(replace(bare, anchors=(replace(anchor, accepted=(item,)),)))
        settle()
        shelf.check()

        assert shelf.warm() == {bare.id: UNKNOWN}

    def test_a_path_too_long_for_the_disk_is_absent(self, shelf: Shelf) -> None:
        anchor = replace(shelf.entries[ids(shelf)[0]].anchors[0], path="x" * 300)
        bare = entry_with(anchor, number=3)
        item = replace(anchor.accepted[0], text=bare.digest, blob=f"sha1:{'1' * 40}")
        shelf.put(replace(bare, anchors=(replace(anchor, accepted=(item,)),)))

        shelf.check()
        shelf.check()


class TestSparse:
    def test_same_size_and_time_but_other_content_is_noticed(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(freshness, "DENSE", 0)  # git looks at whole seconds only
        path = shelf.repo.path / CONF
        before = path.stat()
        path.write_text("a: 9\n")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

        assert shelf.warm() is None
        shelf.check()


class TestDense:
    """Where most files are anchored git names the few that differ from a commit."""

    def test_a_change_is_noticed_against_a_commit_of_long_ago(self, shelf: Shelf) -> None:
        for number in range(3):
            shelf.repo.commit(f"{number}", {"other": f"{number}\n", CONF: f"a: {number}\n"})
            settle()
            shelf.check()
        shelf.repo.write(CART, "two\n")

        assert shelf.warm() is None
        shelf.check()

    @pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
    def test_a_file_git_was_told_to_overlook_is_looked_at_itself(
        self, shelf: Shelf, bit: str
    ) -> None:
        shelf.repo.git("update-index", bit, CART)
        settle()
        shelf.check()
        assert shelf.warm() == {}
        shelf.repo.write(CART, "two\n")

        assert shelf.warm() is None
        shelf.check()
        assert shelf.ask().statuses == {ids(shelf)[0]: SUSPECT}

    @pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
    def test_marking_a_file_that_was_changed_does_not_hide_it(self, shelf: Shelf, bit: str) -> None:
        shelf.repo.write(CART, "two\n")
        settle()
        shelf.check()
        shelf.repo.git("update-index", bit, CART)

        shelf.check()
        assert shelf.ask().statuses == {ids(shelf)[0]: SUSPECT}

    def test_without_the_commit_every_file_is_looked_at(self, shelf: Shelf) -> None:
        shelf.repo.commit("amended away", {CART: "two\n"})
        os.unlink(shelf.path)
        settle()
        shelf.check()
        shelf.repo.git("commit", "-q", "--amend", "-m", "another")
        shelf.repo.git("reflog", "expire", "--expire=now", "--all")
        shelf.repo.git("prune", "--expire=now")
        settle()
        shelf.check()
        shelf.put(entry_on(shelf.repo, CONF, number=3))
        shelf.check()
        shelf.check()

        assert shelf.warm() == {ids(shelf)[0]: SUSPECT}

    def test_before_the_first_commit_there_is_none_to_compare_with(self, tmp_path: Path) -> None:
        empty = RepoBuilder.make(tmp_path)
        empty.write("a", "1\n")
        shelf = Shelf(empty, entry_on(empty, "a"))
        settle()
        shelf.check()
        shelf.check()

        assert shelf.warm() == {}


class TestMoved:
    """Evidence that moved is watched where it is now."""

    def test_a_change_at_the_new_place_is_noticed(self, shelf: Shelf) -> None:
        shelf.repo.git("mv", CART, "basket.ts")
        shelf.repo.commit("rename")
        settle()
        shelf.check()
        assert shelf.warm() == {}
        shelf.repo.write("basket.ts", "two\n")

        assert shelf.warm() is None
        settle()
        shelf.check()
        assert shelf.warm() == {ids(shelf)[0]: SUSPECT}
        shelf.repo.write("basket.ts", START_FILES[CART])
        assert shelf.warm() is None
        shelf.check()

    def test_a_change_while_it_is_judged_is_not_missed(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shelf.repo.git("mv", CART, "basket.ts")
        shelf.repo.commit("rename")
        settle()
        real = freshness_judge.judge_entries

        def judge(*args):
            found = real(*args)
            shelf.repo.write("basket.ts", "two\n")
            settle()
            return found

        monkeypatch.setattr(freshness_judge, "judge_entries", judge)
        assert shelf.ask().statuses == {}
        monkeypatch.undo()
        assert shelf.warm() is None
        shelf.check()


class TestSettled:
    """A tick of the clock separates what was recorded from what comes after."""

    def test_an_old_file_is_trusted(self) -> None:
        assert settled((100, 123_456_789, 3, 4, 5), 9_000_000_000) == (100, 123_456_789, 3, 4, 5)

    @pytest.mark.parametrize("times", [(8_990_000_001, 1), (1, 8_990_000_001), (9_000_000_001, 1)])
    def test_a_file_of_the_same_tick_is_not(self, times: tuple[int, int]) -> None:
        assert settled((*times, 3, 4, 5), 9_000_000_000) == NEVER

    def test_whole_seconds_show_a_coarse_clock(self) -> None:
        found = (7_000_000_000, 7_000_000_000, 3, 4, 5)

        assert settled(found, 8_999_999_999) == NEVER
        assert settled(found, 9_000_000_001) == found

    def test_absence_has_no_age(self) -> None:
        assert settled(ABSENT, 1) == ABSENT


class TestEntries:
    def test_a_new_entry_alone_is_judged(self, shelf: Shelf) -> None:
        new = shelf.put(entry_on(shelf.repo, CART, CONF, number=3))

        assert shelf.warm() is None
        shelf.check()
        assert shelf.loaded == [new.id]
        assert shelf.warm() == {}

    def test_a_verified_entry_alone_is_judged(self, shelf: Shelf) -> None:
        shelf.repo.write(CART, "two\n")
        settle()
        shelf.check()
        shelf.put(verified(shelf.entries[ids(shelf)[0]], world_of(shelf.repo)))
        shelf.check()

        assert shelf.loaded == [ids(shelf)[0]]
        assert shelf.warm() == {}

    def test_a_retired_entry_is_forgotten_with_its_paths(self, shelf: Shelf) -> None:
        shelf.repo.write(CART, "two\n")
        shelf.check()
        shelf.retire(shelf.entries[ids(shelf)[0]])
        shelf.check()
        shelf.repo.write(CART, "three\n")

        assert shelf.warm() == {}

    def test_a_path_nobody_rests_on_any_more_does_not_stay_in_the_way(self, shelf: Shelf) -> None:
        top = shelf.repo.path
        shelf.retire(shelf.entries[ids(shelf)[0]])
        shelf.ask()
        (top / "lib").rename(top / "other")
        (top / "lib").symlink_to("other")
        shelf.check()

        assert shelf.warm() == {}

    def test_an_entry_that_cannot_be_read_hides_no_other(self, shelf: Shelf) -> None:
        lost = ids(shelf)[1]
        shelf.repo.write(CART, "two\n")
        shelf.repo.write(CONF, "a: 2\n")
        whole = dict(shelf.entries)
        shelf._load = lambda wanted: [whole[key] for key in wanted if key != lost]

        assert shelf.ask().statuses == {ids(shelf)[0]: SUSPECT}

    def test_an_entry_without_anchors_is_stored_as_well(self, shelf: Shelf) -> None:
        shelf.put(entry_with(number=3))
        shelf.check()

        assert shelf.warm() == {}


class TestHistory:
    def test_a_commit_of_other_files_moves_nothing(self, shelf: Shelf) -> None:
        shelf.repo.commit("else", {"other.txt": "1\n"})

        assert shelf.warm() == {}

    def test_committing_a_change_gives_the_verdict_a_commit(self, shelf: Shelf) -> None:
        shelf.repo.write(CART, "two\n")
        settle()
        shelf.check()
        commit = shelf.repo.commit("double it")

        assert shelf.warm() is None
        (found,) = shelf.ask().verdicts.values()
        assert found.anchors[0].commit == commit
        shelf.check()

    def test_adding_a_rename_to_the_index_makes_it_a_move(self, shelf: Shelf) -> None:
        (shelf.repo.path / CART).rename(shelf.repo.path / "basket.ts")
        settle()
        shelf.check()
        shelf.repo.git("add", "--all")

        assert shelf.warm() is None
        shelf.check()
        moved = shelf.ask().verdicts[ids(shelf)[0]].anchors[0]
        assert (moved.status, moved.moved_to) == (ACTIVE, "basket.ts")

    def test_a_switch_of_branches_is_seen(self, shelf: Shelf) -> None:
        shelf.repo.git("checkout", "-q", "-b", "other")
        shelf.repo.commit("double it", {CART: "two\n"})
        shelf.check()
        shelf.repo.git("checkout", "-q", "main")
        settle()
        shelf.check()

        assert shelf.warm() == {}


@pytest.mark.usefixtures("density")
class TestHidden:
    """Where the index counts in place of a file that is not there, its stat proves nothing."""

    def test_marking_a_file_and_switching_under_it(self, shelf: Shelf) -> None:
        shelf.repo.git("checkout", "-q", "-b", "other")
        shelf.repo.commit("double it", {CART: "two\n"})
        shelf.repo.git("checkout", "-q", "main")
        settle()
        shelf.check()
        shelf.repo.git("update-index", "--skip-worktree", CART)
        (shelf.repo.path / CART).unlink()
        shelf.check()
        assert shelf.ask().statuses == {}
        shelf.repo.git("read-tree", "other")
        shelf.repo.git("update-index", "--skip-worktree", CART)

        assert shelf.warm() is None
        shelf.check()
        assert shelf.ask().statuses == {ids(shelf)[0]: SUSPECT}

    def test_a_marked_file_that_was_active_is_followed_by_the_index(self, shelf: Shelf) -> None:
        shelf.repo.write("extra", "1\n")
        shelf.repo.git("add", "extra")
        shelf.repo.git("update-index", "--skip-worktree", "extra")
        shelf.repo.git("update-index", "--skip-worktree", CONF)

        assert shelf.warm() is None
        shelf.check()
        assert set(shelf.loaded) == {ids(shelf)[1]}

    def test_a_file_that_was_left_out_and_comes_back_speaks_for_itself(self, shelf: Shelf) -> None:
        shelf.repo.git("update-index", "--skip-worktree", CART)
        (shelf.repo.path / CART).unlink()
        settle()
        shelf.check()
        shelf.repo.write(CART, "mine\n")

        assert shelf.warm() is None
        shelf.check()
        assert shelf.ask().statuses == {ids(shelf)[0]: SUSPECT}

    def test_a_split_index_is_not_taken_at_its_word(self, shelf: Shelf) -> None:
        shelf.repo.git("update-index", "--split-index")

        assert shelf.warm() is None
        shelf.check()

    def test_without_any_index_files_stand_for_themselves(self, shelf: Shelf) -> None:
        (shelf.repo.path / ".git/index").unlink()

        assert shelf.warm() is None
        settle()
        shelf.check()
        assert shelf.warm() == {}

    def test_where_case_is_folded_a_new_spelling_is_noticed(self, shelf: Shelf) -> None:
        shelf.repo.git("config", "core.ignorecase", "true")
        settle()
        shelf.check()
        shelf.repo.git("mv", CART, "lib/Cart.ts")
        shelf.repo.write(CART, START_FILES[CART])
        settle()

        shelf.check()
        assert shelf.ask().verdicts[ids(shelf)[0]].anchors[0].moved_to == "lib/Cart.ts"


class TestEpoch:
    @pytest.mark.parametrize(
        ("path", "content"),
        [
            (".gitattributes", "*.ts text\n"),
            (".git/info/attributes", "*.ts text\n"),
            (".git/config.worktree", "[core]\n\tautocrlf = true\n"),
        ],
    )
    def test_other_attributes_or_settings_void_everything(
        self, shelf: Shelf, path: str, content: str
    ) -> None:
        shelf.repo.write(path, content)

        assert shelf.warm() is None
        settle()
        shelf.check()
        assert shelf.warm() == {}

    def test_other_settings_void_everything(self, shelf: Shelf) -> None:
        shelf.repo.git("config", "core.autocrlf", "input")

        assert shelf.warm() is None
        shelf.ask()
        assert sorted(shelf.loaded) == ids(shelf)

    def test_attributes_from_the_future_are_never_trusted(self, shelf: Shelf) -> None:
        path = shelf.repo.write(".gitattributes", "*.ts text\n")
        os.utime(path, ns=(path.stat().st_mtime_ns + 10**15,) * 2)
        shelf.check()

        assert shelf.warm() is None


class TestClock:
    def test_a_url_that_comes_of_age_is_noticed(self, shelf: Shelf) -> None:
        page = UrlAnchor("https://docs.example/", "2026-11-01T00:00:00Z", 30)
        entry = shelf.put(entry_with(page, number=3))
        shelf.check()
        assert shelf.warm() == {}

        shelf.now = "2026-12-01T00:00:00Z"
        assert shelf.warm() == {}
        shelf.check()
        shelf.now = "2026-12-01T00:00:01Z"
        assert shelf.warm() is None
        shelf.check()
        assert shelf.loaded == [entry.id]
        assert shelf.warm() == {entry.id: SUSPECT}

    def test_a_clock_that_went_back_takes_the_verdict_back(self, shelf: Shelf) -> None:
        page = UrlAnchor("https://docs.example/", "2026-11-01T00:00:00Z", 30)
        other = UrlAnchor("https://other.example/", "2026-11-01T00:00:00Z", 60)
        entry = shelf.put(replace(entry_with(page, number=3), anchors=(page, other)))
        shelf.now = "2027-01-10T00:00:00Z"
        shelf.check()
        assert shelf.warm() == {entry.id: SUSPECT}

        for now, status in (
            ("2026-12-31T00:00:00Z", SUSPECT),  # one of the two is still too old
            ("2026-11-30T00:00:00Z", None),
            ("2026-12-31T00:00:01Z", SUSPECT),
            ("2020-01-01T00:00:00Z", None),
        ):
            shelf.now = now
            assert shelf.warm() is None
            shelf.check()
            assert shelf.loaded == [entry.id]
            assert shelf.warm() == ({entry.id: status} if status else {})


class TestBare:
    def test_head_is_judged_and_followed(self, repo: RepoBuilder) -> None:
        bare = repo.clone("bare", "--bare")
        shelf = Shelf(bare, entry_on(repo, CART), entry_with(number=2))
        shelf.check()
        settle()
        shelf.check()
        assert shelf.warm() == {}
        repo.commit("double it", {CART: "two\n"})
        bare.git("fetch", "-q", str(repo.path), "main:main")

        assert shelf.warm() is None
        shelf.check()
        assert shelf.warm() == {ids(shelf)[0]: SUSPECT}


def _empty(path: str) -> None:
    Path(path).write_bytes(b"")


def _garbage(path: str) -> None:
    Path(path).write_bytes(b"no database at all" * 100)


def _foreign(path: str) -> None:
    Path(path).unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE meta (other TEXT)")
    connection.close()


def _newer(path: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE key = 'format'")
    connection.close()


def _half(path: str) -> None:
    Path(path).write_bytes(Path(path).read_bytes()[:5000])


def _odd_types(path: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE folders SET folder = 7")
    connection.close()


def _odd_detail(path: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO verdicts VALUES ('x', 'active', '{')")
    connection.close()


class TestOdd:
    @pytest.mark.parametrize(
        "harm",
        [
            os.unlink,
            _empty,
            _garbage,
            _half,
            _foreign,
            _newer,
            _odd_types,
            _odd_detail,
        ],
    )
    def test_whatever_became_of_the_file_answers_are_right_and_it_is_made_again(
        self, shelf: Shelf, harm: Callable[[str], None]
    ) -> None:
        harm(shelf.path)
        shelf.repo.write(CART, "two\n")

        settle()
        shelf.check()
        shelf.check()
        assert shelf.warm() == {ids(shelf)[0]: SUSPECT}

    def test_where_nothing_can_be_stored_answers_are_right(self, shelf: Shelf) -> None:
        folder = Path(shelf.path).parent
        shutil.rmtree(folder)
        folder.write_text("in the way")

        shelf.check()
        shelf.check()
        assert shelf.warm() is None

    def test_a_folder_in_its_place_is_left_alone(self, shelf: Shelf) -> None:
        Path(shelf.path).unlink()
        Path(shelf.path).mkdir()

        shelf.check()
        assert shelf.warm() is None

    def test_a_file_that_is_locked_for_good_is_not_waited_for(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(freshness, "BUSY_SECONDS", 0.01)
        holder = sqlite3.connect(shelf.path, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")

        shelf.check()
        holder.close()
        assert shelf.warm() == {}


class TestTogether:
    def test_what_another_process_stored_meanwhile_is_kept(self, shelf: Shelf) -> None:
        other = Shelf(shelf.repo, *shelf.entries.values())
        load = shelf._load
        shelf._load = lambda wanted: other.ask() and load(wanted)
        shelf.repo.write(CART, "two\n")
        settle()

        shelf.check()
        assert other.loaded == [ids(shelf)[0]]
        assert other.warm() == {ids(shelf)[0]: SUSPECT}

    def test_what_another_process_stored_after_the_look_is_not_mixed_in(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = Shelf(shelf.repo, *shelf.entries.values())
        shelf.repo.write(CART, "two\n")
        settle()
        real = freshness.examine

        def examine(*args):
            look = real(*args)
            monkeypatch.setattr(freshness, "examine", real)
            other.ask()
            return look

        monkeypatch.setattr(freshness, "examine", examine)
        assert shelf.ask().statuses == {ids(shelf)[0]: SUSPECT}
        assert sorted(shelf.loaded) == ids(shelf)
        shelf.check()

    def test_what_was_judged_while_the_index_moved_is_not_stored(self, shelf: Shelf) -> None:
        load = shelf._load
        shelf._load = lambda wanted: shelf.repo.git("add", CART) or load(wanted)
        shelf.repo.write(CART, "two\n")
        settle()

        assert shelf.ask().statuses == {ids(shelf)[0]: SUSPECT}
        assert shelf.warm() is None

    def test_readers_and_writers_at_once_give_right_answers(self, shelf: Shelf) -> None:
        first = ids(shelf)[0]
        tasks = [Shelf(shelf.repo, *shelf.entries.values()) for _ in range(4)]
        shelf.repo.write(CART, "two\n")

        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda task: [task.ask().statuses for _ in range(5)], tasks))

        assert answers == [[{first: SUSPECT}] * 5] * 4
        settle()
        shelf.check()

    def test_a_verdict_reads_back_as_it_was(self, shelf: Shelf) -> None:
        shelf.repo.git("mv", CART, "lib/basket.ts")
        commit = shelf.repo.commit("rename")
        shelf.repo.write("lib/basket.ts", "ünï\n")
        settle()
        shelf.ask()
        stored = shelf.ask().verdicts[ids(shelf)[0]].anchors[0]

        assert shelf.loaded == []
        assert stored == verdict(shelf.repo, shelf.entries[ids(shelf)[0]])
        assert (stored.commit, shelf.now) == (commit, NOW)
