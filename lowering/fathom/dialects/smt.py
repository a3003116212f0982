"""The smt dialect, described in `mlir-22/smt.toml`: what solvers of satisfiability modulo theories are asked.

Source of the rules: *'smt' Dialect*; the texts of errors are those of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from fathom.dialects import description_of
from fathom.dialects.scf.common import terminator_of
from fathom.ir.attributes import IntegerAttr
from fathom.ir.dialect_values import DialectAttr, DialectType, Parameter
from fathom.ir.operation import Operation, Region, types_of
from fathom.ir.property_values import integer_property, text_property
from fathom.ir.types import POISON, IntegerType, Speller, Type
from fathom.irdl.checking import check_inferred
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax, Problem, TypeRule
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.parametric import CustomBody
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import smt as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver
    from fathom.irdl.readers import ParameterReader

_WIDEST: Final = 63
"""How many bits the width of a bit vector may have."""


def _type(class_name: str, **parameters: Parameter) -> DialectType:
    return DESCRIPTION.types[class_name].make_type(**parameters)


def width_of(type: Type | None) -> int | None:
    """The width of a bit vector; None for another type."""
    if not isinstance(type, DialectType) or type.full_name != "smt.bv":
        return None
    width = type.parameters[0]
    return width if isinstance(width, int) else None


# ---- #smt.bv<5> : !smt.bv<8>


def _read_bits(reader: ParameterReader) -> list[Parameter]:
    reader.expect("<")
    value = reader.integer()
    reader.expect(">")
    type = reader.type() if reader.accept(":") else None
    width = width_of(type)
    if width is None:
        reader.fail("explicit bit-vector type required")
    needed = value.bit_length() if value >= 0 else (-value - 1).bit_length() + 1
    if needed > width:
        reader.fail(f"integer value out of range for given bit-vector type '{type}'")
    return [value - (1 << width) if value >= 0 and value >> (width - 1) & 1 else value, type]


def _spell_bits(values: Sequence[Parameter], of: Speller) -> str:
    del of
    return f"<{values[0]}>"


BITS: Final = CustomBody(("value", "type"), _read_bits, _spell_bits, own_type="type", opening="<")

# ---- smt.bv.repeat


def _parse_repeat(parser: OpParser, parsed: ParsedOp) -> tuple[int, Ref, Ref, Node]:
    """`3 times %a {attributes} : !smt.bv<8>`."""
    at = parser.here()
    count = parser.integer_literal()
    expect_keyword(parser, parsed, "times")
    if count <= 0:
        parser.fail(f"custom op '{parsed.name}' integer must be positive", at)
    operand = parser.value_use()
    parser.attr_dict(parsed)
    parser.expect(":")
    return count, at, operand, parser.type()


def _resolve_repeat(resolver: Resolver, parsed: ParsedOp, repeat: tuple[int, Ref, Ref, Node]) -> None:
    count, at, token, node = repeat
    which = f"custom op '{parsed.name}'"
    operand = resolver.operand(token, resolver.type(node))
    resolver.operands = [operand]
    width = width_of(operand.type)
    if width is None:
        resolver.fail(f"{which} input must have bit-vector type", token)
    if count.bit_length() > _WIDEST:
        resolver.fail(f"{which} integer must fit into {_WIDEST} bits", at)
    if (count * width).bit_length() > _WIDEST:
        product = "result bit-width (provided integer times bit-width of the input type)"
        resolver.fail(f"{which} {product} must fit into {_WIDEST} bits", at)
    resolver.result_types = [_type("BitVectorType", width=count * width)]


def _print_repeat(op: ops.BvRepeatOp, p: OpPrinter) -> None:
    operand, width, whole = op.input, width_of(op.input.type), width_of(op.result.type)
    p.write(f" {(whole or 0) // (width or 1)} times ")
    p.value(operand)
    p.attr_dict(op)
    p.write(" : ")
    p.type(operand.type)


@verifies("smt.bv.repeat")
def _verify_repeat(op: ops.BvRepeatOp) -> Complaint:
    width, whole = width_of(op.input.type), width_of(op.result.type)
    if width and whole and whole % width:
        return "result bit-vector width must be a multiple of the input bit-vector width"
    return None


# ---- smt.int.constant


def _parse_integer(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`5`: as many bits as MLIR's parser takes for the digits, four for each."""
    is_negative = parser.accept("-")
    text = parser.text(parser.integer())
    digits = text[2:].lstrip("0") if text.startswith("0x") else text.lstrip("0")
    value = int(digits[:4000], 16 if text.startswith("0x") else 10) if digits else 0
    width = 4 * len(digits) or 64
    width += value.bit_length() == width
    value = -value % (1 << width) if is_negative else value
    parsed.attributes[arguments[0]] = IntegerAttr(value, IntegerType(width, "u"))


