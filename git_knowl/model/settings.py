"""Settings: the ``knowl.*`` keys of git config as one checked value."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model import limits
from git_knowl.model.entry import LANES, LOCAL, SHARED
from git_knowl.model.tiers import TIERS, parse_tiers

#: Where likeness in meaning counts.
OFF, ON, EVERYWHERE = "false", "true", "everywhere"


class SettingError(KnowlError):
    """A ``knowl.*`` key whose value cannot be used; the message names the key."""


@dataclass(frozen=True, slots=True)
class Key:
    """One setting as the documentation lists it."""

    name: str
    default: str
    help: str


def _setting(key: str, read: Callable[[str], Any], default: Any, about: str) -> Any:
    return field(default=default, metadata={"key": key, "read": read, "help": about})


def _choice(*choices: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return value

    return read


def _reach(value: str) -> str:
    """Read a truth value in git's words, or ``everywhere``."""
    if value.lower() == EVERYWHERE:
        return EVERYWHERE
    try:
        return ON if _switch(value) else OFF
    except ValueError as error:
        raise ValueError(f"true, false or {EVERYWHERE}") from error


def _number(lowest: int, highest: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", value) or not lowest <= int(value) <= highest:
            raise ValueError(f"a whole number from {lowest} to {highest}")
        return int(value)

    return read


def _switch(value: str) -> bool:
    """Read a truth value in git's words."""
    words = {"true": True, "yes": True, "on": True, "1": True}
    words |= {"false": False, "no": False, "off": False, "0": False, "": False}
    if value.lower() not in words:
        raise ValueError("true or false")
    return words[value.lower()]


def _tiers(value: str) -> tuple[str, ...]:
    """Read a list of tiers, parted by commas or blanks."""
    found = parse_tiers(value)
    if found is None:
        raise ValueError(f"one or more of {', '.join(TIERS)}")
    return found


def _name(value: str) -> str:
    if not value.isprintable():
        raise ValueError("the name of a remote")
    return value


def _folder(value: str) -> str:
    if value and (not value.startswith(("/", "~/")) or not value.isprintable()):
        raise ValueError("an absolute path, or one that begins with ~/")
    return value


def _shared_ref(value: str) -> str:
    """Read a ref of a remote, which is never one that holds what does not travel."""
    is_ref = re.fullmatch(r"refs/[^\x00-\x20\x7f~^:?*\[\\]+", value) is not None
    odd = any(part in value for part in ("..", "//", "@{", "/.", ".lock/"))
    if not is_ref or odd or value.endswith(("/", ".", ".lock")) or value.count("/") < 2:
        raise ValueError("a full ref such as refs/heads/knowl-store")
    if value.startswith(("refs/knowl-local/", "refs/knowl-remotes/", "refs/tags/")):
        raise ValueError("a ref that is meant for others")
    return value


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can set with ``git config``; every field names its key, default and meaning."""

    unattended: str = _setting(
        "knowl.unattended",
        _choice("refuse", "allow"),
        "refuse",
        "whether a coding agent may accept, restore and retire on its own",
    )
    lane: str = _setting(
        "knowl.lane", _choice(*LANES), SHARED, "lane of new project and reference entries"
    )
    feedback_lane: str = _setting(
        "knowl.feedbackLane", _choice(*LANES), LOCAL, "lane of new feedback entries"
    )
    index_budget: int = _setting(
        "knowl.indexBudget",
        _number(*limits.INDEX_BUDGET),
        limits.INDEX_DEFAULT_BUDGET,
        "tokens that the entry lines of the index may take",
    )
    flag_expiry_days: int = _setting(
        "knowl.flagExpiryDays",
        _number(1, 3_650),
        limits.FLAG_EXPIRY_DAYS,
        "days after which a flag that nobody used expires",
    )
    quiet: bool = _setting(
        "knowl.quiet", _switch, default=False, about="whether the git hooks say nothing"
    )
    keep_questions: bool = _setting(
        "knowl.keepQuestions",
        _switch,
        default=False,
        about="whether the words of a search are kept in this clone, not their hash alone",
    )
    remote: str = _setting(
        "knowl.remote", _name, "", "the remote to sync with, where there are several"
    )
    remote_ref: str = _setting(
        "knowl.remoteRef",
        _shared_ref,
        "refs/knowl/entries",
        "the ref that holds the store at the remote, where a host takes branches alone",
    )
    auto_sync: bool = _setting(
        "knowl.autoSync", _switch, default=False, about="whether a write to the shared lane syncs"
    )
    personal: str = _setting(
        "knowl.personal",
        _folder,
        "",
        "the bare repository with entries that are valid in every repository",
    )
    sign: bool = _setting(
        "knowl.sign",
        _switch,
        default=False,
        about="whether commits on the shared lane are signed, with the key git signs with",
    )
    semantic: str = _setting(
        "knowl.semantic",
        _reach,
        OFF,
        "whether search counts likeness in meaning, with the extra: false, true, or everywhere,"
        " at the questions of agents too",
    )
    trust: tuple[str, ...] = _setting(
        "knowl.trust", _tiers, TIERS, "tiers of entries whose text reaches agents"
    )

    @classmethod
    def from_config(cls, config: Mapping[str, str]) -> "Settings":
        """Return the settings of a config; keys are in lower case, as git lists them.

        Keys that nobody here knows are left alone: they may be a newer program's. Raises
        SettingError for a value that cannot be used.
        """
        given = {}
        for one in fields(cls):
            key = one.metadata["key"]
            if key.lower() in config:
                given[one.name] = _read(key, config[key.lower()], one.metadata["read"], one.default)
        return cls(**given)


class SettingsAsUsed(Settings):
    """The settings of a config of which each is read when it is asked for, SettingError and all.

    A value that cannot be used is no trouble to whoever does not need it.
    """

    __slots__ = ("_config",)

    def __init__(self, config: Mapping[str, str]) -> None:
        object.__setattr__(self, "_config", config)

    def __getattr__(self, name: str) -> Any:
        """Read a setting, which then stays; the slots of all others are empty so far."""
        one = next((one for one in fields(self) if one.name == name), None)
        if one is None:
            raise AttributeError(name)
        key = one.metadata["key"]
        given = self._config.get(key.lower())
        read = one.metadata["read"]
        value = one.default if given is None else _read(key, given, read, one.default)
        object.__setattr__(self, name, value)
        return value


def faults(config: Mapping[str, str]) -> list[SettingError]:
    """Return what is wrong with each value of a config that cannot be used."""
    found = []
    for key in keys():
        given = {name: value for name, value in config.items() if name == key.name.lower()}
        try:
            Settings.from_config(given)
        except SettingError as error:
            found.append(error)
    return found


def _read(key: str, value: str, read: Callable[[str], Any], default: Any) -> Any:
    try:
        return read(value)
    except ValueError as error:
        raise SettingError(
            f"{key}: expected {error}, got '{value}'",
            f"'git config {key} VALUE' sets another; the default is '{_shown(default)}'",
        ) from error


def _shown(default: Any) -> str:
    if isinstance(default, tuple):
        return ",".join(default)
    return str(default).lower() if isinstance(default, bool) else str(default)


def keys() -> list[Key]:
    """Return every setting, in the order in which the documentation lists them."""
    return [
        Key(one.metadata["key"], _shown(one.default), one.metadata["help"])
        for one in fields(Settings)
    ]
