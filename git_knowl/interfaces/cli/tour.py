"""The whole loop, played with the very commands a user would type."""

from __future__ import annotations

import json
import os
import shlex
import textwrap
from collections.abc import Mapping, Sequence

import click

from git_knowl.interfaces.cli.tour_stage import MAIL, NAME, Stage, TourError, staged
from git_knowl.model.text import for_terminal
from git_knowl.plumbing.repository import Repository

ENTRY = "tour-first-finding"
#: Short answers to the admission tests, as a writer gives them.
TESTS = {
    "derivable": "no scan shows who reads it",
    "reuse": "whoever changes the file",
    "owner": "about this project",
    "verified": "said on a tour, so it is not",
    "after_fix": "nothing was fixed",
}
PAYLOAD = "payload.json"
CHANGE = "changed on the tour"
#: Lines of output shown for one command; the tour is read, not scrolled through.
MOST_LINES = 30
WIDTH = 88


def tour(repo: Repository, environ: Mapping[str, str]) -> None:
    """Play the loop on a throw-away repository with the commits of this one.

    Raises TourError where there is nothing to play it with, or when a step fails.
    """
    with staged(repo, environ) as stage:
        say(
            f"A tour of git knowl on a throw-away copy of {home(repo)}: "
            "two worktrees, main and feature."
        )
        say("You find something out. Flag it in a second and carry on: a sentence and its paths.")
        flag = bookmark(stage)
        say("Later somebody, mostly an agent, writes it up as 'git knowl capture' explains.")
        draft = write_up(stage, flag)
        say(
            "A draft is not knowledge: a person lets it in. In a terminal 'git knowl review' shows "
            "each draft and asks; elsewhere the person is named, and the entry is marked as "
            "unattended."
        )
        review(stage, draft)
        say("It is there at once in every worktree, judged against the files of each.")
        judge(stage)
        say("Somebody compares, and finds the text still true in feature as well.")
        confirm(stage)
        say("Every operation is a commit off all branches; an agent is told what is known.")
        look_back(stage)
    say("That was all. The copy is gone, and your repository was not touched. Begin with:")
    show(home(repo), ["git", "knowl", "flag", "what you found out", "-p", "PATH"], [])


def home(repo: Repository) -> str:
    """Return the folder the user knows the repository by."""
    return repo.work_tree or repo.git_dir


def bookmark(stage: Stage) -> str:
    """Flag something about the file, and show the inbox; return the id of the flag."""
    told = f"{os.path.basename(stage.file)} is read by more than one part of this project"
    flag = play(stage, stage.main, "knowl", "flag", told, "-p", stage.file, "--cue", "surprise")
    play(stage, stage.main, "knowl", "inbox")
    return flag.strip()


def write_up(stage: Stage, flag: str) -> str:
    """Hand in a payload for the flag; return the id of the draft."""
    text = json.dumps({"items": [item(stage, flag)]}, indent=2, ensure_ascii=False)
    with open(os.path.join(stage.main, PAYLOAD), "w", encoding="utf-8") as file:
        file.write(text)
    show(stage.main, ["cat", PAYLOAD], text.splitlines())
    return play(stage, stage.main, "knowl", "capture", "--submit", PAYLOAD).strip()


def item(stage: Stage, flag: str) -> dict[str, object]:
    """Return what a writer would make of the flag."""
    name = os.path.basename(stage.file)
    return {
        "kind": "capture",
        "flags": [flag],
        "entry": {
            "name": ENTRY,
            "type": "project",
            "description": f"Read before changing {name}: others depend on its form",
            "body": f"More than one part of the project reads {name}. Why: found on a tour. "
            "Useful again when it changes. False as soon as one reader is left.",
            "anchors": [f"file:{stage.file}"],
        },
        "tests": TESTS,
    }


def review(stage: Stage, draft: str) -> None:
    """Accept the draft in the name of a person, and show what is live then."""
    who = f"{NAME} <{MAIL}>"
    play(stage, stage.main, "knowl", "review", "--accept", draft, "--reviewer", who)
    play(stage, stage.main, "knowl", "ls")


def judge(stage: Stage) -> None:
    """Change the file in one worktree, and show the verdicts of both."""
    play(stage, stage.feature, "knowl", "ls")
    say(f"Now {stage.file} changes in feature, and nowhere else.")
    with open(os.path.join(stage.feature, stage.file), "a", encoding="utf-8") as file:
        file.write(f"{CHANGE}\n")
    show(stage.feature, ["echo", CHANGE, ">>", stage.file], [])
    play(stage, stage.feature, "commit", "-q", "-a", "-m", "change a file on the tour")
    play(stage, stage.feature, "knowl", "audit", "--exit-code", code=3)
    play(stage, stage.main, "knowl", "audit", "--exit-code")


def confirm(stage: Stage) -> None:
    """Verify in the feature worktree: both contents count from then on."""
    play(stage, stage.feature, "knowl", "verify", ENTRY, "--reviewed")
    play(stage, stage.feature, "knowl", "ls")
    play(stage, stage.main, "knowl", "ls")


def look_back(stage: Stage) -> None:
    """Show the history of the store and what an agent gets at the start of a session."""
    play(stage, stage.main, "log", "--oneline", "refs/knowl/entries")
    play(stage, stage.feature, "knowl", "index")


def play(stage: Stage, folder: str, *words: str, code: int = 0) -> str:
    """Run a git command, show it with what it prints, and return its standard output.

    Raises TourError when it ends with another exit code than the expected one.
    """
    done = stage.call(folder, *words)
    out, err = os.fsdecode(done.out), os.fsdecode(done.err)
    show(folder, ["git", *words], [*err.splitlines(), *out.splitlines()])
    if done.code != code:
        raise TourError(
            f"'git {shlex.join(words[:2])}' ended with {done.code}, expected was {code}",
            "please report this with the output above",
        )
    if code:
        click.echo(f"    [exit code {code}]")
    return out


def show(folder: str, words: Sequence[str], output: Sequence[str]) -> None:
    """Print a command as it stands in a terminal of a worktree, and its output."""
    typed = " ".join(word if word == ">>" else quoted(word) for word in words)
    click.secho(f"{os.path.basename(folder)}$ {for_terminal(typed)}", bold=True)
    for line in shortened(output):
        click.echo(f"    {for_terminal(line)}" if line else "")


def say(text: str) -> None:
    """Say what comes next."""
    click.echo()
    for line in textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False):
        click.secho(f"# {for_terminal(line)}", fg="cyan")


def shortened(lines: Sequence[str]) -> list[str]:
    """Return the lines, the middle of a long output left out."""
    if len(lines) <= MOST_LINES:
        return list(lines)
    half = MOST_LINES // 2
    return [*lines[:half], f"… {len(lines) - 2 * half} lines …", *lines[-half:]]


def quoted(word: str) -> str:
    """Return a word as one would type it."""
    plain = shlex.quote(word) == word
    return word if plain else f'"{word}"' if not set('"$`\\!') & set(word) else shlex.quote(word)
