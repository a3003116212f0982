"""Arithmetic on floats as calls of functions that get their bits, for floats that a target has not.

    %0 = arith.negf %a : f8E4M3FN
->
    %1 = arith.bitcast %a : f8E4M3FN to i8
    %2 = arith.extui %1 : i8 to i64
    %3 = arith.constant 10 : i32
    %4 = call @_mlir_apfloat_neg(%3, %2) : (i32, i64) -> i64
    %5 = arith.trunci %4 : i64 to i8
    %0 = arith.bitcast %5 : i8 to f8E4M3FN

A function is told which float it is for by a number. Vectors are taken apart. Source of the rules: the behaviour of
mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.budget import refuse
from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
from fathom.dialects.arith.attributes import CMPF_PREDICATES
from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Region
from fathom.ir.types import I1, I8, I32, I64, FloatType, FunctionType, IntegerType, Type, VectorType
from fathom.ops import arith as ops
from fathom.ops.func import FuncOp
from fathom.passes.arithmetic import compare, constant
from fathom.records import replace
from fathom.rewriting.rewriter import Rewriter
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from fathom.context import Context
    from fathom.ir.operation import Operation, Value

    Rule: TypeAlias = Callable[[Any, Sequence[Value], Type, "Calls"], Value]
    """`rule(op, operands, type, calls)` makes a value of `type` in the place of what `op` makes, one element each."""

PREFIX: Final = "_mlir_apfloat_"
_NUMBERS: Final = {
    name: number
    for number, name in enumerate(
        "f16 bf16 f32 f64 f128 . . f8E5M2 f8E5M2FNUZ f8E4M3 f8E4M3FN f8E4M3FNUZ f8E4M3B11FNUZ f8E3M4 tf32 f8E8M0FNU "
        "f6E3M2FN f6E2M3FN f4E2M1FN".split()
    )
}
"""How functions are told what a float is."""
_MOST_BITS: Final = 64


class _Refused(Exception):
    """What is declared already is something else."""

    def __init__(self, message: str, op: Operation) -> None:
        super().__init__(message)
        self.op = op


class Calls:
    """Makes calls, and declares what is called at the front of the operation that the pass runs on."""

    def __init__(self, table: Operation, context: Context) -> None:
        self._table = table
        self._declared: dict[str, Operation] = {}
        self.rewriter: Final = Rewriter(context)

    def bits(self, value: Value) -> Value:
        """The bits of a float, or a number, as those of an `i64`."""
        if isinstance(value.type, FloatType):
            value = self.rewriter.create("arith.bitcast", [value], [IntegerType(value.type.width)]).result
        return self.widened("arith.extui", value)

    def widened(self, name: str, value: Value) -> Value:
        return value if value.type == I64 else self.rewriter.create(name, [value], [I64]).result

    def narrowed(self, bits: Value, type: Type) -> Value:
        """A value of a type, from as many bits."""
        width = type.width if isinstance(type, (FloatType, IntegerType)) else 0
        if width < _MOST_BITS:
            bits = self.rewriter.create("arith.trunci", [bits], [IntegerType(width)]).result
        return self.rewriter.create("arith.bitcast", [bits], [type]).result if isinstance(type, FloatType) else bits

    def kind(self, type: Type) -> Value:
        return constant(self.rewriter, _NUMBERS[str(type)], I32)

    def call(self, name: str, arguments: Sequence[Value], result: Type = I64) -> Value:
        name = PREFIX + name
        type = FunctionType(tuple(value.type for value in arguments), (result,))
        if name not in self._declared:
            self._declared[name] = self._declare(name, type)
        return self.rewriter.create("func.call", arguments, [result], {"callee": SymbolRefAttr(name)}).result

    def _declare(self, name: str, type: FunctionType) -> Operation:
        table, key, wanted = self._table, StringAttr(name), TypeAttr(type)
        known = next((op for op in table.regions[0].operations() if op.properties.get("sym_name") == key), None)
        if known is not None:
            if not isinstance(known, FuncOp):
                raise _Refused(f"redefinition of symbol named '{name}'", known)
            if known.function_type != wanted:
                given = f"'{known.function_type}' (expected '{type}')"
                raise _Refused(f"matched function '{name}' but with different type: {given}", known)
            return known
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_to_start(table.regions[0].entry)
            self.rewriter.stand_in(table)
            properties = {"function_type": wanted, "sym_name": key, "sym_visibility": StringAttr("private")}
            return self.rewriter.create("func.func", (), (), properties, regions=[Region()])


def call_for_floats(
    module: Operation, rules: Mapping[str, Rule], context: Context, *, takes_vectors: bool
) -> list[Diagnostic]:
    """Replaces operations by what their rules make; what is wrong with declarations that are there already."""
    calls = Calls(module, context)
    for op in [inner for inner in module.walk() if inner.name in rules]:
        checkpoint()
        if not all(_is_narrow(value.type, takes_vectors=takes_vectors) for value in (*op.operands, *op.results)):
            continue
        if isinstance(type := op.result.type, VectorType) and refuse(op, _PARTS * prod(type.shape or ())):
            continue
        calls.rewriter.set_insertion_before(op)
        calls.rewriter.stand_in(op)
        try:
            made = _of_each(op, rules[op.name], calls)
        except _Refused as problem:
            return [Diagnostic(str(problem), problem.op.span, code=REFUSED_BY_PASS, op=problem.op)]
        calls.rewriter.replace(op, [made])
    return []


_PARTS: Final = 8
"""Operations that are made for an element, or so."""


def _is_narrow(type: Type, *, takes_vectors: bool) -> bool:
    if isinstance(type, VectorType):
        if not takes_vectors or any(type.scalable):
            return False
        type = type.element
    return isinstance(type, (FloatType, IntegerType)) and type.width <= _MOST_BITS


def _of_each(op: Operation, rule: Rule, calls: Calls) -> Value:
    """What a rule makes, element by element."""
    type = op.result.type
    if not isinstance(type, VectorType):
        return rule(op, op.operands, type, calls)
    rewriter, rows = calls.rewriter, list[Sequence["Value"]]()
    for operand in op.operands:
        assert isinstance(operand.type, VectorType), "operands of one shape"
        elements = [operand.type.element] * prod(operand.type.shape or ())
        rows.append(rewriter.create("vector.to_elements", [operand], elements).results)
    made = [rule(op, row, type.element, calls) for row in zip(*rows, strict=True)]
    return rewriter.create("vector.from_elements", made, [replace(type, element=made[0].type)]).result


# ---- rules


def _plain(name: str) -> Rule:
    """A function of floats that makes such a float."""

    def rule(op: Operation, operands: Sequence[Value], type: Type, calls: Calls) -> Value:
        bits = [calls.bits(value) for value in operands]
        return calls.narrowed(calls.call(name, [calls.kind(type), *bits]), type)

    return rule


def _question(name: str) -> Rule:
    """A function that says yes or no of a float."""

    def rule(op: Operation, operands: Sequence[Value], type: Type, calls: Calls) -> Value:
        bits = calls.bits(operands[0])
        return calls.call(name, [calls.kind(operands[0].type), bits], I1)

    return rule


def _between_floats(op: Operation, operands: Sequence[Value], type: Type, calls: Calls) -> Value:
    bits = calls.bits(operands[0])
    return calls.narrowed(calls.call("convert", [calls.kind(operands[0].type), calls.kind(type), bits]), type)


def _to_integer(op: Operation, operands: Sequence[Value], type: Type, calls: Calls) -> Value:
    assert isinstance(type, IntegerType)
    bits, kind = calls.bits(operands[0]), calls.kind(operands[0].type)
    return calls.narrowed(calls.call("convert_to_int", [kind, *_integer(op, type, calls), bits]), type)


def _from_integer(op: Operation, operands: Sequence[Value], type: Type, calls: Calls) -> Value:
    given = operands[0].type
    assert isinstance(given, IntegerType)
    bits = calls.widened("arith.extui" if isinstance(op, ops.UitofpOp) else "arith.extsi", operands[0])
    kind = calls.kind(type)
    return calls.narrowed(calls.call("convert_from_int", [kind, *_integer(op, given, calls), bits]), type)


def _integer(op: Operation, type: IntegerType, calls: Calls) -> Iterable[Value]:
    """How many bits an integer has, and whether it has no sign."""
    is_unsigned = isinstance(op, (ops.UitofpOp, ops.FptouiOp))
    return [constant(calls.rewriter, type.width, I32), constant(calls.rewriter, int(is_unsigned), I1)]


_LESS, _EQUAL, _GREATER, _UNORDERED = 0, 1, 2, 3
"""What a comparison says."""
_OUTCOMES: Final = {
    "oeq": (_EQUAL,),
    "ogt": (_GREATER,),
    "oge": (_GREATER, _EQUAL),
    "olt": (_LESS,),
    "ole": (_LESS, _EQUAL),
    "one": (_LESS, _GREATER),
    "ord": (_LESS, _GREATER, _EQUAL),
    "ueq": (_UNORDERED, _EQUAL),
    "ugt": (_UNORDERED, _GREATER),
    "uge": (_UNORDERED, _GREATER, _EQUAL),
    "ult": (_UNORDERED, _LESS),
    "ule": (_UNORDERED, _LESS, _EQUAL),
    "une": (_LESS, _GREATER, _UNORDERED),
    "uno": (_UNORDERED,),
}
"""For which outcomes of a comparison a predicate holds."""
_OF_NUMBERS: Final = {CMPF_PREDICATES[name]: outcomes for name, outcomes in _OUTCOMES.items()}


def _compare(op: ops.CmpfOp, operands: Sequence[Value], type: Type, calls: Calls) -> Value:
    bits = [calls.bits(value) for value in operands]
    compared = calls.call("compare", [calls.kind(operands[0].type), *bits], I8)
    outcomes = _OF_NUMBERS.get(op.predicate.value, ())
    if not outcomes:
        return constant(calls.rewriter, int(op.predicate.value == CMPF_PREDICATES["true"]), I1)
    holds = [compare(calls.rewriter, "eq", compared, constant(calls.rewriter, outcome, I8)) for outcome in outcomes]
    result = holds.pop()
    while holds:
        result = calls.rewriter.create("arith.ori", [holds.pop(), result], [I1]).result
    return result


OF_ARITH: Final[Mapping[str, Rule]] = {
    "arith.addf": _plain("add"),
    "arith.subf": _plain("subtract"),
    "arith.mulf": _plain("multiply"),
    "arith.divf": _plain("divide"),
    "arith.remf": _plain("remainder"),
    "arith.minnumf": _plain("minnum"),
    "arith.maxnumf": _plain("maxnum"),
    "arith.minimumf": _plain("minimum"),
    "arith.maximumf": _plain("maximum"),
    "arith.negf": _plain("neg"),
    "arith.extf": _between_floats,
    "arith.truncf": _between_floats,
    "arith.cmpf": _compare,
    "arith.fptosi": _to_integer,
    "arith.fptoui": _to_integer,
    "arith.sitofp": _from_integer,
    "arith.uitofp": _from_integer,
}
OF_MATH: Final[Mapping[str, Rule]] = {
    "math.absf": _plain("abs"),
    "math.fma": _plain("fused_multiply_add"),
    "math.isfinite": _question("isfinite"),
    "math.isinf": _question("isinfinite"),
    "math.isnan": _question("isnan"),
    "math.isnormal": _question("isnormal"),
}
