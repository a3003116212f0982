"""The affine dialect: what decides the map of an access, what may be a symbol, and texts that ask for too much."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.attributes import AffineMapAttr
from fathom.verify.verifier import verify


def check_maps(accesses: str, *expected: str) -> None:
    """The maps of `affine.load`s, which stand in one loop nest over `%i` and `%j` in a function with a size `%n`."""
    body = "\n".join(f"affine.load %m[{access}] : memref<?xf32>" for access in accesses.split(" | "))
    nest = f"affine.for %i = 0 to 9 {{\naffine.for %j = 0 to 9 {{\n{body}\n}}\n}}"
    text = f"func.func @f(%m: memref<?xf32>, %n: index) {{\n{nest}\nreturn\n}}\n"
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    maps = [op.properties["map"] for op in loaded.module.walk() if op.name == "affine.load"]
    assert [str(map_.map) for map_ in maps if isinstance(map_, AffineMapAttr)] == list(expected)


def test_names_decide_which_values_are_the_same() -> None:
    check_maps("%i + %j | %i + %i | %j + %i", "(d0, d1) -> (d0 + d1)", "(d0) -> (d0 * 2)", "(d0, d1) -> (d0 + d1)")


def test_a_value_stays_what_it_is_first_met_as() -> None:
    check_maps(
        "symbol(%n) * %n | %i * symbol(%n) | %n + symbol(%n)",
        "()[s0] -> (s0 * s0)",
        "(d0)[s0] -> (d0 * s0)",
        "(d0) -> (d0 * 2)",
    )


def test_numbers_decide_what_an_expression_is() -> None:
    check_maps(
        "(%i * 4) mod 2 | (%i * 4) mod 3 | (%i * 4) mod 0x8",
        "(d0) -> (0)",
        "(d0) -> ((d0 * 4) mod 3)",
        "(d0) -> ((d0 * 4) mod 8)",
    )


HOSTILE = {
    "many terms": "%i" + " + %i" * 20_000,
    "deep parentheses": "(" * 20_000 + "%i" + ")" * 20_000,
    "many negations": "-" * 20_000 + "%i",
    "many different values": " + ".join(f"%x{index}" for index in range(290)),
    "a number of many digits": "9" * 20_000,
    "many subscripts": ", ".join(["%i"] * 5_000),
}


@pytest.mark.parametrize("access", HOSTILE.values(), ids=HOSTILE)
def test_what_asks_for_too_much_is_a_mistake(access: str) -> None:
    text = f"func.func @f(%m: memref<?xf32>, %i: index) {{\naffine.load %m[{access}] : memref<?xf32>\nreturn\n}}\n"
    loaded = load(text)
    assert loaded.has_errors or verify(loaded.module, context=default_context())


def test_long_computations_of_symbols_are_judged() -> None:
    """Each value is used twice, so that following every path would never end."""
    steps = "\n".join(f"%{index + 1} = arith.addi %{index}, %{index} : index" for index in range(3_000))
    text = (
        "func.func @f(%m: memref<?xf32>) {\naffine.for %i = 0 to 9 {\n%0 = arith.constant 1 : index\n"
        f"{steps}\naffine.load %m[symbol(%3000)] : memref<?xf32>\n}}\nreturn\n}}\n"
    )
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    assert not verify(loaded.module, context=default_context())


def test_values_that_are_not_defined_are_blamed_once() -> None:
    text = "func.func @f(%m: memref<?xf32>) {\naffine.load %m[%i + symbol(%n)] : memref<?xf32>\nreturn\n}\n"
    loaded = load(text)
    assert [diagnostic.message for diagnostic in loaded.diagnostics] == ["use of undeclared SSA value name"] * 2
    assert not verify(loaded.module, context=default_context())
