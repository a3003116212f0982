"""What becomes of a unit on its way through the pipeline. Every stage is made of the nearest one before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from math import prod
from typing import Final

from fathom.diagnostics import LOWERING, Diagnostic, alone, is_failure
from fathom.elaborate.aliases import is_sound
from fathom.elaborate.type_places import TypePlaces
from fathom.execution.outcome import Check
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.dismantle import dismantle
from fathom.ir.operation import Operation, Span
from fathom.ir.types import Type, VectorType
from fathom.modernising.in_memory import modernise_in_memory
from fathom.pipeline.lowering import Lowering
from fathom.pipeline.segments import segment
from fathom.records import record, replace
from fathom.slices import paced
from fathom.syntax.events import OpenEvent, OpEvent
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item
from fathom.verify import verify
from fathom_server.model.elaboration import elaborated
from fathom_server.model.locations import locator
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.modules import (
    Module,
    are_taken,
    ask_what_is_needed,
    module_for,
    module_of_split,
    names_beside,
)
from fathom_server.model.own_code import faults_of_translation, mentions_code, runs_code
from fathom_server.model.pipelines import foreign, pipeline
from fathom_server.model.queries import NONE, fact, query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Unit

KEPT: Final = 64
"""So many stages of items are kept."""
KEPT_CHECKED: Final = 4
"""So many items are kept as they are run."""
KEPT_STALLS: Final = 1024
"""So many items are known by what is left behind of them."""


DECLARED: Final = "func.func"
"""The functions of which a declaration becomes one of the LLVM dialect."""
LONG: Final = 400
"""To lower an item of more lines than this takes longer than a key may; it is done in the process beside the server."""


MANY: Final = 1_000
"""Of an item with vectors of more elements than this, or with as many operands or results of maps, it takes longer too:
many operations are made for one."""
USUAL: Final = 16
"""So many operands, and as many results of a map, are not counted."""
SCOPES: Final = "ensure-debug-info-scope-on-llvm-func"
"""The pass that makes debug information of the lines in which operations stand. Where it runs, what is lowered follows
from these; else an edit above would have all below lowered again for nothing."""
ONE_REGISTER: Final = 64
"""A vector of one dimension and no more elements than this is left as it is."""


@query(keep=KEPT_STALLS)
def takes_long(snapshot: Snapshot, item: Item) -> bool:
    """Whether an item is to be lowered in the process beside the server."""
    if item.line_count > LONG or mentions_code(snapshot):
        return True
    counts = (_parts(op) for outer in elaborated(snapshot, item).operations for op in outer.walk())
    return any(count > MANY for count in accumulate(counts))


def _parts(op: Operation) -> int:
    """Of how many parts an operation may be taken to be for each of which others are made."""
    maps = (len(attribute.map.results) for attribute in op.properties.values() if isinstance(attribute, AffineMapAttr))
    listed = sum(count for count in (len(op.operands), *maps) if count > USUAL)
    return listed + sum(map(_elements, _defined(op)))


def _defined(op: Operation) -> Iterator[Type]:
    """The types of the values that an operation defines."""
    yield from (value.type for value in op.results)
    yield from (value.type for region in op.regions for block in region.blocks for value in block.arguments)


def _elements(type: Type) -> int:
    """Of how many elements a value may be taken to be for each of which an operation is made."""
    shape = type.ranked_shape if isinstance(type, VectorType) else ()
    return 0 if len(shape) < 2 and prod(shape) <= ONE_REGISTER else prod(shape)


@record
class LoweredModule:
    """A module, and its lowering by some passes of the pipeline, which is not to be changed.

    While `module.problem` is set no pass has run; if one failed, `lowering` says so, and none ran after it.
    """

    module: Module
    lowering: Lowering

    @property
    def stops(self) -> bool:
        """Whether no further pass can run."""
        return self.module.problem is not None or self.lowering.failed


def _dismantled(made: LoweredModule, key: tuple[object, ...]) -> None:
    """Takes the IR of a lowering apart, which the garbage collector would come for late (`fathom.ir.dismantle`). One
    with the bodies of what it uses may be that of `lowered_to_run` too."""
    _, _, bodies, _ = key
    if not bodies:
        dismantle(made.module.op)


def lowered(snapshot: Snapshot, unit: Unit, passes: int, bodies: bool) -> LoweredModule:
    """A unit, with declarations of what it uses or with `bodies` the whole of that, after the first `passes` passes.

    Its spans count from the beginning of its item. Of what else the document has beside it, the passes see the symbols
    that they would make themselves.
    """
    return _beside_others(snapshot, unit, lambda beside: lowered_beside(snapshot, unit, passes, bodies, beside))


@query(keep=KEPT, ends=_dismantled)
def lowered_beside(snapshot: Snapshot, unit: Unit, passes: int, bodies: bool, beside: frozenset[str]) -> LoweredModule:
    """A unit, with what it uses and the symbols of the names `beside`, after some passes."""
    return _from_furthest(
        snapshot,
        passes,
        lambda done: lowered_beside.remembered(snapshot, unit, done, bodies, beside),
        lambda: module_for(snapshot, (unit,), bodies, beside),
    )


def _from_furthest(
    snapshot: Snapshot,
    passes: int,
    remembered: Callable[[int], LoweredModule | None],
    source: Callable[[], Module],
) -> LoweredModule:
    """A lowering after some passes, which goes on from where most of them have run and that is `remembered`."""
    for done in range(passes - 1, -1, -1):
        before = remembered(done)
        if before is not None:
            # Each answer has a module of its own, which goes with it.
            return _continued(snapshot, before, before.module.copy(), passes)
    return begun(snapshot, source(), passes)


def lowered_together(snapshot: Snapshot, units: Sequence[Unit]) -> LoweredModule:
    """Units of one scope, with declarations of what they use, after the whole pipeline: a lowering that is nobody
    else's."""
    passes = len(pipeline(snapshot).passes)

    def lower(beside: frozenset[str]) -> LoweredModule:
        return begun(snapshot, module_for(snapshot, units, False, beside), passes)

    return _beside_others(snapshot, units[0], lower)


