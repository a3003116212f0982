"""Reading again what was read before gives what reading from nothing gives, whatever was edited."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fathom.tablegen.json import write_json
from fathom.tablegen.reading import Reader, Reading
from tests.tablegen.inputs import FINE

MAIN = 'include "one.td"\nclass Own<int a> { int b = a; }\ninclude "two.td"\ndef own : Own<1>;\n'


def check_same(reading: Reading, buffers: dict[str, str], path: str = "main.td", *, keeps_going: bool = False) -> None:
    fresh = Reader(keeps_going=keeps_going).read(path, (), buffers)
    assert reading.mistakes == fresh.mistakes
    assert write_json(reading.records) == write_json(fresh.records)
    assert reading.declarations == fresh.declarations
    assert reading.links == fresh.links
    assert reading.files == fresh.files


@pytest.mark.parametrize("keeps_going", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_edits_of_any_file(seed: int, keeps_going: bool) -> None:
    chance = random.Random(seed)
    names = sorted(FINE)
    buffers = {"main.td": MAIN, "one.td": FINE[chance.choice(names)], "two.td": FINE[chance.choice(names)]}
    reader = Reader(keeps_going=keeps_going)
    check_same(reader.read("main.td", (), buffers), buffers, keeps_going=keeps_going)
    for _ in range(12):
        name = chance.choice(sorted(buffers))
        text = buffers[name]
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 5)))
        buffers[name] = text[:start] + chance.choice(("", " ", "x", "1", ";", "def new;\n", "}", '"')) + text[end:]
        check_same(reader.read("main.td", (), buffers), buffers, keeps_going=keeps_going)


def test_nothing_changed_is_the_same_reading() -> None:
    buffers = {"main.td": FINE["multiclasses"]}
    reader = Reader()
    assert reader.read("main.td", (), buffers) is reader.read("main.td", (), dict(buffers))


def test_what_is_before_an_edit_is_not_read_again() -> None:
    buffers = {"main.td": FINE["multiclasses"]}
    reader = Reader()
    before = reader.read("main.td", (), buffers)
    buffers["main.td"] += "def more;\n"
    after = reader.read("main.td", (), buffers)
    assert "more" in after.records
    assert "more" not in before.records
    assert after.records["b_first"] is before.records["b_first"]


def test_a_class_that_was_only_declared_is_that_again() -> None:
    text = "class A;\ndef a { A x = ?; }\nclass A { int y = 1; }\ndef b : A;\n"
    reader = Reader()
    buffers = {"main.td": text}
    check_same(reader.read("main.td", (), buffers), buffers)
    buffers["main.td"] = text.replace("int y = 1", "string y = NAME")
    check_same(reader.read("main.td", (), buffers), buffers)


def test_files_on_disk_and_where_they_are_found(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    main = tmp_path / "main.td"
    main.write_text('include "part.td"\ndef a : Part;\n', encoding="utf-8")
    (second / "part.td").write_text("class Part { int x = 2; }\n", encoding="utf-8")
    reader = Reader()
    folders = (str(first), str(second))
    assert reader.read(str(main), folders).records["a"]["x"] == 2
    (first / "part.td").write_text("class Part { int x = 1; }\n", encoding="utf-8")
    assert reader.read(str(main), folders).records["a"]["x"] == 1
    (first / "part.td").write_text("class Part { int x = 10; }\n", encoding="utf-8")
    assert reader.read(str(main), folders).records["a"]["x"] == 10
    buffers = {str(first / "part.td"): "class Part { int x = 100; }\n"}
    assert reader.read(str(main), folders, buffers).records["a"]["x"] == 100
    (first / "part.td").unlink()
    assert reader.read(str(main), folders).records["a"]["x"] == 2
