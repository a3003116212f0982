"""The signatures of functions and calls without some of their arguments and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, DictAttr, TypeAttr
from fathom.ir.property_values import elements_property
from fathom.ir.types import FunctionType
from fathom.irdl.groups import SEGMENTS
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import TypeVar

    from fathom.ir.operation import Operation

    T = TypeVar("T")


def can_lose_results(function: Operation) -> bool:
    """Whether the results of a function can go; one of LLVM has exactly one."""
    type = function.properties.get("function_type")
    return isinstance(type, TypeAttr) and isinstance(type.type, FunctionType)


def erase_from_signature(function: Operation, arguments: Collection[int], results: Collection[int]) -> None:
    """Takes arguments and results from the type of a function, and what is said of them."""
    attribute = function.properties.get("function_type")
    type = attribute.type if isinstance(attribute, TypeAttr) else None
    if isinstance(type, FunctionType):
        type = FunctionType(_without(type.inputs, arguments), _without(type.results, results))
    elif isinstance(type, LLVMFunctionType):
        type = replace(type, params=_without(type.params, arguments))
    else:
        return
    function.properties["function_type"] = TypeAttr(type)
    for name, gone in (("arg_attrs", arguments), ("res_attrs", results)):
        if not gone or name not in function.properties:
            continue
        kept = _without(tuple(elements_property(function, name)), gone)
        if any(isinstance(entry, DictAttr) and entry.entries for entry in kept):
            function.properties[name] = ArrayAttr(kept)
        else:
            del function.properties[name]


def erase_operands(op: Operation, places: Collection[int]) -> None:
    """Takes away operands, and counts their groups anew."""
    sizes = op.properties.get(SEGMENTS["operands"])
    if isinstance(sizes, DenseArrayAttr):
        counts, start = list[int](), 0
        for size in sizes.values:
            end = start + int(size)
            counts.append(sum(place not in places for place in range(start, end)))
            start = end
        op.properties[SEGMENTS["operands"]] = DenseArrayAttr(sizes.element, tuple(counts))
    op.set_operands(_without(op.operands, places))


def _without(values: Sequence[T], places: Collection[int]) -> tuple[T, ...]:
    return tuple(value for place, value in enumerate(values) if place not in places)
