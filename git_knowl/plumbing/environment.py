"""The environment of children: the caller's, without what aims git elsewhere or makes it ask."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# What `git rev-parse --local-env-vars` prints, and GIT_QUARANTINE_PATH, which belongs to them.
# The list is constant so that no call is spent on it; a test compares it with git's.
LOCAL_VARIABLES = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CONFIG",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_COUNT",
        "GIT_OBJECT_DIRECTORY",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE",
        "GIT_PREFIX",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR",
        "GIT_QUARANTINE_PATH",
    )
)
#: Settings under which git starts no hook of the user's: neither a file, nor one of his settings,
#: which git knows since 2.54 and switches off by event since 2.55. The events are those that moving
#: refs and filling an index raise; a push has an option of its own.
NO_HOOKS = (
    "core.hooksPath=/dev/null",
    "hook.reference-transaction.enabled=false",
    "hook.post-index-change.enabled=false",
)
_KEPT = frozenset(("GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"))
# How pathspecs, diffs and prompts behave is for us to say, not for the caller's shell.
_OURS = frozenset(
    (
        "GIT_LITERAL_PATHSPECS",
        "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_EXTERNAL_DIFF",
        "GIT_DIFF_OPTS",
        "LANGUAGE",
        "LC_ALL",
        "LC_MESSAGES",
    )
)
_FIXED = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "LC_MESSAGES": "C",
}
# LC_ALL is dealt out to these, so that messages can be C and all else stays as it is for the user:
# a clean filter that sorts must give what it gives under his own `git add`.
_CATEGORIES = ("LC_COLLATE", "LC_CTYPE", "LC_MONETARY", "LC_NUMERIC", "LC_TIME")


def inherited(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment to find a repository with.

    It is the caller's, which may name the repository, but git neither asks nor translates.
    """
    kept = {name: value for name, value in environ.items() if name not in _OURS}
    if environ.get("LC_ALL"):
        kept |= dict.fromkeys(_CATEGORIES, environ["LC_ALL"])
    return kept | _FIXED


def scrubbed(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for children: nothing that aims git elsewhere, asks or translates."""
    return {
        name: value
        for name, value in inherited(environ).items()
        if name not in LOCAL_VARIABLES or name in _KEPT
    }


def of_hook(environ: Mapping[str, str], top: str) -> dict[str, str]:
    """Return what makes a child see the index and object directories a hook was given.

    Git means a relative index by the top of the work tree.
    """
    kept = {}
    for name in ("GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH"):
        if environ.get(name):
            kept[name] = os.path.join(top, environ[name])
    if environ.get("GIT_ALTERNATE_OBJECT_DIRECTORIES"):
        kept["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = environ["GIT_ALTERNATE_OBJECT_DIRECTORIES"]
    return kept
