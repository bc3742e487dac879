"""What was purged, as the tree of a store says it; and histories without some of their files."""

from __future__ import annotations

from git_knowl.plumbing import refs
from git_knowl.plumbing.commits import parse
from git_knowl.plumbing.objects import open_objects
from git_knowl.store.operations import PutEntry
from git_knowl.store.purged import digest_of, is_purged, purged_path, read_purged
from git_knowl.store.rewrite import Rewriter
from tests.support.stores import PutRaw, entry, open_store, write


def keep_all(path, blob):
    return True


def all_but_the_cart(path, blob):
    return path != "lib/cart.ts"


def test_digests_are_read_and_other_files_beside_them_are_none(repo):
    store = open_store(repo)
    digest = digest_of(b"leaked")
    names = (digest, "README", digest.upper(), digest[:-1], f"{digest}/deep")
    write(store, *(PutRaw(refs.ENTRIES, purged_path(name), b"") for name in names[:4]))

    assert read_purged(store.view().tree(refs.ENTRIES)) == {digest}


def test_a_content_is_told_by_its_bytes_alone():
    purged = {digest_of(b"leaked")}

    assert is_purged(b"leaked", purged)
    assert not is_purged(b"leaked ", purged)
    assert not is_purged(b"leaked", ())


def test_a_history_from_which_nothing_goes_is_the_same(repo):
    store = open_store(repo)
    write(store, PutEntry("shared", entry("one", 2)))
    write(store, PutEntry("shared", entry("two", 4)))
    tip = repo.rev(refs.ENTRIES)
    rewriter = Rewriter(store.repo, open_objects(store.repo))

    rewriter.follow([tip], keep_all, lambda message: message)

    assert rewriter.commits[tip] == tip
    assert rewriter.objects == []


def test_submodules_and_files_of_any_mode_stay_as_they_are(repo):
    head = repo.rev("HEAD")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    repo.git("update-index", "--chmod=+x", "conf.yml")
    tip = repo.git("commit-tree", "-p", head, "-m", "odd", repo.git("write-tree"))
    opened = repo.open()
    rewriter = Rewriter(opened, open_objects(opened))

    rewriter.follow([tip], all_but_the_cart, lambda message: message)
    open_objects(opened).write(rewriter.objects)

    made = repo.git("ls-tree", "-r", rewriter.commits[tip])
    assert [line.split("\t")[1] for line in made.splitlines()] == ["conf.yml", "sub"]
    assert made.splitlines()[0].startswith("100755 ")


def test_a_commit_keeps_headers_that_nobody_knows_and_loses_signatures():
    raw = (
        b"tree 1\nparent 2\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n"
        b"encoding ISO-8859-1\ngpgsig -----BEGIN\n line\n -----END\nx-later kept\n and this\n"
        b"\nsubject\n\nbody \xe9\n"
    )
    commit = parse(raw)

    assert commit.is_signed
    assert commit.anew("3", ("4", "5"), commit.message) == (
        b"tree 3\nparent 4\nparent 5\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n"
        b"encoding ISO-8859-1\nx-later kept\n and this\n\nsubject\n\nbody \xe9\n"
    )


def test_a_commit_without_a_message_is_taken_apart_as_well():
    commit = parse(b"tree 1\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n")

    assert (commit.tree, commit.parents, commit.message) == ("1", (), b"")
