"""Entries on lines, sets of files, commits and other entries: written, followed, told apart."""

from __future__ import annotations

import json

import pytest

from git_knowl.model.status import ACTIVE, SUSPECT
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.evidence_diff import differences
from git_knowl.services.filters.secrets import SecretError
from git_knowl.services.rename import rename
from git_knowl.services.retire import retire
from git_knowl.services.select import Filter, select
from git_knowl.services.submit import submit
from git_knowl.services.verify import VerifyError, evidence, verify
from git_knowl.services.why import why
from git_knowl.store.inbox import read_inbox
from tests.support.people import KIM, live, person, write

CODE = "def price(n):\n    if n > 3:\n        return 2 * n\n    return n\n"
SNIPPET = "snippet:lib/price.py:2-3"


@pytest.fixture
def shop(repo):
    repo.git("config", "user.name", "Kim")
    repo.git("config", "user.email", "kim@example.org")
    repo.commit("price", {"lib/price.py": CODE, "lib/deep/tax.py": "TAX = 7\n"})
    return repo


def seen(repo, name="cart"):
    return evidence(person(repo), name)


def told(repo, name="cart"):
    (found,) = differences(person(repo), seen(repo, name))
    return found.text


def check(repo, name="cart", **options):
    ctx = person(repo)
    return verify(ctx, evidence(ctx, name), **options).new


def status(repo, name="cart"):
    return seen(repo, name).verdict.status


class TestWriting:
    def test_lines_are_read_where_the_writer_stands(self, shop):
        write(person(shop), "cart", SNIPPET)

        (anchor,) = live(person(shop), "cart").anchors
        assert anchor.quote == "if n > 3:\n    return 2 * n"
        assert [item.text for item in anchor.accepted] == [live(person(shop), "cart").digest]

    def test_an_entry_among_the_anchors_becomes_something_it_depends_on(self, shop):
        write(person(shop), "base", SNIPPET)
        write(person(shop), "cart", "file:conf.yml", "entry:base")

        entry = live(person(shop), "cart")
        (link,) = entry.depends_on
        assert [anchor.target for anchor in entry.anchors] == ["file:conf.yml"]
        assert link.id == live(person(shop), "base").id
        assert [item.digest for item in link.accepted] == [live(person(shop), "base").digest]

    def test_an_entry_that_is_not_there_is_named_by_its_place(self, shop):
        with pytest.raises(EntryRefusedError, match=r"entry\.anchors\.1: .*'base'"):
            write(person(shop), "cart", "file:conf.yml", "entry:base")

    @pytest.mark.parametrize(
        ("anchor", "message"),
        [
            ("snippet:lib/price.py:3-9", "expected lines from 1 to 4, got up to 9"),
            ("snippet:lib/none.py:1-2", "no such file"),
            ("tree:nothing", "names no tracked file"),
            ("commit:nonsense", "does not name a commit"),
        ],
    )
    def test_what_is_not_there_is_refused_with_its_place(self, shop, anchor, message):
        with pytest.raises(EntryRefusedError, match=rf"entry\.anchors\.0.*{message}"):
            write(person(shop), "cart", anchor)

    def test_secrets_in_the_lines_are_refused(self, shop):
        shop.write("lib/key.py", 'KEY = "AKIAIOSFODNN7QZ3XKWP"\n')

        with pytest.raises(SecretError):
            write(person(shop), "cart", "snippet:lib/key.py:1-1")

    def test_a_payload_quotes_lines_or_numbers_them(self, shop):
        anchors = [
            {"kind": "snippet", "path": "lib/price.py", "quote": "    return n\n"},
            {"kind": "snippet", "path": "lib/price.py", "from": 1, "to": 2},
            {"kind": "tree", "pathspec": "lib/deep"},
            {"kind": "commit", "commit": "HEAD"},
        ]
        item = {
            "kind": "capture",
            "entry": {
                "name": "cart",
                "description": "Read it",
                "type": "project",
                "body": "The fact.",
                "anchors": anchors,
            },
        }

        ctx = person(shop)
        submit(ctx, {"items": [item]})

        (draft,) = read_inbox(ctx.store.view()).drafts
        assert [one.target for one in draft.entry.anchors] == [
            "snippet:lib/price.py:4-4",
            SNIPPET.replace("2-3", "1-2"),
            "tree:lib/deep",
            f"commit:{shop.rev('HEAD')}",
        ]

    def test_an_edited_quote_is_looked_for_and_a_new_text_rests_on_it(self, shop):
        write(person(shop), "cart", SNIPPET)
        ctx = person(shop)
        found = evidence(ctx, "cart")
        text = document(found.entry).replace("if n > 3:\\n    return 2 * n", "return n")

        done = apply_edit(ctx, found, text, looked=True)

        assert done.entry.anchors[0].quote == "return n"
        assert status(shop) == ACTIVE


