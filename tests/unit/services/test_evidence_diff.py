"""What changed in the files of an entry: one diff for each that is not as it was accepted."""

from __future__ import annotations

import pytest

from git_knowl.services.evidence_diff import MOST_LINES, differences
from git_knowl.services.verify import evidence, verify
from git_knowl.store.operations import PutEntry
from tests.support.builders import RepoBuilder
from tests.support.people import CART, person, write
from tests.support.stores import write as put


def texts(repo, name="cart"):
    ctx = person(repo)
    return [one.text for one in differences(ctx, evidence(ctx, name))]


def test_what_is_as_it_was_has_no_diff(repo):
    write(person(repo), "cart", CART, "file:conf.yml")

    assert texts(repo) == []


@pytest.mark.parametrize("commit", [True, False])
def test_a_changed_file_is_compared_with_what_was_accepted(repo, commit):
    write(person(repo), "cart", CART, "file:conf.yml")
    repo.write("conf.yml", "a: 2\n")
    if commit:
        repo.git("commit", "-aqm", "two")

    assert texts(repo) == ["--- then/conf.yml\n+++ now/conf.yml\n@@ -1 +1 @@\n-a: 1\n+a: 2"]


def test_the_latest_accepted_content_is_compared(repo):
    write(person(repo), "cart", "file:conf.yml")
    repo.commit("two", {"conf.yml": "a: 2\n"})
    ctx = person(repo)
    verify(ctx, evidence(ctx, "cart"))
    repo.write("conf.yml", "a: 3\n")

    assert "-a: 2\n+a: 3" in texts(repo)[0]


def test_a_deleted_file_is_all_gone(repo):
    write(person(repo), "cart", "file:conf.yml")
    repo.git("rm", "-q", "conf.yml")

    assert texts(repo) == ["--- then/conf.yml\n+++ now/conf.yml\n@@ -1 +0,0 @@\n-a: 1"]


def test_a_file_renamed_with_edits_is_compared_with_where_it_went(repo):
    lines = "".join(f"line {n}\n" for n in range(30))
    repo.commit("long", {"conf.yml": lines})
    write(person(repo), "cart", "file:conf.yml")
    repo.git("mv", "conf.yml", "new.yml")
    repo.commit("rename", {"new.yml": lines.replace("line 3\n", "line three\n")})

    (text,) = texts(repo)

    assert text.startswith("--- then/conf.yml\n+++ now/new.yml\n")
    assert "-line 3\n+line three" in text


def test_binary_content_is_not_shown(repo):
    repo.commit("logo", {"logo.png": b"\x89PNG\0one"})
    write(person(repo), "logo", "file:logo.png")
    repo.write("logo.png", b"\x89PNG\0two")

    assert texts(repo, "logo") == ["logo.png: binary content differs"]


def test_long_differences_are_cut(repo):
    repo.commit("long", {"conf.yml": "".join(f"{n}\n" for n in range(500))})
    write(person(repo), "cart", "file:conf.yml")
    repo.write("conf.yml", "".join(f"{-n}\n" for n in range(500)))

    lines = texts(repo)[0].split("\n")

    assert (len(lines), lines[-1]) == (MOST_LINES + 1, "… and more")


def test_only_a_line_feed_ends_a_line(repo):
    repo.commit("odd", {"conf.yml": "a\x0cb\u2028c\rd\n"})
    write(person(repo), "cart", "file:conf.yml")
    repo.write("conf.yml", "a\x0cb\u2028c\re\n")

    assert texts(repo)[0].split("\n")[3:] == ["-a\x0cb\u2028c\rd", "+a\x0cb\u2028c\re"]


def test_content_that_never_was_committed_cannot_be_shown(repo):
    repo.write("conf.yml", "a: 2\n")
    write(person(repo), "cart", "file:conf.yml")
    repo.write("conf.yml", "a: 3\n")

    assert texts(repo) == ["conf.yml: no content that was accepted is in this clone"]


def test_content_accepted_under_another_object_format_cannot_be_shown(repo, tmp_path):
    entry = write(person(repo), "cart", CART)
    other = RepoBuilder.start(tmp_path, "sha256", name="other")
    put(person(other).store, PutEntry("shared", entry))
    other.write("lib/cart.ts", "four\n")

    assert texts(other) == ["lib/cart.ts: no content that was accepted is in this clone"]
