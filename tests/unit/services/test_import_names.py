"""What an import makes of a text, names and tags too, is made of the text without its secrets."""

from __future__ import annotations

import json

import pytest

from git_knowl.model.document import render
from git_knowl.model.entry import Source
from git_knowl.services.compose import Text, scrub
from git_knowl.services.exchange.import_ import import_path
from git_knowl.services.exchange.wording import slug
from git_knowl.services.filters.screen import screen_entry
from git_knowl.services.filters.secrets import SecretError
from tests.support.contexts import inbox_of
from tests.support.people import person
from tests.support.stores import entry

VALUE = "3d344217bd575c1272cbcc2573dc06b0"
TOKEN = "gh" + "p_" + "Zq7Xv2Kp9Lm4Rt6Bn8Wd3Hf5Jc1Gs0YaUeOi"
TOLD = (f"use password: {VALUE}", f"set DATADOG_API_KEY={VALUE}", f"send {TOKEN}")
RULES, DECISION, INDEX, TOPIC = "AGENTS.md", "adr/0001-it.md", "mem/MEMORY.md", "mem/one.md"
#: Every place of a foreign text that something is named by.
PLACES = {
    "a rule": (RULES, "- {} for the database\n"),
    "prose": (RULES, "# Rules\n\n{} for the database. It is shared.\n"),
    "a heading": (RULES, "# All\n\n## {}\n\n- ask before you change the database\n"),
    "what announces a list": (RULES, "{} as follows:\n\n- ask before you change it\n"),
    "the scope of a rule": (RULES, "---\nglobs: {}\n---\n- ask before you change it\n"),
    "the title of a record": (DECISION, "# 1. {}\n\n## Decision\n\nIt is so.\n"),
    "what was decided": (DECISION, "# 1. It\n\n## Decision\n\n{} from now on.\n"),
    "the status of a record": (DECISION, "---\nstatus: proposed, {}\n---\n# 1. It\n\nText.\n"),
    "the name of a topic": (TOPIC, "---\nname: '{}'\n---\nWhat it is.\n"),
    "the title of a topic": (TOPIC, "# {}\n\nWhat it is.\n"),
    "the first sentence": (TOPIC, "{} for the database.\n"),
    "the line of an index": (INDEX, "- [one](one.md) {}\n"),
    "what an index says": (INDEX, "{} for the database, always.\n"),
}


@pytest.fixture
def ctx(repo):
    repo.write(INDEX, "- [one](one.md) is about it\n")
    repo.write(TOPIC, "What it is.\n")
    return person(repo)


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("place", PLACES)
def test_no_field_of_a_draft_holds_a_secret_of_the_text(repo, ctx, place, told):
    file, text = PLACES[place]
    repo.write(file, text.format(told))

    done = import_path(ctx, file.partition("/")[0])
    drafts = inbox_of(ctx).drafts

    assert drafts
    assert not done.failed
    assert done.redacted
    for draft in drafts:
        stored = f"{draft!r} {render(draft.entry).decode()}".lower()
        assert VALUE not in stored
        assert TOKEN[4:].lower() not in stored


def test_a_value_that_was_given_away_once_is_in_no_name_of_the_same_file(repo, ctx):
    repo.write(RULES, f"- the password: {VALUE} is old\n\n- {VALUE} is what the job reads\n")

    import_path(ctx, RULES)

    assert {one.name for one in inbox_of(ctx).drafts} == {
        "the-password-is-old",
        "is-what-the-job-reads",
    }


@pytest.mark.parametrize(
    "rule", ["password:\n{}\n", "- The staging password:\n  {}\n", "- api_key =\n  `{}`\n"]
)
def test_a_value_below_its_label_is_in_no_body(repo, ctx, rule):
    repo.write(RULES, "# Rules\n\n## Access\n\n" + rule.format(VALUE))

    done = import_path(ctx, RULES)

    assert done.redacted
    assert VALUE not in repr(inbox_of(ctx).drafts)


def test_a_text_with_a_secret_is_known_again(repo, ctx):
    repo.write(RULES, f"- use password: {VALUE} for the database\n")
    import_path(ctx, RULES)

    done = import_path(ctx, RULES)

    assert done.unchanged == [RULES]


@pytest.mark.parametrize("told", [*TOLD, f"use pass**word**: {VALUE}"])
def test_a_name_is_made_without_the_secret_its_marks_and_its_placeholder(told):
    assert not {VALUE, "redacted", TOKEN[4:].lower()} & {*slug(f"{told} here").split("-")}


@pytest.mark.parametrize("gives_away", ["description", "body", "quote", "ref"])
def test_what_one_field_gives_away_is_masked_in_every_other(gives_away):
    told = dict.fromkeys(("description", "body", "quote", "ref"), f"see {VALUE}")
    told[gives_away] = f"the password is {VALUE}"
    source = Source("quote", told.pop("ref"), told.pop("quote"))

    clean, found = scrub(Text("fine", type="project", source=source, **told))

    assert found == (("PASSWORD", 4),)
    assert VALUE not in repr(clean)


# --- names that somebody gave ---------------------------------------------------------------


@pytest.mark.parametrize("value", [VALUE, "Xv2+Kp9Lm4/Rt6Bn8Wd3Hf5Jc1Gs0YaUeOi9"])
@pytest.mark.parametrize(
    "beside", [{"description": "Read: {}"}, {"body": "{}\n"}, {"description": "a", "body": "x {}"}]
)
def test_a_name_with_a_value_that_the_text_gives_away_is_refused(value, beside):
    spelt = slug(value, 100)
    told = {key: text.format(f"password: {value}") for key, text in beside.items()}
    fields = {"description": "When it is read", "body": "Text.\n", **told}
    named = {"name": f"use-password-{spelt}-here"}
    tagged = {"name": "fine", "tags": (f"for-{spelt}",)}
    for names in (named, tagged):
        with pytest.raises(SecretError, match="something that looks like PASSWORD") as caught:
            scrub(Text(type="project", **fields, **names))
        screened = screen_entry(entry(**fields, **names))

        assert spelt not in caught.value.message
        assert len(screened.refused) == 1
        assert spelt not in screened.refused[0]


def test_a_name_that_only_shares_words_with_a_secret_stays():
    text = Text("cart-password", "password: hunter2cart", "project", "the password is 'cart'\n")

    clean, found = scrub(text)

    assert found
    assert clean.name == "cart-password"
    assert json.dumps(clean.description).count("REDACTED") == 1
