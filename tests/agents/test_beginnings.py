"""What an agent hears where little is known yet, and what it is told of the rest later."""

from __future__ import annotations

import pytest

from git_knowl.services.agents.recall import LONGEST
from git_knowl.services.agents.touching import MOST_ENTRIES, MOST_PATHS
from tests.support.agent_host import Claude
from tests.support.people import CART, KIM, person, write

CUES = "surprise: reality overturned"
CHANGED = "Written to the store while you worked"
UNSAFE = ("knowl.semantic", "knowl.quiet", "knowl.lane", "knowl.autoSync", "knowl.sign")


def filed(repo, name, *anchors, **more):
    """Store an entry, reviewed."""
    return write(person(repo), name, *(anchors or [CART]), **more)


def named(said):
    """Return the names of the entries in a block."""
    return [line[2:].split(" ")[0] for line in said.splitlines() if line.startswith("- ")]


def test_where_only_flags_wait_a_session_hears_what_to_flag_and_how_many_wait(repo, knowl):
    knowl.ok("flag", "the build needs two runs", "-p", "lib/cart.ts")
    first = Claude(repo.path).start()
    knowl.ok("flag", "the cart is odd", "-p", "lib/cart.ts")
    again = Claude(repo.path, session="s-2").start("compact")

    assert CUES in first
    assert "No entry to list here yet. 1 flag waits to be written up." in first
    assert "No entry to list here yet. 2 flags wait to be written up." in again
    assert knowl.ok("index") == ""


def test_a_host_that_is_owed_the_index_gets_it_with_the_next_question(repo, knowl):
    knowl.ok("flag", "the build needs two runs", "-p", "lib/cart.ts")
    gemini = Claude(repo.path)
    gemini.name = "gemini"
    gemini.send("PreCompress", trigger="manual")

    said = gemini.send("BeforeAgent", prompt="how does the build go on?")

    assert CUES in said["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("has_store", [False, True])
def test_the_personal_store_is_told_in_every_repository(repo, knowl, tmp_path, has_store):
    repo.git("init", "-q", "--bare", str(tmp_path / "own.git"))
    repo.git("config", "knowl.personal", str(tmp_path / "own.git"))
    about = ("--name", "short-answers", "--type", "feedback", "-d", "Read before answering")
    source = ("--source", "said on the first day", "--reviewer", KIM)
    knowl.ok("add", *about, "--lane", "personal", *source, "--body", "-", stdin="Short. Why: so\n")
    if has_store:
        filed(repo, "cart-doubles")
    claude = Claude(repo.path)

    assert claude.start() == knowl.ok("index")
    assert "- short-answers" in claude.start("resume")
    assert named(claude.asks("read before answering, in short")) == ["short-answers"]
    assert claude.asks("read before answering, in short") == ""


@pytest.mark.parametrize("key", UNSAFE)
def test_a_setting_that_is_not_needed_may_be_wrong(repo, knowl, key):
    filed(repo, "cart-doubles")
    repo.git("config", key, "banana")

    said = Claude(repo.path).start()

    assert named(said) == ["cart-doubles"]
    assert said == knowl.ok("index")
    assert named(Claude(repo.path).edits("lib/cart.ts")) == ["cart-doubles"]


def test_what_finds_no_room_is_counted_and_comes_at_the_next_touch(repo):
    for number in range(MOST_ENTRIES + 3):
        filed(repo, f"rule-{number}")
    claude = Claude(repo.path)

    said = [claude.edits("lib/cart.ts") for _ in range(3)]

    assert [len(named(one)) for one in said] == [MOST_ENTRIES, 3, 0]
    assert "3 more, when one of these files is touched again" in said[0]
    assert "more, when" not in said[1]


def test_what_is_cut_by_the_length_of_a_block_comes_at_the_next_touch_too(repo):
    names = [f"long-{number}" for number in range(6)]
    for name in names:
        filed(repo, name, body=f"{name}. Why: " + "because " * 400)
    claude = Claude(repo.path)

    said = [named(claude.edits("lib/cart.ts")) for _ in range(4)]

    assert sorted(name for one in said for name in one) == names
    assert 0 < len(said[0]) < 6


def test_many_files_of_one_command_are_looked_at_and_the_rest_is_counted(repo):
    filed(repo, "cart-doubles")
    others = [f"src/{number}.c" for number in range(MOST_PATHS + 7)]
    fitting = [*others[: MOST_PATHS - 1], "lib/cart.ts"]

    assert named(Claude(repo.path).runs(f"cat {' '.join(fitting)}")) == ["cart-doubles"]
    said = Claude(repo.path, "s-2").runs(f"cat {' '.join(['lib/cart.ts', *others])}")
    assert "Files named that were not looked up: 8;" in said


def test_of_several_files_each_entry_says_on_which_it_rests(repo):
    filed(repo, "cart-doubles")
    filed(repo, "both", CART, "file:conf.yml")
    said = Claude(repo.path).runs("diff lib/cart.ts conf.yml").splitlines()

    assert "What earlier sessions found out about these files:" in said
    assert (
        said[said.index("- cart-doubles — Read before touching cart-doubles") - 1]
        == "on lib/cart.ts:"
    )
    assert said[said.index("- both — Read before touching both") - 1] == "on lib/cart.ts, conf.yml:"


def test_what_others_write_beside_a_write_of_the_agent_is_told(repo):
    filed(repo, "first")
    claude = Claude(repo.path)
    claude.start()
    filed(repo, "by-others")
    filed(repo, "own")

    said = claude.runs("echo text | git knowl add --name=own --type project")

    assert CHANGED in said
    assert named(said) == ["by-others"]


def test_a_retirement_is_told(repo, knowl):
    filed(repo, "first")
    filed(repo, "second")
    claude = Claude(repo.path)
    claude.start()
    knowl.ok("retire", "first", "--reason", "over", "--reviewer", KIM)

    assert "- first was retired" in claude.told("PostToolUse", tool_name="Task")
    knowl.ok("retire", "second", "--reason", "over", "--reviewer", KIM)
    assert claude.runs("git knowl retire second --reason over") == ""


def test_of_what_is_kept_from_agents_no_retirement_is_told(repo, knowl):
    filed(repo, "kept")
    repo.git("config", "knowl.trust", "signed")
    claude = Claude(repo.path)
    claude.start()
    knowl.ok("retire", "kept", "--reason", "over", "--reviewer", KIM)

    assert claude.told("PostToolUse", tool_name="Task") == ""


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("クーポン計算", ["coupon"]),
        ("coupon", ["coupon"]),
        ("go on", []),
        ("計算", []),
        ("はい", []),
        ("クーポン計算を直す\n" + "log line\n" * LONGEST, []),
        ("coupon " + "log line " * LONGEST, []),
    ],
)
def test_a_short_question_may_say_enough(repo, prompt, found):
    filed(repo, "coupon", description="クーポン計算を触る前に読む")

    assert named(Claude(repo.path).asks(prompt)) == found


def test_of_a_long_question_the_first_part_counts(repo):
    filed(repo, "cart-doubles", description="The cart price doubles above three pieces")
    question = "why does the cart price double above three pieces? " * 12

    assert named(Claude(repo.path).asks(question + "x" * LONGEST)) == ["cart-doubles"]
