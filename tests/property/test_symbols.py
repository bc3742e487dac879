"""Laws of symbol digests: layout has no say, and whatever else is written has."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from git_knowl.anchors.symbols.digest import digest_of, likeness, words_of
from git_knowl.anchors.symbols.outline import outline

# Per suffix: a symbol as lines of words, between which white space may stand at will. None of the
# words spells a meaning by where its line begins.
SPLIT = {
    ".js": "function f ( a , b ) { if ( a > 1 ) { return g ( b , 2 ) ; } return 'x' + a ; }",
    ".ts": "function f < T > ( a : T , b = 2 ) : string { return a > b ? 'x' : h ( a ) ; }",
    ".rs": "fn f ( a : u8 ) -> u8 { if a > 1 { return g ( a ) ; } match a { 1 => 2 , _ => 3 } }",
    ".java": "class A { int f ( int a ) { if ( a > 1 ) { return g ( a , 2 ) ; } return 3 ; } }",
    ".c": "int f ( int a , char * b ) { if ( a > 1 ) { return g ( a , 2 ) ; } return * b ; }",
    ".cpp": "template < int N > int f ( int a ) { auto x = [ a ] { return a > N ; } ; return 1 ; }",
    ".cs": "class A { int F ( int a ) { if ( a > 1 ) { return G ( a , 2 ) ; } return 3 ; } }",
    ".php": "<?php function f ( $a , $b = 2 ) { if ( $a > 1 ) { return g ( $a ) ; } return 'x' ; }",
}
COMMENTS = ("/* c */", "/* 'x' { */", "// c\n")
MACRO = "do { if ( a > 1 ) g ( a , 'x' , \"y\" ) ; } while ( 0 )"
BODY = """\
def f(a, b=2):
    x = g(a, {key: 'one'})
    if a > 1 and not b:
        return x
    for one in x:
        yield one + 3
    return "two"
"""


def digest(path, text):
    """Return the digest of the first symbol of a text that parses."""
    found = next(iter(outline(path, text.encode()).symbols.values()))
    assert not found.is_broken, text
    return digest_of(found)


@given(st.sampled_from(sorted(SPLIT)), st.data())
def test_white_space_and_comments_between_words_have_no_say(suffix, data):
    words = SPLIT[suffix].split(" ")
    gaps = st.sampled_from((" ", "\n", "\t  ", "\r\n", *COMMENTS))
    text = words[0] + " "
    # After `return` a line end means something in JavaScript.
    for before, word in pairwise(words):
        text += (" " if before == "return" else f" {data.draw(gaps)} ") + word
    path = f"a{suffix}"

    assert digest(path, text) == digest(path, " ".join(words))


@given(st.sampled_from(sorted(SPLIT)), st.data())
def test_every_word_has_a_say(suffix, data):
    words = SPLIT[suffix].split(" ")
    swaps = {">": "<=", "1": "7", "2": "8", "3": "9", "'x'": "'y'", "g": "k", "G": "K", "+": "-"}
    places = [n for n, word in enumerate(words) if word in swaps and words[n - 1] != "T"]
    place = data.draw(st.sampled_from(places))
    if suffix in (".cpp", ".ts") and words[place] == ">":
        return  # there the sign may close a list of types
    changed = [*words[:place], swaps[words[place]], *words[place + 1 :]]

    assert digest(f"a{suffix}", " ".join(changed)) != digest(f"a{suffix}", " ".join(words))


@given(st.sampled_from((".c", ".h")), st.data())
def test_white_space_comments_and_joined_lines_have_no_say_in_a_macro(suffix, data):
    words = MACRO.split(" ")
    gaps = st.sampled_from((" ", "\t ", "\\\n", " \\\r\n", "/* c */", "/* it's\n c */"))
    text = "".join(f"{data.draw(gaps)} {word}" for word in words)
    path = f"a{suffix}"

    assert digest(path, f"#define F(a) {text}\n") == digest(
        path, f"#define F(a) {' '.join(words)} // c\n"
    )
    place = data.draw(st.integers(0, len(words) - 1))
    changed = [*words[:place], "w", *words[place + 1 :]]
    assert digest(path, f"#define F(a) {text}\n") != digest(
        path, f"#define F(a) {' '.join(changed)}\n"
    )


@given(st.lists(st.integers(0, 6), max_size=6), st.sampled_from((2, 3, 8)), st.booleans())
def test_comments_empty_lines_and_depth_of_indentation_have_no_say_in_python(places, depth, crlf):
    lines = BODY.split("\n")
    for place in sorted(places, reverse=True):
        lines.insert(place, "" if place % 2 else "    # 'noted' (")
    text = "\n".join(line.replace("    ", " " * depth) for line in lines)

    assert digest("a.py", text.replace("\n", "\r\n") if crlf else text) == digest("a.py", BODY)


@given(st.integers(2, 6))
def test_the_block_a_statement_stands_in_has_a_say(place):
    lines = BODY.split("\n")
    depth = len(lines[place]) - len(lines[place].lstrip())
    moved = "    " + lines[place].lstrip() if depth > 4 else None
    if moved is None:
        return
    changed = "\n".join([*lines[:place], "        pass", moved, *lines[place + 1 :]])
    beside = "\n".join([*lines[:place], "        pass", *lines[place:]])

    assert digest("a.py", changed) != digest("a.py", beside)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20))
def test_a_string_is_known_by_its_value_whatever_its_quotes(value):
    plain = value.replace("\\", "").replace("\n", "").replace("\r", "").replace("\0", "")
    single = plain.replace("'", "\\'")
    double = plain.replace('"', '\\"')

    assert digest("a.py", f"x = '{single}'") == digest("a.py", f'x = "{double}"')
    assert digest("a.js", f"const x = '{single}'") == digest("a.js", f'const x = "{double}"')
    assert digest("a.py", f"x = '{single}'") != digest("a.py", f"x = '{single}.'")


@given(st.binary(max_size=200), st.sampled_from((".py", ".js", ".vue", ".rb", ".sh", ".cpp")))
def test_any_bytes_are_read(data, suffix):
    for symbol in outline(f"a{suffix}", data).symbols.values():
        assert len(digest_of(symbol)) == 64


@given(st.sampled_from(sorted(SPLIT)), st.sampled_from(sorted(SPLIT)))
def test_likeness_is_a_share_and_the_same_both_ways(one, other):
    first, second = (
        words_of(next(iter(outline(f"a{suffix}", SPLIT[suffix].encode()).symbols.values())))
        for suffix in (one, other)
    )

    assert 0 <= likeness(first, second) == likeness(second, first) <= 1
    assert likeness(first, first) == 1
