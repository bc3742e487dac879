"""Refs: exact names, compare-and-swap, locks that killed writers leave."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.errors import MovedError
from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.objects import genesis, open_objects
from git_knowl.plumbing.process import GitError
from git_knowl.plumbing.refs import ENTRIES, INBOX, STATE, RefLocked, RefMoved, Update
from tests.support.builders import RepoBuilder


@pytest.fixture(params=["sha1", "sha256"])
def builder(tmp_path, request):
    return RepoBuilder.start(tmp_path, request.param)


@pytest.fixture
def reftable(tmp_path):
    builder = RepoBuilder(tmp_path / "repo")
    made = subprocess.run(
        ["git", "init", "-q", "--ref-format=reftable", str(builder.path)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("this git has no reftable")
    builder.commit("start")
    return builder


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(refs, "_PATIENCE", ("core.filesRefLockTimeout=20",))


def commits(builder: RepoBuilder, count: int) -> list[str]:
    return [builder.commit(f"commit {number}") for number in range(count)]


class TestNames:
    """Every name has one place."""

    def test_lanes_and_refs_name_each_other(self):
        assert {lane: refs.entries_ref(lane) for lane in ("shared", "local")} == {
            "shared": "refs/knowl/entries",
            "local": "refs/knowl-local/entries",
        }
        assert [refs.lane_of(refs.entries_ref(lane)) for lane in ("shared", "local")] == [
            "shared",
            "local",
        ]

    def test_other_names_are_refused(self):
        with pytest.raises(refs.RefNameError, match="found 'public'"):
            refs.entries_ref("public")
        with pytest.raises(refs.RefNameError, match="holds no entries"):
            refs.lane_of(INBOX)
        with pytest.raises(refs.RefNameError, match="does not travel"):
            refs.tracking_ref("origin", INBOX)
        with pytest.raises(refs.RefNameError, match="not the copy"):
            refs.tracked(ENTRIES)

    @given(st.from_regex(r"[a-z][a-z0-9._/-]{0,8}[a-z0-9]", fullmatch=True))
    def test_tracking_refs_round_trip(self, remote):
        assert refs.tracked(refs.tracking_ref(remote, ENTRIES)) == (remote, ENTRIES)


class TestRead:
    """What a ref points at."""

    def test_missing_refs_and_an_unborn_head_are_none(self, tmp_path):
        opened = RepoBuilder.make(tmp_path).open()

        assert refs.read(opened, (ENTRIES, "HEAD")) == {ENTRIES: None, "HEAD": None}

    def test_refs_and_head_in_every_worktree(self, builder):
        builder.git("update-ref", ENTRIES, "HEAD")
        linked = builder.worktree("side", "topic")
        tip = linked.commit("on topic")

        assert refs.read(linked.open(), (ENTRIES, "HEAD")) == {
            ENTRIES: builder.rev("HEAD"),
            "HEAD": tip,
        }

    def test_a_packed_ref_is_read(self, builder):
        builder.git("update-ref", ENTRIES, "HEAD")
        builder.git("pack-refs", "--all")

        assert refs.read(builder.open(), (ENTRIES,)) == {ENTRIES: builder.rev("HEAD")}

    @pytest.mark.parametrize("trap", ["refs/tags/", "refs/heads/", "refs/remotes/", "refs/"])
    def test_a_tag_or_branch_of_the_same_name_is_not_ours(self, builder, trap):
        """A fetched tag `refs/knowl/entries` must not pass for reviewed knowledge."""
        builder.git("update-ref", trap + ENTRIES, "HEAD")

        assert refs.read(builder.open(), (ENTRIES,)) == {ENTRIES: None}


class TestUpdate:
    """Compare-and-swap over several refs."""

    def test_refs_move_together_and_leave_a_reflog(self, builder):
        one, two = commits(builder, 2)
        opened = builder.open()

        refs.update(opened, [Update(ENTRIES, one, None), Update(INBOX, one, None)], "first")
        refs.update(opened, [Update(ENTRIES, two, one), Update(INBOX, None, one)], "second\nline")

        assert refs.read(opened, (ENTRIES, INBOX)) == {ENTRIES: two, INBOX: None}
        log = builder.git("reflog", "show", "--format=%gs", ENTRIES)
        assert log.splitlines() == ["second line", "first"]

    def test_one_unexpected_value_moves_nothing(self, builder):
        one, two = commits(builder, 2)
        opened = builder.open()
        refs.update(opened, [Update(ENTRIES, one, None)], "first")

        with pytest.raises(RefMoved, match=ENTRIES) as caught:
            refs.update(opened, [Update(INBOX, two, None), Update(ENTRIES, one, two)], "late")

        assert isinstance(caught.value, MovedError)
        assert refs.read(opened, (ENTRIES, INBOX)) == {ENTRIES: one, INBOX: None}

    def test_a_first_write_does_not_overwrite(self, builder):
        one, two = commits(builder, 2)
        linked = builder.worktree("side").open()
        refs.update(builder.open(), [Update(ENTRIES, one, None)], "first")

        with pytest.raises(RefMoved):
            refs.update(linked, [Update(ENTRIES, two, None)], "also first")

        assert refs.read(linked, (ENTRIES,)) == {ENTRIES: one}

    def test_a_missing_object_is_gits_error_and_no_race(self, builder):
        absent = "1" * len(builder.rev("HEAD"))

        with pytest.raises(GitError, match="nonexistent object"):
            refs.update(builder.open(), [Update(ENTRIES, absent, None)], "broken")

    def test_a_symbolic_ref_planted_under_our_name_moves_nobodys_branch(self, builder):
        start, new = builder.rev("HEAD"), builder.git("commit-tree", "HEAD^{tree}", stdin="new")
        builder.git("symbolic-ref", ENTRIES, "refs/heads/main")

        refs.update(builder.open(), [Update(ENTRIES, new, start)], "write")

        assert builder.rev("refs/heads/main") == start
        assert builder.rev(ENTRIES) == new

    def test_the_users_hooks_do_not_run(self, builder):
        hook = builder.path / ".git/hooks/reference-transaction"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)

        refs.update(builder.open(), [Update(ENTRIES, builder.rev("HEAD"), None)], "quiet")

        assert builder.rev(ENTRIES) == builder.rev("HEAD")

    def test_success_is_not_the_exit_status(self, builder, tmp_path):
        """A git that is gone before it commits, with status 0, has moved nothing."""
        program = tmp_path / "bin/git"
        program.parent.mkdir()
        program.write_text(
            '#!/bin/sh\ncase "$*" in *update-ref*) echo "start: ok"; exit 0;; esac\n'
            f'exec {builder.git("--exec-path")}/git "$@"\n'
        )
        program.chmod(0o755)
        path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
        opened = refs_repository(builder, {"PATH": path})

        with pytest.raises(GitError):
            refs.update(opened, [Update(ENTRIES, builder.rev("HEAD"), None)], "lost")

    def test_a_durable_write_moves_the_ref(self, builder):
        opened = builder.open()

        refs.update(opened, [Update(ENTRIES, builder.rev("HEAD"), None)], "safe", fsync=True)

        assert refs.read(opened, (ENTRIES,)) == {ENTRIES: builder.rev("HEAD")}

    def test_genesis_works_without_any_identity(self, tmp_path):
        builder = RepoBuilder.make(tmp_path)
        opened = refs_repository(builder, {"GIT_CONFIG_GLOBAL": os.devnull})
        oid, parts = genesis("sha1")
        open_objects(opened).write(parts)

        refs.update(opened, [Update(ENTRIES, oid, None)], "genesis")

        assert builder.rev(ENTRIES) == oid


def refs_repository(builder: RepoBuilder, environ: dict[str, str]):
    from git_knowl.plumbing.repository import discover  # noqa: PLC0415

    return discover(str(builder.path), {**os.environ, **environ})


def kill_in_mid_update(builder: RepoBuilder, ref: str, new: str) -> str:
    """Kill git between preparing and committing; return the lock it leaves."""
    with builder.open().converse("update-ref", "--stdin") as child:
        child.send(f"start\nupdate {ref} {new} {'0' * len(new)}\nprepare\n".encode())
        assert [child.read_line(), child.read_line()] == [b"start: ok", b"prepare: ok"]
        os.kill(child.pid, signal.SIGKILL)
    return str(builder.path / ".git" / f"{ref}.lock")


def age(path: str, seconds: float = 120) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


class TestStaleLocks:
    """A lock whose writer was killed."""

    def test_reading_goes_on_and_nothing_has_moved(self, builder):
        kill_in_mid_update(builder, ENTRIES, builder.rev("HEAD"))

        assert refs.read(builder.open(), (ENTRIES,)) == {ENTRIES: None}

    @pytest.mark.usefixtures("impatient")
    def test_a_young_lock_is_respected(self, builder):
        lock = kill_in_mid_update(builder, ENTRIES, builder.rev("HEAD"))
        opened = builder.open()

        with flock(opened) as held, pytest.raises(RefLocked) as caught:
            refs.update(opened, [Update(ENTRIES, builder.rev("HEAD"), None)], "x", held=held)

        told = f"the lock file '{re.escape(lock)}' is there, [0-9]+ s old"
        assert re.fullmatch(told, caught.value.message)
        assert "removes it once it is older than 60 s" in caught.value.hint
        assert caught.value.exit_code == 4
        assert os.path.exists(lock)

    @pytest.mark.usefixtures("impatient")
    def test_a_lock_from_the_future_is_told_as_one_and_left_to_a_person(self, builder):
        age(kill_in_mid_update(builder, ENTRIES, builder.rev("HEAD")), -500)
        opened = builder.open()

        with flock(opened) as held, pytest.raises(RefLocked, match="from the future"):
            refs.update(opened, [Update(ENTRIES, builder.rev("HEAD"), None)], "x", held=held)

    def test_the_lock_on_all_packed_refs_is_named_and_left_to_the_user(self, builder, monkeypatch):
        monkeypatch.setattr(refs, "_PATIENCE", ("core.packedRefsTimeout=0",))
        opened, head = builder.open(), builder.rev("HEAD")
        refs.update(opened, [Update(ENTRIES, head, None)], "x")
        lock = builder.path / ".git/packed-refs.lock"
        lock.touch()
        age(str(lock))

        with flock(opened) as held, pytest.raises(RefLocked, match=str(lock)) as caught:
            refs.update(opened, [Update(ENTRIES, None, head)], "x", held=held)

        assert "take it away" in caught.value.hint
        assert lock.exists()

    @pytest.mark.usefixtures("impatient")
    def test_an_old_one_is_removed_under_our_flock_and_reported(self, builder):
        lock = kill_in_mid_update(builder, ENTRIES, builder.rev("HEAD"))
        age(lock)
        opened = builder.open()

        with flock(opened) as held:
            refs.update(opened, [Update(ENTRIES, builder.rev("HEAD"), None)], "x", held=held)

        assert refs.read(opened, (ENTRIES,)) == {ENTRIES: builder.rev("HEAD")}
        assert opened.notices == [f"removed the lock a killed writer left: '{lock}'"]
        builder.git("pack-refs", "--all")

    @pytest.mark.usefixtures("impatient")
    def test_without_our_flock_it_stays(self, builder):
        lock = kill_in_mid_update(builder, ENTRIES, builder.rev("HEAD"))
        age(lock)

        with pytest.raises(RefLocked, match=r"is there, 12\d s old"):
            refs.update(builder.open(), [Update(ENTRIES, builder.rev("HEAD"), None)], "x")

        assert os.path.exists(lock)

    @pytest.mark.usefixtures("impatient")
    def test_where_flock_does_not_work_it_is_only_named(self, builder):
        lock = kill_in_mid_update(builder, ENTRIES, builder.rev("HEAD"))
        age(lock)
        opened = builder.open()

        with flock(opened) as held:
            held.works = False
            with pytest.raises(RefLocked) as caught:
                refs.update(opened, [Update(ENTRIES, builder.rev("HEAD"), None)], "x", held=held)

        assert lock in caught.value.message
        assert "once no git is at work in this repository, take it away" in caught.value.hint
        assert os.path.exists(lock)

    @pytest.mark.usefixtures("impatient")
    def test_one_that_changes_between_two_looks_is_alive(self, builder, monkeypatch):
        lock = kill_in_mid_update(builder, ENTRIES, builder.rev("HEAD"))
        age(lock)
        opened = builder.open()
        monkeypatch.setattr(refs.time, "sleep", lambda _: age(lock, 90))

        with flock(opened) as held, pytest.raises(RefLocked):
            refs.update(opened, [Update(ENTRIES, builder.rev("HEAD"), None)], "x", held=held)

        assert os.path.exists(lock)

    @pytest.mark.usefixtures("impatient")
    def test_the_lock_of_a_foreign_ref_is_never_touched(self, builder):
        lock = kill_in_mid_update(builder, "refs/heads/other", builder.rev("HEAD"))
        age(lock)
        opened = builder.open()
        moves = [Update("refs/heads/other", builder.rev("HEAD"), None), Update(STATE, None, None)]

        with flock(opened) as held, pytest.raises(RefLocked, match=r"other\.lock"):
            refs.update(opened, moves[:1], "x", held=held)

        assert os.path.exists(lock)


def test_refs_in_a_reftable_and_objects_beside_them(reftable):
    one, two = commits(reftable, 2)
    opened = reftable.worktree("side", "topic").open()
    db = open_objects(opened, bulk=True)
    (oid,) = db.write([("blob", b"x")])

    refs.update(opened, [Update(ENTRIES, one, None), Update(INBOX, one, None)], "first")
    refs.update(opened, [Update(ENTRIES, two, one)], "second")
    with pytest.raises(RefMoved):
        refs.update(opened, [Update(ENTRIES, two, one)], "late")

    assert refs.read(reftable.open(), (ENTRIES, INBOX)) == {ENTRIES: two, INBOX: one}
    assert next(db.read_blobs([oid]))[1] == b"x"
    db.close()


class TestBroken:
    """A ref that is there and holds no commit is never taken for one that is missing."""

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("garbage", "a broken one"),
            ("", "a broken one"),
            ("0" * 40, "a broken one"),
            ("12" * 20, "one whose object is missing"),
        ],
    )
    @pytest.mark.parametrize("ask", ["read", "ours"])
    def test_it_is_named_with_what_was_found_and_where_to_look(self, repo, text, found, ask):
        repo.git("update-ref", INBOX, "HEAD")
        path = repo.path / ".git" / ENTRIES
        path.parent.mkdir(parents=True)
        path.write_text(f"{text}\n")
        opened, head = repo.open(), repo.rev("HEAD")
        asked = {
            "read": lambda: refs.read(opened, (ENTRIES, INBOX)),
            "ours": lambda: refs.ours(opened),
        }

        with pytest.raises(refs.BrokenRefError, match=f"{ENTRIES}: .* found {found}") as caught:
            asked[ask]()

        assert f"logs/{ENTRIES}" in caught.value.hint
        assert refs.read(opened, (INBOX,)) == {INBOX: head}

    @pytest.mark.parametrize("target", ["HEAD^{tree}", "HEAD:conf.yml"])
    def test_what_is_no_commit_is_named(self, repo, target):
        path = repo.path / ".git" / ENTRIES
        path.parent.mkdir(parents=True)
        path.write_text(repo.git("rev-parse", target) + "\n")

        with pytest.raises(refs.BrokenRefError, match=r"found a (tree|blob)"):
            refs.read(repo.open(), (ENTRIES,))

    def test_an_annotated_tag_is_no_commit(self, repo):
        repo.git("tag", "-a", "-m", "x", "v1")
        repo.git("update-ref", ENTRIES, "v1")

        with pytest.raises(refs.BrokenRefError, match="found a tag"):
            refs.read(repo.open(), (ENTRIES,))


OURS = (ENTRIES, refs.LOCAL_ENTRIES, INBOX, STATE, refs.NOTES)


@pytest.mark.parametrize(
    ("carried", "how"),
    [
        (False, ["clone", "-q", "."]),
        (False, ["clone", "-q", "--no-local", "."]),
        (False, ["clone", "-q", "--bare", "."]),
        (True, ["clone", "-q", "--mirror", "."]),
        (False, ["push", "-q", "--all"]),
        (True, ["push", "-q", "--mirror"]),
    ],
)
def test_what_carries_the_refs_of_a_store(repo, tmp_path, carried, how):
    """As docs/storage-format.md says."""
    for ref in OURS:
        repo.git("update-ref", ref, "HEAD")
    there = str(tmp_path / "there")
    if how[0] == "push":
        repo.git("init", "-q", "--bare", there)

    repo.git(*how, there)

    found = repo.git("-C", there, "for-each-ref", "--format=%(refname)").splitlines()
    assert (set(OURS) & set(found)) == (set(OURS) if carried else set())


def test_a_bundle_holds_the_refs_of_a_store_and_a_clone_of_it_does_not(repo, tmp_path):
    for ref in OURS:
        repo.git("update-ref", ref, "HEAD")
    bundle, there = str(tmp_path / "b.bundle"), str(tmp_path / "there")

    repo.git("bundle", "create", "-q", bundle, "--all")
    repo.git("clone", "-q", bundle, there)

    assert all(ref in repo.git("bundle", "list-heads", bundle) for ref in OURS)
    found = repo.git("-C", there, "for-each-ref", "--format=%(refname)").splitlines()
    assert not set(OURS) & set(found)
