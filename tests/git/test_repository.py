"""Finding the repository, and aiming git at exactly that one."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from git_knowl.plumbing import environment
from git_knowl.plumbing.process import GitError
from git_knowl.plumbing.repository import (
    NeedsWorkTree,
    NotARepository,
    PathError,
    UntrustedRepository,
    discover,
)
from tests.support.builders import RepoBuilder


def found(repository):
    return repository.git_dir, repository.common_dir, repository.work_tree, repository.prefix


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_main_worktree(tmp_path, object_format):
    repo = RepoBuilder.make(tmp_path, object_format)
    git_dir = str(repo.path / ".git")

    opened = repo.open()

    assert found(opened) == (git_dir, git_dir, str(repo.path), "")
    assert opened.object_format == object_format
    assert not opened.is_bare
    assert opened.zero_id == "0" * len(repo.git("hash-object", "--stdin", stdin="x"))


def test_a_subfolder_is_known_as_prefix(repo):
    opened = discover(str(repo.path / "lib"), os.environ)

    assert (opened.work_tree, opened.prefix) == (str(repo.path), "lib/")


def test_linked_worktree_has_its_own_git_dir_and_shares_the_common_one(repo):
    linked = repo.worktree("side", "topic").open()

    common = str(repo.path / ".git")
    assert found(linked) == (f"{common}/worktrees/side", common, str(repo.path.parent / "side"), "")
    assert linked.shared_path("x") == repo.open().shared_path("x")
    assert linked.worktree_path("x") != repo.open().worktree_path("x")


def test_our_folders_are_the_ones_git_names(repo):
    linked = repo.worktree("side", "topic")
    opened = linked.open()
    asked = ("rev-parse", "--path-format=absolute", "--git-path")

    assert opened.shared_path("lock") == linked.git(*asked, "common/knowl/lock")
    assert opened.worktree_path("x.sqlite") == linked.git(*asked, "knowl/x.sqlite")


def test_bare_repository_has_no_work_tree(tmp_path):
    bare = RepoBuilder.start(tmp_path, bare=True)

    opened = bare.open()

    assert found(opened) == (str(bare.path), str(bare.path), None, "")
    assert opened.is_bare
    assert opened.git("rev-parse", "HEAD").decode().strip() == bare.rev("HEAD")
    with pytest.raises(NeedsWorkTree, match="bare repository"):
        opened.require_work_tree()


def test_worktree_of_a_bare_repository(tmp_path):
    bare = RepoBuilder.start(tmp_path, bare=True)

    opened = bare.worktree("side", "topic").open()

    assert opened.common_dir == str(bare.path)
    assert opened.require_work_tree() == str(tmp_path / "side")
    assert opened.git("ls-files") == b"conf.yml\nlib/cart.ts\n"


def test_submodule_is_a_repository_of_its_own(repo, tmp_path):
    other = RepoBuilder.start(tmp_path, name="other")
    repo.git("submodule", "--quiet", "add", str(other.path), "sub")

    opened = discover(str(repo.path / "sub"), os.environ)

    assert opened.work_tree == str(repo.path / "sub")
    assert opened.git_dir == str(repo.path / ".git/modules/sub")


def test_detached_and_unborn_heads_open(repo, tmp_path):
    repo.git("checkout", "--quiet", "--detach")
    assert repo.open().work_tree == str(repo.path)
    assert RepoBuilder.make(tmp_path, name="unborn").open().work_tree


def test_a_line_break_in_the_path_is_refused(tmp_path):
    odd = RepoBuilder.make(tmp_path, name="odd\nname")

    with pytest.raises(NotARepository, match="line break"):
        odd.open()


def test_outside_of_any_repository_is_an_error(tmp_path):
    with pytest.raises(NotARepository, match="not a git repository"):
        discover(str(tmp_path), os.environ)


def test_a_folder_that_is_gone_is_an_error(tmp_path):
    with pytest.raises(NotARepository, match="cannot change to"):
        discover(str(tmp_path / "gone"), os.environ)


@pytest.mark.parametrize("environ", [{}, {"GIT_DIR": "."}])
def test_inside_the_git_directory_is_an_error(repo, environ):
    with pytest.raises(NotARepository, match="inside the git directory"):
        discover(str(repo.path / ".git"), {**os.environ, **environ})


def test_a_git_dir_that_is_none_is_an_error_not_the_current_folder(repo, tmp_path):
    with pytest.raises(NotARepository):
        discover(str(repo.path), {**os.environ, "GIT_DIR": str(tmp_path)})


def test_a_repository_git_distrusts_is_refused_in_its_own_words(repo):
    environ = {**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}

    with pytest.raises(UntrustedRepository, match="dubious ownership") as caught:
        discover(str(repo.path), environ)

    assert "safe.directory" in caught.value.hint


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_is_refused(repo):
    for path in (repo.path, repo.path / ".git"):
        shutil.chown(path, 65534)

    with pytest.raises(UntrustedRepository):
        repo.open()


def test_safe_directory_is_obeyed(repo):
    environ = {
        **os.environ,
        "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": str(repo.path),
    }

    assert discover(str(repo.path), environ).git("ls-files")


def test_a_dotfile_managers_environment_names_repository_and_work_tree(repo, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    environ = {**os.environ, "GIT_DIR": str(repo.path / ".git"), "GIT_WORK_TREE": str(home)}

    opened = discover(str(tmp_path), environ)

    assert (opened.git_dir, opened.work_tree) == (str(repo.path / ".git"), str(home))


def environment_of_hook(builder: RepoBuilder, folder: str = ".") -> dict[str, str]:
    """Commit, and return what git exported to the pre-commit hook of this worktree."""
    hooks = builder.path.parent / "hooks"
    hooks.mkdir(exist_ok=True)
    hook = hooks / "pre-commit"
    hook.write_text(f"#!/bin/sh\ncd {folder} && pwd -P >{hooks}/pwd && env -0 >{hooks}/env\n")
    hook.chmod(0o755)
    builder.write("conf.yml", "a: 2\n")
    builder.git("add", "--all")
    builder.git("-c", f"core.hooksPath={hooks}", "commit", "--quiet", "-m", "change")
    items = (hooks / "env").read_bytes().decode().split("\0")[:-1]
    return dict(item.partition("=")[::2] for item in items)


def test_the_environment_of_a_hook_in_a_linked_worktree_works(repo):
    linked = repo.worktree("side", "topic")
    environ = environment_of_hook(linked)
    assert environ["GIT_DIR"].endswith("worktrees/side")

    opened = discover(str(linked.path), environ)

    assert found(opened) == found(linked.open())
    assert opened.hook_env["GIT_INDEX_FILE"] == f"{opened.git_dir}/index"


def test_a_hook_of_a_linked_worktree_may_stand_in_a_subfolder(repo):
    """Git itself takes any current folder for the top then, and would judge wrong files."""
    linked = repo.worktree("side", "topic")
    environ = environment_of_hook(linked, "lib")

    opened = discover(str(linked.path / "lib"), environ)

    assert (opened.work_tree, opened.prefix) == (str(linked.path), "lib/")


def test_a_hook_in_the_main_worktree_names_a_relative_index(repo):
    environ = environment_of_hook(repo)
    assert environ["GIT_INDEX_FILE"] == ".git/index"

    opened = discover(str(repo.path), environ)

    assert opened.hook_env == {"GIT_INDEX_FILE": str(repo.path / ".git/index")}


def test_children_stay_with_the_repository_whatever_the_environment_says(repo, tmp_path):
    other = RepoBuilder.make(tmp_path, name="other")
    environ = {**os.environ, "GIT_INDEX_FILE": str(other.path / "index"), "GIT_PREFIX": "x/"}

    opened = discover(str(repo.path), environ)

    assert opened.git("ls-files") == b"conf.yml\nlib/cart.ts\n"


def test_the_list_of_local_variables_is_gits_own():
    listed = subprocess.run(
        ["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=True
    )

    assert set(listed.stdout.split()) <= environment.LOCAL_VARIABLES


def test_children_keep_the_callers_configuration_and_lose_what_aims_elsewhere():
    given = {
        "HOME": "/h",
        "PATH": "/bin",
        "GIT_CONFIG_GLOBAL": "/g",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "a.b",
        "GIT_CONFIG_VALUE_0": "c",
        "GIT_CONFIG_PARAMETERS": "'a.b=c'",
        "GIT_DIR": "/elsewhere",
        "GIT_INDEX_FILE": "/elsewhere",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_EXTERNAL_DIFF": "differ",
    }

    kept = environment.scrubbed(given)

    assert {name for name in given if name in kept} == {
        name for name in given if name not in ("GIT_DIR", "GIT_INDEX_FILE")
    } - {"GIT_GLOB_PATHSPECS", "GIT_EXTERNAL_DIFF"}
    assert kept["GIT_TERMINAL_PROMPT"] == "0"
    assert kept["GIT_OPTIONAL_LOCKS"] == "0"


def test_messages_are_untranslated_and_sorting_stays_the_users():
    kept = environment.scrubbed({"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"})

    assert kept["LC_MESSAGES"] == "C"
    assert kept["LC_COLLATE"] == "de_DE.UTF-8"
    assert not {"LC_ALL", "LANGUAGE"} & kept.keys()


def test_pathspecs_are_literal_unless_asked_otherwise(repo):
    repo.commit("odd name", {"lib/[c]art.ts": "x\n"})
    opened = repo.open()

    assert opened.git("ls-files", "--", "lib/[c]art.ts") == b"lib/[c]art.ts\n"
    assert b"lib/cart.ts" in opened.git("ls-files", "--", "lib/[c]art.ts", literal=False)


def test_a_monitor_program_is_never_started(repo, tmp_path):
    program = tmp_path / "monitor"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n")
    program.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(program))

    repo.open().git("diff-files", "--name-only")

    assert not (tmp_path / "started").exists()


def test_gits_own_monitor_daemon_is_let_be(repo):
    repo.git("config", "core.fsmonitor", "true")
    trace = repo.path.parent / "trace"
    opened = discover(str(repo.path), {**os.environ, "GIT_TRACE2_EVENT": str(trace)})
    repo.git("config", "core.fsmonitor", "yes")

    opened.run("diff-files", "--name-only")

    assert "core.fsmonitor=true" in trace.read_text()


def test_an_unexpected_status_is_an_error_with_gits_words(repo):
    with pytest.raises(GitError, match="Not a valid object name nope") as caught:
        repo.open().git("cat-file", "blob", "nope")

    assert caught.value.code == 128
    assert repo.open().git("cat-file", "blob", "nope", ok=(0, 128)) == b""


class TestRelative:
    """Paths of the command line."""

    def test_paths_are_relative_to_the_folder_one_stands_in(self, repo):
        opened = repo.open()

        assert opened.relative("cart.ts", str(repo.path / "lib")) == "lib/cart.ts"
        assert opened.relative("../conf.yml", str(repo.path / "lib")) == "conf.yml"
        assert opened.relative("./lib//cart.ts", str(repo.path)) == "lib/cart.ts"
        assert opened.relative(str(repo.path / "lib/cart.ts"), "/") == "lib/cart.ts"
        assert opened.relative(".", str(repo.path)) == ""
        assert opened.relative("no/such/file", str(repo.path)) == "no/such/file"

    def test_a_link_to_the_repository_is_a_way_in(self, repo, tmp_path):
        (tmp_path / "link").symlink_to(repo.path)

        assert repo.open().relative(f"{tmp_path}/link/lib/cart.ts", "/") == "lib/cart.ts"
        assert repo.open().relative("lib/cart.ts", f"{tmp_path}/link") == "lib/cart.ts"

    @pytest.mark.parametrize("path", ["../x", "/etc/passwd", "lib/../../x"])
    def test_outside_is_refused(self, repo, path):
        with pytest.raises(PathError, match="outside the work tree"):
            repo.open().relative(path, str(repo.path))

    @pytest.mark.parametrize("path", [".git/config", "lib/.GIT/x", ".git"])
    def test_inside_a_git_directory_is_refused(self, repo, path):
        with pytest.raises(PathError, match="inside a git directory"):
            repo.open().relative(path, str(repo.path))

    def test_through_a_link_is_refused_and_the_link_itself_is_not(self, repo):
        (repo.path / "alias").symlink_to("lib")

        assert repo.open().relative("alias", str(repo.path)) == "alias"
        with pytest.raises(PathError, match="symbolic link 'alias'"):
            repo.open().relative("alias/cart.ts", str(repo.path))

    @pytest.mark.parametrize("path", ["", "a\0b"])
    def test_what_can_be_no_path_is_refused(self, repo, path):
        with pytest.raises(PathError, match="NUL"):
            repo.open().relative(path, str(repo.path))

    def test_bytes_that_are_no_utf8_pass_through(self, repo):
        odd = os.fsdecode(b"caf\xe9.txt")

        assert repo.open().relative(odd, str(repo.path)) == odd

    def test_in_a_bare_repository_paths_are_from_the_top(self, tmp_path):
        opened = RepoBuilder.start(tmp_path, bare=True).open()

        assert opened.relative("./lib/cart.ts", "/anywhere") == "lib/cart.ts"
        with pytest.raises(PathError, match="outside the repository"):
            opened.relative("../x", "/anywhere")
