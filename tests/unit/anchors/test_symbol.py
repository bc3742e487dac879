"""Anchors of the kind symbol: what is active, suspect and unknown, and by whose hand."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from dataclasses import replace

import pytest
import semble_grammars

from git_knowl.anchors import symbol
from git_knowl.anchors.base import AnchorError, Stamp
from git_knowl.anchors.evaluate import judge_entries, successors_of
from git_knowl.anchors.symbols import grammars
from git_knowl.anchors.symbols.ledger import FILE
from git_knowl.anchors.worlds import CommitWorld, StagedWorld, default_world
from git_knowl.model.anchor import SymbolAnchor
from git_knowl.model.targets import parse_anchor
from tests.support.anchored import (
    KIM,
    NOW,
    Shelf,
    entry_with,
    settle,
    verdict,
    verified,
    world_of,
)
from tests.support.builders import RepoBuilder

SHOP = """\
import os


class Cart:
    # Prices are in cents.
    def total(self, items):
        if len(items) > 3:
            return sum(items) * 2
        return sum(items)

    def empty(self):
        return []


def helper(text):
    found = text.strip()
    return found or os.name
"""
CHANGED = SHOP.replace("> 3", "> 4")
LAID_OUT = SHOP.replace("cents.", "euro cents.").replace("items) * 2", "items)  *  2")


@pytest.fixture
def shop(repo):
    repo.commit("shop", **{"shop.py": SHOP})
    return repo


def anchored(repo, name="Cart.total", path="shop.py", world=None):
    """Return an entry on a symbol as it is now, its name completed as at the doors."""
    world = world or world_of(repo)
    anchor = symbol.complete(SymbolAnchor(path, name), world)
    return verified(entry_with(anchor), world)


def hurried(repo):
    return default_world(repo.open(), NOW, is_hurried=True)


# --- active -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [SHOP, LAID_OUT, SHOP.replace("\n", "\r\n"), SHOP.replace("found", "lost"), "X = 1\n" + SHOP],
)
def test_layout_and_neighbours_are_no_change(shop, text):
    entry = anchored(shop)
    shop.write("shop.py", text.encode())

    assert verdict(shop, entry).status == "active"


def test_an_accepted_content_is_active_without_any_grammar(shop, no_grammars):
    entry = no_grammars.after(lambda: anchored(shop))

    assert verdict(shop, entry).status == "active"


def test_a_symbol_moved_unchanged_is_active_and_says_where_it_went(shop):
    entry = anchored(shop)
    head, _, tail = SHOP.partition("class Cart:")
    cart, _, rest = tail.partition("\n\ndef helper")
    shop.commit(
        "split", **{"shop.py": f"{head}def helper{rest}", "cart.py": f"class Cart:{cart}\n"}
    )
    seen = verdict(shop, entry)

    assert (seen.status, seen.moved_to) == ("active", "cart.py#Cart.total")
    followed = symbol.followed(entry.anchors[0], seen.moved_to)
    assert (followed.path, followed.symbol) == ("cart.py", "Cart.total")


def test_a_symbol_taken_out_of_its_class_unchanged_is_active(shop):
    entry = anchored(shop)
    shop.write("shop.py", SHOP.replace("class Cart", "class Basket"))

    assert verdict(shop, entry).moved_to == "shop.py#Basket.total"


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_moved_file_is_followed(shop, is_edited):
    entry = anchored(shop)
    shop.git("mv", "shop.py", "store.py")
    if is_edited:
        shop.write("store.py", LAID_OUT + "\n\nX = 1\n")
    shop.git("add", "store.py")
    shop.git("commit", "--quiet", "-m", "move")
    seen = verdict(shop, entry)

    assert (seen.status, seen.moved_to) == ("active", "store.py#Cart.total")
    assert "--follow" in seen.note


# --- suspect ----------------------------------------------------------------------------------


def test_a_changed_condition_is_suspect(shop):
    entry = anchored(shop)
    shop.write("shop.py", CHANGED)
    seen = verdict(shop, entry)

    assert (seen.status, seen.reason) == ("suspect", "symbol changed here, not committed")
    assert seen.expected == entry.anchors[0].accepted[0].digest[:10]
    assert seen.found not in (None, seen.expected)


def test_the_commit_that_changed_the_symbol_is_named_not_the_last_of_its_file(shop):
    entry = anchored(shop)
    changed = shop.commit("raise the limit", **{"shop.py": CHANGED})
    shop.commit("another matter", **{"shop.py": CHANGED.replace("found", "lost")})
    seen = verdict(shop, entry)

    assert seen.reason == f"symbol changed by {changed[:10]} 'raise the limit'"
    assert (seen.commit, seen.author) == (changed, "Kim <kim@example.org>")


def test_a_change_on_top_of_a_committed_one_is_told_too(shop):
    entry = anchored(shop)
    shop.commit("raise the limit", **{"shop.py": CHANGED})
    shop.write("shop.py", CHANGED.replace("> 4", "> 5"))

    assert "and changed again here, not committed" in verdict(shop, entry).reason


def test_a_renamed_symbol_is_suspect_and_the_best_match_is_offered(shop):
    entry = anchored(shop)
    commit = shop.commit("rename", **{"shop.py": SHOP.replace("total", "sum_up")})
    seen = verdict(shop, entry)

    assert seen.status == "suspect"
    assert seen.reason.startswith(f"symbol removed by {commit[:10]} 'rename'; 9")
    assert seen.reason.endswith("% alike is shop.py#Cart.sum_up")
    assert seen.found == "shop.py#Cart.sum_up"


def test_a_symbol_moved_with_edits_is_suspect_and_found_in_the_same_commit(shop):
    entry = anchored(shop)
    shop.commit("split", **{"shop.py": "import os\n", "cart.py": CHANGED})
    seen = verdict(shop, entry)

    assert (seen.status, seen.found) == ("suspect", "cart.py#Cart.total")


def test_a_symbol_that_is_nowhere_is_suspect(shop):
    entry = anchored(shop)
    shop.write("shop.py", "import os\n")
    seen = verdict(shop, entry)

    assert (seen.status, seen.reason) == ("suspect", "symbol removed here, not committed")
    assert seen.found is None


def test_a_deleted_file_takes_its_symbols_with_it(shop):
    entry = anchored(shop)
    shop.git("rm", "--quiet", "shop.py")
    shop.git("commit", "--quiet", "-m", "drop the shop")
    seen = verdict(shop, entry)

    assert seen.status == "suspect"
    assert "deleted by" in seen.reason
    assert seen.author == "Kim <kim@example.org>"


def test_two_places_with_the_same_tree_are_a_guess(shop):
    entry = anchored(shop, "helper")
    helper = SHOP[SHOP.index("def helper") :]
    shop.commit("copy", **{"shop.py": "import os\n", "one.py": helper, "two.py": helper})

    assert verdict(shop, entry).status == "suspect"


# --- unknown ----------------------------------------------------------------------------------


def test_a_file_that_does_not_parse_around_the_symbol_is_unknown(shop):
    entry = anchored(shop)
    shop.write("shop.py", SHOP.replace("> 3:", "> (3:"))
    seen = verdict(shop, entry)

    assert (seen.status, seen.reason) == ("unknown", "the file does not parse around the symbol")


def test_broken_text_elsewhere_in_the_file_is_no_obstacle(shop):
    entry = anchored(shop)
    shop.write("shop.py", SHOP + "\n\ndef broken(:\n")

    assert verdict(shop, entry).status == "active"


def test_a_file_never_seen_on_this_branch_is_unknown(repo):
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit("shop", **{"shop.py": SHOP})
    entry = anchored(repo)
    repo.git("checkout", "--quiet", "-")

    assert verdict(repo, entry).status == "unknown"


def test_what_nobody_accepted_for_this_text_is_unknown(shop):
    entry = replace(anchored(shop), body="Another text.")

    assert verdict(shop, entry).status == "unknown"


def test_a_hurried_world_judges_by_what_is_known_and_parses_nothing(shop):
    entry = anchored(shop)
    shop.write("shop.py", LAID_OUT)

    seen = verdict(shop, entry, hurried(shop))
    assert (seen.status, seen.reason) == ("unknown", "file changed, symbol not checked")
    assert verdict(shop, entry).status == "active"
    assert verdict(shop, entry, hurried(shop)).status == "active"

    shop.write("shop.py", CHANGED)
    assert verdict(shop, entry, hurried(shop)).status == "unknown"
    verdict(shop, entry)
    assert verdict(shop, entry, hurried(shop)).status == "suspect"


@pytest.fixture
def no_grammars(monkeypatch):
    """Take the extra away, as where it was never installed."""

    class Without:
        def after(self, make):
            made = make()
            self.take()
            return made

        def take(self):
            def missing(_name):
                raise importlib.metadata.PackageNotFoundError

            monkeypatch.setitem(sys.modules, "semble_grammars", None)
            monkeypatch.setattr(importlib.metadata, "version", missing)
            self.forget()

        def forget(self):
            grammars.algorithm.cache_clear()
            grammars._parser.cache_clear()

    without = Without()
    yield without
    monkeypatch.undo()
    without.forget()


def test_without_the_extra_a_changed_file_is_unknown_and_the_extra_named(shop, no_grammars):
    entry = no_grammars.after(lambda: anchored(shop))
    shop.write("shop.py", CHANGED)
    seen = verdict(shop, entry)

    assert seen.status == "unknown"
    assert "the extra 'symbols' is not installed" in seen.reason
    assert "git-knowl[symbols]" in seen.reason


def test_without_the_extra_a_deleted_file_is_suspect_all_the_same(shop, no_grammars):
    entry = no_grammars.after(lambda: anchored(shop))
    shop.git("rm", "--quiet", "shop.py")

    assert verdict(shop, entry).status == "suspect"


def test_without_the_extra_no_anchor_can_be_made(shop, no_grammars):
    no_grammars.take()

    with pytest.raises(AnchorError, match="the extra 'symbols' is not installed") as error:
        anchored(shop)
    assert "git-knowl[symbols]" in error.value.hint


def test_without_the_grammar_no_anchor_can_be_made(shop, monkeypatch):
    def refuse(_name):
        raise semble_grammars.GrammarLoadError("disk full")

    monkeypatch.setattr(semble_grammars, "get_language", refuse)
    grammars._parser.cache_clear()
    with pytest.raises(AnchorError, match="the grammar of python cannot be loaded: disk full"):
        anchored(shop)


# --- versions of the comparison ---------------------------------------------------------------


def aged(entry, **changes):
    """Return the entry as an older version of the comparison accepted it."""
    anchor = entry.anchors[0]
    item = replace(anchor.accepted[0], algorithm=1, digest="0" * 64, **changes)
    return replace(entry, anchors=(replace(anchor, accepted=(item,)),))


def test_another_version_compares_with_the_accepted_content_itself(shop):
    entry = aged(anchored(shop))
    shop.commit("layout", **{"shop.py": LAID_OUT})
    assert verdict(shop, entry).status == "active"

    shop.commit("raise", **{"shop.py": CHANGED})
    assert verdict(shop, entry).status == "suspect"


def test_another_version_without_the_accepted_content_is_unknown(shop):
    entry = aged(anchored(shop), blob=f"sha1:{'1' * 40}")
    seen = verdict(shop, entry)

    assert seen.status == "unknown"
    assert "another version of the comparison" in seen.reason


def test_a_digest_accepted_under_another_object_format_counts(shop):
    entry = anchored(shop)
    anchor = entry.anchors[0]
    item = replace(anchor.accepted[0], blob=f"sha256:{'1' * 64}")
    entry = replace(entry, anchors=(replace(anchor, accepted=(item,)),))
    assert verdict(shop, entry).status == "active"

    shop.write("shop.py", CHANGED)
    assert verdict(shop, entry).status == "suspect"


# --- worlds -----------------------------------------------------------------------------------


def test_the_index_and_commits_are_judged_as_such(shop):
    entry = anchored(shop)
    old = shop.git("rev-parse", "HEAD").strip()
    shop.write("shop.py", CHANGED)
    opened = shop.open()

    assert verdict(shop, entry, StagedWorld(opened, NOW)).status == "active"
    shop.git("add", "shop.py")
    seen = verdict(shop, entry, StagedWorld(shop.open(), NOW))
    assert (seen.status, seen.reason) == ("suspect", "symbol changed in the index, not committed")
    shop.git("commit", "--quiet", "-m", "raise")
    assert verdict(shop, entry, CommitWorld(opened, old, NOW)).status == "active"
    assert verdict(shop, entry, CommitWorld(opened, "HEAD", NOW)).status == "suspect"


def test_what_was_accepted_uncommitted_says_so_where_it_differs(shop):
    shop.write("shop.py", CHANGED)
    entry = anchored(shop)
    assert entry.anchors[0].accepted[0].dirty

    shop.git("checkout", "--quiet", "shop.py")
    seen = verdict(shop, entry)
    assert (seen.status, seen.note) == ("suspect", "verified on uncommitted content")


def test_many_anchors_of_a_file_are_read_at_once(shop):
    names = ("Cart", "Cart.total", "Cart.empty", "helper")
    entries = [
        verified(entry_with(SymbolAnchor("shop.py", name), number=number), world_of(shop))
        for number, name in enumerate(names, 1)
    ]
    shop.write("shop.py", CHANGED)
    found = judge_entries(entries, world_of(shop))

    statuses = [found[entry.id].status for entry in entries]
    assert statuses == ["suspect", "suspect", "active", "active"]


def test_stored_verdicts_are_those_of_a_fresh_look(shop):
    shelf = Shelf(shop)
    shelf.put(anchored(shop))
    shelf.check()
    away = SHOP.replace("class Cart", "class Basket")
    for files in (
        {"shop.py": LAID_OUT},
        {"shop.py": CHANGED},
        {"shop.py": "import os\n", "cart.py": SHOP},
        {"cart.py": CHANGED},
        {"cart.py": "import os\n", "shop.py": away},
        {"shop.py": SHOP},
    ):
        for path, text in files.items():
            shop.write(path, text)
            shop.git("add", path)
        settle()
        shelf.check()
    shop.git("commit", "--quiet", "--allow-empty", "-m", "done")
    shelf.check()


def test_what_has_a_say_beside_the_file_is_named(shop):
    entry = anchored(shop)
    assert successors_of(entry, world_of(shop)) == []

    shop.git("mv", "shop.py", "store.py")
    assert successors_of(entry, world_of(shop)) == ["store.py"]


def test_history_is_walked_once_where_many_files_differ(shop):
    shop.commit("many", **{f"m{number}.py": SHOP for number in range(25)})
    entries = [
        verified(entry_with(SymbolAnchor(f"m{n}.py", "Cart.total"), number=n + 1), world_of(shop))
        for n in range(25)
    ]
    commit = shop.commit("raise all", **{f"m{number}.py": CHANGED for number in range(25)})
    found = judge_entries(entries, world_of(shop))

    assert {found[entry.id].anchors[0].commit for entry in entries} == {commit}


def test_before_the_first_commit_there_is_nobody_to_name(tmp_path):
    repo = RepoBuilder.make(tmp_path)
    repo.write("shop.py", SHOP)
    entry = anchored(repo)
    assert len(symbol.warnings(entry.anchors[0], world_of(repo))) == 1

    repo.write("shop.py", CHANGED)
    assert verdict(repo, entry).reason == "symbol changed here, not committed"


def test_a_commit_too_far_back_leaves_the_last_change_of_the_file(shop):
    entry = anchored(shop)
    text = CHANGED
    for number in range(25):
        text += f"X{number} = 1\n"
        last = shop.commit(f"more {number}", **{"shop.py": text})
    seen = verdict(shop, entry)

    assert seen.commit == last
    assert seen.reason == f"symbol changed, its file last changed by {last[:10]} 'more 24'"


def test_nothing_changes_when_the_digests_are_deleted(shop):
    entry = anchored(shop)
    shop.write("shop.py", CHANGED)
    before = verdict(shop, entry)
    os.unlink(shop.open().shared_path(FILE))

    assert verdict(shop, entry) == before


def test_sha256_repositories_are_judged_alike(repo256):
    repo256.commit("shop", **{"shop.py": SHOP})
    entry = anchored(repo256)
    repo256.write("shop.py", LAID_OUT)
    assert verdict(repo256, entry).status == "active"

    repo256.write("shop.py", CHANGED)
    assert verdict(repo256, entry).status == "suspect"


# --- making anchors ---------------------------------------------------------------------------


def stamp():
    return Stamp(text="t", at=NOW, by=KIM, how="terminal")


def test_the_end_of_a_name_is_enough_where_only_one_symbol_has_it(shop):
    assert symbol.complete(SymbolAnchor("shop.py", "total"), world_of(shop)).symbol == "Cart.total"
    assert symbol.complete(SymbolAnchor("shop.py", "Cart"), world_of(shop)).symbol == "Cart"


def test_the_end_of_two_names_is_refused_with_both(shop):
    shop.write("two.py", "class A:\n    def go(self): pass\nclass B:\n    def go(self): pass\n")
    with pytest.raises(AnchorError, match="more than one symbol ends in 'go'") as error:
        symbol.complete(SymbolAnchor("two.py", "go"), world_of(shop))

    assert "A.go, B.go" in error.value.hint


@pytest.mark.parametrize("asked", ["totl", "Cart.totals", "TOTAL"])
def test_a_name_that_is_not_there_brings_near_ones(shop, asked):
    for make in (
        lambda: symbol.complete(SymbolAnchor("shop.py", asked), world_of(shop)),
        lambda: symbol.observe(SymbolAnchor("shop.py", asked), world_of(shop), stamp()),
    ):
        with pytest.raises(AnchorError, match="there is no such symbol") as error:
            make()
        assert "Cart.total" in error.value.hint


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere.py", "there is no such file here"),
        ("conf.yml", "no grammar for this kind of file"),
        ("lib", "directory"),
    ],
)
def test_what_holds_no_symbols_is_refused(shop, path, message):
    with pytest.raises(AnchorError, match=message):
        symbol.complete(SymbolAnchor(path, "f"), world_of(shop))


@pytest.mark.parametrize("target", ["a#b.py#f", "a%23%b.py#f", "d#/x.py#C.f#2"])
def test_a_path_that_its_own_signs_cut_short_is_refused_with_how_they_are_written(shop, target):
    with pytest.raises(AnchorError, match="no such file") as error:
        symbol.complete(parse_anchor(f"symbol:{target}"), world_of(shop))

    assert "%23" in error.value.hint
    assert "%25" in error.value.hint


@pytest.mark.parametrize("path", ["a#b.py", "a%b.py", "a%23b.py", "d#/%25#.py"])
def test_a_path_with_signs_of_targets_can_be_named(shop, path):
    shop.commit("odd", {path: SHOP})
    anchor = SymbolAnchor(path, "Cart.total")

    asked = symbol.complete(parse_anchor(anchor.target), world_of(shop))

    assert asked == anchor
    assert symbol.observe(asked, world_of(shop), stamp()).accepted


def test_broken_text_is_refused_with_another_way(shop):
    shop.write("shop.py", SHOP.replace("> 3:", "> (3:"))
    with pytest.raises(AnchorError, match=r"does not parse"):
        symbol.observe(SymbolAnchor("shop.py", "Cart.total"), world_of(shop), stamp())


def test_large_symbols_classes_and_untracked_files_are_warned_about(shop):
    body = "".join(f"    x = {number}\n" for number in range(120))
    shop.write("large.py", f"class A:\n    pass\n\n\ndef f():\n{body}")

    def said(name):
        return " ".join(symbol.warnings(SymbolAnchor("large.py", name), world_of(shop)))

    assert "holds members" in said("A")
    assert "has 121 lines" in said("f")
    assert "untracked" in said("f")
    assert symbol.warnings(SymbolAnchor("shop.py", "helper"), world_of(shop)) == []


def test_a_symbol_that_changes_all_the_time_is_warned_about(shop):
    for number in range(12):
        shop.commit(f"limit {number}", **{"shop.py": SHOP.replace("> 3", f"> {number + 10}")})

    def said(name):
        return " ".join(symbol.warnings(SymbolAnchor("shop.py", name), world_of(shop)))

    assert "itself changed 12 times" in said("Cart.total")
    assert "changed" not in said("helper")
