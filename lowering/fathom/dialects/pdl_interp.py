"""The pdl_interp dialect, described in `mlir-22/pdl_interp.toml`: the steps in which patterns of pdl are matched.

Source of the rules: *'pdl_interp' Dialect*; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.dialects.pdl import NAMED_VALUES, RANGE, RANGE_TYPE, is_pdl, range_of, resolve_range
from fathom.dialects.pdl.verify import range_elements
from fathom.ir.attributes import UNIT
from fathom.ir.types import Type
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.parametric import CustomBody
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import pdl_interp as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

# ---- custom<CreateOperationOpResults>($types, type($types), $inferred): `-> <inferred>`, or `-> (%a : !pdl.type)`


def _parse_results(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    operands, _, inferred = arguments
    parsed.operands[operands], parsed.types[operands] = [], []
    if not parser.accept("->"):
        return
    if parser.accept("<"):
        expect_keyword(parser, parsed, "inferred")
        parser.expect(">")
        parsed.attributes[inferred] = UNIT
        return
    parser.expect("(")
    parsed.operands[operands] = parser.bare_value_list()
    parser.expect(":")
    parsed.types[operands] = parser.type_list()
    parser.expect(")")


def _print_results(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if arguments[2] in op.properties:
        p.write(" -> <inferred>")
        return
    values = op.all_of(arguments[0])
    if values:
        p.write(" -> (")
        p.typed_values(values)
        p.write(")")


# ---- pdl_interp.foreach


def _parse_foreach(parser: OpParser, parsed: ParsedOp) -> None:
    """`%a : !pdl.value in %values {…} {attributes} -> ^bb1`."""
    variable = parser.argument(allow_attributes=False)
    parser.expect("in", f"custom op '{parsed.name}' expected 'in' after loop variable")
    parsed.operands["values"] = [parser.value_use()]
    parsed.types["values"] = [] if variable.type is None or isinstance(variable.type, Type) else [variable.type]
    parser.region(parsed, [variable])
    parser.attr_dict(parsed)
    parser.expect("->")
    parser.successor_block(parsed)


def _resolve_foreach(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    types = resolver.types(parsed.types["values"])
    resolver.region_argument_types = [types]
    resolver.operands = [resolver.operand(token, range_of(types[0])) for token in parsed.operands["values"]]


def _print_foreach(op: Operation, p: OpPrinter) -> None:
    entry = op.regions[0].first
    for variable in entry.arguments[:1] if entry is not None else ():
        p.write(" ")
        p.value(variable)
        p.write(" : ")
        p.type(variable.type)
    p.write(" in ")
    p.values(op.operands)
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False)
    p.attr_dict(op)
    p.write(" -> ")
    p.write(p.label(op.successors[0]) if op.successors else "")


@verifies(
    "pdl_interp.switch_attribute",
    "pdl_interp.switch_operation_name",
    "pdl_interp.switch_type",
    "pdl_interp.switch_types",
)
def _verify_switch(
    op: ops.SwitchAttributeOp | ops.SwitchOperationNameOp | ops.SwitchTypeOp | ops.SwitchTypesOp,
) -> Complaint:
    """As many destinations as values, beside the default."""
    count, expected = len(op.cases), len(op.caseValues.elements)
    if count == expected:
        return None
    return f"expected number of cases to match the number of case values, got {count} but expected {expected}"


@verifies("pdl_interp.create_operation")
def _verify_creation(op: ops.CreateOperationOp) -> Complaint:
    """Types that are inferred are not stated. Nobody knows which operations of unknown dialects infer them."""
    if "inferredResultTypes" not in op.properties or not op.inputResultTypes:
        return None
    return "with inferred results cannot also have explicit result types"


_PLAIN: Final = CustomBody((), lambda _: [], lambda _values, _of: "")
CODE: Final = DialectCode(
    operations={
        "create_types": resolve_range("TypeType"),
        "get_users": resolve_range("OperationType"),
        "func": OpCode(custom=FUNCTION_SYNTAX),
        "foreach": OpCode(custom=CustomSyntax(_parse_foreach, _print_foreach, _resolve_foreach, operands_first=True)),
    },
    predicates={"PDL_AnyType": is_pdl},
    directives={
        "CreateOperationOpAttributes": NAMED_VALUES,
        "CreateOperationOpResults": CustomDirective(_parse_results, _print_results, lambda parser: parser.at("->")),
        "RangeType": RANGE_TYPE,
    },
    bodies={
        "RangeType": RANGE,
        **dict.fromkeys(("AttributeType", "OperationType", "TypeType", "ValueType"), _PLAIN),
    },
)
DIALECT: Final = load_described("pdl_interp", CODE)


VERIFY: Final[Checks] = {
    "pdl_interp.create_range": range_elements,
}