def _signed(op: Operation) -> int:
    value = op.properties.get("value")
    number, width = (
        integer_property(op, "value", 0),
        value.type.width if isinstance(value, IntegerAttr) and isinstance(value.type, IntegerType) else 64,
    )
    return number - (1 << width) if number >> (width - 1) & 1 and number > 0 else number


# ---- names of results


def _bits_names(op: Operation) -> list[str]:
    value = op.properties.get("value")
    if not isinstance(value, DialectAttr):
        return []
    return [f"c{value.parameters[0]}_bv{width_of(value.type) or 0}"]


def _resolve_bits(resolver: Resolver, parsed: ParsedOp) -> None:
    """The type of a constant is that of its value."""
    del parsed
    value = resolver.properties.get("value")
    type = value.type if isinstance(value, DialectAttr) else None
    resolver.result_types = [type if type is not None else POISON]


def _declared_names(op: Operation) -> list[str]:
    return [text_property(op, "namePrefix") or ""]


def _joined(lhs: Sequence[Type], rhs: Sequence[Type]) -> list[Type]:
    """The type of two bit vectors behind one another, of which MLIR adds up the widths in 64 bits."""
    width = (width_of(lhs[0]) or 0) + (width_of(rhs[0]) or 0)
    wrapped = (width + (1 << _WIDEST)) % (2 << _WIDEST) - (1 << _WIDEST)
    return [_type("BitVectorType", width=wrapped)]


# ---- checks


@verifies("smt.bv.concat", regions=True)
def _verify_joined(op: ops.BvConcatOp) -> Complaint:
    lhs, rhs = types_of(op.operands)
    return check_inferred(_joined([lhs], [rhs]), types_of(op.results))


@verifies("smt.bv.constant", regions=True)
def _verify_bits(op: ops.BvConstantOp) -> Complaint:
    value = op.value
    type = value.type if isinstance(value, DialectAttr) else None
    return check_inferred([type], types_of(op.results)) if type is not None else None


@verifies("smt.eq", "smt.distinct")
def _verify_several(op: ops.DistinctOp | ops.EqOp) -> Complaint:
    count = len(op.inputs)
    return f"'inputs' must have at least size 2, but got {count}" if count < 2 else None


@verifies("smt.bv.extract")
def _verify_extract(op: ops.BvExtractOp) -> Complaint:
    low = op.lowBit.value
    width, whole = width_of(op.result.type), width_of(op.input.type)
    if width is None or whole is None or low + width <= whole:
        return None
    counts = f"starting at index {low} of length {width} requires input width of at least {low + width}"
    return f"range to be extracted is too big, expected range {counts}, but the input width is only {whole}"


def _yielded(region: Region) -> list[Type]:
    last = terminator_of(region)
    return types_of(last.operands) if last is not None else []


@verifies("smt.solver", regions=True)
def _verify_solver(op: ops.SolverOp) -> Complaint:
    if _yielded(op.bodyRegion) != types_of(op.results):
        return "types of yielded values must match return values"
    entry = op.bodyRegion.first
    if entry is not None and types_of(entry.arguments) != types_of(op.operands):
        return "block argument types must match the types of the 'inputs'"
    return None


@verifies("smt.check", regions=True)
def _verify_check(op: ops.CheckOp) -> Complaint:
    for name, region in (("sat", op.satRegion), ("unknown", op.unknownRegion), ("unsat", op.unsatRegion)):
        if _yielded(region) != types_of(op.results):
            return f"types of yielded values in '{name}' region must match return values"
    return None


def _is_value(type: object) -> bool:
    """A type of values that are no functions."""
    return isinstance(type, DialectType) and type.dialect == "smt" and type.name != "func"


