"""Signatures on commits, made and judged by git with git's own configuration.

``gpg.format``, ``user.signingKey`` and the programs that git names do the work; whom to believe is
said by ``gpg.ssh.allowedSignersFile`` and the keyring of GnuPG. Nobody is ever asked for anything:
a key that is locked does not sign.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from git_knowl.errors import KnowlError
from git_knowl.model.light import dataclass
from git_knowl.plumbing import allowed
from git_knowl.plumbing import config as config_of
from git_knowl.plumbing.encoding import decode_commit
from git_knowl.plumbing.process import GitTimeout

if TYPE_CHECKING:
    from git_knowl.plumbing.process import Finished
    from git_knowl.plumbing.repository import Repository

#: A key in hardware waits for a finger; the lock of the store is held meanwhile.
SIGN_SECONDS = 20.0
#: So many commits are judged by one git, which starts a program for each that is signed.
BATCH = 200
_BATCH_SECONDS = 300.0

NONE = "none"
GOOD = "good"
UNKNOWN_KEY = "unknown key"
NO_SIGNERS = "no signers"
EXPIRED = "expired"
REVOKED = "revoked"
BAD = "bad"
UNCHECKED = "unchecked"
#: Git's letters for what it found (`git help log`, %G?).
_STATES = {
    "N": NONE,
    "G": GOOD,
    "U": UNKNOWN_KEY,
    "X": EXPIRED,
    "Y": EXPIRED,
    "R": REVOKED,
    "B": BAD,
    "E": UNCHECKED,
}
STATES = (NONE, GOOD, UNKNOWN_KEY, NO_SIGNERS, EXPIRED, REVOKED, BAD, UNCHECKED)
#: What the print of an SSH key begins with.
_SSH_PRINT = "SHA256:"
_FIELDS = ("%H", "%G?", "%GS", "%GF")
_LOG = (
    "log",
    "--no-walk=unsorted",
    "--stdin",
    "-z",
    "--no-show-signature",
    "--no-color",
    f"--format=tformat:{'%x00'.join(_FIELDS)}",
)
#: No window, no dialogue: what a program would ask with is out of its reach.
_NO_QUESTIONS = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "GIT_NO_LAZY_FETCH": "1"}
# A commit is judged as it was signed, not as something else that stands for it in this clone.
_AS_SIGNED = {**_NO_QUESTIONS, "GIT_NO_REPLACE_OBJECTS": "1"}
_GPG_FLAGS = "--batch --no-tty --pinentry-mode error --no-auto-key-retrieve"
_LOCKED = ("passphrase", "pinentry", "Inappropriate ioctl", "agent refused", "failed to sign")
#: What stands before the words of a program on a line: git's mark, and a question to nobody.
_PROMPT = re.compile(r"^\s*(?:(?:error|fatal): )?(?:Enter passphrase(?: for [^:]*)?:\s*)*")
_HINT = (
    "nobody is asked for a passphrase here: unlock the key ('ssh-add', or sign something with gpg)"
    " and repeat; 'git config knowl.sign false' writes without signatures"
)
NO_KEY_HINT = (
    "git says with which key to sign: gpg.format and user.signingKey;"
    " 'git config knowl.sign false' writes without signatures"
)


class SigningError(KnowlError):
    """A commit that was to be signed and could not be."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What git says of the signature of a commit: its state, whose it is, and the key's print."""

    state: str
    signer: str
    key: str


def commit_signed(repo: Repository, commit: bytes, *, fsync: bool = False) -> str:
    """Store a commit with a signature on it and return its id; its tree and parents are there.

    Raises SigningError, with nothing stored, when git cannot sign by itself.
    """
    parts = decode_commit(commit)
    argv = ["commit-tree", "-S", parts.tree]
    for parent in parts.parents:
        argv += ("-p", parent)
    env = {**_NO_QUESTIONS, **_person("AUTHOR", parts.author)}
    env |= _person("COMMITTER", parts.committer)
    config = ["i18n.commitEncoding=UTF-8"]
    config += ["core.fsync=loose-object"] if fsync else []
    message = parts.message.encode("utf-8", "surrogateescape")
    with _programs(repo) as programs:
        settings = (*config, *programs)
        try:
            done = repo.run(*argv, stdin=message, env=env, config=settings, timeout=SIGN_SECONDS)
        except GitTimeout as error:
            raise SigningError(f"the commit was not signed: {error.message}", _HINT) from error
    if done.code:
        raise _failure(done)
    return done.out.decode("ascii").strip()


