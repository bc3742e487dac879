"""Remotes through git's own transports: what they show, give and take, and how they refuse."""

from __future__ import annotations

import os
import resource
import subprocess
import time

import pytest

from git_knowl.plumbing import remote
from git_knowl.plumbing.remote import (
    AuthFailed,
    BadObjects,
    NoSuchRemote,
    RemoteError,
    RemoteMoved,
    Unreachable,
)
from git_knowl.plumbing.remote_errors import failure
from tests.support.builders import RepoBuilder
from tests.support.http_server import WHO, serve
from tests.support.remotes import (
    ONLY_BRANCHES,
    PROTOCOLS,
    TRANSPORTS,
    bare,
    belongings,
    clone,
    hook,
    reached_by,
    remove,
    ssh,
)

REF = "refs/knowl/thing"
ORIGIN = "origin"


@pytest.fixture
def hub(tmp_path):
    return bare(tmp_path)


@pytest.fixture
def mine(hub):
    return clone(hub, "mine")


@pytest.fixture(params=TRANSPORTS)
def reached(request, hub, mine, monkeypatch):
    """Give a clone whose remote is reached by one of the transports."""
    with reached_by(request.param, hub) as (address, env):
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        mine.git("remote", "set-url", ORIGIN, address)
        yield mine


def commit(repo, message="something", *parents):
    """Return a commit on no branch."""
    options = [word for parent in parents for word in ("-p", parent)]
    return repo.git("commit-tree", "-m", message, *options, "HEAD^{tree}")


def push(repo, oid, ref=REF, seen=None):
    """Push one object and return what became of the ref."""
    return remote.push(repo.open(), ORIGIN, [(oid, ref, seen)])[ref]


def has(repo, oid):
    return repo.git("cat-file", "-t", oid, check=False) == "commit"


def test_what_is_pushed_is_shown_and_can_be_fetched_by_every_transport(hub, reached):
    oid = commit(reached)
    other = clone(hub, "other")
    other.git("remote", "set-url", ORIGIN, reached.git("remote", "get-url", ORIGIN))

    assert remote.ls(reached.open(), ORIGIN, ["refs/knowl/*"]) == {}
    assert push(reached, oid).kind == remote.OK
    assert remote.ls(reached.open(), ORIGIN, [REF]) == {REF: oid}
    remote.fetch(other.open(), ORIGIN, [oid])
    assert has(other, oid)


def test_pushing_again_or_something_older_moves_nothing(reached):
    old = commit(reached)
    new = commit(reached, "newer", old)
    push(reached, new)

    assert push(reached, new).kind == remote.UP_TO_DATE
    assert push(reached, new, seen=new).kind == remote.UP_TO_DATE
    assert push(reached, old).kind == remote.REJECTED
    assert push(reached, commit(reached, "another line")).kind == remote.REJECTED
    assert remote.ls(reached.open(), ORIGIN, [REF]) == {REF: new}


def test_a_host_that_takes_branches_alone_refuses_in_its_own_words(hub, reached):
    hook(hub, "update", ONLY_BRANCHES)

    told = push(reached, commit(reached))

    assert told.kind == remote.REFUSED
    assert not told.is_taken
    assert "only branches and tags are taken here" in told.reason
    assert "remote:" not in told.reason
    assert push(reached, commit(reached), "refs/heads/store").kind == remote.OK


@pytest.mark.parametrize(
    ("key", "value", "ref"),
    [
        ("receive.denyCurrentBranch", "refuse", "refs/heads/main"),
        ("transfer.hideRefs", "refs/knowl", REF),
        ("receive.maxInputSize", "1", REF),
    ],
)
def test_a_refusal_is_no_race(hub, mine, key, value, ref):
    hub.git("config", key, value)
    hub.git("config", "core.bare", "false")

    told = push(mine, commit(mine, "on top", mine.rev("HEAD")), ref)

    assert told.kind == remote.REFUSED
    assert told.reason


def test_a_ref_in_the_way_is_a_refusal(mine):
    push(mine, commit(mine))

    told = push(mine, commit(mine), f"{REF}/below")

    assert told.kind == remote.REFUSED
    assert "cannot create" in told.reason


