"""Raising the format of the store, with a next format and an older one that only tests know."""

from __future__ import annotations

import pytest

from git_knowl.errors import MovedError
from git_knowl.plumbing import refs
from git_knowl.services.gate import GateError, require_person
from git_knowl.services.migrate import CHANGED, GONE, NEW, Step, migrate, plan
from git_knowl.store import layout
from git_knowl.store.flags import PutFlag
from git_knowl.store.formats import Format
from git_knowl.store.layout import FormatError
from tests.support.formats import AFTER, NEXT
from tests.support.people import CART, agent, live, names, person, tips, write
from tests.support.stores import PutRaw, flag, open_store
from tests.support.stores import write as publish


def rooted(tree):
    """Raise a tree of the format before, which calls the project otherwise."""
    yield "project", tree.read("roots")
    yield "roots", None


OLDER = (Format(0, 0), Format(1, 1, rooted))


@pytest.fixture
def ctx(repo):
    made = person(repo)
    write(made, "cart", CART)
    write(made, "mine", CART, lane="local")
    publish(open_store(repo), PutFlag(flag("a flag", 2)))
    return made


def raise_to(ctx, formats):
    migrate(ctx, plan(ctx, formats), require_person(ctx, "migrate"), formats)


def format_of(repo, ref=refs.ENTRIES):
    return repo.git("show", f"{ref}:format").splitlines()


def test_the_format_of_today_has_nothing_to_raise(ctx):
    assert plan(ctx) == ()


def test_a_plan_says_what_would_change_and_changes_nothing(repo, ctx):
    before = tips(repo)

    steps = plan(ctx, NEXT)

    assert steps[0] == Step(refs.ENTRIES, 1, 2, (("about", NEW), ("format", CHANGED)))
    assert [step.ref for step in steps] == [
        refs.ENTRIES, refs.LOCAL_ENTRIES, refs.INBOX, refs.STATE,
    ]  # fmt: skip
    assert tips(repo) == before


def test_all_refs_are_raised_in_one_operation_that_a_person_vouches_for(repo, ctx):
    before = repo.rev(refs.ENTRIES)

    raise_to(ctx, NEXT)

    assert {tuple(format_of(repo, ref)) for ref in tips(repo)} == {("format 2", "reader 1")}
    assert repo.rev(f"{refs.ENTRIES}^") == before
    message = repo.git("log", "-1", "--format=%B", refs.ENTRIES)
    assert message.startswith("migrate to format 2\n")
    assert "Knowl-Op: migrate" in message
    assert "Reviewed-by: Kim <kim@example.org>" in message
    assert repo.git("fsck", "--strict", "--no-dangling") == ""


def test_a_raise_over_two_formats_takes_both_steps_in_order(repo, ctx):
    raise_to(ctx, AFTER)

    assert format_of(repo) == ["format 3", "reader 3"]
    assert repo.git("show", f"{refs.ENTRIES}:about") == "the next format\nand the one after"


def test_files_that_move_are_told_and_keep_their_bytes(repo, ctx):
    stone = b'{"id":"x","unknown":[1]}\n'
    publish(open_store(repo), PutRaw(refs.ENTRIES, "retired/00/x.json", stone))

    (step, *_) = plan(ctx, NEXT)
    raise_to(ctx, NEXT)

    assert ("retired/00/x.json", GONE) in step.files
    assert repo.git("show", f"{refs.ENTRIES}:stones/00/x.json") == stone.decode().strip()


def test_an_older_store_is_read_written_after_a_raise_and_not_before(repo, ctx):
    old = [
        PutRaw(ref, layout.FORMAT_FILE, b"format 0\nreader 0\n")
        for ref in (refs.ENTRIES, refs.LOCAL_ENTRIES, refs.INBOX, refs.STATE)
    ]
    publish(open_store(repo), *old, PutRaw(refs.ENTRIES, "roots", b"abc\n"))
    ctx.refresh()
    assert names(ctx) == {"cart": "shared", "mine": "local"}
    before = tips(repo)
    with pytest.raises(FormatError, match="format 0, this program writes format 1") as caught:
        write(ctx, "new", CART)
    assert "git knowl migrate" in caught.value.hint
    assert tips(repo) == before

    raise_to(ctx, OLDER)

    assert repo.git("show", f"{refs.ENTRIES}:project") == "abc"
    write(ctx, "new", CART)
    assert set(names(ctx)) == {"cart", "mine", "new"}


def test_a_newer_store_is_refused(repo, ctx):
    raise_to(ctx, NEXT)

    with pytest.raises(FormatError, match="this program reads and writes format 1") as caught:
        plan(ctx)
    assert caught.value.hint == "upgrade git-knowl"


def test_a_format_that_nothing_leads_on_from_is_refused(repo, ctx):
    publish(open_store(repo), PutRaw(refs.ENTRIES, layout.FORMAT_FILE, b"format 0\nreader 0\n"))

    with pytest.raises(FormatError, match="knows no way from there"):
        plan(ctx)


def test_what_was_shown_is_what_is_done_or_nothing_is(repo, ctx):
    steps = plan(ctx, NEXT)
    publish(open_store(repo), PutRaw(refs.ENTRIES, "retired/00/y.json", b"{}\n"))
    before = tips(repo)

    with pytest.raises(MovedError):
        migrate(ctx, steps, require_person(ctx, "migrate"), NEXT)

    assert tips(repo) == before


def test_two_clones_that_raise_apart_hold_the_same_trees(repo, ctx):
    other = repo.clone("other", "--mirror")

    raise_to(ctx, NEXT)
    raise_to(person(other), NEXT)

    trees = [one.rev(f"{refs.ENTRIES}^{{tree}}") for one in (repo, other)]
    assert trees[0] == trees[1]


def test_no_agent_host_raises_the_format(repo):
    with pytest.raises(GateError):
        require_person(agent(repo), "migrate")


def test_an_absent_ref_is_left_absent(repo):
    alone = person(repo)
    write(alone, "cart", CART)
    raise_to(alone, NEXT)

    assert refs.LOCAL_ENTRIES not in tips(repo)
    assert live(alone, "cart").name == "cart"
