"""Small files, by what they try: those that say something, and those that are refused."""

from __future__ import annotations

FINE: dict[str, str] = {
    "fields of each type": """
class Tool;
def hammer : Tool;
class Thing {
  bit new = true;
  bits<4> mask = 0b0101;
  int weight = -7;
  string name = "thing" " of " "parts\\n\\t\\"\\\\";
  code body = [{ return } ]; }];
  list<int> sizes = [1, 2, 0x1F,];
  list<list<string>> deep = [["a"], []];
  dag use = (hammer 1, "two":$second, $third, [1, 2]:$fourth);
  dag named = (hammer:$how);
  Tool tool = hammer;
  Tool none = ?;
  field int open;
  int unset;
}
def thing : Thing;
""",
    "bits": """
class B<bits<8> b> {
  bits<8> whole = b;
  bits<4> high = b{7-4};
  bits<3> mixed = {b{0}, b{7...7}, 1};
  bit last = b{0};
  bits<8> part;
  let part{3-0} = b{7-4};
  let part{7, 5} = 0b10;
  bits<8> joined = {b{3-0}, 0b1010};
  int number = b;
}
def one : B<0x5A>;
def open { bits<4> rest; bits<2> low = rest{1-0}; let rest{3} = 1; }
""",
    "lists": """
class L<list<int> l> {
  int first = l[0];
  list<int> some = l[1, 3...2];
  list<int> single = l[1,];
  list<int> tail = l[2...4];
  list<int> pasted = l # [7, 8];
}
def a : L<[10, 11, 12, 13, 14]>;
def typed { list<bits<4>> l = [1, 2, 3]; list<int> empty = []<int>; }
""",
    "arguments": """
class C<int a, string b = "default", list<int> c = [a], int d = !add(a, 1)> {
  int x = a; string y = b; list<int> z = c; int w = d;
}
def by_position : C<1, "text">;
def by_name : C<1, d = 7, b = "named">;
class D<int a> : C<!mul(a, 2), NAME # "_suffix"> { string own = NAME; }
def inherited : D<21>;
def anonymous_in_field { C c = C<3>; int x = C<3>.x; int y = C<4, d = 1>.w; C same = C<3>; }
""",
    "classes before they are defined": """
class Later;
class Now { Later l; list<Later> many = []; }
class Later<int x = 3> { int y = x; Now back = ?; }
def later : Later<4>;
def now : Now { let l = later; let many = [later, Later<5>]; }
""",
    "inheritance": """
class Base { int a = 1; string s = "base"; }
class Left : Base { let a = 2; int left = a; }
class Right { int a = 3; int right = a; }
class More : Base { string more = s # "!"; }
def both : Left, Right { let s = "both"; }
def again : Left { let left = 7; }
def more : More { let s = "more"; }
""",
    "let around definitions": """
class A { int x = 0; string s = ""; bits<4> b = 0; list<int> l = []; }
let x = 1, s = "outer" in {
  def a : A;
  let x = 2, b<3-2> = 0b11 in def b : A { let s = "inner"; }
  defvar local = 5;
  let l = [local] in { def c : A; }
}
def d : A;
""",
    "foreach": """
foreach i = [1, 2, 3] in def number # i { int value = i; int double = !mul(i, 2); }
foreach i = 0-2 in foreach j = {1, 3...4} in def "pair" # i # "_" # j { int sum = !add(i, j); }
foreach name = ["x", "y"] in {
  defvar upper = !toupper(name);
  def name;
  def upper { string was = name; }
}
foreach i = !range(2) in def : Anon<i>;
class Anon<int n> { int value = n; }
""".replace(
        "foreach i = !range(2) in def : Anon<i>;\nclass Anon<int n> { int value = n; }\n",
        "class Anon<int n> { int value = n; }\nforeach i = !range(2) in def : Anon<i>;\n",
    ),
    "if": """
class A<int x> { int y = x; }
defvar big = 1;
if big then def yes : A<1>; else def no : A<2>;
if !eq(big, 2) then { def two; } else if !gt(big, 0) then { def one; } else { def none; }
multiclass M<bit wanted> { if wanted then def _in; else def _out; }
defm a : M<1>;
defm b : M<0>;
foreach i = [1, 2, 3] in if !ne(i, 2) then def odd # i;
""",
    "multiclasses": """
class I<string n, int v> { string name = n; int value = v; }
multiclass Base<int start> {
  def _first : I<NAME # "_first", start>;
  def NAME # "_second" : I<NAME, !add(start, 1)>;
  def : I<"anonymous", start>;
}
multiclass More<int start, string extra = "extra"> : Base<!mul(start, 10)> {
  defvar last = !add(start, 100);
  def extra : I<extra, last>;
  foreach i = [1, 2] in def _loop # i : I<"loop", !add(start, i)>;
  defm _inner : Base<last>;
}
defm a : Base<1>;
defm b : More<2>;
defm "" : More<3, "named">;
class Mark { bit marked = 1; }
defm c : Base<4>, Mark;
let value = 99 in defm d : Base<5>;
defm : Base<6>;
""",
    "defset, defvar, deftype": """
class A<int x> { int y = x; }
deftype Numbers = list<int>;
defset list<A> all = { def a : A<1>; foreach i = [2, 3] in def b # i : A<i>; }
defvar count = !size(all);
defvar sum = !foldl(0, all, so_far, each, !add(so_far, each.y));
def result { list<A> every = all; int how_many = count; int total = sum; Numbers numbers = !foreach(a, all, a.y); }
""",
    "arithmetic": """
def r {
  int add = !add(1, 2, 3); int sub = !sub(1, 5); int mul = !mul(2, 3, 4); int div = !div(-7, 2);
  int and = !and(12, 10); int or = !or(12, 3); int xor = !xor(12, 10); int not = !not(0);
  int shl = !shl(1, 62); int sra = !sra(-8, 1); int srl = !srl(-1, 60); int log = !logtwo(1000);
  int wrapped = !add(0x7fffffffffffffff, 1);
  bit eq = !eq("a", "a"); bit ne = !ne(1, 2); bit lt = !lt("a", "b"); bit ge = !ge(0b11, 3); bit le = !le(-1, 0);
}
""",
    "strings": """
def r {
  string cat = !strconcat("a", "b", "c"); string pasted = "x" # 1 # "y"; string upper = !toupper("aBc");
  string lower = !tolower("ABc"); string sub = !substr("abcdef", 2, 3); string rest = !substr("abc", 1);
  int find = !find("abcabc", "c", 3); int nowhere = !find("abc", "x"); string subst = !subst("a", "bb", "banana");
  int size = !size("four"); bit empty = !empty(""); string joined = !interleave(["a", "b"], ", ");
  string numbers = !interleave([1, 2, 3], "-"); bit match = !match("abc123", "^[a-z]+[0-9]{3}$");
  bit other = !match("abc", "(x|y)+"); string cast = !cast<string>(42); string repr = !repr([1, 2]);
}
""",
    "operations on lists": """
def r {
  list<int> cat = !listconcat([1], [2, 3], [4]); list<int> splat = !listsplat(7, 3);
  list<int> removed = !listremove([1, 2, 3, 2], [2]); list<int> flat = !listflatten([[1], [2, 3]]);
  int head = !head([5, 6]); list<int> tail = !tail([5, 6, 7]); int size = !size([1, 2]); bit empty = !empty([1]);
  list<int> range = !range(2, 8, 2); list<int> down = !range(3, 0, -1); list<int> like = !range([7, 7]);
  list<string> mapped = !foreach(i, [1, 2], "n" # i); list<int> kept = !filter(i, [1, 2, 3, 4], !gt(i, 2));
  string folded = !foldl("", ["a", "b"], so_far, each, so_far # each # ".");
}
""",
    "operations on dags": """
def op; def other; def x;
class P<dag d> {
  dag con = !con(d, (op 3:$c)); int size = !size(d); bit empty = !empty(d);
  string name = !getdagname(d, 1); int second = !getdagarg<int>(d, "b"); dag set = !setdagop(d, other);
  dag renamed = !setdagname(d, 0, "z"); dag changed = !setdagarg(d, "a", 9);
  dag mapped = !foreach(n, (op op, (op x)), !subst(op, other, n));
  dag made = !dag(op, [1, 2], ["one", ?]); dag unnamed = !dag(op, [x], ?); string opname = !getdagopname((op:$n));
  dag with_opname = !setdagopname(d, "new");
}
def p : P<(op 1:$a, 2:$b)>;
class Operator<dag d> { bit same = !eq(!getdagop(d), op); }
def q : Operator<(op)>;
""",
    "operations on records": """
class Base { int v = 1; } class Other;
def base : Base; def base2 : Base { let v = 2; } def other : Other;
class Test<string name> {
  Base found = !cast<Base>(name); int v = !cast<Base>(name).v; bit exists = !exists<Base>(name);
  bit missing = !exists<Base>(name # "x"); bit wrong = !exists<Other>(name);
}
def t : Test<"base">;
def asks { bit is = !isa<Base>(base); bit is_not = !isa<Other>(base); string text = !cast<string>(other);
  list<Base> all = !instances<Base>(); list<Base> some = !instances<Base>("2$"); bit known = !initialized(base);
  bit unknown = !initialized(?); bit same = !eq(base, base); }
class Self { Self me = !cast<Self>(NAME); string name = NAME; }
def self : Self;
""",
    "conditions": """
class C<int x> {
  string size = !cond(!lt(x, 0): "negative", !eq(x, 0): "zero", true: "positive");
  string short = !if(!and(1, !gt(x, 5)), "big", "small");
  int unset = !if(!eq(x, 1), ?, 2);
}
def a : C<-1>; def b : C<0>; def c : C<7>; def d : C<1>;
""".replace("; def", ";\ndef"),
    "loops within operations": """
class A<list<int> l> {
  list<list<int>> products = !foreach(i, l, !foreach(j, l, !mul(i, j)));
  int longest = !foldl(0, l, most, i, !if(!gt(i, most), i, most));
  list<int> odd = !filter(i, l, !eq(!and(i, 1), 1));
}
def a : A<[3, 1, 2]>;
""",
    "what is not worked out": """
class A { int x = ?; int y = x; bits<4> b; bits<2> c = b{2-1}; field int z = !add(x, 1); }
def a : A { field int w = !mul(y, 2); let y = 3; }
""",
    "asserts that hold": """
class A<int x> { assert !gt(x, 0), "x is " # x; int y = x; }
assert !eq(1, 1), "never";
def a : A<1>;
foreach i = [1, 2] in { assert !lt(i, 3), "small"; def n # i : A<i>; }
""",
    "directives": """
#define HERE
#ifdef HERE // a comment
def here;
#else
def there $ this is nothing
#endif
#ifndef HERE
 " not closed
#ifdef NESTED
#endif
#else /* another
 comment */
def also;
#endif
/* a comment /* in a comment */ */
def after; // #ifdef is no directive here
""",
    "names": """
def 8bit { int 16x = 1; string s = "a" # 8bit2; }
def x#"y";
def "z" # "w" # { int v = 2; }
def true_name { bit b = true; bit c = false; }
""".replace(' string s = "a" # 8bit2;', ""),
    "records within records": """
class Point<int a, int b> { int x = a; int y = b; }
class Box<Point p, Point q = Point<9, 9>> { Point from = p; Point to = q; int width = !sub(q.x, p.x); }
def box : Box<Point<1, 2>, Point<5, 6>>;
def other : Box<Point<1, 2>>;
def many { list<Point> l = !foreach(i, [1, 2], Point<i, i>); int first = l[0].x; }
""",
}
"""Each with all that it tries in it; llvm-tblgen says the same of them."""

