"""Of integers of more bits than `WIDEST_COMPUTED` nothing is computed: no text gets numbers of a million digits."""

from __future__ import annotations

import pytest

from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.ir.types import WIDEST_COMPUTED
from fathom.library import lower
from fathom.text.digits import MOST_DECIMAL
from fathom.translation import translate
from tests.oracles import mlir_opt

WIDEST = (1 << 24) - 1
"""The most bits that an integer type has."""
BINARY = (
    *(f"arith.{name}" for name in ("addi", "muli", "divui", "divsi", "ceildivsi", "floordivsi", "remui", "remsi")),
    *(f"arith.{name}" for name in ("shli", "shrui", "shrsi", "andi", "ori", "xori", "maxsi", "minui")),
    "math.ipowi",
)
CASTS = (
    *("arith.trunci {} : {} to i8", "arith.sitofp {} : {} to f128", "arith.uitofp {} : {} to f32"),
    *("arith.index_castui {} : {} to index", "math.ctpop {} : {}", "math.cttz {} : {}", "math.absi {} : {}"),
)
LLVM = ("add", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "xor")
MOST = 20_000
"""Characters in a text of some operations whose constants have some thousand digits."""


def function(lines: str, width: int) -> str:
    constants = f"%a = arith.constant -3 : i{width}\n%b = arith.constant 0x{'F7' * 1500} : i{width}\n"
    return f"func.func @f() {{\n{constants}{lines}\nreturn\n}}\n"


def check_is_short(text: str) -> None:
    """Canonicalised, propagated, lowered and printed without a number of the whole width."""
    for pipeline in ("--canonicalize", "--sccp", "--lower-to-llvm"):
        stages = [stage.text for stage in lower(text, pipeline).stages]
        assert stages
        assert all(0 < len(stage) < MOST for stage in stages)


@pytest.mark.parametrize("name", BINARY)
def test_operations_on_the_widest_integers(name: str) -> None:
    check_is_short(function(f'%r = {name} %a, %b : i{WIDEST}\n"x.y"(%r) : (i{WIDEST}) -> ()', WIDEST))


@pytest.mark.parametrize("form", CASTS)
def test_casts_of_the_widest_integers(form: str) -> None:
    type = form.rpartition(" to ")[2] if " to " in form else f"i{WIDEST}"
    check_is_short(function(f'%r = {form.format("%b", f"i{WIDEST}")}\n"x.y"(%r) : ({type}) -> ()', WIDEST))


@pytest.mark.parametrize("name", LLVM)
def test_llvm_ir_of_the_widest_integers(name: str) -> None:
    type = f"i{1 << 23}"
    text = f"""llvm.func @f() -> {type} {{
      %a = llvm.mlir.constant(-3 : {type}) : {type}
      %b = llvm.mlir.constant(-9223372036854775807 : {type}) : {type}
      %r = llvm.{name} %b, %a : {type}
      llvm.return %r : {type}
    }}"""
    made = translate(load(text).module).text
    assert f"{name} {type} -9223372036854775807, -3" in made
    assert len(made) < MOST


def test_the_widest_that_is_computed() -> None:
    width = WIDEST_COMPUTED
    text = f"""func.func @f() -> (i{width}, i{width + 1}) {{
      %a = arith.constant 3 : i{width}
      %b = arith.constant 9223372036854775807 : i{width}
      %c = math.ipowi %a, %b : i{width}
      %d = arith.constant 3 : i{width + 1}
      %e = arith.muli %d, %d : i{width + 1}
      return %c, %e : i{width}, i{width + 1}
    }}"""
    (stage,) = lower(text, "--canonicalize").stages
    assert "math.ipowi" not in stage.text
    assert "arith.muli" in stage.text
    powers = [mlir_opt(module, "--canonicalize") for module in (text, stage.text)]
    assert powers[0] == powers[1]


def test_constants_move_behind_what_is_not_known() -> None:
    text = f"""func.func @f(%a: i{WIDEST}) -> i{WIDEST} {{
      %c = arith.constant 3 : i{WIDEST}
      %s = arith.addi %c, %a : i{WIDEST}
      return %s : i{WIDEST}
    }}"""
    (stage,) = lower(text, "--canonicalize").stages
    assert stage.text == mlir_opt(text, "--canonicalize")


def test_numbers_of_many_bits_are_hexadecimal() -> None:
    type = f"tensor<1xi{2 * MOST_DECIMAL}>"
    text = f'func.func @f() {{\n%a = arith.constant dense<"0x{"F7" * (MOST_DECIMAL // 4)}"> : {type}\nreturn\n}}\n'
    printed = print_module(load(text).module)
    assert "dense<-0x8080" in printed
    assert mlir_opt(printed) == mlir_opt(text)


def test_a_literal_of_many_bits_is_a_mistake() -> None:
    for literal in ("0x" + "F" * 3900, "1" + "0" * 5000):
        loaded = load(f"func.func @f() {{\n%a = arith.constant {literal} : i{WIDEST}\nreturn\n}}\n")
        assert [diagnostic.message for diagnostic in loaded.diagnostics] == [
            "integer constant out of range for attribute"
        ]
