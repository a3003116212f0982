"""An operation's attributes and groups, carried over from the definition of one edition to that of another.

Names tell what belongs together. An attribute of another kind with the same content becomes one of the kind that is
wanted: `[1, 2]` becomes `array<i64: 1, 2>`, and "x" becomes `#gpu<dim x>`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    EnumAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from fathom.ir.operation import Operation, OpResult, Value
from fathom.ir.types import I1, I8, I16, I32, I64, INDEX, IntegerType
from fathom.irdl.constraint import AttributeConstraint
from fathom.irdl.definition import OpDefinition, Operand, Result
from fathom.irdl.groups import SEGMENTS, Arity
from fathom.modernising.reading import attribute_of

if TYPE_CHECKING:
    from fathom.context import Context

_WIDTHS: Final = (I64, I32, I1, I8, I16)


def carry(op: Operation, before: OpDefinition | None, now: OpDefinition, context: Context) -> None:
    """Gives an operation the attributes and the sizes of groups that a definition asks for. What was discardable and is
    inherent moves, as does the reverse; what has a default gets it."""
    known = now.property_map
    _carry_segments(op, before, now)
    if before is not None:
        _carry_names(op, before, now)
        _carry_cases(op, before, now)
    for name in [name for name in op.attributes if name in known]:
        op.properties.setdefault(name, op.attributes.pop(name))
    for name in [name for name in op.properties if name not in known and name not in SEGMENTS.values()]:
        op.attributes.setdefault(name, op.properties.pop(name))
    for prop in now.properties:
        value = op.properties.get(prop.name)
        if value is not None:
            op.properties[prop.name] = coerced(value, prop.constraint, context)
            continue
        default = prop.default if prop.default is not None else prop.unset
        if default is not None and not prop.optional:
            op.properties[prop.name] = default


def _carry_names(op: Operation, before: OpDefinition, now: OpDefinition) -> None:
    """An attribute whose name is gone becomes the only new one that must be there and is of its kind."""
    gone = [prop for prop in before.properties if prop.name not in now.property_map and prop.name in op.properties]
    wanted = [prop for prop in now.properties if prop.name not in before.property_map and not prop.optional]
    for prop in gone:
        same = [other for other in wanted if prop.constraint.name and other.constraint.name == prop.constraint.name]
        if len(same) == 1 and same[0].name not in op.properties:
            op.properties[same[0].name] = op.properties.pop(prop.name)


_FORMER_CASES: Final = {"maxf": "maximumf", "minf": "minimumf"}
"""Cases of enumerations by what they are called today."""


def _carry_cases(op: Operation, before: OpDefinition, now: OpDefinition) -> None:
    """A case of an enumeration that is kept as a number has the number of the case of its name. ValueError where that
    is gone."""
    for prop in now.properties:
        former, value = before.property_map.get(prop.name), op.properties.get(prop.name)
        if former is None or not isinstance(value, IntegerAttr):
            continue
        cases, own = prop.constraint.numbers, former.constraint.numbers
        if not cases or not own or cases == own:
            continue
        word = next((word for word, number in own.items() if number == value.value), "")
        if (number := cases.get(word, cases.get(_FORMER_CASES.get(word, "")))) is None:
            raise ValueError(f"'{word}' is no case of '{prop.name}' today")
        op.properties[prop.name] = IntegerAttr(number, value.type)


def _carry_segments(op: Operation, before: OpDefinition | None, now: OpDefinition) -> None:
    if before is not None:
        _sizes(op, "operands", now.has_segments, now.operands, lambda: before.operand_groups(op))
        _sizes(op, "results", now.has_result_segments, now.results, lambda: before.result_groups(op))


def _sizes(
    op: Operation,
    kind: str,
    wanted: bool,
    wanted_groups: Sequence[Operand | Result],
    groups: Callable[[], Mapping[str, Sequence[Value | OpResult]]],
) -> None:
    key = SEGMENTS[kind]
    if not wanted:
        op.properties.pop(key, None)
        return
    names = [group.name for group in wanted_groups]
    given = op.properties.get(key)
    if isinstance(given, DenseArrayAttr) and len(given.values) == len(names):
        return
    known = groups()
    sizes = [len(known.get(name, ())) for name in names]
    total = len(op.operands) if kind == "operands" else len(op.results)
    others = [group for name, group in known.items() if name not in names and group]
    lists = [at for at, group in enumerate(wanted_groups) if group.arity is Arity.VARIADIC and group.name not in known]
    if sum(sizes) != total and len(others) == len(lists) == 1:
        sizes[lists[0]] = len(others[0])
    if sum(sizes) != total:
        # Groups were renamed: those that come first are the same ones.
        sizes = [len(group) for group in known.values()][: len(names)]
        sizes += [0] * (len(names) - len(sizes))
    if sum(sizes) == total:
        op.properties[key] = DenseArrayAttr(I32, tuple(sizes))


# ---- kinds of attributes


def coerced(value: Attribute, constraint: AttributeConstraint, context: Context) -> Attribute:
    """An attribute of the kind that is wanted, with the same content; or as it is where there is none."""
    try:
        if constraint.accepts(value):
            return value
        for other in _candidates(value, constraint, context):
            if constraint.accepts(other):
                return other
    except (TypeError, ValueError, AttributeError):
        return value
    return value


def _candidates(value: Attribute, constraint: AttributeConstraint, context: Context) -> Iterator[Attribute]:
    numbers = _numbers(value)
    if numbers is not None:
        yield from (DenseArrayAttr(width, numbers) for width in _WIDTHS)
        yield ArrayAttr(tuple(IntegerAttr(number, I64) for number in numbers))
        yield ArrayAttr(tuple(IntegerAttr(number, I1) for number in numbers))
    match value:
        case IntegerAttr(number):
            yield from (IntegerAttr(number, type) for type in (I64, I32, INDEX, I1, I8))
        case StringAttr(word):
            yield from _cases(word, constraint, context)
        case EnumAttr(_, word):
            yield from _cases(word, constraint, context)
        case UnitAttr():
            yield IntegerAttr(1, I1)
        case _:
            pass


def _cases(word: str, constraint: AttributeConstraint, context: Context) -> Iterator[Attribute]:
    """The case of an enumeration that a word is."""
    if word in constraint.cases:
        number = constraint.cases[word]
        if constraint.mnemonic:
            yield EnumAttr(constraint.mnemonic, word, number)
        elif constraint.type is not None:
            yield IntegerAttr(number, constraint.type)
    definition = constraint.definition
    if definition is not None:
        dialect, mnemonic = definition.dialect, definition.mnemonic
        for text in (f"#{dialect}.{mnemonic}<{word}>", f"#{dialect}<{mnemonic} {word}>"):
            read = attribute_of(text, context)
            if read is not None:
                yield read


def _numbers(value: Attribute) -> tuple[int, ...] | None:
    """The numbers that an attribute lists, as an array has them."""
    match value:
        case DenseElementsAttr(values, type) if isinstance(type.element, IntegerType):
            numbers = [one for one in values if isinstance(one, int)]
            shape = type.ranked_shape
            if len(numbers) == 1 and len(shape) == 1:
                numbers *= shape[0]
            return tuple(numbers)
        case DenseArrayAttr(_, values):
            return tuple(values)
        case ArrayAttr(elements) if all(isinstance(one, IntegerAttr) for one in elements):
            return tuple(one.value for one in elements if isinstance(one, IntegerAttr))
        case _:
            return None
