"""JSON for the short paths: what `json` has in C, without what surrounds it.

`json` loads `re` and a dozen modules with it, more than half a bare start of Python. Where an
interpreter has no such C part, `json` it is.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _json import encode_basestring_ascii, make_encoder, make_scanner
    from collections.abc import Callable
    from typing import Any
else:
    try:
        from _json import encode_basestring_ascii, make_encoder, make_scanner
    except ImportError:
        make_scanner = None

_BLANK = " \t\n\r"


class _Plainly:
    """What the scanner of `json` asks for: every value becomes what `json` makes of it."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


_PLAINLY: Any = _Plainly


def loads(data: bytes | str) -> Any:
    """Return the value of a JSON text, UTF-8 if it is bytes; raises ValueError, RecursionError."""
    if make_scanner is None:
        import json  # noqa: PLC0415 - not loading it is the point of this module

        return json.loads(data)
    text = data if isinstance(data, str) else data.decode("utf-8", "surrogatepass")
    text = text.removeprefix("\ufeff").strip(_BLANK)
    try:
        value, end = make_scanner(_PLAINLY)(text, 0)
    except StopIteration:
        raise ValueError("no JSON") from None
    if end != len(text):
        raise ValueError("more than one JSON text")
    return value


def dumps(value: object) -> str:
    """Return a value as JSON on one line, in ASCII; it must not hold itself."""
    if make_scanner is None:
        import json  # noqa: PLC0415 - as above

        return json.dumps(value)
    sort_keys, skip_keys, allow_nan = False, False, True
    encode: Callable[[object, int], tuple[str, ...]] = make_encoder(
        None, _refuse, encode_basestring_ascii, None, ": ", ", ", sort_keys, skip_keys, allow_nan
    )
    return "".join(encode(value, 0))


def _refuse(value: object) -> object:
    raise TypeError(f"expected what JSON has, got {type(value).__name__}")
