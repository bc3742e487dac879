"""Long sessions and several at once, while others write: nothing missed, nothing kept, no end."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from git_knowl.services.agents.quota import MOST_PENDING
from git_knowl.store.inbox import read_inbox
from tests.support.builders import RepoBuilder
from tests.support.cli import COMMAND, Knowl
from tests.support.mcp_client import Client
from tests.support.people import CART, person, write
from tests.support.processes import Job, run_together
from tests.support.seal import ROOT

if TYPE_CHECKING:
    from git_knowl.services.context import Context

#: How much a server may grow over some hundred calls; a leak of one store each shows at once.
GROWTH_KB = 12_000


def descriptors(client: Client) -> set[str]:
    folder = f"/proc/{client.process.pid}/fd"
    return {os.readlink(f"{folder}/{name}") for name in os.listdir(folder)}


def children(client: Client) -> list[str]:
    tasks = Path(f"/proc/{client.process.pid}/task")
    return [kid for task in tasks.iterdir() for kid in (task / "children").read_text().split()]


def memory_kb(client: Client) -> int:
    status = Path(f"/proc/{client.process.pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


@pytest.fixture
def kim(repo: RepoBuilder) -> Context:
    """Give a person who works in the repository beside the agents."""
    return person(repo)


def round_of_calls(client: Client, number: int) -> None:
    client.tool("knowledge_why", path="lib/cart.ts")
    client.tool("knowledge_search", query=f"cart doubles {number}")
    client.tool("knowledge_read", name="cart-doubles")
    client.failing("knowledge_read", name=f"nobody-{number}")
    client.request("resources/read", {"uri": "knowl://index"})


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts what /proc lists")
@pytest.mark.parametrize("rounds", [12, pytest.param(100, marks=pytest.mark.full)])
def test_a_long_session_keeps_no_file_child_or_memory(
    repo: RepoBuilder, kim: Context, rounds: int
) -> None:
    write(kim, "cart-doubles", CART)
    with Client(repo.path) as client:
        for number in range(10):
            round_of_calls(client, number)
        files, before = descriptors(client), memory_kb(client)
        for number in range(rounds):
            round_of_calls(client, number)
            if number % 10 == 0:
                client.tool("knowledge", mode="audit")
                client.tool("knowledge", mode="capture")

        assert len(descriptors(client)) <= len(files)
        assert children(client) == []
        assert memory_kb(client) - before < GROWTH_KB


def test_what_others_write_meanwhile_is_in_the_next_answer(repo: RepoBuilder, knowl: Knowl) -> None:
    add = ("--type", "project", "-a", CART, "--reviewer", "Ada <a@example.org>", "--body", "-")
    with Client(repo.path) as client:
        assert "No entry rests" in client.tool("knowledge_why", path="lib/cart.ts")
        knowl.ok("add", "--name", "one", "-d", "Read one", *add, stdin="It doubles.\n")
        assert "- one — Read one" in client.tool("knowledge_why", path="lib/cart.ts")

        repo.write("lib/cart.ts", "export const total = 1\n")
        assert "- one — Read one [suspect]" in client.tool("knowledge_why", path="lib/cart.ts")
        repo.git("checkout", "--quiet", "lib/cart.ts")
        assert "- one — Read one\n" in client.tool("knowledge_why", path="lib/cart.ts").replace(
            " [unattended]", ""
        )

        knowl.ok("rename", "one", "other")
        assert "- other — " in client.tool("knowledge_search", query="read one")
        knowl.ok("retire", "other", "--reason", "gone with the supplier")
        assert "retired" in client.failing("knowledge_read", name="other")


def test_clients_and_commands_that_write_at_once_lose_nothing(
    repo: RepoBuilder, kim: Context
) -> None:
    other = repo.worktree("other", "side")
    folders = (repo.path, other.path, repo.path)
    clients = [Client(folder, name=f"agent-{at}") for at, folder in enumerate(folders)]
    for client in clients:
        client.initialize()

    def flag(at: int) -> None:
        for number in range(8):
            clients[at].tool("knowledge_flag", summary=f"agent {at} found {number}")

    threads = [threading.Thread(target=flag, args=(at,)) for at in range(len(clients))]
    for thread in threads:
        thread.start()
    env = {"PYTHONPATH": str(ROOT)}
    jobs = [Job([*COMMAND, "flag", f"command found {at}"], repo.path, env) for at in range(6)]
    outcomes = run_together(jobs)
    for thread in threads:
        thread.join()

    assert [done.code for done in outcomes] == [0] * 6
    assert [client.close() for client in clients] == [0, 0, 0]
    flags = read_inbox(kim.store.view()).flags
    assert len(flags) == 3 * 8 + 6
    assert {flag.host for flag in flags} == {None, "agent-0", "agent-1", "agent-2"}
    assert len({flag.session for flag in flags if flag.host}) == 3


def test_servers_of_one_session_share_its_quota(repo: RepoBuilder, kim: Context) -> None:
    env = {"KNOWL_SESSION": "shared"}
    with Client(repo.path, env) as one, Client(repo.path, env) as two:
        answers: list[bool] = []

        def flag(client: Client, name: str) -> None:
            for number in range(MOST_PENDING * 3 // 4):
                call = {
                    "name": "knowledge_flag",
                    "arguments": {"summary": f"{name} found {number}"},
                }
                answers.append(client.request("tools/call", call)["result"]["isError"])

        threads = [
            threading.Thread(target=flag, args=(client, name))
            for client, name in ((one, "one"), (two, "two"))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert answers.count(False) == MOST_PENDING
    assert len(read_inbox(kim.store.view()).flags) == MOST_PENDING


def test_a_repository_that_goes_away_is_an_answer_and_its_return_too(
    repo: RepoBuilder, kim: Context
) -> None:
    write(kim, "cart-doubles", CART)
    away = repo.path.with_name("away")
    with Client(repo.path) as client:
        assert "doubles" in client.tool("knowledge_read", name="cart-doubles")
        shutil.copytree(repo.path, away, symlinks=True)
        shutil.rmtree(repo.path)
        for tool, given in (
            ("knowledge_read", {"name": "cart-doubles"}),
            ("knowledge_flag", {"summary": "x"}),
            ("knowledge", {"mode": "audit"}),
        ):
            assert client.failing(tool, **given).startswith("error: ")
        assert "error" in client.request("resources/list")
        shutil.move(away, repo.path)
        assert "doubles" in client.tool("knowledge_read", name="cart-doubles")


def test_a_repository_made_under_a_running_server_is_found(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        assert client.failing("knowledge", mode="audit").startswith("error: ")
        assert "result" in client.request("tools/list")
        made = RepoBuilder.start(tmp_path)
        shutil.move(made.path / ".git", tmp_path / ".git")
        assert "0 entries" in client.tool("knowledge", mode="audit")
