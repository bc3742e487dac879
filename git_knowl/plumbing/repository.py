"""The repository, found once with the inherited environment and named explicitly ever after."""

from __future__ import annotations

import os

from git_knowl.errors import KnowlError
from git_knowl.plumbing import environment, process
from git_knowl.plumbing.process import Conversation, Finished, GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_QUESTIONS = (
    "--is-bare-repository",
    "--show-object-format",
    "--path-format=absolute",
    "--git-dir",
    "--git-common-dir",
    "--show-prefix",
    "--show-toplevel",
)
# Answered with two lines more; with none on an unborn branch, or where there is no work tree.
_HEAD_QUESTIONS = ("--revs-only", "HEAD", "--symbolic-full-name", "HEAD")
# Only these ask a file system monitor; the question whether it may run is spared to all others.
_BELOW_TOP = "name a file or folder of this repository, as seen from the current folder"
_REFRESHING = frozenset(("diff-files", "diff-index"))
_ZERO_LENGTH = {"sha1": 40, "sha256": 64}


class NotARepository(KnowlError):
    """There is no repository here that may be used."""


class UntrustedRepository(NotARepository):
    """Git refuses the repository because somebody else owns it."""


class NeedsWorkTree(KnowlError):
    """A question about working files, asked where there are none."""


class PathError(KnowlError):
    """A path that does not name something inside the work tree."""


