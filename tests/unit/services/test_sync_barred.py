"""What no door of ours stores does not come in by a sync; what says two things at once is one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.anchor import FileAnchor, SnippetAnchor, SymbolAnchor, TreeAnchor
from git_knowl.model.document import render
from git_knowl.services.conflicts import conflicts
from git_knowl.store import layout
from tests.support import stores
from tests.support.caches import plant
from tests.support.cli import Knowl
from tests.support.examined import findings
from tests.support.people import CART
from tests.support.remotes import ENTRIES, member, moves

BARRED = {
    "anchors.0.path": {"anchors": (FileAnchor("/etc/hostname"),)},
    "anchors.0.symbol": {"anchors": (SymbolAnchor("lib/m.py", ""),)},
    "anchors.0.line": {"anchors": (SnippetAnchor("lib/x", "1", -1),)},
    "anchors.0.pathspec": {"anchors": (TreeAnchor("../w7"),)},
    "description": {"description": "Word " * 12_000},
    "tags.0": {"tags": ("t" * 61,)},
    "as_of": {"as_of": "--output=pwned"},
}


def push(one, *entries, files=None):
    """Put entries into the shared lane past every door, and push it plainly."""
    plant(stores.open_store(one.repo), "shared", *entries, files=files)
    one.repo.git("push", "-q", "origin", f"{ENTRIES}:{ENTRIES}")


@pytest.mark.parametrize("field", BARRED)
def test_it_is_refused_by_its_name_and_the_field_and_stops_nobody(hub, ada, field):
    ada.write("cart", CART)
    ada.sync()
    push(ada, replace(stores.entry("evil", 3), **BARRED[field]))
    bob = member(hub, "bob")
    done = bob.sync()

    (refused,) = [one for one in done.received if one.kind == "refused"]
    assert refused.name == "evil"
    assert refused.note.startswith(f"{field}: expected ")
    assert bob.names == {"cart"}
    assert Knowl(bob.repo.path)("ls").code == 0


def test_one_that_many_fields_speak_against_is_refused_in_a_line(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    push(ada, replace(stores.entry("evil", 3), tags=tuple(f"t{'x' * 60}{n}" for n in range(300))))

    (refused,) = [one for one in member(hub, "bob").sync().received if one.kind == "refused"]

    assert refused.note.endswith("more")
    assert len(refused.note) < 500


def test_two_files_of_one_id_are_a_conflict_for_every_verb(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    one = stores.entry("toll", 3)
    other = replace(one, name="tax", body="Another fact. Why: it was seen.\n")
    push(ada, files={layout.entry_path(e.id, e.name): render(e) for e in (one, other)})
    bob = member(hub, "bob")

    received, _ = moves(bob.sync())
    (found,) = conflicts(bob.ctx)
    assert {side.name for side in found.sides} == {"toll", "tax"}
    assert ("conflict", found.live.name) in received
    assert Knowl(bob.repo.path).json("ls").get("damaged") is None
    assert findings(bob.repo, "store") == []
    assert bob.sync().state == "in step"
