"""Installing as a new user would, and leaving: every file is as it was, or its fate is told."""

from __future__ import annotations

import json
import os

import pytest

from git_knowl.services.agents import plans
from git_knowl.services.agents.hosts.table import HOSTS
from tests.support.people import CART, person, write

RULE = ".cursor/rules/knowl-index.mdc"
THEIRS = """\
{
  // what Kim likes
  "theme": "dark",
  "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "say hello"}]}]},
  "tools": {"exclude": ["run_shell_command(rm -rf)"]}
}
"""
#: The same for a host that reads plain JSON only.
PLAIN = THEIRS.replace("  // what Kim likes\n", "")


def files(*tops):
    """Return what stands in some worktrees, outside of git's own folders."""
    return {
        path: path.read_bytes()
        for top in tops
        for path in sorted(top.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(top).parts
    }


@pytest.fixture
def exclude(repo):
    place = repo.path / ".git/info/exclude"
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"*.o\n# no line end")
    return place


def test_uninstall_gives_back_the_settings_of_all_hosts_in_all_worktrees(repo, knowl, exclude):
    other = repo.worktree("beside", "topic")
    repo.write(".claude/settings.local.json", PLAIN)
    repo.write(".gemini/settings.json", THEIRS)
    other.write("AGENTS.md", "# Rules")
    before, hidden = files(repo.path, other.path), exclude.read_bytes()
    for place in (repo.path, other.path):
        for host in HOSTS:
            knowl.at(place).ok("agent", "install", host)
    installed = files(repo.path, other.path)
    done = knowl.at(other.path)("uninstall")

    assert len(installed) > len(before) + 2 * len(HOSTS)
    assert files(repo.path, other.path) == before
    assert exclude.read_bytes() == hidden
    assert not (repo.path / ".git/common/knowl").exists()
    for path in (repo.path / ".claude/settings.local.json", other.path / "AGENTS.md"):
        assert f"took our part out of '{path}'" in done.err
    assert "there is nothing to remove" in knowl("uninstall").err


def test_in_a_fresh_clone_what_is_committed_works_and_stays_when_the_clone_leaves(
    repo, knowl, tmp_path
):
    knowl.ok("agent", "install", "cursor")
    repo.git("add", ".")
    repo.commit("cursor calls git-knowl")
    repo.git("clone", "-q", str(repo.path), str(tmp_path / "fresh"))
    fresh = knowl.at(tmp_path / "fresh")
    repo.git("-C", str(fresh.cwd), "worktree", "add", "-q", str(tmp_path / "beside"))
    knowl.at(tmp_path / "beside").ok("agent", "install", "cursor")
    before = files(fresh.cwd)
    told = fresh.json("agent", "status", "cursor")["hosts"][0]
    fresh.ok("agent", "install", "cursor")
    done = fresh("uninstall")

    assert told["installed"]
    assert files(fresh.cwd) == before
    assert f"left '{fresh.cwd / '.cursor/hooks.json'}', which is committed" in done.err
    assert f"left '{fresh.cwd / 'AGENTS.md'}', which is committed" in done.err
    assert not (fresh.cwd / ".git/info/exclude").exists()
    assert not (tmp_path / "beside" / RULE).exists()
    fresh.ok("agent", "uninstall", "cursor")
    assert not (fresh.cwd / ".cursor").exists()


def test_uninstall_says_what_a_user_keeps_in_all_repositories(repo, knowl, home):
    knowl.ok("agent", "install", "codex", "--user")
    done = knowl("uninstall")
    told = knowl.json("agent", "status", "codex")["hosts"][0]

    assert "left what this user has for Codex CLI in all repositories" in done.err
    assert not told["installed"]
    assert told["places"] == [{"worktree": None, "files": [
        str(home / ".codex/hooks.json"), str(home / ".codex/skills/knowl-capture/SKILL.md")
    ]}]  # fmt: skip
    knowl.ok("agent", "uninstall", "codex", "--user")


def test_uninstall_goes_on_where_one_host_cannot_be_left(repo, knowl, tmp_path):
    knowl.ok("agent", "install", "claude")
    knowl.ok("agent", "install", "gemini")
    settings = repo.path / ".claude/settings.local.json"
    settings.rename(tmp_path / "elsewhere.json")
    settings.symlink_to(tmp_path / "elsewhere.json")
    done = knowl("uninstall")

    assert done.code == 0
    assert f"left what Claude Code has in '{repo.path}'" in done.err
    assert "symbolic link" in done.err
    assert not (repo.path / ".gemini").exists()


def test_settings_that_broke_since_keep_all_of_ours_and_are_named(repo, knowl):
    knowl.ok("agent", "install", "claude")
    settings = repo.path / ".claude/settings.local.json"
    settings.write_text(settings.read_text()[:-3])
    before = files(repo.path)
    one = knowl("agent", "uninstall", "claude")
    shown = knowl.ok("agent", "status")
    whole = knowl("uninstall")

    assert one.code == 1
    assert f"error: '{settings}': line " in one.err
    assert "hint: all of ours stays" in one.err
    assert f"does not read '{settings}': line " in shown
    assert "claude: not installed" in shown
    assert f"left what Claude Code has in '{repo.path}': '{settings}': line " in whole.err
    assert files(repo.path) == before


