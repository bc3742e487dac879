"""Hostile texts: the work of the secret filter grows with their length, and not with its square."""

from __future__ import annotations

import gc
import time

import pytest

from git_knowl.services.filters.secrets import find

SHORT, LONG = 2_000, 8_000
#: Four times the text: the square would be sixteen.
MOST = 11
LEAST_SECONDS = 0.02
PARTS = (
    *("password-", "token:", 'token="', "http://a:", "--token ", "cookie: a=b; ", "pypi-", "-"),
    *("-----BEGIN " + "PRIVATE KEY-----\n", "eyJabcdefgh.", "curl -u a", "curl \\\n", "pwd={"),
    *("password is ", "login ", "credentials: a/", 'variable "password" {', "<password>", "S_KEY="),
    *(
        "name: password value: ",
        "ENV a_",
        "setx aaaa",
        "https://x@y:",
        "a:5432:b:c:",
        "htpasswd -b ",
    ),
    *("token a token b is 1 ", "key key key is 1", "[REDACTED:TOKEN]", "config set a.", "密码是"),
    *("1234567890123456|", "a1", "sig=", "token string = ", "mysql a -", "'", "`", "=", ":"),
)


def work(text: str) -> float:
    """Return the least processor time of three runs, in seconds."""
    times = []
    for _ in range(3):
        gc.collect()
        begun = time.process_time()
        find(text)
        times.append(time.process_time() - begun)
    return min(times)


@pytest.mark.parametrize("part", PARTS)
def test_work_grows_with_the_text(part):
    long = work((part * LONG)[:LONG])

    assert long < LEAST_SECONDS or long <= MOST * work((part * SHORT)[:SHORT])