def _beside_others(snapshot: Snapshot, unit: Unit, lower: Callable[[frozenset[str]], LoweredModule]) -> LoweredModule:
    """The lowering with the symbols, by their names, that passes add in vain: each time there are more."""
    beside: frozenset[str] = frozenset()
    while True:
        made = lower(beside)
        more = are_taken(snapshot, unit, names_beside(made.module) - made.module.names)
        if not more:
            return made
        beside |= more


@query(keep=2)
def split_lowered(snapshot: Snapshot, split: Item | None, passes: int) -> LoweredModule:
    """A split of the document, by the line that begins it, after the first `passes` passes."""
    return _from_furthest(
        snapshot,
        passes,
        lambda done: split_lowered.remembered(snapshot, split, done),
        lambda: module_of_split(snapshot, split),
    )


def lowered_at_the_end(snapshot: Snapshot, unit: Unit, bodies: bool) -> LoweredModule:
    """A unit after the whole pipeline."""
    return lowered(snapshot, unit, len(pipeline(snapshot).passes), bodies)


@record
class ToRun:
    """A unit, with all that it uses, after the whole pipeline; the checks in it, and what is to be said of it, whose
    spans count as those of the module."""

    lowered: LoweredModule
    checks: tuple[Check, ...] = ()
    said: tuple[Diagnostic, ...] = ()


@query(keep=KEPT_CHECKED)
def lowered_to_run(snapshot: Snapshot, unit: Unit, checked: bool) -> ToRun:
    """A unit to be run, which looks at what its operations take for granted if it is `checked`."""
    from fathom.execution.masks import combine_masks

    passes, said, checks = len(pipeline(snapshot).passes), tuple[Diagnostic, ...](), tuple[Check, ...]()

    def lower(beside: frozenset[str]) -> LoweredModule:
        nonlocal said, checks
        module = module_for(snapshot, (unit,), True, beside)
        said, checks = (), ()
        if module.problem is None and not modernise_in_memory(module.op, snapshot.context):
            said = combine_masks(module.op, snapshot.context.newest)
            checks = _checks(module, snapshot) if checked else ()
        return begun(snapshot, module, passes) if said or checks else lowered_at_the_end(snapshot, unit, True)

    return ToRun(_beside_others(snapshot, unit, lower), checks, said)


def _checks(module: Module, snapshot: Snapshot) -> tuple[Check, ...]:
    from fathom.execution.checks import add_checks

    return add_checks(module.op, snapshot.context.newest)


def begun(snapshot: Snapshot, module: Module, passes: int) -> LoweredModule:
    """A new module, which is nobody else's, after the first `passes` passes."""
    first = Lowering(segment(pipeline(snapshot), 0, 0), module.op, snapshot.context)
    return _continued(snapshot, LoweredModule(module, first), module, passes)


def _continued(snapshot: Snapshot, before: LoweredModule, module: Module, passes: int) -> LoweredModule:
    """What is lowered already, in a copy of its module, after the first `passes` passes."""
    if before.stops:
        return LoweredModule(module, before.lowering.of_copy(module.op))
    # What may stand in its own table only, or names what is broken, is not valid in a module to begin with.
    is_valid = not module.is_apart or not verify(module.op, context=snapshot.context)
    verifying = "made" if is_valid else "never"
    whole, lowering = pipeline(snapshot), before.lowering
    if any(use.name == SCOPES for use in whole.passes):
        lowering = replace(lowering, locate=locator(snapshot, module.layout))
    after = lowering.continued(module.op, whole, passes, verifying)
    return LoweredModule(module, replace(after, locate=None))


def ask_basis(snapshot: Snapshot, unit: Unit, added: frozenset[str] = frozenset()) -> None:
    """Asks for all that the lowering of a unit follows from, at little cost: for what is learned of it from elsewhere.
    `added` are the names of the symbols that its passes add."""
    pipeline(snapshot)
    foreign(snapshot)
    is_reported(snapshot)
    ask_what_is_needed(snapshot, unit)
    are_taken(snapshot, unit, added)


