"""Masking and refusing: what the filter promises, whatever the kind of secret."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from git_knowl.errors import KnowlError
from git_knowl.services.filters.secret_allowed import allowed, allowed_value
from git_knowl.services.filters.secret_strength import MIXED, PLAIN, RANDOM, strength
from git_knowl.services.filters.secrets import (
    Finding,
    SecretError,
    find,
    refuse,
    scrub,
    scrub_all,
)
from tests.unit.services.filters.samples import ALNUM, HEX, KEY_ID, PASSWORD, body


def test_a_finding_tells_the_type_and_where_the_value_stands():
    text = f"é {KEY_ID} end"

    assert find(text) == [Finding("AWS_KEY", 2, 2 + len(KEY_ID))]


def test_a_value_becomes_a_typed_placeholder():
    masked = scrub(f"deployed with {KEY_ID} by hand")

    assert masked.text == "deployed with [REDACTED:AWS_KEY] by hand"
    assert masked.found == (("AWS_KEY", 1),)


def test_findings_are_counted_by_type():
    text = f"password={PASSWORD} {KEY_ID} and A{'KIA'}{body(16, ALNUM.upper(), 'other')}"

    assert scrub(text).found == (("AWS_KEY", 2), ("PASSWORD", 1))


def test_clean_text_comes_back_as_the_same_object():
    text = "the retry budget is shared by all clients"

    assert scrub(text).text is text
    assert scrub(text).found == ()


def test_the_specific_type_names_what_two_rules_found():
    token = "gh" + "p_" + body(36)

    assert scrub(f"token: {token}").text == "token: [REDACTED:GITHUB_TOKEN]"
    assert scrub(f"https://kim:{token}@x.org").text == "https://kim:[REDACTED:GITHUB_TOKEN]@x.org"


def test_every_value_on_a_line_is_masked():
    first, second = body(20, seed="a"), body(20, seed="b")

    assert scrub(f"token: {first}, token: {second}").text == (
        "token: [REDACTED:TOKEN], token: [REDACTED:TOKEN]"
    )


def test_the_value_after_the_name_is_masked_and_not_a_word_like_it_before():
    assert scrub("hunter is here, password: hunter" + "2").text == (
        "hunter is here, password: [REDACTED:PASSWORD]"
    )


def test_other_copies_of_a_generated_value_are_masked_too():
    value = body(24)

    assert scrub(f"first {value}, then api_key={value}").text == (
        "first [REDACTED:API_KEY], then api_key=[REDACTED:API_KEY]"
    )


def test_the_sentence_around_a_value_keeps_its_punctuation():
    assert scrub(f"(password: {PASSWORD}).").text == "(password: [REDACTED:PASSWORD])."
    assert scrub(f"use `password={PASSWORD}`, then go").text == (
        "use `password=[REDACTED:PASSWORD]`, then go"
    )


def test_a_user_and_a_host_stay_readable():
    assert scrub("postgres://app:s3cr3t" + "pw@db.example.org/shop").text == (
        "postgres://app:[REDACTED:URL_PASSWORD]@db.example.org/shop"
    )


def test_a_placeholder_hides_nothing_that_follows_it():
    token = "gh" + "p_" + body(36)

    assert scrub(f"[REDACTED:TOKEN] {token}").text == "[REDACTED:TOKEN] [REDACTED:GITHUB_TOKEN]"


def test_a_field_that_cannot_be_masked_is_refused_without_showing_the_value():
    with pytest.raises(SecretError) as caught:
        refuse("anchors.0.path", f"conf/{KEY_ID}.yml")

    error = caught.value
    assert isinstance(error, KnowlError)
    assert "anchors.0.path" in error.message
    assert "AWS_KEY" in error.message
    assert KEY_ID not in f"{error.message} {error.hint}"


@pytest.mark.parametrize(
    "text",
    [
        "src/auth/token-service.ts",
        "config/secrets.yml",
        ".env.example",
        "file:lib/password_reset.rb",
        "package:npm/@auth/core!pnpm-lock.yaml",
        "url:30d:https://example.org/api-key#token",
        "no-direct-lint",
    ],
)
def test_ordinary_names_paths_and_urls_are_not_refused(text):
    refuse("path", text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("required", PLAIN),
        ("RetryHandler", PLAIN),
        ("argon2id-hashed", PLAIN),
        ("2026-11-29T10:00:00Z", PLAIN),
        ("обязателен", PLAIN),
        ("长度至少为12个字符", PLAIN),
        ("hunter2", MIXED),
        ("blue42fish", MIXED),
        ("Tr0ub4dor&3", RANDOM),
        ("dXNlcjpwYXNz", RANDOM),
        ("9f86d081884c7d65", RANDOM),
    ],
)
def test_words_are_told_from_generated_values(value, expected):
    assert strength(value) == expected


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("A" + "KIAIOSFODNN7EXAMPLE", "a key published in a vendor's documentation"),
        ("${DB_PASSWORD}", "a reference to the environment or to a variable"),
        ("process.env.TOKEN", "a reference to the environment or to a variable"),
        ("<your-token>", "a slot to be filled in"),
        ("xxxxxxxx", "a filler"),
        ("abc…xyz", "an elided value"),
        ("your-api-key", "a placeholder in words"),
        ("op://team/db/password", "a pointer into a secret store"),
        ("sha256:00ff", "a digest, not a key"),
    ],
)
def test_the_allow_list_gives_its_reason(value, reason):
    assert allowed(value) == reason
    assert allowed_value(value, is_literal=True) == reason


def test_code_is_only_allowed_where_no_quotes_mark_a_literal():
    assert allowed_value("user.password", is_literal=False) == "the path of a value"
    assert allowed_value("user.password", is_literal=True) is None
    assert allowed(PASSWORD) is None


#: Labels whose value stands in a line of its own.
BELOW = (
    *("password:\n{}\n", "- The staging password:\n  {}\n", "- api_key =\n  `{}`\n"),
    *("token:\n\n```sh\n{}\n```\n", "- [ ] token:\n  - [ ] {}", "1. secret:\n   2. {}\n"),
    *("## Password\n\n{}\n", "**Password:**\n{}", "**Password:** {}", "Password:<br>\n{}"),
    *("password: |\n  {}\n", "password: >-\n  {}\n", "secret = \\\n  {}", "token:\r\n{}\r\n"),
    *("the token of the\nstaging server is\n> {}, as ever", "API_KEY with value {}"),
    "Set PGPASSWORD to {} before the tests",
)


@pytest.mark.parametrize("form", BELOW)
@pytest.mark.parametrize("value", [body(32, HEX), body(20)])
def test_a_generated_value_below_its_label_is_masked_and_nothing_around_it(form, value):
    before, after = form.split("{}")
    masked = scrub(form.format(value)).text

    assert masked.startswith(f"{before}[REDACTED:")
    assert masked.endswith(f"]{after}")


@pytest.mark.parametrize(
    "text",
    [
        "token:\n  expires daily\n",
        "password:\n- at least 12 characters\n",
        "secret:\n  src/auth/session.ts\n",
        "auth:\n  required\n\nabout 3f2a9c81d04b: it broke the build",
        "api_key:\n  description: where it is from\n",
    ],
)
def test_other_words_below_a_label_stay(text):
    assert scrub(text).text == text


def test_what_one_text_of_a_thing_gives_away_is_masked_in_all_of_them():
    value = body(32, HEX)
    masked = scrub_all(f"Read before {value}", f"the password is {value}.", "", f"token:\n{value}")

    assert [value in one.text for one in masked] == [False] * 4
    assert [sum(count for _, count in one.found) for one in masked] == [1, 1, 0, 1]
    assert scrub_all(*(one.text for one in masked)) == [replace(one, found=()) for one in masked]


def test_a_word_that_one_text_gives_away_stays_in_the_others():
    told, other = scrub_all("password: hunter" + "2", "hunter" + "2 is a film")

    assert (told.text, other.text) == ("password: [REDACTED:PASSWORD]", "hunter2 is a film")


NAMES = ("password", "db_password", "secret", "token", "api_key")
#: Literals that end like a name in code, and names in code that hold a number.
LITERALS = (
    *("hunter" + "2" + end for end in ("secret", "key", "token", "password", "Secret", "pwd2")),
    *("hunter" + "2" + end for end in ("_secret", "_key", ".secret", "-token")),
    *("S3cret" + "99key", "abc" + "1234567token", "blue" + "42fish_key", "x9" + "x8x7x6secret"),
)
REFERENCES = (
    *("$SECRET", "${SECRET}", "$DB2_PASSWORD", "%SECRET%", "{{ vault_db_password }}"),
    *('os.environ["DB_PASSWORD"]', 'os.getenv("TOKEN")', "process.env.API_KEY", "ENV['KEY']"),
    *("config.password", "settings.s3.secret_key", "self.oauth2.token", "oauth2Client.token"),
    *("password", "user_password", "dbPassword", "new_password2", "s3_key", "aes256_key"),
    *("oauth2Token", "oauth2_token", "_secret", "get_secret()", "SECRET_KEY", "None"),
)


@pytest.mark.parametrize("value", LITERALS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["{}={}", "{} = {}", "{}: {}", 'flag "{}={}"', "{}='{}'"])
def test_a_literal_is_masked_whatever_word_it_ends_in(name, value, form):
    assert value not in scrub(form.format(name, value)).text


@pytest.mark.parametrize("value", REFERENCES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["{}={}", "{} = {}", "{}: {}", "f({}={})", "the call {}={} fails"])
def test_what_says_where_a_value_comes_from_is_no_literal(name, value, form):
    text = form.format(name, value)

    assert scrub(text).text == text


@pytest.mark.parametrize(
    "part",
    [
        *("password-", "token:", 'token="', "http://a:", "--token ", "cookie: a=b; ", "pypi-"),
        "-----BEGIN " + "PRIVATE KEY-----\n",
        "eyJabcdefgh.",
    ],
)
def test_a_long_text_made_to_slow_it_down_comes_back(part):
    """A rule that is quadratic or worse in the text would keep this from ending."""
    masked = scrub((part * 10_000)[:10_000])

    assert scrub(masked.text).found == ()


def test_the_flag_path_loads_the_standard_library_only():
    code = (
        "import sys, json; import git_knowl.services.filters.secrets as s; s.scrub('token: x');"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}

    assert loaded & {"rapidfuzz", "pydantic", "jsonschema", "click", "yaml", "pygit2"} == set()
    assert "subprocess" not in loaded
