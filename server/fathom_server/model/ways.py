"""The trees of types and attributes in a statement, and what in them stands at a token."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from fathom.elaborate.parts import TextOf
from fathom.ir.operation import Span
from fathom.records import record
from fathom.syntax.events import AliasEvent, LabelEvent, OpenEvent, OpEvent
from fathom.syntax.nodes import Leaf, Node, ParsedOp, UntypedLiteral
from fathom_server.model.places import Spot

OWN: Final = "{}"
"""The `key` of the dictionary of an operation's attributes, or of its properties."""


@record
class Way:
    """The nodes of a tree that stand around the token at a spot, the outermost first, and the token itself if the tree
    keeps it. References count from the token `base` of the statement. `key` is the name of the operation's attribute
    that the tree is, if its syntax has it."""

    spot: Spot
    base: int
    nodes: tuple[Node, ...]
    leaf: Leaf | None
    key: str = ""

    def innermost(self, *kinds: str) -> Node | None:
        """The smallest tree of these kinds around the token."""
        return next((node for node in reversed(self.nodes) if node.kind in kinds), None)

    @property
    def text(self) -> TextOf:
        """The texts of the tokens of the statement, by references as the trees have them."""
        return self.spot.piece.texts(self.base)

    def span(self, node: Node) -> Span:
        """Where a tree stands in the document."""
        piece, start = self.spot.piece, self.spot.item_start + self.spot.piece_start
        first, last = piece.token_span(self.base + node.start), piece.token_span(self.base + node.end - 1)
        return Span(start + first[0], start + last[1])


def way_to(spot: Spot) -> Way | None:
    """The trees around the token at a spot; None where it belongs to none."""
    for base, node, key in _trees(spot):
        if base + node.start <= spot.index < base + node.end:
            return Way(spot, base, *_down(node, spot.index - base), key)
    return None


def _down(node: Node, ref: int) -> tuple[tuple[Node, ...], Leaf | None]:
    """The nodes from a tree down to a reference, and its leaf."""
    nodes = [node]
    while True:
        children = nodes[-1].children
        child = children[max(bisect_right(children, ref, key=_start) - 1, 0)]
        if isinstance(child, Leaf):
            return tuple(nodes), child if child.ref == ref else None
        if not child.start <= ref < child.end:
            return tuple(nodes), None
        nodes.append(child)


def _start(child: Node | Leaf) -> int:
    return child.ref if isinstance(child, Leaf) else child.start


def _trees(spot: Spot) -> Iterator[tuple[int, Node, str]]:
    """The trees in the text that a spot belongs to, each with the token of the statement that its references count
    from, and the name of the attribute that it is.

    An operation with many regions has an event for each, which all know the whole of it: only the last that begins
    before the spot is looked at."""
    for event in reversed(spot.piece.shape.events):
        match event:
            case OpEvent() | OpenEvent() | LabelEvent() | AliasEvent() if event.base <= spot.index:
                yield from _of_event(event)
                return
            case _:
                pass


def _of_event(event: OpEvent | OpenEvent | LabelEvent | AliasEvent) -> Iterator[tuple[int, Node, str]]:
    match event:
        case OpEvent(parsed, base, first):
            yield from ((base - first, *tree) for tree in _of_operation(parsed) if tree[0].start >= first)
        case OpenEvent(open, base, _, first) if open.parsed is not None:
            yield from ((base - first, *tree) for tree in _of_operation(open.parsed) if tree[0].start >= first)
        case LabelEvent(label, base):
            yield from ((base, argument.type, "") for argument in label.arguments if isinstance(argument.type, Node))
        case AliasEvent(alias, base):
            yield base, alias.value, ""
        case _:
            pass


def _of_operation(parsed: ParsedOp) -> Iterator[tuple[Node, str]]:
    """The trees of types and attributes of an operation."""
    for key, source in parsed.attributes.items():
        node = source.node if isinstance(source, UntypedLiteral) else source
        if isinstance(node, Node):
            yield node, key
    for node in (parsed.attr_dict, parsed.properties):
        if node is not None:
            yield node, OWN
    for node in _unnamed(parsed):
        yield node, ""


def _unnamed(parsed: ParsedOp) -> Iterator[Node]:
    for group in parsed.types.values():
        yield from group
    for node in (parsed.function_type, parsed.location):
        if node is not None:
            yield node
    for successor in parsed.successors:
        yield from successor.types
    arguments = [argument for region in parsed.regions for argument in region.arguments]
    if parsed.function is not None:
        arguments += parsed.function.arguments
        yield from parsed.function.results
        yield from (node for node in parsed.function.result_attributes if node is not None)
    for argument in arguments:
        yield from (node for node in (argument.type, argument.attributes) if isinstance(node, Node))
