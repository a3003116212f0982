"""`tosa.cond_if` and `tosa.while_loop`, whose regions get the values that they are given, and variables, which are kept
from one use of a graph to the next.

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*; the texts of errors are those of MLIR 22's
parser and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf.common import terminator_of, while_loop
from fathom.dialects.tosa.values import is_int, shape_of, static
from fathom.ir.attributes import DenseElementsAttr, TypeAttr
from fathom.ir.operation import Operation, Region, Value, types_of
from fathom.ir.property_values import text_property
from fathom.ir.types import DYNAMIC, INDEX, ShapedType, TensorType, Type, element_type
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.interfaces import LoopLike
from fathom.irdl.region_arguments import parse_assignments, print_assignments
from fathom.irdl.type_traits import compatible
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import tosa as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.symbols import Lookup


def _parse_given(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`(%a = %x) : tensor<i1> (tensor<f32>) -> tensor<f32>`, or `: tensor<i1> -> tensor<f32>`."""
    values, condition, _, results = arguments
    has_values = parser.at("(")
    # The names on the left mean nothing: the regions name their arguments themselves.
    _, parsed.operands[values] = parse_assignments(parser) if has_values else ([], [])
    lead = f"custom op '{parsed.name}' expected"
    parser.part(lambda: parser.expect(":"), f"{lead} type for condition operand")
    parsed.types[condition] = [parser.part(parser.type, f"{lead} type for condition operand")]
    if not has_values:
        parsed.types[values], parsed.types[results] = [], parser.optional_arrow_types()
        return
    further = f"{lead} list of types for block arguments followed by arrow type and list of return types"
    parsed.types[values], parsed.types[results] = parser.part(parser.functional_type, further)
    expected, given = len(parsed.operands[values]), len(parsed.types[values])
    if given != expected:
        counts = f"(expected {expected} got {given})"
        parser.fail(f"{lead} as many input types as operands {counts}")


def _print_given(op: ops.CondIfOp, p: OpPrinter, _: Sequence[str]) -> None:
    values = op.input_list
    if values:
        p.write(" (")
        print_assignments(op.then_graph.arguments, values, p)
        p.write(")")
    p.write(" : ")
    p.type(op.condition.type)
    if values:
        p.write(" (")
        p.types(types_of(values))
        p.write(")")
    if op.results:
        p.arrow_types(types_of(op.results))
    else:
        p.write(" -> ()")


GIVEN: Final = CustomDirective(_parse_given, _print_given, spaced=True)
COND_IF: Final = two_way(
    "$condition custom<Given>($input_list, type($condition), type($input_list), type($output_list)) "
    "custom<Labelled>($then_graph) (`else` custom<Labelled>($else_graph)^)? attr-dict",
    completes=False,
)
WHILE_LOOP: Final = while_loop(
    "input_list", "output_list", "cond_graph", "body_graph", operands_first=True, completes=False
)


# ---- checks


def _check_lists(left: Sequence[Value], left_name: str, right: Sequence[Value], right_name: str) -> str | None:
    """Two lists of values fit each other."""
    if len(left) != len(right):
        counts = f"{left_name} ({len(left)}) and {right_name} ({len(right)})"
        return f"require same number of values in {counts}"
    for a, b in zip(left, right, strict=True):
        if problem := check_fit(a.type, left_name, b.type, right_name):
            return problem
    return None


def check_fit(left: Type, left_name: str, right: Type, right_name: str) -> str | None:
    """Two tensors are of one element type, and can be of one shape."""
    a, b = element_type(left), element_type(right)
    if not isinstance(left, ShapedType) or not isinstance(right, ShapedType):
        return None
    if a != b:
        return f"require same element type for {left_name} ('{a}') and {right_name} ('{b}')"
    if not compatible(left.shape, right.shape):
        return f"require same shapes for {left_name} ('{left}') and {right_name} ('{right}')"
    return None


def _yielded(region: Region) -> Sequence[Value] | None:
    """What a region yields; None where it ends in another way."""
    last = terminator_of(region)
    return last.operands if isinstance(last, ops.YieldOp) else None


def _is_one(type: Type) -> bool:
    """Whether a tensor may have one element."""
    shape = shape_of(type)
    return shape is None or not static(*shape) or prod(shape) == 1


@verifies("tosa.cond_if")
def _check_if(op: ops.CondIfOp) -> str | None:
    condition, *values = op.operands
    names = ("then_graph", "else_graph")
    for region, name in zip(op.regions, names, strict=False):
        if problem := _check_lists(region.arguments, f"'{name}' arguments", values, "'input_list'"):
            return problem
    for region, name in zip(op.regions, names, strict=False):
        yielded = _yielded(region)
        if yielded is None:
            continue
        if problem := _check_lists(yielded, f"'{name}' results", op.results, "'output_list'"):
            return problem
    return None if _is_one(condition.type) else f"'condition' must be a size 1 tensor, got '{condition.type}'"


