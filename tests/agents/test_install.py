"""Installing into the settings of a host, and taking it out again, byte by byte."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl import __version__
from git_knowl.model.schema import check
from git_knowl.services.agents import jsonc, plans, wording
from git_knowl.services.agents.hosts.base import COMMAS, COMMENTS
from git_knowl.services.agents.hosts.table import HOSTS, profile
from git_knowl.services.agents.parts import Block
from tests.support.cli import Knowl
from tests.support.seal import ROOT

SETTINGS = {
    "claude": ".claude/settings.local.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".github/hooks/knowl.json",
}
THEIRS = """\
{
    // what Kim likes
    "theme": "dark", /* and nothing else */
    "hooks": {
        "SessionStart": [{"hooks": [{"type": "command", "command": "say hello"}]}],
        "sessionStart": [{"command": "say hello"}]
    },
    "permissions": {"deny": ["Bash(rm:*)"], "allow": []}
}
"""
#: The same for a host that reads plain JSON only.
PLAIN = THEIRS.replace("    // what Kim likes\n", "").replace(" /* and nothing else */", "")


def theirs(host):
    """Return settings that others wrote, with all that their host reads."""
    return THEIRS if COMMENTS in profile(host).TAKES else PLAIN


def tree(path):
    """Return all files and folders outside of git's own, with their content."""
    found = {}
    for place, folders, files in os.walk(path):
        folders[:] = [name for name in folders if name != ".git"]
        for name in folders:
            found[os.path.join(place, name)] = None
        for name in files:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.join(place, name)] = file.read()
    with open(os.path.join(path, ".git/info/exclude"), "rb") as file:
        found["exclude"] = file.read()
    return found


@pytest.fixture(autouse=True)
def exclude(repo):
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/exclude").write_bytes(b"*.o\n# no line end")


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_calls_us_once_installed_and_leaves_nothing_behind(repo, knowl, host):
    before = tree(repo.path)
    knowl.ok("agent", "install", host)
    once = tree(repo.path)
    again = knowl("agent", "install", host)
    status = knowl.json("agent", "status", host)
    told = status["hosts"][0]

    assert once != before
    assert "calls us already" in again.err
    assert tree(repo.path) == once
    assert check("agents", status) == []
    assert told["installed"]
    assert told["capabilities"] == dict(profile(host).CAPABILITIES)
    knowl.ok("agent", "uninstall", host)
    assert tree(repo.path) == before
    assert not knowl.json("agent", "status", host)["hosts"][0]["installed"]
    assert "does not call us" in knowl("agent", "uninstall", host).err


def test_all_hosts_together_share_a_block_and_leave_nothing_behind(repo, knowl):
    repo.write("AGENTS.md", "# Rules\n\nBe kind.")
    before = tree(repo.path)
    for host in HOSTS:
        knowl.ok("agent", "install", host)
    assert repo.read("AGENTS.md").count("git-knowl: ") == 1
    for host in HOSTS:
        knowl.ok("agent", "uninstall", host)

    assert tree(repo.path) == before


@pytest.mark.parametrize("host", SETTINGS)
def test_settings_of_others_are_kept_and_come_back_byte_by_byte(repo, knowl, host):
    repo.write(SETTINGS[host], theirs(host))
    before = tree(repo.path)
    knowl.ok("agent", "install", host)
    merged = repo.read(SETTINGS[host])
    knowl.ok("agent", "uninstall", host)

    for line in theirs(host).splitlines()[:4]:
        assert line.rstrip("]},") in merged
    assert f"git knowl agent hook {host} " in merged
    assert tree(repo.path) == before


@pytest.mark.parametrize("host", SETTINGS)
def test_what_others_write_after_us_stays(repo, knowl, host):
    repo.write(SETTINGS[host], theirs(host))
    knowl.ok("agent", "install", host)
    repo.write(SETTINGS[host], repo.read(SETTINGS[host]).replace('"dark"', '"light"'))
    knowl.ok("agent", "uninstall", host)

    assert jsonc.load(*parsed(repo.read(SETTINGS[host]))) == jsonc.load(
        *parsed(theirs(host).replace('"dark"', '"light"'))
    )
    assert ("// what Kim likes" in repo.read(SETTINGS[host])) == (theirs(host) == THEIRS)


