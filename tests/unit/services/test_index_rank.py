"""What stands first in the block: what is suspect, what is near the work, what was of use.

Entries are named against the order that is expected, so that the alphabet never helps.
"""

from __future__ import annotations

import pytest

from git_knowl.anchors import freshness
from git_knowl.model.anchor import FileAnchor, TreeAnchor, UrlAnchor
from git_knowl.model.entry import SHARED
from git_knowl.model.status import SUSPECT
from git_knowl.plumbing import working
from git_knowl.plumbing.working import Work, Working
from git_knowl.services import use_steps
from git_knowl.services.index import build
from git_knowl.services.index_block import index_block
from git_knowl.services.index_rank import ranking
from git_knowl.services.rate import rate
from git_knowl.store.use import Tally
from tests.support.caches import cache_of, plant
from tests.support.people import person
from tests.support.stores import TIME, entry, open_store

FAR = entry("a-far", 1, anchors=(FileAnchor("docs/guide.md"),))
PART = entry("b-part", 2, anchors=(FileAnchor("src/chat/deep/er/x.ts"),))
BESIDE = entry("c-beside", 3, anchors=(FileAnchor("src/chat/list.ts"),))
ON_IT = entry("d-on-it", 4, anchors=(FileAnchor("src/chat/row.ts"),))
NOWHERE = entry("e-nowhere", 5, type="project", anchors=(UrlAnchor("https://e.org/", TIME, 9),))
ALL = (FAR, PART, BESIDE, ON_IT, NOWHERE)
FILES = dict.fromkeys(("docs/guide.md", "src/chat/deep/er/x.ts", "src/chat/list.ts"), "x\n")
FILES |= {"src/chat/row.ts": "x\n", "src/api/call.ts": "x\n", ".gitignore": "*.log\n"}


@pytest.fixture
def repo(repo):
    """Give a repository with a few folders, on its trunk."""
    repo.commit("start", FILES)
    return repo


@pytest.fixture
def store(repo):
    """Give a store with an entry at every distance from ``src/chat/row.ts``."""
    store = open_store(repo)
    plant(store, SHARED, *ALL)
    return store


def order(store, paths=(), steps=None, statuses=None, committed=()):
    cache = cache_of(store)
    text = build(
        cache,
        statuses or {},
        lambda _: set(),
        1800,
        ranking=ranking(cache, Work(paths, committed), steps or {}),
    )
    return listed(text)


def listed(text):
    return [line.split()[1] for line in text.splitlines() if line.startswith("- ")]


# --- how near --------------------------------------------------------------------------------


def test_the_nearer_to_the_work_the_earlier(store):
    assert order(store, ["src/chat/row.ts"]) == [
        *("d-on-it", "c-beside", "b-part"),
        *("a-far", "e-nowhere"),
    ]


def test_what_the_branch_committed_is_a_step_farther_than_what_differs_now(store):
    work = {"paths": ["docs/guide.md"], "committed": ["src/chat/row.ts"]}

    assert order(store, **work) == ["a-far", "d-on-it", "c-beside", "b-part", "e-nowhere"]
    assert order(store, ["src/chat/row.ts"], committed=["docs/guide.md"])[:3] == [
        *("d-on-it", "a-far", "c-beside"),
    ]


def test_without_any_work_the_names_decide(store):
    assert order(store) == ["a-far", "b-part", "c-beside", "d-on-it", "e-nowhere"]


def test_a_new_file_brings_up_what_rests_beside_it(store):
    assert order(store, ["src/chat/new.ts"])[:3] == ["c-beside", "d-on-it", "b-part"]


def test_a_file_at_the_top_brings_up_what_rests_at_the_top_alone(store):
    plant(store, SHARED, entry("z-top", 9, anchors=(FileAnchor("conf.yml"),)))

    assert order(store, ["README.md"])[0] == "z-top"


def test_an_entry_on_a_folder_is_as_near_as_one_on_the_file(store):
    plant(store, SHARED, entry("z-tree", 9, anchors=(TreeAnchor("src/chat/"),)))

    assert order(store, ["src/chat/row.ts"])[:2] == ["d-on-it", "z-tree"]


