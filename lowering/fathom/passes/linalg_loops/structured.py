"""Structured operations on buffers as loops around what their bodies compute.

    linalg.generic … ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) { ^bb0(%x: f32, %y: f32): … linalg.yield %r }
->
    scf.for %i = %c0 to %c4 step %c1 {
      %x = memref.load %a[%i] : memref<4xf32>
      %y = memref.load %b[%i] : memref<4xf32>
      …
      memref.store %r, %b[%i] : memref<4xf32>
    }

Source of the rules: *'linalg' Dialect*, "High-Level Description of Linalg Ops"; the order of what is made is that of
mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import canonicalize
from fathom.dialects.linalg.structured import inputs_and_inits, places_of_loops, shape_of
from fathom.ir.affine import AffineMap
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.clone import clone
from fathom.ir.operation import types_of
from fathom.ir.types import DYNAMIC, INDEX, MemRefType, TensorType
from fathom.irdl.interfaces import Structured
from fathom.ops.linalg import IndexOp
from fathom.passes.arithmetic import constant
from fathom.passes.linalg_loops.nests import Bounds
from fathom.rewriting.allowance import too_many_loops
from fathom.rewriting.canonicalization import CanonicalizationPatterns
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.greedy_driver import GreedyConfig, apply_greedily
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Value
    from fathom.passes.linalg_loops.nests import Loops
    from fathom.rewriting.rewriter import Rewriter

SIMPLIFIED: Final = frozenset({"affine.apply", "memref.dim", "tensor.dim"})
"""What is made beside the loops, and is canonicalised with them."""


def lower_to_loops(root: Operation, context: Context, loops: Loops) -> None:
    """Replaces all structured operations on buffers in `root` by loops. Others stay as they are."""
    canonical = CanonicalizationPatterns(context)

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        return _to_loops(op, rewriter, loops)

    known: dict[str, Sequence[Pattern]] = {}

    def patterns(name: str) -> Sequence[Pattern]:
        of_name = known.get(name)
        if of_name is None:
            if name in SIMPLIFIED:
                of_name = canonical.of(name)
            elif name.startswith("linalg."):
                of_name = (Pattern(name, rewrite, name="LinalgRewritePattern"),)
            else:
                of_name = ()
            known[name] = of_name
        return of_name

    apply_greedily(root, patterns, context, GreedyConfig())


def _to_loops(op: Operation, rewriter: Rewriter, loops: Loops) -> Failure | None:
    structured = op.interface(Structured)
    if structured is None or not _works_on_buffers(op):
        return Failure("expected linalg op with buffer semantics")
    maps, kinds = structured.maps(op), structured.loops(op)
    if maps is None or kinds is None or not op.regions or op.regions[0].is_empty:
        return Failure("its loops, maps and body are not as they should be")
    if (refused := too_many_loops(op, len(kinds))) is not None:
        return refused
    sizes = _sizes(op, maps, len(kinds), rewriter)
    if sizes is None:
        return Failure("the shapes of the operands do not tell how often the loops run")
    inner: list[Operation] = []
    variables: list[Value] = []

    def fill(induction: Sequence[Value]) -> None:
        variables.extend(induction)
        inner.extend(_fill_body(op, maps, induction, rewriter, loops))

    loops.nest(rewriter, Bounds(sizes, kinds), fill)
    if variables:
        for inner_op in inner:
            if isinstance(inner_op, IndexOp):
                rewriter.replace(inner_op, [variables[inner_op.dim.value]])
    rewriter.erase(op)
    return None


def _works_on_buffers(op: Operation) -> bool:
    types = types_of(op.operands)
    return any(isinstance(type, MemRefType) for type in types) and not any(
        isinstance(type, TensorType) for type in types
    )


def _sizes(op: Operation, maps: Sequence[AffineMap], count: int, rewriter: Rewriter) -> list[Value | int] | None:
    """How often each loop runs: as big as the first dimension that just this loop goes along. The sizes of all
    dimensions are looked up; None where a loop goes along none."""
    sizes: list[Value | int] = []
    for value in op.operands:
        for dim, extent in enumerate(shape_of(value.type)):
            if extent == DYNAMIC:
                position = constant(rewriter, dim)
                sizes.append(create_or_fold(rewriter, "memref.dim", [value, position], INDEX))
            else:
                sizes.append(extent)
    places = places_of_loops(maps, count)
    return [sizes[place] for place in places] if places is not None else None


def _fill_body(
    op: Operation, maps: Sequence[AffineMap], variables: Sequence[Value], rewriter: Rewriter, loops: Loops
) -> list[Operation]:
    """Loads, what is computed, and stores, where the rewriter stands; returns the copies of what the body has."""
    inputs, inits = inputs_and_inits(op)
    (body,) = op.regions
    block = body.entry
    values: dict[Value, Value] = {}
    for argument, operand, map in zip(block.arguments, [*inputs, *inits], maps, strict=True):
        if isinstance(operand.type, MemRefType):
            indices = _subscripts(map, variables, rewriter)
            values[argument] = loops.load(rewriter, operand, indices)
        else:
            values[argument] = operand
    targets = [
        (init, _subscripts(map, variables, rewriter)) for init, map in zip(inits, maps[len(inputs) :], strict=True)
    ]
    copies = [rewriter.insert(clone(op, values)) for op in block if op is not block.last]
    for value, (memref, indices) in zip(block.end.operands, targets, strict=True):
        loops.store(rewriter, values.get(value, value), memref, indices)
    return copies


def _subscripts(map: AffineMap, variables: Sequence[Value], rewriter: Rewriter) -> list[Value]:
    """An `affine.apply` for each result of a map."""
    subscripts: list[Value] = []
    for result in map.results:
        single, values = canonicalize(AffineMap(map.dims, map.symbols, (result,)), variables)
        subscripts.append(rewriter.create("affine.apply", values, [INDEX], {"map": AffineMapAttr(single)}).result)
    return subscripts