def parsed(text):
    return text, jsonc.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        *("{", "nul", "null", "[]", "\xff", '{"hooks": []}', '{"hooks": {"SessionStart": {}}}'),
        *('{"hooks": {}, "hooks": {}}', '{"a": "\t"}', "{\n// why\n}", '{"a": [1,]}', "{/* */}"),
    ],
)
def test_settings_that_cannot_be_edited_are_left_alone_and_the_error_says_why(repo, knowl, text):
    repo.write(SETTINGS["claude"], text.encode("latin-1"))
    before = tree(repo.path)
    done = knowl("agent", "install", "claude")

    assert done.code == 1
    assert f"error: '{repo.path / SETTINGS['claude']}': " in done.err
    assert "hint: " in done.err
    assert tree(repo.path) == before


@pytest.mark.parametrize("host", SETTINGS)
@pytest.mark.parametrize(("extra", "what"), [("// why\n", COMMENTS), ("", COMMAS)])
def test_a_host_that_does_not_read_comments_or_commas_is_not_called_installed(
    repo, knowl, host, extra, what
):
    knowl.ok("agent", "install", host, "--no-block")
    place = repo.path / SETTINGS[host]
    comma = "" if extra else ","
    place.write_text(f"{extra}{place.read_text().rstrip()[:-1].rstrip()}{comma}\n}}\n")
    told = knowl.json("agent", "status", host)
    shown = knowl.ok("agent", "status", host)
    is_read = what in profile(host).TAKES
    lines = len(place.read_text().splitlines())

    assert told["hosts"][0]["installed"] == is_read
    assert check("agents", told) == []
    assert (f"does not read '{place}': line {1 if extra else lines - 1} has" in shown) != is_read
    assert (knowl("agent", "install", host).code == 0) == is_read
    knowl.ok("agent", "uninstall", host)
    assert "git knowl" not in place.read_text() if place.exists() else True


def test_an_excerpt_of_settings_ends_where_the_value_does(repo, knowl):
    repo.write(SETTINGS["codex"], '{"hooks": null}')
    done = knowl("agent", "install", "codex")

    assert "line 1 has 'null' where 'hooks' would be an object" in done.err


def test_a_file_of_another_origin_is_not_overwritten(repo, knowl):
    repo.write(".claude/skills/knowl-capture/SKILL.md", "mine\n")
    done = knowl("agent", "install", "claude")

    assert done.code == 1
    assert repo.read(".claude/skills/knowl-capture/SKILL.md") == "mine\n"
    assert not (repo.path / SETTINGS["claude"]).exists()


@pytest.mark.parametrize("link", [".claude", ".claude/settings.local.json"])
def test_a_link_in_the_project_is_not_followed(repo, knowl, tmp_path, link):
    target = tmp_path / "elsewhere"
    target.mkdir()
    (repo.path / link).parent.mkdir(exist_ok=True)
    (repo.path / link).symlink_to(target)
    done = knowl("agent", "install", "claude")

    assert done.code == 1
    assert "symbolic link" in done.err
    assert not list(target.iterdir())


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_from_a_worktree_the_main_checkout_gets_the_hooks_out_of_sight_of_git(repo, knowl, host):
    other = repo.worktree("beside", "topic")
    knowl.at(other.path).ok("agent", "install", host, "--no-block")

    assert (repo.path / SETTINGS[host]).exists()
    assert not (other.path / SETTINGS[host]).exists()
    assert repo.git("status", "--porcelain") == ""


def test_the_user_scope_lies_in_the_folder_of_the_host_and_keeps_a_copy(repo, knowl, tmp_path):
    folder = tmp_path / "claude"
    folder.mkdir()
    settings = folder / "settings.json"
    real = tmp_path / "dotfiles.json"
    real.write_text(PLAIN)
    real.chmod(0o600)
    settings.symlink_to(real)
    mine = knowl.at(repo.path, CLAUDE_CONFIG_DIR=str(folder))

    mine.ok("agent", "install", "claude", "--user")
    assert settings.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o600
    assert (folder / "settings.json.before-knowl").read_text() == PLAIN
    assert repo.git("status", "--porcelain") == ""
    mine.ok("agent", "uninstall", "claude", "--user")

    assert real.read_text() == PLAIN
    assert sorted(path.name for path in folder.iterdir()) == ["settings.json"]


