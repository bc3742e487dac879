"""A team that works at random on clones of one remote: writes, syncs, and dies in between.

What must come out is checked at the end and does not depend on what happened: all clones hold the
same store, and every write that was acknowledged anywhere is part of its history.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from git_knowl.services.conflicts import Choice, conflicts, settle
from git_knowl.services.gate import authorise
from tests.support.builders import START_FILES, RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import person
from tests.support.processes import killing_git

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from tests.support.cli import Outcome

SHARED = "refs/knowl/entries"
PATHS = tuple(START_FILES)
#: A command makes fewer git calls than that, so that some victims survive.
MOST_CALLS = 40
#: So few entries are changed half of the time: only what several change can be in conflict.
FEW = 3
#: Longer than a lock may stand before it counts as left behind.
AGED = 600.0
#: A round in which nobody's store moves is the last; each conflict or draft needs one more at most.
MOST_ROUNDS = 6
#: What a person meets when others were faster, or the entry is not there (any more) in this clone.
EXPECTED = (0, 1, 4)


@dataclass
class Member:
    """One of the team with a clone of their own; ``acknowledged`` are tips after their writes."""

    name: str
    repo: RepoBuilder
    knowl: Knowl
    acknowledged: set[str] = field(default_factory=set)

    @property
    def who(self) -> tuple[str, str]:
        """The words by which a command names this person."""
        return "--reviewer", f"{self.name.title()} <{self.name}@example.org>"

    @property
    def tip(self) -> str:
        """The commit of the shared lane, nothing where there is none."""
        return self.repo.git("rev-parse", "--verify", "-q", SHARED, check=False).strip()

    def live(self) -> list[dict[str, str]]:
        """Return the live entries as `ls --json` lists them."""
        entries: list[dict[str, str]] = self.knowl.json("ls")["entries"]
        return entries


class Team:
    """All members, the remote they share, and the chance that decides what happens next."""

    def __init__(self, folder: Path, size: int, random: Random, kills: float = 0.1) -> None:
        self.folder = folder
        self.random = random
        self.kills = kills
        self.remote = RepoBuilder.make(folder, bare=True, name="remote.git")
        self.members = [self._join(f"m{number}") for number in range(size)]
        self.outcomes: dict[tuple[str, int], int] = {}
        self.number = 0

    def _join(self, name: str) -> Member:
        repo = RepoBuilder.start(self.folder, name=name)
        repo.git("config", "user.name", name.title())
        repo.git("config", "user.email", f"{name}@example.org")
        repo.git("remote", "add", "origin", str(self.remote.path))
        return Member(name, repo, Knowl(repo.path))

    def work(self, operations: int) -> None:
        """Let members chosen at random do something chosen at random, so many times."""
        for _ in range(operations):
            self.number += 1
            member = self.random.choice(self.members)
            act = self.random.choices(ACTS, WEIGHTS)[0]
            act(self, member)

    def run(self, member: Member, *words: str, stdin: str = "") -> Outcome | None:
        """Run a command as this member; None where it was killed on its way.

        A write that says it was done is remembered by the tip it left.
        """
        if self.random.random() < self.kills:
            self._kill(member, words, stdin)
            return None
        done = member.knowl(*words, stdin=stdin)
        self.count(words[0], done.code)
        assert done.code in EXPECTED, f"{words} exited {done.code}: {done.err}"
        if done.code == 0 and member.tip:
            member.acknowledged.add(member.tip)
        return done

    def count(self, verb: str, code: int = 0) -> None:
        """Remember that something was done, and how it ended."""
        self.outcomes[verb, code] = self.outcomes.get((verb, code), 0) + 1

    def _kill(self, member: Member, words: tuple[str, ...], stdin: str) -> None:
        call, moment = self.random.randrange(1, MOST_CALLS), self.random.choice(["before", "after"])
        env = killing_git(self.folder / "killer", call, moment)
        done = member.knowl.at(member.knowl.cwd, **env).process(*words, stdin=stdin)
        assert done.code in (*EXPECTED, -9), f"{words} exited {done.code}: {done.err}"
        if done.code == 0 and member.tip:
            member.acknowledged.add(member.tip)
        age_locks(member.repo.path / ".git")
        age_locks(self.remote.path)

    def pick(self, member: Member) -> dict[str, str] | None:
        """Return one of the live shared entries of a member, mostly one of the few old ones."""
        entries = [one for one in member.live() if one["lane"] == "shared" and not one["conflict"]]
        entries = sorted(entries, key=lambda one: one["id"])[: self.random.choice((FEW, None))]
        return self.random.choice(entries) if entries else None

    def settle(self) -> None:
        """Let everybody sync until nothing moves any more."""
        for _ in range(MOST_ROUNDS):
            before = [member.tip for member in self.members]
            for member in self.members:
                done = member.knowl("sync")
                assert done.code == 0, f"{member.name}: {done.err}"
            if [member.tip for member in self.members] == before:
                return
        raise AssertionError(f"the stores still move after {MOST_ROUNDS} rounds")

    def check(self) -> None:
        """Check that all hold the same, and that nothing anybody was told to be stored is gone."""
        tips = {member.tip for member in self.members}
        assert len(tips) == 1, f"{len(tips)} different stores"
        last = self.members[0]
        history = set(last.repo.git("rev-list", SHARED).split())
        for member in self.members:
            assert member.acknowledged <= history, f"writes of {member.name} are lost"
        listed = {frozenset(map(shared, member.live())) for member in self.members}
        assert len(listed) == 1, "members list different entries"
        assert not last.repo.git("fsck", "--connectivity-only", "--no-dangling").strip()


def shared(listed: dict[str, Any]) -> tuple[Any, ...]:
    """Return what everybody sees alike of an entry; verdict and tier are each clone's own."""
    return listed["id"], listed["name"], listed["digest"], listed["conflict"], listed["lane"]


