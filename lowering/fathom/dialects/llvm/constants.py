"""The LLVM dialect's constants and global variables.

Source of the rules: *'llvm' Dialect*, "Constants" and "Global variables".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import (
    ADDRESS_SPACE,
    COMDAT,
    LINKAGE,
    LINKAGES,
    UNNAMED_ADDR,
    UNNAMED_ADDRESSES,
    VISIBILITIES,
    VISIBILITY,
    flag,
    i32,
    i64,
    linkage,
)
from fathom.dialects.llvm.constraints import LLVM_TYPE, POINTER, TOKEN, result
from fathom.dialects.llvm.types import LLVMArrayType, LLVMTargetExtType, has_zero
from fathom.ir.attributes import UNIT, Attribute, EnumAttr, IntegerAttr, StringAttr, TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I8
from fathom.irdl.constraints import (
    ANY_ATTRIBUTE,
    ARRAY,
    FLAT_SYMBOL_REF,
    I64_ATTRIBUTE,
    STRING,
    SYMBOL_NAME,
    SYMBOL_REF,
    TYPE,
)
from fathom.irdl.definition import CustomSyntax, OpDefinition, Problem, Property, RegionDefinition
from fathom.irdl.traits import (
    CONSTANT_LIKE,
    ISOLATED_FROM_ABOVE,
    NO_TERMINATOR,
    PURE,
    SYMBOL,
    SYMBOL_TABLE,
    SYMBOL_USER,
)
from fathom.irdl.verifying import verifies
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref


def _literal(name: str, summary: str) -> OpDefinition:
    """A constant that its type says all about."""
    return OpDefinition(
        f"llvm.mlir.{name}",
        results=result(LLVM_TYPE),
        traits=(PURE, CONSTANT_LIKE),
        assembly="attr-dict `:` type($res)",
        summary=summary,
    )


@verifies("llvm.mlir.zero")
def _verify_zero(op: Operation) -> list[Problem]:
    if isinstance(type := op.result.type, LLVMTargetExtType) and not has_zero(type):
        return [Problem("target extension type does not support zero-initializer")]
    return []


CONSTANT: Final = OpDefinition(
    "llvm.mlir.constant",
    results=result(LLVM_TYPE),
    properties=(Property("value", ANY_ATTRIBUTE),),
    traits=(PURE, CONSTANT_LIKE),
    assembly="`(` $value `)` attr-dict `:` type($res)",
    summary="a constant",
)
ADDRESSOF: Final = OpDefinition(
    "llvm.mlir.addressof",
    results=result(POINTER),
    properties=(Property("global_name", FLAT_SYMBOL_REF),),
    traits=(PURE, CONSTANT_LIKE, SYMBOL_USER),
    assembly="$global_name attr-dict `:` qualified(type($res))",
    summary="the address of a global variable or a function",
)
NO_TOKEN: Final = OpDefinition(
    "llvm.mlir.none",
    results=result(TOKEN),
    traits=(PURE,),
    assembly="attr-dict `:` type($res)",
    summary="the empty token",
)


# ---- global variables

SYM_NAME: Final = Property("sym_name", SYMBOL_NAME)
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


def _print_global(op: Operation, p: OpPrinter) -> None:
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
    if op.regions and not op.regions[0].is_empty:
        p.write(" ")
        p.region(op.regions[0], entry_arguments=False)


def print_comdat(op: Operation, p: OpPrinter) -> None:
    comdat = op.properties.get("comdat")
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


GLOBAL: Final = OpDefinition(
    "llvm.mlir.global",
    properties=(
        Property("global_type", TYPE),
        flag("constant"),
        SYM_NAME,
        Property("linkage", LINKAGE),
        flag("dso_local"),
        flag("thread_local_"),
        flag("externally_initialized"),
        Property("value", ANY_ATTRIBUTE, optional=True),
        Property("alignment", I64_ATTRIBUTE, optional=True),
        Property("addr_space", ADDRESS_SPACE, default=i32(0)),
        Property("unnamed_addr", UNNAMED_ADDR, optional=True),
        Property("section", STRING, optional=True),
        Property("comdat", SYMBOL_REF, optional=True),
        Property("dbg_exprs", ARRAY, optional=True),
        Property("visibility_", VISIBILITY, default=i64(0)),
        Property("target_specific_attrs", ARRAY, optional=True),
    ),
    regions=(RegionDefinition("initializer"),),
    traits=(ISOLATED_FROM_ABOVE, SYMBOL),
    custom=CustomSyntax(_parse_global, _print_global),
    summary="a global variable",
)


@verifies("llvm.comdat", regions=True)
def _verify_comdat(op: Operation) -> list[Problem]:
    entry = op.regions[0].first if op.regions else None
    for inner in entry or ():
        if inner.name != "llvm.comdat_selector":
            return [Problem("only comdat selector symbols can appear in a comdat region", inner, bare=True)]
    return []


COMDAT_OP: Final = OpDefinition(
    "llvm.comdat",
    properties=(SYM_NAME,),
    regions=(RegionDefinition("body", single_block=True),),
    traits=(NO_TERMINATOR, SYMBOL_TABLE, SYMBOL),
    assembly="$sym_name $body attr-dict",
    summary="groups of global values that a linker keeps or drops together",
)
COMDAT_SELECTOR: Final = OpDefinition(
    "llvm.comdat_selector",
    properties=(SYM_NAME, Property("comdat", COMDAT)),
    traits=(SYMBOL,),
    assembly="$sym_name $comdat attr-dict",
    summary="how a linker chooses among groups of one name",
)


def _structors(kind: str) -> OpDefinition:
    return OpDefinition(
        f"llvm.mlir.global_{kind}",
        properties=(Property(kind, ARRAY), Property("priorities", ARRAY), Property("data", ARRAY)),
        assembly=f"`{kind}` `=` ${kind} `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict",
        traits=(SYMBOL_USER,),
        summary="functions that run " + ("before main" if kind == "ctors" else "after main"),
    )


DSO_LOCAL_EQUIVALENT: Final = OpDefinition(
    "llvm.dso_local_equivalent",
    results=result(POINTER),
    properties=(Property("function_name", FLAT_SYMBOL_REF),),
    traits=(PURE, CONSTANT_LIKE, SYMBOL_USER),
    assembly="$function_name attr-dict `:` qualified(type($res))",
    summary="a function of this object that does what another does",
)
LINKER_OPTIONS: Final = OpDefinition(
    "llvm.linker_options",
    properties=(Property("options", ARRAY),),
    assembly="$options attr-dict",
    summary="options for the linker",
)
MODULE_FLAGS: Final = OpDefinition(
    "llvm.module_flags",
    properties=(Property("flags", ARRAY),),
    assembly="$flags attr-dict",
    summary="what holds for the module as a whole",
)

OPERATIONS: Final = (
    CONSTANT,
    _literal("zero", "the zero value of a type"),
    _literal("undef", "an undefined value"),
    _literal("poison", "a poison value"),
    ADDRESSOF,
    NO_TOKEN,
    GLOBAL,
    COMDAT_OP,
    COMDAT_SELECTOR,
    _structors("ctors"),
    _structors("dtors"),
    DSO_LOCAL_EQUIVALENT,
    LINKER_OPTIONS,
    MODULE_FLAGS,
)
