"""The patterns of `convert-math-to-funcs`, and which functions they call.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.attributes import linkage
from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Block, Region
from fathom.ir.types import FunctionType, IntegerType, TensorType, VectorType, element_type
from fathom.ops.math import FpowiOp, IpowiOp
from fathom.passes.conversions.convert_math_to_funcs.leading_zeros import count_leading_zeros
from fathom.passes.conversions.convert_math_to_funcs.powers import float_power, integer_power
from fathom.passes.vectors.scalars import by_elements
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import Rewriter
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Value

Implementation: TypeAlias = "Callable[[Rewriter, Block], None]"
"""Fills the entry block of a function, whose arguments are there, and adds others behind it."""

IMPLEMENTATIONS: Final[dict[str, Implementation]] = {
    "math.ipowi": integer_power,
    "math.fpowi": float_power,
    "math.ctlz": count_leading_zeros,
}

_IN_MLIR: Final = {"math.ipowi": "IPowIOpLowering", "math.fpowi": "FPowIOpLowering", "math.ctlz": "CtlzOpLowering"}
"""What MLIR calls the patterns that make calls."""


def outline(module: Operation, context: Context, least_exponent: int, *, with_ctlz: bool) -> Outlined:
    """Adds the functions that operations in a module need to its end. Exponents of floats are integers of at least so
    many bits."""
    outlined = Outlined(least_exponent, with_ctlz=with_ctlz)
    rewriter = Rewriter(context)
    body = module.regions[0].first
    if body is None:
        return outlined
    rewriter.stand_in(module)
    wanted = [op for op in module.walk_postorder() if op.name in outlined.names and outlined.is_wanted(op)]
    for op in wanted:
        checkpoint()
        rewriter.set_insertion_to_end(body)
        outlined.define(op, rewriter)
    return outlined


class Outlined:
    """Which operations become calls, and the functions that were made for them."""

    def __init__(self, least_exponent: int, *, with_ctlz: bool) -> None:
        self.names: Final = tuple(name for name in IMPLEMENTATIONS if with_ctlz or name != "math.ctlz")
        self._least_exponent = least_exponent
        self._functions: set[str] = set()

    def is_wanted(self, op: Operation) -> bool:
        """Whether an operation of one of the names becomes a call."""
        if isinstance(op, FpowiOp):
            exponent = element_type(op.rhs.type)
            return isinstance(exponent, IntegerType) and exponent.width >= self._least_exponent
        return isinstance(element_type(op.result.type), IntegerType)

    def define(self, op: Operation, rewriter: Rewriter) -> None:
        """Inserts the function that computes an operation, if it is not there."""
        name, type = _function_of(op)
        if name in self._functions:
            return
        self._functions.add(name)
        block = Block(type.inputs)
        for argument in block.arguments:
            argument.span, argument.location = rewriter.span, rewriter.location
        properties = {
            "function_type": TypeAttr(type),
            "sym_name": StringAttr(name),
            "sym_visibility": StringAttr("private"),
        }
        attributes = {"llvm.linkage": linkage("linkonce_odr")}
        rewriter.create("func.func", (), (), properties, attributes, regions=[Region([block])])
        rewriter.set_insertion_to_end(block)
        IMPLEMENTATIONS[op.name](rewriter, block)

    def patterns(self) -> list[Pattern]:
        rewrite = partial(by_elements, refused=Failure("not a vector operation"))
        by_elements_first = [Pattern(name, rewrite) for name in IMPLEMENTATIONS]
        return by_elements_first + [Pattern(name, self._call, name=_IN_MLIR[name]) for name in self.names]

    def _call(self, op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """`math.ipowi %a, %b : i64` becomes `call @__mlir_math_ipowi_i64(%a, %b) : (i64, i64) -> i64`."""
        if isinstance(op.result.type, TensorType) and isinstance(op, IpowiOp):
            return Failure("non-integer base operand")
        if isinstance(op.result.type, VectorType):
            return Failure("non-scalar operation")
        name, type = _function_of(op)
        if name not in self._functions:
            return Failure("missing software implementation")
        rewriter.replace_with(op, "func.call", operands, type.results, {"callee": SymbolRefAttr(name)})
        return None


def _function_of(op: Operation) -> tuple[str, FunctionType]:
    """The name and the type of the function that computes the elements of an operation."""
    inputs = tuple(element_type(operand.type) for operand in op.operands)
    types = inputs if isinstance(op, FpowiOp) else inputs[:1]
    name = "_".join(map(str, (f"__mlir_{op.name.replace('.', '_')}", *types)))
    return name, FunctionType(inputs, (element_type(op.result.type),))
