"""What stands in the bodies of structured operations: `linalg.yield` and `linalg.index`.

Source of the rules: *'linalg' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.syntax.nodes import Ref


def _parse(cursor: OpParser, parsed: ParsedOp) -> Ref:
    """`%a, %b {…} : f32, f32`, or nothing."""
    begin = cursor.here()
    parsed.operands["values"] = cursor.bare_value_list()
    cursor.attr_dict(parsed)
    parsed.types["values"] = []
    if parsed.operands["values"]:
        cursor.expect(":")
        parsed.types["values"] = cursor.type_list()
    return begin


def _resolve(resolver: Resolver, parsed: ParsedOp, begin: Ref) -> None:
    resolver.operands = resolver.operand_list(parsed.operands["values"], resolver.types(parsed.types["values"]), begin)


def _print(op: Operation, p: OpPrinter) -> None:
    if op.operands:
        p.write(" ")
        p.values(op.operands)
    p.attr_dict(op)
    if op.operands:
        p.write(" : ")
        p.types([value.type for value in op.operands])


OPERATIONS: Final = {
    "yield": OpCode(custom=CustomSyntax(_parse, _print, _resolve)),
}
