"""What the shims decide, by real git commands: when Python starts, and what they never do."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from git_knowl.services.hooks.program import SHIMS
from tests.support.builders import RepoBuilder
from tests.support.hooked import Starts, cursor, git, hook, install, ok, script, watch
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from pathlib import Path

WORDS = " ".join(["word"] * 40)
CHINESE = "价格在三件以上翻倍因为有两个供应商" * 8


@pytest.fixture
def starts(repo: RepoBuilder, tmp_path: Path) -> Starts:
    """Give a repository with hooks and one anchored file, and the log of what they started."""
    made = Starts(tmp_path / "bin")
    install(repo, made.program())
    watch(repo, "lib/cart.ts")
    return made


def quiet_commit(repo: RepoBuilder, message: str = "small", **env: str) -> str:
    repo.write("conf.yml", f"a: {os.urandom(4).hex()}\n")
    return ok(repo, "commit", "-qam", message, **env)


def test_a_commit_that_touches_nothing_anchored_moves_the_cursor_and_starts_nothing(repo, starts):
    assert quiet_commit(repo) == ""

    assert starts.take() == []
    assert cursor(repo) == repo.rev("HEAD")


def test_the_first_commit_of_all_is_no_special_case(tmp_path):
    repo = RepoBuilder.make(tmp_path)
    starts = Starts(tmp_path / "bin")
    install(repo, starts.program())
    (repo.path / ".git/common/knowl/anchored-paths").write_text("x\n")
    repo.git("config", "log.showRoot", "false")

    repo.write("y", "1")
    repo.git("add", ".")
    ok(repo, "commit", "-qm", "first")

    assert (starts.take(), cursor(repo)) == ([], repo.rev("HEAD"))


@pytest.mark.parametrize(
    "change",
    [
        lambda repo: repo.write("lib/cart.ts", "changed\n"),
        lambda repo: repo.git("rm", "-q", "lib/cart.ts"),
        lambda repo: repo.git("mv", "lib/cart.ts", "other.ts"),
    ],
    ids=["changed", "deleted", "renamed"],
)
def test_a_commit_that_touches_an_anchored_file_starts_python_once(repo, starts, change):
    before = cursor(repo)
    change(repo)

    ok(repo, "commit", "-qam", "change")

    assert starts.take() == ["post-commit"]
    assert cursor(repo) == before, "only whoever has told it may move the cursor"


@pytest.mark.parametrize(
    ("anchored", "changed"),
    [
        ("src", "src/deep/er/file"),
        ("src/deep", "src/deep/er/file"),
        (".", "any"),
        ("ü mlaut", "ü mlaut"),
        ("with space/a  b", "with space/a  b"),
        (os.fsdecode(b"caf\xe9"), os.fsdecode(b"caf\xe9")),
        ("-dash", "-dash"),
        ("star*", "star*"),
    ],
)
def test_folders_above_a_change_and_odd_names_are_met(repo, starts, anchored, changed):
    watch(repo, anchored)
    repo.write(changed, "new\n")
    repo.git("add", "-A")

    ok(repo, "commit", "-qm", "change")

    assert starts.take() == ["post-commit"]


@pytest.mark.parametrize("changed", ["lib/cart.tsx", "lib", "a/lib/cart.ts", "cart.ts"])
def test_a_name_that_is_only_like_an_anchored_one_is_not_met(repo, starts, changed):
    watch(repo, "src/cart.ts")
    if changed == "lib":
        repo.git("rm", "-rq", "lib")
    repo.write(changed, "new\n")
    repo.git("add", "-A")

    ok(repo, "commit", "-qm", "change")

    assert starts.take() == []


@pytest.mark.parametrize(
    "message",
    [
        f"fix\n\n{WORDS}",
        "fix\n\nKnowl-Flag: the price doubles",
        'Revert "fix"\n\nThis reverts commit 12345.',
        CHINESE,
    ],
    ids=["prose", "trailer", "revert", "without spaces"],
)
def test_a_message_that_may_be_worth_a_flag_starts_python(repo, starts, message):
    quiet_commit(repo, message)

    assert starts.take() == ["post-commit"]


def test_many_changed_files_are_no_long_message(repo, starts):
    for number in range(100):
        repo.write(f"many/file {number}", "x")
    repo.git("add", "-A")

    ok(repo, "commit", "-qm", "many files")

    assert starts.take() == []


@pytest.mark.parametrize("lost", ["anchored-paths", "cursor"])
def test_without_the_list_or_the_cursor_python_has_to_look(repo, starts, lost):
    opened = repo.open()
    place = opened.shared_path if lost == "anchored-paths" else opened.worktree_path
    os.unlink(place(lost))

    quiet_commit(repo)

    assert starts.take() == ["post-commit"]


def test_what_happened_without_a_hook_is_left_to_python(repo, starts):
    repo.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "unseen")

    quiet_commit(repo)

    assert starts.take() == ["post-commit"]


HOSTILE = {
    "log.showSignature": "true",
    "color.ui": "always",
    "color.diff": "always",
    "diff.relative": "true",
    "diff.noprefix": "true",
    "diff.renames": "copies",
    "diff.external": "false",
    "diff.ignoreSubmodules": "all",
    "format.pretty": "oneline",
    "log.decorate": "full",
    "log.diffMerges": "off",
    "core.quotePath": "true",
    "notes.displayRef": "refs/notes/*",
    "core.pager": "false",
    "pager.log": "true",
    "i18n.logOutputEncoding": "latin-1",
}


def test_no_setting_of_the_user_changes_what_is_seen(repo, starts):
    for key, value in HOSTILE.items():
        repo.git("config", key, value)

    quiet_commit(repo)
    assert (starts.take(), cursor(repo)) == ([], repo.rev("HEAD"))

    repo.write("lib/cart.ts", "changed\n")
    ok(repo, "commit", "-qam", "change")
    assert starts.take() == ["post-commit"]


def test_no_signature_is_checked(repo, starts, tmp_path):
    slow = script(tmp_path / "gpg", f'#!/bin/sh\ntouch "{tmp_path}/asked"\nsleep 60\n')
    repo.git("config", "gpg.program", str(slow))
    repo.git("config", "log.showSignature", "true")

    quiet_commit(repo)

    assert not (tmp_path / "asked").exists()


def test_an_amended_commit_is_told_once(repo, starts):
    repo.write("lib/cart.ts", "changed\n")
    ok(repo, "commit", "-qa", "--amend", "-m", "start again")
    told = starts.take()
    watch(repo, "lib/cart.ts")

    ok(repo, "commit", "-qm", "only words", "--amend", "--allow-empty")

    assert told[0] == "post-commit"
    assert all(line.startswith(("post-commit", "post-rewrite amend")) for line in told)


@pytest.mark.parametrize(("backend", "first"), [("--merge", 0), ("--apply", 1)])
def test_a_rebase_starts_python_at_its_end_and_not_for_every_commit(repo, starts, backend, first):
    """The older backend switches to the new base before it says that a rebase is under way."""
    repo.git("branch", "base")
    for number in range(12):
        repo.write("lib/cart.ts", f"{number}\n")
        repo.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", f"work {number}")
    repo.git("switch", "-q", "base")
    repo.commit("other", {"other": "x"})
    repo.git("switch", "-q", "-")
    watch(repo, "lib/cart.ts")
    starts.take()

    ok(repo, "rebase", "-q", backend, "base")

    told = starts.take()
    assert [line.split()[0] for line in told[:first]] == ["post-checkout"] * first
    assert told[first:] == ["post-rewrite rebase"]


def test_a_bisection_starts_nothing(repo, starts):
    for number in range(8):
        repo.write("lib/cart.ts", f"{number}\n")
        repo.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", f"work {number}")
    watch(repo, "lib/cart.ts")

    ok(repo, "bisect", "start", "HEAD", "HEAD~7")
    ok(repo, "bisect", "run", "sh", "-c", "grep -q [0-3] lib/cart.ts")

    assert starts.take() == []


def test_a_merge_is_seen_against_its_first_parent(repo, starts):
    repo.git("switch", "-qc", "side")
    repo.commit("side", {"lib/cart.ts": "side\n"})
    repo.git("switch", "-q", "main")
    watch(repo, "lib/cart.ts")
    starts.take()

    ok(repo, "merge", "-q", "--no-ff", "-m", "join", "side")

    assert starts.take() == ["post-merge 0"]


def test_a_switch_that_changes_nothing_anchored_and_leaves_nothing_behind_is_silent(repo, starts):
    repo.git("branch", "ahead")
    repo.git("switch", "-q", "ahead")
    repo.commit("more", {"other": "x"})
    repo.git("switch", "-q", "main")
    starts.take()
    watch(repo, "lib/cart.ts")

    ok(repo, "switch", "-q", "ahead")
    assert (starts.take(), cursor(repo)) == ([], repo.rev("HEAD"))

    ok(repo, "switch", "-q", "main")
    assert [line.split()[0] for line in starts.take()] == ["post-checkout"]


def test_a_switch_that_changes_an_anchored_file_starts_python(repo, starts):
    repo.git("switch", "-qc", "ahead")
    repo.commit("more", {"lib/cart.ts": "x"})
    repo.git("switch", "-q", "main")
    starts.take()
    old, new = repo.rev("main"), repo.rev("ahead")
    watch(repo, "lib/cart.ts")

    ok(repo, "switch", "-q", "ahead")

    assert starts.take() == [f"post-checkout {old} {new} 1"]


@pytest.mark.parametrize(
    "words",
    [
        ("checkout", "-q", "--", "conf.yml"),
        ("checkout", "-q", "HEAD", "--", "lib/cart.ts"),
        ("switch", "-qc", "new"),
        ("checkout", "-q", "--detach"),
        ("worktree", "add", "-q", "../w2"),
        ("reset", "-q", "--hard"),
    ],
    ids=" ".join,
)
def test_what_switches_no_branch_starts_nothing(repo, starts, words):
    (repo.path / ".git/knowl/cursor").write_text("elsewhere\n")

    ok(repo, *words)

    assert starts.take() == []


def test_a_clone_whose_template_brings_the_hooks_starts_nothing(repo, starts, tmp_path):
    template = tmp_path / "template"
    shutil.copytree(repo.path / ".git/hooks", template / "hooks")

    ok(repo, "clone", "-q", f"--template={template}", ".", str(tmp_path / "clone"))

    assert starts.take() == []


def test_every_worktree_has_a_cursor_of_its_own(repo, starts):
    other = repo.worktree("w2", "w2")
    watch(other, "lib/cart.ts")
    before = cursor(repo)

    quiet_commit(other)
    assert (starts.take(), cursor(other), cursor(repo)) == ([], other.rev("HEAD"), before)

    other.write("lib/cart.ts", "changed\n")
    ok(other, "commit", "-qam", "change")
    assert starts.take() == ["post-commit"]


def test_a_submodule_has_hooks_of_its_own(repo, tmp_path):
    outer = RepoBuilder.start(tmp_path, name="outer")
    outer.git("submodule", "--quiet", "add", str(repo.path), "sub")
    inner = RepoBuilder(outer.path / "sub")
    starts = Starts(tmp_path / "bin")
    install(inner, starts.program())
    watch(inner, "lib/cart.ts")

    quiet_commit(inner)
    assert (starts.take(), cursor(inner)) == ([], inner.rev("HEAD"))

    inner.write("lib/cart.ts", "changed\n")
    ok(inner, "commit", "-qam", "change")
    assert starts.take() == ["post-commit"]


def test_hooks_work_in_a_worktree_of_a_bare_repository(repo, tmp_path):
    bare = repo.clone("bare.git", "--bare")
    seat = bare.worktree("seat", "seat")
    starts = Starts(tmp_path / "bin")
    install(seat, starts.program())
    watch(seat, "lib/cart.ts")

    quiet_commit(seat)
    assert (starts.take(), cursor(seat)) == ([], seat.rev("HEAD"))


def test_hooks_work_where_ids_are_longer(repo256, tmp_path):
    starts = Starts(tmp_path / "bin")
    install(repo256, starts.program())
    watch(repo256, "lib/cart.ts")

    quiet_commit(repo256)
    assert (starts.take(), cursor(repo256)) == ([], repo256.rev("HEAD"))


def test_the_folder_a_commit_is_made_in_does_not_matter(repo, starts):
    inside = RepoBuilder(repo.path / "lib")
    repo.write("lib/cart.ts", "changed\n")

    ok(inside, "commit", "-qam", "change")

    assert starts.take() == ["post-commit"]


def test_a_graphical_client_has_a_path_without_us(repo, starts):
    repo.write("lib/cart.ts", "changed\n")

    ok(repo, "commit", "-qam", "change", PATH="/usr/bin:/bin")

    assert starts.take() == ["post-commit"]


def test_a_dotfile_manager_names_the_repository_by_the_environment(repo, starts, tmp_path):
    home = RepoBuilder(tmp_path / "home-like")
    home.path.mkdir()
    shutil.copytree(repo.path / "lib", home.path / "lib")
    where = {"GIT_DIR": str(repo.path / ".git"), "GIT_WORK_TREE": str(home.path)}
    home.write("lib/cart.ts", "changed\n")

    ok(home, "commit", "-qm", "change", "lib/cart.ts", **where)

    assert starts.take() == ["post-commit"]


@pytest.mark.parametrize("shell", ["bash", "dash"])
def test_any_posix_shell_will_do(repo, starts, tmp_path, shell):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    folder = tmp_path / "shell"
    folder.mkdir()
    (folder / "sh").symlink_to(program)
    path = f"{folder}:{os.environ['PATH']}"

    assert quiet_commit(repo, PATH=path) == ""
    assert (starts.take(), cursor(repo)) == ([], repo.rev("HEAD"))
    assert quiet_commit(repo, CHINESE * 3, PATH=path) == ""
    assert starts.take() == ["post-commit"]


def test_a_program_that_is_gone_is_looked_for_on_the_path_and_else_not_missed(repo, starts):
    folder = starts.python.parent
    starts.python.rename(folder / "git-knowl")  # its log drops `hooks run`, as it does `-I -S door`
    watch(repo)

    said = quiet_commit(repo, WORDS)
    assert (said, starts.take()) == ("", [])

    quiet_commit(repo, WORDS, PATH=f"{folder}:{os.environ['PATH']}")
    assert starts.take() == ["post-commit"]


def test_a_repository_that_moved_away_still_has_its_hooks(repo, starts, tmp_path):
    repo.path.rename(tmp_path / "elsewhere")
    moved = RepoBuilder(tmp_path / "elsewhere")
    moved.write("lib/cart.ts", "changed\n")

    assert ok(moved, "commit", "-qam", "change") == ""

    assert starts.take() == ["post-commit"]


def test_shims_that_were_taken_away_are_not_missed(repo, starts):
    shutil.rmtree(repo.path / ".git/common")

    assert ok(repo, "switch", "-qc", "new") == ""
    assert quiet_commit(repo) == ""


def test_a_git_that_we_start_ourselves_runs_no_shim(repo, starts):
    script(
        starts.python,
        f'#!/bin/sh\necho started >>"{starts.log}"\ngit commit -q --allow-empty -m "{WORDS}"\n',
    )

    quiet_commit(repo, WORDS)

    assert starts.take() == ["started"]


@pytest.mark.parametrize("status", [0, 1])
def test_what_becomes_of_us_is_nothing_to_git_and_other_hooks_keep_their_status(
    repo, starts, status
):
    script(starts.python, "#!/bin/sh\nexit 70\n")
    file = hook(repo, "post-checkout")
    file.write_text(file.read_text() + f"exit {status}\n")
    repo.git("branch", "other")
    repo.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "unseen")

    assert git(repo, "checkout", "-q", "other").code == status


def test_what_git_tells_on_standard_input_is_left_to_the_hooks_after_us(repo, starts, tmp_path):
    file = hook(repo, "post-rewrite")
    file.write_text(file.read_text() + f'cat >"{tmp_path}/told"\n')
    old = repo.rev("HEAD")

    ok(repo, "commit", "-q", "--amend", "-m", "again")

    assert (tmp_path / "told").read_text() == f"{old} {repo.rev('HEAD')}\n"


def test_a_read_only_repository_stops_no_switch(repo, starts):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    repo.git("branch", "other")
    (repo.path / ".git/knowl").chmod(0o500)

    assert ok(repo, "switch", "-q", "other") == ""


def test_a_huge_commit_is_decided_upon_in_no_time(repo, starts):
    """The names are patterns for one grep, not words for the shell."""
    for number in range(3000):
        repo.write(f"d{number % 50}/{'long' * 10}{number}", "")
    repo.git("add", "-A")

    ok(repo, "commit", "-qm", "import")
    assert starts.take() == []

    repo.git("rm", "-rq", "--cached", ".")
    ok(repo, "commit", "-qm", "everything goes")
    assert starts.take() == ["post-commit"]


@pytest.mark.parametrize("name", SHIMS)
def test_a_shim_is_short(name):
    assert len((ROOT / "hooks" / name).read_text().splitlines()) <= 25


def test_line_ends_of_the_work_tree_do_not_matter(repo, starts):
    repo.git("config", "core.autocrlf", "true")
    repo.write("conf.yml", "a: 2\r\n")

    ok(repo, "commit", "-qam", "small")

    assert (starts.take(), cursor(repo)) == ([], repo.rev("HEAD"))
