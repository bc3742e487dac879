"""Every verb in every kind of repository: it works, or refuses clearly; nothing between.

The normal run plays one story a kind, verb after verb in this process. The long one has a process
for every verb, as a user does: ``pytest -m full tests/matrix``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from git_knowl.plumbing import refs
from tests.support.cli import Knowl
from tests.support.contexts import capture_item
from tests.support.kinds import HUB, KINDS, Kind, Place, add_hub
from tests.support.people import KIM

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.cli import Outcome

ALL = "*"


def flag(place: Place, knowl: Knowl) -> Outcome:
    return knowl("flag", "prices double", "-p", place.path)


def capture(place: Place, knowl: Knowl) -> Outcome:
    return knowl("capture")


def submit(place: Place, knowl: Knowl) -> Outcome:
    path = place.path if "/" in place.path else f"lib/{place.path}"
    payload = {"items": [capture_item(place.name, anchors=[f"file:{path}"])]}
    return knowl("capture", "--submit", "-", stdin=json.dumps(payload))


def review(place: Place, knowl: Knowl) -> Outcome:
    listed = knowl("inbox", "--json")
    drafts = listed.json["drafts"] if listed.code == 0 else []
    names = [word for one in drafts for word in ("--accept", one["id"])]
    return knowl("review", *(names or ("--accept", "none")), "--reviewer", KIM)


def audit(place: Place, knowl: Knowl) -> Outcome:
    return knowl("audit", "--json")


def search(place: Place, knowl: Knowl) -> Outcome:
    return knowl("search", "cart doubles", "--json")


def index(place: Place, knowl: Knowl) -> Outcome:
    return knowl("index")


def hooks(place: Place, knowl: Knowl) -> Outcome:
    return knowl("hooks", "install")


def sync(place: Place, knowl: Knowl) -> Outcome:
    return knowl("sync", HUB)


def doctor(place: Place, knowl: Knowl) -> Outcome:
    return knowl("doctor", "--json")


VERBS: dict[str, Callable[[Place, Knowl], Outcome]] = {
    one.__name__: one
    for one in (flag, capture, submit, review, audit, search, index, hooks, sync, doctor)
}
#: Verbs that show the entry once it was accepted.
SHOWING = ("audit", "search", "index")


def made(kind: Kind, folder: Path) -> Place:
    if not kind.can():
        pytest.skip("cannot be made here")
    place = kind.make(folder)
    if not (folder / HUB).exists() and ALL not in kind.refused:
        add_hub(place, folder)
    return place


def check_refused(done: Outcome, words: str) -> None:
    """Check that a verb says in two lines why it does nothing, and what the way out is."""
    assert done.code == 1, (done.code, done.out, done.err)
    assert done.out == ""
    assert "error: " in done.err
    assert "\nhint: " in done.err
    assert words in done.err


def check_works(kind: Kind, verb: str, done: Outcome) -> None:
    """Check the answer of a verb that works."""
    assert done.code in ((0, 3) if verb == "doctor" else (0,)), (done.code, done.out, done.err)
    if verb == "doctor":
        found = {one["check"] for one in done.json["findings"]}
        assert found == kind.found, done.json["findings"]
    elif verb == "index":
        assert ("- cart — " in done.out) == kind.is_live
    elif verb in SHOWING:
        told = {one["name"]: one["status"] for one in done.json["entries"]}
        assert told == ({"cart": "active"} if kind.is_live else {})


def check(kind: Kind, verb: str, done: Outcome) -> None:
    """Check whichever answer this kind is to give."""
    assert "Traceback" not in done.err
    assert "this is a bug" not in done.err
    words = kind.refused.get(verb, kind.refused.get(ALL))
    if words is not None:
        check_refused(done, words)
    else:
        check_works(kind, verb, done)


def check_shared(place: Place) -> None:
    """Check that the remote has what was accepted here."""
    hub = place.repo.git("ls-remote", HUB, refs.ENTRIES, env=dict(place.env))
    assert hub.split()[0] == place.repo.git("rev-parse", refs.ENTRIES, env=dict(place.env))


class Process(Knowl):
    """The command line as a process of its own each time."""

    def __call__(self, *args: str, stdin: str | bytes = b"") -> Outcome:
        return self.process(*args, stdin=stdin)


def as_process(place: Place) -> Knowl:
    return place.knowl if place.denied else Process(place.cwd, place.env)


def play(name: str, folder: Path, as_user: Callable[[Place], Knowl]) -> None:
    """Run verb after verb in a kind of repository and check what each one answers."""
    kind = KINDS[name]
    place = made(kind, folder)
    for verb, run in VERBS.items():
        check(kind, verb, run(place, as_user(place)))
    if kind.is_live and "sync" not in kind.refused:
        check_shared(place)


@pytest.mark.parametrize("name", KINDS)
def test_every_verb_works_or_refuses_clearly_in(name, tmp_path):
    play(name, tmp_path, lambda place: place.knowl)


@pytest.mark.full
@pytest.mark.parametrize("name", KINDS)
def test_every_verb_as_a_process_works_or_refuses_clearly_in(name, tmp_path):
    play(name, tmp_path, as_process)
