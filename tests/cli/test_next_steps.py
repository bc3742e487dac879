"""What is said where there is nothing to show, and where a command cannot go on: it leads on."""

from __future__ import annotations

import pytest

from git_knowl.plumbing import refs
from tests.cli.test_ways_out import submit
from tests.support.contexts import capture_item
from tests.support.people import CART, KIM, person, tips, write

EMPTY = "no entry yet: 'git knowl flag' bookmarks a finding, 'git knowl inbox' lists what waits\n"


# --- nothing there ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ls"], EMPTY),
        (["ls", "--status", "suspect"], EMPTY),
        (["search", "cart"], EMPTY),
        (["log"], "no entry was ever written here\n"),
    ],
)
def test_an_empty_store_says_so_on_the_side(knowl, words, said):
    knowl.ok("flag", "something odd")  # a flag is no entry

    done = knowl(*words)

    assert (done.code, done.out, done.err) == (0, "", said)
    assert knowl(*words, "--json").err == ""


def test_a_filter_that_nothing_passes_says_so_on_the_side(repo, knowl):
    write(person(repo), "cart", CART)

    assert knowl("ls", "--type", "feedback").err == (
        "no entry is like that; 'git knowl ls' lists all\n"
    )
    assert knowl("ls").err == ""
    assert knowl("search", "zebra").err == "nothing fits; 'git knowl ls' lists everything\n"


# --- who may do it ---------------------------------------------------------------------------


def test_a_review_without_a_terminal_names_the_two_ways_to_decide(knowl):
    submit(knowl, capture_item())

    hint = knowl("review").err
    assert "a person runs 'git knowl review' in one, or add --accept ID --reviewer" in hint


def test_inside_an_agent_host_a_review_hints_at_nothing_that_is_refused_there(repo, knowl):
    submit(knowl, capture_item())
    host = knowl.at(repo.path, KNOWL_HOST="claude")

    done = host("review")
    assert done.code == 1
    assert done.err.endswith("hint: a person runs 'git knowl review' in one\n")

    repo.git("config", "knowl.unattended", "allow")
    assert "--accept ID --reviewer 'NAME <MAIL>'" in host("review").err


# --- what was written by others --------------------------------------------------------------


def test_log_marks_what_plain_git_wrote_and_believes_no_trailer_of_it(repo, knowl):
    write(person(repo), "cart", CART)
    told = "retire cart\n\nReviewed-by: Ada <ada@example.org>\nKnowl-How: unattended\nKnowl-Host: x"
    tree = f"{refs.ENTRIES}^{{tree}}"
    commit = repo.git("commit-tree", tree, "-p", refs.ENTRIES, "-m", told)
    repo.git("update-ref", refs.ENTRIES, commit)

    foreign, ours = knowl.ok("log").splitlines()

    assert foreign.endswith(" [not written by git-knowl]")
    assert "not written" not in ours
    assert knowl.json("log")["operations"][0]["op"] == ""


# --- locks -----------------------------------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(refs, "_PATIENCE", ("core.filesRefLockTimeout=20",))


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("ref", [refs.ENTRIES, refs.INBOX])
def test_a_young_lock_is_named_with_its_age_and_what_becomes_of_it(repo, knowl, ref):
    write(person(repo), "cart", CART)
    knowl.ok("flag", "something odd")
    lock = repo.path / ".git" / f"{ref}.lock"
    lock.touch()
    before = tips(repo)
    words = ["flag", "odd too"] if ref == refs.INBOX else ["retire", "cart", "--reason", "x"]

    done = knowl(*words)

    assert done.code == 4
    assert f"was not written: the lock file '{lock}' is there, " in done.err
    assert "the next write removes it once it is older than 60 s and nobody uses it" in done.err
    assert "moved" not in done.err
    assert tips(repo) == before
    lock.unlink()
    knowl.ok(*words)


# --- names -----------------------------------------------------------------------------------


def test_show_of_a_retired_entry_says_who_took_it_out_why_and_the_way_back(repo, knowl):
    write(person(repo), "cart", CART)
    knowl.ok("retire", "cart", "--reason", "the supplier is gone", "--reviewer", KIM)

    done = knowl("show", "cart")

    assert done.code == 1
    assert f"error: 'cart' was retired by {KIM} at 20" in done.err
    assert ": the supplier is gone\n" in done.err
    assert "a person brings it back with 'git knowl restore cart'" in done.err


def test_a_misspelt_name_offers_the_nearest(repo, knowl):
    write(person(repo), "cart-doubles", CART)

    for verb in ("show", "diff", "edit", "log"):
        assert "hint: did you mean 'cart-doubles'? " in knowl(verb, "cart-dubbles").err, verb


# --- identity --------------------------------------------------------------------------------


def test_where_git_knows_nobody_a_named_reviewer_writes_and_is_the_author(repo, knowl, tmp_path):
    """As docs/trust.md says: only what goes by git's identity is refused."""
    (tmp_path / "config").write_text("[user]\n\tuseConfigOnly = true\n")
    parts = ("COMMITTER_NAME", "COMMITTER_EMAIL", "AUTHOR_NAME", "AUTHOR_EMAIL")
    unset = {f"GIT_{part}": "" for part in parts}
    nobody = knowl.at(repo.path, GIT_CONFIG_GLOBAL=str(tmp_path / "config"), **unset)
    words = ("add", "--name", "cart", "--type", "project", "-d", "Read first", "-a", CART)

    for refused in (["flag", "odd"], [*words, "--body", "-"]):
        done = nobody.process(*refused, stdin="Why: so.")
        assert (done.code, "user.email" in done.err) == (1, True)
    assert tips(repo) == {}

    done = nobody.process(*words, "--body", "-", "--reviewer", KIM, stdin="Why: so.")
    assert done.code == 0, done.err
    assert repo.git("log", "-1", "--format=%an <%ae>", refs.ENTRIES) == KIM
    assert nobody.process("retire", "cart", "--reason", "old").code == 1
    assert nobody.process("retire", "cart", "--reason", "old", "--reviewer", KIM).code == 0
