"""Draws an operation in the language DOT: nodes for operations and arguments of blocks, clusters for regions.

An edge leads to the anchor of a cluster, a node that nobody sees. Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple

from fathom.ir.attributes import ArrayAttr, Attribute, DenseElementsAttr, SparseElementsAttr
from fathom.ir.naming import name_values
from fathom.ir.traversal import outermost
from fathom.ir.types import text_of
from fathom.irdl.groups import SEGMENTS

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value
    from fathom.ir.types import Type

MOST_ELEMENTS: Final = 16
"""An attribute of more elements is left out, unless they are all equal."""


class _Node(NamedTuple):
    number: int
    cluster: int | None = None


def drawn(op: Operation, *, longest: int, attributes: bool, control_flow: bool, data_flow: bool, types: bool) -> str:
    """The text of the graph; `longest` is how much of a type or an attribute is written."""
    drawing = _Drawing(op, longest, attributes=attributes, control_flow=control_flow, types=types)
    drawing.line("digraph G {")
    drawing.depth += 1
    drawing.line("compound = true;")
    drawing.operation(op)
    if data_flow:
        drawing.uses()
    drawing.lines += drawing.edges
    drawing.depth -= 1
    drawing.line("}")
    return "\n".join(drawing.lines) + "\n"


def _escaped(text: str) -> str:
    return "".join(f"\\{character}" if character in '{|<}>\n"' else character for character in text)


class _Drawing:
    """The lines so far, the edges, and the nodes of values."""

    def __init__(self, op: Operation, longest: int, *, attributes: bool, control_flow: bool, types: bool) -> None:
        self.lines: list[str] = []
        self.edges: list[str] = []
        self.depth = 0
        self._longest = longest
        self._attributes, self._control_flow, self._types = attributes, control_flow, types
        self._count = 0
        self._names = name_values(outermost(op)).values
        self._nodes: dict[Value, _Node] = {}
        self._uses: list[tuple[Value, _Node]] = []
        kinds = dict.fromkeys(operation.name for operation in op.walk_postorder())
        self._colours = {name: f"{number / len(kinds):.6f} 0.3 0.95" for number, name in enumerate(kinds)}

    def line(self, text: str) -> None:
        """Writes a line, as far in as it stands."""
        self.lines.append("  " * self.depth + text)

    def uses(self) -> None:
        """Edges from what makes values to what uses them, which may come before."""
        for value, node in self._uses:
            self._edge(self._nodes.get(value, _Node(0)), node, "solid", self._port(value))

    # ---- nodes

    def _node(self, label: str, shape: str = "Mrecord", colour: str = "") -> _Node:
        self._count += 1
        parts = {"label": f'"{label}"', "shape": shape}
        if colour:
            parts |= {"fillcolor": f'"{colour}"', "style": "filled"}
        self.line(f"v{self._count} [{_list(parts)}];")
        return _Node(self._count)

    def _open(self, label: str) -> _Node:
        """Begins a cluster, which its anchor and its label are the first of."""
        self._count += 1
        cluster = self._count
        self.line(f"subgraph cluster_{cluster} {{")
        self.depth += 1
        anchor = self._node(" ", "plain")
        self.line(f'label = "{label}";')
        return _Node(anchor.number, cluster)

    def _close(self) -> None:
        self.depth -= 1
        self.line("}")

    def operation(self, op: Operation) -> _Node:
        """A node, or a cluster with what is nested."""
        if op.regions:
            node = self._open(self._label_of_cluster(op))
            for region in op.regions:
                for block in region.blocks:
                    self._block(block)
            self._close()
        else:
            node = self._node(self._label(op), colour=self._colours[op.name])
        self._uses += ((operand, node) for operand in op.operands)
        self._nodes.update(dict.fromkeys(op.results, node))
        return node

    def _block(self, block: Block) -> None:
        self._open("")
        for argument in block.arguments:
            self._nodes[argument] = self._node(self._result(argument))
        before: _Node | None = None
        for op in block:
            node = self.operation(op)
            if self._control_flow and before is not None:
                self._edge(before, node, "dashed")
            before = node
        self._close()

    def _edge(self, start: _Node, end: _Node, style: str, port: str = "") -> None:
        parts = {"style": style}
        if start.cluster is not None:
            parts["ltail"] = f"cluster_{start.cluster}"
        if end.cluster is not None:
            parts["lhead"] = f"cluster_{end.cluster}"
        begin = f":res{port}:s" if port and start.cluster is None else ""
        finish = f":arg{port}:n" if port and end.cluster is None else ""
        self.edges.append(f"  v{start.number}{begin} -> v{end.number}{finish}[{_list(parts)}];")

    # ---- labels

    def _name(self, value: Value) -> str:
        return self._names.get(value, "<<UNKNOWN SSA VALUE>>")

    def _port(self, value: Value) -> str:
        return self._name(value).replace("%", "_").replace("#", "_")

    def _cut(self, text: str) -> str:
        raw = text.encode()
        return text if len(raw) <= self._longest else raw[: self._longest].decode(errors="ignore") + "..."

    def _type(self, type: Type) -> str:
        return _escaped(self._cut(text_of(type)))

    def _result(self, value: Value) -> str:
        type = f" {self._type(value.type)}" if self._types else ""
        return f"<res{self._port(value)}> {self._name(value)}{type}"

    def _attribute(self, attribute: Attribute) -> str:
        if isinstance(attribute, DenseElementsAttr) and attribute.is_splat:
            return _escaped(text_of(attribute))
        if isinstance(attribute, (DenseElementsAttr, SparseElementsAttr)):
            shape = attribute.type.ranked_shape
            if prod(shape) > MOST_ELEMENTS:
                return f"{'[' * len(shape)}...{']' * len(shape)} : {self._type(attribute.type)}"
        if isinstance(attribute, ArrayAttr) and len(attribute.elements) > MOST_ELEMENTS:
            return "[...]"
        return _escaped(self._cut(text_of(attribute)))

    def _all_attributes(self, op: Operation) -> list[tuple[str, Attribute]]:
        known = op.definition.property_map if op.definition is not None else {}
        properties = (
            (name, value) for name, value in op.properties.items() if name in known and not known[name].native
        )
        segments = ((name, value) for name, value in op.properties.items() if name in SEGMENTS.values())
        return sorted({**dict(properties), **dict(segments), **op.attributes}.items())

    def _label_of_cluster(self, op: Operation) -> str:
        types = self._cut(", ".join(text_of(result.type) for result in op.results))
        label = f"{op.name} : ({types})" if self._types else op.name
        if not self._attributes:
            return label
        lines = (f"{_escaped(name)}: {self._attribute(value)}" for name, value in self._all_attributes(op))
        return "\\l".join((label, *lines, ""))

    def _label(self, op: Operation) -> str:
        parts: list[str] = []
        if op.operands:
            operands = "|".join(f"<arg{self._port(operand)}> {self._name(operand)}" for operand in op.operands)
            parts.append(f"{{{operands}}}")
        name, attributes = f"{op.name}\\l", self._all_attributes(op) if self._attributes else []
        if attributes:
            name += "\\l" + "".join(f"{key}: {self._attribute(value)}\\l" for key, value in attributes)
        parts.append(name)
        if op.results:
            parts.append(f"{{{'|'.join(self._result(result) for result in op.results)}}}")
        return f"{{{'|'.join(parts)}}}"


def _list(parts: Mapping[str, str]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in sorted(parts.items()))