def why_unable(repo: Repository) -> str | None:
    """Return why git cannot sign, as far as its configuration tells; nothing is signed."""
    settings = allowed.read_settings(repo)
    key = config_of.get(repo, "user.signingKey") or ""
    if settings.get("gpg.format") == "ssh":
        if not key and not settings.get("gpg.ssh.defaultkeycommand"):
            return "git is told no key (user.signingKey)"
        return _missing_key_file(repo, key)
    program = settings.get("gpg.openpgp.program") or settings.get("gpg.program") or "gpg"
    if shutil.which(program, path=repo.variable("PATH")) is None:
        return f"there is no program '{program}'"
    if os.path.basename(program).startswith("gpg") and not allowed.has_keyring(repo):
        return "GnuPG has no key here, and gpg.format asks for no other kind"
    return None


def _missing_key_file(repo: Repository, key: str) -> str | None:
    """Return that the file of a key is not there; a key may be spelled out instead."""
    if not key.startswith(("/", "~/")):
        return None
    home = repo.variable("HOME") or ""
    path = os.path.join(home, key[2:]) if key.startswith("~/") else key
    return None if os.path.exists(path) else f"there is no file '{key}' (user.signingKey)"


def verify(repo: Repository, commits: Sequence[str]) -> dict[str, Signature]:
    """Return what git says of the signatures of commits, BATCH of them at most in reason.

    Unsigned commits cost next to nothing, signed ones a program each.
    """
    asked = "".join(f"{oid}\n" for oid in commits).encode("ascii")
    nobody = _signers(repo)
    with _programs(repo) as programs:
        settings = (*programs, *nobody)
        out = repo.git(*_LOG, stdin=asked, env=_AS_SIGNED, config=settings, timeout=_BATCH_SECONDS)
    return {
        oid: Signature(NO_SIGNERS, one.signer, one.key) if nobody and _is_ssh(one) else one
        for oid, one in _signatures(out)
    }


def _is_ssh(one: Signature) -> bool:
    """Tell whether a signature is by an SSH key that nobody knows."""
    return one.state == UNKNOWN_KEY and one.key.startswith(_SSH_PRINT)


def _signatures(out: bytes) -> Iterator[tuple[str, Signature]]:
    fields = out.decode("utf-8", "replace").split("\0")
    for start in range(0, len(fields) - 1, len(_FIELDS)):
        oid, letter, signer, key = fields[start : start + len(_FIELDS)]
        yield oid.strip(), Signature(_STATES.get(letter, UNCHECKED), signer, key)


def _signers(repo: Repository) -> tuple[str, ...]:
    """Return a setting for where no signer is allowed, so that git says so of each commit."""
    named = allowed.read_settings(repo).get(allowed.SIGNERS)
    top = repo.work_tree or repo.git_dir
    if named and os.path.exists(os.path.join(top, named)):
        return ()
    return ("gpg.ssh.allowedSignersFile=/dev/null",)


@contextmanager
def _programs(repo: Repository) -> Iterator[tuple[str, ...]]:
    """Give settings under which GnuPG neither asks nor reaches for the network.

    Git hands it no options of ours, so a small program in between does; a program of the user's
    that is called otherwise is left as it is.
    """
    settings = allowed.read_settings(repo)
    named = settings.get("gpg.openpgp.program") or settings.get("gpg.program") or "gpg"
    if not os.path.basename(named).startswith("gpg"):
        yield ()
        return
    folder = tempfile.mkdtemp(prefix="git-knowl-")
    path = os.path.join(folder, "gpg")
    try:
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(f'#!/bin/sh\nexec {shlex.quote(named)} {_GPG_FLAGS} "$@"\n')
        os.chmod(path, 0o700)
        yield (f"gpg.program={path}", f"gpg.openpgp.program={path}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _person(role: str, ident: str) -> dict[str, str]:
    """Return an identity as git takes it from the environment."""
    who, seconds, zone = ident.rsplit(" ", 2)
    name, _, mail = who.rpartition(" <")
    return {
        f"GIT_{role}_NAME": name,
        f"GIT_{role}_EMAIL": mail.removesuffix(">"),
        f"GIT_{role}_DATE": f"@{seconds} {zone}",
    }


def _failure(done: Finished) -> SigningError:
    """Return what went wrong in the words of the program that was to sign."""
    lines = (_PROMPT.sub("", line) for line in done.err.decode("utf-8", "replace").splitlines())
    told = [line.strip() for line in lines if line.strip()]
    said = next(iter(told), f"git ended with status {done.code}")
    is_locked = any(word in line for line in told for word in _LOCKED)
    return SigningError(f"the commit was not signed: {said}", _HINT if is_locked else NO_KEY_HINT)
