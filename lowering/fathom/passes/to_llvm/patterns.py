"""What the patterns that lower to the LLVM dialect have in common: their form, and the groups of an operation.

A lowering is a function `lower(op, operands, rewriter, types)`. The operands are converted values, one for each operand
of `op`; it replaces or erases `op`, or returns a `Failure` that says for people why it did not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from fathom.ir.attributes import IntegerAttr
from fathom.irdl.groups import SEGMENTS, group_sizes, split_groups
from fathom.rewriting.pattern import Failure, Pattern, name_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

Lower: TypeAlias = "Callable[[Any, Sequence[Value], ConversionRewriter, LLVMTypeConverter], Failure | None]"


def pattern(root: str, lower: Lower, types: LLVMTypeConverter, benefit: int = 1) -> Pattern:
    """The pattern that applies `lower` to operations named `root`."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        return lower(op, operands, rewriter, types)

    return Pattern(root, rewrite, types, benefit, name=name_of(lower))


def patterns(table: Mapping[str, Lower], types: LLVMTypeConverter, benefit: int = 1) -> list[Pattern]:
    return [pattern(root, lower, types, benefit) for root, lower in table.items()]


def groups(op: Operation, operands: Sequence[Value]) -> dict[str, list[Value]]:
    """The converted operands by the names that the definition of `op` gives their groups."""
    definition = op.definition
    if definition is None:
        raise ValueError(f"'{op.name}' has no definition")
    sizes = group_sizes([o.arity for o in definition.operands], len(operands), op, SEGMENTS["operands"])
    return split_groups([o.name for o in definition.operands], sizes, list(operands))


def integer(op: Operation, name: str) -> int | None:
    """The value of an integer attribute, or None where there is none."""
    attribute = op.attribute(name)
    return attribute.value if isinstance(attribute, IntegerAttr) else None