def added(snapshot: Snapshot, unit: Unit) -> frozenset[str]:
    """The names of the symbols beside a unit that the whole pipeline leaves there, whoever made them."""
    return names_beside(lowered_at_the_end(snapshot, unit, False).module)


@query(keep=KEPT_STALLS)
def idle(snapshot: Snapshot, unit: Unit) -> frozenset[int] | None:
    """Which passes of the pipeline, by their numbers in it, have nothing to do for a unit; None while it cannot be
    lowered."""
    made = lowered_at_the_end(snapshot, unit, False)
    if made.module.problem is not None:
        return None
    ran = {id(stage.use) for stage in made.lowering.stages}
    passes = [id(use) in ran for use in pipeline(snapshot).passes]
    # Of those behind one that failed nothing is known.
    turns = max((number for number, has_run in enumerate(passes) if has_run), default=0) if made.stops else len(passes)
    return frozenset(number for number in range(turns) if not passes[number])


# ---- what is left behind


@fact(lambda _reach: NONE)
def is_reported(snapshot: Snapshot) -> bool:
    """Whether the settings ask for what is left behind."""
    return snapshot.settings.lowering_diagnostics != "never"


@query()
def stalled(snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """What is wrong with what the pipeline makes of an item, as errors, and what it would leave behind of it and why,
    as warnings; their spans count from its beginning.

    Nothing while the item or what it uses has errors, and nothing when the settings ask for none. Where code of the
    workspace is run, what it finds wrong with the item is said whatever the settings are: nobody else knows.
    """
    of_code, is_asked = runs_code(snapshot.context), _may_stall(snapshot, item)
    if not of_code and not is_asked:
        return ()
    errors = [diagnostic for diagnostic in diagnostics(snapshot, item) if diagnostic.severity == "error"]
    if errors or not is_asked:
        return tuple(map(alone, errors)) if of_code else ()
    unknown = foreign(snapshot)
    if unknown is not None:
        from fathom.passes.leftovers import History, of_foreign

        module = module_for(snapshot, (item,), False)
        said = of_foreign(module.op, History(tuple(unknown.passes))) if module.problem is None else []
        return _shown(snapshot, item, said)
    made = lowered_at_the_end(snapshot, item, False)
    idle(snapshot, item)  # While the lowering is at hand.
    if made.module.problem is not None:
        return ()
    findings = made.lowering.verdict(lambda: _source(snapshot, item)).findings
    if of_code and not findings:
        findings = tuple(faults_of_translation(made.lowering, made.module.inner))
    return _shown(snapshot, item, findings)


def quickly_stalled(snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """What `stalled` says of an item, if that is known or soon found out; else nothing."""
    return stalled(snapshot, item) if stalled.is_known(snapshot, item) or not takes_long(snapshot, item) else ()


def _may_stall(snapshot: Snapshot, item: Item) -> bool:
    """Whether it is to be said what is left behind of an item."""
    return is_reported(snapshot) and (has_function(item) or declares_function(item))


def _shown(snapshot: Snapshot, item: Item, said: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What was found in the item, failures as errors and all else as warnings; at the types that they are about, where
    these are written there."""

    def aliases() -> str:
        return "\n".join(item.text for item in snapshot.tree.items if is_sound(item))

    types = TypePlaces(item.text, aliases, snapshot.context)
    shown: list[Diagnostic] = []
    for finding in paced(said):
        span = finding.span if finding.span is not None or finding.place is None else _beginning(item)
        if span is None or not 0 <= span.start < item.length:
            continue
        place = types.place(span, finding.types[0]) if finding.types else None
        severity = "warning" if finding.severity == "error" and not is_failure(finding) else finding.severity
        placed = replace(alone(finding), severity=severity, code=finding.code or LOWERING)
        shown.append(replace(placed, span=place or placed.span or span))
    return tuple(shown)


def _beginning(item: Item) -> Span:
    """The first line of an item that says something: there stands what is about no operation of it."""
    index = max(item.first_statement, 0)
    start, line = item.start(index), item.pieces[index].lines[0]
    return Span(start, start + len(line.rstrip()))


def _source(snapshot: Snapshot, item: Item) -> Operation:
    """What an item is lowered from at the end. It is made again: only of what does not lower anybody asks."""
    return module_for(snapshot, (item,), False, lowered_at_the_end(snapshot, item, False).module.names).op


def has_function(item: Item) -> bool:
    """Whether an item has a function in it."""
    return any(item.pieces.known(_opens_function))


def declares_function(item: Item) -> bool:
    """Whether an item has the declaration of a function in it, whose signature is converted too."""
    return any(item.pieces.known(_declares_function))


def _declares_function(chunk: Chunk[Piece]) -> bool:
    events = (event for piece in chunk.elements for event in piece.shape.events)
    return any(isinstance(event, OpEvent) and event.parsed.name == DECLARED for event in events)


def _opens_function(chunk: Chunk[Piece]) -> bool:
    events = (event for piece in chunk.elements for event in piece.shape.events)
    return any(isinstance(event, OpenEvent) and event.open.is_function for event in events)
