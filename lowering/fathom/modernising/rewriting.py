"""The IR of an older edition of MLIR, rewritten to what MLIR 22 has: release by release, operations first, then types.

    std.addf  --14-->  arith.addf                              as the table of renames says
    llvm.load : !llvm.ptr<f32>  --18-->  llvm.load -> f32      as a rule says (`rules`), which reads types as they were

An operation stays the same object, so that all that knows where it stands in a text still does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from fathom.context import Context
from fathom.diagnostics import NO_COUNTERPART, Diagnostic
from fathom.editions.edition import BETWEEN, FIRST_RELEASE, OLDER
from fathom.editions.renames import Step, Way, steps
from fathom.editions.templates import rewritten
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.custom_text import CUSTOM_TEXT
from fathom.ir.naming import Names, ValueTexts
from fathom.ir.operation import Block, BlockArgument, Operation, Value
from fathom.ir.types import INDEX, Type
from fathom.irdl.definition import OpDefinition
from fathom.irdl.groups import Arity
from fathom.modernising.carrying import carry
from fathom.modernising.elements import ElementMap, Rule
from fathom.modernising.rereading import reread
from fathom.modernising.texts import behind_name, own_text
from fathom.slices import paced


class _AnyName(ValueTexts):
    """One name for all values, where no names are asked for."""

    def __missing__(self, value: Value) -> str:
        return "%0"


_NAMES: Final = Names(values=_AnyName())

OpRule: TypeAlias = "Callable[[Operation, Rewriting], None]"


class CannotSay(Exception):
    """Raised by a rule for what cannot be said today; it tells why."""


class Rewriting:
    """One module on its way. Rules change operations in place, and tell here what comes and goes."""

    def __init__(self, before: Context, context: Context, *, keeps_unknown: bool = False) -> None:
        self.edition: Final = last_release(before)
        """The release of LLVM behind which all that changed is still to come."""
        self.keeps_unknown: Final = keeps_unknown
        """Whether what today does not have stays as it is, as newer ones than MLIR 22 have such."""
        self.context: Final = context
        self._before: Final = before
        self.changed: Final[set[Operation]] = set()
        """The operations that rules changed, or renamed."""
        self.erased: Final[set[Operation]] = set()
        self.added: Final[dict[Operation, Operation]] = {}
        """The operations that are new, each with the one that it stands before."""
        self.as_written: Final[set[Operation]] = set()
        """The operations of which nothing but the text is known."""
        self.reread: Final[set[Operation]] = set()
        """Those among them of which today's definitions know more."""
        self.grown: Final[set[Operation]] = set()
        """The operations that got a result."""
        self.arguments: Final[list[BlockArgument]] = []
        """The arguments of blocks that are new."""
        self.problems: Final[list[Diagnostic]] = []

    def make(
        self,
        before: Operation,
        name: str,
        operands: Sequence[Value] = (),
        results: Sequence[Type] = (),
        properties: Mapping[str, Attribute] | None = None,
    ) -> Operation:
        """A new operation before another."""
        definition = self.context.lookup(name)
        op = Operation(name, operands, results, properties, span=before.span, definition=definition)
        block = before.parent
        assert block is not None, "what a rule changes stands in a block"
        block.insert_before(op, before)
        self.added[op] = before
        return op

    def constant(self, before: Operation, number: int) -> Value:
        """A constant of type `index`."""
        return self.make(before, "arith.constant", (), [INDEX], {"value": IntegerAttr(number, INDEX)}).result

    def become(
        self,
        op: Operation,
        name: str,
        operands: Sequence[Value] | None = None,
        properties: Mapping[str, Attribute] | None = None,
    ) -> None:
        """Makes an operation one of another name, with these operands and properties if they are given."""
        op.name = name
        if operands is not None:
            op.set_operands(operands)
        if properties is not None:
            op.properties.clear()
            op.properties.update(properties)

    def erase(self, op: Operation, values: Sequence[Value] = ()) -> None:
        """Takes an operation away, whose results become these."""
        op.replace_all_uses_with(values)
        op.erase()
        self.erased.add(op)

    def text(self, op: Operation) -> str:
        """What stands behind the name of an operation in its edition's own form."""
        return behind_name(own_text(op, _NAMES, {}, "", self._before.language, generic=False))

    def refuse(self, op: Operation, why: str) -> None:
        """Tells why an operation stays as it is."""
        self.problems.append(Diagnostic(why, op.span, "error", NO_COUNTERPART, op=op))


def last_release(context: Context) -> int:
    """The release of LLVM whose texts an edition reads, and no older ones: none for the oldest edition."""
    name = context.language.edition
    if name in BETWEEN:
        return int(BETWEEN[name][1])
    return int(name) if name != OLDER[-1] else FIRST_RELEASE - 1


