"""Settings are plain git configuration."""

from __future__ import annotations

import os

import pytest

from git_knowl.plumbing import config
from git_knowl.plumbing.repository import discover
from tests.support.builders import RepoBuilder
from tests.support.seal import PERSON


def opened_with(builder: RepoBuilder, **environ: str):
    return discover(str(builder.path), {**os.environ, **environ})


def test_without_any_setting_there_are_none(repo):
    assert config.read_settings(repo.open()) == {}


def test_settings_are_lower_case_and_the_last_value_wins(repo):
    repo.git("config", "knowl.Unattended", "allow")
    repo.git("config", "--add", "knowl.unattended", "deny")
    repo.git("config", "knowl.Trust.Level", "two\nlines = yes")
    repo.git("config", "knowledge.other", "x")
    with (repo.path / ".git/config").open("a") as file:
        file.write("[knowl]\n\tbare\n")

    assert config.read_settings(repo.open()) == {
        "knowl.unattended": "deny",
        "knowl.trust.level": "two\nlines = yes",
        "knowl.bare": "true",
    }


def test_settings_on_the_command_line_of_git_count(repo):
    environ = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "knowl.budget",
        "GIT_CONFIG_VALUE_0": "900",
    }

    assert config.read_settings(opened_with(repo, **environ)) == {"knowl.budget": "900"}


def test_one_setting(repo):
    repo.git("config", "knowl.remote", "origin")
    repo.git("config", "knowl.empty", "")

    assert config.get(repo.open(), "knowl.remote") == "origin"
    assert config.get(repo.open(), "knowl.empty") == ""
    assert config.get(repo.open(), "knowl.absent") is None


def test_identity_comes_from_git(repo):
    assert config.identity_or_none(repo.open()) == PERSON
    odd = opened_with(repo, GIT_COMMITTER_NAME="Zoë <3", GIT_COMMITTER_EMAIL="z@example.org")
    assert config.identity_or_none(odd) == "Zoë 3 <z@example.org>"


def test_without_a_name_and_a_mail_git_names_nobody(repo):
    mail_less = opened_with(repo, GIT_COMMITTER_EMAIL="")
    repo.git("config", "user.useConfigOnly", "true")
    nobody = opened_with(repo, GIT_CONFIG_GLOBAL=os.devnull)

    assert config.identity_or_none(mail_less) is None
    assert config.identity_or_none(nobody) is None


def test_editor_and_pager_follow_gits_order(repo):
    repo.git("config", "core.editor", "from config")

    assert config.editor(opened_with(repo, GIT_EDITOR="from env -w")) == "from env -w"
    environ = {name: value for name, value in os.environ.items() if name != "GIT_EDITOR"}
    assert config.editor(discover(str(repo.path), environ)) == "from config"
    assert config.pager(opened_with(repo, GIT_PAGER="less -R")) == "less -R"


def test_values_are_added_and_removed_one_by_one(repo):
    opened = repo.open()
    for value in ("a*", "b*"):
        config.add_local(opened, "log.excludeDecoration", value)

    assert config.get_all(opened, "log.excludeDecoration") == ["a*", "b*"]
    assert config.remove_local(opened, "log.excludeDecoration", "a*")
    assert not config.remove_local(opened, "log.excludeDecoration", "a*")
    assert config.get_all(opened, "log.excludeDecoration") == ["b*"]
    assert config.get_all(opened, "log.absent") == []


@pytest.mark.parametrize("more", ["[log]\n\tdate = iso\n", "[log]\n[log]\n", "[log]\n# mine\n"])
def test_a_section_that_is_more_than_a_left_over_heading_stays(repo, more):
    path = repo.path / ".git" / "config"
    path.write_text(path.read_text() + more)
    before = path.read_text()

    config.drop_empty_section(repo.open(), "log")

    assert path.read_text() == before


def test_gits_version_is_two_numbers(repo):
    major, minor = config.git_version(repo.open())

    assert repo.git("version").startswith(f"git version {major}.{minor}")
