"""A remote is a stranger: nothing but a store comes in, and no secret goes either way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import KnowlError
from git_knowl.services.log import entry_log
from git_knowl.services.show import show
from git_knowl.services.sync import incoming, place
from git_knowl.services.sync.outgoing import SecretsError
from git_knowl.services.undo import undo_last
from git_knowl.store.layout import FormatError
from git_knowl.store.operations import PutEntry
from tests.support import stores
from tests.support.people import CART, live, tips
from tests.support.remotes import ENTRIES, Member, member, moves

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
LEAK = f"Call it with {TOKEN}. Why: it asks.\n"


def commit(hub, files):
    """Return a commit of some files by path."""
    lines = []
    for path, text in files.items():
        blob = hub.git("hash-object", "-w", "--stdin", stdin=text)
        lines.append(f"100644 {blob}\t{path}\n")
    index = {"GIT_INDEX_FILE": str(hub.path / "scratch-index")}
    hub.git("read-tree", "--empty", env=index)
    hub.git("update-index", "--index-info", stdin="".join(lines), env=index)
    return hub.git("commit-tree", "-m", "x", hub.git("write-tree", env=index))


FORMAT = {"format": "format 1\nreader 1\n"}
GARBAGE = {
    "a file": lambda hub: hub.git("hash-object", "-w", "--stdin", stdin="text"),
    "a tree": lambda hub: hub.git("rev-parse", "main^{tree}"),
    "a tag": lambda hub: hub.git("tag", "-a", "t", "-m", "t", "main") or hub.rev("refs/tags/t"),
    "code": lambda hub: hub.rev("main"),
    "no format": lambda hub: commit(hub, {"entries/x/y.md": "text"}),
    "a format of nonsense": lambda hub: commit(hub, {"format": "format x\n"}),
    "a newer format": lambda hub: commit(hub, {"format": "format 2\nreader 2\n"}),
    "a newer format that can be read": lambda hub: commit(hub, {"format": "format 2\nreader 1\n"}),
    "a huge file": lambda hub: commit(hub, FORMAT | {"entries/aa/x.md": "x" * 1_500_000}),
    "a deep folder": lambda hub: commit(hub, FORMAT | {"a/b/c/d/e/f": "x"}),
}


@pytest.mark.parametrize("kind", GARBAGE)
@pytest.mark.parametrize("began", [True, False], ids=["with a store", "in a fresh clone"])
def test_what_is_no_store_is_refused_and_moves_nothing(hub, ada, kind, began):
    if began:
        ada.write("cart", CART)
    hub.git("update-ref", ENTRIES, GARBAGE[kind](hub))
    before = tips(ada.repo), hub.refs(), ada.repo.refs("refs/knowl-remotes")

    for options in ({}, {"pull": True}, {"dry_run": True}):
        with pytest.raises(KnowlError) as caught:
            ada.sync(**options)
        assert caught.value.hint
        assert caught.value.exit_code == 1

    after = tips(ada.repo), hub.refs(), ada.repo.refs("refs/knowl-remotes")
    assert after[:2] == before[:2]
    assert ada.names == ({"cart"} if began else set())


def test_a_store_of_a_newer_format_asks_for_an_upgrade(hub, ada):
    hub.git("update-ref", ENTRIES, GARBAGE["a newer format"](hub))

    with pytest.raises(place.NoStoreError) as caught:
        ada.sync()

    assert "upgrade" in caught.value.hint


@pytest.fixture
def raised(ada):
    """Give somebody whose store a newer program raised, which lets this one read."""
    ada.write("cart", CART)
    ada.sync()
    blob = ada.repo.git("hash-object", "-w", "--stdin", stdin="format 2\nreader 1\n")
    listed = ada.repo.git("ls-tree", ENTRIES).replace(ada.repo.rev(f"{ENTRIES}:format"), blob)
    root, tip = ada.repo.git("mktree", stdin=listed + "\n"), ada.tip
    made = ada.repo.git("commit-tree", "-m", "raise", "-p", tip, root)
    ada.repo.git("update-ref", ENTRIES, made)
    return Member(ada.repo, "Ada <ada@example.org>")


@pytest.mark.parametrize("options", [{}, {"dry_run": True}])
def test_a_store_that_a_newer_program_raised_is_never_sent_by_this_one(hub, raised, options):
    before = hub.refs()

    with pytest.raises(FormatError, match="nothing was sent: the format 2 is newer") as caught:
        raised.sync(**options)

    assert "upgrade git-knowl" in caught.value.hint
    assert hub.refs() == before


def test_a_store_that_a_newer_program_raised_is_in_step_with_a_remote_that_has_it(hub, raised):
    assert raised.sync(pull=True).owed == 1

    raised.repo.git("push", "--quiet", "origin", ENTRIES)

    assert raised.sync().state == "in step"
    assert raised.sync(dry_run=True).state == "in step"


def test_more_files_than_a_store_has_are_refused(hub, ada, monkeypatch):
    monkeypatch.setattr(incoming, "MOST_FILES", 3)
    files = {f"entries/a{number}/x.md": str(number) for number in range(5)}
    hub.git("update-ref", ENTRIES, commit(hub, FORMAT | files))

    with pytest.raises(place.NoStoreError, match="more than 3 files"):
        ada.sync()


def test_what_is_known_already_is_not_looked_at_again(hub, ada, monkeypatch):
    for name in ("cart", "tax", "fee"):
        ada.write(name)
    ada.sync()
    bob = member(hub, "bob")
    bob.sync()
    bob.write("toll")
    bob.sync()
    monkeypatch.setattr(incoming, "MOST_FILES", 3)

    assert moves(ada.sync())[0] == [("new", "toll")]


def leak(one, name="leaky", **fields):
    """Put an entry into the shared lane past every door."""
    made = stores.entry(name, **{"body": LEAK, **fields})
    stores.write(stores.open_store(one.repo), PutEntry("shared", made))
    one.ctx.refresh()
    return made


def push_plainly(one):
    one.repo.git("push", "-q", "origin", f"{ENTRIES}:{ENTRIES}")


def test_secrets_that_come_in_are_masked_and_the_masked_text_is_ours(hub, ada):
    bob = member(hub, "bob")
    made = leak(bob)
    push_plainly(bob)

    ada.sync(pull=True)

    entry = live(ada.ctx, "leaky")
    assert TOKEN not in entry.body
    assert "[REDACTED:" in entry.body
    assert entry.rev == made.rev + 1


def test_an_entry_whose_name_is_secret_does_not_come_in(hub, ada):
    bob = member(hub, "bob")
    leak(bob, "plain", body="Plain. Why: so.\n", tags=(TOKEN,))
    push_plainly(bob)

    done = ada.sync(pull=True)

    assert [one.kind for one in done.received] == ["refused"]
    assert ada.names == set()


def test_nothing_goes_out_while_there_are_secrets_in_it(hub, ada):
    ada.write("cart", CART)
    leak(ada)

    with pytest.raises(SecretsError, match="'leaky' holds") as caught:
        ada.sync()

    assert TOKEN not in caught.value.message
    assert len(caught.value.found) == 1
    assert ENTRIES not in hub.refs()


def test_a_dry_run_names_what_would_keep_it_from_going_out(hub, ada):
    leak(ada)

    ada.sync(dry_run=True)

    assert "would not be sent: 'leaky' holds" in ada.ctx.repo.notices[-1]


def test_a_secret_in_an_older_text_goes_out_as_little(hub, ada):
    made = leak(ada)
    stores.write(
        stores.open_store(ada.repo),
        PutEntry("shared", stores.entry("leaky", body="Clean. Why: so.\n", rev=made.rev + 1)),
    )

    with pytest.raises(SecretsError) as caught:
        ada.sync()

    assert "purge" in caught.value.hint
    assert ENTRIES not in hub.refs()


def test_a_file_that_is_no_entry_is_looked_through_too(hub, ada):
    ada.write("cart", CART)
    path = f"entries/ab/{stores.identifier(7)[:-2]}ab.odd.md"
    stores.write(stores.open_store(ada.repo), stores.PutRaw(ENTRIES, path, LEAK.encode()))

    with pytest.raises(SecretsError, match="'odd' holds"):
        ada.sync()


def test_what_the_remote_has_is_not_held_against_us(hub, ada):
    bob = member(hub, "bob")
    leak(bob)
    push_plainly(bob)
    bob.write("tax")

    assert ("new", "tax") in moves(bob.sync())[1]


def say(one, message):
    """Put a commit that changes nothing on the shared lane past every door."""
    tip = one.repo.git("commit-tree", "-m", message, "-p", ENTRIES, f"{ENTRIES}^{{tree}}")
    one.repo.git("update-ref", ENTRIES, tip)
    one.ctx.refresh()
    return tip


@pytest.mark.parametrize("message", [f"note {TOKEN}", f"note\n\nlong ago\n\nNote: {TOKEN}\n"])
def test_a_secret_in_a_message_goes_out_as_little_whoever_wrote_it(hub, ada, message):
    ada.write("cart", CART)
    tip = say(ada, message)
    say(ada, "and on")

    with pytest.raises(SecretsError, match=f"message of commit {tip[:10]} holds") as caught:
        ada.sync()

    assert TOKEN not in caught.value.message
    assert "purge --text" in caught.value.hint
    assert ENTRIES not in hub.refs()
    ada.sync(dry_run=True)
    assert "would not be sent: the message of commit" in ada.ctx.repo.notices[-1]


def test_a_secret_in_a_message_that_came_in_is_shown_nowhere_and_keeps_nothing_back(hub, ada):
    bob = member(hub, "bob")
    bob.write("cart", CART)
    say(bob, f"note {TOKEN}")
    made = bob.write("tax")
    path = f"entries/{made.id[-2:]}/{made.id}.tax.md"
    data = bob.repo.git("cat-file", "blob", f"{ENTRIES}:{path}")
    stores.write(
        stores.open_store(bob.repo),
        stores.PutRaw(ENTRIES, path, f"{data}\nMore.\n".encode()),
        record=stores.record("edit", f"edit {TOKEN}"),
    )
    push_plainly(bob)

    ada.sync()

    shown = [*entry_log(ada.ctx, None, None), *entry_log(ada.ctx, "tax", 5)]
    shown += show(ada.ctx, "tax").history
    assert TOKEN not in str(shown)
    assert {"note [REDACTED:GITHUB_TOKEN]", "edit [REDACTED:GITHUB_TOKEN]"} <= {
        one.subject for one in shown
    }
    ada.write("fee")
    assert ("new", "fee") in moves(ada.sync())[1]


def test_an_undoing_writes_no_secret_of_a_subject_again(ada):
    made = ada.write("cart", CART)
    changed = replace(made, description="Read it", rev=made.rev + 1)
    store = stores.open_store(ada.repo)
    stores.write(store, PutEntry("shared", changed), record=stores.record("edit", f"edit {TOKEN}"))
    ada.ctx.refresh()

    done = undo_last(ada.ctx)

    assert TOKEN not in done.subject
    assert TOKEN not in ada.repo.git("log", "-1", "--format=%B", ENTRIES)
