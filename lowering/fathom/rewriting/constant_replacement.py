"""Puts constants in the place of values that are known to be constant.

Each constant is made once for the region that its users share, at its beginning; the newest comes first. Source of the
rules: *Passes*, `-sccp`, and the order of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.locations import UnknownLoc
from fathom.ir.operation import Operation, Region, Value
from fathom.irdl.folding import MATERIALIZE_CONSTANT
from fathom.rewriting.constant_pool import insertion_region
from fathom.rewriting.constant_propagation import ConstantPropagation
from fathom.rewriting.constant_reasons import tell_why_it_varies
from fathom.rewriting.effects import would_be_dead
from fathom.rewriting.observers import explaining
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions


def replace_constants(root: Operation, context: Definitions) -> None:
    """Replaces the uses of all values in `root` that are constant whatever way the program takes."""
    watch = explaining()
    analysis = ConstantPropagation(root, {} if watch is not None else None)
    analysis.run()
    replacement = _Replacement(analysis, context)
    pending = _blocks(root.regions)
    while pending:
        block = pending.pop()
        for op in list(block):
            replaced = [replacement.replace(result, block) for result in op.results]
            if replaced and all(replaced) and would_be_dead(op):
                op.erase()
                continue
            if watch is not None and replaced:
                tell_why_it_varies(op, analysis, watch)
            pending += _blocks(op.regions)
        for argument in block.arguments:
            replacement.replace(argument, block)


def _blocks(regions: Iterable[Region]) -> list[Block]:
    """The blocks of some regions, each region's last one first."""
    return [block for region in regions for block in reversed(list(region.blocks))]


class _Replacement:
    """Makes the constants, and remembers those that it made."""

    def __init__(self, analysis: ConstantPropagation, context: Definitions) -> None:
        self._analysis = analysis
        self._context = context
        self._made: dict[Region, dict[tuple[str, Attribute, Type], Operation]] = {}

    def replace(self, value: Value, block: Block) -> bool:
        """Gives the users of a value the constant that it is; False where it is none, or none can be made of it."""
        known = self._analysis.constants.get(value)
        if known is None or known.attribute is None:
            return False
        constant = self._constant(block, known.dialect, known.attribute, value)
        if constant is None:
            return False
        value.replace_all_uses_with(constant.result)
        return True

    def _constant(self, block: Block, dialect: str, attribute: Attribute, value: Value) -> Operation | None:
        region = insertion_region(block, self._context)
        if region is None or region.first is None:
            return None
        made = self._made.setdefault(region, {})
        key = (dialect, attribute, value.type)
        op = made.get(key)
        if op is not None:
            return op
        make = self._context.aspect(MATERIALIZE_CONSTANT, dialect)
        span, _ = source_of(value)
        constant = make(self._context, attribute, value.type, span) if make is not None else None
        if constant is None:
            return None
        # Several dialects may make their constants with the same operation.
        other = (constant.dialect, attribute, value.type)
        if other != key and other in made:
            made[key] = made[other]
            return made[other]
        constant.location = UnknownLoc()
        region.first.insert_before(constant, region.first.first)
        made[key] = made[other] = constant
        return constant
