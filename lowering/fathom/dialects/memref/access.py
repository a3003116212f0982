"""Reading and writing the elements of memrefs.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import rank_of
from fathom.ir.attributes import IntegerAttr, i32_attr
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property
from fathom.ir.types import FloatType, IntegerType
from fathom.irdl.clauses import either, two_way
from fathom.irdl.code import OpCode
from fathom.irdl.declared import CustomDirective, Problem
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.rewriting.effects import is_memory_effect_free

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


@verifies("memref.load")
def _verify_load(op: Operation) -> Complaint:
    rank, given = rank_of(op.operands[0]), len(op.operands) - 1
    if rank is None or rank == given:
        return None
    return f"incorrect number of indices for load, expected {rank} but got {given}"


@verifies("memref.store")
def _verify_store(op: Operation) -> Complaint:
    if rank_of(op.operands[1]) in (None, len(op.operands) - 2):
        return None
    return "store index operand count not equal to memref rank"


# ---- read-modify-write

KINDS: Final = {
    name: number
    for number, name in enumerate(
        "addf addi andi assign maximumf maxnumf maxs maxu minimumf minnumf mins minu mulf muli ori xori".split()
    )
}
FLOAT_KINDS: Final = frozenset(("addf", "maximumf", "maxnumf", "minimumf", "minnumf", "mulf"))
INTEGER_KINDS: Final = frozenset(KINDS) - FLOAT_KINDS - {"assign"}


def kind_of(op: Operation) -> str:
    """The keyword of an `atomic_rmw`."""
    attribute = op.properties.get("kind")
    number = attribute.value if isinstance(attribute, IntegerAttr) else -1
    return next((name for name, value in KINDS.items() if value == number), "")


@verifies("memref.atomic_rmw")
def _verify_atomic(op: Operation) -> Complaint:
    if rank_of(op.operands[1]) not in (None, len(op.operands) - 2):
        return "expects the number of subscripts to be equal to memref rank"
    kind, type = kind_of(op), op.operands[0].type
    if kind in FLOAT_KINDS and not isinstance(type, FloatType):
        return f"with kind '{kind}' expects a floating-point type"
    if kind in INTEGER_KINDS and not isinstance(type, IntegerType):
        return f"with kind '{kind}' expects an integer type"
    return None


@verifies("memref.generic_atomic_rmw")
def _verify_generic_atomic(op: Operation) -> Complaint:
    body = op.regions[0].first
    if body is None or len(body.arguments) != 1:
        return "expected single number of entry block arguments"
    if body.arguments[0].type != op.result.type:
        return "expected block argument of the same type result type"
    message = f"body of '{op.name}' should contain only operations with no side effects"
    for inner in op.regions[0].walk():
        if not is_memory_effect_free(inner):
            return Problem(message, at=inner, bare=True)
    return None


@verifies("memref.atomic_yield")
def _verify_atomic_yield(op: Operation) -> Complaint:
    parent = op.parent_op
    if parent is None or not parent.results or parent.result.type == op.operands[0].type:
        return None
    types = f"'{op.operands[0].type}' and its parent: '{parent.result.type}'"
    return f"types mismatch between yield op: {types}"


# ---- prefetch


def _parse_hint(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parsed.attributes[arguments[0]] = i32_attr(parser.integer_literal())


def _print_hint(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.write(str(integer_property(op, arguments[0], 0)))


DIRECTIVES: Final = {
    "Hint": CustomDirective(_parse_hint, _print_hint),
    "Direction": either("read", "write", "rw specifier has to be 'read' or 'write'"),
    "Cache": either("instr", "data", "cache type has to be 'data' or 'instr'"),
}
CODE: Final = {
    "generic_atomic_rmw": OpCode(
        custom=two_way("$memref `[` $indices `]` `:` type($memref) $atomic_body attr-dict", completes=False)
    ),
    "prefetch": OpCode(
        custom=two_way(
            "$memref `[` $indices `]` `,` custom<Direction>($isWrite) `,` `locality` `<` custom<Hint>($localityHint) "
            "`>` `,` custom<Cache>($isDataCache) attr-dict `:` type($memref)"
        )
    ),
}


VERIFY: Final[Checks] = {
    "memref.prefetch": lambda op: (
        None if rank_of(op.operands[0]) in (None, len(op.operands) - 1) else "too few indices"
    ),
}
