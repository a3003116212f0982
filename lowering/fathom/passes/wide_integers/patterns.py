"""Which rule rewrites which operation, as patterns of a conversion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.ir.types import IndexType, Type, element_type
from fathom.passes.wide_integers import arithmetic, casts, shifts
from fathom.passes.wide_integers.halves import Halves
from fathom.rewriting.pattern import Failure, Pattern, name_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.wide_integers.types import WideIntegers
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

Rule: TypeAlias = "Callable[[Any, Sequence[Value], Halves], Value | Failure]"
"""`rule(op, operands, halves)` makes the value that replaces `op`; `operands` are the converted ones."""

MAKES_WIDE: Final[dict[str, Rule]] = {
    "arith.constant": arithmetic.wide_constant,
    "arith.select": arithmetic.choose,
    "arith.addi": arithmetic.add,
    "arith.subi": arithmetic.subtract,
    "arith.muli": arithmetic.multiply,
    "arith.andi": arithmetic.bitwise,
    "arith.ori": arithmetic.bitwise,
    "arith.xori": arithmetic.bitwise,
    **dict.fromkeys(arithmetic.EXTREMA, arithmetic.extremum),
    "arith.shli": shifts.shift_left,
    "arith.shrui": shifts.shift_right,
    "arith.shrsi": shifts.shift_right_signed,
    "arith.extsi": casts.extend_signed,
    "arith.extui": casts.extend_unsigned,
    "arith.fptosi": casts.to_signed,
    "arith.fptoui": casts.to_unsigned,
    **dict.fromkeys(casts.EXTENSIONS, casts.cast_from_index),
}
"""Rules of operations whose result is a wide integer."""

TAKES_WIDE: Final[dict[str, Rule]] = {
    "arith.cmpi": arithmetic.compare_wide,
    "arith.trunci": casts.truncate,
    "arith.sitofp": casts.from_signed,
    "arith.uitofp": casts.from_unsigned,
    **dict.fromkeys(casts.EXTENSIONS, casts.cast_to_index),
}
"""Rules of operations on wide integers whose result is something else."""


def patterns(types: WideIntegers) -> list[Pattern]:
    """Patterns for all that there is a rule for, and for `vector.print`."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        of_operand, of_result = TAKES_WIDE.get(op.name), MAKES_WIDE.get(op.name)
        takes = of_operand is not None and (of_result is None or _is_index(op.result.type))
        rule = of_operand if takes else of_result
        assert rule is not None, "patterns are for what there is a rule for"
        wide = op.operands[0].type if takes else op.result.type
        type = types.halves(wide)
        if type is None:
            return Failure(f"unsupported type: {wide}")
        if takes and not types.is_legal(op.result.type):
            return Failure(f"unsupported result type: {op.result.type}")
        made = rule(op, operands, Halves(rewriter, wide, type))
        if isinstance(made, Failure):
            return made
        rewriter.replace(op, [made])
        return None

    return [
        *(Pattern(name, rewrite, types, name=name_of(rule)) for name, rule in {**TAKES_WIDE, **MAKES_WIDE}.items()),
        Pattern("vector.print", _print, types, name="ConvertVectorPrint"),
    ]


def _is_index(type: Type) -> bool:
    return isinstance(element_type(type), IndexType)


def _print(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Prints the halves, and ends the line after them whatever the operation says."""
    rewriter.replace_with(op, "vector.print", operands)
    return None