@verifies("tosa.while_loop")
def _check_while(op: ops.WhileLoopOp) -> str | None:
    condition, body = op.regions
    carried = "'input_list'"
    problem = (
        _check_lists(op.operands, carried, op.results, "'output_list'")
        or _check_lists(condition.arguments, "'cond_graph' arguments", op.operands, carried)
        or _check_lists(body.arguments, "'body_graph' arguments", op.operands, carried)
    )
    yielded = _yielded(body)
    if problem is None and yielded is not None:
        problem = _check_lists(yielded, "'body_graph' results", op.operands, carried)
    decided = _yielded(condition)
    if problem is not None or decided is None:
        return problem
    if len(decided) != 1:
        return "require 'cond_graph' only have one result"
    type = decided[0].type
    if not _is_one(type):
        return f"'cond_graph' result must be a size 1 tensor, got '{type}'"
    return None if is_int(element_type(type), 1) else f"'cond_graph' result must be a boolean tensor, got '{type}'"


# ---- variables


_UNNAMED: Final = -1
"""The extent of a dimension that is not known, in the attribute that holds the shape."""


def _parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`= dense<0.0> : tensor<1x8xf32>`, or `: tensor<1x8xf32>`."""
    (_, type, initial), lead = arguments, f"custom op '{parsed.name}' expected"
    if parser.accept("="):
        parsed.attributes[initial] = parser.part(parser.attribute, f"{lead} attribute")
    else:
        parser.part(lambda: parser.expect(":"), f"{lead} type after colon")
        parsed.types[type] = [parser.part(parser.type, f"{lead} type after colon")]


def resolve_variable(resolver: Resolver, parsed: ParsedOp) -> None:
    """The shape and the element type follow from the type that is written, or from that of the initial value."""
    if "type" in parsed.types:
        (node,) = parsed.types["type"]
        declared, end = resolver.type(node), resolver.end_of(node)
    else:
        initial = resolver.properties.get("initial_value")
        declared, end = getattr(initial, "type", None), None
        if not isinstance(declared, Type):
            resolver.fail(f"custom op '{parsed.name}' expected Typed attr")
    element, shape = getattr(declared, "element", None), getattr(declared, "shape", None)
    if not isinstance(element, Type):
        resolver.fail(f"custom op '{parsed.name}' expected shaped type", end)
    if shape is None:
        resolver.fail(f"custom op '{parsed.name}' expected ranked type", end)
    extents = [_UNNAMED if extent == DYNAMIC else extent for extent in shape]
    values = tuple(extents[:1] if len(set(extents)) == 1 else extents)
    resolver.properties["var_shape"] = DenseElementsAttr(values, TensorType((len(extents),), INDEX))
    resolver.properties["type"] = TypeAttr(element)


def variable_type(op: Operation) -> TensorType | None:
    """The type of a variable; None where its attributes do not say one."""
    shape, element = op.properties.get("var_shape"), op.properties.get("type")
    if not isinstance(shape, DenseElementsAttr) or not isinstance(element, TypeAttr):
        return None
    (count,) = shape.type.ranked_shape if len(shape.type.ranked_shape) == 1 else (0,)
    extents = [value if isinstance(value, int) else 0 for value in shape.values]
    if shape.is_splat and len(extents) == 1:
        extents *= min(count, 10_000)
    return TensorType(tuple(DYNAMIC if extent == _UNNAMED else extent for extent in extents), element.type)


def _print(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    initial = op.properties.get(arguments[2])
    has_type = getattr(initial, "type", None) is not None
    type = variable_type(op)
    if not has_type and type is not None:
        p.write(": ")
        p.type(type)
    if initial is not None:
        p.write("= " if has_type else " = ")
        p.attribute(initial)


VARIABLE: Final = CustomDirective(_parse, _print, lambda parser: parser.at("=") or parser.at(":"))


def _verify_use(op: Operation, lookup: Lookup, value: Value, name: str) -> Complaint:
    """A use of a variable: it is declared, and a value fits it."""
    symbol = text_property(op, "name") or ""
    declared = lookup(symbol)
    if not isinstance(declared, ops.VariableOp):
        return f"'{symbol}' has not been declared by 'tosa.variable'"
    type = variable_type(declared)
    return check_fit(value.type, f"'{name}'", type, "the input tensor") if type is not None else None


@verifies("tosa.variable_read", symbols=True)
def _check_read(op: ops.VariableReadOp, lookup: Lookup) -> Complaint:
    return _verify_use(op, lookup, op.output1, "output1")


@verifies("tosa.variable_write", symbols=True)
def _check_write(op: ops.VariableWriteOp, lookup: Lookup) -> Complaint:
    return _verify_use(op, lookup, op.input1, "input1")


CODE: Final = {
    "variable": OpCode(resolve=resolve_variable),
    "cond_if": OpCode(custom=COND_IF),
    "while_loop": OpCode(custom=WHILE_LOOP, interfaces=(LoopLike(lambda op: op.regions[1:]),)),
}
