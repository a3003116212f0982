"""Lists that mix numbers with operands, `[%offset, 0]`, as attributes of MLIR 15 keep them: arrays of 64-bit integers,
in which one of two numbers stands for an operand.

Source of the rules: `mlir/Interfaces/ViewLikeInterface.h` of MLIR 15.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr, IntegerAttr, i64_attr
from fathom.ir.types import DYNAMIC
from fathom.irdl.declared import CustomDirective
from fathom.irdl.index_lists import parse_index_list, print_index_list

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

_UNKNOWN_SIZE: Final = -1


def _directive(unknown: int) -> CustomDirective:
    """The directive for lists in which a number stands for an operand."""

    def parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
        operands, numbers = arguments
        parse_index_list(parser, parsed, operands, numbers)
        list_ = parsed.attributes[numbers]
        values = getattr(list_, "values", ())
        parsed.attributes[numbers] = ArrayAttr(
            tuple(i64_attr(unknown if value == DYNAMIC else value) for value in values)
        )

    def print_(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
        operands, numbers = arguments
        rest = iter(op.all_of(operands))
        list_ = op.properties.get(numbers)
        mixed: list[int | Value] = []
        for element in list_.elements if isinstance(list_, ArrayAttr) else ():
            number = element.value if isinstance(element, IntegerAttr) else unknown
            operand = next(rest, None) if number == unknown else None
            mixed.append(number if operand is None else operand)
        print_index_list(mixed, p)

    return CustomDirective(parse, print_, lambda parser: parser.at("["))


DIRECTIVES: Final = {
    "OperandsOrIntegersOffsetsOrStridesList": _directive(DYNAMIC),
    "OperandsOrIntegersSizesList": _directive(_UNKNOWN_SIZE),
}
