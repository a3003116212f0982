"""Metadata nodes: unique, numbered in the order in which the module's text first refers to them.

Source of the rules: *LLVM Language Reference*, "Metadata".
"""

from __future__ import annotations

from fathom.llvmir.words import METADATA_KINDS
from fathom.text.escapes import quote


def quoted(text: str) -> str:
    """A string, as an operand of a node."""
    return f"!{quote(text)}"


class Node:
    """A node; `operands` are texts or other nodes. A distinct node may refer to itself and is never merged."""

    __slots__ = ("distinct", "number", "operands")

    def __init__(self, operands: tuple[str | Node, ...], *, distinct: bool = False) -> None:
        self.operands = operands
        self.distinct = distinct
        self.number = -1

    @property
    def text(self) -> str:
        return f"!{self.number}"

    def definition(self) -> str:
        inner = ", ".join(o if isinstance(o, str) else o.text for o in self.operands)
        return f"{self.text} = {'distinct ' * self.distinct}!{{{inner}}}"


class Metadata:
    """All nodes of a module."""

    def __init__(self) -> None:
        self._unique: dict[tuple[str | Node, ...], Node] = {}
        self._numbered: list[Node] = []
        self._kinds: dict[str, int] = {}

    def kind(self, name: str) -> int:
        """The number of a kind of metadata: LLVM's own, or the next for one that it meets for the first time."""
        return (
            METADATA_KINDS[name]
            if name in METADATA_KINDS
            else self._kinds.setdefault(name, len(METADATA_KINDS) + len(self._kinds))
        )

    def node(self, *operands: str | Node) -> Node:
        """The node with these operands."""
        node = self._unique.get(operands)
        if node is None:
            node = self._unique[operands] = Node(operands)
        return node

    def number(self, node: Node) -> None:
        """Gives the node and all that it refers to their numbers, unless they have them."""
        if node.number >= 0:
            return
        node.number = len(self._numbered)
        self._numbered.append(node)
        for operand in node.operands:
            if isinstance(operand, Node):
                self.number(operand)

    def definitions(self) -> list[str]:
        return [node.definition() for node in self._numbered]
