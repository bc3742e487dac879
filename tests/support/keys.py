"""Keys that sign, made for one test, and who is allowed to sign with them."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import RepoBuilder

needs_ssh = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed")
needs_gpg = pytest.mark.skipif(not shutil.which("gpg"), reason="gpg is not installed")


def ssh_key(folder: Path, name: str, passphrase: str = "") -> Path:
    """Return a fresh private key; the public one lies beside it."""
    path = folder / f"{name}.key"
    _run("ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", str(path))
    return path


def sign_with(repo: RepoBuilder, key: Path) -> None:
    """Have this clone sign commits of the store with an SSH key."""
    repo.git("config", "knowl.sign", "true")
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingKey", str(key))


def allow(repo: RepoBuilder, *keys: Path, options: str = "") -> Path:
    """Have this clone take the signatures of SSH keys, each as ``NAME@example.org``."""
    path = repo.path.parent / f"{repo.path.name}.signers"
    lines = [f"{key.stem}@example.org {options} {public(key)}".split() for key in keys]
    path.write_text("".join(f"{' '.join(line)}\n" for line in lines))
    repo.git("config", "gpg.ssh.allowedSignersFile", str(path))
    return path


def public(key: Path) -> str:
    """Return the public half of an SSH key."""
    return Path(f"{key}.pub").read_text().strip()


@contextmanager
def keyring() -> Iterator[Path]:
    """Give a place for a keyring of GnuPG: its sockets need a short path, wherever tests lie."""
    with TemporaryDirectory(prefix="g", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
        forget_passphrases(Path(folder))


def gpg_key(home: Path, person: str, passphrase: str = "") -> None:
    """Make a key in a keyring of GnuPG, which is made too; its owner is trusted."""
    home.mkdir(mode=0o700, exist_ok=True)
    made = ("--pinentry-mode", "loopback", "--passphrase", passphrase)
    _run("gpg", "--batch", *made, "--quick-gen-key", person, "ed25519", "sign", home=home)


def forget_passphrases(home: Path) -> None:
    """End the agent of a keyring, which remembers what was typed."""
    _run("gpgconf", "--kill", "gpg-agent", home=home)


def _run(*argv: str, home: Path | None = None) -> None:
    env = {**os.environ, **({"GNUPGHOME": str(home)} if home else {})}
    subprocess.run(argv, check=True, capture_output=True, env=env, stdin=subprocess.DEVNULL)
