"""Affine loop nests, made anew with vectors in the place of scalars.

Each operation is made anew in the order of the text; where one cannot be, what was made goes again.
Source of the rules: `SuperVectorize.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import apply
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineConstant, AffineDim, AffineExpr, AffineMap, add, identity_map, negate
from fathom.ir.attributes import (
    FALSE,
    AffineMapAttr,
    ArrayAttr,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    index_attr,
)
from fathom.ir.operation import Block, Operation, Region, types_of
from fathom.ir.traversal import ancestors
from fathom.ir.types import DYNAMIC, I1, INDEX, FloatType, IndexType, IntegerType, MemRefType, VectorType
from fathom.irdl.build import segment_sizes
from fathom.ops.affine import ApplyOp, ForOp, LoadOp, StoreOp, YieldOp
from fathom.ops.arith import ConstantOp
from fathom.passes.affine.domains import for_of, variable
from fathom.passes.affine.effort import count_steps
from fathom.passes.affine.parallelism import match_reduction
from fathom.passes.affine.vectorizable import is_vector_element, sequence_of
from fathom.passes.reductions import JOINED_BY, neutral
from fathom.passes.vectors.combining import combining_kind
from fathom.records import record
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import defined_by
from fathom.rewriting.reasons import called

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.passes.affine.parallelism import Reduction
    from fathom.rewriting.rewriter import Rewriter


@record(eq=False)
class Plan:
    """How long vectors are in each dimension; which dimension each loop is one of, and what loops reduce."""

    sizes: tuple[int, ...]
    dims: Mapping[Operation, int]
    reductions: Mapping[Operation, Sequence[Reduction]]

    def vector(self, element: Type) -> VectorType:
        return VectorType(self.sizes, element)


class Refused(Exception):
    """Something cannot be made a vector. It never leaves this module."""


def vectorize(root: ForOp, plan: Plan, rewriter: Rewriter) -> str | None:
    """Has vectors do what a nest does; why not, and nothing done, where that cannot be."""
    making = _Making(root, plan, rewriter)
    try:
        for op in [*root.walk()]:
            count_steps(16)
            making.make(op)
    except Refused as refusal:
        making.give_up()
        return str(refusal)
    making.finish()
    return None


class _Making:
    def __init__(self, root: ForOp, plan: Plan, rewriter: Rewriter) -> None:
        self.root = root
        self.plan = plan
        self.rewriter = rewriter
        self.vectors: dict[Value, Value] = {}
        self.scalars: dict[Value, Value] = {}
        self.results: dict[Value, Value] = {}
        self.dims: dict[Operation, int] = {}
        self.masks: dict[Operation, Value] = {}
        self.made: ForOp | None = None
        self.behind: list[Operation] = []
        block = root.parent
        assert block is not None, "a loop stands in a block"
        rewriter.block, rewriter.anchor = block, root.next

    def make(self, op: Operation) -> None:
        self.rewriter.stand_in(op)
        if isinstance(op, LoadOp):
            self._load(op)
        elif isinstance(op, StoreOp):
            self._store(op)
        elif isinstance(op, ForOp):
            self._loop(op)
        elif isinstance(op, YieldOp):
            self._yield(op)
        elif isinstance(op, ConstantOp):
            self._constant(op.result)
        elif isinstance(op, ApplyOp):
            self._apply(op)
        elif op.regions:
            raise Refused(f"there is a '{op.name}' in it")
        else:
            self._widen(op)

    def give_up(self) -> None:
        for op in reversed(self.behind):
            self.rewriter.erase(op)
        if self.made is not None:
            self.rewriter.erase(self.made)

    def finish(self) -> None:
        for old, new in self.results.items():
            self.rewriter.replace_all_uses(old, new)
        self.rewriter.erase(self.root)

    # ---- operands

    def _scalar(self, value: Value) -> Value:
        return self.scalars.get(value, value)

    def _vector(self, value: Value) -> Value:
        """The vector that stands for a value: where it is a constant, or the same in all iterations, one that has it in
        each element."""
        known = self.vectors.get(value)
        if known is not None:
            return known
        if defined_by(value, ConstantOp) is not None:
            return self._constant(value)
        if not self._is_uniform(value):
            raise Refused(f"{called(value)}, which changes in each iteration, is a value of which no vector is made")
        return self._spread(value)

    def _is_uniform(self, value: Value) -> bool:
        loop = for_of(value)
        if loop is not None and loop not in self.plan.dims:
            return True
        owner = value.parent_block.parent.parent if value.parent_block and value.parent_block.parent else None
        around = {owner, *(ancestors(owner) if owner is not None else ())}
        if any(widened in around for widened in self.plan.dims):
            return False
        return isinstance(value.type, (IntegerType, IndexType, FloatType))

    def _spread(self, value: Value) -> Value:
        scalar = self._scalar(value)
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_behind(scalar)
            self.rewriter.stand_in(value)
            made = self.rewriter.create("vector.broadcast", [scalar], [self.plan.vector(value.type)]).result
        self.vectors[value] = made
        return made

    def _constant(self, value: Value) -> Value:
        """The same constant in each element, where the innermost loop of vectors begins."""
        attribute = constant_value(value)
        if not is_vector_element(value.type) or not isinstance(attribute, (IntegerAttr, FloatAttr)):
            raise Refused(f"{called(value)} is no constant that a vector can have")
        block = self.rewriter.block
        op = block.parent.parent if block is not None and block.parent is not None else None
        while op is not None and op not in self.dims:
            op = op.parent_op
        if not isinstance(op, ForOp):
            raise Refused("a constant stands outside of the loops of vectors")
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_to_start(op.region.entry)
            self.rewriter.stand_in(value)
            made = self._dense(attribute, value.type)
        self.vectors[value] = made
        return made

    def _dense(self, attribute: IntegerAttr | FloatAttr, element: Type) -> Value:
        type = self.plan.vector(element)
        number = attribute.value if isinstance(attribute, IntegerAttr) else attribute.bits
        return self.rewriter.constant(DenseElementsAttr((number,), type), type)

    # ---- operations

    def _apply(self, op: ApplyOp) -> None:
        if any(operand in self.vectors for operand in op.operands):
            raise Refused("an affine.apply follows from what becomes a vector")
        operands = [self._scalar(operand) for operand in op.operands]
        made = self.rewriter.create(op.name, operands, [INDEX], {"map": op.map})
        self.scalars[op.result] = made.result

    def _widen(self, op: Operation) -> Operation:
        types = [self.plan.vector(result.type) for result in op.results]
        operands = [self._vector(operand) for operand in op.operands]
        made = Operation(op.name, operands, types, op.properties, op.attributes, span=op.span, definition=op.definition)
        made.location = op.location
        self.rewriter.insert(made)
        self.vectors.update(zip(op.results, made.results, strict=True))
        return made

    def _indices(self, op: LoadOp | StoreOp) -> list[Value]:
        """The subscripts, one value each."""
        map, operands = op.map.map, [self._scalar(operand) for operand in op.indices]
        if map == identity_map(len(map.results)):
            return operands
        if isinstance(op, LoadOp) and any(defined_by(operand, ApplyOp) is not None for operand in operands):
            raise Refused(f"a subscript of {called(op.memref)} comes from an affine.apply")
        return [
            self.rewriter.create(
                "affine.apply", operands, [INDEX], {"map": AffineMapAttr(AffineMap(map.dims, map.symbols, (result,)))}
            ).result
            for result in map.results
        ]

    def _transfer(self, indices: Sequence[Value], memref: Value) -> dict[str, Attribute]:
        """The properties of a transfer: which dimensions of the memref the vector's are."""
        varying = {loop: sequence_of(indices, variable(loop)) for loop in self.dims if isinstance(loop, ForOp)}
        if any(len(places) > 1 for places in varying.values()):
            raise Refused(f"the variable of a loop is in several subscripts of {called(memref)}")
        block = self.rewriter.block
        op = block.parent.parent if block is not None and block.parent is not None else None
        outside = [op, *ancestors(op)] if op is not None else []
        around = [outer for outer in outside if isinstance(outer, ForOp) and outer in self.dims]
        if len(around) != len(self.plan.sizes) or not isinstance(memref.type, MemRefType):
            raise Refused(f"an access to {called(memref)} stands in other loops than those of the vectors")
        results: list[AffineExpr] = [AffineConstant(0)] * len(around)
        for loop in around:
            for place in varying[loop]:
                results[self.dims[loop]] = AffineDim(place)
        return {
            "permutation_map": AffineMapAttr(AffineMap(len(indices), 0, tuple(results))),
            "in_bounds": ArrayAttr((FALSE,) * len(results)),
            "operandSegmentSizes": segment_sizes(1, len(indices), 1, 0),
        }

    def _load(self, op: LoadOp) -> None:
        assert isinstance(op.memref.type, MemRefType), "loads are from memrefs"
        element = op.memref.type.element
        indices = self._indices(op)
        properties = self._transfer(indices, op.memref)
        padding = self.rewriter.create("ub.poison", [], [element]).result
        operands = [op.memref, *indices, padding]
        made = self.rewriter.create("vector.transfer_read", operands, [self.plan.vector(element)], properties)
        self.vectors[op.result] = made.result

    def _store(self, op: StoreOp) -> None:
        self._check_end(op)
        value = self._vector(op.value)
        indices = self._indices(op)
        properties = self._transfer(indices, op.memref)
        properties["operandSegmentSizes"] = segment_sizes(1, 1, len(indices), 0)
        self.rewriter.create("vector.transfer_write", [value, op.memref, *indices], [], properties)

    def _check_end(self, op: StoreOp) -> None:
        """Refused where the last vector surely has lanes behind the last iteration that lie in the memref: MLIR 22
        writes there what no iteration does."""
        type = op.memref.type
        for loop, dim in self.plan.dims.items():
            if not isinstance(loop, ForOp):
                continue
            lower, upper = constant_bound(loop.lowerBoundMap), constant_bound(loop.upperBoundMap)
            if lower is None or upper is None or loop.step.value != 1 or not isinstance(type, MemRefType):
                continue
            if max(0, upper - lower) % self.plan.sizes[dim] == 0:
                continue
            for result, size in zip(op.map.map.results, type.ranked_shape, strict=True):
                is_along = isinstance(result, AffineDim) and op.indices[result.position] is variable(loop)
                if is_along and size != DYNAMIC and upper < size:
                    raise Refused(f"the last vector reaches behind the last iteration, in {called(op.memref)}")

    # ---- loops

    def _loop(self, op: ForOp) -> None:
        dim = self.plan.dims.get(op)
        step, reductions = op.step.value, self.plan.reductions.get(op, ())
        inits: list[Value] = []
        if dim is None:
            inits = [self._vector(value) for value in op.inits]
        elif op.inits:
            if step != 1 or len(reductions) != len(op.inits):
                raise Refused("what it carries is no reduction, or its step is not 1")
            inits = [
                self._neutral(reduction.kind, value) for reduction, value in zip(reductions, op.inits, strict=True)
            ]
        body = Block([INDEX, *types_of(inits)])
        for argument in body.arguments:
            argument.span, argument.location = op.span, op.location
        lower, upper = op.lowerBoundOperands, op.upperBoundOperands
        sizes = {"operandSegmentSizes": segment_sizes(len(lower), len(upper), len(inits))}
        # As in MLIR, a step of more than 32 bits is cut off.
        step = step if dim is None else step * self.plan.sizes[dim] % 2**32
        if not step:
            raise Refused("its step is 0 for vectors")
        properties = {**op.properties, **sizes, "step": index_attr(step)}
        made = self.rewriter.create(
            op.name, [*lower, *upper, *inits], types_of(inits), properties, regions=[Region([body])]
        )
        assert isinstance(made, ForOp), "the loop is made of its own name"
        self.made = self.made or made
        self.scalars[variable(op)] = body.arguments[0]
        self.vectors.update(zip(op.region.entry.arguments[1:], body.arguments[1:], strict=True))
        self.vectors.update(zip(op.results, made.results, strict=True))
        if dim is not None:
            for reduction, result, old, init in zip(reductions, made.results, op.results, op.inits, strict=True):
                self.results[old] = self._reduced(reduction.kind, result, init)
            self.dims[made] = dim
        self.rewriter.set_insertion_to_start(body)
        if dim is not None and inits:
            self._mask(made)

    def _neutral(self, kind: str, init: Value) -> Value:
        attribute = neutral(kind, init.type)
        if attribute is None:
            raise Refused(f"there is no neutral element of {kind} for {init.type}")
        with self.rewriter.standing_in(init):
            return self._dense(attribute, init.type)

    def _reduced(self, kind: str, vector: Value, init: Value) -> Value:
        """What the elements of a vector are together, and the initial value."""
        properties = {"kind": combining_kind(kind)}
        made = self.rewriter.create("vector.reduction", [vector], [init.type], properties)
        self.behind.append(made)
        if constant_value(init) != neutral(kind, init.type):
            made = self.rewriter.create(f"arith.{JOINED_BY[kind]}", [made.result, init], [init.type])
            self.behind.append(made)
        return made.result

    def _mask(self, loop: ForOp) -> None:
        """Which elements of the last vector are in the loop, unless all are."""
        low, high = constant_bound(loop.lowerBoundMap), constant_bound(loop.upperBoundMap)
        if low is not None and high is not None and (high - low) % loop.step.value == 0:
            return
        rewriter = self.rewriter
        map = loop.upperBoundMap.map
        with rewriter.elsewhere():
            rewriter.set_insertion_to_start(loop.region.entry)
            name = "affine.apply" if len(map.results) == 1 else "affine.min"
            end = rewriter.create(name, loop.upperBoundOperands, [INDEX], {"map": loop.upperBoundMap})
            left = apply(rewriter, add(AffineDim(0), negate(AffineDim(1))), [end.result, variable(loop)])
            if not end.result.uses:
                rewriter.erase(end)
            self.masks[loop] = rewriter.create("vector.create_mask", [left], [self.plan.vector(I1)]).result

    def _yield(self, op: YieldOp) -> None:
        self._widen(op)
        block = self.rewriter.block
        loop = block.parent.parent if block is not None and block.parent is not None else None
        if not isinstance(loop, ForOp):
            raise Refused("it yields outside of a loop")
        mask = self.masks.get(loop)
        if mask is not None:
            for place in range(len(loop.inits)):
                self._mask_combiner(loop, place, mask)
        self.rewriter.set_insertion_behind(loop)

    def _mask_combiner(self, loop: ForOp, place: int, mask: Value) -> None:
        """Has what is beyond the loop change nothing."""
        matched = match_reduction(loop.region.entry.arguments[1:], place)
        if matched is None:
            raise Refused("what it carries is no reduction by one operation")
        value, combiner = matched
        with self.rewriter.elsewhere():
            self.rewriter.set_insertion_before(combiner)
            self.rewriter.stand_in(value)
            made = self.rewriter.create("arith.select", [mask, value, loop.inits[place]], [value.type]).result
            self.rewriter.use_instead(combiner, value, made)