REFUSED: dict[str, tuple[str, int, str]] = {
    "class": ("def a : Missing;", 1, "Couldn't find class 'Missing'"),
    "class twice": ("class A { int x; }\nclass A { int x; }", 2, "Class 'A' already defined"),
    "def twice": ("def a;\n\ndef a;", 3, "def already exists: a"),
    "multiclass": (
        "multiclass M { def x; }\ndef a : M;",
        2,
        "Couldn't find class 'M'. Use 'defm' if you meant to use multiclass 'M'",
    ),
    "field": ("class A;\ndef a : A {\n  let x = 1;\n}", 3, "Value 'x' unknown!"),
    "type": (
        'def a {\n  int x = "s";\n}',
        2,
        "Field 'x' of type 'int' is incompatible with value '\"s\"' of type 'string'",
    ),
    "name": ("def a { int x = y; }", 1, "Variable not defined: 'y'"),
    "argument": ("class A<int x> { int y = x; }\ndef a : A;", 2, "value not specified for template argument 'A:x'"),
    "arguments": ("class A<int x> { int y = x; }\ndef a : A<1, 2>;", 2, "Too many template arguments: 2"),
    "argument's type": (
        'class A<int x> { int y = x; }\ndef a : A<"s">;',
        2,
        "Value specified for template argument 'A:x' is of type string; expected type int: \"s\"",
    ),
    "argument's name": ("class A<int x> { int y = x; }\ndef a : A<z = 1>;", 2, 'Argument "z" doesn\'t exist'),
    "order of arguments": (
        "class A<int x, int y> { int z = !add(x, y); }\ndef a : A<x = 1, 2>;",
        2,
        "Positional argument should be put before named argument",
    ),
    "semicolon": ("def a { int x = 1 }", 1, "expected ';' after declaration"),
    "body": ("def a\ndef b;", 2, "Expected '{' to start body or ';' for declaration only"),
    "statement": ("def a;\nfoo", 2, "Unexpected token at top level"),
    "string": ('def a { string s = "abc\n; }', 1, "end of line in string literal"),
    "escape": ('def a { string s = "a\\q"; }', 1, "invalid escape in string literal"),
    "code": ("def a { code c = [{ never closed", 1, "unterminated code block"),
    "comment": ("def a; /* never closed", 1, "unterminated comment"),
    "operator": ("def a { int x = !nothing(1); }", 1, "unknown operator"),
    "character": ("def a; @", 1, "unexpected character"),
    "number": ("def a { int x = 99999999999999999999; }", 1, "number out of range"),
    "include": ('def a;\ninclude "nowhere.td"', 2, "could not find include file 'nowhere.td'"),
    "condition": ("def a;\n#ifdef X\ndef b;\n", 4, "reached EOF without matching #endif"),
    "else": ("#else\n", 1, "#else without #ifdef or #ifndef"),
    "endif": ("def a;\n#endif\n", 2, "#endif without #ifdef"),
    "macro": ("#define\n", 1, "expected macro name after #define"),
    "assert": ('def a;\nassert !eq(1, 2), "one is not two";', 2, "assertion failed: one is not two"),
    "assert in a record": (
        'class A<int x> {\n  assert x, "x is " # x;\n}\ndef a : A<0>;',
        2,
        "assertion failed: x is 0",
    ),
    "division": ("def a { int x = !div(1, 0); }", 1, "Illegal operation: division by zero"),
    "shift": ("def a { int x = !shl(1, 64); }", 1, "Illegal operation: out of bounds shift"),
    "cond": ("def a { int x = !cond(0: 1); }", 1, "a does not have any true condition in:!cond(0: 1)"),
    "types of !if": ('def a { int x = !if(1, 2, "s"); }', 1, "inconsistent types 'int' and 'string' for !if"),
    "cast": ('class A;\ndef a { A x = !cast<A>("nobody"); }', 2, "Undefined reference to record: 'nobody'"),
    "cast's type": (
        'class A;\nclass B;\ndef b : B;\ndef a { A x = !cast<A>("b"); }',
        4,
        "Expected type 'A', got 'B' in: !cast<A>(\"b\")",
    ),
    "list": ('def a { list<int> l = [1, "s"]; }', 1, "Incompatible types in list elements"),
    "list's type": ("defvar l = [];", 1, "No type for list"),
    "bits": (
        "def a { bits<2> b = 7; }",
        1,
        "Initializer of 'b' in 'a' could not be fully resolved: { !cast<bits<2>>(7){1}, !cast<bits<2>>(7){0} }",
    ),
    "bit range": ("def a { bits<2> b = 1; bit c = b{5}; }", 1, "Invalid bit range for value"),
    "bits twice": ("def a { bits<4> b; let b{1, 1} = 0; }", 1, "Cannot set bit #1 of value 'b' more than once"),
    "field of a record": (
        "class A;\ndef x : A;\ndef a { int y = x.none; }",
        3,
        "Cannot access field 'none' of value 'x'",
    ),
    "superclass twice": ("class A;\ndef a : A, A;", 2, "Already subclass of 'A'!"),
    "let": ("let x = 1 def a;", 1, "expected 'in' at end of top-level 'let'"),
    "foreach": ("foreach i = 1 def a;", 1, "Unknown tok"),
    "multiclass's body": ("multiclass M { }", 1, "multiclass must contain at least one def"),
    "class in a multiclass": (
        "multiclass M {\n  class A;\n}",
        2,
        "expected 'assert', 'def', 'defm', 'defvar', 'dump', 'foreach', 'if', or 'let' in multiclass body",
    ),
    "defset": (
        "class A;\nclass B;\ndefset list<A> l = {\n  def b : B;\n}",
        4,
        "adding record of incompatible type 'B' to defset",
    ),
    "defvar": ("defvar x = 1;\ndefvar x = 2;", 2, "def or global variable of this name already exists"),
    "self": ("def a { int x = x; }", 1, "Recursion / self-assignment forbidden"),
    "open": (
        "class A<int i> { int j = i; }\ndef a { int n; A x = A<n>; }",
        2,
        "Initializer of 'x' in 'a' could not be fully resolved: A<0: n>",
    ),
    "semicolon behind a body": ("class A {};", 1, "A class or def body should not end with a semicolon"),
    "regular expression": ('def a { bit b = !match("x", "("); }', 0, "invalid regex '('"),
}
"""Each with the line and the words of the first error; line 0 where it is about no place. llvm-tblgen says the same."""
