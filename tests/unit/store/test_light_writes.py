"""Writing a flag loads little and starts few processes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

from tests.support.processes import calls_made
from tests.support.seal import ROOT
from tests.support.stores import identifier

HEAVY = (
    "click",
    "frontmatter",
    "jsonschema",
    "packageurl",
    "pydantic",
    "pygit2",
    "rapidfuzz",
    "yaml",
)
HEAVY_PARTS = (
    "git_knowl.model.document",
    "git_knowl.model.entry",
    "subprocess",
    "typing",
    "sqlite3",
)

WRITE_A_FLAG = """
import json, os, sys
from git_knowl.model.flag import Flag
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.repository import discover
from git_knowl.store.flags import PutFlag
from git_knowl.store.store import Store
from git_knowl.store.transaction import Record, publish

repo = discover(os.getcwd(), os.environ)
flag = Flag(sys.argv[1], "note", "2026-11-29T10:00:00Z", "Kim <k@example.org>")
record = Record("flag", "flag", "Kim <k@example.org>", 1796000000)
publish(Store(repo, open_objects(repo)), lambda view: [PutFlag(flag)], record)
print(json.dumps(sorted(sys.modules)))
"""

COUNTER = """\
#!/bin/sh
echo $(($(cat "{folder}/count") + 1)) > "{folder}/count"
exec "{git}" "$@"
"""


def write_a_flag(repo, number, **env):
    # measuring coverage in the child would load what is looked for here
    plain = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE")}
    done = subprocess.run(
        [sys.executable, "-c", WRITE_A_FLAG, identifier(number)],
        cwd=repo.path,
        env={**plain, "PYTHONPATH": str(ROOT), **env},
        check=True,
        capture_output=True,
    )
    return set(json.loads(done.stdout))


def test_nothing_heavy_is_loaded_to_write_a_flag(repo):
    loaded = write_a_flag(repo, 1)

    assert loaded.isdisjoint(HEAVY)
    assert loaded.isdisjoint(HEAVY_PARTS)
    assert "git_knowl.store.snapshot" not in loaded


def test_a_flag_takes_five_git_processes_and_the_first_one_four(repo, tmp_path):
    counter = tmp_path / "git"
    counter.write_text(COUNTER.format(folder=tmp_path, git=shutil.which("git")))
    counter.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    counts = []

    for number in (1, 2):
        (tmp_path / "count").write_text("0\n")
        write_a_flag(repo, number, PATH=path)
        counts.append(calls_made(tmp_path))

    # find the repository, read the refs, read objects when there are any, write some, move the ref
    assert counts == [4, 5]
