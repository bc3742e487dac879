"""Repositories of every kind, each with the same two files, for what must hold in all of them.

Each kind is made by a function that takes an empty folder and returns where a user stands in it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.builders import START_FILES, RepoBuilder
from tests.support.cli import Knowl
from tests.support.contexts import capture_item
from tests.support.denied import Denied, prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CART = "lib/cart.ts"
HUB = "hub"
NEWER_GIT = "PYTEST_NEWER_GIT"
#: A user who is not the one that runs the tests; the number need not have a name.
STRANGER = 12345
LOCAL_FILES = ("-c", "protocol.file.allow=always")


@dataclass(frozen=True)
class Place:
    """Where a user stands: the folder, the environment, and the command line there.

    ``path`` is the file that flags and entries are about, ``name`` the one to propose it under.
    """

    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    path: str = CART
    name: str = "cart"
    denied: bool = False

    @property
    def knowl(self) -> Knowl:
        """The command line, standing there."""
        return Denied(self.cwd, self.env) if self.denied else Knowl(self.cwd, self.env)

    @property
    def repo(self) -> RepoBuilder:
        """The repository there, for git commands."""
        return RepoBuilder(self.cwd)


@dataclass(frozen=True)
class Kind:
    """How a kind of repository is made, and what is otherwise there than in an ordinary one.

    ``refused`` maps a verb, or ``*`` for every one, to words of the refusal; ``found`` are checks
    of the doctor that speak up; ``is_live`` tells whether an entry is live in the end; ``can``
    whether it can be made on this machine.
    """

    make: Callable[[Path], Place]
    refused: Mapping[str, str] = field(default_factory=dict)
    found: frozenset[str] = frozenset()
    is_live: bool = True
    can: Callable[[], bool] = lambda: True


def newer_path(folder: Path) -> dict[str, str]:
    """Return the environment in which the newer git is the one that is found."""
    (folder / "newer").mkdir()
    (folder / "newer" / "git").symlink_to(os.environ[NEWER_GIT])
    return {"PATH": os.pathsep.join([str(folder / "newer"), os.environ["PATH"]])}


def has_newer() -> bool:
    """Tell whether a newer git than the installed one was named."""
    return NEWER_GIT in os.environ


def add_hub(place: Place, folder: Path) -> None:
    """Give a repository an empty remote to share with."""
    env = dict(place.env)
    there = place.repo.git("rev-parse", "--show-object-format", env=env)
    hub = RepoBuilder.make(folder, there, bare=True, name=HUB)
    place.repo.git("remote", "add", HUB, str(hub.path), env=env)


def main(folder: Path) -> Place:
    return Place(RepoBuilder.start(folder).path)


def subfolder(folder: Path) -> Place:
    return Place(RepoBuilder.start(folder).path / "lib", path="cart.ts")


def odd_name(folder: Path) -> Place:
    return Place(RepoBuilder.start(folder, name='o\'d "$d" né\tme').path)


def linked(folder: Path) -> Place:
    return Place(RepoBuilder.start(folder).worktree("linked", "other").path)


def linked_of_bare(folder: Path) -> Place:
    return Place(RepoBuilder.start(folder, bare=True).worktree("linked", "other").path)


def bare(folder: Path) -> Place:
    return Place(RepoBuilder.start(folder, bare=True).path)


def submodule(folder: Path) -> Place:
    inner, outer = RepoBuilder.start(folder, name="inner"), RepoBuilder.start(folder, name="outer")
    outer.git(*LOCAL_FILES, "submodule", "--quiet", "add", str(inner.path), "part")
    outer.commit("submodule")
    return Place(outer.path / "part")


def sparse_cone(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.commit("more", {"docs/page.md": "a page\n"})
    repo.git("sparse-checkout", "set", "--cone", "docs")
    return Place(repo.path)


def sparse_patterns(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.git("sparse-checkout", "set", "--no-cone", "/conf.yml")
    return Place(repo.path)


def detached(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.git("checkout", "--quiet", "--detach")
    return Place(repo.path)


def unborn(folder: Path) -> Place:
    repo = RepoBuilder.make(folder)
    for path, text in START_FILES.items():
        repo.write(path, text)
    return Place(repo.path)


def orphan(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.git("checkout", "--quiet", "--orphan", "fresh")
    return Place(repo.path)


def shallow(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.commit("more", {"docs/page.md": "a page\n"})
    path = folder / "clone"
    repo.git("clone", "--quiet", "--depth", "1", f"file://{repo.path}", str(path))
    return Place(path)


def partial_offline(folder: Path) -> Place:
    """Make a clone that fetches blobs when they are needed, and take away where from."""
    repo = RepoBuilder.start(folder)
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit("more", {"docs/page.md": "a page\n"})
    path = folder / "clone"
    repo.git("clone", "--quiet", "--filter=blob:none", f"file://{repo.path}", str(path))
    shutil.rmtree(repo.path)
    return Place(path)


def sha256(folder: Path) -> Place:
    return Place(RepoBuilder.start(folder, "sha256").path)


def reftable(folder: Path) -> Place:
    env = newer_path(folder)
    repo = RepoBuilder(folder / "repo")
    repo.path.mkdir()
    newer(repo, env, ["init", "--quiet", "--ref-format=reftable"])
    for path, text in START_FILES.items():
        repo.write(path, text)
    newer(repo, env, ["add", "."])
    newer(repo, env, ["commit", "--quiet", "-m", "start"])
    return Place(repo.path, env)


def relative_worktree(folder: Path) -> Place:
    env = newer_path(folder)
    repo = RepoBuilder.start(folder)
    args = ["worktree", "add", "--quiet", "--relative-paths", "-b", "other", "../linked"]
    newer(repo, env, args)
    return Place(folder / "linked", env)


def newer(repo: RepoBuilder, env: Mapping[str, str], args: list[str]) -> None:
    """Run the newer git."""
    subprocess.run(["git", *args], cwd=repo.path, env={**os.environ, **env}, check=True)


def extension_of_git(folder: Path) -> Place:
    """Use an extension that git knows and libgit2 does not."""
    repo = RepoBuilder.start(folder)
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.preciousObjects", "true")
    return Place(repo.path)


def extension_of_nobody(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.fromTheFuture", "true")
    return Place(repo.path)


def of_a_stranger(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    for path in (repo.path, *repo.path.rglob("*")):
        os.chown(path, STRANGER, STRANGER, follow_symlinks=False)
    return Place(repo.path)


def of_a_trusted_stranger(folder: Path) -> Place:
    told = {"COUNT": "1", "KEY_0": "safe.directory", "VALUE_0": "*"}
    env = {f"GIT_CONFIG_{name}": value for name, value in told.items()}
    return Place(of_a_stranger(folder).cwd, env)


def alternates(folder: Path) -> Place:
    return Place(RepoBuilder.start(folder).clone("clone", "--shared").path)


def read_only(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    add_hub(Place(repo.path), folder)
    knowl = Knowl(repo.path)
    for name in ("cart", "waiting"):
        items = {"items": [capture_item(name, body="The cart doubles prices. Why: pairs.")]}
        (draft,) = knowl.json("capture", "--submit", "-", stdin=json.dumps(items))["drafts"]
        if name == "cart":
            knowl.ok("review", "--accept", draft, "--reviewer", "Ada <ada@example.org>")
    for path in (repo.path, *repo.path.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    return Place(repo.path, name="another", denied=True)


def folding_case(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.git("config", "core.ignoreCase", "true")
    return Place(repo.path)


def composed(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.commit("more", {"lib/caf\u00e9.ts": "1\n"})
    return Place(repo.path, path="lib/caf\u00e9.ts")


def decomposed(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.git("config", "core.precomposeUnicode", "true")
    repo.commit("more", {"lib/cafe\u0301.ts": "1\n"})
    return Place(repo.path, path="lib/cafe\u0301.ts")


def no_utf8(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    path = os.fsdecode(b"lib/caf\xe9.ts")
    repo.commit("more", {path: "1\n"})
    return Place(repo.path, path=path)


def exported(folder: Path) -> Place:
    """Stand in a home folder whose files a bare repository elsewhere keeps."""
    repo = RepoBuilder.start(folder)
    shutil.move(repo.path / ".git", folder / "dots")
    env = {"GIT_DIR": str(folder / "dots"), "GIT_WORK_TREE": str(repo.path)}
    return Place(repo.path, env)


def separate(folder: Path) -> Place:
    repo = RepoBuilder.start(folder)
    repo.git("init", "--quiet", "--separate-git-dir", str(folder / "elsewhere"))
    return Place(repo.path)


def is_root() -> bool:
    """Tell whether files can be given away."""
    return os.geteuid() == 0


def keeps_bytes() -> bool:
    """Tell whether the file system takes names that are no UTF-8."""
    return os.name == "posix" and os.uname().sysname == "Linux"


WRITING = ("flag", "submit", "review", "hooks", "sync")

KINDS: dict[str, Kind] = {
    "main": Kind(main),
    "subfolder": Kind(subfolder),
    "odd name": Kind(odd_name),
    "linked": Kind(linked),
    "linked of bare": Kind(linked_of_bare),
    "bare": Kind(bare, {"hooks": "this needs a work tree"}),
    "submodule": Kind(submodule),
    "sparse, cone": Kind(sparse_cone),
    "sparse, patterns": Kind(sparse_patterns),
    "detached": Kind(detached),
    "unborn": Kind(unborn),
    "orphan": Kind(orphan),
    "shallow": Kind(shallow),
    "partial, offline": Kind(partial_offline),
    "sha256": Kind(sha256),
    "reftable": Kind(reftable, can=has_newer),
    "relative worktree": Kind(relative_worktree, can=has_newer),
    "an extension of git": Kind(extension_of_git),
    "an extension of nobody": Kind(
        extension_of_nobody, {"*": "unknown repository extension"}, is_live=False
    ),
    "of a stranger": Kind(of_a_stranger, {"*": "dubious ownership"}, is_live=False, can=is_root),
    "of a trusted stranger": Kind(of_a_trusted_stranger, can=is_root),
    "alternates": Kind(alternates),
    "read-only": Kind(
        read_only,
        dict.fromkeys(WRITING, "cannot"),
        frozenset({"folder", "owner", "cache"}),
        can=lambda: prefix() is not None,
    ),
    "folding case": Kind(folding_case, found=frozenset({"names"})),
    "composed letters": Kind(composed),
    "decomposed letters": Kind(decomposed, found=frozenset({"names"})),
    "no UTF-8": Kind(
        no_utf8,
        {"submit": "expected UTF-8, got the byte 0xe9", "review": "no draft has the id"},
        is_live=False,
        can=keeps_bytes,
    ),
    "exported": Kind(exported),
    "separate": Kind(separate),
}
