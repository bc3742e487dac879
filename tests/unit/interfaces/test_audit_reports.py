"""The audit as SARIF, JUnit and Markdown: whole, well escaped, with places."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from git_knowl.interfaces.cli.audit_junit import junit_text
from git_knowl.interfaces.cli.audit_markdown import code, markdown_text
from git_knowl.interfaces.cli.audit_sarif import sarif_object
from git_knowl.model.schema import check
from git_knowl.services.audit.audit import NoBaseError, audit, audit_against, pick_world
from git_knowl.services.findings import findings
from git_knowl.services.listing import Damaged
from git_knowl.services.snooze import snooze
from tests.support.cli import Knowl
from tests.support.people import CART, person, write

FIVE = "export function total(n) {\n  return n > 5 ? n * 2 : n\n}\n"
HOSTILE = "Read `x` ``y`` <img src=x> @team #1 ]]> \u202e &amp; \"q\" 'p' [a](javascript:b)"


@pytest.fixture
def branches(repo):
    """Entries on main; a branch that turns one suspect, while main turned another so."""
    ctx = person(repo)
    write(ctx, "cart", CART, description=HOSTILE.replace("\u202e", ""))
    write(ctx, "conf", "file:conf.yml")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("five", {"lib/cart.ts": FIVE})
    repo.git("checkout", "-q", "main")
    repo.commit("conf", {"conf.yml": "retries: 9\n"})
    return repo


def audited(repo, rev="topic", against="main"):
    ctx = person(repo)
    world = pick_world(ctx, rev, staged=False)
    done = audit_against(ctx, world, against) if against else audit(ctx, world, move=False)
    return done, list(findings(done, world))


def suite_of(done, found, *, strict=False):
    return ET.fromstring(junit_text(done, found, strict=strict))[0]  # noqa: S314 - made here


def test_only_what_the_branch_turns_suspect_counts(branches):
    done, _ = audited(branches)
    assert [(one.name, one.old, one.new) for one in done.changed] == [("cart", "active", "suspect")]
    assert done.findings(strict=False) == 1
    behind, _ = audited(branches, "main", "topic")
    assert [one.name for one in behind.changed] == ["conf"]


def test_what_was_suspect_at_the_merge_base_is_no_finding(branches):
    branches.git("checkout", "-q", "-b", "more", "topic")
    branches.commit("other", {"x": "y"})
    done, found = audited(branches, "more", "topic")

    assert done.changed == ()
    assert done.findings(strict=True) == 0
    assert [one.counts for one in found] == [False]


def test_a_merge_base_that_is_not_here_is_an_error_and_no_silence(branches):
    path = branches.path.parent / "shallow"
    branches.git(
        "clone", "-q", "--depth=1", "--no-single-branch", f"file://{branches.path}", str(path)
    )
    clone = type(branches)(path, branches.now)
    clone.git("fetch", "-q", "origin", "refs/knowl/entries:refs/knowl/entries")
    with pytest.raises(NoBaseError) as caught:
        audited(clone, "origin/topic", "origin/main")
    assert "shallow" in caught.value.hint
    done, _ = audited(clone, "origin/topic", None)
    assert done.findings(strict=False) == 1, "verdicts need no history"


def test_sarif_names_rule_place_and_whether_it_is_new(branches):
    done, found = audited(branches)
    (run,) = sarif_object(done, found)["runs"]
    (result,) = run["results"]

    assert (
        result["ruleId"] == run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "suspect"
    )
    assert result["baselineState"] == "new"
    (place,) = result["locations"]
    physical = place["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "lib/cart.ts"
    assert physical["region"] == {"startLine": 1}


def test_a_snoozed_entry_is_suppressed(branches):
    snooze(person(branches), "cart", "2999-01-01")
    done, found = audited(branches, "topic", None)
    (result,) = sarif_object(done, found)["runs"][0]["results"]

    assert result["suppressions"][0]["justification"] == "snoozed until 2999-01-01"
    assert done.findings(strict=True) == 0
    assert suite_of(done, found, strict=True).get("failures") == "0"


def test_paths_are_uris_and_entries_without_a_place_are_named(repo):
    repo.commit("odd", {"a b/ü#?.txt": "1\n"})
    ctx = person(repo)
    write(ctx, "odd", "file:a b/ü#?.txt")
    repo.commit("odder", {"a b/ü#?.txt": "2\n"})
    done, found = audited(repo, "HEAD", None)
    odd = sarif_object(done, found)["runs"][0]["results"][0]["locations"][0]
    nowhere = [replace(one, place=None) for one in found]

    location = odd["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "a%20b/%C3%BC%23%3F.txt"
    told = sarif_object(done, nowhere)["runs"][0]["results"][0]["locations"]
    assert told == [{"logicalLocations": [{"name": "odd", "kind": "entry"}]}]


def test_junit_has_a_case_for_every_entry_and_survives_hostile_text(branches):
    done, found = audited(branches, "topic", None)
    suite = suite_of(done, found)
    cases = {case.get("name"): case for case in suite}

    assert suite.attrib["tests"] == "2"
    assert suite.attrib["failures"] == "1"
    assert cases["conf"].find("failure") is None
    failure = cases["cart"].find("failure")
    assert failure.get("type") == "suspect"
    assert cases["cart"].get("file") == "lib/cart.ts"
    assert HOSTILE.replace("\u202e", "") in failure.text


def test_what_is_unknown_is_skipped_unless_it_counts(repo):
    repo.git("checkout", "-q", "-b", "with")
    repo.commit("new", {"new.txt": "1\n"})
    write(person(repo), "new", "file:new.txt")
    done, found = audited(repo, "main", None)

    assert suite_of(done, found).get("skipped") == "1"
    assert suite_of(done, found, strict=True).get("failures") == "1"


def test_the_comment_lists_what_the_branch_turns_suspect(branches):
    lines = markdown_text(*audited(branches)).splitlines()

    assert lines[0].startswith("**git knowl**: 1 entry suspect since `")
    assert lines[2].startswith("- suspect: `cart`: ```")
    assert lines[3].startswith("  - `file:lib/cart.ts`: `content differs, last changed by ")
    assert len(lines) == 4


def test_a_branch_without_news_says_so(branches):
    branches.git("checkout", "-q", "-b", "calm", "main")
    branches.commit("calm", {"x": "y"})
    assert markdown_text(*audited(branches, "calm")).startswith(
        "**git knowl**: nothing turned suspect since `"
    )


@pytest.mark.parametrize(
    "text", ["", "plain", "`", "``a```b`", "a\nb\r\n# c", "<script>", "\x1b[0m\u202e", "x" * 5000]
)
def test_a_code_span_ends_where_it_should(text):
    span = code(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    inside = span[len(fence) : -len(fence)]

    assert "\n" not in span
    assert span.endswith(fence)
    assert fence not in inside.replace("`" * (len(fence) + 1), "")
    assert all(char.isprintable() for char in span)


def test_the_formats_of_ci_leave_every_cursor_alone(branches):
    knowl = Knowl(branches.path)
    for form in ("json", "sarif", "junit", "markdown"):
        done = knowl("audit", "--commit", "topic", "--against", "main", "--format", form,
                     "--exit-code")  # fmt: skip
        assert done.code == 3, done.err
    told = json.loads(knowl("audit", "--against", "topic", "--json").out)
    assert told["base"]
    assert check("audit", told) == []
    state = branches.open().worktree_path()
    assert not (branches.path / state / "audit.json").exists()
    assert not (branches.path / state / "cursor").exists()


def test_a_bare_repository_is_audited_by_its_commits(branches):
    bare = branches.clone("bare.git", "--bare")
    bare.git("fetch", "-q", str(branches.path), "refs/knowl/entries:refs/knowl/entries")
    done = Knowl(bare.path)("audit", "--commit", "topic", "--against", "main", "--exit-code")
    assert done.code == 3, done.err


def test_the_place_of_a_part_of_a_file_has_its_line(repo):
    text = "x = 1\n\n\ndef total(n):\n    return n * 2\n"
    repo.commit("add", {"price.py": text})
    write(person(repo), "part", "symbol:price.py#total", "snippet:price.py:4-5", "tree:lib")
    repo.commit("more", {"price.py": "y = 2\n" + text.replace("2", "3"), "lib/new.ts": "x\n"})
    _, found = audited(repo, "HEAD", None)

    assert [(one.place.path, one.place.line) for one in found] == [
        ("price.py", 5),
        ("price.py", 4),
        ("lib/", 1),
    ]


def test_a_damaged_file_of_the_store_is_an_error_in_junit_and_text_beside_the_others(branches):
    done, found = audited(branches, "topic", None)
    broken = replace(done, found=replace(done.found, damaged=(Damaged("shared", "a<b", "cut"),)))
    suite = suite_of(broken, found)

    assert suite.attrib["errors"] == "1"
    assert suite.find("testcase[@name='a<b']/error").get("message") == "cut"
    assert broken.findings(strict=True) == 2


@pytest.mark.parametrize(
    "options", [("--staged",), ("--review",), ("--against", "main"), ("--format", "sarif")]
)
def test_health_stands_alone(branches, options):
    done = Knowl(branches.path)("audit", "--health", *options)
    assert done.code == 2, done.out


def test_health_is_told_in_words_and_as_an_object(branches):
    knowl = Knowl(branches.path)
    assert knowl.ok("audit", "--health") == "nothing to complain about\n"
    write(person(branches), "cart-again", CART, description=HOSTILE.replace("\u202e", ""))
    assert knowl.ok("audit", "--health").startswith("likely duplicate\n  cart: like 'cart-again'")
    found = knowl.json("audit", "--health")
    assert check("health", found) == []
    (told,) = found["complaints"]
    assert (told["kind"], told["name"]) == ("likely duplicate", "cart")
