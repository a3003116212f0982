"""What the patterns for tensors look at and are made of: constants, slices by mixed lists, types.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from fathom.dialects.arith.elements import splat_constant
from fathom.dialects.tensor.casts import CAST
from fathom.ir.attributes import Attribute, index_attr
from fathom.ir.clone import clone_region
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, INDEX, TensorType, Type
from fathom.irdl.slices import verify_bounds
from fathom.ops.tensor import DimOp
from fathom.records import replace
from fathom.rewriting.rewriter import Rewriter

Mixed: TypeAlias = "Sequence[int | Value]"


def cast_for(op: Operation, value: Value, rewriter: Rewriter) -> Operation:
    """A cast of a value to the type of an operation, in whose place it stands."""
    return rewriter.create(CAST, [value], [op.result.type])


def static(values: Mixed) -> list[int]:
    """The numbers of a list, DYNAMIC where a value stands."""
    return [value if isinstance(value, int) else DYNAMIC for value in values]


def with_constants(values: Mixed, *, least: int | None = None, zero: bool = True) -> list[int | Value]:
    """A list with numbers for constants: those that are not less than `least`, and for zero if it may be."""
    numbers: list[int | Value] = []
    for value in values:
        number = value if isinstance(value, int) else splat_constant(value)
        fits = number is not None and (least is None or number >= least) and (zero or number != 0)
        numbers.append(number if number is not None and fits else value)
    return numbers


def known_slice(offsets: Mixed, sizes: Mixed, strides: Mixed, *, zero_strides: bool) -> list[list[int | Value]] | None:
    """The three lists with numbers for constants, the first of them in which there is one: what mlir-opt takes at a
    time. None where there is none."""
    lists: list[list[int | Value]] = [list(list_) for list_ in (offsets, sizes, strides)]
    rules = ({"least": 0}, {"least": 0}, {"zero": zero_strides})
    for place, rule in enumerate(rules):
        numbers = with_constants(lists[place], least=rule.get("least"), zero=bool(rule.get("zero", True)))
        if static(numbers) != static(lists[place]):
            lists[place] = numbers
            return lists
    return None


def is_inside(shape: Sequence[int], offsets: Mixed, sizes: Mixed, strides: Mixed) -> bool:
    """Whether a slice stays within a tensor, as far as numbers are known."""
    return not verify_bounds(shape, *map(static, (offsets, sizes, strides)))


def slice_type(whole: TensorType, sizes: Mixed, rank: int) -> TensorType:
    """The type of a slice of these sizes; of a smaller rank the first sizes of 1 are left out."""
    shape = static(sizes)
    surplus = len(shape) - rank
    if surplus <= 0:
        return TensorType(tuple(shape), whole.element, whole.encoding)
    kept: list[int] = []
    for size in shape:
        if size == 1 and surplus:
            surplus -= 1
        else:
            kept.append(size)
    return TensorType(tuple(kept), whole.element)


def with_known_sizes(type: Type, sizes: Sequence[Value]) -> tuple[TensorType, list[Value]] | None:
    """A type with numbers for those open sizes that are constants, and the other sizes; None where none is."""
    if not isinstance(type, TensorType) or type.shape is None:
        return None
    rest: list[Value] = []
    shape = list(type.shape)
    given = iter(sizes)
    for dim, extent in enumerate(shape):
        if extent != DYNAMIC:
            continue
        size = next(given)
        number = splat_constant(size)
        if number is not None and number >= 0:
            shape[dim] = number
        else:
            rest.append(size)
    return (replace(type, shape=tuple(shape)), rest) if len(rest) < len(sizes) else None


def place_of_size(op: DimOp) -> int | None:
    """Which of the sizes that a tensor leaves open is asked for; None where it is none of them, or not known."""
    index, type = splat_constant(op.index), op.source.type
    shape = type.shape or () if isinstance(type, TensorType) else ()
    if index is None or not 0 <= index < len(shape) or shape[index] != DYNAMIC:
        return None
    return shape[:index].count(DYNAMIC)


def cast_to(value: Value, type: Type, rewriter: Rewriter) -> Value:
    """A value, cast unless it is of this type."""
    return value if value.type == type else rewriter.create(CAST, [value], [type]).result


def with_casts(op: Operation, made: Operation, rewriter: Rewriter) -> list[Value]:
    """The results of another operation, cast where their types differ from those of an operation."""
    pairs = zip(made.results, op.results, strict=True)
    return [cast_to(new, old.type, rewriter) for new, old in pairs]


def create_like(
    rewriter: Rewriter,
    op: Operation,
    operands: Iterable[Value],
    types: Iterable[Type],
    properties: Mapping[str, Attribute] | None = None,
) -> Operation:
    """An operation with the body of another one, whose operands have elements of the same types, and its properties,
    or some of them changed."""
    regions = [clone_region(region) for region in op.regions]
    return rewriter.create(op.name, operands, types, {**op.properties, **(properties or {})}, None, (), regions)


def cloned(rewriter: Rewriter, op: Operation, operands: Sequence[Value], types: Sequence[Type]) -> Operation:
    """As `create_like`, with the discardable attributes too."""
    made = create_like(rewriter, op, operands, types)
    made.attributes.update(op.attributes)
    return made


def sizes_of(value: Value, rewriter: Rewriter) -> list[int | Value]:
    """The sizes of a ranked tensor, as values those that its type leaves open."""
    type = value.type
    assert isinstance(type, TensorType), "it is a tensor"
    return [_size_of(value, dim, rewriter) if size == DYNAMIC else size for dim, size in enumerate(type.ranked_shape)]


def _size_of(value: Value, dim: int, rewriter: Rewriter) -> Value:
    place = rewriter.constant(index_attr(dim), INDEX)
    return rewriter.create("tensor.dim", [value, place], [INDEX]).result
