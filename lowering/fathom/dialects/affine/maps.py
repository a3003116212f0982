"""`affine.apply`, `affine.min`, `affine.max`: the values of a map, its only one, the least or the greatest.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.scope import Validity, affine_scope
from fathom.dialects.affine.syntax import Applied, attribute_of, indices, parse_applied, print_applied, refuse
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.types import INDEX
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import ApplyOp, MaxOp, MinOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

COUNTS: Final = "operand count and affine map dimension and symbol count must match"


def _parse(parser: OpParser, parsed: ParsedOp) -> Applied:
    """`#map(%i)[%n] {attributes}`."""
    applied = parse_applied(parser)
    parser.attr_dict(parsed)
    return applied


def _print(op: ApplyOp | MinOp | MaxOp, p: OpPrinter) -> None:
    p.write(" ")
    print_applied(op.map, op.map.map.dims, op.operands, p)
    p.attr_dict(op, elide=("map",))


# ---- affine.apply


def _resolve_apply(resolver: Resolver, parsed: ParsedOp, applied: Applied) -> None:
    attribute = attribute_of(resolver, parsed, applied, AffineMapAttr)
    resolver.properties["map"] = attribute
    resolver.operands = indices(resolver, applied.values)
    if attribute.map.dims != len(applied.dims) or attribute.map.symbols != len(applied.symbols):
        refuse(resolver, parsed, "dimension or symbol index mismatch")
    resolver.result_types = [INDEX] * len(attribute.map.results)


@verifies("affine.apply")
def _verify_apply(op: ApplyOp) -> Complaint:
    map = op.map.map
    if len(op.operands) != map.inputs:
        return COUNTS
    if len(map.results) != 1:
        return "mapping must produce one value"
    validity = Validity(affine_scope(op))
    if any(validity.is_dim(value) and not validity.is_symbol(value) for value in op.operands[map.dims :]):
        return Problem("dimensional operand cannot be used as a symbol", bare=True)
    return None


# ---- affine.min, affine.max


def _resolve_extremum(resolver: Resolver, parsed: ParsedOp, applied: Applied) -> None:
    resolver.properties["map"] = attribute_of(resolver, parsed, applied, AffineMapAttr)
    resolver.operands = indices(resolver, applied.values)
    resolver.result_types = [INDEX]


@verifies("affine.min", "affine.max")
def _verify_extremum(op: MinOp | MaxOp) -> Complaint:
    map = op.map.map
    if len(op.operands) != map.inputs:
        return COUNTS
    return None if map.results else "affine map expect at least one result"


CODE: Final = {
    "apply": OpCode(custom=CustomSyntax(_parse, _print, _resolve_apply)),
    **dict.fromkeys(("min", "max"), OpCode(custom=CustomSyntax(_parse, _print, _resolve_extremum))),
}
