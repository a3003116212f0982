"""The machine: functions, their blocks, and what each operation computes, as its dialect says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.interpreting.memory import Memory, number_of, size_of
from fathom.interpreting.printing import call_of_runtime
from fathom.interpreting.structured import structured
from fathom.interpreting.values import Array, Datum, MemRef, NotUnderstood, Trap, zero_of
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.types import ComplexType, element_type
from fathom.irdl.aspects import Aspect
from fathom.irdl.interfaces import FunctionLike, Structured, Symbol, symbol_name
from fathom.irdl.traits import TERMINATOR
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions

MOST_STEPS: Final = 1_000_000
"""A program that takes more operations is not interpreted to its end."""
_MOST_MADE: Final = 1 << 25
"""Nor one that makes more elements of arrays."""
_DEEPEST: Final = 100
"""So many calls may be open."""


@record(eq=False)
class Jump:
    """That control goes on in another block, with the values of its arguments."""

    block: Block
    values: Sequence[Datum]


Interpret: TypeAlias = "Callable[[Any, list[Any], Frame], Sequence[Datum] | Datum | Jump | None]"
"""What an operation computes of the values of its operands: that of its result, those of its results, or the jump of a
branch. Raises Trap and NotUnderstood."""

INTERPRETATION: Final[Aspect[Mapping[str, Interpret]]] = Aspect("interpretation", {}, lambda own, base: {**base, **own})
"""What the operations of a dialect compute, by their full names."""


class Machine:
    """A program that is interpreted. It keeps the last call of each function, with what its operations computed."""

    def __init__(
        self,
        module: Operation,
        context: Definitions,
        most_steps: int | None = None,
        *,
        most_known: int = MOST_STEPS,
        fill: int = 0,
    ) -> None:
        """`most_steps` is after how many operations a program counts as one that does not end, `most_known` after how
        many it is not interpreted to its end. Of what is not defined each byte is `fill`."""
        self.module = module
        self.memory = Memory(fill)
        self.printed: list[str] = []
        self.tells_printed = True
        """Whether that is all that the program printed."""
        self.globals: dict[str, int] = {}
        """The addresses of global variables that were used."""
        self.place: tuple[int, ...] | None = None
        """Where the loops of the structured operation are whose body runs."""
        self._context = context
        self._known: dict[str, Interpret | None] = {}
        self.steps = 0
        """How many operations were done."""
        self.trapped: Operation | None = None
        """The operation at which the program came to an end that it should not come to."""
        self._fill = fill
        self._most = most_steps
        self._most_known = most_known
        self._made = 0
        self._depth = 0
        self._returned: dict[Operation, Frame] = {}
        self._left: dict[Operation, Frame] = {}
        """The calls that were open when the program came to its end, of each function the innermost."""
        self._symbols: dict[str, Operation] = {}
        for op in module.walk():
            if op.interface(Symbol) is not None:
                self._symbols.setdefault(symbol_name(op), op)

    def symbol(self, name: str) -> Operation | None:
        """The operation of a name, if there is one."""
        return self._symbols.get(name)

    def call(self, function: Operation, arguments: Sequence[Datum]) -> Sequence[Datum]:
        """What a function returns. Raises Trap where it comes to another end, and NotUnderstood."""
        interface = function.interface(FunctionLike)
        body = interface.body(function) if interface is not None else None
        if body is None and call_of_runtime(self, symbol_name(function), arguments):
            return ()
        if body is None:
            raise NotUnderstood(f"the function @{symbol_name(function)} without a body")
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NotUnderstood("so deep a recursion")
        frame = Frame(self)
        try:
            made = frame.run(body, arguments)[1]
        except Trap:
            self._left.setdefault(function, frame)
            raise
        finally:
            self._depth -= 1
        self._returned[function] = frame
        return made

    @property
    def calls(self) -> dict[Operation, Frame]:
        """The last call of each function that was called: the last to return, or else the innermost that was open when
        the program came to its end."""
        return {**self._returned, **self._left}

    def undefined(self, type: Type) -> Datum:
        """What stands for a value that is not defined. Raises NotUnderstood."""
        self.memory.has_undefined = True
        if isinstance(type, ComplexType):
            return Array((2,), (self.undefined(type.element),) * 2)
        zero = zero_of(type)
        if not self._fill or isinstance(zero, MemRef):
            return zero
        if isinstance(zero, Array):
            return Array(zero.shape, (self.undefined(element_type(type)),) * len(zero.items))
        return number_of(bytes((self._fill,)) * size_of(type), type)

    def step(self) -> None:
        """Counts an operation. Raises Trap after too many, and NotUnderstood where it is not known how many are."""
        self.steps += 1
        if self._most is not None and self.steps > self._most:
            raise Trap("timeout", f"the program does not end within {self._most} operations")
        if self.steps > self._most_known:
            raise NotUnderstood(f"a program of more than {self._most_known} steps")

    def count(self, elements: int) -> None:
        """Counts elements of an array that was made. Raises NotUnderstood after too many."""
        self._made += elements
        if self._made > _MOST_MADE:
            raise NotUnderstood(f"a program that makes more than {_MOST_MADE} elements of arrays")

    def interpretation(self, op: Operation) -> Interpret:
        """What an operation computes. Raises NotUnderstood."""
        name = op.name
        if name not in self._known:
            is_structured = op.interface(Structured) is not None
            otherwise = structured if is_structured else None
            self._known[name] = self._context.aspect(INTERPRETATION, op.dialect).get(name, otherwise)
        known = self._known[name]
        if known is None:
            raise NotUnderstood(f"'{name}'")
        return known


class Frame:
    """The values of a call."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.memory = machine.memory
        self._values: dict[Value, Datum] = {}

    def __getitem__(self, value: Value) -> Datum:
        return self._values[value]

    def of(self, values: Sequence[Value]) -> list[Datum]:
        """What values are now."""
        return [self._values[value] for value in values]

    @property
    def known(self) -> Mapping[Value, Datum]:
        """What each value was last, of those that the call came to."""
        return self._values

    def run(self, region: Region, arguments: Sequence[Datum]) -> tuple[Operation, list[Datum]]:
        """Runs a region from its entry on; its end, the operation that leaves it, with the values of its operands."""
        block: Block | None = region.first
        while block is not None:
            for argument, given in zip(block.arguments, arguments, strict=True):
                self._values[argument] = given
            op = block.first
            jump: Jump | None = None
            while op is not None:
                if op.next is None and op.has(TERMINATOR) and not op.successors:
                    self.machine.step()
                    return op, self.of(op.operands)
                jump = self.do(op)
                op = op.next
            if jump is None:
                return _no_end(region)
            block, arguments = jump.block, jump.values
        raise NotUnderstood("a region without blocks")

    def do(self, op: Operation) -> Jump | None:
        """Does what an operation says, and keeps its results."""
        machine = self.machine
        machine.step()
        try:
            made = machine.interpretation(op)(op, self.of(op.operands), self)
        except Trap:
            machine.trapped = machine.trapped or op
            raise
        if isinstance(made, Jump):
            return made
        if made is None:
            return None
        values = [made] if isinstance(made, (int, float, Array, MemRef)) else made
        for result, value in zip(op.results, values, strict=True):
            self._values[result] = value
            if isinstance(value, Array):
                machine.count(len(value.items))
        return None


def _no_end(region: Region) -> tuple[Operation, list[Datum]]:
    """The end of a region whose block has no terminator."""
    assert region.parent is not None
    return region.parent, []
