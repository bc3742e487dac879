"""The examples of docs/ci.md, as far as a machine without a code host can run them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import yaml

from tests.support.people import CART, person, write
from tests.support.seal import ROOT

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
GITHUB, GITLAB = (yaml.safe_load(part.partition("```")[0]) for part in PAGE.split("```yaml\n")[1:])
#: What a host or a registry has to answer.
ELSEWHERE = ("pip ", "gh ")


def of_github():
    for step in GITHUB["jobs"]["audit"]["steps"]:
        yield from step.get("run", "").splitlines()


def of_gitlab():
    yield from GITLAB["knowledge"]["script"]


@pytest.fixture
def checkout(repo, tmp_path):
    """The checkout of a job: origin has the entries, main, and a branch that is checked out."""
    write(person(repo), "cart", CART)
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("five", {"lib/cart.ts": "export const total = 5\n"})
    clone = repo.clone("checkout", "--branch", "topic")
    clone.git("checkout", "-q", "--detach")
    return clone


@pytest.fixture
def environ(tmp_path):
    """The environment of a job: the program is on PATH, the host says which branch is meant."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "git-knowl"
    run = f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -P -m git_knowl "$@"'
    program.write_text(f"#!/bin/sh\n{run}\n")
    program.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "BASE": "main",
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
    }


@pytest.mark.parametrize("lines", [of_github, of_gitlab])
def test_the_lines_of_a_job_run_and_the_last_one_fails_it(checkout, environ, lines):
    here = [line for line in lines() if not line.startswith(ELSEWHERE)]
    codes = [
        subprocess.run(["sh", "-ec", line], cwd=checkout.path, env=environ, check=False).returncode
        for line in here
    ]

    assert codes == [0] * (len(here) - 1) + [3]


def test_what_the_jobs_hand_on_is_there(checkout, environ):
    for line in (*of_github(), *of_gitlab()):
        if not line.startswith(ELSEWHERE):
            subprocess.run(["sh", "-ec", line], cwd=checkout.path, env=environ, check=False)

    assert "`cart`" in checkout.read("comment.md")
    assert '"baselineState": "new"' in checkout.read("knowl.sarif")
    assert 'failures="1"' in checkout.read("knowl.xml")


def test_no_value_of_the_host_is_pasted_into_a_script():
    scripts = [*of_github(), *of_gitlab()]
    assert not [line for line in scripts if "${{" in line]
