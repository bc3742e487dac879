"""yarn.lock of both lines of Yarn, told apart by their head."""

from git_knowl.anchors.lockfiles import yarn_berry, yarn_classic
from git_knowl.anchors.lockfiles.listing import Listing, LockfileError


def scan(text: str) -> Listing:
    """Return every package of a yarn.lock."""
    if "\n__metadata:\n" in "\n" + text:
        return yarn_berry.scan(text)
    if "# yarn lockfile v1" in text:
        return yarn_classic.scan(text)
    raise LockfileError("expected '# yarn lockfile v1' or '__metadata:' at the top, found neither")
