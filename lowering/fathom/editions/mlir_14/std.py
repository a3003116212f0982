"""The std dialect of MLIR 14: what is left of it once arithmetic has a dialect of its own.

Source of the rules: *'std' Dialect* of MLIR 14, "Operations"; observed behaviour of mlir-opt 14.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.operations import constant_names
from fathom.dialects.arith.select import SELECT
from fathom.dialects.arith.select import TYPES as SELECT_TYPES
from fathom.dialects.cf.switches import BRANCH_BY_CASE, switch_syntax
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomSyntax, OpDefinition, Property
from fathom.irdl.dialect import Dialect
from fathom.irdl.interfaces import TRUE_OR_FALSE, Assertion, branch_by_groups
from fathom.irdl.lazy import Lazy, possible_names
from fathom.irdl.standard_attributes import ATTRIBUTES
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver


# ---- constant


def _parse_constant(parser: OpParser, parsed: ParsedOp) -> Node | None:
    """`constant {attributes} 5 : i32`, or `constant @f : () -> ()`."""
    parser.attr_dict(parsed)
    is_symbol = parser.at_kind("symbol")
    parsed.attributes["value"] = parser.attribute()
    if not is_symbol:
        return None
    parser.expect(":")
    return parser.type()


def _resolve_constant(resolver: Resolver, parsed: ParsedOp, type: Node | None) -> None:
    if type is not None:
        resolver.result_types = [resolver.type(type)]
        return
    value = resolver.properties["value"]
    own = getattr(value, "type", None)
    if own is None:
        resolver.fail(f"custom op '{parsed.name}' requires attribute with a type")
    resolver.result_types = [own]


def _print_constant(op: Operation, printer: OpPrinter) -> None:
    printer.attr_dict(op, ("value",))
    value = op.properties["value"]
    printer.write(" ")
    printer.attribute(value)
    if isinstance(value, SymbolRefAttr):
        printer.write(" : ")
        printer.type(op.results[0].type)


CONSTANT: Final = CustomSyntax(_parse_constant, _print_constant, _resolve_constant)


def _constant_names(op: Operation) -> Sequence[str | None]:
    """As those of arithmetic, and `f` for a function."""
    return ("f",) if isinstance(op.results[0].type, FunctionType) else constant_names(op)


CODE: Final = DialectCode(
    operations={
        "assert": OpCode(interfaces=(Assertion(lambda op: op.arg, lambda op: op.msg.value),)),
        "br": OpCode(interfaces=(branch_by_groups("destOperands"),)),
        "cond_br": OpCode(interfaces=(branch_by_groups("trueDestOperands", "falseDestOperands", ways=TRUE_OR_FALSE),)),
        "constant": OpCode(
            custom=CustomSyntax(_parse_constant, _print_constant, _resolve_constant), result_names=_constant_names
        ),
        "select": SELECT,
        "switch": OpCode(custom=switch_syntax("flag", "case_values"), interfaces=(BRANCH_BY_CASE,)),
    },
    directives={"SelectTypes": SELECT_TYPES},
)


def completed(dialect: Dialect) -> Dialect:
    """The dialect with the sizes of groups as an array, which the IR has of all editions."""
    operations = dialect.by_name

    def make(name: str) -> OpDefinition | None:
        definition = operations.get(name)
        if definition is None or name != "std.switch":
            return definition
        return replace(definition, properties=tuple(map(_with_array, definition.properties)))

    return replace(dialect, operations=Lazy(lambda: list(possible_names(operations)), make))


def _with_array(prop: Property) -> Property:
    sizes = prop.name == "case_operand_segments"
    return replace(prop, constraint=ATTRIBUTES["DenseI32ArrayAttr"]) if sizes else prop
