"""The LLVM dialect's constants and global variables.

Source of the rules: *'llvm' Dialect*, "Constants" and "Global variables".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import LINKAGES, UNNAMED_ADDRESSES, VISIBILITIES, i64, linkage
from fathom.dialects.llvm.types import LLVMArrayType, LLVMTargetExtType, has_zero
from fathom.ir.attributes import UNIT, Attribute, EnumAttr, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I8
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref


@verifies("llvm.mlir.zero")
def _verify_zero(op: ops.MlirZeroOp) -> Complaint:
    if isinstance(type := op.result.type, LLVMTargetExtType) and not has_zero(type):
        return "target extension type does not support zero-initializer"
    return None


# ---- global variables

HEADER: Final = (
    "sym_name",
    "global_type",
    "constant",
    "value",
    "linkage",
    "unnamed_addr",
    "thread_local_",
    "visibility_",
    "comdat",
)
"""The properties of a global that stand outside its dictionary."""


def spell_case(attribute: Attribute | None, cases: Mapping[str, int]) -> str:
    """The keyword of a plain enumeration, empty for its default."""
    number = attribute.value if isinstance(attribute, IntegerAttr) else 0
    return next((name for name, value in cases.items() if value == number), "")


def _print_global(op: ops.MlirGlobalOp, p: OpPrinter) -> None:
    properties = op.properties
    link = properties.get("linkage")
    words = [
        link.word if isinstance(link, EnumAttr) else "",
        spell_case(properties.get("visibility_"), VISIBILITIES),
        "thread_local" if "thread_local_" in properties else "",
        spell_case(properties.get("unnamed_addr"), UNNAMED_ADDRESSES),
        "constant" if "constant" in properties else "",
    ]
    p.write("".join(f" {word}" for word in words if word) + " ")
    name, value, type = properties["sym_name"], properties.get("value"), properties["global_type"]
    assert isinstance(name, StringAttr)
    assert isinstance(type, TypeAttr)
    p.symbol(name.value)
    p.write("(")
    if value is not None:
        p.attribute(value)
    p.write(")")
    print_comdat(op, p)
    p.attr_dict(op, elide=HEADER)
    if isinstance(value, StringAttr):
        return
    p.write(" : ")
    p.type(type.type)
    if op.regions and not op.initializer.is_empty:
        p.write(" ")
        p.region(op.initializer, entry_arguments=False)


def print_comdat(op: ops.FuncOp | ops.MlirGlobalOp, p: OpPrinter) -> None:
    comdat = op.comdat
    if comdat is not None:
        p.write(" comdat(")
        p.attribute(comdat)
        p.write(")")


def parse_comdat(cursor: OpParser, parsed: ParsedOp) -> None:
    if cursor.accept("comdat"):
        cursor.expect("(")
        parsed.attributes["comdat"] = cursor.attribute()
        cursor.expect(")")


def parse_case(cursor: OpParser, parsed: ParsedOp, name: str, cases: Mapping[str, int]) -> None:
    """An optional keyword of a plain enumeration."""
    word = cursor.optional_keyword([case for case in cases if case])
    parsed.attributes[name] = i64(cases[word or ""])


def _linkage_of(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parsed.attributes[arguments[0]] = linkage(parser.optional_keyword(LINKAGES) or "external")


def _print_linkage(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    found = op.properties.get(arguments[0])
    if isinstance(found, EnumAttr):
        p.write(f" {found.word}")


def _case(cases: Mapping[str, int]) -> CustomDirective:
    """A keyword of a plain enumeration, or nothing for its default."""

    def parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
        parse_case(parser, parsed, arguments[0], cases)

    def write(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
        word = spell_case(op.properties.get(arguments[0]), cases)
        p.write(f" {word}" if word else "")

    return CustomDirective(parse, write, spaced=True)


DIRECTIVES: Final = {
    "Linkage": CustomDirective(_linkage_of, _print_linkage, spaced=True),
    "UnnamedAddr": _case(UNNAMED_ADDRESSES),
    "Visibility": _case(VISIBILITIES),
}


def _parse_global(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.attributes["linkage"] = linkage(cursor.optional_keyword(LINKAGES) or "external")
    parse_case(cursor, parsed, "visibility_", VISIBILITIES)
    if cursor.accept("thread_local"):
        parsed.attributes["thread_local_"] = UNIT
    parse_case(cursor, parsed, "unnamed_addr", UNNAMED_ADDRESSES)
    if cursor.accept("constant"):
        parsed.attributes["constant"] = UNIT
    parsed.attributes["sym_name"] = cursor.symbol_attribute()
    cursor.expect("(")
    text: Ref | None = None
    if not cursor.at(")"):
        if cursor.at_kind("string"):
            text = cursor.here()
        parsed.attributes["value"] = cursor.attribute()
    cursor.expect(")")
    parse_comdat(cursor, parsed)
    cursor.attr_dict(parsed)
    if cursor.accept(":"):
        parsed.attributes["global_type"] = cursor.type()
        if cursor.at(","):
            cursor.fail("custom op 'llvm.mlir.global' expected zero or one type", parsed.name_token)
        if cursor.at_region():
            cursor.region(parsed)
    elif text is None:
        cursor.fail("custom op 'llvm.mlir.global' type can only be omitted for string globals", parsed.name_token)
    else:
        # The length decides the type, so the text is part of the shape.
        parsed.attributes["global_type"] = TypeAttr(LLVMArrayType(literal_length(cursor.text(text)), I8))


_ESCAPE: Final = re.compile(r'\\[nt\\"]|\\[0-9a-fA-F]{2}')


def literal_length(literal: str) -> int:
    """The bytes that a string literal of the source stands for."""
    return len(utf8(_ESCAPE.sub("_", literal[1:-1])))


@verifies("llvm.comdat", regions=True)
def _verify_comdat(op: ops.ComdatOp) -> Complaint:
    entry = op.body.first
    for inner in entry or ():
        if not isinstance(inner, ops.ComdatSelectorOp):
            return bare("only comdat selector symbols can appear in a comdat region", inner)
    return None


CODE: Final = {
    "mlir.global": OpCode(custom=CustomSyntax(_parse_global, _print_global)),
}
