"""Per language: pairs of one symbol that are the same to a digest, and pairs that are not."""

from __future__ import annotations

import pytest

from git_knowl.anchors.symbols.digest import digest_of
from git_knowl.anchors.symbols.languages import LANGUAGES
from git_knowl.anchors.symbols.outline import outline

SAME = [
    ("a.py", "X: int = 1", "X: Final[int] = 1"),
    ("a.py", "class C:\n    x: int = 1\n    y: str", "class C:\n    x = 1"),
    ("a.py", "def f():\n    x: int\n    return 1", "def f():\n    return 1"),
    (
        "a.java",
        "class A { void f(int a) { int b = a; } }",
        "class A { void f(final int a) { final int b = a; } }",
    ),
    ("a.java", "class A { int a; }", '@SuppressWarnings("all") class A { int a; }'),
    ("a.rs", "fn f() { match a { 1 => { 2 } _ => 3 } }", "fn f() { match a { 1 => 2, _ => 3, } }"),
    (
        "a.py",
        "def f(a: int = 1) -> int:\n    'doc'\n    return (a, 'x')\n",
        'def f(a=1):\n\n  # c\n  return (\n   a,\n  "x",\n  )\n',
    ),
    ("a.py", "def f(a): return a, b\n", "def f(a): return (a, b)\n"),
    ("a.py", "def f(a): return 'it\\'s \"q\" '\n", 'def f(a): return "it\'s \\"q\\" "\n'),
    ("a.py", "def f(a): return (a or b)\n", "def f(a): return a or b\n"),
    (
        "a.py",
        "def f(a):\n    x: int = 1\n    y = 0XAB; z = 2",
        "def f(a):\n    x = 1\n    y=0xab\n    z=2",
    ),
    (
        "a.py",
        "def f(a):\n    with (open(a) as b, c as d): pass",
        "def f(a):\n    with open(a) as b, c as d: pass",
    ),
    ("a.py", "x = u'd'", "x = '''d'''"),
    (
        "a.js",
        "function f(a) { return a => ({'b': 1, c: 'x'}) }",
        'function f(a) {\n  return (a) => ({\n    b: 1,\n    c: "x",\n  });\n}',
    ),
    ("a.js", "function f(a) { return 'a\\'b' }", 'function f(a) { return "a\'b" }'),
    ("a.js", "function f(a) { return .50 + 1.0 + 0XA }", "function f(a) { return 0.5 + 1 + 0xa }"),
    (
        "a.jsx",
        "const f = () => <a>\n  hello\n   you\n</a>",
        "const f = () => (\n <a>hello you</a>\n)",
    ),
    ("a.ts", "type T = 'a' | 'b'", "type T =\n | 'a'\n | \"b\""),
    ("a.ts", "interface T { a: string, b(): void }", "interface T {\n a: string;\n b(): void;\n}"),
    (
        "a.go",
        "func f() { x := []int{1, 2}; return (x) }",
        "func f() {\n\tx := []int{\n\t\t1,\n\t\t2,\n\t}\n\t// c\n\treturn x\n}",
    ),
    ("a.rs", "fn f() { g(1, vec![1, 2]) }", "fn f() {\n  g(\n 1,\n vec![1, 2],)\n /* x */ }"),
    (
        "a.java",
        "class A { int f() { return (1); } }",
        "class A\n{ /** d */ int f()\n { return 1; } }",
    ),
    ("a.rb", "def f; x = 'a'; y 1 end", 'def f\n  x = "a"\n  y(1)\nend'),
    ("a.php", "<?php function f() { return 'a'; }", '<?php function f() {\n return ("a"); // x\n}'),
    (
        "a.sh",
        "f() { a; b 'x'; if [ a ]; then c; fi; }",
        "f() {\n  # c\n  a\n  b 'x'\n  if [ a ]\n  then\n c\n fi\n}",
    ),
    (
        "a.kt",
        "fun f(a: Int): Int {\n  return (a)\n}",
        "fun f(\n  a: Int,\n): Int {\n // c\n return a; }",
    ),
    (
        "a.swift",
        "func f(a: Int) -> Int { return a; }",
        "func f(\n a: Int) -> Int {\n  // x\n  return a\n}",
    ),
    ("a.scala", "def f(a: Int) = { (a + 1) }", "def f(a: Int) = {\n // c\n a + 1\n}"),
    ("a.cs", "class A { int F() { return (1); } }", "class A\n{ /// d\n int F()\n { return 1; } }"),
    ("a.c", "int f(int a) { return (a); }", "int\nf(int a)\n{\n  /* c */ return a;\n}"),
    (
        "a.cpp",
        "int f(int a) { g({1, 2,}); return (a); }",
        "int f(int a)\n{\n  g({1, 2});  return a;\n}",
    ),
    ("a.py", "x = f('a' 'b')", "x = f(\n 'ab'\n)"),
    ("a.py", "x = ('a' # c\n f'{b}c')", "x = f'a{b}c'"),
    ("a.py", "x = f'{{a}}'", "x = '{a}'"),
    ("a.py", "x = r'\\d'", "x = '\\\\d'"),
    ("a.jsx", 'const f = () => <a b="c" />;', "const f = () => <a b='c'/>"),
    ("a.tsx", "const f = (x: A) => x", "const f = (\n  x: A,\n) => x;"),
    ("a.py", 'def f(a):\n    """Doc."""\n    return a\n', "def f(a):\n    return a\n"),
    (
        "a.py",
        'async def f(a: "int", *b: str, **c: int) -> None: pass',
        "async def f(a, *b, **c): pass",
    ),
    ("a.py", "@d\n@e(1)\ndef f(): pass", "@d\n# why\n@e(\n    1,\n)\ndef f(): pass"),
    (
        "a.py",
        "def f():\n    return x + \\\n        1",
        "def f():\n    return (\n        x + 1\n    )",
    ),
    ("a.rs", "enum E { A, B }", "enum E {\n    /// first\n    A,\n    B,\n}"),
    (
        "a.java",
        "class A { int[] x = {1, 2}; }",
        "class A {\n  int[] x = {\n    1,\n    2,\n  };\n}",
    ),
    (
        "a.php",
        "<?php function f() { return [1, 2]; }",
        "<?php function f() { return [\n 1,\n 2,\n]; }",
    ),
    ("a.cs", "[A] class C { void M() { } }", "[A]\n// why\nclass C\n{\n  void M()\n  {\n  }\n}"),
    ("a.swift", "@objc class C { var a = 1 }", "@objc\nclass C {\n  /// doc\n  var a = 1\n}"),
    ("a.scala", "class C { def f = 1 }", "class C {\n  /** doc */\n  def f = 1\n}"),
    ("a.sh", "f() {\n  a \\\n    b\n}", "f() { a b; }"),
]
MACRO = "#define F(a) do { g(a, 'x'); } while (0)\n"
SAME += [
    ("a.scala", "def f(a: Int): Int = a + 1", "def f(a: Int): Int =\n  a + 1"),
    ("a.scala", "def f(a: Int): Int = a + 1", "def f(a: Int): Int =\n  // c\n  a + 1\n"),
    ("a.scala", "val f = if a then b else c", "val f =\n  if a then\n    b\n  else\n    c"),
    ("a.scala", "def f = xs.map { y => y + 1 }", "def f = xs.map { y =>\n  y + 1\n}"),
    ("a.scala", "def f = a match\n  case 1 => 2", "def f = a match\n  case 1 =>\n    2"),
    *(
        (f"a.{suffix}", MACRO, other)
        for suffix in ("c", "h")
        for other in (
            MACRO.replace("do {", "do { /* why */"),
            MACRO.replace("\n", " // why\n"),
            MACRO.replace("\n", " // why \\\n too\n"),
            MACRO.replace("do {", "do { /* it's\n why */"),
            MACRO.replace("{ ", "{ \\\n   ").replace("; ", ";  \\\n"),
            MACRO.replace("{ ", "{ \\\r\n   "),
            MACRO.replace(" = ", "=").replace(", ", ",").replace("(0)", "( 0 )"),
        )
    ),
    ("a.c", "#define F 10\n", "#define  F\t10  /* why */\n"),
]
DIFFERENT = [
    ("a.scala", "def f =\n  g\n  h", "def f =\n  h"),
    ("a.c", "#define F 1 /* why */ + 2\n", "#define F 1 /* why */ + 3\n"),
    ("a.c", MACRO, MACRO.replace("'x'", "'y'")),
    ("a.c", MACRO, MACRO.replace("'x'", "' x'")),
    ("a.c", '#define F "a  b"\n', '#define F "a b"\n'),
    ("a.c", '#define F "a /* b */"\n', '#define F "a /* c */"\n'),
    ("a.c", '#define F "https://a"\n', '#define F "https://b"\n'),
    ("a.c", "#define F(x) #x\n", "#define F(x) x\n"),
    ("a.c", "#define F a + +b\n", "#define F a ++b\n"),
    ("a.c", "#define F(a) a\n", "#define F (a) a\n"),
    ("a.c", "#define F 1e+5\n", "#define F 1e + 5\n"),
    ("a.py", "class C(M):\n    x: int = 1", "class C(M):\n    x: str = 1"),
    ("a.py", "class C(M):\n    x: int", "class C(M):\n    pass"),
    ("a.py", "X: int", "X: str"),
    ("a.java", "class A { int a = 1; }", "class A { final int a = 1; }"),
    ("a.java", "class A { void f(@N int a) { } }", "class A { void f(int a) { } }"),
    (
        "a.rs",
        "fn f() { match a { 1 => { g(); } _ => () } }",
        "fn f() { match a { 1 => g(), _ => () } }",
    ),
    ("a.tsx", "const f = (x: A) => <a>{x}</a>", "const f = (x: A) => <b>{x}</b>"),
    (
        "a.py",
        "def f(a):\n    if a:\n        x()\n        return 1\n",
        "def f(a):\n    if a:\n        x()\n    return 1\n",
    ),
    ("a.py", "def f(a): return a,\n", "def f(a): return a\n"),
    ("a.py", "def f(a): return 'a\\nb'\n", "def f(a): return 'a\\tb'\n"),
    ("a.py", "def f(a): return f'a{x}b'\n", "def f(a): return f'a{x}c'\n"),
    ("a.py", "def f(a): return f'a{x}b'\n", "def f(a): return f'a{x!r}b'\n"),
    ("a.py", "def f(a): return (a or b) and c\n", "def f(a): return a or b and c\n"),
    ("a.py", "@d\nclass C:\n  x: int = 1", "@d\nclass C:\n  x: str = 1"),
    ("a.py", "@d\ndef f(a): pass", "@e\ndef f(a): pass"),
    ("a.py", "def f(a): return x[1,]", "def f(a): return x[1]"),
    ("a.py", "x = r'\\d'", "x = '\\d'"),
    ("a.py", "x = b'd'", "x = 'd'"),
    ("a.js", "function f(a) { return a => ({}) }", "function f(a) { return a => {} }"),
    ("a.js", "function f(a) { return (a?.b).c }", "function f(a) { return a?.b.c }"),
    ("a.js", "function f(a) { return [1,,] }", "function f(a) { return [1,] }"),
    ("a.js", "function f(a) { return `a${b}c` }", "function f(a) { return `a${b}d` }"),
    ("a.js", "function f(a) { return 'a\\'b' }", 'function f(a) { return "a\'c" }'),
    ("a.js", "const f = 1", "let f = 1"),
    ("a.js", "const f = 1", "export const f = 1"),
    ("a.js", "async function f() { await g() }", "async function f() { g() }"),
    ("a.ts", "interface T { a: string }", "interface T { a: number }"),
    ("a.go", 'func f() { x := "a" }', 'func f() { x := "b" }'),
    ("a.go", "func f() { x := `a` }", 'func f() { x := "a" }'),
    ("a.rs", "fn f() { (self.f)(1) }", "fn f() { self.f(1) }"),
    ("a.rs", "fn f() -> i32 { 1 }", "fn f() -> i32 { 1; }"),
    ("a.rs", "fn f() { vec![1] }", "fn f() { vec!(1) }"),
    ("a.rs", "fn f() -> (i32,) { (1,) }", "fn f() -> (i32,) { (1) }"),
    ("a.rs", "#[inline]\nfn f() {  }", "fn f() {}"),
    ("a.java", "class A { int f() { return a < 1; } }", "class A { int f() { return a <= 1; } }"),
    ("a.rb", "def f; x = 'a\\n' end", 'def f; x = "a\\n" end'),
    ("a.rb", "def f\n  <<~E\n    a\n  E\nend", "def f\n  <<~E\n    b\n  E\nend"),
    ("a.rb", 'def f; "a#{x}" end', 'def f; "b#{x}" end'),
    ("a.php", "<?php function f() { return 'a$x'; }", '<?php function f() { return "a$x"; }'),
    ("a.php", '<?php function f() { return "b$x"; }', '<?php function f() { return "a$x"; }'),
    ("a.sh", 'f() { a "x y"; }', 'f() { a "x  y"; }'),
    ("a.sh", "f() { a | b; }", "f() { a || b; }"),
    ("a.sh", "f() { a & }", "f() { a ; }"),
    ("a.sh", "f() { cat <<E\nab $x\nE\n}", "f() { cat <<E\nac $x\nE\n}"),
    ("a.kt", 'fun f() = "a$x"', 'fun f() = "b$x"'),
    ("a.kt", 'fun f() = "a$x"', 'fun f() = "a$y"'),
    ("a.swift", 'func f() { "a\\(x)b" }', 'func f() { "a\\(x)c" }'),
    ("a.swift", 'func f() { "a\\(x)b" }', 'func f() { "a\\(y)b" }'),
    ("a.scala", 'def f = s"a${x}b"', 'def f = s"a${x}c"'),
    ("a.scala", 'def f = "a"', 'def f = "b"'),
    (
        "a.cs",
        'class A { string F() { return $"a{x}"; } }',
        'class A { string F() { return $"b{x}"; } }',
    ),
    (
        "a.cs",
        'class A { string F() { return $"a{x:N2}"; } }',
        'class A { string F() { return $"a{x:N3}"; } }',
    ),
    ("a.c", "#define X (1)\n", "#define X (2)\n"),
    ("a.cpp", 'int f() { return "a"; }', 'int f() { return "b"; }'),
    ("a.cpp", "int f() { return 'a'; }", "int f() { return 'b'; }"),
    ("a.py", "x = f'{{a}}'", "x = '{{a}}'"),
    ("a.py", "x = f'{a}'", "x = '{a}'"),
    ("a.py", "x = f('a', 'b')", "x = f('a' 'b')"),
    ("a.py", "def f(a=1): pass", "def f(a=2): pass"),
    ("a.py", "async def f():\n    await g()", "async def f():\n    g()"),
    (
        "a.py",
        "def f():\n    for x in y:\n        a()\n    else:\n        b()",
        "def f():\n    for x in y:\n        a()\n    b()",
    ),
    ("a.py", "X = 1", "X = 1.0"),
    ("a.py", "def f(): return (yield)", "def f(): return"),
    ("a.js", "class A { static m() {} }", "class A { m() {} }"),
    ("a.js", "const f = x => -x", "const f = x => +x"),
    ("a.js", "function f() { return /a/g }", "function f() { return /a/i }"),
    ("a.js", "const f = () => `a${b}`", "const f = () => `a${c}`"),
    ("a.jsx", "const f = () => <a>one</a>", "const f = () => <a>two</a>"),
    ("a.ts", "enum E { A = 1 }", "enum E { A = 2 }"),
    ("a.ts", "type T = 'a' | 'b'", "type T = 'a' | 'c'"),
    ("a.go", "func f(a int) { g(a) }", "func f(a int64) { g(a) }"),
    ("a.go", "func f() { defer g() }", "func f() { g() }"),
    ("a.rs", "fn f() -> char { 'a' }", "fn f() -> char { 'b' }"),
    ("a.rs", "fn f() { g()?; }", "fn f() { g(); }"),
    ("a.java", "class A { @Old void f() { } }", "class A { void f() { } }"),
    ("a.java", 'class A { String f() { return "a"; } }', 'class A { String f() { return "b"; } }'),
    ("a.kt", "fun f(a: Int?) = a!!", "fun f(a: Int?) = a"),
    ("a.kt", "fun f() = a?.b", "fun f() = a.b"),
    ("a.c", "int f(int a) { return a << 1; }", "int f(int a) { return a >> 1; }"),
    ("a.c", "char f(void) { return 'a'; }", "char f(void) { return 'b'; }"),
    ("a.cpp", "struct A { virtual int f() = 0; };", "struct A { virtual int f(); };"),
    ("a.cs", "[A] class C { }", "class C { }"),
    ("a.cs", 'class C { string S = @"a\\b"; }', 'class C { string S = "a\\b"; }'),
    ("a.rb", "def f(a); a&.b; end", "def f(a); a.b; end"),
    ("a.rb", "def f; /a/i end", "def f; /a/ end"),
    ("a.php", "<?php function f() { return $a ?? 1; }", "<?php function f() { return $a ?: 1; }"),
    ("a.php", "<?php #[A] function f() {}", "<?php function f() {}"),
    ("a.swift", "func f(a: Int?) { a?.b() }", "func f(a: Int?) { a!.b() }"),
    ("a.swift", "@objc func f() {}", "func f() {}"),
    (
        "a.scala",
        "def f(x: Int) = x match { case 1 => 2 }",
        "def f(x: Int) = x match { case 1 => 3 }",
    ),
    ("a.sh", "f() { echo 'a b'; }", "f() { echo 'a  b'; }"),
    ("a.sh", "f() { a && b; }", "f() { a || b; }"),
]


def digest(path: str, text: str) -> str:
    """Return the digest of the first symbol of a text, which has to parse."""
    found = next(iter(outline(path, text.encode()).symbols.values()))
    assert not found.is_broken, text
    return digest_of(found)


@pytest.mark.parametrize(("path", "one", "other"), SAME)
def test_layout_raises_no_alarm(path, one, other):
    assert digest(path, one) == digest(path, other)


@pytest.mark.parametrize(("path", "one", "other"), DIFFERENT)
def test_another_meaning_does(path, one, other):
    assert digest(path, one) != digest(path, other)


def test_every_language_has_pairs_of_both_sorts():
    suffixes = [set(language.suffixes) for language in LANGUAGES]
    for pairs in (SAME, DIFFERENT):
        seen = {path[path.rindex(".") :] for path, _, _ in pairs}
        assert all(seen & known for known in suffixes)
