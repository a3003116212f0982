"""What the reader makes of small files: records, and mistakes with their places."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fathom.tablegen.json import as_json
from fathom.tablegen.reading import Reader, Reading
from fathom.tablegen.records import Bits, Code, Dag, Location, Ref
from tests.oracles import run_tool
from tests.tablegen.inputs import FINE, REFUSED

FILE = "input.td"


def read(text: str, **others: str) -> Reading:
    """The reading of a text; others are files beside it, by their names without `.td`."""
    buffers = {FILE: text, **{f"{name}.td": other for name, other in others.items()}}
    return Reader().read(FILE, (), buffers)


def check_records(text: str, expected: dict[str, dict[str, object]]) -> None:
    """The text has no mistakes, and records with these values, among others."""
    reading = read(text)
    assert reading.errors == ()
    values = {name: {field: reading.records[name][field] for field in fields} for name, fields in expected.items()}
    assert values == expected


@pytest.mark.parametrize("name", FINE)
def test_llvm_tblgen_says_the_same_of_what_is_fine(name: str) -> None:
    reading = read(FINE[name])
    assert reading.errors == ()
    answer = run_tool("llvm-tblgen", ["--dump-json"], FINE[name])
    assert answer.status == 0, answer.stderr
    theirs = json.loads(answer.stdout.replace('"<stdin>:', f'"{FILE}:'))
    assert as_json(reading.records) == theirs


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_refused_at_its_line_in_llvm_tblgens_words(name: str) -> None:
    text, line, words = REFUSED[name]
    first = read(text).errors[0]
    assert (first.location.line if first.location else 0, first.message) == (line, words)


@pytest.mark.parametrize("name", REFUSED)
def test_llvm_tblgen_refuses_the_same(name: str) -> None:
    text, line, words = REFUSED[name]
    answer = run_tool("llvm-tblgen", ["--dump-json"], text)
    match = re.search(r"(?:<stdin>:(\d+):\d+: )?error: (.*)", answer.stderr)
    assert match is not None
    assert (int(match[1] or 0), match[2]) == (line, words)


def test_values_have_the_types_of_the_file() -> None:
    check_records(
        FINE["fields of each type"],
        {
            "thing": {
                "new": True,
                "mask": Bits((True, False, True, False)),
                "weight": -7,
                "name": 'thing of parts\n\t"\\',
                "body": Code(" return } ]; "),
                "sizes": (1, 2, 31),
                "deep": (("a",), ()),
                "use": Dag(Ref("hammer"), (1, "two", None, (1, 2)), (None, "second", "third", "fourth")),
                "named": Dag(Ref("hammer"), operator_name="how"),
                "tool": Ref("hammer"),
                "none": None,
                "open": None,
            }
        },
    )
    thing = read(FINE["fields of each type"]).records["thing"]
    assert isinstance(thing["body"], Code)
    assert not isinstance(thing["name"], Code)
    assert thing.non_concrete == ("open",)


def test_records_know_where_they_were_made() -> None:
    reading = read("multiclass M {\n  def _x;\n}\n\n  defm a : M;\ndef b { int f = 1;\n  let f = 2; }\n")
    assert reading.records["a_x"].locations == (Location(FILE, 2, 7), Location(FILE, 5, 12))
    assert reading.records["b"].location == Location(FILE, 6, 5)
    assert reading.records["b"].field_locations["f"] == Location(FILE, 7, 7)


def test_what_a_multiclass_makes_wrongly_is_told_with_the_defm() -> None:
    first = read("def ax;\nmulticlass M {\n  def x;\n}\ndefm a : M;\n").errors[0]
    assert (first.message, first.location) == ("def already exists: ax", Location(FILE, 3, 7))
    notes = [(note.message, note.location) for note in first.notes]
    assert notes == [
        ("instantiated from multiclass", Location(FILE, 5, 10)),
        ("location of previous definition", Location(FILE, 1, 5)),
    ]


def test_included_files_are_read_in_their_place() -> None:
    reading = read(
        'include "base.td"\ndef a : Base { let x = 2; }\ninclude "more.td"\n',
        base="#ifndef BASE\n#define BASE\nclass Base { int x = 1; }\n#endif\n",
        more='include "base.td"\ndef b : Base;\n',
    )
    assert [(file.path, file.span and (file.span.file, file.span.start)) for file in reading.files] == [
        ("input.td", None),
        ("base.td", ("input.td", 8)),
        ("more.td", ("input.td", 54)),
        ("base.td", ("more.td", 8)),
    ]
    assert [record.integer("x") for record in reading.records] == [2, 1]
    assert reading.records["b"].location == Location("more.td", 2, 5)


def test_columns_count_bytes() -> None:
    assert read('def a { string s = "é€😀"; int x = y; }').errors[0].location == Location(FILE, 1, 41)


def test_lengths_and_positions_in_strings_count_bytes() -> None:
    check_records(
        'def a { int n = !size("é€"); string s = !substr("é€x", 2, 3); int f = !find("é€x", "x"); }',
        {"a": {"n": 5, "s": "€", "f": 5}},
    )


def test_warnings_and_dumps_do_not_refuse_a_file() -> None:
    reading = read('class A<int x>;\ndef b;\n#define B\n#define B\ndump "seen " # 1;\ndef a : A<1>;\n')
    assert [
        (mistake.severity, mistake.message, mistake.location and mistake.location.line) for mistake in reading.mistakes
    ] == [
        ("warning", "unused template argument: A:x", 1),
        ("warning", "duplicate definition of macro: B", 4),
        ("note", "seen 1", 5),
    ]
    assert "a" in reading.records


def test_names_are_linked_to_what_they_refer_to() -> None:
    text = "class A<int arg> { int x = arg; }\ndef a : A<1> { let x = 2; }\ndef b { int y = a.x; A z = A<3>; }\n"
    reading = read(text)
    links = [
        (text[link.span.start : link.span.end], text[link.target.start :].split(maxsplit=1)[0])
        for link in reading.links
    ]
    assert links == [
        ("arg", "arg>"),
        ("A", "A<int"),
        ("x", "x"),
        ("a", "a"),
        ("x", "x"),
        ("A", "A<int"),
        ("A", "A<int"),
    ]
    declared = [(declaration.kind, declaration.name, declaration.within) for declaration in reading.declarations]
    assert declared == [
        ("class", "A", ""),
        ("argument", "arg", "A"),
        ("field", "x", "A"),
        ("def", "a", ""),
        ("def", "b", ""),
        ("field", "y", "b"),
        ("field", "z", "b"),
    ]


def test_an_editor_goes_on_behind_a_mistake() -> None:
    text = (
        "class A { int x = 1; }\nclass Broken { int y = ; }\ndef uses : Broken;\ndef good : A;\n"
        "def bad : A { let x = ; }\ndef user { A a = bad; }\ndef last : A;\n"
    )
    reading = Reader(keeps_going=True).read(FILE, (), {FILE: text})
    assert [error.location and error.location.line for error in reading.errors] == [2, 5]
    assert [record.name for record in reading.records] == ["good", "last"]
    assert [error.location and error.location.line for error in read(text).errors] == [2]


def test_a_file_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    reading = Reader().read(str(tmp_path / "none.td"))
    assert [error.message for error in reading.errors] == [f"Could not open input file '{tmp_path / 'none.td'}'"]


def test_more_is_joined_to_the_value_of_a_field() -> None:
    text = """\
class A<string s> { string d = s; list<int> l = [1]; string u = ?; string append = "x"; }
def B : A<"a"> { let append d = "b"; let prepend l = [0]; let append u = "c"; let append = "y"; }
class C<string s> : A<s> { let append d = "!"; }
def D : C<"q">;
"""
    check_records(text, {"B": {"d": "ab", "l": (0, 1), "u": "c", "append": "y"}, "D": {"d": "q!", "append": "x"}})


def test_nothing_is_joined_to_a_number() -> None:
    (mistake,) = read("class A { int n = 1; }\ndef B : A { let append n = 1; }\n").errors
    assert (mistake.location, mistake.message) == (
        Location(FILE, 2, 24),
        "'append' is for fields that are lists, strings or dags, and 'n' is none",
    )
