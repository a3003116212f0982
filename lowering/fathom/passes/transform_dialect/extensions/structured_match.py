"""`transform.structured.match`: the operations in another one that are of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.transform.handles import implements
from fathom.ir.attributes import StringAttr, TypeAttr
from fathom.irdl.cases import word
from fathom.irdl.interfaces import LoopLike, Structured
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application


def has_interface(op: Operation, name: str) -> bool:
    """Whether an operation has the interface that a schedule calls so."""
    if op.definition is None:
        return False
    match name:
        case "LinalgOp":
            return op.interface(Structured) is not None
        case "LoopLikeInterface":
            return op.interface(LoopLike) is not None
        case _:
            return implements(op, name) or op.interface(Structured) is not None


@transforms("transform.structured.match")
def match(op: ops.StructuredMatchOp, run: Application) -> None:
    roots = run.ops(op.target)
    if len(roots) != 1:
        raise run.definite("requires exactly one target handle")
    run.set(op.results[0], [inner for inner in roots[0].walk_postorder() if _fits(op, inner)])


def _fits(op: ops.StructuredMatchOp, candidate: Operation) -> bool:
    if op.ops is not None and candidate.name not in {
        name.value for name in op.ops.elements if isinstance(name, StringAttr)
    }:
        return False
    if "interface" in op.properties and not has_interface(candidate, word(op, "interface")):
        return False
    if op.op_attrs is not None and any(candidate.attribute(name) != value for name, value in op.op_attrs.entries):
        return False
    if op.filter_result_type is not None and [result.type for result in candidate.results] != [
        op.filter_result_type.type
    ]:
        return False
    return op.filter_operand_types is None or _takes(candidate, op.filter_operand_types.elements)


def _takes(candidate: Operation, types: tuple[Attribute, ...]) -> bool:
    wanted = [type.type for type in types if isinstance(type, TypeAttr)]
    given = [operand.type for operand in candidate.operands]
    return all(type == wanted[0] for type in given) if len(wanted) == 1 else given == wanted