class TestFollowing:
    @pytest.mark.parametrize(
        ("anchor", "old", "new", "target"),
        [
            (SNIPPET, "lib/price.py", "lib/cost.py", "snippet:lib/cost.py:2-3"),
            ("tree:lib/deep", "lib/deep", "lib/far", "tree:lib/far"),
            ("file:lib/price.py", "lib/price.py", "lib/cost.py", "file:lib/cost.py"),
        ],
    )
    def test_a_move_is_followed_when_asked(self, shop, anchor, old, new, target):
        write(person(shop), "cart", anchor)
        shop.git("mv", old, new)
        shop.commit("move")

        with pytest.raises(VerifyError, match="moved to"):
            check(shop)
        done = check(shop, follow=True)

        assert [one.target for one in done.anchors] == [target]
        assert status(shop) == ACTIVE

    def test_a_move_with_edits_is_followed_by_who_has_seen_both(self, shop):
        write(person(shop), "cart", SNIPPET)
        shop.git("mv", "lib/price.py", "lib/cost.py")
        shop.commit("move", {"lib/cost.py": CODE.replace("n > 3", "n > 4")})
        assert status(shop) == SUSPECT

        done = check(shop, follow=True)

        assert done.anchors[0].path == "lib/cost.py"
        assert done.anchors[0].quote == "if n > 3:\n    return 2 * n"
        assert status(shop) == ACTIVE

    def test_an_amended_commit_is_taken_by_its_new_id(self, shop):
        write(person(shop), "cart", "commit:HEAD")
        shop.git("commit", "-q", "--amend", "-m", "price, reworded")

        done = check(shop, follow=True)

        assert done.anchors[0].commit == shop.rev("HEAD")
        assert seen(shop).verdict.anchors[0].moved_to is None

    def test_a_lockfile_that_took_over_is_followed(self, shop):
        packages = {"": {"dependencies": {"vue": "3"}}, "node_modules/vue": {"version": "3.1.0"}}
        text = json.dumps({"lockfileVersion": 3, "packages": packages})
        shop.commit("lock", {"package-lock.json": text})
        write(person(shop), "cart", "package:npm/vue")
        shop.git("mv", "package-lock.json", "npm-shrinkwrap.json")
        shop.commit("publish")
        assert status(shop) == ACTIVE

        done = check(shop, follow=True)

        assert done.anchors[0].target == "package:npm/vue!npm-shrinkwrap.json"

    def test_a_renamed_entry_keeps_its_link_and_gives_its_name(self, shop):
        write(person(shop), "base", SNIPPET)
        write(person(shop), "cart", "entry:base")
        rename(person(shop), "base", "better")
        assert status(shop) == ACTIVE

        done = check(shop, follow=True)

        assert [link.name for link in done.depends_on] == ["better"]
        assert seen(shop).verdict.anchors[0].moved_to is None


class TestVerifying:
    def test_lines_that_grew_are_accepted_beside_the_quote(self, shop):
        write(person(shop), "cart", SNIPPET)
        shop.write("lib/price.py", CODE.replace("n > 3:\n", "n > 3:\n        log(n)\n"))
        assert status(shop) == SUSPECT

        done = check(shop)

        assert [item.lines for item in done.anchors[0].accepted] == [None, 3]
        assert status(shop) == ACTIVE
        shop.git("checkout", "-q", ".")
        assert status(shop) == ACTIVE

    def test_a_set_of_files_and_another_entry_are_accepted_anew(self, shop):
        write(person(shop), "base", SNIPPET)
        write(person(shop), "cart", "tree:lib", "entry:base")
        shop.commit("more", {"lib/more.py": "MORE = 1\n"})
        ctx = person(shop)
        found = evidence(ctx, "base")
        apply_edit(ctx, found, document(found.entry).replace("Read", "Do read"))
        assert [one.status for one in seen(shop).verdict.anchors] == [SUSPECT, SUSPECT]

        check(shop)

        assert status(shop) == ACTIVE


