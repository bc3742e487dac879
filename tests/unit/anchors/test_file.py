"""File anchors: which content counts as the accepted one, and what may be anchored at all."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from git_knowl.anchors import file
from git_knowl.anchors.base import AnchorError, Stamp
from git_knowl.anchors.worlds import CommitWorld, StagedWorld
from git_knowl.model.anchor import FileAnchor
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from tests.support.anchored import KIM, NOW, entry_on, entry_with, verdict, verified, world_of
from tests.support.builders import START_FILES, RepoBuilder

if TYPE_CHECKING:
    from pathlib import Path

CART = "lib/cart.ts"
OTHER = "export const total = 4\n"


@pytest.fixture
def old(tmp_path: Path) -> RepoBuilder:
    """Give the same project in a repository of another object format."""
    return RepoBuilder.start(tmp_path, "sha256", name="old")


def short(repo: RepoBuilder, text: str) -> str:
    return repo.git("hash-object", "--stdin", stdin=text)[:10]


def tick(repo: RepoBuilder, path: str) -> None:
    """Make a file look modified although it is not."""
    os.utime(repo.path / path, ns=(1, 1))


class TestContent:
    def test_unchanged_is_active_and_says_nothing(self, repo: RepoBuilder) -> None:
        found = verdict(repo, entry_on(repo, CART))

        assert (found.kind, found.target, found.status) == ("file", "file:lib/cart.ts", ACTIVE)
        assert (found.reason, found.expected, found.found, found.note) == (None, None, None, None)

    def test_changed_is_suspect_with_both_contents_named(self, repo: RepoBuilder) -> None:
        entry = entry_on(repo, CART)
        repo.write(CART, OTHER)

        found = verdict(repo, entry)

        assert found.status == SUSPECT
        assert found.expected == short(repo, START_FILES[CART])
        assert found.found == short(repo, OTHER)

    def test_touched_but_equal_is_active(self, repo: RepoBuilder) -> None:
        entry = entry_on(repo, CART)
        tick(repo, CART)

        assert verdict(repo, entry).status == ACTIVE

    def test_the_executable_bit_is_not_content(self, repo: RepoBuilder) -> None:
        entry = entry_on(repo, CART)
        (repo.path / CART).chmod(0o755)

        assert verdict(repo, entry).status == ACTIVE

    def test_sha256_repositories_are_judged_alike(self, repo256: RepoBuilder) -> None:
        entry = entry_on(repo256, CART)

        assert verdict(repo256, entry).status == ACTIVE
        repo256.write(CART, OTHER)
        assert verdict(repo256, entry).status == SUSPECT

    @pytest.mark.parametrize("attributes", ["text=auto", "text eol=crlf", "text=auto ident"])
    def test_line_ends_and_ident_raise_no_alarm(self, repo: RepoBuilder, attributes: str) -> None:
        expanded = "$Id: 0123 $" if "ident" in attributes else "$Id$"
        repo.commit("lines", {".gitattributes": f"*.ts {attributes}\n", CART: "// $Id$\nx\n"})
        entry = entry_on(repo, CART)
        repo.write(CART, f"// {expanded}\r\nx\r\n")

        assert verdict(repo, entry).status == ACTIVE
        repo.write(CART, f"// {expanded}\r\ny\r\n")
        assert verdict(repo, entry).status == SUSPECT

    def test_content_counts_after_clean_filters(self, repo: RepoBuilder) -> None:
        repo.git("config", "filter.lower.clean", "tr A-Z a-z")
        repo.commit("filter", {".gitattributes": "*.ts filter=lower\n"})
        entry = entry_on(repo, CART)
        repo.write(CART, START_FILES[CART].upper())

        assert verdict(repo, entry).status == ACTIVE

    def test_a_working_tree_encoding_is_undone_first(self, repo: RepoBuilder) -> None:
        text = "grün\r\n"
        repo.commit(
            "utf-16",
            {
                ".gitattributes": "*.reg text working-tree-encoding=UTF-16LE\n",
                "a.reg": text.encode("utf-16-le"),
            },
        )
        entry = entry_on(repo, "a.reg")

        assert verdict(repo, entry).status == ACTIVE
        content = world_of(repo).content("a.reg")
        assert content is not None
        assert content.decode("utf-8") == "grün\n"

    def test_a_link_is_judged_by_its_text_not_by_what_it_points_to(self, repo: RepoBuilder) -> None:
        (repo.path / "link").symlink_to("lib/cart.ts")
        repo.commit("link")
        entry = entry_on(repo, "link")
        repo.write(CART, OTHER)

        assert verdict(repo, entry).status == ACTIVE
        (repo.path / "link").unlink()
        (repo.path / "link").symlink_to("nowhere")
        assert verdict(repo, entry).status == SUSPECT

    def test_a_name_of_any_bytes_can_be_anchored(self, repo: RepoBuilder) -> None:
        name = os.fsdecode(b"odd \xff[1]\n:(top).txt")
        repo.commit("odd", {name: "1\n"})
        entry = entry_on(repo, name)

        assert verdict(repo, entry).status == ACTIVE
        repo.write(name, "2\n")
        assert verdict(repo, entry).status == SUSPECT


class TestAccepted:
    def test_every_accepted_content_is_active(self, repo: RepoBuilder) -> None:
        entry = entry_on(repo, CART)
        repo.write(CART, OTHER)
        entry = verified(entry, world_of(repo))

        assert verdict(repo, entry).status == ACTIVE
        repo.git("checkout", CART)
        assert verdict(repo, entry).status == ACTIVE
        repo.write(CART, "third\n")
        found = verdict(repo, entry)
        assert found.status == SUSPECT
        assert found.expected == f"{short(repo, OTHER)} or {short(repo, START_FILES[CART])}"

    def test_what_was_accepted_for_another_text_does_not_count(self, repo: RepoBuilder) -> None:
        entry = replace(entry_on(repo, CART), body="Something else altogether.")

        found = verdict(repo, entry)

        assert found.status == UNKNOWN
        assert found.reason == "nobody has accepted the file for the present text of the entry"

    def test_an_anchor_nobody_accepted_is_unknown(self, repo: RepoBuilder) -> None:
        assert verdict(repo, entry_with(FileAnchor(CART))).status == UNKNOWN

    def test_what_another_object_format_recorded_is_compared_by_sha256(
        self, repo: RepoBuilder, old: RepoBuilder
    ) -> None:
        entry = entry_on(old, CART)

        assert verdict(repo, entry).status == ACTIVE
        repo.write(CART, OTHER)
        assert verdict(repo, entry).status == SUSPECT
        assert verdict(repo, entry, StagedWorld(repo.open(), NOW)).status == ACTIVE

    def test_uncommitted_content_is_compared_by_sha256_too(
        self, repo: RepoBuilder, old: RepoBuilder
    ) -> None:
        old.write(CART, OTHER)
        entry = entry_on(old, CART)
        repo.write(CART, OTHER)

        assert verdict(repo, entry).status == ACTIVE

    def test_one_fingerprint_in_the_own_format_decides_alone(
        self, repo: RepoBuilder, old: RepoBuilder
    ) -> None:
        old.write(CART, OTHER)
        entry = verified(entry_on(old, CART), world_of(repo))
        repo.write(CART, OTHER)

        assert verdict(repo, entry).status == SUSPECT


class TestUncommitted:
    def test_it_stays_active_when_the_changes_are_committed(self, repo: RepoBuilder) -> None:
        repo.write(CART, OTHER)
        entry = entry_on(repo, CART)

        assert entry.anchors[0].accepted[0].dirty
        assert verdict(repo, entry).status == ACTIVE
        repo.commit("doubled")
        assert verdict(repo, entry).status == ACTIVE

    def test_other_worktrees_are_told(self, repo: RepoBuilder) -> None:
        other = repo.worktree("other")
        repo.write(CART, OTHER)

        found = verdict(other, entry_on(repo, CART))

        assert (found.status, found.note) == (SUSPECT, "verified on uncommitted content")

    def test_it_never_enters_the_repository(self, repo: RepoBuilder) -> None:
        repo.write(CART, "a secret\n")

        entry = entry_on(repo, CART)

        blob = entry.anchors[0].accepted[0].blob.removeprefix("sha1:")
        assert repo.git("cat-file", "-t", blob, check=False) == ""

    def test_staged_content_is_uncommitted_as_well(self, repo: RepoBuilder) -> None:
        repo.write(CART, OTHER)
        repo.git("add", CART)

        assert entry_on(repo, CART).anchors[0].accepted[0].dirty

    def test_an_untracked_file_is_unknown_elsewhere(self, repo: RepoBuilder) -> None:
        other = repo.worktree("other")
        repo.write("notes.md", "1\n")
        entry = entry_on(repo, "notes.md")

        assert verdict(repo, entry).status == ACTIVE
        found = verdict(other, entry)
        assert found.status == UNKNOWN
        assert found.reason is not None
        assert "before it was ever committed" in found.reason


class TestCannotTell:
    def test_a_failing_filter_is_unknown(self, repo: RepoBuilder) -> None:
        entry = entry_on(repo, CART)
        repo.git("config", "filter.broken.clean", "false")
        repo.git("config", "filter.broken.required", "true")
        repo.write(".gitattributes", "*.ts filter=broken\n")
        tick(repo, CART)

        found = verdict(repo, entry)

        assert (found.status, found.found) == (UNKNOWN, "filter-failed")
        assert found.reason == "a filter that git runs on the file failed"

    def test_a_pipe_is_unknown_and_not_waited_for(self, repo: RepoBuilder) -> None:
        entry = entry_on(repo, CART)
        (repo.path / CART).unlink()
        os.mkfifo(repo.path / CART)

        assert (verdict(repo, entry).status, verdict(repo, entry).found) == (UNKNOWN, "special")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_a_file_that_may_not_be_read_is_unknown(self, repo: RepoBuilder) -> None:
        entry = entry_on(repo, CART)
        repo.write(CART, OTHER).chmod(0)

        assert verdict(repo, entry).status == UNKNOWN

    @pytest.mark.parametrize("path", ["../outside", "/etc/passwd", ".git/config", "a//b", "a/./b"])
    def test_a_path_that_leads_out_of_the_project_is_never_looked_at(
        self, repo: RepoBuilder, path: str
    ) -> None:
        accepted = entry_on(repo, CART).anchors[0].accepted
        entry = entry_with(FileAnchor(path))
        item = replace(accepted[0], text=entry.digest)

        found = verdict(repo, replace(entry, anchors=(FileAnchor(path, (item,)),)))

        assert found.status == UNKNOWN
        assert found.reason == "the path does not name a file of the project"


class TestObserve:
    def test_the_fingerprint_names_content_person_and_commit(self, repo: RepoBuilder) -> None:
        item = entry_on(repo, CART).anchors[0].accepted[0]

        assert item.sha256 == hashlib.sha256(START_FILES[CART].encode()).hexdigest()
        assert item.blob == f"sha1:{repo.git('rev-parse', f'HEAD:{CART}')}"
        assert (item.by, item.at, item.how) == ("Kim <kim@example.org>", NOW, "terminal")
        assert (item.commit, item.dirty) == (repo.rev("HEAD"), False)

    def test_it_replaces_what_was_accepted_before(self, repo: RepoBuilder) -> None:
        first = entry_on(repo, CART).anchors[0]

        seen = file.observe(first, world_of(repo), Stamp("t", NOW, KIM, "web"))

        assert len(seen.accepted) == 1

    def test_without_any_commit_nothing_is_named(self, tmp_path: Path) -> None:
        empty = RepoBuilder.make(tmp_path)
        empty.write("a", "1\n")

        item = entry_on(empty, "a").anchors[0].accepted[0]

        assert (item.commit, item.dirty) == (None, True)

    def test_the_index_and_a_commit_can_be_observed(self, repo: RepoBuilder) -> None:
        repo.write(CART, OTHER)
        staged = entry_on(repo, CART, world=StagedWorld(repo.open(), NOW))
        commit = entry_on(repo, CART, world=CommitWorld(repo.open(), "HEAD", NOW))

        assert staged.anchors == commit.anchors
        assert not staged.anchors[0].accepted[0].dirty

    @pytest.mark.parametrize(
        ("path", "words"),
        [
            ("lib", "tree:lib"),
            ("none.ts", "no such file"),
            ("../x", "not a path inside"),
            ("ignored.log", "ignored"),
            ("linked/cart.ts", "symbolic link"),
            ("pipe", "neither a regular file"),
            ("nested/a", "repository 'nested'"),
        ],
    )
    def test_what_is_no_file_of_the_project_is_refused(
        self, repo: RepoBuilder, path: str, words: str
    ) -> None:
        repo.write(".gitignore", "*.log\n")
        repo.write("ignored.log", "1\n")
        (repo.path / "linked").symlink_to("lib")
        os.mkfifo(repo.path / "pipe")
        repo.git("init", "-q", "nested")
        repo.write("nested/a", "1\n")

        with pytest.raises(AnchorError, match=f"file:{path} cannot be anchored.*{words}"):
            entry_on(repo, path)

    def test_a_failing_filter_is_refused(self, repo: RepoBuilder) -> None:
        repo.git("config", "filter.broken.clean", "false")
        repo.git("config", "filter.broken.required", "true")
        repo.write(".gitattributes", "*.ts filter=broken\n")
        repo.write(CART, OTHER)

        with pytest.raises(AnchorError, match="filter that git runs on the file failed"):
            entry_on(repo, CART)


class TestWarnings:
    def test_a_quiet_tracked_file_gives_none(self, repo: RepoBuilder) -> None:
        assert file.warnings(FileAnchor(CART), world_of(repo)) == []

    def test_an_untracked_file_is_pointed_out(self, repo: RepoBuilder) -> None:
        repo.write("notes.md", "1\n")

        assert file.warnings(FileAnchor("notes.md"), world_of(repo)) == [
            "notes.md is untracked: in other checkouts the entry will be unknown"
        ]

    def test_a_file_that_changes_all_the_time_is_pointed_out(self, repo: RepoBuilder) -> None:
        repo.now = datetime.now(UTC) - timedelta(days=1)
        for number in range(11):
            repo.commit(f"change {number}", {CART: f"{number}\n"})

        (said,) = file.warnings(FileAnchor(CART), world_of(repo))

        assert "times in 90 days: anchored to a part of it" in said

    def test_a_repository_without_commits_has_no_churn(self, tmp_path: Path) -> None:
        empty = RepoBuilder.make(tmp_path)
        empty.write("a", "1\n")
        empty.git("add", "a")

        assert file.warnings(FileAnchor("a"), world_of(empty)) == []
