"""Bodies of named operations: what they compute of scalars, as formulas, and the operations that those become.

A formula is known with the operation; of which operations of arith, math and complex its block consists follows from
the types of the block's arguments. Source of the rules: *'linalg' Dialect*, "Named Payload-Carrying Ops", and observed
behaviour of mlir-opt 22, whose words errors are in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from fathom.ir.attributes import Attribute, FloatAttr, IntegerAttr
from fathom.ir.floats import from_float
from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Block, Operation, Region, Span, Value
from fathom.ir.types import F64, I1, I32, I64, INDEX, ComplexType, FloatType, IntegerType, MemRefType, TensorType, Type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions
from fathom.records import record


@record
class Apply:
    """A function of scalars: unary, binary, `select`, or `cast_signed` and `cast_unsigned` to the type of the output,
    `cast`, which goes by the operation's attribute, and `to_f64` and `to_i32`."""

    function: str
    operands: tuple[Formula, ...]


@record
class Constant:
    """A number."""

    value: IntegerAttr | FloatAttr


@record
class Index:
    """How often a loop has run."""

    dim: int


Formula: TypeAlias = int | Apply | Constant | Index
"""A number is an argument of the block, by its place; the output is the last one."""


def apply(function: str, *operands: Formula) -> Apply:
    return Apply(function, operands)


class Unsupported(Exception):
    """There is no such function of these types; says so in MLIR's words. Never leaves the dialect."""


Emit: TypeAlias = "Callable[[str, Sequence[Value], Type, Mapping[str, Attribute]], Value]"
"""Makes an operation of one result: its name, operands, result type, and properties that have no default."""

# ---- functions of one or two scalars

UNARY: Final[Mapping[str, str]] = {
    "exp": "math.exp",
    "log": "math.log",
    "abs": "math.absf",
    "ceil": "math.ceil",
    "floor": "math.floor",
    "negf": "arith.negf",
    "reciprocal": "arith.divf",
    "round": "math.round",
    "sqrt": "math.sqrt",
    "rsqrt": "math.rsqrt",
    "square": "arith.mulf",
    "tanh": "math.tanh",
    "erf": "math.erf",
}
"""What functions of one float become."""

BINARY: Final[Mapping[str, tuple[str, str, str, str]]] = {
    "add": ("complex.add", "arith.addf", "arith.ori", "arith.addi"),
    "sub": ("complex.sub", "arith.subf", "", "arith.subi"),
    "mul": ("complex.mul", "arith.mulf", "arith.andi", "arith.muli"),
    "div": ("complex.div", "arith.divf", "", "arith.divsi"),
    "div_unsigned": ("", "", "", "arith.divui"),
    "max_signed": ("", "arith.maximumf", "arith.maxsi", "arith.maxsi"),
    "min_signed": ("", "arith.minimumf", "arith.minsi", "arith.minsi"),
    "max_unsigned": ("", "", "", "arith.maxui"),
    "min_unsigned": ("", "", "", "arith.minui"),
    "powf": ("", "math.powf", "", ""),
}
"""What functions of two scalars become: of complex numbers, floats, i1, and other integers."""

_BOOLS: Final = {"sub": "sub with bools", "div": "div with bools"}
_UNSIGNED: Final = {"div_unsigned": "div", "max_unsigned": "max", "min_unsigned": "min"}


def _binary(function: str, left: Type, right: Type) -> str:
    """The operation that a function of two scalars becomes."""
    kinds = (ComplexType, FloatType, IntegerType)
    kind = next((i for i, class_ in enumerate(kinds) if isinstance(left, class_) and isinstance(right, class_)), None)
    if kind is None:
        expected = "expects allComplex, allFloatingPoint, or allInteger"
        raise Unsupported(f"Cannot build binary Linalg operation: {expected}, got '{left}' and '{right}'")
    if kind == 2 and not (_width(left) == 1 and _width(right) == 1):
        kind = 3
    name = BINARY[function][kind]
    if name:
        return name
    if function in _UNSIGNED:
        raise Unsupported(f"unsupported operation: unsigned {_UNSIGNED[function]} not on uint")
    raise Unsupported(f"unsupported operation: {_BOOLS.get(function, function)}")