def test_broken_settings_of_one_host_are_in_no_other_hosts_way(repo, knowl):
    knowl.ok("agent", "install", "codex")
    knowl.ok("agent", "install", "copilot")
    broken = repo.path / ".github/hooks/knowl.json"
    broken.write_text(broken.read_text()[:-3])
    knowl.ok("agent", "uninstall", "codex")

    assert not (repo.path / ".codex").exists()
    assert "git-knowl" in repo.read("AGENTS.md")


def test_settings_of_others_that_break_are_not_ours_to_tell(repo, knowl):
    repo.write(".claude/settings.local.json", "{")

    assert "does not call us" in knowl("agent", "uninstall", "claude").err


def test_what_stays_in_the_main_checkout_is_said(repo, knowl):
    other = repo.worktree("beside", "topic")
    knowl.ok("agent", "install", "claude")
    done = knowl.at(other.path)("agent", "uninstall", "claude")

    for name in (".claude/skills/knowl-capture/SKILL.md", "CLAUDE.md"):
        assert f"left '{repo.path / name}' in another worktree" in done.err
    knowl.ok("agent", "uninstall", "claude")
    assert not (repo.path / "CLAUDE.md").exists()
    assert not (repo.path / ".claude").exists()


def test_codex_is_not_installed_in_a_worktree_where_it_does_not_look(repo, knowl):
    other = repo.worktree("beside", "topic")
    knowl.ok("agent", "install", "codex")
    there = knowl.at(other.path)
    without = there.json("agent", "status", "codex")["hosts"][0]
    (other.path / ".codex").mkdir()

    assert not without["installed"]
    assert [one["worktree"] for one in without["places"]] == [str(repo.path)]
    assert there.json("agent", "status", "codex")["hosts"][0]["installed"]


@pytest.mark.parametrize("host", ["claude", "copilot", "opencode"])
@pytest.mark.parametrize("user", [(), ("--user",)])
def test_folders_that_were_there_stay_and_those_that_were_made_go(repo, knowl, home, host, user):
    top = home if user else repo.path
    empty = {
        (): {"copilot": ".github/hooks", "opencode": ".opencode"},
        ("--user",): {"copilot": ".copilot/hooks", "opencode": ".config/opencode"},
    }[user].get(host, f".{host}")
    (top / ".config").mkdir(exist_ok=True)
    fresh = folders(top)
    knowl.ok("agent", "install", host, *user)
    knowl.ok("agent", "uninstall", host, *user)
    without = folders(top)
    (top / empty).mkdir(parents=True)
    before = folders(top)
    knowl.ok("agent", "install", host, *user)
    knowl.ok("agent", "uninstall", host, *user)

    assert without == fresh
    assert folders(top) == before


def folders(top):
    """Return everything below a folder, outside of git's own."""
    return sorted(path for path in top.rglob("*") if ".git" not in path.relative_to(top).parts)


def test_a_folder_of_a_host_that_is_a_link_is_in_nobodys_way(repo, knowl, tmp_path):
    (tmp_path / "dotfiles").mkdir()
    for name in (".claude", ".cursor"):
        (repo.path / name).symlink_to(tmp_path / "dotfiles")

    assert not knowl.json("agent", "status", "claude")["hosts"][0]["installed"]
    assert "does not call us" in knowl("agent", "uninstall", "cursor").err
    assert "there is nothing to remove" in knowl("uninstall").err


def test_from_a_bare_repository_its_worktrees_are_left_too(repo, knowl, tmp_path):
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    repo.git(f"--git-dir={bare}", "worktree", "add", "-q", str(tmp_path / "beside"))
    before = files(tmp_path / "beside")
    for host in HOSTS:
        knowl.at(tmp_path / "beside").ok("agent", "install", host)
    knowl.at(bare).ok("uninstall")

    assert files(tmp_path / "beside") == before


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_from_a_bare_repository_no_other_worktree_is_reached_and_that_is_said(
    repo, knowl, tmp_path, host
):
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    repo.git(f"--git-dir={bare}", "worktree", "add", "-q", str(tmp_path / "beside"))
    done = knowl.at(tmp_path / "beside")("agent", "install", host)

    assert "repeat it in other worktrees" in done.err


def test_status_says_in_which_worktrees_a_host_calls_us(repo, knowl):
    other = repo.worktree("beside", "topic")
    knowl.at(other.path).ok("agent", "install", "gemini")
    here = knowl.json("agent", "status", "gemini")["hosts"][0]

    assert not here["installed"]
    assert [place["worktree"] for place in here["places"]] == [str(other.path)]
    assert f"in '{other.path}'" in knowl.ok("agent", "status")