def test_the_nearest_of_several_anchors_counts(store):
    both = (FileAnchor("docs/guide.md"), FileAnchor("src/chat/row.ts"))
    plant(store, SHARED, entry("z-both", 9, anchors=both))

    assert order(store, ["src/chat/row.ts"])[:2] == ["d-on-it", "z-both"]


def test_a_folder_of_like_name_is_not_near(store):
    plant(store, SHARED, entry("z-like", 9, anchors=(FileAnchor("src/chat2/row.ts"),)))

    assert order(store, ["src/chat/row.ts"])[-1] == "z-like"


@pytest.mark.parametrize("path", ["src/chat/%_'\".ts", "src/chat/\udcff.ts", "\U0010ffff/x"])
def test_a_path_is_compared_and_never_read_as_anything_else(store, path):
    assert len(order(store, [path])) == len(ALL)


def test_what_is_suspect_comes_before_what_is_near(store):
    shown = order(store, ["src/chat/row.ts"], statuses={FAR.id: SUSPECT})

    assert shown[:2] == ["a-far", "d-on-it"]


def test_of_the_suspect_ones_the_nearest_comes_first(store):
    statuses = {FAR.id: SUSPECT, ON_IT.id: SUSPECT}

    assert order(store, ["src/chat/row.ts"], statuses=statuses)[:2] == ["d-on-it", "a-far"]


def test_what_is_near_is_listed_before_a_hundred_others(store):
    others = [entry(f"b{at:03}", 100 + at) for at in range(300)]
    plant(store, SHARED, *others)

    assert order(store, ["src/chat/row.ts"])[:3] == ["d-on-it", "c-beside", "b-part"]


def test_the_same_work_gives_the_same_block(store):
    first = order(store, ["src/chat/row.ts", "docs/guide.md"], {FAR.id: 2})

    assert order(store, ["docs/guide.md", "src/chat/row.ts"], {FAR.id: 2}) == first


# --- of what use -----------------------------------------------------------------------------


def test_what_was_of_use_comes_before_what_is_as_far(store):
    assert order(store, (), {NOWHERE.id: 1, ON_IT.id: 2})[:3] == ["d-on-it", "e-nowhere", "a-far"]


def test_what_is_near_comes_before_what_was_of_use(store):
    assert order(store, ["src/chat/row.ts"], {FAR.id: 3})[0] == "d-on-it"


@pytest.mark.parametrize(
    ("tally", "step"),
    [
        *((Tally(), 0), (Tally(read=3), 0), (Tally(read=4), 1), (Tally(read=15), 1)),
        *((Tally(read=16), 2), (Tally(read=64), 3), (Tally(read=10**6), 3)),
        *((Tally(useful=1), 1), (Tally(read=4, wrong=1), 0), (Tally(wrong=9), 0)),
        (Tally(shown=10**6), 0),
    ],
)
def test_use_is_told_in_coarse_steps_and_being_shown_is_no_use(tally, step):
    assert use_steps.step(tally) == step


def test_a_judgement_moves_an_entry_up(repo, store):
    plant(store, SHARED, entry("z-nowhere", 9))
    ctx = person(repo)
    before = listed(index_block(ctx))

    rate(ctx, "z-nowhere", "useful")

    assert before[-2:] == ["e-nowhere", "z-nowhere"]
    assert listed(index_block(person(repo)))[-2:] == ["z-nowhere", "e-nowhere"]


def test_a_spoilt_file_of_steps_is_no_steps(repo, store):
    path = store.repo.shared_path(use_steps.FILE)
    use_steps.keep(store.repo, {FAR.id: Tally(read=99)})
    assert use_steps.steps(store.repo) == {FAR.id: 3}

    for text in (b"\xff\xfe\n", b"one two three\n", f"{FAR.id} 9\n{FAR.id}\n".encode(), b""):
        with open(path, "wb") as file:
            file.write(text)
        assert use_steps.steps(store.repo) == {}


# --- what is worked on -----------------------------------------------------------------------


