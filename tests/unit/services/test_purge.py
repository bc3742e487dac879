"""Taking a leaked text out of the store and its history, in one clone."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from git_knowl.model.document import render
from git_knowl.model.flag import Flag
from git_knowl.plumbing import refs
from git_knowl.services.add import find_flag
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.gate import GateError, require_person
from git_knowl.services.purge.named import find_ids
from git_knowl.services.purge.purge import Order, look, purge
from git_knowl.services.purged.wanted import PurgeError, Wanted, read_wanted_text
from git_knowl.services.rename import move
from git_knowl.services.retire import RestoreError, restore, retire
from git_knowl.services.sync import since
from git_knowl.services.undo import undo_last
from git_knowl.services.verify import evidence
from git_knowl.store import history, layout
from git_knowl.store.flags import PutFlag
from git_knowl.store.operations import PutState
from git_knowl.store.purged import PLACEHOLDER, digest_of, read_purged
from git_knowl.store.undo import UndoError
from tests.support.builders import RepoBuilder
from tests.support.contexts import capture_item, inbox_of, submit_items
from tests.support.people import CART, agent, live, names, person, script, tips, write
from tests.support.purges import LEAK, LEAKING, files_holding, purge_ids, purge_text, reachable
from tests.support.stores import PutRaw, flag, open_store
from tests.support.stores import write as publish


@pytest.fixture
def ctx(repo):
    return person(repo)


def objects(repo, ref):
    return set(repo.git("rev-list", "--objects", "--no-object-names", ref).split())


# --- history ---------------------------------------------------------------------------------


def test_nothing_of_the_store_leads_to_the_text_any_more(repo, ctx):
    write(ctx, "before", CART)
    write(ctx, "leaks", CART, body=LEAKING)
    write(ctx, "after", CART)
    assert reachable(repo)

    purge_text(ctx)

    assert reachable(repo) == []
    assert files_holding(repo) == []
    assert names(ctx) == {"before": "shared", "after": "shared"}
    assert repo.git("fsck", "--strict", "--no-dangling") == ""


def test_both_object_formats_and_both_lanes_are_rewritten(repo256):
    ctx = person(repo256)
    write(ctx, "leaks", CART, body=LEAKING)
    write(ctx, "mine", body=LEAKING, lane="local")
    write(ctx, "stays", CART)

    purge_text(ctx)

    assert reachable(repo256) == []
    assert names(ctx) == {"stays": "shared"}


def test_an_old_version_goes_and_the_live_text_stays_as_it_is(repo, ctx):
    old = write(ctx, "leaks", CART, body=LEAKING)
    text = document(old).replace(LEAK, "in the vault")
    apply_edit(ctx, evidence(ctx, "leaks"), text, looked=True)
    now = live(ctx, "leaks")

    purge_text(ctx)

    assert live(ctx, "leaks") == now
    assert reachable(repo) == []


def test_other_commits_keep_author_time_and_message(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    write(ctx, "stays", CART)
    told = ("log", "--format=%an %ae %at %cn %ct %B", "refs/knowl/entries")
    before = repo.git(*told)

    purge_text(ctx)

    assert repo.git(*told).endswith(before)


def test_commits_before_the_first_that_holds_it_are_the_same(repo, ctx):
    write(ctx, "before", CART)
    first = repo.rev(refs.ENTRIES)
    write(ctx, "leaks", CART, body=LEAKING)

    purge_text(ctx)

    assert first in repo.git("rev-list", refs.ENTRIES).split()


def test_a_signature_of_a_commit_that_is_rewritten_goes_and_is_told(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    raw = repo.git("cat-file", "commit", refs.ENTRIES)
    signed = raw.replace("\n\n", "\ngpgsig -----BEGIN SSH SIGNATURE-----\n AAAA\n\n", 1) + "\n"
    oid = repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=signed)
    repo.git("update-ref", refs.ENTRIES, oid)
    ctx.refresh()

    found = look(ctx, Wanted(text=LEAK))
    purge_text(ctx)

    assert found.unsigned == 1
    assert "gpgsig" not in repo.git("log", "--format=raw", refs.ENTRIES)


def test_a_name_that_holds_the_text_goes_from_paths_and_messages(repo, ctx):
    write(ctx, "plover-umbrella", CART)

    purge_text(ctx, "plover-umbrella")

    assert reachable(repo, "plover-umbrella") == []
    subjects = repo.git("log", "--format=%s", refs.ENTRIES).splitlines()
    assert subjects[:2] == ["purge purged", PLACEHOLDER]
    assert files_holding(repo, "plover-umbrella") == []


def test_the_order_of_both_lanes_is_what_it_was(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    write(ctx, "mine", CART, lane="local")
    write(ctx, "later", CART)
    write(ctx, "mine-too", CART, lane="local")
    before = [one.subject for one in history.log(ctx.store, ctx.store.view())]

    purge_text(ctx)

    after = [one.subject for one in history.log(ctx.store, ctx.store.view())]
    assert after[1:] == before


def test_two_clones_that_take_out_the_same_come_to_the_same_history(repo, ctx, tmp_path):
    write(ctx, "leaks", CART, body=LEAKING)
    write(ctx, "stays", CART)
    other = repo.clone("other", "--mirror")
    other_ctx = person(other)

    purge_text(ctx)
    purge_text(other_ctx, LEAK)

    parents = [one.rev(f"{refs.ENTRIES}^") for one in (repo, other)]
    assert parents[0] == parents[1]


# --- what becomes of the entry -----------------------------------------------------------------


def test_an_entry_leaves_a_tombstone_and_cannot_be_restored(repo, ctx):
    entry = write(ctx, "leaks", CART, body=LEAKING)

    purge_text(ctx)

    (stone,) = ctx.cache.retired()
    assert (stone.id, stone.name, stone.reason) == (entry.id, "leaks", "purged")
    with pytest.raises(RestoreError):
        restore(ctx, "leaks")


def test_a_redacted_entry_is_live_with_the_evidence_it_had(repo, ctx):
    old = write(ctx, "leaks", CART, body=LEAKING)

    purge_text(ctx, redact=True)

    now = live(ctx, "leaks")
    assert now.body == LEAKING.replace(LEAK, PLACEHOLDER)
    assert (now.id, now.rev) == (old.id, old.rev + 1)
    assert evidence(ctx, "leaks").verdict.status == "active"
    assert reachable(repo) == []


def test_a_text_in_front_matter_is_found_in_the_way_it_is_quoted_there(repo, ctx):
    leak = 'plover "eats" umbrellas\\now'
    write(ctx, "leaks", CART, description=f"Read {leak} first")
    assert leak not in repo.git("show", f"{refs.ENTRIES}:{ctx.cache.by_name('leaks').path}")

    purge_text(ctx, leak, redact=True)

    assert live(ctx, "leaks").description == f"Read {PLACEHOLDER} first"
    assert reachable(repo, "plover") == []


def test_what_names_something_is_not_redacted(repo, ctx):
    write(ctx, "leaks", CART)
    before = tips(repo)

    with pytest.raises(PurgeError, match="anchor"):
        purge_text(ctx, "lib/cart.ts", redact=True)

    assert tips(repo) == before


def test_a_retired_entry_goes_by_its_name_with_all_its_versions(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    retire(ctx, "leaks", f"it says {LEAK}")

    purge_ids(ctx, *find_ids(ctx, "leaks"))

    assert reachable(repo) == []
    assert [stone.reason for stone in ctx.cache.retired()] == ["purged"]


def test_an_entry_that_moved_between_the_lanes_goes_from_both(repo, ctx):
    entry = write(ctx, "leaks", CART, body=LEAKING)
    move(ctx, "leaks", "local")

    purge_ids(ctx, entry.id)

    assert reachable(repo) == []
    assert names(ctx) == {}


def test_the_store_remembers_digests_of_the_contents(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    path = ctx.cache.by_name("leaks").path
    content = repo.git("cat-file", "blob", f"{refs.ENTRIES}:{path}") + "\n"

    purge_text(ctx)

    tree = ctx.store.view().tree(refs.ENTRIES)
    assert read_purged(tree) == {digest_of(content.encode())}


# --- what else holds it ------------------------------------------------------------------------


def test_flags_and_drafts_go_and_others_stay(repo, ctx):
    store = open_store(repo)
    publish(store, PutFlag(flag(f"they say {LEAK}", 2)), PutFlag(flag("harmless", 4)))
    submit_items(ctx, capture_item("leaking-draft", body=LEAKING), capture_item("other"))

    purge_text(ctx)

    inbox = inbox_of(ctx)
    assert [one.summary for one in inbox.flags] == ["harmless"]
    assert [one.name for one in inbox.drafts] == ["other"]
    assert reachable(repo) == []


def test_flags_and_drafts_can_be_kept_redacted(repo, ctx):
    publish(open_store(repo), PutFlag(flag(f"they say {LEAK}", 2)))
    submit_items(ctx, capture_item("leaking-draft", body=LEAKING))

    purge_text(ctx, redact=True)

    inbox = inbox_of(ctx)
    assert [one.summary for one in inbox.flags] == [f"they say {PLACEHOLDER}"]
    assert [one.entry.body for one in inbox.drafts] == [LEAKING.replace(LEAK, PLACEHOLDER)]
    assert reachable(repo) == []


def test_a_flag_is_named_by_a_part_of_its_id(repo, ctx):
    made = flag(f"they say {LEAK}", 2)
    publish(open_store(repo), PutFlag(made))
    assert isinstance(find_flag(ctx, made.id), Flag)

    purge_ids(ctx, *find_ids(ctx, made.id[-8:]))

    assert inbox_of(ctx).flags == ()
    assert reachable(repo) == []


def test_a_record_that_was_settled_long_ago_goes_from_the_reflog(repo, ctx):
    publish(open_store(repo), PutFlag(flag(f"they say {LEAK}", 2)))
    publish(open_store(repo), PutFlag(flag("changed", 2)))

    found = purge_text(ctx).found

    assert [one.where for one in found.places][:1] == [f"reflog of {refs.INBOX}"]
    assert reachable(repo) == []


def test_fetched_copies_that_hold_it_go_and_their_remotes_are_told(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    repo.git("remote", "add", "team/one", "../nowhere")
    repo.git("update-ref", "refs/knowl-remotes/team/one/entries", refs.ENTRIES)

    done = purge_text(ctx)

    assert done.found.remotes == ("team/one",)
    assert repo.refs("refs/knowl-remotes") == {}
    assert reachable(repo) == []


def test_a_version_that_only_a_remote_has_is_refused_from_then_on(repo, ctx):
    write(ctx, "stays", CART)
    write(ctx, "leaks", CART, body=LEAKING)
    theirs = repo.rev(refs.ENTRIES)
    repo.git("update-ref", "refs/knowl-remotes/origin/entries", theirs)
    repo.git("update-ref", refs.ENTRIES, f"{theirs}^")
    ctx.refresh()

    purge_text(ctx)

    assert len(read_purged(ctx.store.view().tree(refs.ENTRIES))) == 1
    assert names(ctx) == {"stays": "shared"}


def test_refs_of_others_that_lead_to_it_are_told_and_left(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    repo.git("tag", "keep", refs.ENTRIES)

    assert look(ctx, Wanted(text=LEAK)).others == ("refs/tags/keep",)
    purge_text(ctx)

    assert repo.refs("refs/tags")


def test_caches_of_all_worktrees_and_unfinished_texts_hold_it_no_more(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    other = repo.worktree("other", "side")
    kept = repo.path / ".git/worktrees/other/knowl/unfinished/half.md"
    kept.parent.mkdir(parents=True)
    kept.write_text(f"half of it: {LEAK}\n")
    (repo.path / ".git/worktrees/other/knowl/audit.json").write_text(LEAK)
    assert names(person(other))

    purge_text(ctx)

    assert kept.read_text() == f"half of it: {PLACEHOLDER}\n"
    assert files_holding(repo) == []


def test_notes_keep_their_other_lines(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    note = repo.git("notes", "--ref=knowl", "show", "HEAD")
    repo.git("notes", "--ref=knowl", "append", "-m", f"somebody said {LEAK}", "HEAD")

    purge_text(ctx)

    after = repo.git("notes", "--ref=knowl", "show", "HEAD").splitlines()
    assert f"somebody said {PLACEHOLDER}" in after
    assert note.splitlines()[0] in after
    assert reachable(repo) == []


def test_unknown_files_in_the_tree_survive_unless_they_hold_it(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    publish(
        open_store(repo),
        PutRaw(refs.ENTRIES, "extra/deep/kept.bin", b"\0kept"),
        PutRaw(refs.ENTRIES, "extra/gone.txt", LEAK.encode()),
    )

    purge_text(ctx)

    listed = repo.git("ls-tree", "-r", "--name-only", refs.ENTRIES, "extra/")
    assert listed.split() == ["extra/deep/kept.bin"]


# --- who may, and what is refused ----------------------------------------------------------------


def test_no_agent_host_purges_whatever_the_settings_say(repo):
    repo.git("config", "knowl.unattended", "allow")

    with pytest.raises(GateError):
        require_person(agent(repo), "purge", "Ada <ada@example.org>")


def test_without_a_terminal_a_person_is_named(repo):
    with pytest.raises(GateError):
        require_person(script(repo), "purge")
    assert require_person(script(repo), "purge", "Ada <ada@example.org>").how == "unattended"


def test_what_nothing_holds_is_an_error_and_writes_nothing(repo, ctx):
    write(ctx, "stays", CART)
    before = tips(repo)

    with pytest.raises(PurgeError, match="nothing in the store"):
        purge_text(ctx)

    assert tips(repo) == before


@pytest.mark.parametrize("text", ["", "short", "  a b  \n", "x" * 20_001])
def test_a_text_that_is_found_everywhere_is_refused(text):
    with pytest.raises(PurgeError, match="characters"):
        read_wanted_text(text)


def test_nothing_wanted_matches_nothing():
    assert not Wanted().is_in_file("entries/00/x.md", b"text")
    assert not Wanted().is_in_record("flags/00/x.json", b"{}")


def test_the_format_file_is_not_touched_by_any_text(repo, ctx):
    write(ctx, "stays", CART)

    with pytest.raises(PurgeError, match="nothing in the store"):
        purge_text(ctx, "format 1")


def test_two_texts_one_after_the_other(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    write(ctx, "leaks-too", CART, body=LEAKING.replace(LEAK, "another phrase"))

    purge_text(ctx)
    purge_text(ctx, "another phrase")

    assert reachable(repo) == reachable(repo, "another phrase") == []
    assert len(read_purged(ctx.store.view().tree(refs.ENTRIES))) == 2


def test_the_digest_of_an_entry_of_one_name_spares_its_namesakes(repo, ctx):
    entry = write(ctx, "leaks", CART, body=LEAKING)
    purge(ctx, Order(Wanted(frozenset((entry.id,)), LEAK), require_person(ctx, "purge")))
    write(ctx, "leaks", CART)

    assert names(ctx) == {"leaks": "shared"}


def test_the_local_lane_says_nothing_of_what_was_never_in_it(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    write(ctx, "mine", CART, lane="local")

    purge_text(ctx)

    assert repo.git("log", "-1", "--format=%s", refs.LOCAL_ENTRIES) == "capture mine"


def test_what_the_last_sync_brought_is_still_known(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    data = json.dumps({"before": repo.rev(refs.ENTRIES)}).encode() + b"\n"
    publish(open_store(repo), PutState(since.FILE, data))
    write(ctx, "brought", CART)

    purge_text(ctx)

    found = since.only_since(ctx, history.log(ctx.store, ctx.store.view()))
    assert [one.subject for one in found] == ["purge leaks", "capture brought"]


def test_texts_left_unfinished_in_the_shared_folder_are_redacted_in_any_depth(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    kept = repo.path / ".git/common/knowl/unfinished/worktrees/side/half.md"
    kept.parent.mkdir(parents=True)
    kept.write_text(f"half of it: {LEAK}\n")

    purge_text(ctx)

    assert kept.read_text() == f"half of it: {PLACEHOLDER}\n"


def test_a_bare_repository_is_purged_like_any_other(tmp_path):
    bare = RepoBuilder.start(tmp_path, bare=True, name="bare.git")
    ctx = person(bare)
    write(ctx, "leaks", body=LEAKING)
    write(ctx, "stays")

    purge_text(ctx, redact=True)

    assert reachable(bare) == []
    assert names(ctx) == {"leaks": "shared", "stays": "shared"}


def test_a_conflict_of_which_one_side_goes_is_settled(repo, ctx):
    entry = write(ctx, "cart", CART)
    other = replace(entry, body=LEAKING)
    publish(
        open_store(repo),
        *(
            PutRaw(refs.ENTRIES, layout.conflict_path(side.id, side.digest), render(side))
            for side in (entry, other)
        ),
    )
    ctx.refresh()
    assert ctx.cache.by_name("cart").conflict

    purge_text(ctx)

    assert not ctx.cache.by_name("cart").conflict
    assert live(ctx, "cart") == entry
    assert reachable(repo) == []


def test_a_purge_is_not_undone(repo, ctx):
    write(ctx, "leaks", CART, body=LEAKING)
    purge_text(ctx)

    with pytest.raises(UndoError):
        undo_last(ctx)
    assert names(ctx) == {}
