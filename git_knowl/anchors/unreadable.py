"""What a verdict says where git could not read what it needs, as in a partial clone offline."""

from git_knowl.model.verdict import Verdict
from git_knowl.plumbing.config import is_partial
from git_knowl.plumbing.objects import ObjectError
from git_knowl.plumbing.process import GitError
from git_knowl.plumbing.repository import Repository

#: What git, or a missing or damaged object, raises.
UNREADABLE = (GitError, ObjectError)
_WORDS = "git could not read what this rests on"


def why(repo: Repository, error: GitError | ObjectError) -> str:
    """Return why nobody can tell, with the remedy where a remote has what is missing."""
    words = f"{_WORDS}: {error.message}"
    if not is_partial(repo):
        return words
    return f"{words}; this partial clone left it with its remote, ask again when that is reached"


def is_passing(verdict: Verdict) -> bool:
    """Tell whether a verdict may be another one at the next question, nothing here having moved."""
    return any((one.reason or "").startswith(_WORDS) for one in verdict.anchors)
