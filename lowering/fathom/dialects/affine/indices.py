"""Indices that follow from others: `affine.apply`, `affine.min`, `affine.max`, the values of a map, its only one, the
least or the greatest; `affine.delinearize_index` and `affine.linearize_index`, one index and several, by a basis.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.scope import Validity, affine_scope
from fathom.dialects.affine.syntax import refuse, resolve_applied
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.types import DYNAMIC, INDEX
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp, MaxOp, MinOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

COUNTS: Final = "operand count and affine map dimension and symbol count must match"


# ---- affine.apply


def _resolve_apply(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    applied, attribute = resolve_applied(resolver, parsed, "map", AffineMapAttr)
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


def _resolve_extremum(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolve_applied(resolver, parsed, "map", AffineMapAttr)
    resolver.result_types = [INDEX]


@verifies("affine.min", "affine.max")
def _verify_extremum(op: MinOp | MaxOp) -> Complaint:
    map = op.map.map
    if len(op.operands) != map.inputs:
        return COUNTS
    return None if map.results else "affine map expect at least one result"


# ---- affine.delinearize_index, affine.linearize_index

MISMATCH: Final = (
    "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- this can "
    "only happen due to an incorrect fold/rewrite"
)


def _parse_basis(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`(4, %n)`."""
    parse_index_list(parser, parsed, arguments[0], arguments[1], "()")


def _print_basis(op: DelinearizeIndexOp | LinearizeIndexOp, p: OpPrinter, _: object) -> None:
    print_index_list(mixed(op.static_basis, op.dynamic_basis), p, "()")


@verifies("affine.delinearize_index")
def _verify_delinearize(op: DelinearizeIndexOp) -> Complaint:
    basis = op.static_basis.values
    if len(op.results) not in (len(basis), len(basis) + 1):
        return "should return an index for each basis element and up to one extra index"
    if basis.count(DYNAMIC) != len(op.dynamic_basis):
        return MISMATCH
    if any(extent <= 0 and extent != DYNAMIC for extent in basis):
        return "no basis element may be statically non-positive"
    return None


@verifies("affine.linearize_index")
def _verify_linearize(op: LinearizeIndexOp) -> Complaint:
    basis = op.static_basis.values
    if len(op.multi_index) not in (len(basis), len(basis) + 1):
        return "should be passed a basis element for each index except possibly the first"
    return MISMATCH if basis.count(DYNAMIC) != len(op.dynamic_basis) else None


_EXTREMUM: Final = OpCode(custom=two_way("custom<Applied>($operands, $map) attr-dict", _resolve_extremum))
CODE: Final = {
    "apply": OpCode(custom=two_way("custom<Applied>($mapOperands, $map) attr-dict", _resolve_apply)),
    **dict.fromkeys(("min", "max"), _EXTREMUM),
}
DIRECTIVES: Final = {"Basis": CustomDirective(_parse_basis, _print_basis)}
