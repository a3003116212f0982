"""`linalg.generic` taken apart and made anew, and questions about structured operations.

Source of the rules: *'linalg' Dialect*, "High-Level Description of Linalg Ops".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.generic import iterator_type
from fathom.dialects.linalg.structured import (
    array_of,
    dims_of,
    inputs_and_inits,
    maps_and_loops,
    places_of_loops,
)
from fathom.ir.affine import AffineDim, AffineMap, substitute
from fathom.ir.attributes import ArrayAttr
from fathom.ir.operation import Block, BlockArgument, Region
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.build import segment_sizes
from fathom.ops.linalg import YieldOp
from fathom.records import record
from fathom.rewriting.canonicalization import CANONICALIZATION
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.pattern import Pattern

KINDS: Final = {"p": "parallel", "r": "reduction", "w": "window"}


@record
class Form:
    """What a structured operation reads and writes, each through a map, and its loops: a letter for each."""

    inputs: Sequence[Value]
    inits: Sequence[Value]
    maps: Sequence[AffineMap]
    loops: str

    @property
    def values(self) -> list[Value]:
        """The inputs, and what is written."""
        return [*self.inputs, *self.inits]

    @property
    def is_parallel(self) -> bool:
        return "r" not in self.loops

    @property
    def is_one_to_one(self) -> bool:
        """Whether it has one input, and writes one."""
        return len(self.inputs) == 1 and len(self.inits) == 1


def form_of(op: Operation) -> Form | None:
    """The form of a structured operation; None of any other."""
    parts = maps_and_loops(op)
    if parts is None or not op.regions or op.regions[0].is_empty:
        return None
    inputs, inits = inputs_and_inits(op)
    return Form(inputs, inits, *parts)


def works_on_tensors(op: Operation) -> bool:
    """Whether there are ranked tensors among the operands, and no memrefs (`hasPureTensorSemantics`)."""
    types = [value.type for value in op.operands]
    ranked = any(isinstance(type, TensorType) and type.shape is not None for type in types)
    return ranked and not any(isinstance(type, MemRefType) for type in types)


def works_on_buffers(op: Operation) -> bool:
    """Whether there are memrefs among the operands, and no tensors."""
    types = [value.type for value in op.operands]
    return any(isinstance(type, MemRefType) for type in types) and not any(
        isinstance(type, TensorType) for type in types
    )


def body_of(op: Operation) -> Block:
    return op.regions[0].entry


def argument_of(op: Operation, place: int) -> BlockArgument:
    """The argument of the body that is an element of an operand."""
    return body_of(op).arguments[place]


def reads(op: Operation, place: int) -> bool:
    """Whether the body uses what an operand has (`payloadUsesValueFromOperand`)."""
    return bool(argument_of(op, place).uses)


def yielded(op: Operation) -> Sequence[Value]:
    """What the body yields."""
    end = body_of(op).last
    return end.operands if isinstance(end, YieldOp) else ()


def is_alone(block: Block) -> bool:
    """Whether a block has one operation."""
    return block.first is not None and block.first is block.last


def has_one_use(value: Value) -> bool:
    return sum(value.uses.values()) == 1


def may_go(value: Value) -> bool:
    """Whether what makes a value is used once, in all its results: it is not needed any more where that one is
    changed."""
    maker = value.defining_op
    return maker is not None and sum(sum(result.uses.values()) for result in maker.results) == 1


# ---- maps


def are_found(maps: Sequence[AffineMap], loops: int | None = None) -> bool:
    """Whether operands with these maps tell how often each loop runs: as many as there are, or as the maps have."""
    count = max((map.dims for map in maps), default=0) if loops is None else loops
    return places_of_loops(maps, count) is not None


def is_permutation(map: AffineMap) -> bool:
    dims = dims_of(map)
    return dims is not None and sorted(dims) == list(range(map.dims))


def inverse(map: AffineMap) -> AffineMap:
    """The permutation that undoes one."""
    dims = dims_of(map) or []
    return AffineMap(len(dims), 0, tuple(AffineDim(dims.index(dim)) for dim in range(map.dims)))


def composed(outer: AffineMap, inner: AffineMap) -> AffineMap:
    """A map of what another one gives."""
    return AffineMap(inner.dims, 0, tuple(substitute(result, inner.results, ()) for result in outer.results))


# ---- making them


def properties_of(form: Form) -> dict[str, Attribute]:
    """The properties of a `linalg.generic` of a form."""
    return {
        "indexing_maps": array_of(form.maps),
        "iterator_types": ArrayAttr(tuple(iterator_type(KINDS[loop]) for loop in form.loops)),
        "operandSegmentSizes": segment_sizes(len(form.inputs), len(form.inits)),
    }


def create_generic(
    rewriter: Rewriter, form: Form, types: Iterable[Type] | None = None, body: Region | None = None
) -> Operation:
    """A `linalg.generic`; its body, if it has none yet, is to be put in. Without types, the results are of those of the
    tensors that it writes."""
    if types is None:
        types = [value.type for value in form.inits if isinstance(value.type, TensorType)]
    properties = properties_of(form)
    return rewriter.create("linalg.generic", form.values, types, properties, regions=[body or Region()])


def clone_body(rewriter: Rewriter, source: Region, op: Operation, values: dict[Value, Value]) -> None:
    """Gives an operation without a body a copy of another one's, without the arguments that are in `values`."""
    block = op.regions[0].append(Block())
    for argument in source.entry.arguments:
        if argument not in values:
            values[argument] = add_argument_like(block, argument)
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        for inner in source.entry:
            rewriter.clone(inner, values)


def add_argument_like(block: Block, argument: BlockArgument) -> BlockArgument:
    """Adds an argument of the type of another one, which comes from where that does."""
    made = block.add_argument(argument.type, argument.span)
    made.location, made.name_hint = argument.location, argument.name_hint
    return made


DIALECT_WIDE: Final = ("tensor.cast", "linalg.pack", "linalg.unpack")


def canonicalizing(context: Definitions, *names: str) -> list[Pattern]:
    """The canonicalisation patterns for operations of these names, one after the other; for a dialect those that are
    not of one of its operations."""
    patterns: list[Pattern] = []
    for name in names:
        dialect, _, rest = name.partition(".")
        for pattern in context.aspect(CANONICALIZATION, dialect):
            is_wide = pattern.trait is not None or (pattern.root in DIALECT_WIDE and "TensorCast" in pattern.name)
            if pattern.root == name if rest else is_wide:
                patterns.append(pattern)
    return patterns


def canonicalizing_with(context: Definitions, dialect: str, *beginnings: str) -> list[Pattern]:
    """The canonicalisation patterns of a dialect whose names begin so."""
    return [pattern for pattern in context.aspect(CANONICALIZATION, dialect) if pattern.name.startswith(beginnings)]


def apply_once(root: Operation, context: Definitions, patterns: Sequence[Pattern]) -> None:
    """Goes over all operations once, inner ones first, and applies the first pattern that can be; not to what is
    made."""
    rewriter = Rewriter(context)
    for op in list(root.walk_postorder()):
        if op is root or op.parent is None:
            continue
        for pattern in patterns:
            if pattern.root == op.name:
                rewriter.set_insertion_before(op)
                rewriter.stand_in(op)
                if pattern.rewrite(op, op.operands, rewriter) is None:
                    break