@pytest.mark.parametrize("code", [0, 3])
def test_status_tries_the_program_that_hosts_call(repo, knowl, tmp_path, code):
    program = tmp_path / "bin/git-knowl"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho git-knowl 7.7\nexit {code}\n")
    program.chmod(0o755)
    mine = knowl.at(repo.path, PATH=f"{program.parent}:{os.environ['PATH']}")

    assert mine.json("agent", "status")["program"] == ("" if code else "git-knowl 7.7")
    assert ("git does not find it" in mine.ok("agent", "status")) == bool(code)


def test_what_an_older_release_put_in_goes_when_a_newer_one_is_installed(repo, knowl):
    place = repo.path / ".gemini/settings.json"
    repo.write(".gemini/settings.json", THEIRS)
    knowl.ok("agent", "install", "gemini")
    now = place.read_text()
    older = now.replace("2>/dev/null || :", "").replace(
        '"run_shell_command(rm -rf)"',
        f'"run_shell_command(rm -rf)", {json.dumps(plans.GEMINI_DENIED[0])}',
    )
    place.write_text(older)
    knowl.ok("agent", "install", "gemini")
    newer = place.read_text()
    again = knowl("agent", "install", "gemini")
    knowl.ok("agent", "uninstall", "gemini")

    assert older != now
    assert newer == now
    assert "calls us already" in again.err
    assert place.read_text() == THEIRS


def test_two_hosts_share_a_block_until_the_last_one_goes(repo, knowl):
    knowl.ok("agent", "install", "codex")
    knowl.ok("agent", "install", "copilot")
    knowl.ok("agent", "uninstall", "codex")
    shared = (repo.path / "AGENTS.md").exists()
    knowl.ok("agent", "uninstall", "copilot")

    assert shared
    assert not (repo.path / "AGENTS.md").exists()


def test_an_instruction_file_that_is_a_link_can_be_left_alone(repo, knowl):
    repo.write("CLAUDE.md", "# Rules\n")
    (repo.path / "AGENTS.md").symlink_to("CLAUDE.md")
    before = files(repo.path)
    refused = knowl("agent", "install", "codex")
    knowl.ok("agent", "install", "codex", "--no-block")
    told = knowl.json("agent", "status", "codex")["hosts"][0]
    knowl.ok("agent", "uninstall", "codex")

    assert refused.code == 1
    assert "--no-block" in refused.err
    assert told["installed"]
    assert files(repo.path) == before


def start(knowl):
    """Begin a session of Cursor, and return what it shows the model."""
    told = {"conversation_id": "c", "workspace_roots": [str(knowl.cwd)]}
    return knowl.ok("agent", "hook", "cursor", "sessionStart", stdin=json.dumps(told))


@pytest.fixture
def cursor(repo, knowl):
    write(person(repo), "cart-doubles", CART, description="Read before touching the cart price")
    knowl.ok("agent", "install", "cursor", "--no-block")
    return repo


def test_the_index_in_a_file_follows_sessions_and_writes_out_of_sight_of_git(cursor, knowl):
    installed = cursor.read(RULE)
    write(person(cursor), "cart-halves", CART)
    said = start(knowl)
    begun = cursor.read(RULE)
    add = ("add", "--name", "no-emoji", "--type", "project", "-d", "No emoji anywhere")
    knowl.ok(*add, "--source", "quote: no", "--body", "-", "--reviewer", "Kim <k@e.org>",
             stdin="None.\n")  # fmt: skip

    assert "- cart-doubles" in installed
    assert said == ""
    assert "- cart-halves" in begun
    assert "- no-emoji" in cursor.read(RULE)
    assert RULE not in cursor.git("status", "--porcelain", "-uall")


def test_the_index_in_a_file_follows_what_git_does(cursor, knowl):
    start(knowl)
    cursor.commit("other prices", **{"lib/cart.ts": "export const price = 1\n"})
    knowl.process("hooks", "run", "post-commit")

    assert "[suspect]" in cursor.read(RULE)


def test_a_file_of_somebody_else_in_its_place_is_kept(repo, knowl):
    repo.write(RULE, "mine\n")

    assert knowl("agent", "install", "cursor").code == 1
    write(person(repo), "cart-doubles", CART)
    assert "What earlier sessions" in start(knowl)
    assert repo.read(RULE) == "mine\n"


def test_through_a_link_nothing_is_written(cursor, knowl, tmp_path):
    (cursor.path / ".cursor").rename(tmp_path / "cursor")
    (cursor.path / ".cursor").symlink_to(tmp_path / "cursor")
    before = (tmp_path / "cursor/rules/knowl-index.mdc").read_bytes()

    assert "cart-doubles" in start(knowl)
    assert (tmp_path / "cursor/rules/knowl-index.mdc").read_bytes() == before


def test_the_file_stays_hidden_as_long_as_a_worktree_has_one(cursor, knowl):
    other = cursor.worktree("beside", "topic")
    knowl.at(other.path).ok("agent", "install", "cursor", "--no-block")
    knowl.ok("agent", "uninstall", "cursor")

    assert not (cursor.path / RULE).exists()
    assert RULE not in other.git("status", "--porcelain", "-uall")
    knowl.at(other.path).ok("agent", "uninstall", "cursor")
    assert not (cursor.path / ".git/info/exclude").exists()
