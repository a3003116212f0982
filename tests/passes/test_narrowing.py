"""`arith-int-range-narrowing` computes the same with fewer bits, also where that of mlir-opt 22 does not: what it makes
of each operation is interpreted, and held against what the operation gives with all its bits."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.interpreting.machine import Machine
from fathom.interpreting.values import Trap
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from tests.passes.running import run_pass

RANGES = {
    "plain": "%m{n} = arith.constant 255 : i64\n%{v} = arith.andi %{a}, %m{n} : i64\n",
    "small": "%m{n} = arith.constant 15 : i64\n%{v} = arith.andi %{a}, %m{n} : i64\n",
    "negative": "%m{n} = arith.constant 7 : i64\n%l{n} = arith.constant 4 : i64\n"
    "%k{n} = arith.andi %{a}, %m{n} : i64\n%{v} = arith.subi %k{n}, %l{n} : i64\n",
}
"""Between 0 and 255, 0 and 15, -4 and 3."""
GIVEN = (0, 1, 3, 5, 7, 100, 128, 200, 255)
OPERATIONS = (
    *(f"arith.{name} {{}} : i64" for name in "addi subi muli andi ori xori".split()),
    *(f"arith.{name} {{}} : i64" for name in "divsi divui ceildivsi ceildivui floordivsi remsi remui".split()),
    *(f"arith.{name} {{}} : i64" for name in "minsi minui maxsi maxui shli shrsi shrui".split()),
    *(f"arith.cmpi {predicate}, {{}} : i64" for predicate in "eq ne slt sle sgt sge ult ule ugt uge".split()),
)


def _text(operation: str, left: str, right: str) -> str:
    ranges = ""
    for kind, name, argument in ((left, "x", "a"), (right, "y", "b")):
        ranges += RANGES[kind].format(v=name, a=argument, n=name)
    type = "i1" if "cmpi" in operation else "i64"
    computed = f"%r = {operation.format('%x, %y')}\nreturn %r : {type}\n"
    return f"func.func @f(%a: i64, %b: i64) -> {type} {{\n{ranges}{computed}}}\n"


def _result(module: Operation, a: int, b: int) -> object:
    """What the function gives, or that it gives nothing."""
    machine = Machine(module, default_context())
    function = machine.symbol("f")
    assert function is not None
    try:
        return machine.call(function, [a, b])
    except Trap:
        return None


@pytest.mark.parametrize("right", RANGES)
@pytest.mark.parametrize("left", RANGES)
@pytest.mark.parametrize("width", [8, 16])
def test_each_operation_gives_the_same(left: str, right: str, width: int) -> None:
    narrowed = 0
    for operation in OPERATIONS:
        text = _text(operation, left, right)
        whole, narrow = load(text).module, load(text).module
        assert not run_pass("arith-int-range-narrowing", narrow, f"int-bitwidths-supported={width}")
        narrowed += f"i{width}" in print_module(narrow)
        for a in GIVEN:
            for b in GIVEN:
                expected = _result(whole, a, b)
                if expected is not None:
                    assert _result(narrow, a, b) == expected, f"{operation} of {a} and {b}: {print_module(narrow)}"
    assert narrowed > 5


@pytest.mark.parametrize(
    ("kind", "flags"), [("plain", "overflow<nuw>"), ("small", "overflow<nsw, nuw>"), ("negative", "overflow<nsw, nuw>")]
)
def test_a_promise_about_the_sign_goes_with_it(kind: str, flags: str) -> None:
    operation = (
        "arith.addi {} overflow<nsw, nuw> : i64" if kind != "plain" else "arith.subi {} overflow<nsw, nuw> : i64"
    )
    module = load(_text(operation, kind, kind)).module
    assert not run_pass("arith-int-range-narrowing", module, "int-bitwidths-supported=8")
    assert f"{flags} : i8" in print_module(module)


def test_a_shift_by_more_than_fewer_bits_keeps_all() -> None:
    text = _text("arith.shrsi {} : i64", "small", "small").replace("constant 15", "constant 63")
    module = load(text).module
    assert not run_pass("arith-int-range-narrowing", module, "int-bitwidths-supported=8,32")
    assert "arith.shrsi %0, %1 : i64" in print_module(module)
