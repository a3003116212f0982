"""The deallocations of one function: part of `ownership-based-buffer-deallocation`.

Blocks are gone through from the inside out, each after those that dominate it. What an operation does to buffers
follows from its interfaces, or its dialect says it (`fathom.bufferization.ownership`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.options import NotFreed
from fathom.bufferization.origins import is_buffer
from fathom.bufferization.ownership import DEALLOCATION, Deallocating, Ownership, constant, truth
from fathom.bufferization.regions import branches_into_regions
from fathom.ir.attributes import StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.dominators import dominated_blocks
from fathom.ir.operation import Block, Operation, Value, types_of
from fathom.ir.traversal import outermost, reachable_blocks
from fathom.ir.types import I1, FunctionType
from fathom.irdl.interfaces import Branch, Call, Effect, EffectKind, FunctionLike, RegionBranch, StackAllocation, Symbol
from fathom.ops.func import FuncOp
from fathom.passes.buffers import choose
from fathom.passes.transforms.ownership_based_buffer_deallocation.preconditions import (
    check_loops,
    check_operation,
)
from fathom.rewriting.effects import own_effects
from fathom.rewriting.region_branches import is_region_terminator
from fathom.rewriting.rewriter import Rewriter, source_of
from fathom.rewriting.symbol_uses import SymbolTables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fathom.ir.operation import Region
    from fathom.irdl.dialect import Definitions

BY_HAND: Final = "bufferization.manual_deallocation"
"""The attribute of what is allocated and freed by the program itself."""


def deallocate(root: Operation, context: Definitions, *, is_dynamic: bool) -> None:
    """Inserts what frees into each function in an operation. Raises Refusal."""
    tables = SymbolTables()
    for op in list(root.walk_postorder()):
        if isinstance(op, FuncOp) and not op.body.is_empty:
            _FunctionDeallocation(op, context, tables, is_dynamic=is_dynamic).run()


class _FunctionDeallocation:
    """One function, and what is known of its buffers so far."""

    def __init__(self, function: Operation, context: Definitions, tables: SymbolTables, *, is_dynamic: bool) -> None:
        self._function = function
        self._tables = tables
        self._root = outermost(function)
        self._rewriter = Rewriter(context)
        self._is_dynamic = is_dynamic
        self._added: dict[Block, int] = {}
        """How many arguments blocks have for conditions."""

    def run(self) -> None:
        check_loops(self._function)
        self._state = Ownership(self._function)
        for block in list(_blocks_in(self._function)):
            self._own_what_comes_in(block)
            for op in block:
                self._process(op)
        self._update_signature()

    # ---- what a block is given

    def _own_what_comes_in(self, block: Block) -> None:
        state, rewriter = self._state, self._rewriter
        rewriter.set_insertion_to_start(block)
        for memref in state.live.into(block):
            defined_in = memref.parent_block
            if defined_in is not None and defined_in.parent is block.parent:
                state.add(memref, state.of(memref, defined_in), block)
                state.free_at_end(memref, block)
            else:
                state.add(memref, self._constant_for(memref, False), block)
        is_signature = block.is_entry and _function_type(block.parent) is not None
        for argument in list(block.arguments):
            if is_buffer(argument):
                if is_signature:
                    owner: Value = self._constant_for(argument, False)
                else:
                    owner = block.add_argument(I1, argument.span)
                    owner.location = argument.location
                    self._added[block] = self._added.get(block, 0) + 1
                state.add(argument, owner)
                state.free_at_end(argument, block)

    def _constant_for(self, memref: Value, value: bool) -> Value:
        self._rewriter.span, self._rewriter.location = source_of(memref)
        return constant(self._rewriter, value)

    # ---- operations

    def _process(self, op: Operation) -> None:
        """What an operation frees, allocates and hands on."""
        self._rewriter.set_insertion_before(op)
        self._rewriter.stand_in(op)
        model = _model(op)
        if model is not None:
            model.process(op, self._state, self._rewriter)
        else:
            check_operation(op)
            effects = own_effects(op)
            if effects:
                self._note_effects(op, effects)
            if branches_into_regions(op):
                self._pass_into_regions(op)
            if (call := op.interface(Call)) is not None:
                self._own_what_is_returned(op, call)
            if (branch := op.interface(Branch)) is not None:
                self._free_before_branch(op, branch)
            if is_region_terminator(op):
                self._free_before_end(op)
        self._own_the_rest(op)

    def _note_effects(self, op: Operation, effects: Sequence[Effect]) -> None:
        state, rewriter = self._state, self._rewriter
        is_by_hand = BY_HAND in op.attributes
        freed = {effect.value for effect in effects if effect.kind is EffectKind.FREE}
        for memref in op.operands:
            if is_buffer(memref) and memref in freed:
                if not is_by_hand:
                    raise NotFreed(op, "memory free side-effect on MemRef value not supported!")
                owner = state.of(memref, op.parent)
                if isinstance(owner, Value):
                    inverted = rewriter.create("arith.xori", [owner, constant(rewriter, True)], [I1]).result
                    message = StringAttr("expected that the block does not have ownership")
                    rewriter.create("cf.assert", [inverted], (), {"msg": message})
        made = {effect.value for effect in effects if effect.kind is EffectKind.ALLOCATE}
        allocated = [result for result in op.results if is_buffer(result) and result in made]
        if not allocated or op.parent is None:
            return
        ends_itself = is_by_hand or op.interface(StackAllocation) is not None
        with rewriter.elsewhere():
            rewriter.set_insertion_to_start(op.parent)
            for memref in allocated:
                if ends_itself:
                    state.forget([memref], op.parent)
                else:
                    state.free_at_end(memref, op.parent)
                state.add(memref, constant(rewriter, not ends_itself))

    def _pass_into_regions(self, op: Operation) -> None:
        """With each memref that goes in or comes out goes a condition; what goes in is not owned inside."""
        rewriter = self._rewriter
        branch = op.interface(RegionBranch)
        edges = branch.enter(op, [None] * len(op.operands)) if branch is not None else ()
        passed = sum(map(is_buffer, edges[0].passed)) if edges else 0
        with rewriter.elsewhere():
            if op.parent is not None:
                rewriter.set_insertion_to_start(op.parent)
            unowned = constant(rewriter, False)
        op.set_operands([*op.operands, *[unowned] * passed])
        self._own_results(op)

    def _own_results(self, op: Operation) -> None:
        """With each memref that an operation returns comes whether it is owned."""
        for memref in [result for result in op.results if is_buffer(result)]:
            self._state.add(memref, op.add_result(I1))
            self._state.free_at_end(memref, op.parent)

    def _own_what_is_returned(self, op: Operation, call: Call) -> None:
        callee = call.callee(op)
        function = self._tables.nearest(op, callee, self._root) if isinstance(callee, SymbolRefAttr) else None
        if self._is_dynamic and function is not None and _says_what_is_owned(function):
            self._own_results(op)
            return
        owned = constant(self._rewriter, True)
        for memref in op.results:
            if is_buffer(memref):
                self._state.add(memref, owned)
                self._state.free_at_end(memref, op.parent)

    def _free_before_branch(self, op: Operation, branch: Branch) -> None:
        state, rewriter = self._state, self._rewriter
        if len(op.successors) > 1:
            several = "BranchOpInterface operations with multiple successors are not supported yet"
            raise NotFreed(op, several)
        edges = branch.edges(op)
        if not edges:
            one = "only BranchOpInterface operations with exactly one successor are supported yet"
            raise NotFreed(op, one)
        (edge,) = edges
        # A block may be gone through before a branch to it.
        if len(edge.target.arguments) - self._added.get(edge.target, 0) > len(edge.passed):
            raise NotFreed(op, "produced operands are not supported")
        memory, conditions = state.to_free(op, rewriter)
        retained = state.to_retain(op.parent, edge.target, edge.passed)
        made = state.deallocate(op, memory, conditions, retained, rewriter)
        branch.change(op, {0: [*edge.passed, *made[: sum(map(is_buffer, edge.passed))]]})

    def _free_before_end(self, op: Operation) -> None:
        """A function that says nothing of what it hands on owns all that it returns, if need be by a copy."""
        outer = op.parent_op
        gives_all = self._gives_all_away(outer)
        if gives_all:
            for place, value in enumerate(op.operands):
                if is_buffer(value):
                    op.set_operand(place, self._owned(value, op.parent))
        passed = _passed_on(op, outer)
        owners = self._state.free_before_end(op, op.operands[passed.start : passed.stop], self._rewriter)
        if not gives_all:
            op.set_operands([*op.operands[: passed.stop], *owners, *op.operands[passed.stop :]])

    def _gives_all_away(self, op: Operation | None) -> bool:
        if op is None or op.interface(FunctionLike) is None:
            return False
        return not self._is_dynamic or not _says_what_is_owned(op)

    def _owned(self, memref: Value, block: Block | None) -> Value:
        """The same buffer if the block owns it, or else a copy of it, that it owns."""
        state, rewriter = self._state, self._rewriter
        maker = memref.defining_op
        model = _model(maker) if maker is not None and maker.parent is block else None
        if model is not None:
            memref, condition = model.unique(maker, memref, state, rewriter)
        else:
            memref, condition = state.unique(memref, block, rewriter)
        if truth(condition):
            return memref
        with rewriter.elsewhere():
            rewriter.span, rewriter.location = source_of(memref)

            def clone() -> Sequence[Value]:
                return rewriter.create("bufferization.clone", [memref], [memref.type]).results

            owned = choose(rewriter, condition, (lambda: [memref], clone)).results[0]
            state.add(owned, constant(rewriter, True))
        state.free_at_end(owned, owned.parent_block)
        return owned

    def _own_the_rest(self, op: Operation) -> None:
        """A memref that was not allocated may be any of those that the operation gets; where there is none, nothing is
        known to have to be freed."""
        state, block = self._state, op.parent
        for memref in op.results:
            if not is_buffer(memref) or state.of(memref, block) is not None:
                continue
            for operand in op.operands:
                if is_buffer(operand):
                    state.add(memref, state.of(operand, operand.parent_block), block)
            if state.of(memref, block) is None:
                state.add(memref, constant(self._rewriter, False), block)

    # ---- the signature

    def _update_signature(self) -> None:
        """The function returns what its ends hand on."""
        region = self._function.regions[0]
        ends = [op for block in region.blocks for op in block if is_region_terminator(op)]
        types = [tuple(types_of(end.operands)) for end in ends]
        if any(listed != types[0] for listed in types):
            several = "there are multiple return operations with different operand types"
            raise NotFreed(self._function, several)
        former = _function_type(region)
        if former is not None:
            results = types[0] if types else former.results
            inputs = tuple(types_of(region.entry.arguments))
            self._function.properties["function_type"] = TypeAttr(FunctionType(inputs, results))


def _model(op: Operation) -> Deallocating | None:
    return op.definition.told(DEALLOCATION) if op.definition is not None else None


def _function_type(region: Region | None) -> FunctionType | None:
    """The signature of the function whose body a region is."""
    op = region.parent if region is not None else None
    function = op.interface(FunctionLike) if op is not None else None
    type = function.type(op) if function is not None else None
    return type if isinstance(type, FunctionType) else None


def _says_what_is_owned(function: Operation) -> bool:
    """Whether nobody else sees the signature of a function, so that it can return more."""
    symbol, known = function.interface(Symbol), function.interface(FunctionLike)
    is_private = symbol is not None and symbol.visibility(function) == "private"
    return is_private and known is not None and known.body(function) is not None


def _passed_on(op: Operation, outer: Operation | None) -> range:
    """The operands at the end of a region that become results or arguments."""
    branch = outer.interface(RegionBranch) if outer is not None else None
    if branch is None:
        return range(len(op.operands))
    edges = branch.leave(outer, op, [None] * len(op.operands))
    return range(edges[0].start, edges[0].start + len(edges[0].passed)) if edges else range(0)


def _blocks_in(op: Operation) -> Iterator[Block]:
    """The blocks in an operation that can be reached, each after those in it and those that dominate it."""
    for region in op.regions:
        for block in _dominating_first(region):
            for inner in block:
                if inner.regions:
                    yield from _blocks_in(inner)
            yield block


def _dominating_first(region: Region) -> list[Block]:
    entry = region.first
    if entry is None or entry is region.last:
        return [entry] if entry is not None else []
    numbers = {block: number for number, block in enumerate(reachable_blocks(region))}
    below = dominated_blocks(entry)
    blocks: list[Block] = []
    pending = [entry]
    while pending:
        block = pending.pop()
        blocks.append(block)
        pending += sorted(below.get(block, ()), key=numbers.__getitem__, reverse=True)
    return blocks
