"""The func dialect: functions, calls, and returns.

Source of the rules: *'func' Dialect*, "Operations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.func.callees import function_type
from fathom.dialects.func.signatures import entry_arguments, parse_body, print_body, print_signature, resolve_signature
from fathom.ir.attributes import StringAttr
from fathom.ir.operation import Operation
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import symbol_name

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

VISIBILITIES: Final = ("private", "public", "nested")
_IN_HEADER: Final = frozenset(("sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs"))


# ---- func.func


def _parse_function(cursor: OpParser, parsed: ParsedOp) -> None:
    """`private @f(%a: i32) -> i32 attributes {…} {…}`; a declaration's arguments may have types only."""
    visibility = cursor.optional_keyword(VISIBILITIES)
    if visibility is not None:
        parsed.attributes["sym_visibility"] = StringAttr(visibility)
    parsed.attributes["sym_name"] = cursor.symbol_attribute()
    cursor.signature(parsed)
    cursor.attr_dict_with_keyword(parsed)
    parse_body(cursor, parsed)


_INFERRED: Final = ("sym_visibility", "sym_name", "function_type")


def _resolve_function(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    dictionary = parsed.attr_dict
    if dictionary is not None:
        written = resolver.entries(dictionary)
        for name in _INFERRED:
            if name in written:
                message = "is an inferred attribute and should not be specified in the explicit attribute dictionary"
                resolver.fail(f"custom op '{parsed.name}' '{name}' {message}", dictionary.start)
    resolve_signature(resolver, parsed)
    if resolver.is_empty_region(0):
        resolver.report(f"custom op '{parsed.name}' expected non-empty function body", parsed.regions[0].token)


def _print_function(op: Operation, printer: OpPrinter) -> None:
    visibility = op.attribute("sym_visibility")
    printer.write(f" {visibility.value} " if isinstance(visibility, StringAttr) else " ")
    printer.symbol(symbol_name(op))
    print_signature(op, printer, entry_arguments(op), function_type(op))
    printer.attributes_but(op, _IN_HEADER, keyword=True)
    print_body(op, printer)


FUNCTION_SYNTAX: Final = CustomSyntax(_parse_function, _print_function, _resolve_function)
"""That of `func.func`, which functions of other dialects have too."""


DIALECT: Final = load_described("func", DialectCode({"func": OpCode(custom=FUNCTION_SYNTAX)}))