class Repository:
    """Where a repository's parts are, and git aimed at exactly that repository.

    ``work_tree`` is None in a bare repository; ``prefix`` is the caller's folder from the top,
    empty or ending in a slash. ``head`` is HEAD as it was found: the commit and the full name of
    the branch (or ``HEAD``), None where git could not say in the same call; `refs.checked_out`
    asks again. ``hook_env`` holds the index and object directories a hook was given; pass it as
    ``env`` to see what is staged. ``notices`` collects what a person must be told although the work
    went on; whoever owns the terminal shows it.
    """

    __slots__ = (
        "_base_env",
        "_monitor",
        "common_dir",
        "git_dir",
        "head",
        "hook_env",
        "is_bare",
        "notices",
        "object_format",
        "prefix",
        "work_tree",
    )

    def __init__(
        self,
        git_dir: str,
        common_dir: str,
        work_tree: str | None,
        *,
        object_format: str,
        prefix: str = "",
        environ: Mapping[str, str],
    ) -> None:
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.work_tree = work_tree
        self.object_format = object_format
        self.is_bare = work_tree is None
        self.prefix = prefix
        self.head: tuple[str, str] | None = None
        self.notices: list[str] = []
        self._base_env = environment.scrubbed(environ)
        self._monitor: str | None = None
        self.hook_env = environment.of_hook(environ, work_tree or git_dir)

    def seen_from(self, git_dir: str, work_tree: str | None) -> Repository:
        """Return the same repository as another of its worktrees sees it."""
        return Repository(
            git_dir,
            self.common_dir,
            work_tree,
            object_format=self.object_format,
            environ=self._base_env,
        )

    def with_objects(self, env: dict[str, str]) -> Repository:
        """Return the same repository, whose children find and leave objects where ``env`` says."""
        made = self.seen_from(self.git_dir, self.work_tree)
        made._base_env |= env  # noqa: SLF001 - one of the same kind
        return made

    def other(self, path: str) -> Repository:
        """Return the bare repository at an absolute path, or below the home folder as ``~/…``.

        Raises NotARepository for anything else there.
        """
        home = self._base_env.get("HOME", "")
        place = os.path.join(home, path[2:]) if path.startswith("~/") else path
        if not os.path.isdir(place):
            raise NotARepository(f"there is no folder '{place}'", "name one that is there")
        found = discover(place, {**self._base_env, "GIT_DIR": place})
        if not found.is_bare:
            raise NotARepository(f"'{place}' has a work tree", "name a bare repository")
        return found

    @property
    def zero_id(self) -> str:
        """The id that stands for no object, as long as the repository's ids are."""
        return "0" * _ZERO_LENGTH[self.object_format]

    def git(
        self,
        *args: str,
        stdin: bytes = b"",
        ok: tuple[int, ...] = (0,),
        timeout: float = 60.0,
        literal: bool = True,
        env: dict[str, str] | None = None,
        config: tuple[str, ...] = (),
    ) -> bytes:
        """Run git here and return its output; raise GitError for a status that is not in ``ok``.

        Pathspecs are taken literally unless ``literal`` is false; ``env`` comes on top of the
        scrubbed environment and ``config`` holds ``key=value`` settings for this call.
        """
        done = self.run(
            *args, stdin=stdin, timeout=timeout, literal=literal, env=env, config=config
        )
        if done.code not in ok:
            raise GitError(["git", *args], done.code, done.err.decode("utf-8", "replace"))
        return done.out

    def run(
        self,
        *args: str,
        stdin: bytes = b"",
        timeout: float = 60.0,
        literal: bool = True,
        env: dict[str, str] | None = None,
        config: tuple[str, ...] = (),
    ) -> Finished:
        """Run git here and return whatever came of it; only a missed deadline raises."""
        return process.run(self._argv(args, config), self._env(literal, env), stdin, timeout)

    def converse(
        self,
        *args: str,
        env: dict[str, str] | None = None,
        timeout: float = 60.0,
        config: tuple[str, ...] = (),
    ) -> Conversation:
        """Start a git that answers questions one by one."""
        return Conversation(self._argv(args, config), self._env(True, env), timeout)  # noqa: FBT003

    def variable(self, name: str) -> str | None:
        """Return a variable of the environment that children get, None for an empty one."""
        return self._base_env.get(name) or None

    def shared_path(self, *parts: str) -> str:
        """Return a path in our folder of the common directory, which all worktrees see."""
        return os.path.join(self.common_dir, "common", "knowl", *parts)

    def worktree_path(self, *parts: str) -> str:
        """Return a path in our folder of this worktree alone."""
        return os.path.join(self.git_dir, "knowl", *parts)

    def require_work_tree(self) -> str:
        """Return the top of the work tree; raise NeedsWorkTree in a bare repository."""
        if self.work_tree is None:
            raise NeedsWorkTree(
                f"this needs a work tree, and '{self.git_dir}' is a bare repository",
                "run it in one of the worktrees ('git worktree list' shows them)",
            )
        return self.work_tree

    def relative(self, path: str, cwd: str) -> str:
        """Return a path given in ``cwd`` as a path from the top; the top itself is ``""``.

        Raises PathError for a path outside the work tree, inside the git directory, or reached
        through a symbolic link. In a bare repository paths are from the top already.
        """
        if "\0" in path or not path:
            raise PathError("a path must not be empty or contain a NUL byte", _BELOW_TOP)
        found = self._below_top(path, cwd)
        if any(part.lower() == ".git" for part in found.split("/")):
            raise PathError(f"'{path}' is inside a git directory", "name a file of the project")
        return found

    def _below_top(self, path: str, cwd: str) -> str:
        top = self.work_tree
        if top is None:
            return _plain_path(path)
        full = os.path.normpath(os.path.join(os.path.realpath(cwd), path))
        below = _cut_top(full, top)
        if below is None:
            raise PathError(f"'{path}' is outside the work tree '{top}'", _BELOW_TOP)
        link = linked_parent(top, below)
        if link:
            raise PathError(
                f"'{path}' leads through the symbolic link '{link}'", "name the file it points to"
            )
        return below

    def _argv(self, args: tuple[str, ...], config: tuple[str, ...]) -> list[str]:
        is_refreshing = args[0] in _REFRESHING and "--cached" not in args
        monitor = self._fsmonitor() if is_refreshing else "false"
        argv = [*self._aimed(), "-c", f"core.fsmonitor={monitor}"]
        for setting in config:
            argv += ("-c", setting)
        return [*argv, *args]

    def _aimed(self) -> list[str]:
        top = self.work_tree
        argv = ["git", "-C", self.git_dir if top is None else top, f"--git-dir={self.git_dir}"]
        if top is not None:
            argv.append(f"--work-tree={top}")
        return [*argv, "-c", "safe.bareRepository=explicit"]

    def _env(self, literal: bool, extra: dict[str, str] | None) -> dict[str, str]:  # noqa: FBT001
        env = dict(self._base_env)
        if literal:
            env["GIT_LITERAL_PATHSPECS"] = "1"
        if extra:
            env.update(extra)
        return env

    def _fsmonitor(self) -> str:
        """Let git's own daemon (``core.fsmonitor=true``) help, but never start a hook program."""
        if self._monitor is None:
            asked = [*self._aimed(), "config", "--type=bool", "--get", "core.fsmonitor"]
            answer = process.run(asked, self._base_env).out.strip()
            self._monitor = "true" if answer == b"true" else "false"
        return self._monitor