def age_locks(folder: Path) -> None:
    """Let the locks that a killed git left stand for a while."""
    then = time.time() - AGED
    for lock in folder.rglob("*.lock"):
        os.utime(lock, (then, then))


def add(team: Team, member: Member) -> None:
    """Write an entry, now and then under a name that somebody else uses too."""
    name = f"finding-{team.random.randrange(team.number + 5)}"
    told = f"Found as number {team.number} by {member.name}."
    anchor = f"file:{team.random.choice(PATHS)}"
    words = ("--name", name, "--type", "project", "-d", told, "-a", anchor, "--body", "-")
    team.run(member, "add", *words, *member.who, stdin=f"{told} Why: nobody knows.\n")


def update(team: Team, member: Member) -> None:
    """Propose another text for an entry, and accept it."""
    one = team.pick(member)
    if one is None:
        return
    entry = (
        {"description": f"Changed as number {team.number}"} if team.random.random() < 0.5 else {}
    )
    entry |= (
        {"body": f"Text {team.number}. Why: it changed.\n"} if team.random.random() < 0.7 else {}
    )
    entry |= {"tags": [f"t{team.random.randrange(5)}"]} if team.random.random() < 0.4 else {}
    if not entry:
        return
    payload = json.dumps({"expected": one["digest"], "entry": entry})
    done = team.run(member, "update", one["id"], "--submit", "-", "--json", stdin=payload)
    if done and done.code == 0:
        drafts = [word for draft in done.json["drafts"] for word in ("--accept", draft)]
        team.run(member, "review", *drafts, *member.who)


def verify(team: Team, member: Member) -> None:
    """Confirm an entry."""
    one = team.pick(member)
    if one:
        team.run(member, "verify", one["id"], "--reviewed", *member.who)


def retire(team: Team, member: Member) -> None:
    """Take an entry out."""
    one = team.pick(member)
    if one:
        reason = f"not true since number {team.number}"
        team.run(member, "retire", one["id"], "--reason", reason, *member.who)


def restore(team: Team, member: Member) -> None:
    """Bring back whatever was retired last here."""
    operations = member.knowl.json("log")["operations"]
    gone = [one for one in operations if one["op"] == "retire" and one["entries"]]
    if gone:
        team.run(member, "restore", gone[0]["entries"][0]["id"], *member.who)


def rename(team: Team, member: Member) -> None:
    """Give an entry another name."""
    one = team.pick(member)
    if one:
        team.run(member, "rename", one["id"], f"renamed-{team.number}", *member.who)


def resolve(team: Team, member: Member) -> None:
    """Choose one of the texts of a conflict, as a person does in a terminal."""
    ctx = person(member.repo, person=member.who[1])
    found = [one for one in conflicts(ctx) if one.lane == "shared"]
    if found:
        one = team.random.choice(found)
        chosen = Choice(one, team.random.choice(one.sides))
        settle(ctx, [chosen], authorise(ctx, "review"))
        member.acknowledged.add(member.tip)
        team.count("resolve")


def flag(team: Team, member: Member) -> None:
    """Bookmark something."""
    team.run(member, "flag", f"seen as number {team.number}", "-p", "conf.yml")


def sync(team: Team, member: Member) -> None:
    """Share what there is."""
    team.run(member, "sync")


def change_code(team: Team, member: Member) -> None:
    """Change a file that entries rest on."""
    path = team.random.choice(PATHS)
    member.repo.commit(f"number {team.number}", {path: f"{START_FILES[path]}# {team.number}\n"})


ACTS = (add, update, verify, retire, restore, rename, resolve, flag, sync, change_code)
WEIGHTS = (8, 22, 8, 4, 3, 6, 6, 5, 32, 6)
