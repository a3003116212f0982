"""Hints on loops: `#llvm.loop_annotation<…>` as the metadata that a loop's branch carries.

Source of the names: *LLVM Language Reference*, "'llvm.loop' Metadata", and *'llvm' Dialect*, "LoopAnnotationAttr".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.llvm.ir_names import LOOP_HINTS, OWN_LOOP_HINTS, Hint, LoopHint
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.llvmir.metadata import MDNode, MDTuple, Metadata
from fathom.translation.attachments import group_node
from fathom.translation.metadata import bit, i32, quoted

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.translation.state import ModuleState

Way: TypeAlias = Callable[[str, int], tuple[Metadata, ...]]
"""How a hint is said, by its name and its number (a truth value is one): the operands of its node, none if it says
nothing."""


def _flag(name: str, number: int) -> tuple[Metadata, ...]:
    return (quoted(name),) if number else ()


def _boolean(name: str, number: int) -> tuple[Metadata, ...]:
    return quoted(name), bit(number)


def _negated(name: str, number: int) -> tuple[Metadata, ...]:
    return _boolean(name, not number)


def _number(name: str, number: int) -> tuple[Metadata, ...]:
    return quoted(name), i32(number)


def _either(name: str, number: int) -> tuple[Metadata, ...]:
    return (quoted(f"{name}.{'disable' if number else 'enable'}"),)


def _followup(name: str, number: int) -> tuple[Metadata, ...]:
    """The hints of the loop that comes of it; that node comes behind the name."""
    return (quoted(name),)


_WAYS: Final[dict[Hint, Way]] = {
    Hint.FLAG: _flag,
    Hint.SWITCH: _boolean,
    Hint.BOOLEAN: _boolean,
    Hint.NEGATED: _negated,
    Hint.NUMBER: _number,
    Hint.COUNTED: _number,
    Hint.EITHER: _either,
    Hint.FOLLOWUP: _followup,
}


def loop_node(module: ModuleState, op: Operation, annotation: Attribute) -> MDNode:
    """The loop's own distinct node; equal annotations share it, as in MLIR. Raises ValueError for what is none."""
    known = module.attribute_nodes.get(annotation)
    if known is not None:
        return known
    if not isinstance(annotation, DialectAttr) or annotation.name != "loop_annotation":
        raise ValueError(annotation)
    places: list[Metadata | None] = []
    for name in ("startLoc", "endLoc"):
        place = annotation.parameter(name)
        places += module.debug.place(place) if isinstance(place, Attribute) else ()
    hints = _hints(module, op, annotation, OWN_LOOP_HINTS)
    for name, options in LOOP_HINTS.items():
        part = annotation.parameter(name)
        if isinstance(part, DialectAttr):
            hints += _hints(module, op, part, options)
    groups = annotation.parameter("parallelAccesses")
    if isinstance(groups, tuple) and groups:
        nodes = [group_node(module, group) for group in groups if isinstance(group, Attribute)]
        hints.append(module.nodes.tuple(quoted("llvm.loop.parallel_accesses"), *nodes))
    node = MDTuple([], is_distinct=True)
    node.operands += (node, *places, *hints)
    module.attribute_nodes[annotation] = node
    return node


def _hints(module: ModuleState, op: Operation, part: DialectAttr, options: tuple[LoopHint, ...]) -> list[MDNode]:
    nodes: list[MDNode] = []
    for option, way, name in options:
        value = part.parameter(option)
        if value is None:
            continue
        operands: list[Metadata] = [*_WAYS[way](f"llvm.{name}", value.value if isinstance(value, IntegerAttr) else 0)]
        if way is Hint.FOLLOWUP and isinstance(value, Attribute):
            operands.append(loop_node(module, op, value))
        if operands:
            nodes.append(module.nodes.tuple(*operands))
    return nodes