def _width(type: Type) -> int:
    return type.width if isinstance(type, (IntegerType, FloatType)) else 0


# ---- from a formula to operations


class ScalarBody:
    """Turns formulas into operations, one by one, in the order in which MLIR makes them."""

    def __init__(self, arguments: Sequence[Value], emit: Emit, *, unsigned: bool = False) -> None:
        """`unsigned` says how `cast` casts."""
        self._arguments = arguments
        self._emit = emit
        self._unsigned = unsigned

    def value(self, formula: Formula) -> Value:
        """The value of a formula. Raises Unsupported."""
        if isinstance(formula, int):
            return self._arguments[formula]
        if isinstance(formula, Constant):
            return self._constant(formula.value, formula.value.type)
        if isinstance(formula, Index):
            return self._emit("linalg.index", (), INDEX, {"dim": IntegerAttr(formula.dim, I64)})
        values = [self.value(operand) for operand in formula.operands]
        function = formula.function
        if function in UNARY:
            return self._unary(function, values[0])
        if function in BINARY:
            name = _binary(function, values[0].type, values[1].type)
            return self._emit(name, values, values[0].type, {})
        if function == "select":
            return self._emit("arith.select", values, values[1].type, {})
        target = {"to_f64": F64, "to_i32": I32}.get(function, self._arguments[-1].type)
        return self._cast(values[0], target, function == "cast_unsigned" or (function == "cast" and self._unsigned))

    def _constant(self, value: Attribute, type: Type) -> Value:
        return self._emit("arith.constant", (), type, {"value": value})

    def _unary(self, function: str, value: Value) -> Value:
        type = value.type
        if not isinstance(type, FloatType):
            raise Unsupported("unsupported non numeric type")
        operands = [value]
        if function == "reciprocal":
            operands = [self._constant(FloatAttr(from_float(1.0, type.name), type), type), value]
        elif function == "square":
            operands = [value, value]
        return self._emit(UNARY[function], operands, type, {})

    def _cast(self, value: Value, target: Type, unsigned: bool) -> Value:
        """What has no cast stays what it is, which the verifier finds."""
        if value.type == target:
            return value
        if isinstance(target, ComplexType):
            return self._cast_to_complex(value, target, unsigned)
        name = _cast_name(value.type, target, unsigned)
        return self._emit(name, [value], target, {}) if name else value

    def _cast_to_complex(self, value: Value, target: ComplexType, unsigned: bool) -> Value:
        source, element = value.type, target.element
        if not isinstance(element, FloatType):
            return value
        if isinstance(source, ComplexType) and isinstance(source.element, FloatType):
            name = "arith.truncf" if element.width < source.element.width else "arith.extf"
            parts = [self._emit(part, [value], source.element, {}) for part in ("complex.re", "complex.im")]
            parts = [self._emit(name, [part], element, {}) for part in parts]
            return self._emit("complex.create", parts, target, {})
        name = _cast_name(source, element, unsigned)
        if not isinstance(source, (FloatType, IntegerType)):
            return value
        real = self._emit(name, [value], element, {}) if name else value
        return self._emit("complex.create", [real, self._constant(FloatAttr(0, element), element)], target, {})


def _cast_name(source: Type, target: Type, unsigned: bool) -> str:
    """The operation that casts scalars; empty where there is none, or none is needed."""
    if isinstance(target, IntegerType):
        if isinstance(source, FloatType):
            return "arith.fptoui" if unsigned else "arith.fptosi"
        if source == INDEX:
            return "arith.index_cast"
        if isinstance(source, IntegerType) and target.width != source.width:
            widening = "arith.extui" if unsigned else "arith.extsi"
            return widening if target.width > source.width else "arith.trunci"
    if isinstance(target, FloatType):
        if isinstance(source, IntegerType):
            return "arith.uitofp" if unsigned else "arith.sitofp"
        if isinstance(source, FloatType) and target.width != source.width:
            return "arith.extf" if target.width > source.width else "arith.truncf"
    return ""


