"""The printer gives what mlir-opt 22 gives, to the byte, in each form; the map of a text covers its operations."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.elaborate import load
from fathom.elaborate.locator import locator
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