def test_a_ref_that_somebody_moves_at_that_moment_is_a_race(hub, mine):
    lock = hub.path / f"{REF}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()

    assert push(mine, commit(mine)).kind == remote.REJECTED


def test_a_remote_that_does_not_answer_is_left_after_the_deadline(hub, mine, monkeypatch):
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    monkeypatch.setenv("GIT_SSH_COMMAND", ssh(hub.path.parent, "#!/bin/sh\nexec sleep 1000\n"))
    mine.git("remote", "set-url", ORIGIN, f"ssh://host.example{hub.path}")

    with pytest.raises(Unreachable, match="did not answer within"):
        remote.ls(mine.open(), ORIGIN, [REF], timeout=0.5)


@pytest.mark.parametrize(
    "words", ["Permission denied (publickey).", "ERROR: Permission to a denied"]
)
def test_a_key_that_is_not_let_in_is_told_as_such(hub, mine, monkeypatch, words):
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    script = f"#!/bin/sh\necho '{words}' >&2\nexit 255\n"
    monkeypatch.setenv("GIT_SSH_COMMAND", ssh(hub.path.parent, script))
    mine.git("remote", "set-url", ORIGIN, f"ssh://host.example{hub.path}")

    with pytest.raises(AuthFailed) as caught:
        remote.ls(mine.open(), ORIGIN, [REF])

    assert words in caught.value.message
    assert "without a question" in caught.value.hint


def test_ssh_has_no_terminal_to_ask_on(hub, mine, monkeypatch):
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    script = "#!/bin/sh\n(: < /dev/tty) 2>/dev/null && echo 'it can ask' >&2\nexit 255\n"
    monkeypatch.setenv("GIT_SSH_COMMAND", ssh(hub.path.parent, script))
    mine.git("remote", "set-url", ORIGIN, f"ssh://host.example{hub.path}")

    with pytest.raises(Unreachable) as caught:
        remote.ls(mine.open(), ORIGIN, [REF])

    assert "it can ask" not in caught.value.message


@pytest.fixture
def guarded(hub, mine, monkeypatch):
    """Give a clone whose remote lets in who says the secret."""
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    hub.git("config", "http.receivepack", "true")
    with serve(hub.path.parent, WHO) as address:
        mine.git("remote", "set-url", ORIGIN, f"{address}/{hub.path.name}")
        yield mine


def test_a_password_is_never_asked_for(guarded, monkeypatch):
    monkeypatch.setenv("GIT_ASKPASS", "/bin/false")
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "1")
    guarded.git("config", "core.askPass", "/bin/false")

    with pytest.raises(AuthFailed):
        remote.ls(guarded.open(), ORIGIN, [REF])
    with pytest.raises(AuthFailed):
        push(guarded, commit(guarded))


def test_stored_credentials_are_used_and_shown_to_nobody(guarded):
    name, word = WHO.split(":")
    helper = f"!f() {{ echo username={name}; echo password={word}; }}; f"
    guarded.git("config", "credential.helper", helper)
    assert push(guarded, commit(guarded)).kind == remote.OK
    guarded.git("config", "--unset", "credential.helper")
    address = guarded.git("remote", "get-url", ORIGIN).replace("//", "//ada:wrong-word@")
    guarded.git("remote", "set-url", ORIGIN, address)

    with pytest.raises(AuthFailed) as caught:
        remote.ls(guarded.open(), ORIGIN, [REF])

    assert "wrong-word" not in caught.value.message


def test_a_remote_that_is_only_read_says_so(hub, mine, monkeypatch):
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    with serve(hub.path.parent) as address:
        mine.git("remote", "set-url", ORIGIN, f"{address}/{hub.path.name}")

        assert remote.ls(mine.open(), ORIGIN, ["refs/heads/main"])
        with pytest.raises(AuthFailed) as caught:
            push(mine, commit(mine))

    assert "does not let us write" in caught.value.message
    assert "can let you write" in caught.value.hint


