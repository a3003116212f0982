"""Patterns that ask for the ranks of all tensors, since what they make has loops for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.types import TensorType
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import RewriteFunction
    from fathom.rewriting.type_converter import TypeConverter


def of_ranks(
    name: str, root: str, rewrite: RewriteFunction, types: TypeConverter | None = None, benefit: int = 1
) -> Pattern:
    """A pattern that fails where a tensor has no rank."""

    def checked(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        if any(
            isinstance(value.type, TensorType) and value.type.shape is None for value in (*op.operands, *op.results)
        ):
            return Failure("unranked tensors not supported")
        return rewrite(op, operands, rewriter)

    return Pattern(root, checked, types, benefit=benefit, name=name)
