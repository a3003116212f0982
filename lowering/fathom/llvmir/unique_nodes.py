"""Nodes that are made once for what is in them, as LLVM makes those that are not distinct."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.llvmir.metadata import FieldValue, MDTuple, Metadata, SpecializedMDNode
from fathom.llvmir.node_kinds import NODES


class UniqueNodes:
    """The nodes made so far, by what they are made of."""

    def __init__(self) -> None:
        self._tuples: dict[tuple[Metadata | None, ...], MDTuple] = {}
        self._nodes: dict[tuple[object, ...], SpecializedMDNode] = {}

    def tuple(self, *operands: Metadata | None) -> MDTuple:
        """`!{…}`."""
        found = self._tuples.get(operands)
        if found is None:
            found = self._tuples[operands] = MDTuple([*operands])
        return found

    def node(self, kind: str, fields: Mapping[str, FieldValue]) -> SpecializedMDNode:
        """`!DI…(…)`; a field that is None counts as missing."""
        given: dict[str, FieldValue] = {name: value for name, value in fields.items() if value is not None}
        key = _key(kind, given)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = SpecializedMDNode(NODES[kind], given)
        return found

    def adopt(self, node: SpecializedMDNode) -> None:
        """Has a node be the one for what is in it. One that refers to itself is there before that is known."""
        self._nodes[_key(node.kind.name, node.fields)] = node


def _key(kind: str, fields: Mapping[str, FieldValue]) -> tuple[object, ...]:
    return (kind, *((name, _hashable(fields[name])) for name in sorted(fields)))


def _hashable(value: FieldValue) -> object:
    return tuple(value) if isinstance(value, list) else value
