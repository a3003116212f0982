"""The metadata that a function carries: what it is in the source, how often it was entered, and what a kernel wants of
its device.

Source of the rules: *'llvm' Dialect*, "`llvm.func`"; *LLVM Language Reference*, "'prof' Metadata".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, TypeAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.llvmir.metadata import MDNode, Metadata, ValueAsMetadata
from fathom.llvmir.values import UndefValue
from fathom.translation.metadata import i32, i64, quoted

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.translation.state import ModuleState
    from fathom.translation.types import Types


def _type_hint(value: Attribute, types: Types) -> list[Metadata]:
    if not isinstance(value, DialectAttr):
        return []
    hint, signed = value.parameter("hint"), value.parameter("is_signed")
    if not isinstance(hint, TypeAttr):
        return []
    return [ValueAsMetadata(UndefValue(types(hint.type))), i32(int(bool(signed)))]


def _numbers(value: Attribute, _types: Types) -> list[Metadata]:
    return [i32(number) for number in value.values] if isinstance(value, DenseArrayAttr) else []


def _number(value: Attribute, _types: Types) -> list[Metadata]:
    return [i32(value.value)] if isinstance(value, IntegerAttr) else []


KERNEL_HINTS: Final[Mapping[str, Callable[[Attribute, Types], list[Metadata]]]] = {
    "vec_type_hint": _type_hint,
    "work_group_size_hint": _numbers,
    "reqd_work_group_size": _numbers,
    "intel_reqd_sub_group_size": _number,
}
"""What each puts into its node, in the order in which MLIR makes them. The kinds have the names of the properties."""


def function_metadata(op: Operation, state: ModuleState) -> dict[str, MDNode]:
    """The nodes by their kinds, in the order of these."""
    subprogram = state.debug.subprogram(op)
    nodes: dict[str, MDNode] = {} if subprogram is None else {"dbg": subprogram}
    for kind, operands in KERNEL_HINTS.items():
        value = op.properties.get(kind)
        if value is not None:
            nodes[kind] = state.nodes.tuple(*operands(value, state.types))
            state.kind(kind)
    count = op.properties.get("function_entry_count")
    if isinstance(count, IntegerAttr):
        nodes["prof"] = state.nodes.tuple(quoted("function_entry_count"), i64(count.value))
    return dict(sorted(nodes.items(), key=lambda item: state.kind(item[0])))
