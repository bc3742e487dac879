"""The allow list: what looks like a secret and is none, with the reason why it may stay."""

import re

from git_knowl.services.filters.secret_strength import READ

_WORDS = (
    r"(?:my[-_ ]?|the[-_ ]?|some[-_ ]?|db[-_ ]?|user[-_ ]?)?"
    r"(?:password|passwd|pwd|passphrase|secret|token|api[-_ ]?key|key|value|credentials?)"
)
_STATES = (
    "required|optional|string|str|text|boolean|number|integer|bytes|secretstr|hidden|masked|hashed|"
    "encrypted|invalid|incorrect|missing|wrong|empty|expired|enabled|disabled|default|unset|"
    "none|null|nil|undefined|true|false|todo|fixme|tbd|input|prompt|ignored|changed|forgotten"
)

_REFERENCES = (
    r"\$[\w:.]+|\$?\$[({].*|%\w+%|.*%[sd(].*|.*\{[\w.]*\}.*|[@#]\{.*|"
    r"(?:process|import\.meta|os|deno|bun)\.env\S*|os\.(?:environ|getenv)\S*|"
    r"(?:env|secrets|vars|config|settings|var|local|data|self|this)\.[\w.\[\]\"']+|"
    r"(?:env|getenv|lookup|ENV|System\.getenv|Deno\.env\.get)[(\[].*"
)
_PLACEHOLDERS = (
    r"(?i:(?:.*[^a-z])?(?:your|changeme|change[-_]me|replace[-_]?me|placeholder|redacted|dummy|"
    rf"insert|example|sample)(?:[^a-z].*)?|.*[-_]here|{_WORDS})"
)
_POINTERS = (
    r"(?:op|vault|keyring|keychain|sm|ssm|gcpsm|awssm|azurekv)://?\S*|vault:\S*|ENC\[.*|"
    r"!(?:vault|secret|env|ref|sub|getatt)\b.*|arn:aws:\S*|projects/\S*|/run/secrets/\S*"
)
_PATHS = r"(?:~|\.{1,2})?(?:/[a-z0-9_.-]+)+/?|[A-Za-z]:\\.*|(?:[a-z0-9_-]+/)+[a-z0-9_-]+\.[a-z]+"
_AMOUNTS = (
    r"v\d{1,5}(?:\.\d+)*|\d{1,5}(?:\.\d+)+[a-z%]{0,2}|\d{1,5}(?:\.\d+)?(?:[a-z%]{1,2}|bits?|bytes?|"
    r"chars?|days?|hours?|min(?:ute)?s?|sec(?:ond)?s?|weeks?|months?|years?|times)"
)

# (reason, pattern): a value that matches is never masked, whichever rule found it.
ALLOWED: tuple[tuple[str, str], ...] = (
    ("already masked", r"\[REDACTED:[A-Z_]+\]"),
    ("a key published in a vendor's documentation", r".*EXAMPLE(?:KEY)?"),
    ("a reference to the environment or to a variable", _REFERENCES),
    ("a slot to be filled in", r"<.*|\{\{?.*|\[[^\]]*\]|__\w+__|:\w+"),
    ("a filler", r"[xX*.\u2022\u2026_#?-]+|.*[xX]{4}.*|.*\*{3}.*|0{6,}"),
    ("an elided value", r".*(?:\.\.\.|\u2026).*"),
    ("a placeholder in words", _PLACEHOLDERS),
    ("a pointer into a secret store", _POINTERS),
    ("a digest, not a key", r"(?i:sha\d{1,3}|md5|blake\w+)[-:=].*"),
)

# The same for values found by the name before them, where the shape itself proves nothing.
ALLOWED_VALUES: tuple[tuple[str, str], ...] = (
    ("a word about a value", rf"(?i:{_STATES})"),
    ("the name of a constant", r"[A-Z]+\d{0,2}(?:_(?:[A-Z]+\d{0,2}|\d{1,2}))+"),
    ("a call or an index", r"new|await|async|[A-Za-z_][\w.:]*[(\[].*"),
    ("an address", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    ("a path", _PATHS),
    ("an address of a page", r"[a-z][a-z0-9+.-]*://.*"),
    ("a package with its version", r"@?[a-z][\w./-]*@v?\d+(?:\.[\w-]+)+"),
    ("a duration, size or version", _AMOUNTS),
)

# A word of a name in code; a number ends a short one only, as in `oauth2Token` or `s3_key`: what is
# longer, such as `hunter2`, is no name, whatever word follows it.
_WORD = r"(?:[A-Za-z]+|(?:[a-z]{1,5}\d|[a-z]{1,3}\d{2,3})(?:[A-Z][A-Za-z]*)?)"
_NAME = rf"_*{_WORD}(?:_+{_WORD})*_*"
_ENDING = r"(?i:password|passwd|pwd|secret|token|key)_?\d?"

# And for values that may be code, since neither quotes nor an environment file mark them.
ALLOWED_CODE: tuple[tuple[str, str], ...] = (
    ("the path of a value", rf"{_NAME}(?:\.{_NAME})+"),
    ("the name of a variable", rf"(?={_NAME}\d?$)\w*{_ENDING}"),
)


def allowed(value: str) -> str | None:
    """Return the reason why a value found by its shape may stay, or None when it may not."""
    return _reason(ALLOWED, value)


def allowed_value(value: str, *, is_literal: bool) -> str | None:
    """Return the reason why a value found by its name may stay, or None when it may not."""
    table = ALLOWED + ALLOWED_VALUES
    return _reason(table if is_literal else table + ALLOWED_CODE, value)


def _reason(table: tuple[tuple[str, str], ...], value: str) -> str | None:
    read = value[:READ]
    return next((why for why, pattern in table if re.fullmatch(pattern, read)), None)
