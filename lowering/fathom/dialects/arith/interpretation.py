"""What arith's operations compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting import elementwise as each
from fathom.interpreting.machine import Frame, Interpret
from fathom.interpreting.memory import Memory, size_of
from fathom.interpreting.values import Datum, bits_of, of_attribute, signed
from fathom.ir.types import element_type

if TYPE_CHECKING:
    from fathom.ops.arith import BitcastOp, CmpfOp, CmpiOp, ConstantOp, MulsiExtendedOp


def _constant(op: ConstantOp, _: list[Any], __: Frame) -> Datum:
    return of_attribute(op.value)


def _compare(op: CmpiOp, operands: list[Any], _: Frame) -> Datum:
    return each.compared(op, op.predicate.value, operands)


def _compare_floats(op: CmpfOp, operands: list[Any], _: Frame) -> Datum:
    return each.compared_floats(op.predicate.value, operands)


def _bitcast(op: BitcastOp, operands: list[Any], _: Frame) -> Datum:
    before, after = element_type(op.operands[0].type), element_type(op.results[0].type)

    def of(value: Datum) -> Datum:
        memory = Memory()
        place = memory.allocate(max(size_of(before), size_of(after)))
        memory.store(place, value, before)
        return memory.load(place, after)

    return each.unary(of, operands)


def _wide(*, has_sign: bool) -> Interpret:
    def product(op: MulsiExtendedOp, operands: list[Any], _: Frame) -> list[Datum]:
        bits = bits_of(element_type(op.operands[0].type))

        def of(a: int, b: int) -> int:
            return signed(a, bits) * signed(b, bits) if has_sign else a * b

        low = each.binary(lambda a, b: of(a, b) % (1 << bits), operands)
        return [low, each.binary(lambda a, b: (of(a, b) >> bits) % (1 << bits), operands)]

    return product


def _sum_with_carry(op: MulsiExtendedOp, operands: list[Any], _: Frame) -> list[Datum]:
    bits = bits_of(element_type(op.operands[0].type))
    total = each.binary(lambda a, b: (a + b) % (1 << bits), operands)
    return [total, each.binary(lambda a, b: (a + b) >> bits, operands)]


INTERPRETATION: Final[Mapping[str, Interpret]] = {
    "arith.constant": _constant,
    "arith.addi": each.integers("add"),
    "arith.subi": each.integers("sub"),
    "arith.muli": each.integers("mul"),
    "arith.divui": each.integers("divu"),
    "arith.divsi": each.integers("divs"),
    "arith.ceildivui": each.integers("ceildivu"),
    "arith.ceildivsi": each.integers("ceildivs"),
    "arith.floordivsi": each.integers("floordivs"),
    "arith.remui": each.integers("remu"),
    "arith.remsi": each.integers("rems"),
    "arith.andi": each.integers("and"),
    "arith.ori": each.integers("or"),
    "arith.xori": each.integers("xor"),
    "arith.shli": each.integers("shl"),
    "arith.shrui": each.integers("shru"),
    "arith.shrsi": each.integers("shrs"),
    "arith.maxsi": each.integers("maxs"),
    "arith.minsi": each.integers("mins"),
    "arith.maxui": each.integers("maxu"),
    "arith.minui": each.integers("minu"),
    "arith.addui_extended": _sum_with_carry,
    "arith.mulsi_extended": _wide(has_sign=True),
    "arith.mului_extended": _wide(has_sign=False),
    "arith.extui": each.resized(has_sign=False),
    "arith.extsi": each.resized(has_sign=True),
    "arith.trunci": each.resized(has_sign=False),
    "arith.index_cast": each.resized(has_sign=True),
    "arith.index_castui": each.resized(has_sign=False),
    "arith.cmpi": _compare,
    "arith.cmpf": _compare_floats,
    "arith.select": each.chosen,
    "arith.bitcast": _bitcast,
    "arith.addf": each.floats("add"),
    "arith.subf": each.floats("sub"),
    "arith.mulf": each.floats("mul"),
    "arith.divf": each.floats("div"),
    "arith.remf": each.floats("rem"),
    "arith.negf": each.negated,
    "arith.maximumf": each.floats("maximum"),
    "arith.minimumf": each.floats("minimum"),
    "arith.maxnumf": each.floats("maxnum"),
    "arith.minnumf": each.floats("minnum"),
    "arith.extf": each.of_other_precision,
    "arith.truncf": each.of_other_precision,
    "arith.sitofp": each.to_float(has_sign=True),
    "arith.uitofp": each.to_float(has_sign=False),
    "arith.fptosi": each.from_float,
    "arith.fptoui": each.from_float,
}
