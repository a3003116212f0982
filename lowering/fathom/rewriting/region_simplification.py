"""Takes away what cannot be reached and what nobody needs: blocks, operations, arguments of blocks.

    ^bb0:                                             ^bb0:
      %0 = arith.constant 1 : i32                       cf.br ^bb1
      cf.br ^bb1(%0 : i32)                     ->     ^bb1:
    ^bb1(%unused: i32):                                 return
      return

Source of the rules: *Operation Canonicalization*, "General Design", and mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fathom.ir.operation import BlockArgument, Operation, OpResult, Region, Value
from fathom.ir.traversal import postorder, reachable_blocks, unreachable_blocks
from fathom.irdl.interfaces import Branch, Symbol
from fathom.irdl.traits import TERMINATOR
from fathom.rewriting.block_merging import drop_redundant_arguments, merge_identical_blocks
from fathom.rewriting.effects import would_be_dead
from fathom.rewriting.observers import explaining
from fathom.rewriting.reasons import ERASE, effect

if TYPE_CHECKING:
    from fathom.rewriting.listening_rewriter import ListeningRewriter
    from fathom.rewriting.observers import Watch


def simplify_regions(rewriter: ListeningRewriter, regions: Iterable[Region], *, merge_blocks: bool) -> bool:
    """Simplifies the regions and those nested in them; whether anything changed."""
    regions = list(regions)
    changed = erase_unreachable_blocks(rewriter, regions)
    changed |= erase_dead(rewriter, regions)
    if merge_blocks:
        changed |= merge_identical_blocks(rewriter, regions)
        changed |= drop_redundant_arguments(rewriter, regions)
    return changed


def erase_unreachable_blocks(rewriter: ListeningRewriter, regions: Iterable[Region]) -> bool:
    """Erases the blocks, here and in nested regions, that their region's entry does not lead to."""
    changed = False
    pending = list(regions)
    while pending:
        region = pending.pop()
        for block in unreachable_blocks(region):
            for op in block:
                for result in op.results:
                    _drop_users(result)
            for argument in block.arguments:
                _drop_users(argument)
            rewriter.erase_block(block)
            changed = True
        pending += region.inner_regions()
    return changed


def _drop_users(value: Value) -> None:
    """Takes the operands away from all that uses a value in a block that is never reached: it goes as well."""
    for user in list(value.uses):
        user.set_operands([operand for operand in user.operands if operand is not value])


class _Liveness:
    """Which operations in some regions, and which arguments of their blocks, are needed; the others are dead.

    Who would be missed is needed, and so is whatever gives a value to what is needed: it is followed from use to
    definition, each once. A value that is only passed to an argument of a block waits for that.
    """

    def __init__(self, regions: Iterable[Region]) -> None:
        self.ops: set[Operation] = set()
        self.arguments: set[BlockArgument] = set()
        self._waiting: dict[BlockArgument, list[Value]] = {}
        self._pending: list[Value] = []
        watch = explaining()
        inside = list(regions)
        while inside:
            region = inside.pop()
            for block in reachable_blocks(region):
                op = block.first
                while op is not None:
                    if op.regions:
                        inside += op.regions
                    if op.successors or not would_be_dead(op):
                        self._need(op)
                        if watch is not None:
                            _tell_why_it_is_kept(op, watch)
                    op = op.next
        self._follow()

    def is_live(self, value: Value) -> bool:
        if isinstance(value, OpResult):
            return value.op in self.ops
        return value in self.arguments

    def _follow(self) -> None:
        while self._pending:
            value = self._pending.pop()
            if isinstance(value, OpResult):
                if value.op not in self.ops:
                    self._need(value.op)
            elif isinstance(value, BlockArgument):
                self._need_argument(value)

    def _need(self, op: Operation) -> None:
        if op in self.ops:
            return
        self.ops.add(op)
        if not op.successors:
            self._pending += op.operands
            return
        branch = op.interface(Branch)
        if branch is None:
            self._pending += op.operands
            for successor in op.successors:
                self._pending += successor.arguments
            return
        targets: dict[int, BlockArgument] = {}
        for edge in branch.edges(op):
            self._pending += edge.target.arguments[: edge.made]
            targets.update(edge.pairs)
        for index, operand in enumerate(op.operands):
            target = targets.get(index)
            if target is None or target in self.arguments:
                self._pending.append(operand)
            else:
                self._waiting.setdefault(target, []).append(operand)

    def _need_argument(self, argument: BlockArgument) -> None:
        if argument not in self.arguments:
            self.arguments.add(argument)
            self._pending += self._waiting.pop(argument, ())


def _tell_why_it_is_kept(op: Operation, watch: Watch) -> None:
    """That an operation stays, though no result of it is used."""
    if op.has(TERMINATOR) or op.interface(Symbol) is not None or any(result.uses for result in op.results):
        return
    watch.left(op, ERASE, effect(op, beside_reading=True))


def erase_dead(rewriter: ListeningRewriter, regions: Iterable[Region]) -> bool:
    """Erases the operations that nobody needs, cycles of them too, and block arguments; whether operations went.

    The arguments of entry blocks stay: they are a matter between the region and its operation.
    """
    regions = list(regions)
    live = _Liveness(regions)
    erased = False
    for region in regions:
        erased |= _erase_dead_in(rewriter, region, live)
    return erased


def _erase_dead_in(rewriter: ListeningRewriter, region: Region, live: _Liveness) -> bool:
    if region.first is None:
        return False
    erased = False
    for block in postorder(region.first):
        if region.first is not region.last and block.last is not None:
            _keep_live_operands(rewriter, block.last, live)
        before = block.last
        while (op := before) is not None:
            before = op.previous
            if op not in live.ops:
                erased = True
                for result in op.results:
                    _drop_users(result)
                rewriter.erase(op)
            else:
                for inner in op.regions:
                    erased |= _erase_dead_in(rewriter, inner, live)
    for block in region.blocks:
        if block is not region.first and not all(map(live.is_live, block.arguments)):
            block.erase_arguments([argument.index for argument in block.arguments if not live.is_live(argument)])
    return erased


def _keep_live_operands(rewriter: ListeningRewriter, terminator: Operation, live: _Liveness) -> None:
    """Stops passing what goes to dead arguments."""
    if all(map(live.is_live, (argument for block in terminator.successors for argument in block.arguments))):
        return
    branch = terminator.interface(Branch)
    if branch is None:
        return
    changed: dict[int, list[Value]] = {}
    for index, edge in enumerate(branch.edges(terminator)):
        targets = edge.target.arguments[edge.made :]
        kept = [value for value, target in zip(edge.passed, targets, strict=False) if live.is_live(target)]
        if len(kept) != len(edge.passed):
            changed[index] = kept
    if changed:
        rewriter.modify(terminator, lambda: branch.change(terminator, changed))
