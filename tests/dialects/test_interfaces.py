"""What operations of different dialects have in common, as interfaces answer it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation, Value
from fathom.irdl.definition import OpDefinition
from fathom.irdl.interfaces import Branch, Call, ConstantLike, FunctionLike, MemoryEffects, Symbol, SymbolTable
from fathom.irdl.traits import SYMBOL

TEXT = """
module @outer {
  memref.global "private" @data : memref<2xi32> = dense<0>
  func.func private @declared(i32) -> i32
  func.func @defined(%c: i1, %x: i32, %m: memref<2xi32>, %i: index) -> i32 {
    %k = arith.constant 7 : i32
    %f = func.constant @declared : (i32) -> i32
    %y = func.call @declared(%k) : (i32) -> i32
    %z = func.call_indirect %f(%x) : (i32) -> i32
    memref.store %y, %m[%i] : memref<2xi32>
    cf.cond_br %c, ^bb1(%y : i32), ^bb2
  ^bb1(%a: i32):
    return %a : i32
  ^bb2:
    return %z : i32
  }
  llvm.func @lowered(%a: i32) {
    llvm.call @other(%a) : (i32) -> ()
    llvm.return
  }
  llvm.func @other(i32)
}
"""


def name_of(value: object) -> str:
    """A value by its name in the text, a symbol as it is written."""
    return f"%{value.name_hint}" if isinstance(value, Value) and value.name_hint else str(value)


def answers(ask: Callable[[Operation], str | None]) -> list[str]:
    """What the operations of the text answer, one after the other; those that are silent are left out."""
    module = load(TEXT).module
    return [f"{op.name}: {answer}" for op in module.walk() if (answer := ask(op)) is not None]


def symbol(op: Operation) -> str | None:
    interface = op.interface(Symbol)
    return f"{interface.visibility(op)} @{interface.name(op)}" if interface is not None else None


def test_symbols() -> None:
    assert answers(symbol) == [
        "builtin.module: public @outer",
        "memref.global: private @data",
        "func.func: private @declared",
        "func.func: public @defined",
        "llvm.func: public @lowered",
        "llvm.func: public @other",
    ]
    assert answers(lambda op: "" if op.interface(SymbolTable) is not None else None) == ["builtin.module: "]


def function(op: Operation) -> str | None:
    interface = op.interface(FunctionLike)
    if interface is None:
        return None
    return f"{interface.type(op)}{'' if interface.body(op) is None else ' {…}'}"


def test_functions() -> None:
    assert answers(function) == [
        "func.func: (i32) -> i32",
        "func.func: (i1, i32, memref<2xi32>, index) -> i32 {…}",
        "llvm.func: !llvm.func<void (i32)> {…}",
        "llvm.func: !llvm.func<void (i32)>",
    ]


def call(op: Operation) -> str | None:
    interface = op.interface(Call)
    if interface is None:
        return None
    callee = interface.callee(op)
    kind = "symbol" if isinstance(callee, SymbolRefAttr) else "value"
    return f"{kind} {name_of(callee)} with {', '.join(map(name_of, interface.arguments(op)))}"


def test_calls() -> None:
    assert answers(call) == [
        "func.call: symbol @declared with %k",
        "func.call_indirect: value %f with %x",
        "llvm.call: symbol @other with %a",
    ]


def branch(op: Operation) -> str | None:
    interface = op.interface(Branch)
    if interface is None:
        return None
    passed = [edge.passed for edge in interface.edges(op)]
    return " | ".join(", ".join(map(name_of, values)) for values in passed)


def test_branches() -> None:
    assert answers(branch) == ["cf.cond_br: %y | "]


def constant(op: Operation) -> str | None:
    interface = op.interface(ConstantLike)
    return str(interface.value(op)) if interface is not None else None


def test_constants() -> None:
    assert answers(constant) == ["arith.constant: 7 : i32", "func.constant: @declared"]


def effects(op: Operation) -> str | None:
    interface = op.interface(MemoryEffects)
    if interface is None:
        return None
    return ", ".join(f"{effect.kind.value} {name_of(effect.value)}" for effect in interface.effects(op))


def test_effects() -> None:
    assert answers(effects) == ["memref.store: MemWrite %m"]


@pytest.mark.parametrize("name", ["func.func", "llvm.func", "memref.global", "builtin.module"])
def test_what_a_definition_names_it_has(name: str) -> None:
    definition = default_context().lookup(name)
    assert definition is not None
    assert definition.interface(Symbol) is not None


def test_what_a_definition_gives_goes_before_what_follows_from_its_traits() -> None:
    own = Symbol(name=lambda op: "its own")
    definition = OpDefinition("toy.thing", traits=(SYMBOL,), interfaces=(own,))
    assert definition.interface(Symbol) is own
    assert definition.interface(Branch) is None
