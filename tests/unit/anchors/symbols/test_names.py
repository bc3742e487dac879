# ruff: noqa: E501
"""What symbols are called, language by language, and which of them a name stands for."""

from __future__ import annotations

import pytest

from git_knowl.anchors.symbols.digest import digest_of
from git_knowl.anchors.symbols.languages import LANGUAGES
from git_knowl.anchors.symbols.outline import outline

NAMES = [
    (
        "a.kt",
        """\
@Ann(1)
class Foo<T>(val a: Int, b: Int = 2) : Bar() {
  companion object {
    fun make(): Foo = Foo()
    const val Z = 1
  }
  init { val loc = 1 }
  constructor(s: String) : this(1)
  var p: Int = 1
    get() = field
  fun String.ext(a: Int = 1): Int {
    val loc = 2
    fun inner() = 1
    return (a + 1)
  }
  enum class E {
    A,
    B(1) { fun q() = 1 };
    fun z() = 2
  }
}
object Single {
  val k = "a$x ${y}"
}
fun interface I { fun m() }
typealias F = (Int) -> Int
fun List<Int>.top(x: Int) = when (x) {
  1 -> "a"
  else -> 'c'
}
val (aa, b) = 1 to 2
""",
        "Foo Foo.make Foo.Z Foo.constructor Foo.p Foo.ext Foo.ext.inner Foo.E Foo.E.A Foo.E.B Foo.E.B.q Foo.E.z Single Single.k I I.m F top aa b",
    ),
    (
        "a.swift",
        """\
let top = 3
class S: P {
  @objc private var a: Int = 1
  init(a: Int) { self.a = a }
  deinit { a = 2 }
  subscript(i: Int) -> Int { let loc = 1; return a?.b }
  var c: Int { get { let q = 1; return 1 } set { } }
  static let z = 1, y = 2
  static func == (l: S, r: S) -> Bool { "x\\(a)y"; return true }
}
extension S.T { @objc func e() {} }
enum E { case a, b(Int); case c }
protocol P { func m(x: Int) -> Int; var q: Int { get } }
typealias T = Int
actor A { func go() {} }
class C<T> { class D {} }
func free(a: Int, b: Int) -> Int { let k = 1; return a }
""",
        "top S S.a S.init S.deinit S.subscript S.c S.z S.y S.== S.T S.T.e E E.a E.b E.c P P.m P.q T A A.go C C.D free",
    ),
    (
        "a.scala",
        """\
package a.b
object O {
  val x = 1
  def f(a: Int): Int = {
    def g = 1
    val loc = 1
    (a + 1)
  }
  type T = Int
  var (p, q) = (1,2)
}
case class C(a: Int, b: Int = 2) extends D { override def m = "a" }
trait T { def q: Int; lazy val z = s"a${1}" }
enum E { case A, B
 case X(a: Int) }
extension (s: String) def ext = 1
def top(x: Int) = x match { case 1 => 2 }
""",
        "O O.x O.f O.f.g O.T O.p O.q C C.m T T.q T.z E E.A E.B E.X ext top",
    ),
    (
        "a.cs",
        """\
namespace A.B {
[Attr] public class C<T> : D { const int X = 1, Y = 2; public int P { get { var z = 1; return z; } set; } = 3; public C(int a) {} ~C() {} public int M(int a = 1) { var loc = 3; int L(int q) => q; return (a); } event E e; public int this[int i] => 1; public static C operator +(C a, C b) => a; enum E { A = 1, B } delegate void Del(int x); int IFoo.Bar() => 1; }
struct S {} interface I { void M(); } record R(int A);
}
""",
        "A.B.C A.B.C.X A.B.C.Y A.B.C.P A.B.C.C A.B.C.~C A.B.C.M A.B.C.M.L A.B.C.e A.B.C.this A.B.C.operator+ A.B.C.E A.B.C.E.A A.B.C.E.B A.B.C.Del A.B.C.Bar A.B.S A.B.I A.B.I.M A.B.R",
    ),
    (
        "b.cs",
        """\
namespace A.B;
class C { string s = "a"; string t = @"b"; string u = $"a{s}"; }
""",
        "C C.s C.t C.u",
    ),
    (
        "a.php",
        """\
<?php
namespace A\\B;
const X = 1, Y = 2;
#[Attr] function f(int $a = 1): int { return ($a); }
abstract class C { const Z = 'a'; public $p = "b$x", $pp; use T; public function m() { $f = function() { return 1; }; $g = fn($x) => $x; } abstract function q(); public function __construct(private int $a) {} }
interface I { function m(); } trait T {} enum E: string { case A = 'a'; }
""",
        "X Y f C C.Z C.p C.pp C.m C.q C.__construct I I.m T E E.A",
    ),
    (
        "a.cpp",
        """\
#define MAX(a,b) ((a)>(b))
#define LIM 3
#ifdef X
namespace a::b { template <typename T> class C : public D { public: C(int x) : y(x) {} ~C(); int m(int a) const; static const int K = 3; int y; T operator+(const C& o) { return *this; } operator bool() const { return true; } enum class E { A, B }; }; }
#endif
int a::b::C<T>::m(int a) const { int loc = 2; auto f = [](int x) { return x; }; return (a); }
extern "C" { int cfun(void); }
typedef struct { int x; } T1, *T2; struct S { int a; }; union U { int q; };
static const char *names[] = { "a", "b", };
int g = 3, h; int (*fp)(int); using V = std::vector<int>; template<> int sp<int>() { return 1; }
[[nodiscard]] int attr() { return 1; }
int attr();
bool operator==(const A& a, const B& b) { return true; }
struct S *use(struct S *a) { struct S x; return a; }
std::vector<int> &ref(int q) { }
""",
        "MAX LIM a.b.C a.b.C.C a.b.C.~C a.b.C.m a.b.C.K a.b.C.y a.b.C.operator+ a.b.C.operatorbool a.b.C.E a.b.C.E.A a.b.C.E.B cfun T1 T2 T1.x S S.a U U.q names g h fp V sp attr operator== use ref",
    ),
    (
        "a.c",
        """\
struct S { int a; };
static int x = 3;
int *f(int a) { int l; return &l; }
typedef enum { A, B } e_t;
extern int y;
int f(int);
""",
        "S S.a x f e_t e_t.A e_t.B y",
    ),
    (
        "a.rb",
        """\
module A::B
 X = 1
 class C < D
  attr_accessor :a
  def m(a = 1); x = lambda { |q| q }; return (a) ; end
  def self.s; "a#{1}" + 'b' end
  def ==(o) = true
  class << self
    def k; end
  end
  private def w; end
  Y = Struct.new(:a)
 end
end
def top; 1 end
""",
        "A.B A.B.X A.B.C A.B.C.a A.B.C.m A.B.C.s A.B.C.== A.B.C.k A.B.C.w A.B.C.Y top",
    ),
    (
        "a.sh",
        """\
X=1
readonly Y="a b"
f() { local q=1; z=2; if [ "$q" -gt 1 ]; then echo 'a' "b$c"; fi; g() { :; }; }
function h { cat <<EOF
a $b
EOF
}
""",
        "X Y f f.g h",
    ),
    (
        "a.ts",
        """\
export const a = (x: number): number => x, b = 2;
export default class C extends D { @dec() private p: string = "a"; static async m<T>(a?: T) { const inner = () => { return 1 }; function g() {} let v = 1 } get q() { return 1 } constructor(private z: number) { super() } }
export interface I { a: string; m(x: number): void; }
export type T = | "a" | 'b'; enum E { A = 1, B } declare function f(x: string): void; function f(x: any) {}
namespace N.M { export function q() {} } abstract class AC { abstract z(): void }
@Comp({}) export class Dd {}
const store = defineStore('x', () => { const count = ref(0); const dbl = computed(() => { const q = 1; return count }); function inc() { count.value++ } return { inc, foo() {}, } })
Foo.prototype.bar = function bar() { return 1 }; exports.x = 1; module.exports = function () {};
app.use = function use(fn) { var z = 1; for (;;) {} };
let { d, e: [f2] } = obj;
""",
        "a b C C.p C.m C.m.inner C.m.g C.q C.constructor I I.a I.m T E E.A f N.M.q AC AC.z Dd store store.inc store.foo Foo.prototype.bar exports.x module.exports app.use d e f2",
    ),
    (
        "b.ts",
        """\
export default { methods: { foo() { return 1 }, bar: () => 2, 'baz': function () {} }, data: 1 };
""",
        "default default.methods default.methods.foo default.methods.bar default.methods.baz default.data",
    ),
    (
        "c.js",
        """\
export default function () { return 1 }
""",
        "default",
    ),
    (
        "a.go",
        """\
package a
const ( A = iota
 B )
var x, y = 1, 2
type T struct { F, G int; *Emb }
type I interface { M(x int) error }
type Al = T
func (t *T[K]) Meth(a int) (err error) { f := func() {}; var l int; return }
func (T) M2() {}
func top() { if (x) { } ; s := `raw` + "q" }
""",
        "A B x y T T.F T.G T.Emb I I.M Al T.Meth T.M2 top",
    ),
    (
        "a.rs",
        """\
#[derive(Debug)]
/// doc
pub struct S<T> { pub f: i32 }
impl<T> S<T> { #[inline] pub fn m(&self) -> i32 { fn inner() {} (self.f)(1) } const K: i32 = 1; }
impl<'a> fmt::Display for a::S<'a> { type Out = i32; fn fmt(&self) {} }
mod tests { #![allow(x)] pub static Z: i32 = 2; }
enum E { A, #[x] B { q: i32 } } trait Tr { fn r(&self); fn d() {} } macro_rules! mac { () => {} } type Al = i32; union U { a: i32 }
""",
        "S S.f S.m S.m.inner S.K S.Out S.fmt tests.Z E E.A E.B E.B.q Tr Tr.r Tr.d mac Al U U.a",
    ),
    (
        "a.java",
        """\
package a;
@Ann public class C<T> extends D { private static final int X = 1, Y[] = {1,2,}; C() {} int m(int a) { class L { int k() { return 1; } } Runnable r = () -> {}; return (a); } enum E { A(1) { int q() { return 1; } }, B; int z; } static { X = 2; int loc = 1; } interface I { int K = 1; void m(); } record R(int a) { R { } } @interface An { int v() default 1; } }
""",
        "C C.X C.Y C.C C.m C.m.L C.m.L.k C.E C.E.A C.E.A.q C.E.B C.E.z C.I C.I.K C.I.m C.R C.R.R C.An C.An.v",
    ),
    (
        "a.py",
        """\
X: int = 3
A, B = 1, 2
@dec
class C(D):
    '''doc'''
    y: int
    @property
    def p(self, a: int = 1, *, b: str) -> int:
        "doc"
        def inner(): pass
        v: int = 2
        return (a)
    @p.setter
    def p(self, v): self.z = 1
if True:
    def q(): return lambda x: (yield)
type T = int
x.y = 3
""",
        "X A B C C.y C.p C.p.inner q T",
    ),
    ("a.tsx", "export const App = () => { const go = () => 1; return <a/> }", "App App.go"),
    (
        "a.vue",
        """\
<template><div><template v-if="x"></template><script>no()</script></div></template>
<script setup lang="ts">
const x: number = 1
function go() { return x }
</script>
<script>
export default { name: 'q', methods: { a() {} } }
</script>
<style></style>
""",
        "x go default default.name default.methods default.methods.a",
    ),
]


