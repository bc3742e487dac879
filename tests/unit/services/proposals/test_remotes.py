"""Proposals over remotes that move, refuse, or are called oddly: nothing is lost."""

from __future__ import annotations

import shutil

import pytest

from git_knowl.plumbing import refs
from git_knowl.services.flag import flag
from git_knowl.services.proposals import send as sending
from git_knowl.services.proposals.place import own, who
from git_knowl.services.proposals.receive import receive
from git_knowl.services.proposals.send import LostSendError, ProposalsRefusedError, send
from tests.support.builders import RepoBuilder
from tests.support.contexts import (
    inbox_of,
)
from tests.support.people import agent, person
from tests.support.proposals import ADA, fill, home, shown


def test_two_copies_of_one_clone_send_to_one_ref_and_lose_nothing(hub, ada, tmp_path, monkeypatch):
    first = flag(ada, "first thing").flag.id
    own(ada)
    shutil.copytree(ada.repo.work_tree, tmp_path / "copy", symlinks=True)
    copy = person(RepoBuilder(tmp_path / "copy"), person=ADA)
    second = flag(copy, "second thing").flag.id
    write_first = sending.write
    raced = []

    def write_after_the_other(*args):
        if not raced:
            raced.append(None)
            raced[0] = send(copy)
        return write_first(*args)

    monkeypatch.setattr(sending, "write", write_after_the_other)
    done = send(ada)

    assert sorted(raced[0].ids) == sorted((first, second))
    assert done.known == (first,)
    (tip,) = shown(hub).values()
    listed = hub.git("ls-tree", "-r", "--name-only", tip)
    assert first in listed
    assert second in listed


def test_a_ref_that_keeps_moving_is_given_up_on(ada, monkeypatch):
    fill(ada)
    monkeypatch.setattr(sending, "exchange", lambda *_: None)
    monkeypatch.setattr(sending.time, "sleep", lambda _: None)

    with pytest.raises(LostSendError) as caught:
        send(ada)
    assert caught.value.exit_code == 4


def test_a_remote_that_refuses_says_why_and_everything_still_waits(hub, ada):
    fill(ada)
    hook = hub.path / "hooks/update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not here >&2\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(ProposalsRefusedError, match="not here"):
        send(ada)
    assert shown(hub) == {}
    assert len(inbox_of(ada).flags) == 2


def test_a_host_that_takes_branches_alone_gets_a_branch(hub, ada, bob):
    ids = fill(ada)
    for one in (ada, bob):
        one.repo.git("config", "knowl.remoteRef", "refs/heads/knowl-store")
        one.__dict__.pop("settings", None)

    sent = send(ada)

    assert sent.ref.startswith("refs/heads/knowl-store-proposals/ada-example-org-")
    assert sorted(receive(bob).ids) == sorted(ids)


def test_nothing_of_the_users_moves(hub, ada):
    fill(ada)
    repo = home(ada)
    before = repo.refs("refs/heads", "refs/remotes", "refs/tags")
    config = repo.read(".git/config")
    send(ada)
    receive(ada)

    assert repo.refs("refs/heads", "refs/remotes", "refs/tags") == before
    assert repo.read(".git/config") == config
    assert not (repo.path / ".git/FETCH_HEAD").exists()


def test_sha256_repositories_exchange_too(tmp_path):
    hub = RepoBuilder.start(tmp_path, "sha256", bare=True, name="hub")
    ada, bob = (person(hub.clone(name)) for name in ("ada", "bob"))
    ids = fill(ada)
    send(ada)

    assert sorted(receive(bob).ids) == sorted(ids)


def test_an_agent_of_a_cloud_sends_without_a_terminal(hub, bob):
    ctx = agent(hub.clone("cloud"), person=ADA)
    fill(ctx)

    assert len(send(ctx).ids) == 3
    receive(bob)
    assert {one.host for one in inbox_of(bob).flags} == {"claude"}


@pytest.mark.parametrize(
    ("given", "start"),
    [
        ("Ada <ada@example.org>", "ada-example-org-"),
        ("A <../../x.lock>", "x-lock-"),
        ("A <@{u}..HEAD>", "u-head-"),
        ("A <ÄÖ@ü>", "somebody-"),
        ("", "somebody-"),
        ("A <" + "x" * 300 + "@y>", "x" * 40 + "-"),
        ("A <entries>", "entries-"),
    ],
)
def test_a_name_is_safe_in_a_ref(repo, given, start):
    name = who(given, "0" * 32)

    assert name.startswith(start)
    assert repo.git("check-ref-format", f"refs/knowl/proposals/{name}") == ""
    assert (
        refs.tracked(refs.tracking_ref("origin", f"refs/knowl/proposals/{name}"))[1] != refs.ENTRIES
    )