@verifies("smt.forall", "smt.exists", regions=True)
def _verify_quantifier(op: ops.ExistsOp | ops.ForallOp) -> Complaint:
    arguments = op.body.arguments
    if op.boundVarNames is not None and len(op.boundVarNames.elements) != len(arguments):
        return "number of bound variable names must match number of block arguments"
    if not all(_is_value(argument.type) for argument in arguments):
        return "bound variables must by any non-function SMT value"
    yielded = _yielded(op.body)
    if len(yielded) != 1:
        return "must have exactly one yielded value"
    if yielded[0] != _type("BoolType"):
        return "yielded value must be of '!smt.bool' type"
    return _verify_patterns(op, types_of(arguments))


def _verify_patterns(op: ops.ExistsOp | ops.ForallOp, expected: Sequence[Type]) -> Complaint:
    """The patterns of a quantifier are about its variables, and bind none of their own."""
    for index, region in enumerate(op.patterns):
        if types_of(region.arguments) != expected:
            return f"block argument number and types of the 'body' and 'patterns' region #{index} must match"
        if not _yielded(region):
            return f"'patterns' region #{index} must have at least one yielded value"
        for inner in region.walk():
            if not inner.name.startswith("smt."):
                message = f"the 'patterns' region #{index} may only contain SMT dialect operations"
                return Problem(message, notes=(("first non-SMT operation here", inner),))
            if isinstance(inner, (ops.ForallOp, ops.ExistsOp)):
                message = f"the 'patterns' region #{index} must not contain any variable binding operations"
                return Problem(message, notes=(("first violating operation here", inner),))
    return None


@verifies("smt.forall", "smt.exists")
def _verify_hint(op: ops.ExistsOp | ops.ForallOp) -> Complaint:
    both = "patterns and the no_pattern attribute must not be specified at the same time"
    return both if op.noPattern is not None and op.patterns else None


# ---- parameters of types


def _verify_width(values: Mapping[str, Parameter]) -> str | None:
    width = values["width"]
    return "bit-vector must have at least a width of one" if isinstance(width, int) and width <= 0 else None


def _is_any(type: object) -> bool:
    """Any type of values, also of functions."""
    return isinstance(type, DialectType) and type.dialect == "smt"


def _verify_array(values: Mapping[str, Parameter]) -> str | None:
    for name, what in (("domainType", "domain"), ("rangeType", "range")):
        if not _is_any(values[name]):
            return f"{what} must be any SMT value type"
    return None


def _are_values(types: object) -> bool:
    return isinstance(types, tuple) and all(_is_value(type_) for type_ in cast("tuple[object, ...]", types))


def _verify_function(values: Mapping[str, Parameter]) -> str | None:
    domain = values["domainTypes"]
    if not domain:
        return "domain must not be empty"
    if not _are_values(domain):
        return "domain types must be any non-function SMT type"
    return None if _is_value(values["rangeType"]) else "range type must be any non-function SMT type"


def _verify_sort(values: Mapping[str, Parameter]) -> str | None:
    is_one = not values["sortParams"] or _are_values(values["sortParams"])
    return None if is_one else "sort parameter types must be any non-function SMT type"


_SEVERAL: Final = OpCode(custom=two_way("$inputs attr-dict `:` custom<OneType>(type($inputs))"))
CODE: Final = DialectCode(
    operations={
        "eq": _SEVERAL,
        "distinct": _SEVERAL,
        "bv.repeat": OpCode(custom=CustomSyntax(_parse_repeat, _print_repeat, _resolve_repeat)),
        "bv.concat": OpCode(rules=(TypeRule("result", ("lhs", "rhs"), _joined, ""),)),
        "bv.constant": OpCode(resolve=_resolve_bits, result_names=_bits_names),
        "int.constant": OpCode(
            custom=two_way("custom<Integer>($value) attr-dict"),
            result_names=lambda op: [f"c{_signed(op)}"],
        ),
        "constant": OpCode(
            result_names=lambda op: ["true" if integer_property(op, "value") else "false"],
        ),
        "declare_fun": OpCode(result_names=_declared_names),
    },
    predicates={
        "AnySMTType": _is_any,
        "AnyNonFuncSMTType": _is_value,
        "AnyNonSMTType": lambda type: not _is_any(type),
    },
    directives={"Integer": CustomDirective(_parse_integer, lambda op, p, _: p.write(str(_signed(op))))},
    bodies={"BitVectorAttr": BITS},
    parameters={
        "BitVectorType": _verify_width,
        "ArrayType": _verify_array,
        "SMTFuncType": _verify_function,
        "SortType": _verify_sort,
    },
)
DESCRIPTION: Final = description_of("smt", CODE)
DIALECT: Final = DESCRIPTION.dialect()
