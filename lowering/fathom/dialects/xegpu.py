"""The xegpu dialect, described in `mlir-22/xegpu.toml`, and the lists of offsets in its formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.ir.attributes import DenseArrayAttr
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse_offsets(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`[%a, 4]`, or nothing."""
    operands, numbers = arguments
    parsed.operands[operands] = []
    if parser.at("["):
        parse_index_list(parser, parsed, operands, numbers)


def _print_offsets(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operands, numbers = arguments
    value = op.properties.get(numbers)
    if isinstance(value, DenseArrayAttr) and value.values:
        print_index_list(mixed(value, op.group(operands)), p)


CODE: Final = DialectCode(
    directives={
        "OptionalDynamicIndexList": CustomDirective(_parse_offsets, _print_offsets, lambda parser: parser.at("[")),
    }
)
DIALECT: Final = load_described("xegpu", CODE)
