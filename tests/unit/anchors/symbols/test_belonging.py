"""What stands before or around a definition belongs to it, in every language and place."""

from __future__ import annotations

import pytest

from git_knowl.anchors.symbols.digest import digest_of
from git_knowl.anchors.symbols.languages import LANGUAGES
from git_knowl.anchors.symbols.outline import outline

# A text, a symbol in it, and a decorator of that symbol with a 1 that becomes a 2.
DECORATED = [
    ("a.py", "@D(1)\ndef f(): pass", "f"),
    ("a.py", "@D(1)\nasync def f(): pass", "f"),
    ("a.py", "@D(1)\nclass A: pass", "A"),
    ("a.py", "class A:\n @D(1)\n def f(self): pass", "A.f"),
    ("a.py", "class A:\n @staticmethod\n @D(1)\n def f(): pass", "A.f"),
    ("a.js", "@D(1) class A {}", "A"),
    ("a.js", "@D(1) export class A {}", "A"),
    ("a.js", "@D(1) export default class {}", "default"),
    ("a.js", "class A { @D(1) f() {} }", "A.f"),
    ("a.js", "class A {\n @D(1)\n static f() {} }", "A.f"),
    ("a.js", "class A {\n @D(1)\n get f() {} }", "A.f"),
    ("a.js", "class A {\n @D(1)\n async f() {} }", "A.f"),
    ("a.js", "class A { @D(1) a = 1 }", "A.a"),
    *(
        row
        for suffix in ("ts", "tsx")
        for row in (
            (f"a.{suffix}", "@D(1) class A {}", "A"),
            (f"a.{suffix}", "@D(1)\nabstract class A {}", "A"),
            (f"a.{suffix}", "export @D(1) class A {}", "A"),
            (f"a.{suffix}", "class A { @D(1) f() {} }", "A.f"),
            (f"a.{suffix}", "class A {\n g() {}\n @D(1)\n // why\n @E\n f() {} }", "A.f"),
            (f"a.{suffix}", "class A {\n @D(1)\n static f() {} }", "A.f"),
            (f"a.{suffix}", "class A {\n @D(1)\n private async f() {} }", "A.f"),
            (f"a.{suffix}", "class A {\n @D(1)\n get f() { return 1 } }", "A.f"),
            (f"a.{suffix}", "class A {\n @D(1)\n set f(a) { } }", "A.f"),
            (f"a.{suffix}", "class A {\n @D(1)\n *f() { } }", "A.f"),
            (f"a.{suffix}", "class A {\n @D(1)\n constructor() { } }", "A.constructor"),
            (f"a.{suffix}", "class A { @D(1) a = 1 }", "A.a"),
            (f"a.{suffix}", "class A { f(@D(1) a: A) { } }", "A.f"),
        )
    ),
    ("a.vue", '<script lang="ts">\nclass A {\n @D(1)\n f() {} }\n</script>', "A.f"),
    ("a.svelte", '<script lang="ts">\nclass A {\n @D(1)\n f() {} }\n</script>', "A.f"),
    ("a.go", "package a\n//go:linkname f D(1)\nfunc f() {}", "f"),
    ("a.go", "package a\n//go:embed D(1)\nvar a string", "a"),
    ("a.go", "package a\nvar (\n//go:embed D(1)\na string\nb int\n)", "a"),
    ("a.go", "package a\n//export D(1)\nfunc f() {}", "f"),
    ("a.rs", "#[D(1)]\nfn f() {}", "f"),
    ("a.rs", "#[D(1)]\nstruct A;", "A"),
    ("a.rs", "impl A {\n #[D(1)]\n /// why\n #[E]\n pub async fn f() {} }", "A.f"),
    ("a.rs", "struct A { #[D(1)] a: u8 }", "A.a"),
    ("a.rs", "enum A { B, #[D(1)] C }", "A.C"),
    ("a.rs", "trait A { #[D(1)] fn f(); }", "A.f"),
    ("a.rs", "#[D(1)]\nmacro_rules! f { () => {} }", "f"),
    ("a.java", "@D(1) class A {}", "A"),
    ("a.java", "class A { @D(1) void f() {} }", "A.f"),
    ("a.java", "class A { @D(1) static int a = 1; }", "A.a"),
    ("a.java", "enum A { @D(1) B, C }", "A.B"),
    ("a.java", "@interface A { @D(1) int f(); }", "A.f"),
    ("a.kt", "@D(1)\nclass A", "A"),
    ("a.kt", "@D(1)\nfun f() = 3", "f"),
    ("a.kt", "class A {\n @D(1)\n fun f() {}\n}", "A.f"),
    ("a.kt", "class A {\n @D(1) val a = 3\n}", "A.a"),
    ("a.kt", "class A {\n companion object {\n @D(1) val a = 3\n}\n}", "A.a"),
    ("a.kt", "class A {\n @D(1) constructor() {}\n}", "A.constructor"),
    ("a.c", "__attribute__((D(1))) int f(void) { return 3; }", "f"),
    ("a.c", "[[D(1)]] int f(void) { return 3; }", "f"),
    ("a.c", "#pragma omp declare D(1)\nint f(void) { return 3; }", "f"),
    ("a.cpp", "[[D(1)]] int f() { return 3; }", "f"),
    ("a.cpp", "class [[D(1)]] A { };", "A"),
    ("a.cpp", "class A { [[D(1)]] int f() { return 3; } };", "A.f"),
    ("a.cpp", "template <class T>\n__declspec(D1D) int f() { return 3; }", "f"),
    ("a.cs", "[D(1)] class A {}", "A"),
    ("a.cs", "class A { [D(1)] void F() {} }", "A.F"),
    ("a.cs", "class A { [D(1)] int P { get; set; } }", "A.P"),
    ("a.cs", "class A { [D(1)] int a; }", "A.a"),
    ("a.cs", "enum A { [D(1)] B, C }", "A.B"),
    ("a.rb", "class A\n D(1, def f; end)\nend", "A.f"),
    ("a.php", "<?php #[D(1)] class A {}", "A"),
    ("a.php", "<?php #[D(1)] function f() {}", "f"),
    ("a.php", "<?php class A { #[D(1)] static function f() {} }", "A.f"),
    ("a.php", "<?php class A { #[D(1)] private $a = 3; }", "A.a"),
    ("a.php", "<?php class A { #[D(1)] const B = 3; }", "A.B"),
    ("a.php", "<?php enum A { #[D(1)] case B; }", "A.B"),
    ("a.swift", "@D(1)\nclass A {}", "A"),
    ("a.swift", "class A {\n @D(1)\n func f() {}\n}", "A.f"),
    ("a.swift", "class A {\n @D(1) var a = 3\n}", "A.a"),
    ("a.swift", "class A {\n @D(1)\n init() {}\n}", "A.init"),
    ("a.scala", "@D(1)\nclass A", "A"),
    ("a.scala", "class A { @D(1) def f = 3 }", "A.f"),
    ("a.scala", "class A { @D(1) val a = 3 }", "A.a"),
    ("a.sh", "declare -r a=D1D", "a"),
]
# A text, a symbol in it, and two words before or around it that make it something else.
MODIFIED = [
    *(
        ("a.rb", f"class C\n {old} def f; 1 end\nend", "C.f", f"{old} def", f"{new} def")
        for old, new in (
            ("private", ""),
            ("private", "public"),
            ("memoize", ""),
            ("module_function", ""),
            ("private memoize", "private"),
            ("private memoize", "memoize"),
            ("private memoize traced", "private memoize"),
            ("memoize :a,", "memoize :b,"),
        )
    ),
    ("a.rb", "class C\n private_class_method def self.f; end\nend", "C.f", "private_class_m", "m"),
    ("a.rb", "class C\n private\n def f; end\nend", "C.f", "private", "protected"),
    ("a.rb", "class C\n private\n def f; end\nend", "C.f", "private", ""),
    ("a.rb", "module C\n module_function\n def f; end\nend", "C.f", "module_function", ""),
    ("a.rb", "class C\n private attr_reader :a\nend", "C.a", "private", ""),
    ("a.rb", "class C\n attr_reader :a, :b\nend", "C.a", "reader", "accessor"),
    ("a.rb", "class C\n private\n attr_writer :a\nend", "C.a", "private", ""),
    ("a.cpp", "class C { public: int f(); };", "C.f", "public:", ""),
    ("a.cpp", "struct C { private: int f() { return 1; } };", "C.f", "private", "protected"),
    ("a.cpp", "class C { public:\n struct D { int a; }; };", "C.D", "public", "private"),
    ("a.cpp", 'extern "C" int f() { return 1; }', "f", 'extern "C"', ""),
    ("a.cpp", 'extern "C" int f();', "f", 'extern "C"', ""),
]
# A text, a symbol in it, and words beside it that say nothing of it.
BESIDE = [
    ("a.ts", "class A {\n @D(1)\n f() {}\n g() {} }", "A.g", "D(1)", "D(2)"),
    ("a.ts", "class A {\n f() {}\n @D(1)\n g() {} }", "A.f", "D(1)", "D(2)"),
    ("a.rs", "#[D(1)] fn f() {}\nfn g() {}", "g", "D(1)", "D(2)"),
    ("a.go", "package a\nvar (\n//go:embed x\na string\nb int\n)", "b", "embed x", "embed y"),
    ("a.go", "package a\n// going\nfunc f() {}", "f", "going", "gone"),
    ("a.go", "package a\n// go:embed x\nvar a string", "a", "embed x", "embed y"),
    ("a.c", "#undef X\nint f(void) { return 1; }", "f", "X", "Y"),
    ("a.h", "#pragma once\nint f(void);", "f", "#pragma once", ""),
    ("a.rb", "class C\n attr_reader :a, :b\nend", "C.a", ":b", ":b, :c"),
    ("a.rb", "class C\n has_many :a\n def f; end\nend", "C.f", ":a", ":b"),
    ("a.rb", "class C\n def f; end\n private\n def g; end\nend", "C.f", "private", "protected"),
    ("a.rb", "class C\n private\n def self.f; end\nend", "C.f", "private", ""),
    (
        "a.rb",
        "class C\n private\n def g; end\n class D\n def f; end\n end\nend",
        "C.D.f",
        "private",
        "",
    ),
    ("a.rb", "class C\n public\n def f; end\nend", "C.f", "public", ""),
    ("a.cpp", "class C { private: int f(); };", "C.f", "private:", ""),
    ("a.cpp", "struct C { public: int f(); };", "C.f", "public:", ""),
    ("a.cpp", "class C { int f(); public: int g(); };", "C.f", "public", "protected"),
    ("a.cpp", 'extern "C" {\nint f() { return 1; }\nint g() { return 2; }\n}', "f", "2", "3"),
]


