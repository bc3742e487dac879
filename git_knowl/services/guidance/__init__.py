"""The texts that tell an agent how to flag, write and tend entries; one Markdown file a topic."""

from importlib import resources

from git_knowl.errors import KnowlError

_SUFFIX = ".md"
_FOLDER = resources.files(__name__)


class GuidanceError(KnowlError):
    """A topic nobody has written about."""


def names() -> tuple[str, ...]:
    """Return the topics in alphabetical order."""
    files = (item.name for item in _FOLDER.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)))


def text(name: str) -> str:
    """Return the guidance on a topic as Markdown; raise GuidanceError when there is none."""
    if name not in names():
        raise GuidanceError(
            f"guidance: expected one of {', '.join(names())}, got '{name}'",
            "'git knowl guide' lists the topics",
        )
    return _FOLDER.joinpath(name + _SUFFIX).read_text(encoding="utf-8")