# ---- blocks


def scalar_type(type: Type) -> Type:
    """What the block sees of an operand: the element of a ranked tensor or memref, or the operand itself."""
    return type.element if isinstance(type, (TensorType, MemRefType)) and type.shape is not None else type


def check_body(formula: Formula, types: Sequence[Type]) -> str | None:
    """Why there is no body that computes a formula of arguments of these types."""
    arguments = [Value(type) for type in types]
    try:
        ScalarBody(arguments, lambda name, operands, type, properties: Value(type)).value(formula)
    except Unsupported as problem:
        return str(problem)
    return None


def fill_body(
    op: Operation, types: Sequence[Type], formula: Formula | None, definitions: Definitions, *, unsigned: bool = False
) -> None:
    """Gives the region of an operation the block that computes a formula of arguments of these types and yields it;
    without one, the block yields nothing that is known."""
    block = implied_block(op, types)
    append = _appender(block, definitions, op.span)
    try:
        values = [] if formula is None else [ScalarBody(block.arguments, append, unsigned=unsigned).value(formula)]
    except Unsupported:
        return  # It was said when the operation was resolved.
    last = create(definitions, "linalg.yield", values, span=op.span)
    last.location = UNKNOWN
    block.append(last)


def implied_block(op: Operation, types: Sequence[Type]) -> Block:
    """The only block of a region that the text of an operation leaves out; MLIR says that it stands nowhere."""
    block = Block(types)
    for argument in block.arguments:
        argument.location = UNKNOWN
    op.add_region(Region((block,)))
    return block


UNKNOWN: Final = UnknownLoc()
"""Where MLIR says that what such a body consists of stands."""


_FORMER: Final[Mapping[str, tuple[str, ...]]] = {
    "arith.maximumf": ("arith.maxf",),
    "arith.minimumf": ("arith.minf",),
    "arith.maxsi": ("std.maxsi",),
    "arith.minsi": ("std.minsi",),
    "arith.extsi": ("std.sexti",),
    "arith.extui": ("std.zexti",),
    "arith.extf": ("std.fpext",),
    "arith.truncf": ("std.fptrunc",),
    "arith.andi": ("std.and",),
    "arith.ori": ("std.or",),
    "arith.divsi": ("std.divi_signed",),
    "arith.divui": ("std.divi_unsigned",),
}
"""What operations were called in former releases, where it is not the same name in the std dialect."""


_COMPARED: Final = {
    "arith.maximumf": ("std.cmpf", 2),
    "arith.minimumf": ("std.cmpf", 4),
    "arith.maxsi": ("std.cmpi", 4),
    "arith.minsi": ("std.cmpi", 2),
    "arith.maxui": ("std.cmpi", 8),
    "arith.minui": ("std.cmpi", 6),
}
"""Operations that releases did not have yet, which compared and selected: by what, and the number of the predicate."""


def _name_in(definitions: Definitions, name: str) -> str:
    """What an operation is called where only these are defined."""
    if definitions.lookup(name) is not None or not name.startswith("arith."):
        return name
    former = (*_FORMER.get(name, ()), f"std.{name.removeprefix('arith.')}")
    return next((other for other in former if definitions.lookup(other) is not None), name)


def _appender(block: Block, definitions: Definitions, span: Span | None) -> Emit:
    """Makes operations at the end of a block, with the span of the one that they belong to."""

    def emit(name: str, operands: Sequence[Value], type: Type, properties: Mapping[str, Attribute]) -> Value:
        name = _name_in(definitions, name)
        compared, predicate = _COMPARED.get(name, ("", 0))
        if definitions.lookup(name) is None and definitions.lookup(compared) is not None:
            chosen = emit(compared, operands, I1, {"predicate": IntegerAttr(predicate, I64)})
            return emit("std.select", [chosen, *operands], type, {})
        if definitions.lookup(name) is None:
            made = Operation(name, operands, [type], properties, span=span)
        else:
            made = create(definitions, name, operands, [type], properties, span=span)
        made.location = UNKNOWN
        block.append(made)
        return made.result

    return emit