def digest(path, text, name):
    """Return the digest of a symbol that has to be there and to parse."""
    found = outline(path, text.encode()).find(name)
    assert found, (text, name)
    assert not found.is_broken, text
    return digest_of(found)


@pytest.mark.parametrize(("path", "text", "name"), DECORATED)
def test_a_decorator_belongs_to_what_it_decorates(path, text, name):
    changed = text.replace("D(1", "D(2").replace("D1D", "D2D")

    assert changed != text
    assert digest(path, text, name) != digest(path, changed, name)


@pytest.mark.parametrize(("path", "text", "name", "old", "new"), MODIFIED)
def test_what_a_definition_is_handed_to_or_stands_under_belongs_to_it(path, text, name, old, new):
    assert digest(path, text, name) != digest(path, text.replace(old, new), name)


@pytest.mark.parametrize(("path", "text", "name", "old", "new"), BESIDE)
def test_what_only_stands_beside_a_definition_does_not(path, text, name, old, new):
    assert old in text
    assert digest(path, text, name) == digest(path, text.replace(old, new), name)


def test_every_language_is_tried():
    seen = {path[path.rindex(".") :] for path, _, _ in DECORATED}

    assert all(seen & set(language.suffixes) for language in LANGUAGES)


def test_a_section_is_no_part_of_the_lines_of_a_symbol():
    text = b"class C\n private\n def f\n end\n\n def g\n end\nend\n"

    assert [part.first for part in outline("a.rb", text).find("C.g").parts] == [6]


def test_a_class_of_many_members_is_read_once():
    text = b"class C { public:\n" + b"".join(b"int f%d();\n" % n for n in range(3000)) + b"};"

    assert len(outline("a.cpp", text).symbols) == 3001


def test_calls_in_calls_are_no_puzzle():
    text = b"def f\n" + b"x(" * 400 + b")" * 400 + b"\nend\n"

    assert list(outline("a.rb", text).symbols) == ["f"]
