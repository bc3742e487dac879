"""The tools of the tests keep what they promise; a silent fault here would hide others."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.builders import RepoBuilder
from tests.support.clock import Clock, Entropy
from tests.support.processes import Job, calls_made, killing_git, run_together
from tests.support.seal import Guard, SealError
from tests.support.terminal import Terminal
from tests.support.transcript import Session, Step, read_steps, replay

ID, OTHER = "01k4w2zt6mxf3q9v5c7d8e0abn", "01k5aaaaaaxf3q9v5c7d8e0xyz"


class TestBuilder:
    def test_same_history_has_same_ids_in_every_run(self, repo: RepoBuilder) -> None:
        assert repo.rev("HEAD") == "c27d02e26b744d5166c5d1e793b3b5a626931fed"

    def test_copied_repository_is_clean(self, repo: RepoBuilder) -> None:
        assert repo.git("diff-files", "--name-only") == ""

    def test_sha256_repository_has_long_ids(self, repo256: RepoBuilder) -> None:
        assert len(repo256.rev("HEAD")) == 64

    def test_bare_repository_holds_the_start_commit(self, tmp_path: Path) -> None:
        bare = RepoBuilder.start(tmp_path, bare=True)

        assert bare.git("rev-parse", "--is-bare-repository") == "true"
        assert bare.git("ls-tree", "--name-only", "-r", "HEAD") == "conf.yml\nlib/cart.ts"

    def test_new_repository_has_no_commit(self, tmp_path: Path) -> None:
        assert (
            RepoBuilder.make(tmp_path).git("rev-parse", "--verify", "-q", "HEAD", check=False) == ""
        )

    def test_worktree_shares_refs_and_has_its_own_files(self, repo: RepoBuilder) -> None:
        feature = repo.worktree("feature", "feature")
        feature.commit("four", {"lib/cart.ts": "four\n"})

        assert repo.rev("feature") == feature.rev("HEAD")
        assert repo.read("lib/cart.ts") != "four\n"

    def test_failing_git_fails_the_test_with_its_words(self, repo: RepoBuilder) -> None:
        with pytest.raises(AssertionError, match="not-a-ref"):
            repo.rev("not-a-ref")


class TestSeal:
    def test_environment_holds_nothing_of_the_host(self) -> None:
        foreign = {"CLAUDECODE", "GIT_DIR", "GIT_INDEX_FILE", "EDITOR", "SSH_AUTH_SOCK"}

        assert not foreign & set(os.environ)

    def test_git_knows_only_the_configuration_of_the_sandbox(self, repo: RepoBuilder) -> None:
        origins = repo.git("config", "--list", "--show-scope").splitlines()

        assert {line.split("\t")[0] for line in origins} == {"global", "local"}
        assert repo.git("config", "user.email") == "kim@example.org"

    def test_guard_refuses_sockets_and_remembers(self, guard: Guard) -> None:
        with socket.socket() as plug, pytest.raises(SealError):
            plug.connect(("127.0.0.1", 9))

        assert "socket.connect" in (guard.verify() or "")
        assert guard.verify() is None

    def test_guard_refuses_the_real_home(self, guard: Guard) -> None:
        with pytest.raises(SealError):
            Path(guard.homes[0], ".gitconfig").read_bytes()

        assert ".gitconfig" in (guard.verify() or "")

    def test_guard_notices_what_a_child_left_at_home(self, tmp_path: Path) -> None:
        made = Guard()
        made.homes = (f"{tmp_path}/",)
        made.before = made.traces()
        (tmp_path / ".gitconfig").write_text("[user]\n", encoding="utf-8")

        assert made.verify() == f"changed {tmp_path}/.gitconfig"


class TestTranscript:
    def test_reads_commands_outputs_and_continuations(self, tmp_path: Path) -> None:
        path = tmp_path / "page.md"
        path.write_text(
            "Text\n```console\n$ cat <<EOF\n> a\n> EOF\na\n\n$ true\n```\n$ no\n", encoding="utf-8"
        )

        assert read_steps(path) == [
            Step("cat <<EOF\na\nEOF", ["a"], 5, 6),
            Step("true", [], 8, 8),
        ]

    @pytest.mark.parametrize(
        ("expected", "actual"),
        [
            (["flag <id> made"], [f"flag {OTHER} made"]),
            (["a", "...", "z"], ["a", "b", "c", "z"]),
            (["a", "...", "z"], ["a", "z"]),
            (["made 2026-11-29T10:00:00Z"], ["made 2031-01-01T00:00:00Z"]),
            (["at <path>"], ["at /tmp/x/y"]),
            ([f"{ID} {ID}"], [f"{OTHER} {OTHER}"]),
            (["on 4c48e2f"], ["on 123abcd"]),
        ],
    )
    def test_holes_match_their_kind(
        self, tmp_path: Path, expected: list[str], actual: list[str]
    ) -> None:
        assert Session(tmp_path).agrees(Step("", expected, 0, 0), actual)

    @pytest.mark.parametrize(
        ("expected", "actual"),
        [
            (["plain"], ["other"]),
            (["a"], ["a", "b"]),
            (["flag <id> made"], ["flag cart made"]),
            ([f"{ID} {ID}"], [f"{OTHER} {ID}"]),
            ([f"{ID} {ID[:-1]}0"], [f"{OTHER} {OTHER}"]),
        ],
    )
    def test_everything_else_must_be_equal(
        self, tmp_path: Path, expected: list[str], actual: list[str]
    ) -> None:
        assert not Session(tmp_path).agrees(Step("", expected, 0, 0), actual)

    def test_an_id_stands_for_the_same_id_in_later_commands(self, tmp_path: Path) -> None:
        session = Session(tmp_path)
        session.agrees(Step("", [ID], 0, 0), [OTHER])

        assert session.run(Step(f"echo {ID} {ID[-6:]}", [], 0, 0)) == [f"{OTHER} {OTHER[-6:]}"]

    def test_folder_and_exit_code_are_kept(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        session = Session(tmp_path)

        assert session.run(Step("cd sub; false", [], 0, 0)) == ["[1]"]
        assert session.run(Step("basename $PWD", [], 0, 0)) == ["sub"]

    def test_update_writes_what_was_printed(self, tmp_path: Path) -> None:
        path = tmp_path / "s.console"
        path.write_text("$ echo a\nb\n\n$ echo c\nc\n", encoding="utf-8")
        with pytest.raises(AssertionError, match="echo a"):
            replay(path, Session(tmp_path))

        replay(path, Session(tmp_path), update=True)

        assert path.read_text(encoding="utf-8") == "$ echo a\na\n\n$ echo c\nc\n"


class TestProcesses:
    def test_jobs_go_together_and_answer_in_order(self, tmp_path: Path) -> None:
        jobs = [Job(["sh", "-c", f"echo {n}; exit {n}"], tmp_path) for n in range(3)]

        assert [(done.code, done.out) for done in run_together(jobs)] == [
            (n, f"{n}\n") for n in range(3)
        ]

    @pytest.mark.parametrize(("moment", "refs"), [("before", 0), ("after", 1)])
    def test_killer_ends_the_caller_at_the_chosen_call(
        self, repo: RepoBuilder, tmp_path: Path, moment: str, refs: int
    ) -> None:
        env = killing_git(tmp_path / "bin", 2, moment)
        script = "git rev-parse HEAD; git update-ref refs/x/y HEAD; git update-ref refs/x/z HEAD"
        everything = {**os.environ, **env}
        done = subprocess.run(["sh", "-c", script], cwd=repo.path, env=everything, check=False)

        assert done.returncode == -9
        assert len(repo.refs("refs/x/")) == refs
        assert calls_made(tmp_path / "bin") == 2

    def test_terminal_talks_with_the_command(self, tmp_path: Path) -> None:
        script = "import os; print(os.isatty(0), input('name? '))"
        with Terminal([sys.executable, "-c", script], tmp_path, dict(os.environ)) as person:
            person.expect("name? ")
            person.send("Kim\n")

            assert person.finish() == 0
        assert "True Kim" in person.shown


def test_clock_moves_only_when_told() -> None:
    clock, entropy = Clock(), Entropy()
    clock.advance(days=1, hours=1)

    assert clock.now == "2026-11-30T11:00:00Z"
    assert clock() == clock()
    assert entropy(10) != entropy(10)