def rewrite(
    module: Operation, rewriting: Rewriting, rules: Mapping[tuple[int, str], OpRule], elements: Sequence[Rule]
) -> None:
    """Rewrites a module in place: operations by the rules, each for a release and the name before it, and by the table
    of renames; then types and attributes."""
    ops = list(paced(module.walk()))
    for op in ops:
        _terminate(op, rewriting)
        if CUSTOM_TEXT in op.properties:
            rewriting.as_written.add(op)
        elif op not in rewriting.erased:
            _through_releases(op, rewriting, rules)
    for rule in elements:
        _convert(module, ElementMap(rule))
    for op in paced(module.walk()):
        if op in rewriting.as_written and reread(op, rewriting.edition, rewriting.context):
            rewriting.as_written.discard(op)
            rewriting.reread.add(op)
        elif op in rewriting.as_written:
            _refuse_what_is_gone(op, rewriting)
        elif op not in rewriting.as_written:
            _define(op, rewriting)


TERMINATORS: Final[Mapping[str, tuple[int, str, str]]] = {
    "linalg.pad_tensor": (14, "linalg.yield", "tensor.yield"),
    "vector.warp_execute_on_lane_0": (20, "vector.yield", "gpu.yield"),
}
"""The operations that moved to another dialect, and the terminators of their regions with them: since when, and their
names before and behind."""


def _terminate(op: Operation, rewriting: Rewriting) -> None:
    since, before, now = TERMINATORS.get(op.name, (0, "", ""))
    if since <= rewriting.edition:
        return
    for region in op.regions:
        for block in region.blocks:
            if block.last is not None and block.last.name == before:
                block.last.name = now
                rewriting.changed.add(block.last)


def _through_releases(op: Operation, rewriting: Rewriting, rules: Mapping[tuple[int, str], OpRule]) -> None:
    behind = rewriting.edition
    while True:
        name = op.name
        known = list(steps(name, behind))
        releases = {step.since for step in known} | {since for since, of in rules if of == name and since > behind}
        if not releases:
            return
        behind = min(releases)
        rule = rules.get((behind, name))
        try:
            if rule is not None:
                rule(op, rewriting)
                rewriting.changed.add(op)
            else:
                _by_table(op, next(step for step in known if step.since == behind), rewriting)
        except CannotSay as reason:
            rewriting.refuse(op, str(reason))
            return
        if op in rewriting.erased:
            return


def _refuse_what_is_gone(op: Operation, rewriting: Rewriting) -> None:
    """Tells why an operation of which nothing but the text is known stays as it is, if the table says what became of
    it."""
    gone = next((step for step in steps(op.name, rewriting.edition) if step.gone), None)
    if gone is not None:
        rewriting.refuse(op, f"'{op.name}' is gone since LLVM {gone.since}: {gone.gone}")


def _by_table(op: Operation, step: Step, rewriting: Rewriting) -> None:
    if not step.renames:
        return  # It is only written otherwise.
    way = _way(op, step, rewriting)
    if way is None:
        told = step.gone or next((f"it is written: {way.shown}" for way in step.ways if way.shown), "")
        raise CannotSay(f"'{op.name}' is gone since LLVM {step.since}" + (f": {told}" if told else ""))
    rewriting.changed.add(op)
    if way.now:
        op.name = way.now
    else:
        rewriting.erase(op)


def _way(op: Operation, step: Step, rewriting: Rewriting) -> Way | None:
    """Which of the ways an operation goes."""
    ways = [way for way in step.ways if way.fits]
    if len(ways) == 1:
        return ways[0]
    text = rewriting.text(op)
    for way in ways:
        if way.was is None or rewritten(way.was, None, text) is not None:
            return way
    return None


# ---- types and attributes


def _convert(module: Operation, elements: ElementMap) -> None:
    for op in paced(module.walk()):
        for result in op.results:
            result.type = elements.of(result.type)
        for region in op.regions:
            for block in region.blocks:
                _convert_arguments(block, elements)
        for entries in (op.properties, op.attributes):
            for name, value in entries.items():
                entries[name] = elements.of(value)
        if op.location is not None:
            op.location = elements.of(op.location)


def _convert_arguments(block: Block, elements: ElementMap) -> None:
    for argument in block.arguments:
        argument.type = elements.of(argument.type)


# ---- definitions


def _define(op: Operation, rewriting: Rewriting) -> None:
    """Gives an operation the definition that it has today, and its attributes their places in that."""
    before, now = op.definition, rewriting.context.lookup(op.name)
    if now is None and rewriting.keeps_unknown:
        return
    op.definition = now
    if now is None:
        if before is not None:
            rewriting.refuse(op, f"'{op.name}' has no counterpart in MLIR 22")
        return
    if before is now and op not in rewriting.changed:
        return
    try:
        carry(op, before, now, rewriting.context)
    except ValueError as reason:
        rewriting.refuse(op, f"'{op.name}': {reason}")
    if not _takes(now, len(op.operands)):
        rewriting.refuse(op, f"'{op.name}' takes other operands today")


def _takes(definition: OpDefinition, count: int) -> bool:
    """Whether an operation may have so many operands."""
    arities = [operand.arity for operand in definition.operands]
    least = sum(arity is Arity.ONE for arity in arities)
    return least <= count and (Arity.VARIADIC in arities or count <= len(arities))
