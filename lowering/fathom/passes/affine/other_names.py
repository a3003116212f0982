"""The same memory by different names: views of one buffer, and what a symbol names.

MLIR 22 takes memrefs that are different values for different memory, and fuses, copies and hoists across a subview or a
cast. Here what is a view of another one is known as such. Arguments of a function count as different, as they do there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import SymbolRefAttr
from fathom.ops.memref import GetGlobalOp
from fathom.passes.loops.aliases import seen_through_views

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.operation import Value


def memory_of(memref: Value) -> Value | SymbolRefAttr:
    """What memory a memref is a view of: the buffer, or the global."""
    source = seen_through_views(memref)
    maker = source.defining_op
    name = maker.properties.get("name") if isinstance(maker, GetGlobalOp) else None
    return name if isinstance(name, SymbolRefAttr) else source


def is_the_same(one: Value, other: Value) -> bool:
    """Whether two values are views of the same memory."""
    return one is other or memory_of(one) == memory_of(other)


def views_of_the_same(memrefs: Iterable[Value]) -> list[tuple[Value, Value]]:
    """The pairs of different memrefs that are views of the same memory, in both orders."""
    by_memory: dict[Value | SymbolRefAttr, list[Value]] = {}
    for memref in memrefs:
        by_memory.setdefault(memory_of(memref), []).append(memref)
    return [(one, other) for views in by_memory.values() for one in views for other in views if one is not other]
