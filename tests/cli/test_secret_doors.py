"""Every door masks a secret before anything is stored: no object, file or row ever holds it."""

from __future__ import annotations

import json
import subprocess
import zlib
from typing import TYPE_CHECKING

import pytest

from git_knowl.model.entry import SHARED
from git_knowl.plumbing import refs
from tests.cli.test_live_entries import add, editor
from tests.support.caches import plant
from tests.support.cli import Knowl
from tests.support.contexts import capture_item
from tests.support.hooked import ok as git_ok
from tests.support.people import KIM
from tests.support.stores import entry, open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.builders import RepoBuilder

ENTRIES = refs.entries_ref(SHARED)
#: No part of it may be found, in whatever case a search index keeps words.
SECRET = "gh" + "p_" + "Zq7Xv2Kp9Lm4Rt6Bn8Wd3Hf5Jc1Gs0YaUeOi"
TOLD = f"it only works with {SECRET} in the header"
MASKED = "[REDACTED:GITHUB_TOKEN]"


def holders(repo: RepoBuilder) -> list[str]:
    """Return where in the git directory the secret stands: objects, loose files, tables."""
    git_dir = repo.path / ".git"
    found = [f"object {line}" for line in objects(repo)]
    files = (path for path in sorted(git_dir.rglob("*")) if path.is_file())
    held = (path for path in files if holds(readable(path.read_bytes())))
    return [*found, *(str(path.relative_to(git_dir)) for path in held)]


def objects(repo: RepoBuilder) -> list[str]:
    """Return the ids of objects that hold the secret, packed or loose, reachable or not."""
    listed = git(
        repo, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"
    )
    ids = [line.split() for line in listed.decode().splitlines()]
    return [oid for oid, kind in ids if holds(git(repo, "cat-file", kind, oid))]


def git(repo: RepoBuilder, *args: str) -> bytes:
    return subprocess.run(["git", *args], cwd=repo.path, capture_output=True, check=True).stdout


def readable(data: bytes) -> bytes:
    """Return a file as it can be searched: a loose object unpacked, all else as it is."""
    try:
        return zlib.decompress(data)
    except zlib.error:
        return data


def holds(data: bytes) -> bool:
    return SECRET[4:].lower().encode() in data.lower()


# --- free text ------------------------------------------------------------------------------


def by_flag(knowl: Knowl, folder: Path) -> None:
    del folder
    knowl.at(knowl.cwd, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID=SECRET).ok(
        "flag", TOLD, "--quote", f"they said: {TOLD}", "-p", "lib/cart.ts"
    )


def by_inbox(knowl: Knowl, folder: Path) -> None:
    flag = knowl.ok("flag", "the retry budget is shared by all clients").strip()
    knowl.at(knowl.cwd, **editor(folder, f"1s/.*/{TOLD}/")).ok("inbox", "edit", flag)
    knowl.ok("inbox", "drop", flag, "--reason", TOLD)


def by_capture(knowl: Knowl, folder: Path) -> None:
    del folder
    item = capture_item(
        body=f"Why: {TOLD}.",
        description=f"Read before {TOLD}",
        source={"kind": "quote", "ref": TOLD, "quote": TOLD},
    )
    item["tests"] = {"derivable": TOLD, SECRET: "no"}
    guideline = {"kind": "guideline", "flags": [], "text": TOLD, "reason": TOLD}
    submit(knowl, item, guideline)


def by_discard(knowl: Knowl, folder: Path) -> None:
    del folder
    flag = knowl.ok("flag", "the retry budget is shared by all clients").strip()
    submit(knowl, {"kind": "discard", "flags": [flag], "reason": TOLD})


def by_add(knowl: Knowl, folder: Path) -> None:
    del folder
    add(knowl, "cart", "-a", "file:lib/cart.ts", "--source", TOLD, body=f"Why: {TOLD}.")
    knowl.ok(
        *("add", "--name", "till", "--type", "project", "-d", TOLD, "-a", "file:lib/cart.ts"),
        *("--body", "-"),
        stdin=TOLD,
    )


