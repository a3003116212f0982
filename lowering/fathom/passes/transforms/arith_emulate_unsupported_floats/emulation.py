"""Which operations `arith-emulate-unsupported-floats` rewrites, and how.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import FASTMATH, FASTMATH_FLAGS
from fathom.ir.floats import SEMANTICS
from fathom.ir.types import FloatType, ShapedType, Type
from fathom.irdl.constraints import enum_attribute
from fathom.records import replace
from fathom.rewriting.pattern import Failure, Operations, Pattern
from fathom.rewriting.target import ConversionTarget
from fathom.rewriting.type_converter import TypeConverter

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

NAMES: Final = frozenset(SEMANTICS) - {"tf32", "f8E4M3B11FNUZ"}
"""The floats that the options can name."""

KEPT: Final = ("arith.bitcast", "arith.extf", "arith.truncf", "arith.constant", "arith.select", "vector.broadcast")
"""What computes nothing."""

COMPUTING: Final = Operations(
    "vector.contract",
    "vector.reduction",
    "vector.multi_reduction",
    "vector.fma",
    "vector.outerproduct",
    "vector.scan",
)
"""What computes besides the operations of arith."""

CONTRACT: Final = {"fastmath": enum_attribute(FASTMATH, FASTMATH_FLAGS["contract"])}


def float_type(name: str) -> FloatType | None:
    """The floats of a name; None where there are none that the pass knows."""
    return FloatType(name) if name in NAMES else None


class WiderFloats(TypeConverter):
    """Converts some floats, and vectors and tensors of them, to one other type of floats."""

    def __init__(self, sources: frozenset[FloatType], target: FloatType) -> None:
        super().__init__()
        self._sources = sources
        self._target = target

    def convert_uncached(self, type: Type) -> Type:
        if type in self._sources:
            return self._target
        if isinstance(type, ShapedType) and type.element in self._sources:
            return replace(type, element=self._target)
        return type

    def materialize_target(
        self, rewriter: Rewriter, types: Sequence[Type], inputs: Sequence[Value], original: Type | None
    ) -> Sequence[Value] | None:
        return [rewriter.create("arith.extf", inputs, types, CONTRACT).result]


def emulate(root: Operation, types: WiderFloats) -> tuple[ConversionTarget, list[Pattern]]:
    """What is to go, and the patterns that rewrite it, for the operations that there are in `root`."""
    target = ConversionTarget().others(True)
    target.dynamically_legal(types.accepts, "arith", *COMPUTING.names).legal(*KEPT)

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        return _widened(op, operands, rewriter, types)

    names = {op.name for op in root.walk() if op.dialect == "arith" or op in COMPUTING}
    return target, [Pattern(name, rewrite, types, name="EmulateFloatPattern") for name in sorted(names)]


def _widened(op: Operation, operands: Sequence[Value], rewriter: Rewriter, types: WiderFloats) -> Failure | None:
    """The same operation on converted types; results that were converted are rounded again."""
    if types.accepts(op) or op.regions:
        return Failure("the operation needs no emulation, or has regions")
    wanted = [types.convert(result.type) or result.type for result in op.results]
    made = rewriter.create(op.name, operands, wanted, op.properties, op.attributes, op.successors)
    results: list[Value] = []
    for new, old in zip(made.results, op.results, strict=True):
        is_same = new.type == old.type
        results.append(new if is_same else rewriter.create("arith.truncf", [new], [old.type], CONTRACT).result)
    rewriter.replace(op, results)
    return None
