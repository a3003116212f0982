"""The maps and sets of all operations, simplified.

Source of the rules: `SimplifyAffineStructures.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.canonicalization import CANONICALIZATION
from fathom.ir.affine_simplification import simplify_map
from fathom.ir.attributes import AffineMapAttr, Attribute, IntegerSetAttr
from fathom.ops.affine import ApplyOp, ForOp, IfOp
from fathom.passes.affine.integer_sets import simplify_set
from fathom.rewriting.greedy_driver import apply_on
from fathom.rewriting.pattern import sorted_by_root

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


def simplify_structures(root: Operation, context: Context) -> list[Diagnostic]:
    """Simplifies each map and set; then `affine.apply`, `affine.for` and `affine.if`."""
    known: dict[Attribute, Attribute] = {}
    ops: list[Operation] = []
    for op in root.walk_postorder():
        for attributes in (op.properties, op.attributes):
            for name, attribute in list(attributes.items()):
                if isinstance(attribute, AffineMapAttr | IntegerSetAttr):
                    if attribute not in known:
                        known[attribute] = _simplified(attribute)
                    attributes[name] = known[attribute]
        if isinstance(op, (ApplyOp, ForOp, IfOp)):
            ops.append(op)
    table = sorted_by_root(
        pattern for pattern in CANONICALIZATION if pattern.root in ("affine.apply", "affine.for", "affine.if")
    )
    apply_on(ops, lambda name: table.get(name, ()), context, only=True)
    return []


def _simplified(attribute: AffineMapAttr | IntegerSetAttr) -> Attribute:
    if isinstance(attribute, AffineMapAttr):
        return AffineMapAttr(simplify_map(attribute.map))
    return IntegerSetAttr(simplify_set(attribute.set))
