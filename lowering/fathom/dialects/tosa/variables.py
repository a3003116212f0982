"""`tosa.variable`: the type, or the initial value, of what is kept from one use of a graph to the next.

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*; the texts of errors are those of MLIR 22's
parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.tosa.control import check_fit
from fathom.ir.attributes import DenseElementsAttr, TypeAttr
from fathom.ir.property_values import text_property
from fathom.ir.types import DYNAMIC, INDEX, TensorType, Type
from fathom.irdl.definition import CustomDirective
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import tosa as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.symbols import Lookup

_UNNAMED: Final = -1
"""The extent of a dimension that is not known, in the attribute that holds the shape."""


def _parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`= dense<0.0> : tensor<1x8xf32>`, or `: tensor<1x8xf32>`."""
    _, type, initial = arguments
    if parser.accept("="):
        parsed.attributes[initial] = parser.part(parser.attribute, "expected attribute")
    else:
        parser.part(lambda: parser.expect(":"), "expected type after colon")
        parsed.types[type] = [parser.part(parser.type, "expected type after colon")]


def resolve_variable(resolver: Resolver, parsed: ParsedOp) -> None:
    """The shape and the element type follow from the type that is written, or from that of the initial value."""
    if "type" in parsed.types:
        (node,) = parsed.types["type"]
        found, end = resolver.type(node), resolver.end_of(node)
    else:
        initial = resolver.properties.get("initial_value")
        found, end = getattr(initial, "type", None), None
        if not isinstance(found, Type):
            resolver.fail(f"custom op '{parsed.name}' expected Typed attr")
    element, shape = getattr(found, "element", None), getattr(found, "shape", None)
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