def paths(repo):
    return Working(repo.open()).found().differing


def committed(repo):
    return Working(repo.open()).found().committed


def test_a_clean_trunk_of_one_commit_is_not_worked_on(repo):
    fresh = repo.clone("fresh")

    assert paths(fresh) == []


def test_changed_removed_staged_and_new_files_are_worked_on_and_ignored_ones_not(repo):
    fresh = repo.clone("fresh")
    fresh.write("src/chat/row.ts", "other\n")
    (fresh.path / "docs/guide.md").unlink()
    fresh.write("src/api/call.ts", "staged\n")
    fresh.git("add", "src/api/call.ts")
    fresh.write("new/folder/file.ts", "new\n")
    fresh.write("trace.log", "ignored\n")

    assert paths(fresh) == ["docs/guide.md", "new", "src/api/call.ts", "src/chat/row.ts"]


def test_what_the_commits_of_the_branch_changed_is_worked_on(repo):
    fresh = repo.clone("fresh")
    fresh.git("switch", "--quiet", "-c", "topic")
    fresh.commit("work", {"src/chat/row.ts": "work\n"})

    assert (paths(fresh), committed(fresh)) == ([], ["src/chat/row.ts"])
    fresh.git("switch", "--quiet", "main")
    assert committed(fresh) == []


def test_of_a_trunk_what_is_not_pushed_is_worked_on_and_without_a_remote_nothing(repo):
    fresh = repo.clone("fresh")
    fresh.commit("work", {"src/chat/row.ts": "work\n"})

    assert (committed(fresh), committed(repo)) == (["src/chat/row.ts"], [])


def test_every_worktree_is_asked_for_itself(repo):
    fresh = repo.clone("fresh")
    other = fresh.worktree("other", "topic")
    other.write("src/chat/row.ts", "other\n")

    assert (paths(fresh), paths(other)) == ([], ["src/chat/row.ts"])


def test_of_very_many_paths_the_first_are_kept(repo, monkeypatch):
    monkeypatch.setattr(working, "MOST_PATHS", 2)
    repo.write("a/1", "")
    repo.write("b/1", "")
    repo.write("c/1", "")

    assert paths(repo) == ["a", "b"]


def test_in_a_wide_tree_new_files_are_not_looked_for_and_in_a_huge_one_no_files(repo, monkeypatch):
    fresh = repo.clone("fresh")
    fresh.write("new.ts", "new\n")
    fresh.write("src/chat/row.ts", "other\n")
    fresh.write("src/api/call.ts", "staged\n")
    fresh.git("add", "src/api/call.ts")

    monkeypatch.setattr(working, "WIDE", 1)
    assert paths(fresh) == ["src/api/call.ts", "src/chat/row.ts"]
    monkeypatch.setattr(working, "HUGE", 2)
    assert paths(fresh) == ["src/api/call.ts"]


def test_where_git_has_nothing_to_say_nothing_is_worked_on(repo, tmp_path):
    bare = type(repo).make(tmp_path / "bare", bare=True)
    unborn = type(repo).make(tmp_path / "unborn")

    assert (paths(bare), paths(unborn)) == ([], [])


def test_questions_that_nobody_wants_answered_leave_nothing_behind(repo):
    asked = Working(repo.open())
    asked.close()

    assert asked.found().differing == []


# --- both ways -------------------------------------------------------------------------------


def test_the_block_follows_the_work_of_the_worktree_that_asks(repo, store, knowl):
    first = knowl.ok("index")
    repo.write("src/chat/new.ts", "new\n")
    second = knowl.ok("index")

    assert listed(first) != listed(second)
    assert listed(second)[0] in {"c-beside", "d-on-it"}
    assert knowl.ok("index") == second


def test_nothing_is_written_to_the_index_of_git(repo, store, knowl):
    knowl.ok("index")
    before = freshness.stamp(str(repo.path / ".git/index"))
    (repo.path / "src/chat/row.ts").touch()
    knowl.ok("index")

    assert freshness.stamp(str(repo.path / ".git/index")) == before
