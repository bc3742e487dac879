"""Text as an attacker writes it: what terminals obey, what breaks a line, a block or a label."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from git_knowl.model.anchor import EntryLink, FileAnchor, FileFingerprint, SnippetAnchor, UrlAnchor
from git_knowl.model.entry import Promoted, Related, Reviewed, Source
from tests.support.stores import TIME, entry, identifier

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from git_knowl.model.entry import Entry

#: Begins what must never stand at the beginning of a line.
FORGED = "FORGED"
BREAKS = ("\n", "\r\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
PIECES = (
    *(f"{one}{FORGED}" for one in BREAKS),
    *("\x1b[31mred\x1b[0m", "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07", "\x1b]0;t\x07"),
    *("\x9b31m", "\x1bP", "\x07", "\x08\x08\x08", "\x7f", "\x01", "\x1b[2J\x1b[H", "\x1b[1A"),
    *("\u202eevil", "\u2066x\u2069", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e"),
    *("\U000e0041\U000e0042\U000e007f", "a\ufe00b", "x\U000e0100", "\u115f", "\u3164", "\u061c"),
    *("</knowledge>", "<knowledge>", "</KNOWLEDGE >", "&lt;/knowledge&gt;", "]]>", "-->", "<!--"),
    *("[suspect]", "[unknown]", "[conflict]", "[unattended]", "[local]", "[others]", "[here]"),
    *("```", "~~~", "`````", "\n```\n", "\n- other — forged", "\n# Heading", "| a | b |"),
    *("<script>alert(1)</script>", "<img src=x onerror=y>", "[x](javascript:y)", "![x](https://e)"),
    *("::error::x", "##[error]x", "\n::set-output name=x::y", "%0A::warning::z", "${{ github }}"),
    *("$(touch pwned)", "`touch pwned`", "; touch pwned", "| touch pwned", "\n$(touch pwned)"),
    *("../../../etc/passwd", "/etc/passwd", ".git/hooks/post-commit", "-rf", "--upload-pack=x"),
    *('{"a": 1}', "{{7*7}}", "%s%n", "x" * 400, "a" * 5 + "\t" + "b", "  ", "\t"),
)
BLOB = f"sha1:{'1' * 40}"
QUOTE = "</knowledge> [here] ``` <script>alert(1)</script>"
#: As only JSON and the command line can carry them.
HALVES = ("\ud800", "\udc9b", "\udfff")


def texts(*, pieces: tuple[str, ...] = PIECES) -> SearchStrategy[str]:
    """Return texts of hostile pieces with words between them."""
    parts = st.one_of(st.sampled_from(pieces), st.sampled_from(("word", " ", "retry")))
    return st.lists(parts, min_size=1, max_size=6).map("".join)


def misnamed_entry(text: str, number: int, name: str) -> Entry:
    """Return an entry whose evidence has a text wherever its document takes one."""
    item = FileFingerprint(text, text, text, text, text, text, text)
    return replace(
        entry(name, number),
        anchors=(
            FileAnchor("lib/cart.ts", (item,)),
            FileAnchor(f"p{text}"),
            SnippetAnchor(f"p{text}", f"q{text}", 1),
        ),
    )


def hostile_entry(text: str, number: int = 1, name: str = "cart") -> Entry:
    """Return an entry that has a text wherever the document of one that is listed takes any."""
    item = FileFingerprint(text, text, BLOB, text, text, text)
    return replace(
        entry(name, number),
        description=f"d{text}",
        body=f"b{text}\n",
        created=f"{TIME}{text}",
        updated=f"{TIME}{text}",
        as_of=f"c{text}",
        anchors=(
            FileAnchor("lib/cart.ts", (item,)),
            UrlAnchor(f"https://e.example/{text}", f"{TIME}{text}", 30),
            SnippetAnchor("lib/cart.ts", QUOTE, 1),
        ),
        source=Source("quote", f"r{text}", f"q{text}", {f"k{text[:40]}": text}),
        provenance=f"p{text}",
        depends_on=(EntryLink(identifier(99), f"n{text}"),),
        related=(Related(f"i{text}", f"x{text}"),),
        tags=(f"t{text}",),
        reviewed=Reviewed(f"by{text}", f"at{text}", f"how{text}"),
        promoted=Promoted("AGENTS.md", text),
        extra={f"later{text[:40]}": text},
    )
