"""`affine.apply`, `affine.min`, `affine.max`: the values of a map, its only one, the least or the greatest.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.scope import Validity, affine_scope
from fathom.dialects.affine.syntax import refuse, resolve_applied
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.types import INDEX
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import ApplyOp, MaxOp, MinOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver

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


_EXTREMUM: Final = OpCode(custom=two_way("custom<Applied>($operands, $map) attr-dict", _resolve_extremum))
CODE: Final = {
    "apply": OpCode(custom=two_way("custom<Applied>($mapOperands, $map) attr-dict", _resolve_apply)),
    **dict.fromkeys(("min", "max"), _EXTREMUM),
}
