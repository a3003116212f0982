"""The operands of images in the formats of the spirv dialect: `["Lod|Offset"]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.spirv.words import attribute_of, parse_string, spelling
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    if not parser.accept("["):
        return
    found = parse_string(parser, parsed.name, "ImageOperands", "image_operands")
    parsed.attributes[arguments[0]] = attribute_of("ImageOperands", found)
    parser.expect("]")


def _print(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if arguments[0] in op.properties:
        p.write(f'["{spelling(op, arguments[0], "ImageOperands")}"]')


DIRECTIVES: Final = {"ImageOperands": CustomDirective(_parse, _print, lambda parser: parser.at("["))}
