"""Nodes that refer to each other as deep as they like become attributes and locations that can be printed."""

from __future__ import annotations

from itertools import count

import pytest

from fathom.debug_info.attributes import MOST_NESTED, DebugAttributes
from fathom.ir.locations import CallSiteLoc, nested_locations
from fathom.llvmir.metadata import SpecializedMDNode
from fathom.llvmir.node_kinds import NODES

MANY = 10_000


def chain(kind: str, field: str, last: SpecializedMDNode) -> SpecializedMDNode:
    """Nodes of which each is a field of the next."""
    for line in range(MANY):
        last = SpecializedMDNode(NODES[kind], {"line": line, field: last}, is_distinct=True)
    return last


def test_calls_that_were_inlined() -> None:
    function = SpecializedMDNode(NODES["DISubprogram"], {"name": "f"}, is_distinct=True)
    node = chain("DILocation", "inlinedAt", SpecializedMDNode(NODES["DILocation"], {"scope": function}))
    location = DebugAttributes(count()).location(node)
    assert sum(isinstance(part, CallSiteLoc) for part in nested_locations(location)) == MOST_NESTED - 1
    assert str(location)


@pytest.mark.parametrize(("kind", "field"), [("DILexicalBlock", "scope"), ("DIDerivedType", "baseType")])
def test_what_needs_what_is_too_deep_is_left_out(kind: str, field: str) -> None:
    assert DebugAttributes(count()).attribute(chain(kind, field, SpecializedMDNode(NODES["DIFile"]))) is None


def test_a_circle_without_an_end_is_left_out() -> None:
    node = SpecializedMDNode(NODES["DIDerivedType"], is_distinct=True)
    node.fields["baseType"] = node
    assert DebugAttributes(count()).attribute(node) is None