@pytest.mark.parametrize("page", ["<html><title>Log in</title></html>\n", "<html>", "", "a\tb\n"])
def test_a_page_in_the_place_of_a_repository_is_told_as_such(tmp_path, mine, page, monkeypatch):
    """What git takes for a list of no refs, as an empty page, is seen by the push alone."""
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    with serve(tmp_path, page=page) as address:
        mine.git("remote", "set-url", ORIGIN, f"{address}/hub.git")
        if page.endswith("\n"):
            with pytest.raises(Unreachable, match="no git repository answers there"):
                remote.ls(mine.open(), ORIGIN, [REF])
        else:
            assert remote.ls(mine.open(), ORIGIN, [REF]) == {}
        with pytest.raises(Unreachable) as caught:
            push(mine, commit(mine))

    assert "no git repository" in caught.value.message
    assert "http-push" not in caught.value.message
    assert "address is right" in caught.value.hint


@pytest.mark.parametrize(
    "words",
    [
        "fatal: write error: File too large\nfatal: fetch-pack: invalid index-pack output\n",
        "error: unable to write file x: No space left on device\nfatal: unpack-objects failed\n",
        "fatal: cannot pwrite pack file: Disk quota exceeded\nfatal: index-pack failed\n",
    ],
)
def test_no_room_here_is_no_fault_of_the_remote(words):
    told = failure(ORIGIN, ("fetch",), 128, words)

    assert "cannot be kept here: " in told.message
    assert words.partition(": ")[2].partition("\n")[0] in told.message
    assert "make room on the disk" in told.hint
    assert not isinstance(told, Unreachable)


def test_no_room_there_is_nothing_to_make_room_for_here():
    told = failure(ORIGIN, ("push",), 1, "remote: fatal: write error: No space left on device\n")

    assert "kept here" not in told.message


