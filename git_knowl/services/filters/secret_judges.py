"""Whether a match is a secret: how random its value is, and what stands around it."""

import binascii
import re
from collections.abc import Callable, Mapping

from git_knowl.services.filters.secret_allowed import allowed, allowed_value
from git_knowl.services.filters.secret_strength import (
    MIXED,
    PLAIN,
    RANDOM,
    is_passphrase,
    strength,
)

_SHORTEST_PASSWORD = 4
_SHORTEST_KEY = 8
_SHORTEST_NUMBER = 6
_LONG_LITERAL = 20
_LONGEST_NAME = 60

_WORD_OF_PROSE = r"[ \t]+[A-Za-z]"
_PARAMETER_BEFORE = r"[;&?]\s*[\w.-]*$"
# What is said of a password, and is none.
_SAID = (
    r"(?i)\w*(?:ed|ing|able|ible|ary|ory|ful|less|ent|ant|ive|al|ous|ly|own|en|ct|ong|id|ic|ete)|"
    r"secret|blank|plain(?:text)?|cleartext|random|unique|complex|simple|stale|there|where|right|"
    r"reset|unset|never|always|still|again|often|today|later|longer|shorter|older|newer|enough|"
    r"short|weaker|stronger|better|worse|salt|bcrypt|scrypt|argon|hashes|never|under|above|below|"
    r"after|before|until|because|about|whatever|something|nothing|neither|either|every|other|yours|"
    r"theirs|within|without|inside|outside|between|passe|requis|kaput|dead|stuck|gone"
)
_OWN_NAME = r"(?i)password|passwd|secret|token"
_BASE64_RUN = r"[A-Za-z0-9+/=]{20}"
_UUID = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_SESSION_NAME = r"(?i)sess|sid|auth|token|jwt|csrf|xsrf|remember|login"


def _is_quoted(match: re.Match[str]) -> bool:
    return match.groupdict().get("quoted") is not None


def _is_parameter(match: re.Match[str]) -> bool:
    """Tell whether NAME=VALUE stands in an environment, a connection string or a query."""
    if match.groupdict().get("separator") != "=":
        return False
    if match.string[match.end("separator")] in " \t":
        return False
    before = match.string[max(0, match.start() - _LONGEST_NAME) : match.start()]
    return match["name"].isupper() or re.search(_PARAMETER_BEFORE, before) is not None


def _shape(_match: re.Match[str], value: str) -> bool:
    return allowed(value) is None


def _block(_match: re.Match[str], value: str) -> bool:
    return re.search(_BASE64_RUN, value) is not None


def _url(_match: re.Match[str], value: str) -> bool:
    return allowed(value) is None and value != "x-oauth-basic"


def _mixed(match: re.Match[str], value: str) -> bool:
    return _is_made(value) and _is_unknown(match, value)


def _is_made(value: str) -> bool:
    return strength(value) >= MIXED or is_passphrase(value)


def _told(match: re.Match[str], value: str) -> bool:
    """Tell whether a sentence gives a password: made up, or any word in quotes of its own."""
    is_word = _is_quoted(match) and re.fullmatch(r"[a-z]{6,}", value) is not None
    return (_is_made(value) or is_word) and _is_unknown(match, value)


def _word(_match: re.Match[str], value: str) -> bool:
    """Tell whether a plain word after `the password is` is one, and says nothing about it."""
    return re.fullmatch(_SAID, value) is None and allowed_value(value, is_literal=True) is None


def _random(match: re.Match[str], value: str) -> bool:
    return strength(value) == RANDOM and _is_unknown(match, value)


def _is_unknown(match: re.Match[str], value: str) -> bool:
    is_literal = _is_quoted(match) or _is_parameter(match)
    return allowed_value(value, is_literal=is_literal) is None


def _basic(_match: re.Match[str], value: str) -> bool:
    """Tell whether the value is what the scheme asks for: base 64 of NAME:PASSWORD."""
    try:
        return b":" in binascii.a2b_base64(value)
    except binascii.Error:
        return False


def _cookie(match: re.Match[str], value: str) -> bool:
    if allowed(value) is not None:
        return False
    return re.search(_SESSION_NAME, match["name"]) is not None or strength(value) == RANDOM


def _password(match: re.Match[str], value: str) -> bool:
    """Tell whether a password was given, and not written about or fetched by code."""
    if len(value) < _SHORTEST_PASSWORD or re.search(r"\s", value):
        return False
    is_given = _is_made(value) or _is_parameter(match) or _is_literal(match, value)
    return is_given and _is_unknown(match, value)


def _is_literal(match: re.Match[str], value: str) -> bool:
    """Tell whether a value without any randomness is written as a literal all the same."""
    if not _is_quoted(match):
        return value.isdigit() and len(value) >= _SHORTEST_NUMBER
    if re.fullmatch(r"[a-z]{6,}|\d{4,}", value):
        return True
    return "=" in match["separator"] and re.search(_OWN_NAME, value) is None


def _key(match: re.Match[str], value: str) -> bool:
    """Tell whether a token, key or secret was given, and not written about or fetched by code."""
    return len(value) >= _SHORTEST_KEY and _is_generated(match, value) and _is_unknown(match, value)


def _is_generated(match: re.Match[str], value: str) -> bool:
    is_quoted = _is_quoted(match)
    found = strength(value)
    if found == PLAIN:
        if re.fullmatch(_UUID, value):
            return True
        return is_quoted and len(value) >= _LONG_LITERAL and value.isalnum()
    is_prose = "=" not in match["separator"] and not is_quoted
    if is_prose and re.match(_WORD_OF_PROSE, match.string[match.end() :]):
        return found == RANDOM
    return True


JUDGES: Mapping[str, Callable[[re.Match[str], str], bool]] = {
    "shape": _shape,
    "block": _block,
    "url": _url,
    "mixed": _mixed,
    "random": _random,
    "told": _told,
    "word": _word,
    "basic": _basic,
    "cookie": _cookie,
    "password": _password,
    "key": _key,
}
