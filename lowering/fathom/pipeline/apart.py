"""A function lowered apart, as it would be with others beside it.

    module { f, g, h }   ->   the same as of   module { f }, module { g }, module { h }

So it is where each pass goes by function (`Pass.by_function`) or runs in a nest, if what runs is the same: of passes
that run only as they are needed, also those that others need. What passes declare on the way is counted once, in the
order in which the whole would have come to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from fathom.budget import MOST_OPERATIONS
from fathom.irdl.interfaces import symbol_name
from fathom.passes.definition import Pass
from fathom.pipeline.language import Named, Pipeline
from fathom.pipeline.lowering import Lowering, Verifying, run
from fathom.pipeline.observer import Observer
from fathom.pipeline.schedule import Demand
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.ir.operation_printer import Locator
    from fathom.pipeline.language import Item


@record
class Account:
    """What passes did for a function that counts for the whole. They go by their numbers in the pipeline."""

    needed: frozenset[int]
    """The passes that it needs itself, of those that run as they are needed."""
    declared: Mapping[int, tuple[str, ...]]
    """The names that passes put in front of the module, the first one last."""
    asked: Mapping[int, int]
    """How many operations for elements passes were to make."""


@record
class Numbered:
    """A pipeline with the numbers of its passes, by their identity, and those that run on the module itself, each with
    whether it runs only as it is needed."""

    pipeline: Pipeline
    numbers: Mapping[int, int]
    on_the_module: tuple[tuple[Pass, bool], ...]

    def goes_by_function(self, passes: Set[int]) -> bool:
        """Whether a lowering can be made of those of functions apart, where these passes are needed."""
        return not self.pipeline.errors and all(
            use.by_function or (as_needed and self.numbers[id(use)] not in passes)
            for use, as_needed in self.on_the_module
        )


def numbered(pipeline: Pipeline) -> Numbered:
    """A pipeline with the numbers of its passes."""
    numbers = {id(use): number for number, use in enumerate(pipeline.passes)}
    return Numbered(pipeline, numbers, tuple(_on_the_module(pipeline.root.items)))


def lowered_apart(
    by: Numbered,
    module: Operation,
    context: Context,
    passes: Set[int],
    *,
    observers: Sequence[Observer] = (),
    verifying: Verifying = "made",
    remembers: bool = False,
    locate: Locator | None = None,
    most_operations: int = MOST_OPERATIONS,
) -> tuple[Lowering, Account] | None:
    """What the pipeline makes of a module with functions and declarations, which it changes, where these passes are
    needed beside it too; the rest is as for a run. None if a pass puts a symbol anywhere else than in front of all, or
    has something to say."""
    demand = Demand(frozenset(use for use, number in by.numbers.items() if number in passes))
    watch = _Watch(module)
    lowering = run(
        by.pipeline,
        module,
        context,
        observers=(*observers, watch),
        verifying=verifying,
        remembers=remembers,
        locate=locate,
        most_operations=most_operations,
        demand=demand,
    )
    is_valid = lowering.is_valid or verifying != "made" or not lowering.stages
    if lowering.diagnostics or not is_valid or watch.is_lost:
        return None
    asked = {by.numbers[id(stage.use)]: stage.asked for stage in lowering.stages if stage.asked}
    declared = {by.numbers[use]: names for use, names in watch.declared.items()}
    return lowering, Account(frozenset(by.numbers[use] for use in demand.needed), declared, asked)


def declared_together(parts: Sequence[Account], most_operations: int = MOST_OPERATIONS) -> list[str] | None:
    """The names of what passes declare in front of a module that consists of these; None if they would have to make
    more operations for its elements than they may."""
    for number in sorted({number for part in parts for number in part.asked}):
        if sum(part.asked.get(number, 0) for part in parts) > most_operations:
            return None
    names: dict[str, None] = {}
    for number in sorted({number for part in parts for number in part.declared}):
        for part in parts:
            names |= dict.fromkeys(reversed(part.declared.get(number, ())))
    return [*reversed(names)]


def _on_the_module(items: Iterable[Item], *, as_needed: bool = False) -> Iterator[tuple[Pass, bool]]:
    """The passes that run on the module itself, each with whether it runs only as it is needed."""
    for item in items:
        if isinstance(item, Pass):
            yield item, as_needed
        elif isinstance(item, Named):
            yield from _on_the_module(item.items, as_needed=as_needed or item.named.only_as_needed)


class _Watch(Observer):
    """Sees what passes put in front of a module."""

    def __init__(self, module: Operation) -> None:
        self._module = module
        self._names = self._present()
        self.declared: dict[int, tuple[str, ...]] = {}
        self.is_lost = False

    def _present(self) -> list[str]:
        return [symbol_name(op) for region in self._module.regions for op in region.operations()]

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        del failed
        before, self._names = self._names, self._present()
        more = len(self._names) - len(before)
        if more < 0 or self._names[more:] != before or not all(self._names):
            self.is_lost = True
        elif more and op is self._module:
            self.declared[id(use)] = tuple(self._names[:more])
        elif more:
            self.is_lost = True