def by_edit(knowl: Knowl, folder: Path) -> None:
    add(knowl, "cart")
    knowl.at(knowl.cwd, **editor(folder, f"$s/.*/Why: {TOLD}/")).ok(
        "edit", "cart", "--reviewer", KIM
    )


def by_update(knowl: Knowl, folder: Path) -> None:
    del folder
    add(knowl, "cart")
    digest = knowl.json("show", "cart")["digest"]
    item = {"kind": "update", "name": "cart", "expected": digest, "entry": {"body": TOLD}}
    knowl.ok("update", "cart", "--submit", "-", stdin=json.dumps(item))
    reason = {"kind": "retire", "name": "cart", "expected": digest, "reason": TOLD}
    submit(knowl, reason)


def by_retire(knowl: Knowl, folder: Path) -> None:
    del folder
    add(knowl, "cart")
    knowl.ok("retire", "cart", "--reason", TOLD, "--reviewer", KIM)


def by_review(knowl: Knowl, folder: Path) -> None:
    del folder
    (draft,) = submit(knowl, capture_item())
    knowl.ok("review", "--discard", draft, "--reason", TOLD, "--reviewer", KIM)


def by_import(knowl: Knowl, folder: Path) -> None:
    add(knowl, "cart")
    knowl.ok("export", str(folder / "out"))
    (written,) = (folder / "out").rglob("*.md")
    written.write_text(written.read_text() + f"\nWhy: {TOLD}\n")
    plain = folder / "out" / "plain.md"
    plain.write_text(
        f"---\nname: plain\ndescription: {TOLD}\ntype: project\nanchors: [file:lib/cart.ts]\n---\n"
        f"{TOLD}\n"
    )
    knowl.ok("import", str(folder / "out"))


def submit(knowl: Knowl, *items: dict[str, object]) -> list[str]:
    drafts: list[str] = knowl.json("capture", "--submit", "-", stdin=json.dumps({"items": items}))[
        "drafts"
    ]
    return drafts


