"""What the expansions of mathematical functions are built from besides `fathom.passes.arithmetic`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.floats import from_float
from fathom.ir.types import FloatType, ShapedType, Type, element_type
from fathom.passes.arithmetic import constant
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def function(rewriter: Rewriter, name: str, *operands: Value) -> Value:
    """`math.NAME` or, with the dialect in the name, another operation, whose result has the type of its operands."""
    full = name if "." in name else f"math.{name}"
    return rewriter.create(full, operands, [operands[0].type]).result


def number(rewriter: Rewriter, value: float, type: Type) -> Value:
    """`arith.constant` of a float, rounded to the type, or of elements of it."""
    return constant(rewriter, from_float(value, float_name(type)), type)


def float_name(type: Type) -> str:
    """The name of the floats that a type is of."""
    element = element_type(type)
    assert isinstance(element, FloatType), "the definition of the operation demands floats"
    return element.name


def has_constants(type: Type) -> bool:
    """Whether there are constants of the type: not where its shape is not known."""
    return not isinstance(type, ShapedType) or type.has_static_shape


_IN_MLIR: Final = {"fma": "FmaF", "exp2": "Exp2f"}
"""What operations are called in the names of MLIR's patterns, where that is not their own name."""


def expansion(name: str, expand: Callable[[Rewriter, Sequence[Value]], Value], *, constants: bool = True) -> Pattern:
    """The pattern that replaces `math.NAME` by what `expand` inserts. With `constants` it makes constants of the type
    of the operation, which there must be."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        if constants and not has_constants(op.result.type):
            return Failure("there are no constants of a shape that is not known")
        rewriter.replace(op, [expand(rewriter, operands)])
        return None

    return Pattern(f"math.{name}", rewrite, name=f"convert{_IN_MLIR.get(name, name.capitalize())}Op")
