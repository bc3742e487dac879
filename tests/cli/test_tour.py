"""The tour: the whole loop on any repository, which it leaves as it was."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from git_knowl.interfaces.cli import tour
from git_knowl.interfaces.cli.tour_stage import TourError, program_folder, staged
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.seal import ROOT

HOSTILE = """\
[user]
	name = Somebody
	email = somebody@example.org
[core]
	hooksPath = {hooks}
	autocrlf = true
	pager = false
	fsmonitor = {hooks}/pre-commit
[init]
	templateDir = {template}
	defaultBranch = trunk
[commit]
	gpgSign = true
	template = /nonexistent
[log]
	decorate = full
	showSignature = true
[color]
	ui = always
[alias]
	knowl = !false
[filter "failing"]
	clean = false
	smudge = false
	required = true
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Give the folder in which tours are staged, to see that nothing stays behind."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def contents(folder: Path) -> dict[str, bytes | str]:
    """Return everything below a folder: bytes of files, targets of links."""
    found = sorted(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return {
        str(path): os.readlink(path) if path.is_symlink() else path.read_bytes() for path in found
    }


def hostile_home(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose user has settings that would break any careless tour."""
    hooks, template = tmp_path / "hooks", tmp_path / "template"
    for folder in (hooks, template / "hooks"):
        folder.mkdir(parents=True)
        for name in ("pre-commit", "post-checkout", "commit-msg", "reference-transaction"):
            (folder / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
            (folder / name).chmod(0o755)
    config = tmp_path / "hostile"
    config.write_text(HOSTILE.format(hooks=hooks, template=template), encoding="utf-8")
    return {
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_TEMPLATE_DIR": str(template),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(hooks),
        "GIT_AUTHOR_NAME": "Somebody Else",
        "CLAUDECODE": "1",
        "PYTHONPATH": str(ROOT),
    }


def test_the_tour_plays_the_loop_and_touches_nothing_whatever_the_user_has_set(
    tmp_path, repo, temporary
):
    repo.commit("attributes", {".gitattributes": "*.ts filter=failing text eol=crlf\n"})
    feature = repo.worktree("wt", "topic")
    feature.write("lib/cart.ts", "changed, not committed\n")
    before = contents(repo.path), contents(feature.path)

    done = Knowl(feature.path, hostile_home(tmp_path))("tour")

    assert (done.code, done.err) == (0, "")
    assert (contents(repo.path), contents(feature.path)) == before
    assert list(temporary.iterdir()) == []
    feature_audit, main_audit = done.out.split("knowl audit --exit-code")[1:]
    assert "suspect  file:lib/cart.ts" in feature_audit
    assert "[exit code 3]" in feature_audit
    assert "1 active, 0 suspect, 0 unknown" in main_audit
    assert "- tour-first-finding — Read before changing cart.ts" in done.out
    assert done.out.endswith('git knowl flag "what you found out" -p PATH\n')


def test_a_repository_without_commits_is_told_so(tmp_path, temporary):
    empty = RepoBuilder.make(tmp_path)

    done = Knowl(empty.path)("tour")

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: there is no commit here yet")
    assert "hint: make a first commit" in done.err
    assert list(temporary.iterdir()) == []


def test_a_repository_without_a_text_file_is_told_so(tmp_path, temporary):
    pictures = RepoBuilder.make(tmp_path)
    pictures.commit("pictures", {"a.bin": b"\x89\0\xff", "b.txt": b"\xff\xfe", "empty": b""})

    done = Knowl(pictures.path)("tour")

    assert done.code == 1
    assert "no text file is in the last commit" in done.err
    assert list(temporary.iterdir()) == []


def test_a_folder_that_is_no_repository_is_told_so(tmp_path):
    done = Knowl(tmp_path)("tour")

    assert done.code == 1
    assert done.err.startswith("error: no usable git repository")


def make_submodule(tmp_path: Path) -> RepoBuilder:
    outer = RepoBuilder.start(tmp_path, name="outer")
    inner = RepoBuilder.start(tmp_path, name="inner")
    outer.git("submodule", "--quiet", "add", str(inner.path), "vendor/inner")
    return RepoBuilder(outer.path / "vendor" / "inner")


def make_detached(tmp_path: Path) -> RepoBuilder:
    repo = RepoBuilder.start(tmp_path)
    repo.git("checkout", "--quiet", "--detach")
    return repo


def make_shallow(tmp_path: Path) -> RepoBuilder:
    repo = RepoBuilder.start(tmp_path)
    repo.commit("second", {"conf.yml": "a: 2\n"})
    repo.git("clone", "--quiet", "--depth=1", repo.path.as_uri(), str(tmp_path / "shallow"))
    return RepoBuilder(tmp_path / "shallow")


def make_in_subfolder(tmp_path: Path) -> RepoBuilder:
    return RepoBuilder(RepoBuilder.start(tmp_path).path / "lib")


KINDS = {
    "plain": RepoBuilder.start,
    "sha256": lambda tmp_path: RepoBuilder.start(tmp_path, "sha256"),
    "bare": lambda tmp_path: RepoBuilder.start(tmp_path, bare=True),
    "detached": make_detached,
    "submodule": make_submodule,
    "shallow": make_shallow,
    "worktree": lambda tmp_path: RepoBuilder.start(tmp_path).worktree("linked"),
    "subfolder": make_in_subfolder,
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_any_kind_of_repository_gives_two_worktrees_with_one_file(make, tmp_path, temporary):
    repo = make(tmp_path)

    with staged(repo.open(), os.environ) as stage:
        for folder in (stage.main, stage.feature):
            shown = stage.call(folder, "show", "HEAD:lib/cart.ts").out
            assert (Path(folder) / stage.file).read_bytes() == shown
            assert stage.call(folder, "status", "--porcelain").out == b""
            assert sorted(os.listdir(folder)) == [".git", "lib"]
        before = stage.call(stage.main, "rev-parse", "HEAD^").out.decode().strip()
        assert before == repo.rev("HEAD")

    assert list(temporary.iterdir()) == []


def test_a_partial_clone_needs_nothing_that_it_lacks(tmp_path, temporary):
    origin = RepoBuilder.start(tmp_path)
    origin.git("config", "uploadpack.allowFilter", "true")
    origin.commit(
        "larger", {"lib/cart.ts": origin.read("lib/cart.ts") * 9, "lib/away.py": "x\n" * 9}
    )
    url = origin.path.as_uri()
    origin.git("clone", "-q", "--filter=blob:none", "--no-checkout", url, str(tmp_path / "partial"))
    partial = RepoBuilder(tmp_path / "partial")
    partial.git("sparse-checkout", "set", "--no-cone", "/lib/cart.ts")
    partial.git("checkout", "--quiet", "main")
    before = contents(partial.path)

    done = Knowl(partial.path, {"PYTHONPATH": str(ROOT)})("tour")

    assert (done.code, done.err) == (0, "")
    assert contents(partial.path) == before


def test_the_file_is_the_largest_piece_of_code_that_is_no_test(tmp_path):
    repo = RepoBuilder.make(tmp_path)
    code = "x = 1  # a line of code\n"
    repo.commit(
        "files",
        {
            "README.md": "prose\n" * 500,
            "lib/small.py": code * 10,
            "lib/large.py": code * 20,
            "lib/huge.py": code * 10_000,
            "lib/tiny.py": "x\n",
            "lib/large_test.py": code * 30,
            "tests/larger.py": code * 30,
            "vendor/x.py": code * 30,
            f"lib/{'long' * 50}.py": code * 30,
            "lib/latin.py": b"# caf\xe9\n" * 100,
        },
    )

    with staged(repo.open(), os.environ) as stage:
        assert stage.file == "lib/large.py"


@pytest.mark.parametrize("name", ["lib/[a] *b?.ts", "!x.ts", "#x.ts", "back\\slash.ts", "é ü.ts"])
def test_a_name_that_looks_like_a_pattern_is_checked_out_alone(name, tmp_path):
    repo = RepoBuilder.make(tmp_path)
    line = "export const value = 1\n"
    others = {"lib/a b.ts": "// another\n", "x.ts": "// another\n"}
    repo.commit("files", {name: line * 20, **others})

    with staged(repo.open(), os.environ) as stage:
        checked_out = [path for path in Path(stage.main).rglob("*.ts") if path.is_file()]

        assert stage.file == name
        assert checked_out == [Path(stage.main) / name]


def test_the_program_that_runs_is_the_one_git_finds(tmp_path, monkeypatch):
    (tmp_path / "installed").mkdir()
    shutil.copy("/bin/true", tmp_path / "installed" / "git-knowl")

    monkeypatch.setattr(sys, "argv", [str(tmp_path / "installed" / "git-knowl")])
    assert program_folder(str(tmp_path)) == str(tmp_path / "installed")
    monkeypatch.setattr(sys, "argv", [str(ROOT / "git_knowl" / "__main__.py")])
    assert program_folder(str(tmp_path)) == str(tmp_path / "bin")


def test_a_step_that_goes_wrong_ends_the_tour_with_its_output_shown(repo, capsys):
    with (
        staged(repo.open(), os.environ) as stage,
        pytest.raises(TourError, match="'git rev-parse --verify' ended with 128"),
    ):
        tour.play(stage, stage.main, "rev-parse", "--verify", "nonsense")

    assert "main$ git rev-parse --verify nonsense\n    fatal:" in capsys.readouterr().out


def test_a_preparation_that_goes_wrong_is_told_in_the_words_of_git(repo, temporary):
    tree = repo.rev("HEAD^{tree}")
    (repo.path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()

    with (
        pytest.raises(TourError, match="git could not set up the tour: "),
        staged(repo.open(), os.environ),
    ):
        pass

    assert list(temporary.iterdir()) == []


def test_long_output_is_shown_without_its_middle(capsys):
    tour.show("/x/main", ["git", "log", "a b", "$c", ">>", "d"], [str(n) for n in range(100)])

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "main$ git log \"a b\" '$c' >> d"
    assert len(lines) == tour.MOST_LINES + 2
    assert lines[15:18] == ["    14", "    … 70 lines …", "    85"]
