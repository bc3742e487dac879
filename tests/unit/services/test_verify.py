"""Verifying: the present evidence joins the accepted one, for this text and in this checkout."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from git_knowl.anchors.base import AnchorError
from git_knowl.errors import MovedError
from git_knowl.model.accepted import KEPT
from git_knowl.model.anchor import ForeignAnchor
from git_knowl.model.status import ACTIVE, SUSPECT
from git_knowl.model.tiers import HERE
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.verify import VerifyError, check_unchanged, evidence, verify
from git_knowl.store.operations import PutEntry
from tests.support.builders import RepoBuilder
from tests.support.clock import Clock
from tests.support.contexts import ADA
from tests.support.people import CART, KIM, agent, live, person, script, tier, tips, write
from tests.support.stores import write as put

LOCK = "package:npm/left-pad!package-lock.json"


def status(repo, name="cart", clock=None):
    return evidence(person(repo, clock), name).verdict.status


def check(repo, name="cart", **options):
    ctx = person(repo)
    return verify(ctx, evidence(ctx, name), **options).new


def lockfile(version):
    packages = {
        "": {"dependencies": {"left-pad": "1"}},
        "node_modules/left-pad": {"version": version},
    }
    return json.dumps({"lockfileVersion": 3, "packages": packages})


def test_the_present_content_joins_what_was_accepted(repo):
    write(person(repo), "cart", CART)
    repo.write("lib/cart.ts", "four\n")
    assert status(repo) == SUSPECT

    new = check(repo)

    assert status(repo) == ACTIVE
    assert [item.dirty for item in new.anchors[0].accepted] == [False, True]
    assert new.rev == 2
    repo.git("checkout", "lib/cart.ts")
    assert status(repo) == ACTIVE, "what was accepted before still is"


def test_verifying_on_a_second_branch_keeps_the_first_active(repo):
    write(person(repo), "cart", CART)
    other = repo.worktree("feature", "feature")
    other.commit("four", {"lib/cart.ts": "four\n"})
    assert (status(repo), status(other)) == (ACTIVE, SUSPECT)

    check(other)

    assert (status(repo), status(other)) == (ACTIVE, ACTIVE)


def test_who_when_and_how_stand_with_the_evidence(repo):
    write(person(repo), "cart", CART)
    repo.commit("four", {"lib/cart.ts": "four\n"})
    clock = Clock()
    clock.advance(days=2)
    ctx = script(repo, clock)

    item = verify(ctx, evidence(ctx, "cart"), reviewer=ADA).new.anchors[0].accepted[-1]

    assert (item.by, item.at, item.how) == (ADA, clock.now, "unattended")
    assert item.commit == repo.rev("HEAD")


def test_an_agent_may_verify_and_it_is_recorded_as_unattended(repo):
    entry = write(person(repo), "cart", CART)
    ctx = agent(repo, terminal=True)

    new = verify(ctx, evidence(ctx, "cart")).new

    assert new.anchors[0].accepted[-1].how == "unattended"
    assert new.reviewed == entry.reviewed


def test_what_is_active_can_be_verified_again(repo):
    entry = write(person(repo), "cart", CART)

    new = check(repo)

    assert len(new.anchors[0].accepted) == 1, "the same content is one piece of evidence"
    assert new.digest == entry.digest


def test_old_evidence_never_counts_for_an_edited_text(repo):
    entry = write(person(repo), "cart", CART)
    repo.write("lib/cart.ts", "four\n")
    check(repo)
    ctx = person(repo)
    seen = evidence(ctx, "cart")
    apply_edit(ctx, seen, document(seen.entry).replace("doubles", "trebles"))
    repo.git("checkout", "lib/cart.ts")

    assert status(repo) == SUSPECT

    new = check(repo)
    assert {item.text for item in new.anchors[0].accepted} == {new.digest} != {entry.digest}


def test_only_so_many_contents_are_kept_but_none_that_a_branch_holds(repo):
    write(person(repo), "cart", CART)
    first = repo.git("rev-parse", "HEAD:lib/cart.ts")
    for number in range(KEPT + 1):
        repo.write("lib/cart.ts", f"{number}\n")
        check(repo)
    blobs = [item.blob for item in live(person(repo), "cart").anchors[0].accepted]

    assert len(blobs) == KEPT + 1
    assert blobs[0] == f"sha1:{first}"
    repo.git("checkout", "lib/cart.ts")
    assert status(repo) == ACTIVE


def test_what_a_detached_worktree_holds_is_kept_too(repo):
    write(person(repo), "cart", CART)
    repo.git("worktree", "add", "-q", "--detach", "../aside")
    aside = RepoBuilder(repo.path.parent / "aside")
    repo.commit("no branch ends in the first content", {"lib/cart.ts": "other\n"})
    for number in range(KEPT + 1):
        repo.write("lib/cart.ts", f"{number}\n")
        check(repo)

    assert status(aside) == ACTIVE


def test_a_package_is_accepted_at_its_present_version(repo):
    repo.commit("lock", {"package-lock.json": lockfile("1.0.0")})
    write(person(repo), "pad", LOCK)
    repo.commit("up", {"package-lock.json": lockfile("1.3.0")})
    assert status(repo, "pad") == SUSPECT

    new = check(repo, "pad")

    assert [item.version for item in new.anchors[0].accepted] == ["1.0.0", "1.3.0"]
    assert status(repo, "pad") == ACTIVE


def test_a_page_is_dated_anew(repo):
    write(person(repo), "api", "url:30d:https://example.org/api")
    clock = Clock()
    clock.advance(days=31)
    assert status(repo, "api", clock) == SUSPECT
    ctx = person(repo, clock)

    new = verify(ctx, evidence(ctx, "api")).new

    assert new.anchors[0].verified == clock.now
    assert status(repo, "api", clock) == ACTIVE


def test_a_moved_file_is_followed_only_when_asked(repo):
    write(person(repo), "cart", CART)
    repo.git("mv", "lib/cart.ts", "lib/till.ts")
    repo.git("commit", "-qm", "rename")
    before = tips(repo)

    with pytest.raises(VerifyError, match=r"'file:lib/cart\.ts' moved to 'lib/till\.ts'") as caught:
        check(repo)
    assert "--follow" in caught.value.hint
    assert tips(repo) == before

    new = check(repo, follow=True)

    assert new.anchors[0].target == "file:lib/till.ts"
    assert status(repo) == ACTIVE
    repo.git("checkout", "-q", "HEAD~1")
    assert evidence(person(repo), "cart").verdict.anchors[0].moved_to == "lib/cart.ts"


def test_following_where_nothing_moved_is_just_verifying(repo):
    write(person(repo), "cart", CART)

    assert check(repo, follow=True).anchors[0].target == CART


def test_a_text_that_was_reviewed_here_still_is_after_following(repo):
    write(person(repo), "cart", CART)
    repo.git("mv", "lib/cart.ts", "lib/till.ts")
    check(repo, follow=True)

    assert tier(person(repo)) == HERE


@pytest.mark.parametrize("commit", [True, False])
def test_a_file_that_is_gone_is_refused_with_the_ways_out(repo, commit):
    write(person(repo), "cart", CART)
    repo.git("rm", "-q", "lib/cart.ts")
    if commit:
        repo.git("commit", "-qm", "gone")
    before = tips(repo)

    with pytest.raises(VerifyError, match="deleted") as caught:
        check(repo)

    assert "git knowl edit" in caught.value.hint
    assert "git knowl retire" in caught.value.hint
    assert tips(repo) == before


def test_a_rename_with_edits_is_followed_by_who_has_seen_both(repo):
    lines = "".join(f"line {n}\n" for n in range(30))
    repo.commit("long", {"lib/cart.ts": lines})
    write(person(repo), "cart", CART)
    repo.git("mv", "lib/cart.ts", "lib/till.ts")
    repo.commit("rename", {"lib/till.ts": lines.replace("line 3\n", "line three\n")})

    with pytest.raises(VerifyError, match=r"moved to 'lib/till\.ts'"):
        check(repo)

    new = check(repo, follow=True)

    assert new.anchors[0].target == "file:lib/till.ts"
    assert status(repo) == ACTIVE


def test_evidence_that_was_never_here_cannot_be_verified_here(repo):
    other = repo.worktree("feature", "feature")
    other.commit("new", {"lib/new.ts": "new\n"})
    write(person(other), "cart", "file:lib/new.ts")

    with pytest.raises(AnchorError, match="no such file here"):
        check(repo)


def test_one_bad_anchor_keeps_all_from_being_verified(repo):
    write(person(repo), "cart", CART, "file:conf.yml")
    repo.commit("change", {"conf.yml": "a: 2\n"})
    repo.git("rm", "-q", "lib/cart.ts")

    with pytest.raises(VerifyError):
        check(repo)

    assert len(live(person(repo), "cart").anchors[1].accepted) == 1


def test_an_anchor_of_a_newer_program_is_not_verified_by_this_one(repo):
    ctx = person(repo)
    entry = write(ctx, "cart", CART)
    foreign = ForeignAnchor("rhyme", {"kind": "rhyme", "path": "lib/cart.ts", "name": "total"})
    put(ctx.store, PutEntry("shared", replace(entry, anchors=(*entry.anchors, foreign))))

    with pytest.raises(AnchorError, match="kind 'rhyme'"):
        check(repo)


def test_an_entry_without_evidence_can_be_looked_at_again(repo):
    write(person(repo), "habit")
    clock = Clock()
    clock.advance(days=1)
    ctx = person(repo, clock)

    assert verify(ctx, evidence(ctx, "habit")).new.updated == clock.now


def test_two_who_verify_at_the_same_time_both_count(repo):
    write(person(repo), "cart", CART)
    other = repo.worktree("feature", "feature")
    other.commit("four", {"lib/cart.ts": "four\n"})
    repo.commit("five", {"lib/cart.ts": "five\n"})
    here, there = person(repo), person(other)
    seen_here, seen_there = evidence(here, "cart"), evidence(there, "cart")

    verify(here, seen_here)
    verify(there, seen_there)

    assert (status(repo), status(other)) == (ACTIVE, ACTIVE)
    assert live(here, "cart").rev == 3


def test_a_file_that_changes_while_it_is_looked_at_was_not_looked_at(repo):
    write(person(repo), "cart", CART)
    repo.write("lib/cart.ts", "four\n")
    ctx = person(repo)
    seen = evidence(ctx, "cart")
    check_unchanged(ctx, seen)
    repo.write("lib/cart.ts", "five\n")

    with pytest.raises(MovedError, match="changed while it was looked at"):
        check_unchanged(ctx, seen)


def test_time_that_passes_is_no_change(repo):
    write(person(repo), "api", "url:30d:https://example.org/api")
    clock = Clock()
    clock.advance(days=31)
    ctx = person(repo, clock)
    seen = evidence(ctx, "api")
    clock.advance(hours=1)

    check_unchanged(ctx, seen)


def test_a_bare_repository_is_verified_by_its_head(repo):
    write(person(repo), "cart", CART)
    bare = repo.clone("bare.git", "--bare")
    bare.git("fetch", "-q", str(repo.path), "refs/knowl/*:refs/knowl/*")
    ctx = person(bare)

    assert verify(ctx, evidence(ctx, "cart")).new.anchors[0].accepted[-1].by == KIM


def test_sha256_repositories_are_no_different(repo256):
    write(person(repo256), "cart", CART)
    repo256.write("lib/cart.ts", "four\n")

    new = check(repo256)

    assert [item.blob.partition(":")[0] for item in new.anchors[0].accepted] == ["sha256", "sha256"]
    assert status(repo256) == ACTIVE
