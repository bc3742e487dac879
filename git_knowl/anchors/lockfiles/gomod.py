"""go.mod: required versions as minimal version selection settled them, with replacements.

go.sum is no lockfile in this sense: it also lists versions that nothing uses.
"""

from collections.abc import Iterator

from git_knowl.anchors.lockfiles.listing import Found, Listing, LockfileError

_ARROW = "=>"


def scan(text: str) -> Listing:
    """Return every required module; one marked ``// indirect`` is not direct."""
    directives = list(_directives(text))
    own = {words[1] for words, _ in directives if words[0] == "module" and len(words) > 1}
    if not own:
        raise LockfileError("expected a module line, found none")
    replaced = dict(_replacement(words[1:]) for words, _ in directives if _ARROW in words)
    return Listing(
        [
            (words[1], _found(words[1], words[2], replaced, comment))
            for words, comment in directives
            if words[0] == "require" and len(words) == len(("require", "path", "version"))
        ],
        own=frozenset(own),
    )


def _directives(text: str) -> Iterator[tuple[list[str], str]]:
    """Yield the words and the comment of every directive, with a block's verb on each line."""
    verb = ""
    for line in text.split("\n"):
        code, _, comment = line.partition("//")
        words = [word.strip('"`') for word in code.split()]
        if words[1:] == ["("]:
            verb = words[0]
        elif words == [")"]:
            verb = ""
        elif words:
            yield ([verb, *words] if verb else words), comment


def _replacement(words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what is replaced (path, or path and version) and by what (path, or both)."""
    arrow = words.index(_ARROW)
    return tuple(words[:arrow]), tuple(words[arrow + 1 :])


def _found(
    path: str, version: str, replaced: dict[tuple[str, ...], tuple[str, ...]], comment: str
) -> Found:
    """Return a module as it is built: ``OTHER@VERSION`` or a folder where it is replaced."""
    target = replaced.get((path, version)) or replaced.get((path,)) or (path, version)
    used = "@".join(target[1:] if target[0] == path else target)
    return Found(used, direct=not comment.strip().startswith("indirect"))
