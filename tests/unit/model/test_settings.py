"""The knowl.* keys of git config."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from git_knowl.model.entry import SHARED
from git_knowl.model.settings import SettingError, Settings, SettingsAsUsed, keys


def test_every_key_has_its_documented_default() -> None:
    assert Settings.from_config({}) == Settings()
    assert {key.name: key.default for key in keys()} == {
        "knowl.unattended": "refuse",
        "knowl.lane": "shared",
        "knowl.feedbackLane": "local",
        "knowl.indexBudget": "1800",
        "knowl.flagExpiryDays": "30",
        "knowl.quiet": "false",
        "knowl.keepQuestions": "false",
        "knowl.remote": "",
        "knowl.remoteRef": "refs/knowl/entries",
        "knowl.autoSync": "false",
        "knowl.personal": "",
        "knowl.sign": "false",
        "knowl.semantic": "false",
        "knowl.trust": "here,signed,others,unattended",
    }
    assert all(key.help for key in keys())


@pytest.mark.parametrize("key", keys(), ids=lambda key: key.name)
def test_default_of_a_key_can_be_set(key: object) -> None:
    assert Settings.from_config({key.name.lower(): key.default}) == Settings()


def test_keys_are_read_in_lower_case_as_git_lists_them() -> None:
    settings = Settings.from_config(
        {"knowl.unattended": "allow", "knowl.feedbacklane": "shared", "knowl.indexbudget": "900"}
    )

    assert settings == Settings(unattended="allow", feedback_lane="shared", index_budget=900)


def test_unknown_keys_are_left_alone() -> None:
    assert Settings.from_config({"knowl.later": "x", "user.name": "y"}) == Settings()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("knowl.unattended", "yes", "knowl.unattended: expected one of refuse, allow, got 'yes'"),
        ("knowl.lane", "", "knowl.lane: expected one of shared, local, got ''"),
        ("knowl.quiet", "maybe", "knowl.quiet: expected true or false, got 'maybe'"),
        (
            "knowl.indexbudget",
            "many",
            "knowl.indexBudget: expected a whole number from 100 to 100000, got 'many'",
        ),
        (
            "knowl.flagexpirydays",
            "0",
            "knowl.flagExpiryDays: expected a whole number from 1 to 3650, got '0'",
        ),
        (
            "knowl.flagexpirydays",
            "9" * 5000,
            "knowl.flagExpiryDays: expected a whole number from 1 to 3650, got '9999",
        ),
        *(
            ("knowl.remoteref", ref, "knowl.remoteRef: expected a full ref such as")
            for ref in (
                *(
                    "",
                    "main",
                    "heads/x",
                    "refs/heads",
                    "refs/heads/",
                    "refs/x/y.lock",
                    "refs/x/a..b",
                ),
                *("refs/x/-\n", "refs/x/a b", "refs/*/x", "refs/x//y", "refs/x/.y", "refs/x/@{1}"),
            )
        ),
        *(
            ("knowl.remoteref", ref, "knowl.remoteRef: expected a ref that is meant for others")
            for ref in ("refs/knowl-local/inbox", "refs/knowl-remotes/a/entries", "refs/tags/v1")
        ),
        ("knowl.remote", "a\nb", "knowl.remote: expected the name of a remote"),
        ("knowl.autosync", "sometimes", "knowl.autoSync: expected true or false"),
        (
            "knowl.indexbudget",
            "٣٣٣",
            "knowl.indexBudget: expected a whole number from 100 to 100000, got '٣٣٣'",
        ),
    ],
)
def test_value_that_cannot_be_used_is_refused_with_its_key(
    key: str, value: str, message: str
) -> None:
    with pytest.raises(SettingError) as caught:
        Settings.from_config({key: value})

    assert caught.value.message.startswith(message)
    assert caught.value.hint is not None
    assert "'git config knowl." in caught.value.hint


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().lane = "local"


def test_a_setting_is_read_when_it_is_needed_and_no_other() -> None:
    found = SettingsAsUsed({"knowl.semantic": "banana", "knowl.indexbudget": "900"})

    assert (found.index_budget, found.lane, found.lane) == (900, SHARED, SHARED)
    with pytest.raises(SettingError, match=r"knowl\.semantic: expected"):
        _ = found.semantic
    with pytest.raises(AttributeError):
        _ = found.nothing_of_the_kind
