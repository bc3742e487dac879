"""Commits signed and judged by git with its own configuration, and nobody ever asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from git_knowl.plumbing import allowed, signing
from git_knowl.plumbing.objects import encode_commit
from git_knowl.plumbing.signing import SigningError, commit_signed, verify
from tests.support.builders import RepoBuilder
from tests.support.keys import (
    allow,
    forget_passphrases,
    gpg_key,
    keyring,
    needs_gpg,
    needs_ssh,
    sign_with,
    ssh_key,
)

if TYPE_CHECKING:
    from pathlib import Path

ADA = "Ada <ada@example.org>"
MESSAGE = "capture cart\n\nKnowl-Op: add\nReviewed-by: Ada <ada@example.org>\n"


@pytest.fixture(params=["sha1", "sha256"])
def built(request, tmp_path) -> RepoBuilder:
    """Give a repository of each object format."""
    return RepoBuilder.start(tmp_path, request.param)


@pytest.fixture
def home(monkeypatch) -> Path:
    """Give a place for a keyring of GnuPG."""
    with keyring() as place:
        monkeypatch.setenv("GNUPGHOME", str(place))
        yield place


def unsigned(built: RepoBuilder, message: str = MESSAGE) -> bytes:
    """Return a commit on HEAD as the store builds it."""
    who = f"{ADA} 1796000000 +0000"
    tree, head = built.rev("HEAD^{tree}"), built.rev("HEAD")
    return encode_commit(tree, (head,), who, who, message)


def state(built: RepoBuilder, commit: str) -> str:
    return verify(built.open(), [commit])[commit].state


@needs_ssh
def test_a_signed_commit_is_the_same_but_for_its_signature(built, tmp_path):
    key = ssh_key(tmp_path, "ada")
    sign_with(built, key)
    oid = commit_signed(built.open(), unsigned(built))
    head, _, message = built.git("cat-file", "commit", oid).partition("\n\n")
    header = "gpgsig-sha256" if len(oid) == 64 else "gpgsig"

    kept = [line for line in head.split("\n") if not line.startswith((" ", header))]
    assert "\n".join([*kept, "", message]) == unsigned(built).decode().rstrip("\n")
    assert f"\n{header} -----BEGIN SSH SIGNATURE-----\n" in head
    allow(built, key)
    built.git("verify-commit", oid)
    found = verify(built.open(), [oid])[oid]
    assert (found.state, found.signer) == (signing.GOOD, "ada@example.org")
    assert found.key.startswith("SHA256:")


@needs_ssh
def test_a_changed_commit_does_not_keep_its_signature(repo, tmp_path):
    key = ssh_key(tmp_path, "ada")
    sign_with(repo, key)
    allow(repo, key)
    oid = commit_signed(repo.open(), unsigned(repo))
    forged = repo.git("cat-file", "commit", oid).replace("Reviewed-by: Ada", "Reviewed-by: Eve")
    other = repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=forged + "\n")

    assert state(repo, other) == signing.BAD


@needs_ssh
@pytest.mark.parametrize(
    ("signers", "told"),
    [
        ("nobody", signing.NO_SIGNERS),
        ("missing", signing.NO_SIGNERS),
        ("another", signing.UNKNOWN_KEY),
    ],
)
def test_a_key_that_is_not_allowed_is_unknown(repo, tmp_path, signers, told):
    sign_with(repo, ssh_key(tmp_path, "ada"))
    oid = commit_signed(repo.open(), unsigned(repo))
    if signers == "another":
        allow(repo, ssh_key(tmp_path, "bob"))
    elif signers == "missing":
        repo.git("config", "gpg.ssh.allowedSignersFile", str(tmp_path / "not-there"))

    assert state(repo, oid) == told


def test_a_commit_without_a_signature_has_none(repo):
    oid = repo.rev("HEAD")

    assert verify(repo.open(), [oid]) == {oid: signing.Signature(signing.NONE, "", "")}


@needs_ssh
@pytest.mark.parametrize("fault", ["passphrase", "missing key", "no key named", "no program"])
def test_a_key_that_cannot_sign_is_told_and_nobody_is_asked(repo, tmp_path, fault, monkeypatch):
    """Even a program to ask with, and a display to show it on, are left alone."""
    asker = tmp_path / "ask"
    asker.write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\necho secret\n")
    asker.chmod(0o755)
    for name, value in {"SSH_ASKPASS": str(asker), "DISPLAY": ":0"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    sign_with(repo, ssh_key(tmp_path, "ada", "secret" if fault == "passphrase" else ""))
    if fault == "missing key":
        repo.git("config", "user.signingKey", str(tmp_path / "not-there"))
    elif fault == "no key named":
        repo.git("config", "--unset", "user.signingKey")
    elif fault == "no program":
        repo.git("config", "gpg.ssh.program", str(tmp_path / "not-there"))
    before = repo.git("count-objects")

    with pytest.raises(SigningError, match=r"^the commit was not signed: ") as caught:
        commit_signed(repo.open(), unsigned(repo))

    assert "knowl.sign false" in caught.value.hint
    assert "Enter passphrase" not in caught.value.message
    assert ("ssh-add" in caught.value.hint) == (fault == "passphrase")
    assert not (tmp_path / "asked").exists()
    assert repo.git("count-objects") == before


@needs_ssh
def test_a_program_that_does_not_answer_is_given_up(repo, tmp_path, monkeypatch):
    sleeper = tmp_path / "sleeper"
    sleeper.write_text("#!/bin/sh\nsleep 60\n")
    sleeper.chmod(0o755)
    sign_with(repo, ssh_key(tmp_path, "ada"))
    repo.git("config", "gpg.ssh.program", str(sleeper))
    monkeypatch.setattr(signing, "SIGN_SECONDS", 0.3)

    with pytest.raises(SigningError, match="did not end within"):
        commit_signed(repo.open(), unsigned(repo))


@needs_gpg
def test_a_key_of_the_keyring_signs_and_is_believed(built, home):
    gpg_key(home, ADA)
    built.git("config", "user.signingKey", "ada@example.org")
    oid = commit_signed(built.open(), unsigned(built))

    found = verify(built.open(), [oid])[oid]
    assert (found.state, found.signer) == (signing.GOOD, ADA)


@needs_gpg
def test_a_locked_key_of_the_keyring_opens_no_dialogue(repo, home):
    gpg_key(home, ADA, "secret")
    forget_passphrases(home)
    repo.git("config", "user.signingKey", "ada@example.org")

    with pytest.raises(SigningError) as caught:
        commit_signed(repo.open(), unsigned(repo))

    assert "nobody is asked for a passphrase" in caught.value.hint


@needs_gpg
def test_a_key_that_is_not_in_the_keyring_cannot_be_checked(repo, home, monkeypatch):
    gpg_key(home, ADA)
    repo.git("config", "user.signingKey", "ada@example.org")
    oid = commit_signed(repo.open(), unsigned(repo))
    with keyring() as other:
        monkeypatch.setenv("GNUPGHOME", str(other))

        assert state(repo, oid) == signing.UNCHECKED


@needs_ssh
def test_the_allowed_keys_have_a_print_that_changes_with_them(repo, tmp_path):
    day = "2026-11-29"
    assert allowed.fingerprint(repo.open(), day) == ""

    signers = allow(repo, ssh_key(tmp_path, "ada"))
    first = allowed.fingerprint(repo.open(), day)
    signers.write_text("")
    second = allowed.fingerprint(repo.open(), day)
    repo.git("config", "gpg.ssh.revocationFile", "~/revoked")
    third = allowed.fingerprint(repo.open(), day)

    assert len({"", first, second, third}) == 4
    assert allowed.fingerprint(repo.open(), "2026-11-30") == third


@needs_gpg
def test_keys_of_a_keyring_are_asked_again_every_day(repo, home):
    gpg_key(home, ADA)
    days = {allowed.fingerprint(repo.open(), day) for day in ("2026-11-29", "2026-11-30")}

    assert len(days) == 2
