"""Attributes as plain values of Python, and the other way: what a person reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from fathom.context import default_context
from fathom.diagnostics import UNKNOWN_OP, UNREGISTERED
from fathom.ir.attributes import (
    FALSE,
    TRUE,
    UNIT,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from fathom.ir.dialect_values import DialectType
from fathom.ir.floats import from_float, to_float
from fathom.ir.types import I1, I32, I64, INDEX, FloatType, IndexType, IntegerType, ShapedType, Type
from fathom.irdl.cases import word_of
from fathom.irdl.constraint import AttributeForm

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.irdl.constraint import AttributeConstraint
    from fathom.irdl.definition import Property

Plain: TypeAlias = "Attribute | Type | bool | int | float | str | Sequence[Plain] | None"
"""What an attribute can be given as."""

F64 = FloatType("f64")


# ---- read


def value_of(attribute: Attribute | None, definition: Property | None = None) -> object:
    """What an attribute says: an `int`, `float`, `bool`, `str`, a list, a type, the word of an enumeration; or the
    attribute itself, where it is none of these. One that is not there is None, or False if it would say nothing but
    that it is there."""
    constraint = definition.constraint if definition is not None else None
    if attribute is None and constraint is not None and constraint.form is AttributeForm.UNIT:
        return False
    match attribute:
        case UnitAttr():
            return True
        case IntegerAttr(value) if constraint is not None and constraint.cases:
            return constraint.enumeration.stringify(value)
        case IntegerAttr(value, type):
            return bool(value) if type == I1 else value
        case FloatAttr() | StringAttr():
            return attribute.value
        case SymbolRefAttr(root, ()):
            return root
        case TypeAttr(type):
            return type
        case ArrayAttr(elements):
            return [value_of(element) for element in elements]
        case DenseArrayAttr(element, values):
            return [_number(value, element) for value in values]
        case _:
            return word_of(attribute) or attribute


def elements(attribute: Attribute) -> list[int | float | bool]:
    """The numbers of `dense<…>`, in the order of memory; one that stands for all is there as often as it counts."""
    if not isinstance(attribute, DenseElementsAttr):
        raise ValueError(f"no elements are in {attribute}")
    count = 1
    for size in attribute.type.ranked_shape:
        count *= size
    values = [_number(cast("int", value), attribute.type.element) for value in attribute.values]
    return values * count if len(values) == 1 else values


def _number(value: int, type: Type) -> int | float | bool:
    if isinstance(type, FloatType):
        return to_float(value, type.name)
    return bool(value) if type == I1 else value


# ---- written


def attribute_of(value: Plain, definition: Property | None, type: Type | None, context: Context) -> Attribute | None:
    """The attribute that a value stands for: the first that satisfies what the definition asks; `type` is that of a
    number of which nothing else tells it. None for a flag that is not there. Raises ValueError."""
    constraint = definition.constraint if definition is not None else None
    if value is None:
        return None
    if constraint is None:
        return next(_readings(value, None, type, context))
    if value is False and constraint.form is AttributeForm.UNIT:
        return None
    if isinstance(value, Attribute):
        return value
    tried = list(_readings(value, constraint, type, context))
    fitting = next((reading for reading in tried if constraint.accepts(reading)), None)
    if fitting is None:
        name = definition.name if definition is not None else ""
        cases = f", one of {', '.join(constraint.cases)}" if constraint.cases else ""
        raise ValueError(f"'{name}' is to be {constraint.summary or constraint.name}{cases}, not {value!r}")
    return fitting


def _readings(
    value: Plain, constraint: AttributeConstraint | None, type: Type | None, context: Context
) -> Iterator[Attribute]:
    """The attributes that a value may stand for, the likeliest first."""
    match value:
        case Attribute():
            yield value
        case Type():
            yield TypeAttr(value)
        case bool():
            yield from (TRUE if value else FALSE, UNIT)
        case int():
            yield from _integers(value, constraint, type)
        case float():
            wanted = (constraint.type if constraint is not None else None, type, F64, FloatType("f32"))
            yield from (
                FloatAttr(from_float(value, type_.name), type_) for type_ in wanted if isinstance(type_, FloatType)
            )
        case str():
            yield from _texts(value, constraint, context)
        case list() | tuple():
            yield from _lists(value, type, context)
        case _:
            pass
    if constraint is None:
        raise ValueError(f"no attribute can be made of {value!r}")


def _integers(value: int, constraint: AttributeConstraint | None, type: Type | None) -> Iterator[Attribute]:
    for wanted in (constraint.type if constraint is not None else None, type, I64, I32, INDEX):
        if isinstance(wanted, IntegerType | IndexType):
            yield IntegerAttr(value, wanted)
        elif isinstance(wanted, FloatType):
            yield FloatAttr(from_float(value, wanted.name), wanted)
    yield from (IntegerAttr(value, IntegerType(width)) for width in (8, 16))
    yield FloatAttr(from_float(value, "f64"), F64)


def _texts(value: str, constraint: AttributeConstraint | None, context: Context) -> Iterator[Attribute]:
    if constraint is not None and (number := constraint.cases.get(value)) is not None:
        if constraint.mnemonic:
            yield EnumAttr(constraint.mnemonic, value, number)
        elif constraint.type is not None:
            yield IntegerAttr(number, constraint.type)
    definition = constraint.definition if constraint is not None else None
    texts = [value] if definition is None else [f"#{definition.dialect}.{definition.mnemonic}<{value}>", value]
    yield StringAttr(value)
    yield SymbolRefAttr(value.removeprefix("@"))
    for read, text in [(parse_attribute, text) for text in texts] + [(parse_type, value)]:
        try:
            read_value = read(text, context)
        except ValueError:
            continue
        yield TypeAttr(read_value) if isinstance(read_value, Type) else read_value


def _lists(values: Sequence[Plain], type: Type | None, context: Context) -> Iterator[Attribute]:
    if isinstance(type, ShapedType):
        with suppress(ValueError):  # What it lists need not be the elements.
            yield dense(values, type)
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        numbers = tuple(cast("Sequence[int]", values))
        yield from (DenseArrayAttr(width, numbers) for width in (I64, I32))
        yield from (ArrayAttr(tuple(IntegerAttr(number, width) for number in numbers)) for width in (I64, I32, INDEX))
    if all(isinstance(value, bool) for value in values):
        yield DenseArrayAttr(I1, tuple(map(int, cast("Sequence[bool]", values))))
    if values and all(isinstance(value, int | float) for value in values):
        floats = [float(cast("float", value)) for value in values]
        yield from (DenseArrayAttr(FloatType(n), tuple(from_float(f, n) for f in floats)) for n in ("f64", "f32"))
    yield ArrayAttr(tuple(next(_readings(value, None, None, context)) for value in values))
    if all(isinstance(value, str) for value in values):
        texts = cast("Sequence[str]", values)
        yield ArrayAttr(tuple(SymbolRefAttr(text.removeprefix("@")) for text in texts))
        with suppress(ValueError):
            yield ArrayAttr(tuple(parse_attribute(text, context) for text in texts))


def dense(values: Plain, type: Type | str) -> DenseElementsAttr:
    """The attribute `dense<…>`, of a list of numbers, of lists of such, or of one number for all:
    `dense([[1, 2], [3, 4]], "tensor<2x2xi32>")`. Raises ValueError."""
    if isinstance(type, str):
        type = parse_type(type, default_context())
    if not isinstance(type, ShapedType):
        raise ValueError(f"'{type}' has no elements")
    flat = list(_flat(values))
    count = 1
    for size in type.ranked_shape:
        count *= size
    if len(flat) not in (1, count):
        raise ValueError(f"'{type}' has {count} elements, not {len(flat)}")
    numbers = [constant_of(number, type.element) for number in flat]
    bits = [number.bits if isinstance(number, FloatAttr) else cast("IntegerAttr", number).value for number in numbers]
    return DenseElementsAttr(tuple(bits[:1] if len(set(bits)) == 1 else bits), type)


def _flat(values: object) -> Iterator[bool | int | float]:
    if isinstance(values, bool | int | float):
        yield values
    elif isinstance(values, list | tuple):
        for value in cast("Sequence[object]", values):
            yield from _flat(value)
    else:
        raise ValueError(f"{values!r} is no number")


def constant_of(value: Plain, type: Type) -> Attribute:
    """A number, or numbers, as a constant of a type; of a type of a dialect's own, any plain value. Raises
    ValueError."""
    match type:
        case _ if isinstance(value, Attribute):
            return value
        case IntegerType() | IndexType() if isinstance(value, int):
            return IntegerAttr(int(value), type)
        case FloatType(name) if isinstance(value, int | float):
            return FloatAttr(from_float(float(value), name), type)
        case ShapedType():
            return dense(value, type)
        case DialectType() if isinstance(value, bool | int | float | str | list | tuple):
            return next(_readings(value, None, None, default_context()))
        case _:
            raise ValueError(f"{value!r} is no constant of type '{type}'")


# ---- texts


def parse_type(text: str, context: Context) -> Type:
    """The type that is written so. Raises ValueError, which says what is wrong with the text."""
    parsed = _parsed(f'%0 = "a.b"() : () -> ({text})\n', context, text, "type")
    return cast("Type", parsed)


def parse_attribute(text: str, context: Context) -> Attribute:
    """The attribute that is written so. Raises ValueError, which says what is wrong with the text."""
    parsed = _parsed(f'"a.b"() {{x = {text}}} : () -> ()\n', context, text, "attribute")
    return cast("Attribute", parsed)


_UNKNOWN: Final = (UNKNOWN_OP, UNREGISTERED)
"""What is said of an operation that only stands for something with a type and an attribute."""


@lru_cache(maxsize=512)
def _parsed(statement: str, context: Context, text: str, what: str) -> Type | Attribute:
    from fathom.elaborate import load

    loaded = load(statement, context)
    made = next((op for region in loaded.module.regions for op in region.operations()), None)
    wrong = [
        diagnostic
        for diagnostic in loaded.diagnostics
        if diagnostic.severity == "error" and diagnostic.code not in _UNKNOWN
    ]
    if wrong or made is None or len(made.results) + len(made.attributes) != 1:
        why = f": {wrong[0].message}" if wrong else ""
        raise ValueError(f"'{text}' is no {what}{why}")
    return made.results[0].type if made.results else made.attributes["x"]
