"""Flags: what is recorded, what is refused, and when two are the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.flag import FlagPath
from git_knowl.plumbing.repository import PathError
from git_knowl.services.context import NoIdentityError
from git_knowl.services.filters.secrets import SecretError
from git_knowl.services.flag import FlagError, flag
from git_knowl.store.operations import PutFlag
from tests.support.builders import RepoBuilder
from tests.support.clock import Clock
from tests.support.contexts import context, inbox_of
from tests.support.seal import DATE, PERSON
from tests.support.stores import PutRaw, write

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


def test_a_flag_records_where_and_by_whom_it_was_made(repo):
    ctx = context(repo, host="claude", session="s1")

    made = flag(ctx, " totals double ", ("lib/cart.ts",), "surprise", "it doubles?!").flag

    assert inbox_of(ctx).flags == (made,)
    blob = repo.git("hash-object", "lib/cart.ts")
    assert made.paths == (FlagPath("lib/cart.ts", f"sha1:{blob}"),)
    assert (made.summary, made.cue, made.quote) == ("totals double", "surprise", "it doubles?!")
    assert (made.by, made.host, made.session, made.at) == (PERSON, "claude", "s1", DATE)
    assert (made.worktree, made.branch, made.head) == (str(repo.path), "main", repo.rev("HEAD"))
    assert made.outcome == "pending"


def test_uncommitted_content_is_known_by_its_blob_and_not_stored(repo):
    repo.write("lib/cart.ts", "changed\n")
    ctx = context(repo)

    made = flag(ctx, "totals double", ("lib/cart.ts",)).flag

    blob = repo.git("hash-object", "lib/cart.ts")
    assert made.paths[0].blob == f"sha1:{blob}"
    assert not repo.git("cat-file", "-t", blob, check=False)


@pytest.mark.parametrize("path", ["lib", "gone.ts"])
def test_folders_and_missing_files_have_no_blob(repo, path):
    assert flag(context(repo), "note", (path,)).flag.paths == (FlagPath(path, None),)


def test_paths_count_from_the_folder_of_the_caller_and_are_kept_once(repo):
    ctx = context(repo, cwd=str(repo.path / "lib"))

    made = flag(ctx, "note", ("cart.ts", "../lib/cart.ts", "../conf.yml")).flag

    assert [item.path for item in made.paths] == ["lib/cart.ts", "conf.yml"]


def test_a_name_that_is_no_utf_8_is_kept(repo):
    assert flag(context(repo), "note", ("a\udcffb",)).flag.paths[0].path == "a\udcffb"


def test_the_same_words_in_one_session_give_the_same_flag(repo):
    clock = Clock()
    ctx = context(repo, session="s1", clock=clock)
    first = flag(ctx, "totals double", ("lib/cart.ts", "conf.yml"))
    clock.advance(hours=1)

    second = flag(ctx, "totals double", ("conf.yml", "lib/cart.ts"), "surprise")

    assert not first.known
    assert second.known
    assert second.flag == first.flag
    assert len(inbox_of(ctx).flags) == 1


@pytest.mark.parametrize(
    "other", [{"session": "s2"}, {"session": "s1", "paths": ("conf.yml",)}], ids=["session", "path"]
)
def test_another_session_or_path_is_another_flag(repo, other):
    paths = other.pop("paths", ("lib/cart.ts",))
    flag(context(repo, session="s1"), "totals double", ("lib/cart.ts",))

    assert not flag(context(repo, **other), "totals double", paths).known


def test_without_a_session_the_day_tells_repetition(repo):
    clock = Clock()
    ctx = context(repo, clock=clock)
    first = flag(ctx, "totals double").flag

    clock.advance(hours=2)
    assert flag(ctx, "totals double").flag == first
    clock.advance(days=1)
    assert flag(ctx, "totals double").flag != first


def test_words_of_a_settled_flag_make_a_new_one_even_within_one_millisecond(repo):
    ctx = context(repo, session="s1")
    first = flag(ctx, "totals double").flag
    settled = replace(first, outcome="dropped")
    write(ctx.store, PutFlag(settled))

    second = flag(ctx, "totals double")

    assert not second.known
    assert set(inbox_of(ctx).flags) == {settled, second.flag}


def test_a_damaged_twin_is_no_reason_to_fail(repo):
    ctx = context(repo, session="s1")
    first = flag(ctx, "totals double").flag
    path = f"flags/{first.id[-2:]}/{first.id}.json"
    write(ctx.store, PutRaw("refs/knowl-local/inbox", path, b"{"))

    assert not flag(context(repo, session="s1"), "totals double").known


@pytest.mark.parametrize("told", [("at {}", "password:\n{}"), ("the password is {}", "at {}")])
def test_what_summary_or_quote_gives_away_is_masked_in_both(repo, told):
    value = "3d344217bd575c1272cbcc2573dc06b0"
    summary, quote = (one.format(value) for one in told)

    done = flag(context(repo), summary, quote=quote)

    assert value not in repr(done)
    assert done.redacted == (("PASSWORD", 2),)


def test_secrets_are_masked_before_anything_is_stored(repo):
    ctx = context(repo)

    done = flag(ctx, f"the key {KEY} works", quote=f"use {KEY}")

    assert "REDACTED" in done.flag.summary
    assert "REDACTED" in (done.flag.quote or "")
    assert done.redacted == (("GITHUB_TOKEN", 2),)
    objects = repo.git("cat-file", "--batch-all-objects", "--batch")
    assert KEY not in objects


def test_a_secret_in_a_path_is_refused(repo):
    ctx = context(repo)

    with pytest.raises(SecretError, match="path"):
        flag(ctx, "note", (f"{KEY}.txt",))

    assert repo.refs("refs/knowl-local") == {}


@pytest.mark.parametrize(
    ("summary", "more", "message"),
    [
        ("", {}, "summary: expected one sentence"),
        ("x" * 501, {}, "summary: expected at most 500 characters, got 501"),
        ("two\nlines", {}, "summary: .* U\\+000A"),
        ("zero\u200bwidth", {}, "summary: .* U\\+200B"),
        ("byte \udcff", {}, "summary: expected UTF-8, got the byte 0xff"),
        ("x", {"quote": "a\x07b"}, "quote: .* U\\+0007"),
        ("x", {"quote": "q" * 2001}, "quote: expected at most 2000"),
        ("x", {"cue": "hunch"}, "cue: expected one of surprise"),
        ("x", {"paths": tuple(map(str, range(21)))}, "paths: expected at most 20, got 21"),
        ("x", {"paths": (".",)}, "path: expected a file or folder below the top"),
        ("x", {"paths": ("p" * 301,)}, "path: expected at most 300"),
        ("x", {"paths": ("a\tb",)}, "path: .* visible characters, got"),
    ],
)
def test_a_flag_that_breaks_a_limit_names_the_field_and_stores_nothing(
    repo, summary, more, message
):
    with pytest.raises(FlagError, match=message):
        flag(context(repo), summary, **more)

    assert repo.refs("refs/knowl-local") == {}


def test_a_quote_may_have_lines(repo):
    assert flag(context(repo), "x", quote="one\r\ntwo\n").flag.quote == "one\ntwo"


@pytest.mark.parametrize("path", ["../other", ".git/config", "link/x"])
def test_paths_outside_the_work_tree_are_refused(repo, path):
    (repo.path / "link").symlink_to(repo.path / "lib")

    with pytest.raises(PathError):
        flag(context(repo), "note", (path,))


def test_nobody_can_flag_without_a_name(repo):
    with pytest.raises(NoIdentityError):
        flag(context(repo, person=None), "note")


def test_an_unborn_branch_has_a_name_and_no_commit(tmp_path):
    made = flag(context(RepoBuilder.make(tmp_path)), "note").flag

    assert (made.branch, made.head) == ("main", None)


def test_a_detached_head_has_a_commit_and_no_branch(repo):
    repo.git("checkout", "--quiet", "--detach")

    made = flag(context(repo), "note").flag

    assert (made.branch, made.head) == (None, repo.rev("HEAD"))


def test_in_a_bare_repository_the_blobs_are_those_of_head(tmp_path):
    bare = RepoBuilder.start(tmp_path, bare=True)

    made = flag(context(bare), "note", ("lib/cart.ts", "lib")).flag

    blob = bare.rev("HEAD:lib/cart.ts")
    assert made.paths == (FlagPath("lib/cart.ts", f"sha1:{blob}"), FlagPath("lib", None))
    assert (made.worktree, made.branch, made.head) == (None, "main", bare.rev("HEAD"))
