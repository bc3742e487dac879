"""Which symbol is meant, what belongs to it, and files of an unusual kind."""

from __future__ import annotations

import pytest

from git_knowl.anchors.symbols import grammars
from git_knowl.anchors.symbols.digest import digest_of
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.anchors.symbols.outline import is_supported, outline

OVERLOADS = b"""
class Cart {
  add(a: string): void;
  add(a: number): void;
  add(a: any) { return a }
}
"""
HALF = b"def whole():\n    return 1\n\n\ndef half(:\n    return 2\n"


def digest(path, text, name):
    return digest_of(outline(path, text).find(name))


def test_a_name_given_several_times_is_one_symbol():
    symbol = outline("a.ts", OVERLOADS).find("Cart.add")

    assert [part.first for part in symbol.parts] == [3, 4, 5]
    changed = OVERLOADS.replace(b"number", b"bigint")
    assert digest_of(symbol) != digest("a.ts", changed, "Cart.add")


def test_one_of_several_is_named_by_its_number():
    changed = OVERLOADS.replace(b"number", b"bigint")

    assert digest("a.ts", OVERLOADS, "Cart.add#1") == digest("a.ts", changed, "Cart.add#1")
    assert digest("a.ts", OVERLOADS, "Cart.add#2") != digest("a.ts", changed, "Cart.add#2")
    assert outline("a.ts", OVERLOADS).find("Cart.add#4") is None


@pytest.mark.parametrize(
    ("path", "text", "given", "names"),
    [
        ("a.ts", OVERLOADS, "add", ["Cart.add"]),
        ("a.ts", OVERLOADS, "add#2", ["Cart.add#2"]),
        ("a.ts", OVERLOADS, "add#9", []),
        ("a.ts", OVERLOADS, "dd", []),
        ("a.py", b"class A:\n def f(s): 1\nclass B:\n def f(s): 1", "f", ["A.f", "B.f"]),
        ("a.py", b"def f(): 1\nclass B:\n def f(s): 1", "f", ["f"]),
        ("a.cpp", b"int a::B<T>::f() { return 1; }", "B::f", ["a.B.f"]),
        ("a.rb", b"class A\n  def ok?; 1 end\nend", "A#ok?", ["A.ok?"]),
        ("a.php", b"<?php class A { function f() {} }", "A::f", ["A.f"]),
        ("a.go", b"package a\nfunc (t *T) F() {}", "F", ["T.F"]),
    ],
)
def test_a_name_is_completed_where_one_symbol_ends_in_it(path, text, given, names):
    assert outline(path, text).complete(given) == names


def test_a_declaration_steps_back_where_the_file_has_the_definition():
    text = b"int f(int a);\nint f(int a) { return a; }\n"

    assert [part.first for part in outline("a.c", text).find("f").parts] == [2]
    assert outline("a.h", b"int f(int a);\n").find("f") is not None


@pytest.mark.parametrize(
    ("path", "text", "name", "old", "new"),
    [
        ("a.py", b"@d(1)\nclass A:\n  pass", "A", b"d(1)", b"d(2)"),
        ("a.ts", b"@d(1)\nexport class A {}", "A", b"d(1)", b"d(2)"),
        ("a.rs", b"#[d(1)]\n// why\n#[e]\nfn f() {}", "f", b"d(1)", b"d(2)"),
        ("a.java", b"@D(1) class A {}", "A", b"D(1)", b"D(2)"),
        ("a.kt", b"@D(1)\nclass A", "A", b"D(1)", b"D(2)"),
        ("a.cs", b"[D(1)] class A {}", "A", b"D(1)", b"D(2)"),
        ("a.php", b"<?php #[D(1)] class A {}", "A", b"D(1)", b"D(2)"),
        ("a.swift", b"@available(iOS 1, *)\nclass A {}", "A", b"iOS 1", b"iOS 2"),
        ("a.scala", b"@D(1)\nclass A", "A", b"D(1)", b"D(2)"),
        ("a.cpp", b"template <int N = 1> class A {};", "A", b"N = 1", b"N = 2"),
    ],
)
def test_what_decorates_a_symbol_belongs_to_it(path, text, name, old, new):
    assert digest(path, text, name) != digest(path, text.replace(old, new), name)


@pytest.mark.parametrize(
    ("path", "text", "name", "old", "new"),
    [
        ("a.ts", b"export const a = 1, b = 2", "b", b"a = 1", b"a = 7"),
        ("a.go", b"package a\nconst (\n\tA = 1\n\tB = 2\n)", "B", b"A = 1", b"A = 7"),
        ("a.java", b"class A { int a = 1, b = 2; }", "A.b", b"a = 1", b"a = 7"),
        ("a.php", b"<?php const A = 1, B = 2;", "B", b"A = 1", b"A = 7"),
        ("a.cs", b"class A { int a = 1, b = 2; }", "A.b", b"a = 1", b"a = 7"),
    ],
)
def test_what_is_declared_beside_a_symbol_does_not(path, text, name, old, new):
    assert digest(path, text, name) == digest(path, text.replace(old, new), name)