@pytest.mark.parametrize("host", HOSTS)
def test_the_user_scope_needs_no_repository(tmp_path, home, host):
    before = tree_of_home(home)
    knowl = Knowl(tmp_path)
    knowl.ok("agent", "install", host, "--user")
    assert tree_of_home(home) != before
    knowl.ok("agent", "uninstall", host, "--user")

    assert tree_of_home(home) == before


def tree_of_home(home):
    return sorted(str(path) for path in home.rglob("*") if path.is_file())


@pytest.mark.parametrize("host", SETTINGS)
def test_every_event_of_a_profile_is_asked_for_with_a_constant_command(repo, knowl, host):
    knowl.ok("agent", "install", host)
    hooks = json.loads(repo.read(SETTINGS[host]))["hooks"]

    assert set(hooks) == set(profile(host).EVENTS)
    for event, items in hooks.items():
        told = json.dumps(items)
        assert f"git knowl agent hook {host} {event} 2>/dev/null || :" in told
        assert len(items) == 1


def test_claude_code_denies_what_only_a_person_may_run(repo, knowl):
    knowl.ok("agent", "install", "claude")
    denied = json.loads(repo.read(SETTINGS["claude"]))["permissions"]["deny"]

    assert {
        "Bash(git knowl review --accept:*)",
        "Bash(git knowl add:*)",
        "Bash(git knowl ui:*)",
    } < set(denied)


def test_the_plugin_asks_for_the_same_events_as_an_installation_and_has_the_same_skill():
    folder = ROOT / "docs/plugins/claude"
    wanted = {}
    for path, item in plans.hooks("claude").items:
        if path[0] == "hooks":
            wanted.setdefault(path[1], []).append(item)

    assert json.loads((folder / "hooks/hooks.json").read_text()) == {"hooks": wanted}
    assert (folder / "skills/knowl-capture/SKILL.md").read_text() == wording.SKILL
    manifest = json.loads((folder / ".claude-plugin/plugin.json").read_text())
    assert manifest["version"] == __version__


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(value=st.dictionaries(st.text(), VALUES, max_size=5), indent=st.sampled_from([None, 2, 4]))
def test_any_json_reads_as_it_does_for_everybody_and_an_item_goes_in_and_out(value, indent):
    value.pop("hooks", None)
    text = json.dumps(value, indent=indent)
    item = {"command": "x"}
    put = jsonc.append(text, ("hooks", "Stop"), item)

    assert jsonc.load(text, jsonc.parse(text)) == value
    assert json.loads(put) == {**value, "hooks": {"Stop": [item]}}
    assert jsonc.append(put, ("hooks", "Stop"), item) == put
    assert json.loads(jsonc.remove(put, ("hooks", "Stop"), lambda one: one == item)) == value


@given(
    text=st.text(st.sampled_from("a\n#<- "), max_size=20),
    more=st.text(st.sampled_from("b\n"), max_size=5),
)
def test_a_block_goes_in_and_out_of_any_text(text, more):
    block = Block("ours\n")
    put = block.put(text.encode())

    assert block.put(put) == put
    assert block.take(put) == (text.encode() or None)
    assert block.take(put + more.encode()) == ((text + more).encode() or None)


def test_status_tells_a_person_who_calls_us_and_what_went_wrong(repo, knowl):
    knowl.ok("agent", "install", "codex")
    knowl.ok("agent", "hook", "codex", "TeaTime", stdin="{}")

    whole = knowl.ok("agent", "status")
    one = knowl.ok("agent", "status", "codex")

    assert "codex: installed" in whole
    assert "claude: not installed" in whole
    assert "ignored: an event that nobody here knows" in whole
    assert str(repo.path / ".codex/hooks.json") in one
    assert "  touching: verified" in one