def discover(cwd: str, environ: Mapping[str, str]) -> Repository:
    """Find the repository of a folder the way git does, with one call.

    ``environ`` is the environment as inherited: in a hook or under a dotfile manager it names the
    repository. Raises NotARepository (UntrustedRepository when git refuses the owner).
    """
    argv = ["git", "-C", cwd, "rev-parse", *_QUESTIONS, *_HEAD_QUESTIONS]
    done = process.run(argv, environment.inherited(environ))
    lines, head = _split_head(os.fsdecode(done.out).splitlines())
    if len(lines) < len(_QUESTIONS) - 2:
        raise _refusal(cwd, done.err.decode("utf-8", "replace"))
    if len(lines) >= len(_QUESTIONS):
        raise NotARepository(
            f"a line break in the path of the repository around '{cwd}'",
            "give the folder another name",
        )
    bare, object_format, git_dir, common_dir, prefix, *top = lines
    work_tree = None if bare == "true" else _work_tree(cwd, git_dir, top)
    if work_tree is not None and git_dir != common_dir and "GIT_DIR" in environ:
        work_tree, prefix = _of_linked_worktree(cwd, git_dir, environ, (work_tree, prefix))
    found = Repository(
        git_dir,
        common_dir,
        work_tree,
        object_format=object_format,
        prefix=prefix,
        environ=environ,
    )
    found.head = head
    return found


def _split_head(lines: list[str]) -> tuple[list[str], tuple[str, str] | None]:
    """Return the answers without those about HEAD, and these: the commit and the full name."""
    commit, name = ("", "", *lines)[-2:]
    is_commit = len(commit) in _ZERO_LENGTH.values() and not commit.strip("0123456789abcdef")
    if is_commit and (name == "HEAD" or name.startswith("refs/")):
        return lines[:-2], (commit, name)
    return lines, None


def linked_parent(top: str, path: str) -> str | None:
    """Return the first folder on the way to a path that is a symbolic link, or None."""
    parts = path.split("/")[:-1]
    for count in range(1, len(parts) + 1):
        parent = "/".join(parts[:count])
        if os.path.islink(os.path.join(top, parent)):
            return parent
    return None


def _work_tree(cwd: str, git_dir: str, top: list[str]) -> str:
    # In a hook of a push git takes the git directory, where it stands, for a work tree.
    if not top or _cut_top(top[0], git_dir) is not None:
        raise NotARepository(
            f"no work tree belongs to '{cwd}': it is inside the git directory '{git_dir}'",
            "go to the work tree and try again",
        )
    return top[0]


def _of_linked_worktree(
    cwd: str, git_dir: str, environ: Mapping[str, str], answer: tuple[str, str]
) -> tuple[str, str]:
    """Correct the top when a hook of a linked worktree changed into a subfolder.

    Git exports GIT_DIR there and then takes any current folder for the top of the work tree.
    """
    if "GIT_WORK_TREE" in environ:
        return answer
    try:
        with open(os.path.join(git_dir, "gitdir"), "rb") as file:
            top = os.path.dirname(os.path.join(git_dir, os.fsdecode(file.read()).rstrip("\n")))
    except OSError:
        return answer
    below = _cut_top(os.path.realpath(cwd), os.path.realpath(top))
    if below is None:
        return answer
    return os.path.realpath(top), f"{below}/" if below else ""


def _refusal(cwd: str, stderr: str) -> NotARepository:
    words = stderr.strip().removeprefix("fatal: ").splitlines() or ["git gave no answer"]
    if "dubious ownership" in words[0]:
        return UntrustedRepository(
            f"git refuses this repository: {words[0]}",
            "if you trust its owner, add it to 'safe.directory' in your own git configuration",
        )
    return NotARepository(f"no usable git repository at '{cwd}': {words[0]}", "run it in a clone")


def _plain_path(path: str) -> str:
    plain = os.path.normpath(path)
    if plain.startswith(("/", "../")) or plain == "..":
        raise PathError(f"'{path}' is outside the repository", _BELOW_TOP)
    return "" if plain == "." else plain


def _cut_top(full: str, top: str) -> str | None:
    """Return what follows the top in a path; ancestors may be spelled through links."""
    if full == top or full.startswith(top.rstrip("/") + "/"):
        return full[len(top.rstrip("/")) + 1 :]
    rest = ""
    while full != os.path.dirname(full):
        if os.path.realpath(full) == top:
            return rest
        full, name = os.path.split(full)
        rest = f"{name}/{rest}" if rest else name
    return None
