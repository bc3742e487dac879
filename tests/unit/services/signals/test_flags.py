"""Flags made of commits: whose, how often, how many."""

from __future__ import annotations

import pytest

from git_knowl.plumbing.messages import list_commits, read_messages
from git_knowl.services.inbox import drop
from git_knowl.services.signals.flags import QUOTA, WINDOW, from_commits
from tests.support.contexts import context, flag_of, inbox_of

WHY = (
    "The supplier ships pairs only, so the cart has to double every count above three pieces"
    " before it asks for the price. Without that the price service answers with the price of a"
    " single piece and the invoice is wrong by half, which nobody sees until the month ends."
)
KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def ctx(repo):
    return context(repo)


def tell(repo, number, body=WHY):
    """Commit a small change that says why."""
    return repo.commit(f"cart: count pairs {number}\n\n{body}", {"lib/cart.ts": f"{number}\n"})


def new_commits(repo, since="HEAD~1"):
    """Return the commits after one, the oldest first."""
    return list_commits(repo.open(), f"{since}..HEAD")[::-1]


def test_a_commit_that_says_why_becomes_a_flag_with_its_words_and_paths(repo, ctx):
    commit = tell(repo, 1)

    (flag,) = from_commits(ctx, [commit]).flags

    stored = flag_of(ctx, flag.id)
    assert stored == flag
    assert (flag.summary, flag.quote, flag.commit) == ("cart: count pairs 1", WHY, commit)
    assert [item.path for item in flag.paths] == ["lib/cart.ts"]
    assert flag.paths[0].blob == f"sha1:{repo.rev('HEAD:lib/cart.ts')}"


def test_an_ordinary_commit_writes_nothing(repo, ctx):
    commit = repo.commit("cart: rename", {"lib/cart.ts": "x\n"})

    assert from_commits(ctx, [commit]).flags == ()
    assert repo.refs("refs/knowl*") == {}


def test_only_commits_of_ones_own_are_flagged(repo, ctx):
    repo.git("config", "user.email", "eve@example.org")
    commit = tell(repo, 1)

    assert from_commits(ctx, [commit]).flags == ()


@pytest.mark.parametrize("rewrite", ["amend", "rebase", "cherry-pick"])
def test_a_rewritten_commit_is_not_flagged_again(repo, ctx, rewrite):
    commit = tell(repo, 1)
    from_commits(ctx, [commit])
    if rewrite == "amend":
        repo.git("commit", "-q", "--amend", "-m", f"cart: count pairs 1\n\nMore. {WHY}")
    elif rewrite == "rebase":
        repo.git("checkout", "-q", "-b", "side", "HEAD~1")
        repo.commit("unrelated", other="x")
        repo.git("rebase", "-q", "side", "main")
    else:
        repo.git("checkout", "-q", "-b", "side", "HEAD~1")
        repo.commit("unrelated", other="x")
        repo.git("cherry-pick", commit)
    assert repo.rev("HEAD") != commit

    assert from_commits(ctx, [repo.rev("HEAD")]).flags == ()
    assert len(inbox_of(ctx).flags) == 1


def test_a_dropped_flag_does_not_come_back(repo, ctx):
    commit = tell(repo, 1)
    (flag,) = from_commits(ctx, [commit]).flags
    drop(ctx, [flag.id])

    assert from_commits(ctx, [commit]).flags == ()


def test_no_more_than_the_quota_of_a_window_is_flagged_and_the_rest_is_counted(repo, ctx):
    for number in range(WINDOW):
        tell(repo, number)

    done = from_commits(ctx, new_commits(repo, f"HEAD~{WINDOW}"))

    assert (len(done.flags), done.held) == (QUOTA, WINDOW - QUOTA)


def test_one_by_one_the_quota_is_the_same(repo, ctx):
    made = [len(from_commits(ctx, [tell(repo, number)]).flags) for number in range(WINDOW + 1)]

    assert made == [1] * QUOTA + [0] * (WINDOW - QUOTA) + [1]


def test_what_a_trailer_asks_for_is_always_flagged(repo, ctx):
    for number in range(QUOTA):
        tell(repo, number)
    from_commits(ctx, new_commits(repo, f"HEAD~{QUOTA}"))
    commit = repo.commit(
        "cart: x\n\nBody.\n\nKnowl-Flag: pairs only\nKnowl-Flag: never round\n", a="1"
    )

    found = from_commits(ctx, [commit]).flags

    assert {flag.summary for flag in found} == {"pairs only", "never round"}


def test_secrets_are_masked_and_paths_that_cannot_be_shown_are_left_out(repo, ctx):
    commit = repo.commit(
        f"cart: use {KEY}\n\n{WHY} {KEY}", {f"keys/{KEY}.txt": "x", "a\nb": "x", "ok.txt": "x"}
    )

    (flag,) = from_commits(ctx, [commit]).flags

    assert KEY not in f"{flag}"
    assert [item.path for item in flag.paths] == ["ok.txt"]


def test_a_message_with_odd_characters_and_great_length_fits_a_flag(repo, ctx):
    commit = repo.commit(f"cart:\u202e {'x' * 900}\n\n{WHY}\x07 {'very ' * 900}", a="1")

    (flag,) = from_commits(ctx, [commit]).flags

    assert len(flag.summary) == 500
    assert len(flag.quote or "") <= 2000
    assert "\u202e" not in flag.summary
    assert "\x07" not in (flag.quote or "")


def test_root_commits_deletions_and_sha256_are_read(repo256):
    ctx = context(repo256)
    repo256.git("rm", "-q", "lib/cart.ts")
    commit = repo256.commit(f"cart: drop\n\n{WHY}")

    (flag,) = from_commits(ctx, [commit]).flags

    assert [(item.path, item.blob) for item in flag.paths] == [("lib/cart.ts", None)]


def test_where_content_is_missing_the_paths_are_still_known(repo, tmp_path):
    tell(repo, 1)
    repo.git("config", "uploadpack.allowFilter", "true")
    source = f"file://{repo.path}"
    repo.git("clone", "-q", "--bare", "--filter=blob:none", source, str(tmp_path / "partial"))
    partial = type(repo)(tmp_path / "partial")
    partial.git("config", "remote.origin.url", "file:///nowhere")

    (message,) = read_messages(partial.open(), [partial.rev("HEAD")])

    assert (message.paths, message.lines) == (["lib/cart.ts"], None)
