"""Guidelines go into a file of the work tree, contained, and twice the same text is one."""

from __future__ import annotations

import pytest

from git_knowl.plumbing.repository import NeedsWorkTree
from git_knowl.services.files import FileError
from git_knowl.services.guideline import GuidelineError, insert, write
from tests.support.builders import RepoBuilder
from tests.support.contexts import context

RULE = "Run the cached lint.\nNever the full one."


@pytest.mark.parametrize(
    ("old", "heading", "new"),
    [
        ("", None, f"{RULE}\n"),
        ("", "Lint", f"## Lint\n\n{RULE}\n"),
        ("# A\n\ntext", None, f"# A\n\ntext\n\n{RULE}\n"),
        ("# A\n\n\n\n", None, f"# A\n\n{RULE}\n"),
        ("# A\n\nx\n\n# B\n\ny\n", "A", f"# A\n\nx\n\n{RULE}\n\n# B\n\ny\n"),
        ("# A\n\n## A.1\nx\n\n\n# B\n", "# A", f"# A\n\n## A.1\nx\n\n{RULE}\n\n# B\n"),
        ("## a ##\n", "A", f"## a ##\n\n{RULE}\n"),
        ("```sh\n# A\n```\n", "A", f"```sh\n# A\n```\n\n## A\n\n{RULE}\n"),
        ("# A\n~~~\n```\n# x\n~~~\n# B\n", "A", f"# A\n~~~\n```\n# x\n~~~\n\n{RULE}\n\n# B\n"),
        ("#no heading\n", "no heading", f"#no heading\n\n## no heading\n\n{RULE}\n"),
    ],
)
def test_a_text_goes_to_the_end_of_its_section(old, heading, new):
    assert insert(old, heading, RULE) == new
    assert insert(new, heading, RULE) == new


def test_what_stood_there_keeps_its_bytes():
    old = "# A\r\nform\x0cfeed \u2028 \r\n# B\r\n"

    new = insert(old, "A", RULE)

    lines = RULE.replace("\n", "\r\n")
    assert new == f"# A\r\nform\x0cfeed \u2028 \r\n\r\n{lines}\r\n\r\n# B\r\n"


def test_a_part_of_another_line_is_not_the_text():
    assert insert("Run it daily.\n", None, "Run it") == "Run it daily.\n\nRun it\n"


@pytest.mark.parametrize(
    ("there", "file"),
    [
        ([], "AGENTS.md"),
        (["CLAUDE.md"], "CLAUDE.md"),
        (["CLAUDE.md", "AGENTS.md"], "AGENTS.md"),
    ],
)
def test_the_guideline_file_of_the_project_is_taken_when_none_is_named(repo, there, file):
    for name in there:
        repo.write(name, "# Rules\n")

    assert write(context(repo), {"text": RULE}) == file
    assert RULE in repo.read(file)


def test_folders_are_made_and_the_mode_is_kept(repo):
    repo.write("run.md", "x\n").chmod(0o755)
    ctx = context(repo)

    write(ctx, {"file": "docs/rules.md", "text": RULE})
    write(ctx, {"file": "run.md", "text": RULE})

    assert repo.read("docs/rules.md") == f"{RULE}\n"
    assert (repo.path / "run.md").stat().st_mode & 0o777 == 0o755
    assert sorted(path.name for path in repo.path.glob("docs/*")) == ["rules.md"]


@pytest.mark.parametrize(
    "file",
    ["../out.md", "/out.md", "lib", ".", ".git/x", "sub/.GIT/x", ".git ./x", "link", "linked/x.md"],
)
def test_nothing_is_written_outside_the_work_tree_or_through_a_link(repo, tmp_path, file):
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo.path / "link").symlink_to(outside / "x.md")
    (repo.path / "linked").symlink_to(outside)

    with pytest.raises(GuidelineError, match=r"^file: "):
        write(context(repo), {"file": file, "text": RULE})

    assert list(outside.iterdir()) == []


def test_a_text_that_stands_there_already_is_not_written_again(repo):
    ctx = context(repo)
    write(ctx, {"file": "AGENTS.md", "text": RULE})
    before = (repo.path / "AGENTS.md").stat().st_mtime_ns

    write(ctx, {"file": "AGENTS.md", "heading": "Elsewhere", "text": RULE})

    assert (repo.path / "AGENTS.md").stat().st_mtime_ns == before


def test_a_file_in_the_place_of_a_folder_is_an_error(repo):
    with pytest.raises(FileError, match="cannot read"):
        write(context(repo), {"file": "conf.yml/rules.md", "text": RULE})


def test_a_link_in_the_place_of_the_default_file_is_not_followed(repo, tmp_path):
    (repo.path / "AGENTS.md").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(GuidelineError, match="regular file"):
        write(context(repo), {"text": RULE})


def test_a_file_that_is_no_text_is_left_alone(repo):
    repo.write("AGENTS.md", b"\xff\xfe")

    with pytest.raises(FileError, match="cannot read"):
        write(context(repo), {"text": RULE})


def test_a_bare_repository_has_no_place_for_it(tmp_path):
    bare = RepoBuilder.start(tmp_path, bare=True)

    with pytest.raises(NeedsWorkTree):
        write(context(bare), {"text": RULE})