DOORS = (
    *(by_flag, by_inbox, by_capture, by_discard, by_add, by_edit, by_update, by_retire),
    *(by_review, by_import),
)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_no_door_stores_a_secret_in_free_text(
    repo: RepoBuilder,
    knowl: Knowl,
    door: Callable[[Knowl, Path], None],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    door(knowl, tmp_path_factory.mktemp("away"))
    for verb in ("ls", "inbox", "status", "index", "capture"):
        knowl(verb)

    assert holders(repo) == []
    assert MASKED.encode() in git(repo, "cat-file", "--batch", "--batch-all-objects")


# --- what names something -------------------------------------------------------------------

ABOUT = ("--type", "project", "-d", "Read before", "--body", "-", "--reviewer", KIM)
CART = ("-a", "file:lib/cart.ts")


@pytest.mark.parametrize(
    "words",
    [
        ("flag", "a finding that is worth it", "-p", f"lib/{SECRET}.ts"),
        ("add", "--name", SECRET, *ABOUT, *CART),
        ("add", "--name", "till", *ABOUT, "-a", f"url:https://kim:{SECRET}@example.org/"),
        ("add", "--name", "till", *ABOUT, "-a", f"file:lib/{SECRET}.ts"),
        ("add", "--name", "till", *ABOUT[:-1], f"{SECRET} <kim@example.org>", *CART),
        ("rename", "cart", SECRET),
        ("snooze", "cart", "--until", SECRET),
        ("search", TOLD),
        ("why", f"lib/{SECRET}.ts"),
        ("show", SECRET),
        ("sync", SECRET),
        ("import", f"{SECRET}.md"),
    ],
    ids=str,
)
def test_what_names_something_is_refused_or_forgotten(
    repo: RepoBuilder, knowl: Knowl, words: tuple[str, ...]
) -> None:
    add(knowl, "cart")
    done = knowl(*words, stdin="Why: so.\n")

    assert holders(repo) == []
    assert "Traceback" not in done.err


def test_a_payload_that_names_a_secret_is_refused_without_showing_it(
    repo: RepoBuilder, knowl: Knowl
) -> None:
    for more in ({"tags": [SECRET]}, {"anchors": [f"file:{SECRET}"]}, {"name": "a-" + SECRET}):
        payload = json.dumps({"items": [capture_item(**more)]})
        done = knowl("capture", "--submit", "-", stdin=payload)
        assert done.code == 1

    assert holders(repo) == []


def test_a_text_that_was_refused_is_kept_without_its_secret(
    repo: RepoBuilder, knowl: Knowl, tmp_path_factory: pytest.TempPathFactory
) -> None:
    add(knowl, "cart")
    script = f"s/^name:.*/name: No/; $s/.*/Why: {TOLD}/"
    done = knowl.at(knowl.cwd, **editor(tmp_path_factory.mktemp("away"), script))(
        "edit", "cart", "--reviewer", KIM
    )

    assert "your text is kept in" in done.err
    assert holders(repo) == []


# --- sync -----------------------------------------------------------------------------------


def planted(builder: RepoBuilder) -> None:
    """Put an entry with a secret on the ref past every door, as a clone without rules may."""
    told = entry("leaky", 7, body=f"Why: {TOLD}.\n", description=f"Read before {TOLD}")
    plant(open_store(builder), SHARED, told)


def stored(builder: RepoBuilder) -> bytes:
    """Return all that the shared entries of a clone hold now."""
    paths = git(builder, "ls-tree", "-r", "--name-only", ENTRIES).decode().split()
    return b"".join(git(builder, "show", f"{ENTRIES}:{path}") for path in paths)


def test_what_sync_brings_in_is_masked_before_it_stands_here(repo: RepoBuilder) -> None:
    planted(repo)
    other = repo.clone("other")
    done = Knowl(other.path)("sync")

    assert not holds(stored(other))
    assert MASKED.encode() in stored(other)
    assert not holds(f"{done.out}{done.err}".encode())


def test_what_sync_sends_out_never_holds_a_secret(repo: RepoBuilder) -> None:
    other = repo.clone("other")
    add(Knowl(other.path), "cart")
    Knowl(other.path).ok("sync")
    before = objects(repo)
    planted(other)
    done = Knowl(other.path)("sync")

    assert objects(repo) == before == []
    assert not holds(f"{done.out}{done.err}".encode())


# --- hooks and history ----------------------------------------------------------------------


def test_a_commit_that_is_flagged_or_mined_gives_no_secret_away(
    repo: RepoBuilder, knowl: Knowl
) -> None:
    """The commit itself holds it, as whoever wrote it wanted; nothing of ours does."""
    before = set(objects(repo))
    message = f"Fix the login\n\nTurns out {TOLD}.\n\nKnowl-Flag: {TOLD}"
    (repo.path / "lib/cart.ts").write_text("changed\n")
    git_ok(repo, "commit", "-qam", message)
    commit = repo.rev("HEAD")
    knowl.ok("hooks", "run", "post-commit")
    knowl.ok("mine")
    knowl.ok("inbox")

    assert set(objects(repo)) - before == {commit}
    ours = [
        place for place in holders(repo) if not place.startswith(("object", "objects/", "COMMIT"))
    ]
    assert [place for place in ours if "knowl" in place] == []


def test_masking_a_masked_text_again_changes_nothing(repo: RepoBuilder, knowl: Knowl) -> None:
    add(knowl, "cart", body=f"Why: {TOLD}.")
    before = knowl.json("show", "cart")
    knowl.ok("export", str(repo.path / "out"))
    done = knowl.json("import", "out")

    assert done["ids"] == []
    assert knowl.json("show", "cart")["digest"] == before["digest"]