def test_a_member_of_a_counting_group_leans_on_its_place():
    text = b"package a\nconst (\n\tA = iota\n\tB\n)"

    assert digest("a.go", text, "B") != digest("a.go", text.replace(b"\tB", b"\tX\n\tB"), "B")


def test_locals_are_no_symbols_and_nested_functions_are():
    text = b"const store = make(() => {\n  const count = 0;\n  const go = () => 1;\n})"

    assert list(outline("a.js", text).symbols) == ["store", "store.go"]


def test_members_of_an_object_without_a_name_are_no_symbols():
    text = b"use({ a: 1, go() { return 1 } })\nconst kept = { b: 2, run() {} }\n"

    assert list(outline("a.js", text).symbols) == ["kept", "kept.b", "kept.run"]


def test_script_blocks_are_read_in_their_language_and_keep_their_lines():
    text = (
        b'<template>\n  <a>{{ x }}</a>\n</template>\n<script lang="ts">\nconst x: A = 1\n</script>'
    )

    assert outline("a.vue", text).find("x").parts[0].first == 5
    assert outline("a.svelte", text).find("x") is not None
    assert not outline("a.vue", b"<template><script>let x</script></template>").symbols
    assert not outline("a.vue", b"<!-- <script>let x</script> -->").symbols


def test_a_program_without_suffix_is_known_by_its_first_line():
    for line in (b"#!/bin/sh", b"#!/usr/bin/env bash", b"#! /usr/bin/env -S zsh"):
        assert outline("run", line + b"\nf() { a; }\n").find("f")
    assert is_supported("run", b"#!/usr/bin/python3\n")
    assert not is_supported("run", b"f() { a; }")
    assert not is_supported("a.txt")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: text.replace(b"    ", b"\t"),
        lambda text: text + b"\n\n# \xff\xfe not UTF-8\n",
        lambda text: b"# caf\xe9\n" + text,
    ],
    ids=["byte order mark", "CRLF", "tabs", "bytes that are no text", "Latin-1"],
)
def test_the_look_of_a_file_makes_no_difference(change):
    text = b"def f(a):\n    if a:\n        return '''x\ny'''\n    return 2\n"

    assert digest("a.py", change(text), "f") == digest("a.py", text, "f")


def test_bytes_that_are_no_text_count_inside_a_symbol():
    assert digest("a.py", b"X = '\xff'\n", "X") != digest("a.py", b"X = '\xfe'\n", "X")


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b"\0" * 200, b"# only a comment"])
def test_a_file_without_symbols_has_none(data):
    assert not outline("a.py", data).symbols


def test_deep_nesting_is_read():
    deep = b"x = " + b"[" * 800 + b"]" * 800 + b"\n"

    assert digest("a.py", deep, "x") != digest("a.py", b"x = []\n", "x")


def test_a_symbol_beside_broken_text_is_read_and_one_in_it_is_told():
    there = outline("a.py", HALF)

    assert not there.find("whole").is_broken
    half = there.find("half")
    assert half.is_broken if half else there.may_hide("half")
    assert not there.may_hide("gone")


def test_merge_markers_break_only_what_they_stand_in():
    text = (
        b"def one():\n    return 1\n\n\ndef two():\n<<<<<<< ours\n    return 1\n=======\n"
        b"    return 2\n>>>>>>> theirs\n"
    )
    there = outline("a.py", text)

    assert not there.find("one").is_broken
    assert there.find("two") is None or there.find("two").is_broken


def test_a_definition_torn_from_its_decorator_cannot_be_told():
    torn = b"class A:\n    @d\n# here\n    def f(self):\n        return 1\n"

    assert outline("a.py", torn).find("A.f").is_broken


def test_a_huge_file_is_refused_before_it_is_parsed():
    with pytest.raises(SymbolsUnavailable, match="larger than 1,000,000 bytes"):
        outline("a.py", b"x = 1\n" * 900_000)


def test_a_text_that_takes_too_many_steps_is_given_up(monkeypatch):
    monkeypatch.setattr(grammars, "MAX_CALLS", 5)
    with pytest.raises(SymbolsUnavailable, match="takes too long"):
        outline("a.py", b"x = [1, 2, 3]\n" * 500)

    monkeypatch.undo()
    assert outline("a.py", b"x = 1\n").symbols


def test_a_kind_of_file_without_grammar_is_refused():
    with pytest.raises(SymbolsUnavailable, match="no grammar"):
        outline("a.txt", b"x")
