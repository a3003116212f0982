"""The func dialect: functions, calls, and returns.

Source of the rules: *'func' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.func.callees import callee_check, function_type
from fathom.dialects.func.signatures import entry_arguments, parse_rest, print_body, print_signature, resolve_signature
from fathom.ir.attributes import StringAttr, SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.interfaces import call_by_groups, symbol_name

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.symbols import Lookup

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
    parse_rest(cursor, parsed)


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
    print_signature(op, printer, entry_arguments(op))
    printer.attributes_but(op, _IN_HEADER, keyword=True)
    print_body(op, printer)


FUNCTION_SYNTAX: Final = CustomSyntax(_parse_function, _print_function, _resolve_function)
"""That of `func.func`, which functions of other dialects have too."""


def _verify_function(op: Operation) -> Sequence[Problem]:
    entry = op.regions[0].first if op.regions else None
    inputs = function_type(op).inputs
    if entry is None:
        visibility = op.properties.get("sym_visibility")
        is_public = not isinstance(visibility, StringAttr) or visibility.value == "public"
        return (Problem("symbol declaration cannot have public visibility"),) if is_public else ()
    if len(entry.arguments) != len(inputs):
        return (Problem(f"entry block must have {len(inputs)} arguments to match function signature"),)
    for index, (argument, type) in enumerate(zip(entry.arguments, inputs, strict=True)):
        if argument.type != type:
            message = (
                f"type of entry block argument #{index}('{argument.type}') must match the type of the corresponding "
                f"argument in function signature('{type}')"
            )
            return (Problem(message),)
    return ()


# ---- func.return


def _verify_return(op: Operation) -> Sequence[Problem]:
    function = op.parent_op
    if function is None or function.name != "func.func":
        return ()
    results, name = function_type(function).results, symbol_name(function)
    if len(results) != len(op.operands):
        return (Problem(f"has {len(op.operands)} operands, but enclosing function (@{name}) returns {len(results)}"),)
    for index, (operand, type) in enumerate(zip(op.operands, results, strict=True)):
        if operand.type != type:
            message = (
                f"type of return operand {index} ('{operand.type}') doesn't match function result type ('{type}')"
                f" in function @{name}"
            )
            return (Problem(message, bare=True),)
    return ()


# ---- func.constant


def _verify_reference(op: Operation, lookup: Lookup) -> Sequence[Problem]:
    value = op.properties.get("value")
    if not isinstance(value, SymbolRefAttr):
        return ()
    function = lookup(value.root)
    if function is None or function.name != "func.func":
        return (Problem(f"reference to undefined function '{value.root}'"),)
    if function_type(function) != op.results[0].type:
        return (Problem("reference to function with mismatched type"),)
    return ()


def is_func(op: Operation) -> bool:
    """Whether an operation is a `func.func`."""
    return op.name == "func.func"


def is_declaration(op: Operation) -> bool:
    """Whether a function has no body."""
    return not op.regions or op.regions[0].is_empty


CODE: Final = DialectCode(
    {
        "call": OpCode(interfaces=(call_by_groups("operands"),), verify_symbols=callee_check("func.func")),
        "call_indirect": OpCode(interfaces=(call_by_groups("callee_operands"),)),
        "constant": OpCode(verify_symbols=_verify_reference),
        "func": OpCode(custom=FUNCTION_SYNTAX, verify=_verify_function),
        "return": OpCode(verify=_verify_return),
    }
)
DIALECT: Final = load_described("func", CODE)
