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
from fathom.irdl.definition import OpDefinition
from fathom.irdl.groups import SEGMENTS
from fathom.modernising.reading import attribute_of

if TYPE_CHECKING:
    from fathom.context import Context

_WIDTHS: Final = (I64, I32, I1, I8, I16)


def carry(op: Operation, before: OpDefinition | None, now: OpDefinition, context: Context) -> None:
    """Gives an operation the attributes and the sizes of groups that a definition asks for. What was discardable and is
    inherent moves, as does the reverse; what has a default gets it."""
    known = now.property_map
    _carry_segments(op, before, now)
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


def _carry_segments(op: Operation, before: OpDefinition | None, now: OpDefinition) -> None:
    if before is not None:
        _sizes(op, "operands", now.has_segments, [o.name for o in now.operands], lambda: before.operand_groups(op))
        _sizes(op, "results", now.has_result_segments, [r.name for r in now.results], lambda: before.result_groups(op))


def _sizes(
    op: Operation,
    kind: str,
    wanted: bool,
    names: Sequence[str],
    groups: Callable[[], Mapping[str, Sequence[Value | OpResult]]],
) -> None:
    key = SEGMENTS[kind]
    if not wanted:
        op.properties.pop(key, None)
        return
    given = op.properties.get(key)
    if isinstance(given, DenseArrayAttr) and len(given.values) == len(names):
        return
    known = groups()
    sizes = [len(known.get(name, ())) for name in names]
    total = len(op.operands) if kind == "operands" else len(op.results)
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
