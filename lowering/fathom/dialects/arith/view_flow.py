"""Which operands a result may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.arith import SelectOp


def chosen(op: SelectOp) -> list[tuple[Value, Value]]:
    return [(op.true_value, op.result), (op.false_value, op.result)]


VIEW_FLOW: Final = {"arith.select": chosen}