class TestDifferences:
    def test_of_lines_are_the_quote_and_the_nearest(self, shop):
        write(person(shop), "cart", SNIPPET)
        shop.write("lib/price.py", CODE.replace("n > 3", "n > 4"))

        assert "-if n > 3:\n+if n > 4:\n" in told(shop)
        assert "+++ now/lib/price.py, lines 2-3" in told(shop)

    def test_of_a_set_are_its_files(self, shop):
        write(person(shop), "cart", "tree:lib")
        shop.git("rm", "-q", "lib/deep/tax.py")
        shop.commit("x", {"lib/price.py": "x\n", "lib/new.py": "n\n"})

        assert told(shop) == "M lib/price.py\nA lib/new.py\nD lib/deep/tax.py"

    def test_of_a_commit_is_the_one_that_took_it_back(self, shop):
        write(person(shop), "cart", "commit:HEAD")
        shop.git("revert", "--no-edit", "HEAD")

        first, second = told(shop).split("\n")
        assert first.startswith(shop.rev("HEAD~1"))
        assert second.startswith(shop.rev("HEAD"))
        assert second.endswith('Kim: Revert "price"')

    def test_of_an_entry_are_its_texts(self, shop):
        write(person(shop), "base", SNIPPET)
        write(person(shop), "cart", "entry:base")
        ctx = person(shop)
        found = evidence(ctx, "base")
        apply_edit(ctx, found, document(found.entry).replace("Read", "Do read"))

        assert "-description: Read" in told(shop)
        assert "+description: Do read" in told(shop)

    def test_of_a_retired_entry_is_that_it_is_gone(self, shop):
        write(person(shop), "base", SNIPPET)
        write(person(shop), "cart", "entry:base")
        retire(person(shop), "base", "no longer true")

        (found,) = seen(shop).verdict.anchors
        assert found.status == SUSPECT
        assert found.author == KIM
        assert "-description: Read" in told(shop)

    def test_of_a_package_are_its_versions(self, shop):
        def lock(version):
            packages = {
                "": {"dependencies": {"vue": "3"}},
                "node_modules/vue": {"version": version},
            }
            return json.dumps({"lockfileVersion": 3, "packages": packages})

        shop.commit("lock", {"package-lock.json": lock("3.1.0")})
        write(person(shop), "cart", "package:npm/vue")
        commit = shop.commit("upgrade", {"package-lock.json": lock("3.2.0")})
        shop.commit("reformat", {"package-lock.json": lock("3.2.0") + "\n"})

        (found,) = seen(shop).verdict.anchors
        assert (found.commit, found.author) == (commit, KIM)
        assert told(shop).endswith("\n-3.1.0\n+3.2.0")


class TestPaths:
    @pytest.mark.parametrize(
        ("anchor", "path", "expected"),
        [
            ("tree:lib", "lib/deep/tax.py", ["cart"]),
            ("tree:lib", "lib/not-yet.py", ["cart"]),
            ("tree:lib/deep", "lib", ["cart"]),
            ("tree:lib/deep", "lib/price.py", []),
            ("tree::(glob)lib/*.py", "lib/price.py", ["cart"]),
            ("tree::(glob)lib/*.py", "lib/deep/tax.py", []),
            ("tree:.", "conf.yml", ["cart"]),
            (SNIPPET, "lib/price.py:3", ["cart"]),
        ],
    )
    def test_an_entry_on_a_set_rests_on_each_of_its_files(self, shop, anchor, path, expected):
        write(person(shop), "cart", anchor)
        ctx = person(shop)

        assert [one.row.name for one in why(ctx, path).entries] == expected
        if ":" not in path:
            found = select(why(ctx, "."), ctx, Filter(path=path))
            assert [one.row.name for one in found.entries] == expected


def test_another_entry_is_evidence_enough(shop):
    write(person(shop), "base", SNIPPET)

    write(person(shop), "cart", "entry:base")

    assert live(person(shop), "cart").source is None
