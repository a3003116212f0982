"""How patterns make structured operations anew: like others, on other operands.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fathom.dialects.tensor.casts import CAST
from fathom.ir.clone import clone_region

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter


def create_like(
    rewriter: Rewriter,
    op: Operation,
    operands: Iterable[Value],
    types: Iterable[Type],
    properties: Mapping[str, Attribute] | None = None,
) -> Operation:
    """An operation with the body of another one, whose operands have elements of the same types, and its properties,
    or some of them changed."""
    regions = [clone_region(region) for region in op.regions]
    return rewriter.create(op.name, operands, types, {**op.properties, **(properties or {})}, None, (), regions)


def cloned(rewriter: Rewriter, op: Operation, operands: Sequence[Value], types: Sequence[Type]) -> Operation:
    """As `create_like`, with the discardable attributes too."""
    made = create_like(rewriter, op, operands, types)
    made.attributes.update(op.attributes)
    return made


def replace_with_casts(op: Operation, made: Operation, rewriter: Rewriter) -> None:
    """Replaces results by those of another operation, cast where their types differ."""
    results: list[Value] = []
    for old, new in zip(op.results, made.results, strict=True):
        results.append(new if new.type == old.type else rewriter.create(CAST, [new], [old.type]).result)
    rewriter.replace(op, results)
