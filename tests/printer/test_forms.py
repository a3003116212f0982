"""The printer gives what mlir-opt 22 gives, to the byte, in each form; the map of a text covers its operations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from fathom.elaborate import load
from fathom.elaborate.locator import locator
from fathom.ir.custom_text import CUSTOM_TEXT, CustomText, Word
from fathom.ir.printer import print_module, print_op, print_with_map
from fathom.ir.printing_flags import PrintingFlags
from tests.printer.goldens import FORMS, expected_path, fixtures


def printed(text: str, form: str) -> str:
    """`text`, parsed and printed in one of the forms of `FORMS`."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    locate = locator(text, "<stdin>")
    return print_module(
        loaded.module,
        PrintingFlags(generic="generic" in form, debug_info="locations" in form, local_scope=form == "local"),
        locate=locate,
        external=loaded.metadata.external,
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_form(path: Path, form: str) -> None:
    assert printed(path.read_text(encoding="utf-8"), form) == expected_path(path, form).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_custom_form_is_a_fixed_point(path: Path) -> None:
    once = printed(path.read_text(encoding="utf-8"), "custom")
    assert printed(once, "custom") == once


def test_map_gives_the_text_of_each_operation() -> None:
    module = load("func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n").module
    text, ranges = print_with_map(module)
    assert text == print_module(module)
    texts = {op.name: text[start:end] for op, start, end in ranges}
    assert texts["arith.addi"] == "%0 = arith.addi %arg0, %arg0 : i32"
    assert texts["func.return"] == "return %0 : i32"
    assert texts["builtin.module"] == text.rstrip("\n")
    assert texts["func.func"].startswith("func.func @f(") and texts["func.func"].endswith("  }")


def test_one_operation_is_printed_without_a_module() -> None:
    module = load("func.func @f(%a: i32) {\n  return\n}\n").module
    function = next(op for op in module.walk() if op.name == "func.func")
    assert print_op(function) == "func.func @f(%arg0: i32) {\n  return\n}"


def test_unknown_custom_operation_keeps_its_text() -> None:
    text = "func.func @f(%a: i32) {\n  foo.bar %a , [1,2] -> {x}: i32 // a comment\n  return\n}\n"
    assert "    foo.bar %arg0 , [1,2] -> {x}: i32\n" in print_module(load(text).module)


class Counted(tuple[tuple[bool, Word], ...]):
    """Words of a kept text, gone over so often."""

    times: ClassVar[int] = 0

    def __iter__(self) -> Iterator[tuple[bool, Word]]:
        Counted.times += 1
        return super().__iter__()


def test_an_unknown_operation_of_many_regions() -> None:
    """Its words are not gone over again for each of them."""
    regions = ", ".join(["{\n}"] * 50)
    loaded = load(f"some.thing {regions}\n")
    (op,) = [op for op in loaded.module.walk() if op.name == "some.thing"]
    kept = op.properties[CUSTOM_TEXT]
    assert isinstance(kept, CustomText)
    op.properties[CUSTOM_TEXT] = CustomText(Counted(kept.words))
    Counted.times = 0
    assert print_op(op).count("{") == 50
    assert 0 < Counted.times < 5
