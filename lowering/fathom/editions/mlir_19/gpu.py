"""The gpu dialect of MLIR 19: a module has an end that nobody writes, and a blank behind what it is compiled for.

Source of the rules: *'gpu' Dialect* of MLIR 19, "Operations"; observed behaviour of mlir-opt 19.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse_targets(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`<#gpu.select_object<1>> [#nvvm.target]`, of which each may be left out."""
    handler, targets = arguments
    if parser.accept("<"):
        parsed.attributes[handler] = parser.attribute()
        parser.expect(">")
    if parser.at("["):
        parsed.attributes[targets] = parser.array()


def _print_targets(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    handler, targets = (op.properties.get(name) for name in arguments)
    if isinstance(handler, Attribute):
        p.write(f" <{p.spell(handler)}>")
    if isinstance(targets, Attribute):
        p.write(f" {p.spell(targets)} ")


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


_NAMED: Final = "custom<Name>($sym_name)"
_BODY: Final = "attr-dict-with-keyword custom<ModuleBody>($bodyRegion)"
FORMER_MODULE: Final = OpCode(custom=two_way(f"{_NAMED} {_BODY}"))
"""A module that is compiled for nothing in particular."""
CODE: Final = DialectCode(
    {"module": OpCode(custom=two_way(f"{_NAMED} custom<Targets>($offloadingHandler, $targets) {_BODY}"))},
    directives={
        "ModuleBody": CustomDirective(_parse_body, _print_body),
        "Targets": CustomDirective(_parse_targets, _print_targets, spaced=True),
    },
)
