"""The gpu dialect of MLIR 15: results have no names of their own yet, and a module has an end that nobody
writes.

Source of the rules: *'gpu' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.editions.former import unnamed
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

completed = unnamed


def _parse_body(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    del arguments
    parser.region(parsed)


def _print_body(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    """A module without what ends it."""
    del arguments
    entry, definition = op.regions[0].first, op.definition
    end = entry.last if entry is not None else None
    ends = end is not None and definition is not None and end.name == definition.implicit_terminator
    p.region(op.regions[0], entry_arguments=False, terminators=not ends)


_REDUCE: Final = "($op^)? $value $body attr-dict `:` functional-type(operands, results)"
CODE: Final = DialectCode(
    {
        "all_reduce": OpCode(custom=two_way(_REDUCE)),
        "module": OpCode(
            custom=two_way("custom<Name>($sym_name) attr-dict-with-keyword custom<ModuleBody>($bodyRegion)")
        ),
    },
    directives={"ModuleBody": CustomDirective(_parse_body, _print_body)},
)
