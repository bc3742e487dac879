"""Notes on commits: a projection of the store that follows rewritten commits."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from git_knowl.plumbing import refs
from git_knowl.services.audit.audit import audit
from git_knowl.services.catchup.catch_up import catch_up
from git_knowl.services.notes import project as notes_project
from git_knowl.services.notes.project import Rebuilt, rebuild
from git_knowl.services.notes.records import note_suspects
from git_knowl.services.rename import rename
from git_knowl.services.retire import retire
from git_knowl.services.undo import undo_last
from git_knowl.services.verify import evidence, verify
from tests.support.people import CART, person, write
from tests.support.seal import ROOT

FIVE = "export function total(n) {\n  return n > 5 ? n * 2 : n\n}\n"


def note(repo, rev="HEAD"):
    return repo.git("notes", "--ref=knowl", "show", rev, check=False).splitlines()


def noted(repo):
    lines = repo.git("notes", "--ref=knowl", "list", check=False).splitlines()
    return {line.split()[1] for line in lines}


@pytest.fixture
def story(repo):
    """A commit on which an entry was captured, one that changed its file, one that confirmed it."""
    write(person(repo), "cart", CART)
    repo.commit("five", {"lib/cart.ts": FIVE})
    audit(ctx := person(repo), ctx.world, move=True)
    verify(person(repo), evidence(person(repo), "cart"))
    return repo


def test_what_happened_stands_on_the_commit_it_happened_at(story):
    retired = story.commit("later", {"x": "y"})
    retire(person(story), "cart", "the supplier left")

    assert note(story, f"{retired}~2") == ["captured cart"]
    assert note(story, f"{retired}~1") == ["suspected cart lib/cart.ts", "verified cart"]
    assert note(story, retired) == ["retired cart"]


def test_the_log_reads_well(story):
    told = story.git("log", "-1", "--format=%s%n%N", "--notes=knowl").splitlines()
    assert told == ["five", "suspected cart lib/cart.ts", "verified cart"]


def test_the_local_lane_leaves_none(repo):
    write(person(repo), "private", CART, lane="local")
    repo.commit("five", {"lib/cart.ts": FIVE})
    catch_up(person(repo), "post-commit")

    assert noted(repo) == set()


@pytest.mark.parametrize(
    "later",
    [
        rebuild,
        lambda ctx: audit(ctx, ctx.world, move=True),
        lambda ctx: verify(ctx, evidence(ctx, "cart")),
    ],
    ids=["rebuild", "audit", "verify"],
)
def test_what_a_hook_found_is_noted_by_the_next_that_has_time(repo, later):
    write(person(repo), "cart", CART)
    catch_up(person(repo), "post-commit")
    repo.commit("five", {"lib/cart.ts": FIVE})
    catch_up(person(repo), "post-commit")
    assert note(repo) == []

    later(person(repo))
    assert note(repo)[0] == "suspected cart lib/cart.ts"


def test_what_could_not_be_noted_is_noted_the_next_time(story):
    lock = story.path / ".git/refs/notes/knowl.lock"
    lock.touch()
    note_suspects(ctx := person(story), [(story.rev("HEAD"), "cart", "conf.yml")])
    assert any("no notes on what turned suspect" in notice for notice in ctx.repo.notices)
    lock.unlink()

    note_suspects(person(story))

    assert "suspected cart conf.yml" in note(story)


def test_writers_need_not_wait_for_a_rebuild(story, monkeypatch):
    def followed(*given):
        monkeypatch.setattr(notes_project, "followed", real)
        write(person(story), "other", CART)  # and so the notes move, and it begins again
        return real(*given)

    real = notes_project.followed
    monkeypatch.setattr(notes_project, "followed", followed)

    rebuild(person(story))

    assert "other" in {row.name for row in person(story).cache.entry_rows()}
    assert any("captured other" in note(story, commit) for commit in noted(story))


def test_a_rebuild_brings_the_same_and_keeps_what_the_store_does_not_tell(story):
    story.git("notes", "--ref=knowl", "append", "-m", "by hand: see the wiki", "HEAD")
    before = {rev: note(story, rev) for rev in ("HEAD", "HEAD~1")}

    assert rebuild(person(story)) == Rebuilt(2, 0)

    after = {rev: sorted(note(story, rev)) for rev in before}
    assert after == {rev: sorted(filter(None, told)) for rev, told in before.items()}


def test_without_the_ref_the_store_tells_it_all_again(story):
    story.git("update-ref", "-d", refs.NOTES)
    rebuild(person(story))

    assert note(story, "HEAD~1") == ["captured cart"]
    assert note(story, "HEAD") == ["verified cart"]


def test_the_next_write_catches_up_with_what_a_crash_left_out(repo):
    write(person(repo), "cart", CART)
    repo.git("update-ref", "-d", refs.NOTES)
    write(person(repo), "conf", "file:conf.yml")

    assert note(repo) == ["captured cart", "captured conf"]


def test_notes_follow_an_amended_message(repo):
    first = repo.commit("tpyo", {"x": "1\n"})
    write(person(repo), "cart", CART)
    repo.git("commit", "-q", "--amend", "-m", "typo")
    assert note(repo) == []

    assert rebuild(person(repo)) == Rebuilt(1, 1)
    assert note(repo) == ["captured cart"]
    assert first not in noted(repo)


def test_notes_follow_a_rebase_and_a_cherry_pick(repo):
    start = repo.rev("HEAD")
    repo.git("checkout", "-q", "-b", "topic")
    topic = repo.commit("topic", {"x": "1\n"})
    write(person(repo), "cart", CART)
    repo.git("checkout", "-q", "-b", "other", start)
    repo.commit("upstream", {"y": "1\n"})
    repo.git("cherry-pick", topic)
    rebuild(person(repo))
    assert note(repo, "other") == note(repo, topic) == ["captured cart"]

    repo.git("rebase", "-q", "other~1", "topic")
    repo.git("branch", "-q", "-D", "other")
    rebuild(person(repo))
    assert note(repo, "topic") == ["captured cart"]
    assert topic not in noted(repo)


def test_of_several_commits_squashed_into_one_the_notes_stay_behind(repo):
    start = repo.rev("HEAD")
    repo.git("checkout", "-q", "-b", "topic")
    topic = repo.commit("one", {"x": "1\n"})
    write(person(repo), "cart", CART)
    repo.commit("two", {"y": "1\n"})
    repo.git("checkout", "-q", "-b", "squashed", start)
    repo.git("merge", "-q", "--squash", "topic")
    repo.commit("both")
    rebuild(person(repo))

    assert noted(repo) == {topic}


def test_another_clone_finds_the_rebased_commit_by_the_patch_the_entry_names(repo):
    start = repo.rev("HEAD")
    topic = repo.commit("topic", {"x": "1\n"})
    write(person(repo), "cart", CART)
    repo.git("reset", "-q", "--hard", start)
    repo.commit("upstream", {"y": "1\n"})
    repo.git("cherry-pick", topic)
    clone = repo.clone("clone", "--no-local")
    clone.git("fetch", "-q", "origin", "refs/knowl/entries:refs/knowl/entries")
    rebuild(person(clone))

    assert note(clone) == ["captured cart"]


def test_a_rename_an_edit_and_an_undo_are_told_by_no_word(repo):
    write(person(repo), "cart", CART)
    rename(person(repo), "cart", "basket")
    undo_last(person(repo))

    assert note(repo) == ["captured cart"]


def test_writers_at_the_same_time_lose_no_note(repo):
    commits = [repo.commit(str(n)) for n in range(4)]
    script = (
        "import sys, os; from git_knowl.plumbing.repository import discover;"
        "from git_knowl.services.context import Context, Caller;"
        "from git_knowl.services.notes.records import note_suspects;"
        "repo = discover(os.getcwd(), os.environ);"
        "caller = Caller(lambda: 'K <k@e>', None, None, False, '.', lambda: 1.0, os.urandom);"
        "[note_suspects(Context(repo, caller), [(c, 'e' + sys.argv[1], 'p')])"
        " for c in sys.argv[2:]]"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(n), *commits],
            cwd=repo.path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for n in range(4)
    ]
    assert [job.wait() for job in running] == [0] * 4

    for commit in commits:
        assert sorted(note(repo, commit)) == [f"suspected e{n} p" for n in range(4)]
