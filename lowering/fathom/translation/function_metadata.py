"""The metadata that a function carries: how often it was entered, and what a kernel wants of its device.

Source of the rules: *'llvm' Dialect*, "`llvm.func`"; *LLVM Language Reference*, "'prof' Metadata".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, TypeAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I64
from fathom.translation.constants import integer
from fathom.translation.metadata import Node, quoted

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.translation.spelling import TypeSpeller
    from fathom.translation.state import ModuleState


def _type_hint(value: Attribute, types: TypeSpeller) -> list[str]:
    if not isinstance(value, DialectAttr):
        return []
    hint, signed = value.parameter("hint"), value.parameter("is_signed")
    return [f"{types(hint.type)} undef", f"i32 {int(bool(signed))}"] if isinstance(hint, TypeAttr) else []


def _numbers(value: Attribute, _types: TypeSpeller) -> list[str]:
    return [f"i32 {number}" for number in value.values] if isinstance(value, DenseArrayAttr) else []


def _number(value: Attribute, _types: TypeSpeller) -> list[str]:
    return [f"i32 {value.value}"] if isinstance(value, IntegerAttr) else []


KERNEL_HINTS: Final[Mapping[str, Callable[[Attribute, TypeSpeller], list[str]]]] = {
    "vec_type_hint": _type_hint,
    "work_group_size_hint": _numbers,
    "reqd_work_group_size": _numbers,
    "intel_reqd_sub_group_size": _number,
}
"""What each puts into its node, in the order in which MLIR makes them. The kinds have the names of the properties."""


def function_metadata(op: Operation, state: ModuleState) -> list[tuple[str, Node]]:
    """The nodes with their kinds, in the order of these."""
    nodes: dict[str, Node] = {}
    for kind, operands in KERNEL_HINTS.items():
        value = op.properties.get(kind)
        if value is not None:
            nodes[kind] = state.metadata.node(*operands(value, state.types))
            state.metadata.kind(kind)
    count = op.properties.get("function_entry_count")
    if isinstance(count, IntegerAttr):
        nodes["prof"] = state.metadata.node(quoted("function_entry_count"), f"i64 {integer(I64, count.value).signed}")
    return sorted(nodes.items(), key=lambda item: state.metadata.kind(item[0]))
