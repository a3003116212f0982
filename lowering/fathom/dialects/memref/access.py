"""Reading and writing the elements of memrefs.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.memref.common import rank_of
from fathom.ir.operation import types_of
from fathom.ir.types import FloatType, IntegerType
from fathom.irdl.checking import bare
from fathom.irdl.clauses import either, two_way
from fathom.irdl.code import OpCode
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import memref as ops
from fathom.rewriting.effects import is_memory_effect_free


def _is_ranked_otherwise(op: ops.LoadOp | ops.StoreOp | ops.AtomicRmwOp | ops.PrefetchOp) -> bool:
    """Whether there is not one index for each dimension."""
    return rank_of(op.memref) != len(op.indices)


@verifies("memref.load")
def _verify_load(op: ops.LoadOp) -> Complaint:
    counts = f"expected {rank_of(op.memref)} but got {len(op.indices)}"
    return f"incorrect number of indices for load, {counts}" if _is_ranked_otherwise(op) else None


@verifies("memref.store")
def _verify_store(op: ops.StoreOp) -> Complaint:
    return "store index operand count not equal to memref rank" if _is_ranked_otherwise(op) else None


@verifies("memref.prefetch")
def _verify_prefetch(op: ops.PrefetchOp) -> Complaint:
    return "too few indices" if _is_ranked_otherwise(op) else None


# ---- read-modify-write

KINDS: Final = {
    name: number
    for number, name in enumerate(
        "addf addi andi assign maximumf maxnumf maxs maxu minimumf minnumf mins minu mulf muli ori xori".split()
    )
}
FLOAT_KINDS: Final = frozenset(("addf", "maximumf", "maxnumf", "minimumf", "minnumf", "mulf"))
INTEGER_KINDS: Final = frozenset(KINDS) - FLOAT_KINDS - {"assign"}


@verifies("memref.atomic_rmw")
def _verify_atomic(op: ops.AtomicRmwOp) -> Complaint:
    if _is_ranked_otherwise(op):
        return "expects the number of subscripts to be equal to memref rank"
    kind, type = list(KINDS)[op.kind.value], op.value.type
    if kind in FLOAT_KINDS and not isinstance(type, FloatType):
        return f"with kind '{kind}' expects a floating-point type"
    if kind in INTEGER_KINDS and not isinstance(type, IntegerType):
        return f"with kind '{kind}' expects an integer type"
    return None


@verifies("memref.generic_atomic_rmw")
def _verify_generic_atomic(op: ops.GenericAtomicRmwOp) -> Complaint:
    body = op.atomic_body.first
    if body is None or len(body.arguments) != 1:
        return "expected single number of entry block arguments"
    if body.arguments[0].type != op.result.type:
        return "expected block argument of the same type result type"
    for inner in op.atomic_body.walk():
        if not is_memory_effect_free(inner):
            return bare(f"body of '{op.name}' should contain only operations with no side effects", inner)
    return None


@verifies("memref.atomic_yield")
def _verify_atomic_yield(op: ops.AtomicYieldOp) -> Complaint:
    parent, (given,) = op.parent_op, types_of(op.operands)
    if parent is None or not parent.results or parent.result.type == given:
        return None
    return f"types mismatch between yield op: '{given}' and its parent: '{parent.result.type}'"


# ---- prefetch

DIRECTIVES: Final = {
    "Direction": either("read", "write", "rw specifier has to be 'read' or 'write'"),
    "Cache": either("instr", "data", "cache type has to be 'data' or 'instr'"),
}
HINTS: Final = "`,` custom<Direction>($isWrite) `,` `locality` `<` $localityHint `>` `,` custom<Cache>($isDataCache)"
"""How the access to an element is meant that is to come."""
CODE: Final = {
    "generic_atomic_rmw": OpCode(
        custom=two_way("$memref `[` $indices `]` `:` type($memref) $atomic_body attr-dict", completes=False)
    ),
    "prefetch": OpCode(custom=two_way(f"$memref `[` $indices `]` {HINTS} attr-dict `:` type($memref)")),
}
