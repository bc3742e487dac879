"""Rules for text that leaves the store: nothing invisible, nothing that closes the block it is in.

Pure and free of imports, since hooks and `index` load it. ``str.isprintable`` already rejects the
Unicode categories Cc, Cf, Cs, Co, Cn, Zl and Zp, hence bidi controls, zero-width characters and
tags; it rejects the harmless spaces too, and lets a few letters and marks pass that show nothing.
"""

_SPACES = frozenset("\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))
#: The pattern of Braille without a dot looks like a space; in bodies it is a part of drawings.
BLANK = "\u2800"
_KEPT = frozenset(f"\n\t{BLANK}")
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_BLANKS = _SELECTORS | frozenset(
    f"\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0{BLANK}"
)
#: How begins what the program says of an entry in square brackets.
MARKS = frozenset(
    (
        *("active", "suspect", "unknown", "conflict", "unattended", "local"),
        *("here", "signed", "others", "untrusted", "superseded", "reviewed:", "from"),
    )
)
#: In this order: what is escaped first stands for itself from then on.
_ESCAPES = (
    *((escape, f"&amp;{escape[1:]}") for escape in ("&amp;", "&lt;", "&gt;")),
    ("<", "&lt;"),
    (">", "&gt;"),
)
#: What a reader may take for the brackets and letters of a mark, with what it is taken for.
_ALIKE = {
    **{code + 0xFEE0: chr(code) for code in range(0x21, 0x7F)},
    **dict.fromkeys(map(ord, "\u2045\u27e6\u2772\u3010\u3014\u3016\u3018\u301a\ufe47\ufe5d"), "["),
    **dict.fromkeys(map(ord, "\u2046\u27e7\u2773\u3011\u3015\u3017\u3019\u301b\ufe48\ufe5e"), "]"),
}
_EMOJI_STYLE = "\ufe0f"
_ESCAPED_BYTES = range(0xDC80, 0xDD00)
_SURROGATES = range(0xD800, 0xE000)
_ONE_BYTE = 0x100
_TWO_BYTES = 0x10000


def for_agent(text: str, *, single_line: bool = False) -> str:
    """Return the text as data for an agent: no tag, control or invisible character survives.

    Line breaks and tabs stay unless ``single_line`` is asked for. What was written as ``&lt;`` can
    be told from a bracket: the ampersand of the three escapes is escaped, any other one stays.
    """
    shown = for_terminal(text, single_line=single_line)
    for plain, escaped in _ESCAPES:
        shown = shown.replace(plain, escaped)
    return shown


def for_terminal(text: str, *, single_line: bool = False) -> str:
    r"""Return the text with control, escape, bidi and invisible characters spelled as ``\u200b``.

    Line breaks and tabs stay unless ``single_line`` is asked for. A byte that is not UTF-8 (a
    surrogate from ``os.fsdecode``) is spelled as ``\xff``.
    """
    if text.isascii() and text.isprintable():
        return text
    kept = frozenset() if single_line else _KEPT
    return "".join(
        _spelled(char) if char not in kept and _is_hidden(char, before) else char
        for before, char in zip("\n" + text, text, strict=False)
    )


def unmarked(text: str) -> str:
    """Return the text with what looks like a mark of this program in round brackets.

    Marks such as ``[suspect]`` stand at the end of a line, right where a description ends.
    """
    alike = text if text.isascii() else text.translate(_ALIKE)
    first, *parts = alike.split("[")
    if not parts:
        return text
    made, at = [text[: len(first)]], len(first)
    for part in parts:
        made.append(_unmarked(text[at : at + 1 + len(part)], part))
        at += 1 + len(part)
    return "".join(made)


def hidden_characters(text: str, *, single_line: bool = True) -> list[str]:
    """Return the spelling of every character that a reader would not see, in order.

    One-line fields are refused when this is not empty; bodies are asked with ``single_line=False``.
    """
    kept = frozenset() if single_line else _KEPT
    bare = text if single_line else text.replace("\n", "").replace("\t", "")
    if bare.isascii() and (bare.isprintable() or not bare):
        return []
    pairs = zip("\n" + text, text, strict=False)
    return [
        _spelled(char) for before, char in pairs if char not in kept and _is_hidden(char, before)
    ]


def fence(body: str) -> str:
    """Return a run of backticks longer than any inside the body, three at least."""
    runs = "".join(char if char == "`" else " " for char in body).split()
    return "`" * max(3, 1 + max(map(len, runs), default=0))


def fenced(body: str, info: str = "") -> str:
    """Return the body between two fences that nothing inside it can close."""
    marks = fence(body)
    end = "" if body.endswith("\n") or not body else "\n"
    return f"{marks}{info}\n{body}{end}{marks}"


def refusal(character: str, expected: str = "no control or invisible characters") -> str:
    """Return what was expected instead of a character that a field refuses, and what it is.

    A surrogate stands for a byte that is no UTF-8, as the system hands arguments and names over.
    """
    code = ord(character)
    if code in _ESCAPED_BYTES:
        return f"expected UTF-8, got the byte 0x{code - 0xDC00:02x}"
    if code in _SURROGATES:
        return f"expected UTF-8, got half a character (U+{code:04X})"
    return f"expected {expected}, got U+{code:04X}"


def _unmarked(text: str, part: str) -> str:
    """Return a text in round brackets if what it looks like, behind the bracket, is a mark."""
    inside, bracket, _ = part.partition("]")
    firsts = {word for one in inside.lower().split(",") for word in one.split()[:1]}
    if not (bracket and firsts & MARKS):
        return text
    end = 1 + len(inside)
    return f"({text[1:end]}){text[end + 1 :]}"


def _is_hidden(char: str, before: str) -> bool:
    # The emoji style selector is everywhere in ordinary text; after letters or chained it can
    # carry data.
    if char == _EMOJI_STYLE:
        return before.isascii() or _is_hidden(before, "")
    if char in _BLANKS:
        return True
    return not char.isprintable() and char not in _SPACES


def _spelled(char: str) -> str:
    code = ord(char)
    if code in _ESCAPED_BYTES:
        return f"\\x{code - 0xDC00:02x}"
    if code < _ONE_BYTE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < _TWO_BYTES else f"\\U{code:08x}"
