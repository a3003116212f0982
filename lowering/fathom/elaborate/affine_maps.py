"""Affine maps and sets from their trees. Source of the rules: *Affine Dialect*, "Affine Expressions"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.elaborate.failure import ElaborationFailure
from fathom.ir import affine
from fathom.ir.attributes import AffineMapAttr, IntegerSetAttr
from fathom.syntax.expectations import NO_NEGATED_OPERAND, exceeds_64_bits, integer_of
from fathom.syntax.nodes import Node

if TYPE_CHECKING:
    from fathom.elaborate.parts import Parts, TextOf

Names = dict[str, affine.AffineExpr]


def map_attribute(meanings: Parts, node: Node, text: TextOf | None) -> AffineMapAttr:
    """`affine_map<…>`."""
    return AffineMapAttr(affine_map(meanings, node.nodes[0], text))


def affine_map(meanings: Parts, node: Node, text: TextOf | None) -> affine.AffineMap:
    names, dims, symbols = _parameters(node.nodes[0])
    results = tuple(_expr(meanings, result, text, names) for result in node.nodes[1:])
    return affine.AffineMap(dims, symbols, results)


def set_attribute(meanings: Parts, node: Node, text: TextOf | None) -> IntegerSetAttr:
    """`affine_set<…>`; `a >= b` and `b <= a` are kept as `a - b >= 0`."""
    tree = node.nodes[0]
    names, dims, symbols = _parameters(tree.nodes[0])
    constraints: list[tuple[affine.AffineExpr, bool]] = []
    for constraint in tree.nodes[1:]:
        left, right = (_expr(meanings, side, text, names) for side in constraint.nodes)
        relation = constraint.leaves[0].type  # Of one that is parted by a blank, the first half.
        if relation == "LESS":
            left, right = right, left
        constraints.append((affine.add(left, affine.negate(right)), relation in ("EQ", "EQUAL")))
    # No constraint at all is one that always holds.
    constraints = constraints or [(affine.AffineConstant(0), True)]
    return IntegerSetAttr(affine.IntegerSet(dims, symbols, tuple(constraints)))


def _parameters(node: Node) -> tuple[Names, int, int]:
    names: Names = {}
    counts = [0, 0]
    for group in node.nodes:
        is_symbol = group.kind == "affine_symbols"
        for leaf in group.leaves:
            if leaf.type != "BARE":
                continue
            if leaf in names:
                raise ElaborationFailure(f"redefinition of identifier '{leaf}'", leaf.ref)
            position = counts[is_symbol]
            names[str(leaf)] = affine.AffineSymbol(position) if is_symbol else affine.AffineDim(position)
            counts[is_symbol] += 1
    return names, counts[0], counts[1]


def _expr(meanings: Parts, node: Node, text: TextOf | None, names: Names) -> affine.AffineExpr:
    match node.kind:
        case "affine_name":
            name = node.leaves[0]
            if name not in names:
                raise ElaborationFailure("use of undeclared identifier", name.ref)
            return names[name]
        case "affine_number":
            digits = meanings.leaf(node.leaves[0], text)
            value = None if exceeds_64_bits(digits) else integer_of(digits)
            if value is None or value >= 2**63:
                raise ElaborationFailure("constant too large for index", node.start)
            return affine.AffineConstant(value)
        case "affine_negation":
            return affine.negate(_negated(meanings, node, text, names))
        case "affine_sum" | "affine_product":
            return _binary(meanings, node, text, names)
        case _:
            (child,) = node.nodes
            return _expr(meanings, child, text, names)


def _negated(meanings: Parts, node: Node, text: TextOf | None, names: Names) -> affine.AffineExpr:
    """The operand of a negation. Of a mistake in it MLIR says besides that it is missing."""
    try:
        return _expr(meanings, node.nodes[0], text, names)
    except ElaborationFailure as failure:
        failure.further += ((NO_NEGATED_OPERAND, failure.place),)
        raise


def _binary(meanings: Parts, node: Node, text: TextOf | None, names: Names) -> affine.AffineExpr:
    left, right = (_expr(meanings, side, text, names) for side in node.nodes)
    operator = next(leaf for leaf in node.leaves if leaf.type not in ("LPAR", "RPAR"))
    match operator.type:
        case "PLUS":
            return affine.add(left, right)
        case "MINUS":
            return affine.add(left, affine.negate(right))
        case "STAR":
            if not (_is_symbolic(left) or _is_symbolic(right)):
                raise ElaborationFailure(
                    "non-affine expression: at least one of the multiply operands has to be either a constant or "
                    "symbolic",
                    operator.ref,
                )
            return affine.multiply(left, right)
        case _:
            if not _is_symbolic(right):
                raise ElaborationFailure(
                    f"non-affine expression: right operand of {operator} has to be either a constant or symbolic",
                    operator.ref,
                )
            return affine.divide(str(operator), left, right)


def _is_symbolic(expr: affine.AffineExpr) -> bool:
    match expr:
        case affine.AffineDim():
            return False
        case affine.AffineBinary(_, left, right):
            return _is_symbolic(left) and _is_symbolic(right)
        case _:
            return True
