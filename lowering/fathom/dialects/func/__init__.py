"""The func dialect: functions, calls, and returns.

Source of the rules: *'func' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import Modules
from fathom.dialects.func.callees import callee_check, function_type
from fathom.dialects.func.signatures import entry_arguments, parse_rest, print_body, print_signature, resolve_signature
from fathom.ir.attributes import StringAttr, SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType, Type
from fathom.irdl.constraints import (
    ANY,
    DICTIONARY_ARRAY,
    FLAT_SYMBOL_REF,
    FUNCTION,
    FUNCTION_TYPE,
    STRING,
    SYMBOL_NAME,
    UNIT_ATTRIBUTE,
)
from fathom.irdl.definition import (
    CustomSyntax,
    OpDefinition,
    Operand,
    Problem,
    Property,
    RegionDefinition,
    Result,
    TypeRule,
)
from fathom.irdl.dialect import Dialect
from fathom.irdl.groups import Arity
from fathom.irdl.interfaces import call_by_groups, symbol_name
from fathom.irdl.traits import (
    AFFINE_SCOPE,
    AUTOMATIC_ALLOCATION_SCOPE,
    CONSTANT_LIKE,
    FUNCTION_LIKE,
    ISOLATED_FROM_ABOVE,
    PURE,
    RETURN_LIKE,
    SYMBOL,
    SYMBOL_USER,
    TERMINATOR,
)

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.symbols import Lookup

SYM_NAME: Final = Property("sym_name", SYMBOL_NAME)
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


FUNC: Final = OpDefinition(
    "func.func",
    properties=(
        SYM_NAME,
        Property("function_type", FUNCTION_TYPE),
        Property("sym_visibility", STRING, optional=True),
        Property("arg_attrs", DICTIONARY_ARRAY, optional=True),
        Property("res_attrs", DICTIONARY_ARRAY, optional=True),
        Property("no_inline", UNIT_ATTRIBUTE, optional=True),
    ),
    regions=(RegionDefinition("body"),),
    traits=(AFFINE_SCOPE, AUTOMATIC_ALLOCATION_SCOPE, FUNCTION_LIKE, ISOLATED_FROM_ABOVE, SYMBOL),
    custom=FUNCTION_SYNTAX,
    verify=_verify_function,
    default_dialect="func",
    summary="a function",
    description="Its body is a graph of blocks that ends in `func.return`; without a body it is a declaration.",
)


# ---- func.return


def _verify_return(op: Operation) -> Sequence[Problem]:
    function = op.parent_op
    if function is None or function.name != FUNC.name:
        return (Problem("expects parent op 'func.func'"),)
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


RETURN: Final = OpDefinition(
    "func.return",
    operands=(Operand("operands", ANY, Arity.VARIADIC),),
    traits=(PURE, RETURN_LIKE, TERMINATOR),
    assembly="attr-dict ($operands^ `:` type($operands))?",
    verify=_verify_return,
    summary="leaves a function with its results",
)


# ---- calls


CALL: Final = OpDefinition(
    "func.call",
    interfaces=(call_by_groups("operands"),),
    operands=(Operand("operands", ANY, Arity.VARIADIC),),
    results=(Result("results", ANY, Arity.VARIADIC),),
    properties=(
        Property("callee", FLAT_SYMBOL_REF),
        Property("arg_attrs", DICTIONARY_ARRAY, optional=True),
        Property("res_attrs", DICTIONARY_ARRAY, optional=True),
        Property("no_inline", UNIT_ATTRIBUTE, optional=True),
    ),
    assembly="$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)",
    traits=(SYMBOL_USER,),
    verify_symbols=callee_check("func.func"),
    summary="calls a function by its name",
)


def _inputs_of(callee: Sequence[Type]) -> list[Type] | None:
    return list(callee[0].inputs) if callee and isinstance(callee[0], FunctionType) else None


def _results_of(callee: Sequence[Type]) -> list[Type] | None:
    return list(callee[0].results) if callee and isinstance(callee[0], FunctionType) else None


CALL_INDIRECT: Final = OpDefinition(
    "func.call_indirect",
    interfaces=(call_by_groups("callee_operands"),),
    operands=(Operand("callee", FUNCTION), Operand("callee_operands", ANY, Arity.VARIADIC)),
    results=(Result("results", ANY, Arity.VARIADIC),),
    properties=(
        Property("arg_attrs", DICTIONARY_ARRAY, optional=True),
        Property("res_attrs", DICTIONARY_ARRAY, optional=True),
    ),
    rules=(
        TypeRule("callee_operands", ("callee",), _inputs_of, "callee input types match argument types"),
        TypeRule("results", ("callee",), _results_of, "callee result types match result types"),
    ),
    assembly="$callee `(` $callee_operands `)` attr-dict `:` type($callee)",
    summary="calls a function that is a value",
)


# ---- func.constant


def _verify_reference(op: Operation, lookup: Lookup) -> Sequence[Problem]:
    value = op.properties.get("value")
    if not isinstance(value, SymbolRefAttr):
        return ()
    function = lookup(value.root)
    if function is None or function.name != FUNC.name:
        return (Problem(f"reference to undefined function '{value.root}'"),)
    if function_type(function) != op.results[0].type:
        return (Problem("reference to function with mismatched type"),)
    return ()


CONSTANT: Final = OpDefinition(
    "func.constant",
    results=(Result("result", ANY),),
    properties=(Property("value", FLAT_SYMBOL_REF),),
    traits=(CONSTANT_LIKE, PURE, SYMBOL_USER),
    assembly="attr-dict $value `:` type($result)",
    verify_symbols=_verify_reference,
    result_names=lambda op: ("f",),
    summary="a function as a value",
)


def is_func(op: Operation) -> bool:
    """Whether an operation is a `func.func`."""
    return op.name == "func.func"


def is_declaration(op: Operation) -> bool:
    """Whether a function has no body."""
    return not op.regions or op.regions[0].is_empty


DIALECT: Final = Dialect(
    "func",
    operations=(FUNC, RETURN, CALL, CALL_INDIRECT, CONSTANT),
    aspects=Modules("func"),
    complete=True,
)
