"""Locations from their trees. Source of the rules: *Builtin Dialect*, "Location Attributes"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.ir.attributes import UnknownAttr
from fathom.ir.locations import CallSiteLoc, FileLineColLoc, LocationAttr, NameLoc, UnknownLoc, fused
from fathom.syntax.expectations import integer_of
from fathom.syntax.nodes import Node

if TYPE_CHECKING:
    from fathom.elaborate.parts import Parts, TextOf


_MOST_DIGITS = 10
"""Lines and columns are 32-bit numbers."""


def location_attribute(meanings: Parts, node: Node, text: TextOf | None) -> LocationAttr:
    """`loc(…)`."""
    return _body(meanings, node.nodes[0], text)


def _body(meanings: Parts, node: Node, text: TextOf | None) -> LocationAttr:
    words = [meanings.leaf(leaf, text) for leaf in node.leaves]
    match node.kind:
        case "unknown_location":
            return UnknownLoc()
        case "file_location":
            digits = [word for word in words[1:] if word[0].isdigit()]
            numbers = [integer_of(word) if word.startswith("0x") else int(word[:_MOST_DIGITS]) for word in digits]
            end_line = numbers[2] if len(numbers) == 4 else None
            end_column = numbers[-1] if len(numbers) > 2 else None
            column = numbers[1] if len(numbers) > 1 else 0
            return FileLineColLoc(unquote(words[0]), numbers[0], column, end_line, end_column)
        case "name_location":
            child = _body(meanings, node.nodes[0], text) if node.nodes else None
            return NameLoc(unquote(words[0]), child)
        case "callsite_location":
            callee, caller = (_body(meanings, inner, text) for inner in node.nodes)
            return CallSiteLoc(callee, caller)
        case "fused_location":
            metadata = next((meanings.attribute(n, text) for n in node.nodes if n.kind == "attribute"), None)
            parts = tuple(_body(meanings, n, text) for n in node.nodes if n.kind != "attribute")
            return fused(parts, metadata)
        case _:
            head = node.leaves[0]
            is_alias = "." not in words[0] and not node.nodes
            value = (
                meanings.alias(head, words[0][1:])
                if is_alias
                else meanings.attribute(Node("hash_attr", [*node.children]), text)
            )
            if isinstance(value, UnknownAttr):
                # A location of a dialect that is not known tells nothing.
                return UnknownLoc()
            if not isinstance(value, LocationAttr):
                raise ElaborationFailure(f"expected location, but found '{value}'", node.start)
            return value