def test_a_fetch_that_writes_more_than_there_is_room_for_says_so(hub, mine):
    """A limit on the size of files stands for a full disk."""
    other = RepoBuilder.start(hub.path.parent, name="other")
    (other.path / "big").write_bytes(os.urandom(2_000_000))
    other.git("add", "big")
    other.git("commit", "-qm", "big")
    other.git("push", "-q", str(hub.path), f"HEAD:{REF}")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        with pytest.raises(RemoteError, match="cannot be kept here: ") as caught:
            remote.fetch(mine.open(), ORIGIN, [other.rev("HEAD")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert "make room on the disk" in caught.value.hint


def test_a_deleted_remote_cannot_be_reached(hub, mine):
    remove(hub)

    for call in (
        lambda: remote.ls(mine.open(), ORIGIN, [REF]),
        lambda: remote.fetch(mine.open(), ORIGIN, [REF]),
        lambda: push(mine, mine.rev("HEAD")),
    ):
        with pytest.raises(Unreachable) as caught:
            call()
        assert "git remote -v" in caught.value.hint


def test_a_protocol_that_is_not_allowed_is_not_used(mine):
    mine.git("remote", "set-url", ORIGIN, "ext::sh -c 'touch run'")

    with pytest.raises(Unreachable):
        remote.ls(mine.open(), ORIGIN, [REF])

    assert not (mine.path / "run").exists()


def test_a_bundle_shows_and_gives_and_takes_nothing(hub, mine, tmp_path):
    oid = commit(mine)
    push(mine, oid)
    hub.git("bundle", "create", "-q", str(tmp_path / "all.bundle"), "--all")
    other = RepoBuilder.start(tmp_path, name="other")
    other.git("remote", "add", ORIGIN, str(tmp_path / "all.bundle"))

    assert remote.ls(other.open(), ORIGIN, [REF]) == {REF: oid}
    remote.fetch(other.open(), ORIGIN, [oid])
    assert has(other, oid)
    with pytest.raises(Unreachable):
        push(other, commit(other))


def test_an_object_that_is_gone_by_now_is_told_as_moved(mine):
    with pytest.raises(RemoteMoved):
        remote.fetch(mine.open(), ORIGIN, ["1" * 40])


def test_objects_that_git_finds_fault_with_do_not_enter(hub, mine):
    tree = hub.git("mktree", stdin=f"100644 blob {hub.git('hash-object', '-w', '--stdin')}\t.git\n")
    oid = hub.git("commit-tree", "-m", "harm", tree)
    hub.git("update-ref", REF, oid)

    with pytest.raises(BadObjects):
        remote.fetch(mine.open(), ORIGIN, [oid])

    assert not has(mine, oid)


@pytest.mark.parametrize("name", ["up/stream", "o.r.i", "ÄÖ", "a-b"])
def test_names_of_remotes_may_be_odd(hub, mine, name):
    mine.git("remote", "rename", ORIGIN, name)

    assert remote.names(mine.open()) == [name]
    assert remote.known(mine.open(), name) == name
    assert remote.ls(mine.open(), name, ["refs/heads/main"])
    oid = commit(mine)
    assert remote.push(mine.open(), name, [(oid, REF, None)])[REF].is_taken


@pytest.mark.parametrize(
    "given", ["https://me:word@example.org/x", "/hub", "./hub", "host:path", "none", "-o", "--all"]
)
def test_only_a_configured_name_is_a_remote(mine, given):
    with pytest.raises(NoSuchRemote) as caught:
        remote.known(mine.open(), given)

    assert "me:word" not in caught.value.message
    assert "git remote add" in caught.value.hint
    assert "origin" in caught.value.hint


def test_a_remote_without_an_address_is_none(mine):
    mine.git("config", "remote.later.fetch", "+refs/heads/*:refs/remotes/later/*")

    assert remote.names(mine.open()) == [ORIGIN]


def test_instead_of_is_honoured(hub, mine):
    mine.git("config", f"url.{hub.path.parent}/.insteadOf", "team:")
    mine.git("remote", "set-url", ORIGIN, "team:hub.git")
    oid = commit(mine)

    assert push(mine, oid).is_taken
    assert remote.ls(mine.open(), ORIGIN, [REF]) == {REF: oid}
    remote.fetch(mine.open(), ORIGIN, [oid])


def test_names_are_exact_whatever_ends_like_them(hub, mine):
    hub.git("update-ref", f"refs/heads/{REF}", "refs/heads/main")
    hub.git("update-ref", f"{REF}-other", "refs/heads/main")

    assert remote.ls(mine.open(), ORIGIN, [REF]) == {}
    assert list(remote.ls(mine.open(), ORIGIN, ["refs/knowl/*"])) == [f"{REF}-other"]


#: Settings by which git would ask, force, recurse, sign, run or move more than it is told to.
LOUD = {
    "push.followTags": "true",
    "push.gpgSign": "if-asked",
    "push.pushOption": "ci.skip",
    "push.recurseSubmodules": "on-demand",
    "push.default": "matching",
    "fetch.prune": "true",
    "fetch.pruneTags": "true",
    "fetch.recurseSubmodules": "true",
    "fetch.writeCommitGraph": "true",
    "fetch.parallel": "2",
    "gc.auto": "1",
    "gc.autoDetach": "false",
    "maintenance.auto": "true",
    "remote.origin.tagOpt": "--tags",
    "remote.origin.prune": "true",
    "remote.origin.push": "+refs/heads/*:refs/heads/*",
    "submodule.recurse": "true",
}


def test_nothing_of_the_user_moves_whatever_the_settings(hub, mine):
    for key, value in LOUD.items():
        mine.git("config", key, value)
    hub.commit_on_main = hub.git("commit-tree", "-m", "new", "-p", "main", "main^{tree}")
    hub.git("update-ref", "refs/heads/main", hub.commit_on_main)
    hub.git("tag", "theirs", "main")
    mine.git("tag", "-a", "ours", "-m", "ours")
    mine.git("update-ref", "refs/remotes/origin/gone", "HEAD")
    before = belongings(mine), hub.refs("refs/heads", "refs/tags")
    loose = len(list((mine.path / ".git/objects/info").glob("commit-graph*")))

    push(mine, commit(mine, "on top", mine.rev("HEAD")))
    remote.ls(mine.open(), ORIGIN, [REF])
    remote.fetch(mine.open(), ORIGIN, [hub.rev(REF), hub.commit_on_main])

    assert (belongings(mine), hub.refs("refs/heads", "refs/tags")) == before
    assert len(list((mine.path / ".git/objects/info").glob("commit-graph*"))) == loose
    assert has(mine, hub.commit_on_main)


def test_no_hook_of_the_user_runs_and_those_of_the_host_do(hub, mine):
    here, there = mine.path / "here", mine.path / "there"
    for name in ("pre-push", "reference-transaction", "post-merge"):
        hook(mine, name, f"#!/bin/sh\necho {name} >> '{here}'\nexit 1\n")
    hook(hub, "post-receive", f'#!/bin/sh\necho "[$GIT_LITERAL_PATHSPECS]" > "{there}"\n')

    assert push(mine, commit(mine)).is_taken
    remote.fetch(mine.open(), ORIGIN, [f"+{REF}:refs/knowl-remotes/origin/thing"])

    assert not here.exists()
    assert there.read_text() == "[]\n"


def test_a_shallow_clone_stays_as_shallow_as_it_was(hub, monkeypatch):
    deep = clone(hub, "deep")
    deep.commit("two", {"a": "2"})
    deep.git("push", "-q", ORIGIN, "main")
    shallow = RepoBuilder(hub.path.parent / "shallow")
    hub.git("clone", "-q", "--depth", "1", f"file://{hub.path}", str(shallow.path))
    oid = commit(deep, "two", commit(deep, "one"))
    push(deep, oid)
    before = belongings(shallow)

    remote.fetch(shallow.open(), ORIGIN, [oid])
    mine = commit(shallow, "three", oid)
    assert push(shallow, mine).is_taken

    assert belongings(shallow) == before
    assert shallow.git("rev-list", "--count", oid) == "2"


def test_a_partial_clone_gets_whole_objects(hub, mine):
    hub.git("config", "uploadpack.allowFilter", "true")
    partial = RepoBuilder(hub.path.parent / "partial")
    options = ("--filter=blob:none", "--no-checkout")
    hub.git("clone", "-q", *options, f"file://{hub.path}", str(partial.path))
    blob = mine.git("hash-object", "-w", "--stdin", stdin="a text of the store\n")
    tree = mine.git("mktree", stdin=f"100644 blob {blob}\tnew\n")
    oid = mine.git("commit-tree", "-m", "store", tree)
    push(mine, oid)

    remote.fetch(partial.open(), ORIGIN, [oid])

    remove(hub)
    assert partial.git("cat-file", "blob", blob) == "a text of the store"


def test_a_push_goes_to_every_push_address_and_the_worst_answer_counts(hub, mine, tmp_path):
    second = bare(tmp_path, "second.git")
    for repo in (hub, second):
        mine.git("remote", "set-url", "--add", "--push", ORIGIN, str(repo.path))
    oid = commit(mine)

    assert remote.push_places(mine.open(), ORIGIN) == [str(hub.path), str(second.path)]
    assert push(mine, oid).is_taken
    assert hub.rev(REF) == second.rev(REF) == oid
    hook(second, "update", ONLY_BRANCHES)
    assert push(mine, commit(mine, "next", oid)).kind == remote.REFUSED


def test_in_a_mirror_no_ref_of_ours_follows_a_push(hub):
    mirror = clone(hub, "mirror.git", "--mirror")
    oid = mirror.git("commit-tree", "-m", "x", "main^{tree}")
    later = mirror.git("commit-tree", "-m", "later", "-p", oid, "main^{tree}")
    mirror.git("update-ref", REF, later)

    told = remote.push(mirror.open(), ORIGIN, [(oid, REF, None)])[REF]

    assert told.is_taken
    assert hub.rev(REF) == oid
    assert mirror.rev(REF) == later


def test_with_sha256_all_is_the_same(tmp_path):
    hub = bare(tmp_path, object_format="sha256")
    mine, other = clone(hub, "mine"), clone(hub, "other")
    oid = commit(mine)

    assert push(mine, oid).is_taken
    remote.fetch(other.open(), ORIGIN, [oid])

    assert has(other, oid)


def test_a_child_that_hangs_is_gone_afterwards(hub, mine, monkeypatch):
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    pid = hub.path.parent / "pid"
    script = f"#!/bin/sh\necho $$ > '{pid}'\nexec sleep 1000\n"
    monkeypatch.setenv("GIT_SSH_COMMAND", ssh(hub.path.parent, script))
    mine.git("remote", "set-url", ORIGIN, f"ssh://host.example{hub.path}")

    with pytest.raises(Unreachable):
        remote.fetch(mine.open(), ORIGIN, [REF], timeout=0.5)

    assert is_gone(int(pid.read_text()))


def is_gone(pid):
    """Wait a little for a process to leave, for it is the child of nobody here."""
    for _ in range(200):
        done = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False
        )
        if done.stdout.strip()[:1] in (b"", b"Z"):
            return True
        time.sleep(0.05)
    return False
