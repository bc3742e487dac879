"""What the documents state about the program is what the program does."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import fields

import pytest

from git_knowl.anchors import commits, freshness
from git_knowl.anchors.kinds import KINDS
from git_knowl.anchors.lockfiles.table import LOCKFILES
from git_knowl.anchors.symbols import ledger
from git_knowl.interfaces.cli.table import COMMANDS
from git_knowl.model import (
    anchor,
    draft,
    entry,
    flag,
    limits,
    rules,
    status,
    yaml_reader,
    yaml_words,
)
from git_knowl.model.document import parse, render
from git_knowl.model.fields import to_fields
from git_knowl.model.tiers import TIERS
from git_knowl.plumbing import lock, refs
from git_knowl.plumbing.encoding import genesis
from git_knowl.services import gate, use_steps
from git_knowl.services import use_log as use_service
from git_knowl.services.audit.audit import CURSOR
from git_knowl.services.catchup import cursor
from git_knowl.services.catchup import flags as catchup_flags
from git_knowl.services.files import UNFINISHED
from git_knowl.services.notes import suspected
from git_knowl.services.recording import HOST
from git_knowl.services.semantic import vectors
from git_knowl.services.sync import since
from git_knowl.store import (
    anchored_list,
    cache_file,
    cache_write,
    decided,
    drafts,
    flags,
    layout,
    purged,
    state,
    tombstones,
    trust_file,
    use,
)
from git_knowl.store.transaction import AFTER, AT, ENTRY, OP, WITH
from tests.support import manual
from tests.support.project import PACKAGE, project_files
from tests.support.seal import ROOT

DOCS = ROOT / "docs"
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in project_files()
    if path.suffix == ".md" and (path.parent == ROOT or path.is_relative_to(DOCS))
}
README = PAGES["README.md"]
FORMAT = PAGES["docs/storage-format.md"]
FRESHNESS = PAGES["docs/freshness.md"]
GLOSSARY = PAGES["docs/glossary.md"]
DECISIONS = {name: text for name, text in PAGES.items() if name.startswith("docs/decisions/")}

SAMPLE = re.search(r"(?s)```markdown\n(.*?)```", FORMAT)[1]  # type: ignore[index]
ENTRY_OF_SAMPLE = parse(SAMPLE.encode())
TIME = "2026-11-29T10:00:00Z"
CODE = re.compile(r"`([^`]+)`")


def rows(text: str) -> dict[str, str]:
    """Return the tables of a page: what stands in the first column, and the rest of its line."""
    lines = (line.strip("|").split(" | ", 1) for line in text.splitlines() if line.startswith("| "))
    return {first.strip(): rest[0].strip() for first, *rest in lines if rest}


def section(text: str, title: str) -> str:
    """Return what stands below a heading up to the next one of any level."""
    return re.split(r"(?m)^#+ ", text.partition(f" {title}\n")[2])[0]


def codes(text: str) -> list[str]:
    """Return what stands in backticks, parentheses and what is in them left out."""
    return CODE.findall(re.sub(r" \([^)]*\)", "", text))


# --- generated pages -------------------------------------------------------------------------


def made_with_this_click() -> bool:
    return f"with click {manual.CLICK};" in PAGES["docs/commands.md"]


ANOTHER_CLICK = "another version of click writes usage lines otherwise"


@pytest.mark.skipif(not made_with_this_click(), reason=ANOTHER_CLICK)
def test_the_command_reference_is_that_of_the_commands() -> None:
    """`python -m tests.support.manual` brings it up to date."""
    assert manual.REFERENCE.read_text(encoding="utf-8") == manual.reference()


@pytest.mark.skipif(not made_with_this_click(), reason=ANOTHER_CLICK)
def test_the_man_pages_are_those_of_the_commands() -> None:
    """`python -m tests.support.manual` brings them up to date."""
    checked_in = {path.name: path.read_text(encoding="utf-8") for path in manual.MAN.iterdir()}

    assert checked_in == manual.man_pages()


def test_help_has_no_mark_that_was_meant_for_the_formatter() -> None:
    assert "\\b" not in manual.reference()


# --- all pages -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_links_between_pages_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\((?!https?://)([^)#]+)", PAGES[name])
    page = ROOT / name

    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_verbs_that_pages_name_exist(name: str) -> None:
    named = set(re.findall(r"\bgit[ -]knowl ([a-z]+)\b", re.sub(r"\s+", " ", PAGES[name])))

    assert named - COMMANDS.keys() == set()


@pytest.mark.parametrize("name", PAGES)
def test_modules_that_pages_name_exist(name: str) -> None:
    modules = {str(path.relative_to(ROOT)) for path in PACKAGE.rglob("*")}
    named = set(re.findall(r"`((?:\w+/)+\w*(?:\.py)?)`", PAGES[name]))
    inside = {path.rstrip("/") for path in named if path.split("/")[0] in OWN_FOLDERS}

    assert {p for p in inside if not any(m.endswith(f"/{p}") for m in modules)} == set()


OWN_FOLDERS = {path.name for path in PACKAGE.iterdir() if path.is_dir()} | {"commands"}


def test_the_architecture_is_read_in_one_go() -> None:
    assert len(PAGES["docs/architecture.md"].splitlines()) <= 150


def test_decisions_are_numbered_and_say_what_was_rejected() -> None:
    numbers = [re.search(r"/(\d{4})-", name)[1] for name in DECISIONS]  # type: ignore[index]

    assert numbers == [f"{number:04d}" for number in range(1, len(numbers) + 1)]
    for number, text in zip(numbers, DECISIONS.values(), strict=True):
        assert text.startswith(f"# {number}: ")
        assert re.findall(r"(?m)^\*\*(\w+)\.\*\*", text) == [
            "Context", "Choice", "Rejected", "Consequence",
        ]  # fmt: skip


def test_the_readme_names_every_verb_once() -> None:
    table = [codes(line) for line in section(README, "Commands and settings").splitlines()]

    assert sorted(word for line in table[3:9] for word in line) == sorted(COMMANDS)


# --- storage format --------------------------------------------------------------------------


def test_the_sample_is_a_document_as_the_program_writes_it() -> None:
    assert render(ENTRY_OF_SAMPLE).decode() == SAMPLE
    assert rules.validate(ENTRY_OF_SAMPLE) == []


def test_the_sample_accepts_its_evidence_for_its_own_text() -> None:
    """The digest is made here by the recipe of the page, not by the program."""
    told = {
        "anchors": [
            "file:src/chat/list.vue",
            "package:npm/markstream-vue!pnpm-lock.yaml",
            "url:30d:https://example.org/guide",
        ],
        "body": SAMPLE.split("---\n", 2)[2].removesuffix("\n"),
        "depends_on": [],
        "description": ENTRY_OF_SAMPLE.description,
        "name": ENTRY_OF_SAMPLE.name,
        "source": {"kind": "quote", "quote": "the list got slow after the redesign", "ref": None},
        "tags": ["performance"],
        "type": "project",
    }
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()

    assert ENTRY_OF_SAMPLE.digest == digest
    assert set(re.findall(r'text: "(\w+)"', SAMPLE)) == {digest}


def full_entry() -> entry.Entry:
    """Return an entry that has something in every field."""
    needed = anchor.EntryFingerprint("a" * 64, "b" * 64, TIME, "Ada", "web")
    link = anchor.EntryLink(ENTRY_OF_SAMPLE.id, "other", (needed,))
    return entry.Entry(
        **{one.name: getattr(ENTRY_OF_SAMPLE, one.name) for one in fields(entry.Entry)}
        | {
            "patch_id": "a" * 40,
            "provenance": "stated",
            "depends_on": (link,),
            "supersedes": (link.id,),
            "related": (entry.Related(link.id, "extends", 90),),
            "promoted": entry.Promoted("AGENTS.md", "a" * 64),
        }
    )


def test_keys_stand_in_the_order_of_the_page() -> None:
    order = codes(FORMAT.partition("The order is\n")[2].partition(". Left out")[0])

    assert list(to_fields(full_entry())) == order


def test_keys_of_nested_values_are_those_of_the_page() -> None:
    table = rows(section(FORMAT, "Entries"))
    written = to_fields(full_entry())

    assert CODE.findall(table["`source`"]) == ["kind", "ref", "quote"]
    assert CODE.findall(table["`depends_on`"]) == list(written["depends_on"][0])
    assert CODE.findall(table["`related`"]) == list(written["related"][0])
    assert CODE.findall(table["`reviewed`"]) == list(written["reviewed"])
    assert CODE.findall(table["`promoted`"]) == list(written["promoted"])


@pytest.mark.parametrize(
    ("key", "choices"),
    [
        ("`type`", entry.TYPES),
        ("`provenance`", entry.PROVENANCES),
        ("`source`", entry.SOURCE_KINDS),
        ("`related`", rules.RELATIONS),
        ("`reviewed`", entry.HOWS),
    ],
)
def test_values_that_a_key_may_have_are_those_of_the_page(key: str, choices: tuple[str]) -> None:
    told = rows(section(FORMAT, "Entries"))[key]
    inside = re.search(r"\((.*?)\)", told)

    assert (
        tuple(re.findall(r"\w+", (inside[1] if inside else told).replace(" or ", " "))) == choices
    )


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        ("file", anchor.FileFingerprint),
        ("symbol", anchor.SymbolFingerprint),
        ("snippet", anchor.SnippetFingerprint),
        ("tree", anchor.TreeFingerprint),
        ("package", anchor.PackageFingerprint),
        ("commit", anchor.CommitFingerprint),
        ("entry", anchor.EntryFingerprint),
    ],
)
def test_fields_of_fingerprints_are_those_of_the_page(kind: str, made: type) -> None:
    told = codes(rows(section(FORMAT, "Fingerprints"))[kind])

    assert sorted(told) == sorted({one.name for one in fields(made)} - {"extra"})


def test_fields_of_records_are_those_of_the_page() -> None:
    table = rows(section(FORMAT, "Tombstones, flags, drafts"))
    tombstone = tombstones.Tombstone("i", "n", "r", "b", TIME, "d", "s")
    path = flag.FlagPath("p", "sha1:b")
    bookmark = flag.Flag(
        "i", "s", TIME, "b", (path,), "cost", "q", "h", "s", "w", "b", "h", "pending", "d", "c", "o"
    )
    proposal = draft.Draft(
        "i", "capture", "x", TIME, "b", "n", ("f",), ("w",), full_entry(), "t", "e", "r", "shared",
        "h", "s", "w", {"file": "f"}, {"t": "a"}, "o",
    )  # fmt: skip

    assert codes(table["tombstone"]) == list(json.loads(tombstones.encode(tombstone)))
    assert codes(table["flag"]) == list(json.loads(flags.encode(bookmark)))
    assert "`paths` (each `path`, `blob`)" in table["flag"]
    assert codes(table["draft"]) == list(json.loads(drafts.encode(proposal)))


def test_limits_are_those_of_the_page() -> None:
    found = re.findall(r"\| ([a-z ,]+?) \| ([\d,]+) (?=\|)", section(FORMAT, "Entries"))
    lowest, highest = limits.URL_MAX_AGE_DAYS

    assert {name: int(number.replace(",", "")) for name, number in found} == {
        "name": limits.NAME,
        "description": limits.DESCRIPTION,
        "body": limits.BODY,
        "anchors": limits.ANCHORS,
        "tags": limits.TAGS,
        "flag summary": limits.SUMMARY,
        "path": limits.PATH,
        "url": limits.URL,
        "source quote": limits.QUOTE,
        "reason": limits.REASON,
        "tag": limits.TAG,
        "paths of a flag": limits.FLAG_PATHS,
        "snippet": limits.SNIPPET,
        "lines of a snippet": limits.SNIPPET_LINES,
        "symbol": limits.SYMBOL,
        "depends on": limits.DEPENDS_ON,
        "lowest age of a url, days": lowest,
        "highest age of a url, days": highest,
    }


def test_what_a_reader_refuses_is_what_the_page_says() -> None:
    told = section(FORMAT, "Entries")

    assert f"longer than {yaml_words.LONGEST_KEY} characters" in told
    assert f"more than {yaml_reader.DEEPEST} levels" in told
    assert f"more than {limits.FRONTMATTER_BYTES:,} bytes of frontmatter" in told
    assert f"more than {limits.DOCUMENT_BYTES:,} bytes in all" in told


def test_refs_are_those_of_the_page() -> None:
    told = section(FORMAT, "Refs")
    reserved = CODE.findall(told.partition("Reserved")[2].partition("The bare")[0])

    assert [name.strip("`") for name in rows(told) if name != "ref"] == [
        refs.ENTRIES, refs.LOCAL_ENTRIES, refs.INBOX, refs.STATE,
        f"{refs.REMOTES_PREFIX}<remote>/entries",
    ]  # fmt: skip
    assert reserved == [refs.LIBRARY, refs.WORK]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_the_genesis_is_that_of_the_page(object_format: str) -> None:
    oid, objects = genesis(object_format)
    commit = dict(objects)["commit"].decode()

    assert f"`{oid}`" in FORMAT
    assert re.sub("tree .*", "tree <the empty tree>", commit) in FORMAT


def test_trailers_are_those_of_the_page() -> None:
    told = {name for key in rows(section(FORMAT, "Commits")) for name in codes(key)}

    assert told == {OP, ENTRY, AT, WITH, AFTER, HOST, "Reviewed-by", "Knowl-How"}


def test_places_in_the_trees_are_those_of_the_page() -> None:
    fence = section(FORMAT, "Trees").split("```")[1]
    told = {line.split("  ")[0] for line in fence.splitlines()[1:] if not line.startswith(" ")}
    last, one, two = "<last 2 of id>", "<x>", "<y>"

    assert told == {
        layout.FORMAT_FILE,
        layout.PROJECT_FILE,
        f"{layout.ENTRIES}/{last}/<id>.<name>{layout.ENTRY_SUFFIX}",
        f"{layout.RETIRED}/{last}/<id>{layout.RECORD_SUFFIX}",
        layout.conflict_path("<id>", "<digest>"),
        f"{layout.FLAGS}/{last}/<id>{layout.RECORD_SUFFIX}",
        f"{layout.DRAFTS}/{last}/<id>{layout.RECORD_SUFFIX}",
        f"{state.ACCEPTED}/{one}/{two}",
        f"{decided.DECIDED}/{one}/{two}",
        state.SNOOZED,
        use.COUNTS,
        use.SINCE,
        use.QUESTIONS,
        since.FILE,
        purged.purged_path("<digest>"),
    }
    assert layout.FORMAT_TEXT == b"format 1\nreader 1\n"


def test_derived_files_are_those_of_the_page() -> None:
    told = codes(section(FORMAT, "Derived files"))

    assert [name for name in told if not name.startswith(("git ", "edit"))] == [
        cache_file.NAME, commits.FILE, ledger.FILE, trust_file.FILE, vectors.FILE, cache_write.LOCK,
        lock.NAME, lock.TURN_SUFFIX, anchored_list.NAME, catchup_flags.LOOKED,
        use_service.FILE, use_service.SALT, use_steps.FILE,
        freshness.FILE, freshness.PERSONAL_FILE, CURSOR, cursor.CURSOR, cursor.TOLD,
        suspected.PENDING, UNFINISHED,
    ]  # fmt: skip


# --- freshness and glossary ------------------------------------------------------------------


def test_anchor_kinds_and_verdicts_are_those_of_the_page() -> None:
    assert re.findall(r"(?m)^## `(\w+):", FRESHNESS) == [*KINDS, "entry"]
    assert {word.strip("`") for word in rows(FRESHNESS.split("## ")[0])} - {"verdict"} == set(
        status.STATUSES
    )


def test_lockfiles_are_those_of_the_page() -> None:
    told = rows(section(FRESHNESS, "`package:TYPE/NAME[!LOCKFILE]`"))
    listed = {kind: set(codes(files)) for kind, files in told.items() if "`" in files}
    known: dict[str, set[str]] = {}
    for name, (kind, _) in LOCKFILES.items():
        known.setdefault(kind, set()).add(name)

    assert listed == known


def test_ages_of_pages_are_those_of_the_page() -> None:
    lowest, highest = limits.URL_MAX_AGE_DAYS

    assert (
        f"({limits.URL_DEFAULT_AGE_DAYS} days unless given, {lowest} to {highest:,})" in FRESHNESS
    )


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("cue", flag.CUES),
        ("draft", draft.KINDS),
        ("entry", entry.TYPES),
        ("lane", entry.LANES),
        ("tier", TIERS),
        ("verdict", (status.ACTIVE, status.SUSPECT, status.UNKNOWN)),
    ],
)
def test_the_glossary_names_every_value(word: str, values: tuple[str, ...]) -> None:
    assert codes(rows(GLOSSARY)[word]) == list(values)


def test_what_an_agent_host_may_not_do_is_what_the_page_says() -> None:
    told = section(PAGES["docs/trust.md"], "Inside an agent host")

    assert tuple(codes(told.partition("There\n")[2].partition(" are refused")[0])) == gate.RESERVED


def test_variables_of_the_environment_are_those_of_the_reference() -> None:
    read = {name for path in PACKAGE.rglob("*.py") for name in VARIABLE.findall(path.read_text())}

    assert read == manual.ENVIRONMENT.keys()


VARIABLE = re.compile(r"\"(KNOWL_\w+|NO_COLOR)\"")
