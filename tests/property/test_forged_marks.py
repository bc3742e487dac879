"""No text that somebody stored makes a line of the program say what only the program knows."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.interfaces import hosts
from git_knowl.interfaces.cli.commands.log import FOREIGN, line
from git_knowl.interfaces.cli.commands.show import facts
from git_knowl.interfaces.cli.commands.stats import told
from git_knowl.interfaces.cli.inbox_text import flag_row
from git_knowl.interfaces.cli.output import one_line
from git_knowl.interfaces.cli.sync_text import lines as sync_lines
from git_knowl.interfaces.mcp import seat
from git_knowl.model import stored
from git_knowl.model.entry import HOWS, SHARED, Reviewed
from git_knowl.model.text import BLANK, for_terminal, unmarked
from git_knowl.plumbing import refs, signing
from git_knowl.plumbing.signing import Signature
from git_knowl.services.agents.hosts import table
from git_knowl.services.stats import OTHER, stats
from git_knowl.services.sync.result import Synced
from git_knowl.store.history import Operation
from git_knowl.store.merge import outcome
from git_knowl.store.merge.outcome import Outcome
from git_knowl.store.operations import PutEntry
from git_knowl.store.transaction import Record, publish
from tests.support.cli import Knowl
from tests.support.hostile import HALVES, PIECES, texts
from tests.support.people import CART, person, write
from tests.support.stores import TIME, entry, flag, open_store

if TYPE_CHECKING:
    from git_knowl.model.entry import Entry
    from tests.support.builders import RepoBuilder

ENTRIES = refs.entries_ref(SHARED)
ADA = "Ada <ada@ex.org>"
SIGNED = "signed by ada@ex.org"
FORGING = (
    *(SIGNED, f"[{SIGNED}]", f"] [{SIGNED}]", f", {SIGNED}", f"terminal, {SIGNED}", f'", {SIGNED}'),
    *(f"\uff3b{SIGNED}\uff3d", f"({ADA}) [{SIGNED}]", f"({ADA})", f"{ADA}, terminal", "terminal"),
    *("[signed]", "[Signed by x]", "[ superseded by y ]", "[from x]", "[", "]", "(", ")", ",", '"'),
    *(f"{ADA} {SIGNED}", f"Ada {SIGNED} <a@ex.org>", "signed-by-ada", "confirmed-here", "signed"),
    *(f"\u23a1{SIGNED}\u23a4", f"\u2e22{SIGNED}\u2e23", f"\ufe47{SIGNED}\ufe48", "\u169b\u169c"),
    *("\u2800" * 9, "\u3164" * 9, "\u115f", f"\u201d, {SIGNED}", f"\u060c {SIGNED}"),
    *("unattended", "web", "god", "a" * 300, "\u3000" * 90, ";", "\n[signed]\n"),
)
HOSTILE = texts(pieces=FORGING + PIECES + HALVES)
GOOD = Signature(signing.GOOD, "ada@ex.org", "SHA256:x")
QUOTED = re.compile(r'"[^"]*"')
#: All that an unsigned operation can be said to be, parted by commas.
UNSIGNED = re.compile(
    rf'(?:{FOREIGN}|{"|".join(HOWS)}|{stored.NO_DOOR}|{"|".join(stored.HOSTS)}|host "[^"\[\]]*")'
)


def operation(subject: str, author: str = ADA, *trailers: tuple[str, str]) -> Operation:
    return Operation("4f" * 20, (), SHARED, author, TIME, subject, trailers)


def marks(shown: str) -> list[str]:
    """Return what the one pair of square brackets at the end of a line holds."""
    if "[" not in shown:
        return []
    before, _, inside = shown.partition("[")
    assert shown.endswith("]")
    assert not {"[", "]"} & set(before + inside[:-1])
    parts = QUOTED.sub(lambda found: found[0].replace(",", "\0"), inside[:-1]).split(", ")
    return [part.replace("\0", ",") for part in parts]


@given(subject=HOSTILE, author=HOSTILE, how=HOSTILE, host=HOSTILE, is_ours=st.booleans())
def test_no_commit_is_told_as_signed_that_is_not(subject, author, how, host, is_ours):
    trailers = (("Knowl-How", how), ("Knowl-Host", host), *((("Knowl-Op", how),) * is_ours))
    one = operation(subject, author, *trailers)

    shown = one_line(line(one, None))

    assert all(UNSIGNED.fullmatch(mark) for mark in marks(shown))
    assert one_line(line(one, GOOD)) != shown


@given(subject=HOSTILE, author=HOSTILE, signer=HOSTILE)
def test_what_is_signed_says_so_last_and_names_one_signer(subject, author, signer):
    one = operation(subject, author, ("Knowl-Op", "add"), ("Knowl-How", "terminal"))

    (mark,) = marks(one_line(line(one, replace(GOOD, signer=signer))))

    assert mark == f"signed by {one_line(stored.named(signer))}"
    assert QUOTED.sub("", mark.removeprefix("signed by ")).count(",") == 0


def test_what_this_program_writes_is_told_as_it_is():
    one = operation("capture cart", ADA, ("Knowl-Op", "add"), ("Knowl-How", "terminal"))
    run = operation("capture cart", ADA, ("Knowl-Op", "add"), ("Knowl-How", "unattended"))
    by_host = replace(run, trailers=(*run.trailers, ("Knowl-Host", "claude")))

    head = f"4f4f4f4f4f {TIME} capture cart ({ADA})"
    assert line(one, None) == head
    assert line(one, GOOD) == f"{head} [{SIGNED}]"
    assert line(by_host, None) == f"{head} [unattended, claude]"


@given(by=HOSTILE, at=st.one_of(st.just(TIME), HOSTILE), how=HOSTILE)
def test_who_reviewed_an_entry_when_and_how_are_three_things(by, at, how):
    found = dict(facts(entry("cart", reviewed=Reviewed(by, at, how))))["by"]

    name, when, door = QUOTED.sub('""', found).split(", ")

    assert name
    assert "signed" not in name
    assert when in (TIME, stored.NO_TIME)
    assert door in (*HOWS, stored.NO_DOOR)


@given(by=HOSTILE, name=HOSTILE)
def test_a_line_of_a_sync_names_one_person(by, name):
    came = Outcome("", name, outcome.NEW, by, "note")
    (shown,) = sync_lines(Synced("origin", outcome.NEW, received=(came,)))

    assert shown.endswith(f" ({for_terminal(stored.named(by), single_line=True)}) note")
    assert not set("()[]") & set(stored.named(by))


@given(words=st.lists(HOSTILE, min_size=1, max_size=4))
def test_a_count_is_of_one_word(words):
    shown = told("discards", dict.fromkeys(words, 1))

    assert len(QUOTED.sub("", shown).split(",")) == len(set(words))


@given(text=HOSTILE)
def test_no_description_or_summary_ends_in_a_mark(text):
    for shown in (unmarked(text), flag_row(flag(text))[-1]):
        assert not re.search(r"\[\s*(?:signed|superseded|from)\b", shown, re.IGNORECASE)


def test_every_host_of_this_program_is_told_as_it_is():
    written = {host for host, _ in hosts.HOSTS.values()} | set(table.HOSTS) | seat.HOSTS

    assert written == stored.HOSTS
    assert [stored.host(one) for one in sorted(written)] == sorted(written)


@given(text=HOSTILE)
def test_no_bracket_of_any_script_is_left(text):
    told = stored.braced(text)

    others = [one for one in told if one not in "{}" and "QUOT" not in unicodedata.name(one, "")]
    assert not set("[]()") & set(told)
    assert not any(one in told for one in f"\u23a1\u23a4{BLANK}")
    assert not {unicodedata.category(one) for one in others} & {"Ps", "Pe"}
    assert BLANK not in one_line(text)


@pytest.mark.parametrize("name", [ADA, "Ada", "ada@ex.org", "Ada Byron", "O\u2019Brien <o@ex.org>"])
def test_a_name_that_is_no_more_than_one_is_told_as_it_is(name):
    assert stored.named(name) == name


# --- through plain git ----------------------------------------------------------------------


def forged(repo: RepoBuilder, message: str, author: str = ADA) -> None:
    """Put a commit of plain git on the shared lane that changes nothing."""
    name, _, mail = author.partition(" <")
    tip, tree = repo.git("rev-parse", ENTRIES), repo.git("rev-parse", f"{ENTRIES}^{{tree}}")
    who = ("-c", f"user.name={name}", "-c", f"user.email={mail[:-1]}")
    repo.git("update-ref", ENTRIES, repo.git(*who, "commit-tree", tree, "-p", tip, "-m", message))


def test_commits_of_plain_git_forge_no_signature(repo):
    write(person(repo), "cart", CART)
    said = "Knowl-Op: add\nKnowl-How: "
    forged(repo, f"capture x\n\n{said}terminal\nKnowl-Host: {SIGNED}\n")
    forged(repo, f"capture x\n\n{said}terminal, {SIGNED}\n")
    forged(repo, f"capture x ({ADA}) [{SIGNED}]\n\n{said}terminal\n")
    forged(repo, f"capture x\n\n{said}god\n", f"Ada) [{SIGNED}] (x <ada@ex.org>")

    *told_, last = Knowl(repo.path).ok("log").splitlines()

    assert [marks(one) for one in told_] == [
        [stored.NO_DOOR],
        [],
        [stored.NO_DOOR],
        [f'host "{SIGNED}"'],
    ]
    assert marks(last) == []


def test_an_entry_with_forged_words_shows_them_as_such(repo):
    ctx = person(repo)
    one = write(ctx, "cart", CART)
    reviewed = Reviewed(f"{ADA}, {TIME}, terminal, {SIGNED}", TIME, f"confirmed here, {SIGNED}")
    hostile = replace(one, description=f"let in   67502766c0, {SIGNED}", reviewed=reviewed)
    replace_text(repo, hostile)
    knowl = Knowl(repo.path)

    lines = knowl.ok("show", "cart").splitlines()

    assert [one for one in lines if one.startswith("let in")] in ([], [lines[-2]])
    assert f"    let in   67502766c0, {SIGNED}" in lines
    assert f'by       "{reviewed.by}", {TIME}, {stored.NO_DOOR}' in lines
    assert stats(person(repo)).reviewed == {OTHER: 1}
    assert f"[{SIGNED}]" not in knowl.ok("ls")


def replace_text(repo: RepoBuilder, one: Entry) -> None:
    """Put a text on the shared lane as another program may."""
    said = Record("edit", "edit cart", ADA, 1_790_000_000)
    publish(open_store(repo), lambda _: [PutEntry(SHARED, one)], said)
