"""Publishing: all or nothing, on the present tips, and told to history."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.document import parse
from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import genesis
from git_knowl.store import layout, transaction
from git_knowl.store.flags import PutFlag, RemoveFlag
from git_knowl.store.operations import Accept, NotLiveError, PutDraft, PutEntry, RemoveEntry
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.transaction import Record, publish
from tests.support.stores import (
    AT,
    BY,
    RECORD,
    PutRaw,
    draft,
    entry,
    flag,
    identifier,
    open_store,
    write,
)

CART = entry("cart-total", 1)


def tips(builder):
    return {ref: oid for ref, oid in builder.refs().items() if "knowl" in ref}


def test_the_first_write_starts_from_the_constant_commit_that_all_clones_share(any_store):
    published = write(any_store, PutEntry(SHARED, CART), PutEntry(LOCAL, entry("mine", 2)))

    repo = any_store.repo
    root, _ = genesis(repo.object_format)
    for ref in (refs.ENTRIES, refs.LOCAL_ENTRIES):
        commit = any_store.db.read_commit(published.commits[ref])
        assert commit.parents == (root,)
    assert repo.run("fsck", "--strict", "--no-dangling").code == 0


def test_git_reads_the_entry_under_its_path(repo, store):
    write(store, PutEntry(SHARED, CART))

    shown = repo.git("show", f"{refs.ENTRIES}:{layout.entry_path(CART.id, CART.name)}")
    assert parse(shown.encode() + b"\n") == CART
    assert repo.git("show", f"{refs.ENTRIES}:format") == "format 1\nreader 1"


def test_history_tells_subject_trailers_author_and_time(repo, store):
    record = Record(
        "capture", "capture cart-total", "Ada Ünïcode <ada@b>", AT, (("Reviewed-by", BY),)
    )

    publish(store, lambda _: [PutEntry(SHARED, CART)], record)

    body = repo.git("log", "-1", "--format=%B", refs.ENTRIES)
    assert body == (
        f"capture cart-total\n\nKnowl-Op: capture\nKnowl-Entry: {CART.id} cart-total\n"
        f"Reviewed-by: {BY}\n"
    )
    who = repo.git("log", "-1", "--format=%an <%ae> %at|%cn <%ce> %ct", refs.ENTRIES)
    assert who == f"Ada Ünïcode <ada@b> {AT}|Ada Ünïcode <ada@b> {AT}"


def test_a_line_break_in_a_value_cannot_forge_a_trailer_or_a_subject(repo, store):
    record = Record(
        "retire", "one\ntwo", BY, AT, (("Knowl-Reason", "bad\nReviewed-by: Eve <e@e>"),)
    )

    publish(store, lambda _: [PutEntry(SHARED, CART)], record)

    assert repo.git("log", "-1", "--format=%s", refs.ENTRIES) == "one two"
    forged = repo.git("log", "-1", "--format=%(trailers:key=Reviewed-by)", refs.ENTRIES)
    assert forged.strip() == ""


def test_all_refs_of_one_operation_move_together_with_the_subject_in_every_reflog(repo, store):
    published = write(
        store,
        Accept(CART.id, CART.digest),
        RemoveFlag(identifier(5)),
        PutFlag(flag("done", 6)),
        PutEntry(SHARED, CART),
    )

    assert list(published.commits) == [refs.ENTRIES, refs.INBOX, refs.STATE]
    assert published.commits == tips(repo)
    for ref in published.commits:
        assert repo.git("reflog", "show", "--format=%gs", ref) == RECORD.subject


def test_entries_move_before_the_inbox_and_the_state(store, monkeypatch):
    moved = []
    update = refs.update
    monkeypatch.setattr(
        refs, "update", lambda *a, **k: (moved.extend(u.ref for u in a[1]), update(*a, **k))
    )

    write(
        store,
        Accept(CART.id, "aa"),
        PutFlag(flag("x")),
        PutEntry(LOCAL, entry("mine", 2)),
        PutEntry(SHARED, CART),
    )

    assert moved == [refs.ENTRIES, refs.LOCAL_ENTRIES, refs.INBOX, refs.STATE]


def test_the_local_commit_names_the_shared_one_of_its_operation_or_the_tip_before_it(repo, store):
    both = write(store, PutEntry(SHARED, CART), PutEntry(LOCAL, entry("mine", 2)))
    write(store, PutEntry(LOCAL, entry("more", 3)))

    tip = both.commits[refs.ENTRIES]
    values = "%(trailers:key={},valueonly,separator=)"
    with_ = values.format("Knowl-With")
    after = values.format("Knowl-After")
    told = repo.git("log", "-2", f"--format={after} {with_}", refs.LOCAL_ENTRIES)
    assert told.splitlines() == [f"{tip} ", f" {tip}"]
    assert "Knowl-" in repo.git("log", "-1", "--format=%B", refs.ENTRIES)
    assert tip not in repo.git("log", "-1", "--format=%B", refs.ENTRIES)


@pytest.mark.parametrize("changes", [(), (RemoveFlag(identifier(1)),)])
def test_an_operation_that_alters_nothing_writes_nothing(repo, store, changes):
    published = write(store, *changes)

    assert published.commits == {}
    assert tips(repo) == {}


def test_writing_the_same_again_moves_nothing(repo, store):
    changes = (PutEntry(SHARED, CART), PutFlag(flag("x")))
    write(store, *changes)
    before = tips(repo)

    assert write(store, *changes).commits == {}
    assert tips(repo) == before


def test_an_operation_that_raises_writes_nothing(repo, store):
    write(store, PutEntry(SHARED, CART))
    before = tips(repo)

    with pytest.raises(NotLiveError):
        write(store, PutFlag(flag("x")), RemoveEntry(SHARED, identifier(9)))
    assert tips(repo) == before


def test_the_operation_is_applied_again_when_a_tip_moved_meanwhile(repo, store):
    write(store, PutFlag(flag("first", 1)))
    seen = []

    def operation(view):
        inbox = view.tree(refs.INBOX)
        seen.append(len(list(inbox.files(layout.FLAGS))))
        if len(seen) == 1:  # plain git moves the ref although we hold the lock
            other = repo.git("commit-tree", f"{refs.INBOX}^{{tree}}", "-m", "foreign")
            repo.git("update-ref", refs.INBOX, other)
        return [PutFlag(flag(f"saw {seen[-1]}", 2))]

    publish(store, operation, RECORD)

    assert seen == [1, 1]
    assert len(list(store.view().tree(refs.INBOX).files(layout.FLAGS))) == 2


def test_a_store_that_never_stands_still_is_given_up_as_moved(repo, store, monkeypatch):
    monkeypatch.setattr(transaction.time, "sleep", lambda _: None)
    monkeypatch.setattr(transaction, "ATTEMPTS", 3)
    tree = repo.git("mktree", stdin="")
    count = iter(range(99))

    def operation(view):
        del view
        other = repo.git("commit-tree", tree, "-m", str(next(count)))
        repo.git("update-ref", refs.INBOX, other)
        return [PutFlag(flag("x"))]

    with pytest.raises(MovedError, match="moved 3 times") as caught:
        publish(store, operation, RECORD)
    assert caught.value.exit_code == 4
    assert next(count) == 3


def test_a_lock_that_goes_while_we_wait_does_no_harm(repo, store, monkeypatch):
    write(store, PutFlag(flag("first", 1)))
    lock = repo.path / ".git" / f"{refs.INBOX}.lock"
    lock.touch()
    monkeypatch.setattr(refs, "_PATIENCE", ("core.filesRefLockTimeout=20",))
    steps = []

    def let_go(step):
        steps.append(step)
        if steps.count("written") == 2:
            lock.unlink(missing_ok=True)

    store.on_step = let_go

    write(store, PutFlag(flag("second", 2)))

    assert steps.count("written") == 2
    assert len(list(store.view().tree(refs.INBOX).files(layout.FLAGS))) == 2
    assert store.repo.notices == []


def test_a_ref_that_holds_something_else_is_not_written_over(repo, store):
    repo.git("update-ref", refs.INBOX, "HEAD")

    with pytest.raises(
        layout.FormatError, match="refs/knowl-local/inbox: expected a file 'format'"
    ):
        write(store, PutFlag(flag("x")))
    assert tips(repo) == {refs.INBOX: repo.rev("HEAD")}


def test_a_newer_format_is_not_written_and_nothing_else_of_the_operation_either(repo, store):
    write(store, PutEntry(SHARED, CART))
    write(store, PutRaw(refs.ENTRIES, layout.FORMAT_FILE, b"format 2\nreader 1\n"))
    before = tips(repo)

    with pytest.raises(
        layout.FormatError, match="format 2, this program reads and writes format 1"
    ):
        write(store, PutFlag(flag("x")), PutEntry(SHARED, entry("more", 2)))
    assert tips(repo) == before


def test_files_of_a_later_program_survive_a_write(repo, store):
    write(store, PutRaw(refs.ENTRIES, "later/thing", b"kept"))

    write(store, PutEntry(SHARED, CART))

    assert repo.git("show", f"{refs.ENTRIES}:later/thing") == "kept"


def test_commits_are_not_signed_and_no_hook_of_the_user_runs(repo, store):
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "gpg.program", "false")
    hook = repo.write(".git/hooks/reference-transaction", "#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)

    write(store, PutEntry(SHARED, CART))

    assert "gpgsig" not in repo.git("cat-file", "commit", refs.ENTRIES)


def test_a_durable_write_reads_like_any_other(any_store):
    publish(any_store, lambda _: [PutEntry(SHARED, CART)], RECORD, fsync=True)

    assert Snapshot(any_store.view(), SHARED).get(CART.id).entry == CART


def test_changes_to_one_file_add_up(store):
    write(store, *(Accept(identifier(number), "aa") for number in (1, 33, 65)))
    write(store, PutEntry(SHARED, CART), PutEntry(SHARED, replace(CART, rev=2)))

    assert Snapshot(store.view(), SHARED).get(CART.id).entry.rev == 2


def test_the_steps_of_a_write_are_told_in_order(repo):
    store, steps = open_store(repo), []
    store.on_step = steps.append

    write(store, PutDraft(draft(CART)))

    assert steps == ["locked", "read", "applied", "written", "published"]


def test_every_worktree_sees_a_write_at_once(repo):
    other = open_store(repo.worktree("w2", "w2"))
    mine = open_store(repo)

    write(mine, PutEntry(SHARED, CART))
    write(other, PutFlag(flag("from w2")))

    assert Snapshot(other.view(), SHARED).get(CART.id) is not None
    assert mine.view().tree(refs.INBOX).find(layout.record_path("flags", identifier(1)))


def test_a_bare_repository_takes_writes(tmp_path):
    from tests.support.builders import RepoBuilder  # noqa: PLC0415

    store = open_store(RepoBuilder.start(tmp_path, bare=True))

    write(store, PutEntry(SHARED, CART))

    assert Snapshot(store.view(), SHARED).get(CART.id).entry == CART
