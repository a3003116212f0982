"""Layouts of memrefs that are attributes of dialects which nobody has described."""

from __future__ import annotations

import pytest

from fathom.elaborate import load
from fathom.ir.printer import print_module


def check_type(text: str, *messages: str) -> None:
    """A type is printed as it is written, or refused."""
    loaded = load(f"func.func private @f({text})\n")
    assert [diagnostic.message for diagnostic in loaded.diagnostics if diagnostic.severity == "error"] == list(messages)
    if not messages:
        assert text in print_module(loaded.module)


def test_an_attribute_of_an_unknown_dialect_may_be_a_layout() -> None:
    check_type("memref<2x4xf32, #my.shard<4x1>, #my.l1>")
    check_type("memref<2x4xf32, #my.shard<4x1>, 3 : i32>")
    check_type("memref<2x4xf32, #my.l1>")


@pytest.mark.parametrize(
    "text", ["memref<2x4xf32, 3 : i32, #my.l1>", "memref<2x4xf32, #my.a, #my.b, #my.c>", "memref<*xf32, #my.a, #my.b>"]
)
def test_there_is_one_memory_space(text: str) -> None:
    check_type(text, "multiple memory spaces specified in memref type")
