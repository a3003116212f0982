"""`linalg.generic` taken apart and made anew, and questions about structured operations.

Source of the rules: *'linalg' Dialect*, "High-Level Description of Linalg Ops".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.generic import iterator_type
from fathom.dialects.linalg.structured import array_of, inputs_and_inits, maps_and_loops
from fathom.ir.attributes import ArrayAttr
from fathom.ir.operation import Region
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.build import segment_sizes
from fathom.ops.linalg import YieldOp
from fathom.records import record
from fathom.rewriting.greedy_driver import GreedyConfig, apply_greedily

if TYPE_CHECKING:
    from fathom.ir.affine import AffineMap
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, BlockArgument, Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.rewriter import Rewriter

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
    found = maps_and_loops(op)
    if found is None or not op.regions or op.regions[0].is_empty:
        return None
    inputs, inits = inputs_and_inits(op)
    return Form(inputs, inits, *found)


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


def properties_of(form: Form) -> dict[str, Attribute]:
    """The properties of a `linalg.generic` of a form."""
    return {
        "indexing_maps": array_of(form.maps),
        "iterator_types": ArrayAttr(tuple(iterator_type(KINDS[each]) for each in form.loops)),
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


def apply_patterns(
    root: Operation, context: Definitions, patterns: Sequence[Pattern], config: GreedyConfig | None = None
) -> None:
    """Applies patterns as long as anything changes: for operations of a name, or all that have a trait."""
    known: dict[str, Sequence[Pattern]] = {}

    def patterns_for(name: str) -> Sequence[Pattern]:
        found = known.get(name)
        if found is None:
            definition = context.lookup(name)
            found = known[name] = [
                each
                for each in patterns
                if (each.trait is None and each.root == name)
                or (each.trait is not None and definition is not None and definition.has(each.trait))
            ]
        return found

    apply_greedily(root, patterns_for, context, config or GreedyConfig())
