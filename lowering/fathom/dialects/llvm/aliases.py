"""The LLVM dialect's other names for functions and global variables: aliases, and functions that are chosen on load.

Source of the rules: *'llvm' Dialect*, "llvm.mlir.alias" and "llvm.mlir.ifunc".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import LINKAGES, UNNAMED_ADDRESSES, VISIBILITIES, i32, linkage
from fathom.dialects.llvm.constants import parse_case, spell_case
from fathom.dialects.llvm.global_checks import WITH_EFFECTS, may_be_global
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import UNIT, EnumAttr, TypeAttr
from fathom.ir.operation import Operation
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.verifying import Checks, verifies

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _word(op: Operation, name: str) -> str:
    attribute = op.properties.get(name)
    return attribute.word if isinstance(attribute, EnumAttr) else ""


def _print_type(op: Operation, name: str, p: OpPrinter) -> None:
    attribute = op.properties.get(name)
    if isinstance(attribute, TypeAttr):
        p.type(attribute.type)


def _verify_linkage(noun: str, options: str) -> Callable[[Operation], list[Problem]]:
    """Only some linkages make sense; `options` are those that the message names."""
    allowed = {word.strip("',") for word in options.replace(" or ", " ").split()}

    def verify(op: Operation) -> list[Problem]:
        word = _word(op, "linkage")
        if word in allowed or word == "":
            return []
        return [Problem(f"'{word}' linkage not supported in {noun}, available options: {options}")]

    return verify


# ---- llvm.mlir.alias

ALIAS_HEADER: Final = ("sym_name", "alias_type", "linkage", "unnamed_addr", "thread_local_", "visibility_")


def _print_alias(op: Operation, p: OpPrinter) -> None:
    words = (
        _word(op, "linkage"),
        spell_case(op.properties.get("visibility_"), VISIBILITIES),
        "thread_local" if "thread_local_" in op.properties else "",
        spell_case(op.properties.get("unnamed_addr"), UNNAMED_ADDRESSES),
    )
    p.write("".join(f" {word}" for word in words if word) + " ")
    p.symbol(symbol_name(op))
    p.attr_dict(op, elide=ALIAS_HEADER)
    p.write(" : ")
    _print_type(op, "alias_type", p)
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False)


def _parse_alias(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.attributes["linkage"] = linkage(cursor.optional_keyword(LINKAGES) or "external")
    parse_case(cursor, parsed, "visibility_", VISIBILITIES)
    if cursor.accept("thread_local"):
        parsed.attributes["thread_local_"] = UNIT
    parse_case(cursor, parsed, "unnamed_addr", UNNAMED_ADDRESSES)
    parsed.attributes["sym_name"] = cursor.symbol_attribute()
    cursor.attr_dict(parsed)
    cursor.expect(":")
    parsed.attributes["alias_type"] = cursor.type()
    cursor.region(parsed)


_LINKAGE_OF_ALIASES: Final = _verify_linkage(
    "aliases", "private, internal, linkonce, weak, linkonce_odr, weak_odr, external or available_externally"
)


@verifies("llvm.mlir.alias")
def _verify_alias(op: Operation) -> list[Problem]:
    attribute = op.properties.get("alias_type")
    if isinstance(attribute, TypeAttr) and not may_be_global(attribute.type):
        return [Problem("expects type to be a valid element type for an LLVM global alias")]
    problems = _LINKAGE_OF_ALIASES(op)
    entry = op.regions[0].first if op.regions else None
    if problems or entry is None:
        return problems
    last = entry.last
    returned = last.operands[0].type if last is not None and last.name == "llvm.return" and last.operands else None
    if not isinstance(returned, LLVMPointerType):
        return [Problem("initializer region must always return a pointer")]
    for inner in entry:
        if inner.name in WITH_EFFECTS:
            return [Problem("ops with side effects are not allowed in alias initializers", inner, bare=True)]
    return []


# ---- llvm.mlir.ifunc

IFUNC_HEADER: Final = (
    "linkage",
    "visibility_",
    "unnamed_addr",
    "sym_name",
    "i_func_type",
    "resolver_type",
    "resolver",
)


def _print_ifunc(op: Operation, p: OpPrinter) -> None:
    words = (
        _word(op, "linkage"),
        spell_case(op.properties.get("visibility_"), VISIBILITIES),
        spell_case(op.properties.get("unnamed_addr"), UNNAMED_ADDRESSES),
    )
    p.write("".join(f" {word}" for word in words if word) + " ")
    p.symbol(symbol_name(op))
    p.write(" : ")
    _print_type(op, "i_func_type", p)
    p.write(", ")
    _print_type(op, "resolver_type", p)
    p.write(" ")
    p.attribute(op.properties["resolver"])
    elided = (*IFUNC_HEADER, "address_space") if op.properties.get("address_space") == i32(0) else IFUNC_HEADER
    p.attr_dict(op, elide=elided)


def _parse_ifunc(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.attributes["linkage"] = linkage(cursor.optional_keyword(LINKAGES) or "external")
    parse_case(cursor, parsed, "visibility_", VISIBILITIES)
    parse_case(cursor, parsed, "unnamed_addr", UNNAMED_ADDRESSES)
    parsed.attributes["sym_name"] = cursor.symbol_attribute()
    cursor.expect(":")
    parsed.attributes["i_func_type"] = cursor.type()
    cursor.expect(",")
    parsed.attributes["resolver_type"] = cursor.type()
    parsed.attributes["resolver"] = cursor.attribute()
    cursor.attr_dict(parsed)


VERIFY: Final[Checks] = {
    "llvm.mlir.ifunc": _verify_linkage(
        "ifuncs", "private, internal, linkonce, weak, linkonce_odr, weak_odr, or external linkage"
    ),
}


CODE: Final = {
    "mlir.alias": OpCode(custom=CustomSyntax(_parse_alias, _print_alias)),
    "mlir.ifunc": OpCode(custom=CustomSyntax(_parse_ifunc, _print_ifunc)),
}
