"""Memory of wide integers, and accesses to it.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.wide_integers.types import WideIntegers
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

KEPT: Final = {
    "memref.alloc": ("alignment", "operandSegmentSizes"),
    "memref.load": ("nontemporal",),
    "memref.store": ("nontemporal",),
}
"""The properties that the new operation has too; the others, and attributes, MLIR drops."""


def accesses(types: WideIntegers) -> list[Pattern]:
    """Patterns for `memref.alloc`, `memref.load` and `memref.store`."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        wanted = types.convert_all(result.type for result in op.results)
        if wanted is None:
            return Failure("failed to convert the type of the memref")
        properties = {name: op.properties[name] for name in KEPT[op.name] if name in op.properties}
        rewriter.replace_with(op, op.name, operands, wanted, properties)
        return None

    return [Pattern(name, rewrite, types, name=f"ConvertMemRef{name.partition('.')[2].capitalize()}") for name in KEPT]
