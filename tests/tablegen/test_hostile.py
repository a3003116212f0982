"""No text makes the reader raise, hang, or fill the memory: what asks for too much is refused."""

from __future__ import annotations

import random

import pytest

from fathom.tablegen.json import write_json
from fathom.tablegen.reading import Reader
from fathom.tablegen.regular_expressions import InvalidExpression, compiled
from fathom.text.beginnings import LONGEST_MESSAGE
from tests.tablegen.inputs import FINE, REFUSED

"""Seconds of CPU; most take none to speak of, those that count to the limit of work a few."""

DOUBLED = "".join(f"defvar x{i + 1} = !strconcat(x{i}, x{i});\n" for i in range(60))
SHARED = "".join(f"  defvar y{i + 1} = !add(y{i}, y{i});\n" for i in range(60))

DEMANDING = {
    "range": ("defvar l = !range(0, 1000000000);", "too long"),
    "ranges": ("foreach i = 0-1000000000 in def a # i;", "too long"),
    "closed range": ("defvar l = [1, 2][0...1000000000];", "too long"),
    "splat": ("defvar l = !listsplat(0, 1000000000);", "too long"),
    "bits": ("class A { bits<1000000000> b; }", "too many"),
    "bit range": ("def a { bits<8> b = 0; int c = b{0-1000000000}; }", "too long"),
    "doubled string": ('defvar x0 = "0123456789";\n' + DOUBLED, "too long"),
    "doubled list": (
        "defvar x0 = [1];\n" + DOUBLED.replace("strconcat", "listconcat"),
        "too long",
    ),
    "shared terms": ("class A<int y0> {\n" + SHARED + "  int z = y60;\n}\ndef a : A<1>;", "too large"),
    "shared dags": (
        "def op;\ndefvar y0 = (op 1);\n" + "".join(f"defvar y{i + 1} = (op y{i}, y{i});\n" for i in range(60)),
        "too large",
    ),
    "a list of lists": ("def a { list<list<int>> l = !foreach(i, !range(2000), !range(2000)); }", "too large"),
    "a list of strings": ("def a { list<string> l = !listsplat(!repr(!range(1000)), 10000); }", "too large"),
    "records in loops": ("foreach i = !range(4000) in def a # i;", "too long to evaluate"),
    "multiclasses of twice as many": (
        "multiclass M0 { def x; }\n"
        + "".join(f"multiclass M{i + 1} {{ defm a : M{i}; defm b : M{i}; }}\n" for i in range(40))
        + "defm q : M40;\n",
        "too long to evaluate",
    ),
    "superclasses of superclasses": (
        "class A0 {}\n" + "".join(f"class A{i + 1} : A{i} {{}}\n" for i in range(1500)) + "def x : A1500;\n",
        "",
    ),
    "superclasses that meet again": (
        "class A0;\n"
        + "".join(f"class B{i} : A{i};\nclass C{i} : A{i};\nclass A{i + 1} : B{i}, C{i};\n" for i in range(40))
        + "def x : A40;\n",
        "too",
    ),
    "a long message": ('def a { string s = !substr("' + "a" * 100_000 + '", 100001); }', "is out of range"),
    "defaults that hold each other twice": (
        "def op;\nclass A<dag y0 = (op ?)> {\n"
        + "".join(f"  defvar y{i + 1} = (op y{i}, y{i});\n" for i in range(18))
        + "  dag z = y18;\n}\ndef a : A;\ndef b : A<(op 2)>;\n",
        "",
    ),
    "nested loops": ("".join(f"foreach i{i} = !range(100) in\n" for i in range(8)) + "def a;", ""),
    "loops within loops": (
        "def a { int n = !foldl(0, !range(100000), x, i, !foldl(x, !range(100000), y, j, !add(y, 1))); }",
        "",
    ),
    "class of itself": ("class A<int n> { A next = A<!add(n, 1)>; }\ndef a : A<0>;", "more than 100"),
    "superclass of itself": ("class A : A;", ""),
    "multiclass of itself": ("multiclass A { defm x : A; }\ndefm b : A;", ""),
    "parentheses": ("def a { int x = " + "!add(1, " * 100_000, "nested too deeply"),
    "lists": ("defvar x = " + "[" * 100_000, "nested too deeply"),
    "types": ("class A { " + "list<" * 100_000, "nested too deeply"),
    "blocks": ("let x = 1 in { " * 100_000, "nested too deeply"),
    "pastes": ("def a" + " # a" * 100_000 + ";", "nested too deeply"),
    "deep dag": ("def op;\ndef a { dag d = !foldl((op), !range(50000), d, i, (op d)); }", ""),
    "deep term": (
        'class A<string s> { string t = !foldl("", !range(50000), x, i, x # s); }\ndef a : A<"x">;',
        "",
    ),
    "directives": ("#ifndef A\n" * 100_000, "nested too deeply"),
    "many directives": ("#ifndef A\n#define A\n#endif\n" * 30_000 + "def a", "Expected '{'"),
    "skipped directives": ("#ifdef A\n" * 100_000, "nested too deeply"),
    "comments": ("/*" * 100_000, "unterminated comment"),
    "digits": ("defvar x = " + "9" * 1_000_000 + ";", "number out of range"),
    "expression": ('defvar x = !match("' + "a" * 30_000 + 'b", "(a|a)*(a|a)*(a|a)*c");', ""),
    "code that is not closed": ("[{ " * 50_000, "unterminated code block"),
}


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the tests need not wait for as much work as a reader would do."""
    monkeypatch.setattr("fathom.tablegen.keeper.MOST_WORK", 200_000)


def check_survived(text: str) -> str:
    """The messages of a reading, which took no time to speak of, and whose records can be written."""
    reading = Reader(keeps_going=True).read("main.td", (), {"main.td": text})
    write_json(reading.records)
    assert all(len(mistake.message) <= LONGEST_MESSAGE + 1 for mistake in reading.mistakes)
    return "\n".join(mistake.message for mistake in reading.mistakes)


@pytest.mark.parametrize("name", DEMANDING)
def test_what_asks_for_too_much(name: str) -> None:
    text, words = DEMANDING[name]
    assert words in check_survived(text)


def test_files_that_include_each_other() -> None:
    buffers = {"main.td": 'include "other.td"\n', "other.td": 'include "main.td"\ninclude "main.td"\n'}
    reading = Reader().read("main.td", (), buffers)
    assert [error.message for error in reading.errors] == ["'other.td' is included too often"]


@pytest.mark.parametrize("seed", range(20))
def test_damaged_files(seed: int) -> None:
    chance = random.Random(seed)
    texts = [*FINE.values(), *(text for text, _, _ in REFUSED.values())]
    for _ in range(30):
        text = chance.choice(texts)
        for _ in range(chance.randrange(1, 6)):
            start = chance.randrange(len(text) + 1)
            piece = chance.choice(texts)
            cut = chance.randrange(len(piece) + 1)
            text = text[:start] + piece[cut : cut + chance.randrange(30)] + text[start + chance.randrange(8) :]
        check_survived(text)


@pytest.mark.parametrize("text", ["\0", "\ud800", "é", "\r", "def a;\r\n\r\ndef b;\r", "﻿def a;", "#", "$", "!", "\\"])
def test_odd_characters(text: str) -> None:
    check_survived(text)


@pytest.mark.parametrize(
    ("expression", "text", "is_found"),
    [
        ("a", "bab", True),
        ("^a", "ba", False),
        ("a$", "ba", True),
        ("^(ab|c)+$", "abcab", True),
        ("^(ab|c)+$", "abca", False),
        ("x{2,3}y", "xxxxy", True),
        ("^x{2,3}y", "xxxxy", False),
        ("^x{2}$", "xx", True),
        ("^x{2,}$", "xxxxx", True),
        ("[^a-c]", "abc", False),
        ("[]x]", "]", True),
        ("[[:digit:]_-]+z", "4_-z", True),
        (r"a\.b", "axb", False),
        ("a?b*", "", True),
        ("()", "", True),
        ("^.$", "\n", True),
    ],
)
def test_regular_expressions(expression: str, text: str, is_found: bool) -> None:
    assert compiled(expression).found_in(text) is is_found


@pytest.mark.parametrize(
    "expression", ["", "(", ")", "a**", "*", "a{3,2}", "a{999}", "[", "[b-a]", "[[:no:]]", "a|", "\\", "^*"]
)
def test_what_is_no_regular_expression(expression: str) -> None:
    with pytest.raises(InvalidExpression):
        compiled(expression)
