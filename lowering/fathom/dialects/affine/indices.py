"""`affine.delinearize_index` and `affine.linearize_index`: one index and several, by a basis.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.types import DYNAMIC
from fathom.irdl.definition import CustomDirective
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import DelinearizeIndexOp, LinearizeIndexOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

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


DIRECTIVES: Final = {"Basis": CustomDirective(_parse_basis, _print_basis)}
