"""What canonical loops and what stands for them are called: by where they stand in the nest of loops around them.

    canonloop, canonloop_d1      a loop, and one nested in it
    canonloop_s0, canonloop_s1   loops one after the other
    canonloop_r0, canonloop_r1   loops in the regions of one operation

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.operation import Operation, Region, Value
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.ops.omp import CanonicalLoopOp, TileOp, UnrollHeuristicOp
from fathom.records import record


@record(frozen=False, eq=False)
class _Step:
    """A step on the way out from a loop: an operation in its region, or (`is_region`) a region of its operation.
    `number` is its place among those that could be meant; `is_only` says that there is no other."""

    is_region: bool
    is_loop: bool
    number: int
    is_only: bool
    depth: int = 0
    skip: bool = False

    @property
    def suffix(self) -> str:
        if self.is_region:
            return f"_r{self.number}"
        return f"_d{self.depth}" if self.depth else f"_s{self.number}"


def loop_name(prefix: str, loop: Operation) -> str:
    """The prefix, and what tells the loop from others in the same names."""
    steps = _way_out(loop)
    for step in steps:
        step.skip = step.is_region and step.is_only
    _find_depths(steps)
    _keep_innermost_depth(steps)
    for step in steps:
        step.skip = step.skip or (not step.is_region and step.is_only and not step.is_loop)
    is_new = True
    for step in reversed(steps):
        step.skip = step.skip or (is_new and step.is_only)
        is_new = is_new or not step.skip
        if not step.is_region:
            is_new = False
    return prefix + "".join(step.suffix for step in reversed(steps) if not step.skip)


def _way_out(loop: Operation) -> list[_Step]:
    """From the loop to the operation around it that is isolated from above."""
    steps: list[_Step] = []
    op = loop
    while True:
        region = op.parent_region
        if region is None:
            break
        number, is_only = _place(op, region)
        steps.append(_Step(False, isinstance(op, CanonicalLoopOp), number, is_only))
        parent = region.parent
        around = _Step(True, False, 0, True)
        steps.append(around)
        if parent is None or parent.has(ISOLATED_FROM_ABOVE):
            break
        if len(parent.regions) > 1:
            around.is_only = False
            around.number = parent.regions.index(region)
        op = parent
    return steps


def _place(op: Operation, region: Region) -> tuple[int, bool]:
    """How many operations with regions stand before `op` in its region, and whether there is none but it."""
    before = count = 0
    is_met = False
    for block in region.blocks:
        for inner in block:
            if inner is op:
                is_met, before = True, count
            count += bool(inner.regions)
            if is_met and count > 1:
                return before, False
    return before, count <= 1


def _find_depths(steps: Sequence[_Step]) -> None:
    """How many loops stand around each in its nest."""
    around = 0
    for step in reversed(steps):
        if step.skip:
            continue
        if step.is_region or not step.is_only:
            around = 0
        if not step.is_region:
            step.depth = around
            around += step.is_loop


def _keep_innermost_depth(steps: Sequence[_Step]) -> None:
    """Of the loops of a nest the innermost says the depth, which is enough."""
    in_nest = False
    for step in steps:
        if step.skip or step.is_region:
            continue
        if not in_nest and step.depth:
            in_nest = True
        elif in_nest:
            step.skip = step.skip or step.is_only
            in_nest = step.depth > 0


def generator_of(info: Value) -> Operation | None:
    """The operation that makes the loop for which a value stands."""
    return next((user for user in info.uses if info in generated_by(user)), None)


def generated_by(op: Operation) -> Sequence[Value]:
    """The values for the loops that an operation makes."""
    if isinstance(op, CanonicalLoopOp):
        return [op.cli] if op.cli is not None else []
    return op.generatees if isinstance(op, TileOp) else ()


def applied_by(op: Operation) -> Sequence[Value]:
    """The values for the loops that an operation transforms."""
    if isinstance(op, TileOp):
        return op.applyees
    return [op.applyee] if isinstance(op, UnrollHeuristicOp) else ()


def info_names(op: Operation) -> Sequence[str | None]:
    """What the result of `omp.new_cli` is called."""
    info = op.result
    generator = generator_of(info)
    if generator is None:
        return ("cli",)
    if isinstance(generator, CanonicalLoopOp):
        return (loop_name("canonloop", generator),)
    generated = generated_by(generator)
    index, half = generated.index(info), len(generated) // 2
    return (f"grid{index + 1}" if index < half else f"intratile{index - half + 1}",)


def variable_names(op: Operation) -> Sequence[Sequence[str]]:
    """What the variable of `omp.canonical_loop` is called."""
    return ((loop_name("iv", op),),)