@pytest.mark.parametrize(("path", "text", "names"), NAMES, ids=[path for path, _, _ in NAMES])
def test_symbols_are_named_by_what_they_stand_in(path, text, names):
    assert list(outline(path, text.encode()).symbols) == names.split()


def test_every_language_is_in_the_table():
    seen = {path[path.rindex(".") :] for path, _, _ in NAMES}

    assert all(seen & set(language.suffixes) for language in LANGUAGES)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("fun String.ext() = 1\n", "String.ext"),
        ("fun <T> List<T>.ext() = 1\n", "List.ext"),
        ("fun <K> Map.Entry<K, Int>?.ext() = 1\n", "Map.Entry.ext"),
        ("val String.ext: Int get() = 1\n", "String.ext"),
        ("class A {\n  fun String.ext() = 1\n}\n", "A.String.ext"),
    ],
)
def test_an_extension_is_found_by_what_it_extends_too(text, name):
    there = outline("a.kt", text.encode() + b"fun Other.ext() = 2\n")

    assert "String" not in " ".join(there.symbols)
    assert [part.first for part in there.find(name).parts] == [2 if "class" in text else 1]
    assert there.complete(name.removeprefix("A.")) == [name]


def test_an_extension_of_an_unnamed_type_is_found_by_its_own_name():
    there = outline("a.kt", b"fun (Int.() -> Unit).ext() = 1\nfun plain() = 2\n")

    assert list(there.symbols) == ["ext", "plain"]
    assert there.others == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("class C { companion object { const val K = 3 } }", "C C.K"),
        ("class C { val k = 3 }\nclass D { val k = 3 }\nclass E", "C C.k D D.k E"),
        ("class C { fun f() { g() } }\n", "C C.f"),
        ("class C { object N { object M { val K = 3 } } }", "C C.N C.N.M C.N.M.K"),
        ("class C { object N { object M { fun f() { g() } } } }", "C C.N C.N.M C.N.M.f"),
        ("enum class E { A, B; fun f() = 1 }\n", "E E.A E.B E.f"),
    ],
)
def test_kotlin_in_one_line_is_read_as_in_several(text, names):
    there = outline("a.kt", text.encode())
    several = text.replace("{ ", "{\n").replace(" }", "\n}") + "\n"

    assert list(there.symbols) == names.split()
    assert there.broken == ()
    assert all(
        digest_of(symbol) == digest_of(outline("a.kt", several.encode()).find(name))
        for name, symbol in there.symbols.items()
    )
