"""What is said of tensors in memory: which buffer a value has, and why what is copied is.

The words are for somebody who has not heard of bufferization. Places are links to lines: `[line 12](#L12)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from fathom.bufferization.told import Form, Held, Made, Operand, Reason, Rule, Where, Which
from fathom.ir.operation import BlockArgument, OpResult
from fathom_server.features.hover.texts import name_of
from fathom_server.model.elaboration import elaborated
from fathom_server.model.in_memory import MOST_TENSORS, quickly_in_memory

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.syntax.tree import Item
    from fathom_server.model.snapshot import Snapshot

MOST: Final = 3
"""So many copies of a value, or reads that need one, are told one by one."""

TOO_MANY: Final = f"What it is in memory is not told: there are more than {MOST_TENSORS:,} tensors here."


class Tensors:
    """The tensors of an item, by its values and operations."""

    def __init__(self, snapshot: Snapshot, item: Item) -> None:
        self._snapshot = snapshot
        self._start = snapshot.start_of(item)
        self._found = quickly_in_memory(snapshot, item)
        self._operations: dict[tuple[int, int], Operation] = {}
        self._arguments: dict[tuple[int, int], Value] = {}
        if self._found.values or self._found.operands:
            known = elaborated(snapshot, item)
            known.place_all()
            for op in (op for outer in known.operations for op in outer.walk()):
                self._note(op)
        self._held: dict[Which, Held] = {held.value: held for held in self._found.values}
        self._last: dict[tuple[int, int], Where] = {}
        """Of the operations that were made of one, the last: its results are those of the one in the text."""
        for one in self._found.values:
            if not one.value.is_argument:
                self._last[_place(one.value.of)] = one.value.of

    def _note(self, op: Operation) -> None:
        if op.span is not None:
            # What a structured operation implies stands where that does, and comes after it.
            self._operations.setdefault((op.span.start, op.span.end), op)
        for argument in (a for region in op.regions for block in region.blocks for a in block.arguments):
            if argument.span is not None:
                self._arguments.setdefault((argument.span.start, argument.span.end), argument)

    @property
    def have_memory(self) -> bool:
        """Whether it is known what becomes of all of them."""
        return bool(self._found.values) and not self.failed

    @property
    def failed(self) -> bool:
        """Whether they get no memory, since something in the item has no form on it."""
        return self._found.failed

    @property
    def too_many(self) -> bool:
        """Whether there are so many of them that what becomes of them is not kept."""
        return self._found.too_many

    @property
    def made(self) -> tuple[Made, ...]:
        """What allocates and copies in the item."""
        return self._found.made

    # ---- what stands in the text

    def held(self, value: Value) -> Held | None:
        """What a value of the text is in memory."""
        if isinstance(value, BlockArgument):
            if value.span is None:
                return None
            place = value.span.start, value.span.end
            arguments = (
                argument
                for argument in self._found.values
                if argument.value.is_argument and _place(argument.value.of) == place
            )
            return next(arguments, None) if self._arguments.get(place) is value else None
        op = value.defining_op
        if op is None or op.span is None or self._operations.get((op.span.start, op.span.end)) is not op:
            return None
        assert isinstance(value, OpResult), "an operation defines it"
        last = Where(op.span.start, op.span.end, op.name)
        if Which(last, value.index) not in self._held:
            last = self._last.get((op.span.start, op.span.end), last)
        return self._held.get(Which(last, value.index))

    def operands(self, op: Operation) -> list[Operand]:
        """What was decided of the operands of an operation of the text, or of what was made of it."""
        if op.span is None:
            return []
        place = op.span.start, op.span.end
        return [operand for operand in self._found.operands if _place(operand.op) == place]

    def copies_of(self, value: Value) -> list[Operand]:
        """The uses of a value of the text that take a copy of it."""
        return [
            operand for operand in self._found.operands if operand.needs_contents and self.value(operand.value) is value
        ]

    def value(self, which: Which) -> Value | None:
        """The value of the text that is meant. What a pass made on the way to the only result of an operation stands
        for that; of several results it is None."""
        if which.is_copy:
            return None
        if which.is_argument:
            return self._arguments.get(_place(which.of))
        op = self._operations.get(_place(which.of))
        if op is None:
            return None
        if op.name == which.of.name or self._last.get(_place(which.of)) == which.of:
            return op.results[which.number] if which.number < len(op.results) else None
        return op.results[0] if len(op.results) == 1 else None

    # ---- words

    def line(self, where: Where) -> str:
        """A link to the line of an operation."""
        number = self._snapshot.tree.line_of(self._start + where.start)[0] + 1
        return f"[line {number}](#L{number})"

    def _name(self, which: Which) -> str:
        value = self.value(which)
        return f"`{name}`" if value is not None and (name := name_of(value)) else "a tensor"

    def _named(self, which: Which) -> str:
        """A value with its line."""
        return f"{self._name(which)} ({self.line(which.of)})"

    def _buffer(self, which: Which) -> str:
        """The buffer that begins with a value, or is a copy."""
        if which.is_copy:
            op = self._operations.get(_place(which.of))
            operand = op.operands[which.number] if op is not None and which.number < len(op.operands) else None
            name = f"`{name_of(operand)}`" if operand is not None and name_of(operand) else "a tensor"
            return f"a copy of {name} ({self.line(which.of)})"
        return f"the buffer of {self._named(which)}"

    def of_value(self, value: Value) -> Iterator[str]:
        """What a value is in memory."""
        if self.too_many:
            yield TOO_MANY
        held = self.held(value)
        if held is None:
            return
        yield f"In memory: {self._form(held)}."
        if held.copied is not None:
            elsewhere = f"Not written to the buffer of {self._name(held.of[0])}"
            yield f"{'Copied' if held.copied.needs_contents else elsewhere}, {self.why(held.copied)}."
        copies = self.copies_of(value)
        for copy in copies[:MOST]:
            yield f"Copied at {self.line(copy.op)}, {self.why(copy)}."
        if len(copies) > MOST:
            yield f"Copied in {len(copies) - MOST} more places."

    def of_operation(self, op: Operation) -> Iterator[str]:
        """What an operation does with the buffers of tensors."""
        for operand in self.operands(op):
            value, name = self.value(operand.value), self._name(operand.value)
            if value is None or value.defining_op is op:
                continue
            if operand.needs_contents:
                yield f"Copies {name} to a new buffer first, {self.why(operand)}."
            elif not operand.in_place:
                yield f"Writes to a new buffer instead of that of {name}, {self.why(operand)}."
            elif operand.is_written:
                yield f"Writes in place, to the buffer of {name}."

    def why(self, operand: Operand) -> str:
        """Why an operand is not in place."""
        reasons = list({(reason.rule, reason.write, reason.read): reason for reason in operand.reasons}.values())
        if not reasons:
            return "since the pipeline copies before each write"
        more = len(reasons) - 1
        also = f", and {more} more read{'s' if more > 1 else ''} would find what was written" if more else ""
        return f"since {self._reason(reasons[0], operand)}{also}"

    def _reason(self, reason: Reason, operand: Operand) -> str:
        if reason.rule is Rule.NOT_WRITABLE:
            return self._not_writable(reason.concerned)
        if reason.read is None or reason.value_read is None:
            return f"all rounds of a parallel loop would write to {self._named(reason.concerned)} at the same time"
        read = reason.value_read
        name = self._name(read if self.value(read) is not None else reason.concerned)
        if reason.read == reason.write:
            who = "this operation" if reason.write == operand.op else self.line(reason.write)
            return f"{who} reads {name} while it writes to the same buffer"
        again = " again, in a later round of the loop," if reason.comes_again else ""
        read_at, write_at = self.line(reason.read), self.line(reason.write)
        return f"{name} is read at {read_at}{again} after {write_at} writes to the same buffer"

    def _not_writable(self, which: Which) -> str:
        held = self._held.get(which)
        name = self._name(which)
        if held is not None and held.form is Form.GIVEN:
            return f"the caller's {name} must not be changed"
        if held is not None and held.form is Form.CONSTANT:
            return f"{name} is a constant, which must not be changed"
        return f"the buffer of {name} must not be written to"

    def _form(self, held: Held) -> str:
        origins = held.origins
        match held.form:
            case Form.NEW:
                return f"a new buffer{self._fate(held)}"
            case Form.CONSTANT:
                return "constant data, which nothing writes to"
            case Form.GIVEN:
                return f"the caller's buffer, which is {'written to' if self._is_written(held) else 'only read'}"
            case Form.COPY if held.copied is not None:
                copied = f" with a copy of {self._name(held.of[0])}" if held.copied.needs_contents else ""
                return f"a new buffer{copied}{self._fate(held)}"
            case Form.WRITTEN if all(_place(origin.of) == _place(held.value.of) for origin in origins):
                return f"a new buffer{self._fate(held)}"
            case Form.WRITTEN:
                return f"written in place, to {self._buffers(origins)}{self._fate(held)}"
            case Form.PART:
                return f"a part of {self._buffers(origins)}, as it is there; nothing is copied"
            case Form.SAME:
                return f"{self._buffers(origins)}, as it is; nothing is copied"
            case _:
                return f"{self._buffers(origins)}{self._fate(held)}"

    def _buffers(self, origins: Iterable[Which]) -> str:
        """The buffers that begin with some values."""
        names = list(dict.fromkeys(map(self._buffer, origins)))
        more = ["another one"] if len(names) > MOST else []
        return " or ".join([*names[:MOST], *more])

    def _is_written(self, held: Held) -> bool:
        """Whether the buffer that begins with a value is written."""
        return any(
            operand.in_place
            and operand.is_written
            and (of := self._held.get(operand.value))
            and held.value in of.origins
            for operand in self._found.operands
        )

    def _fate(self, held: Held) -> str:
        """What becomes of a buffer in the end, with a comma before it; empty for several."""
        begun = self._held.get(held.origins[0]) if len(held.origins) == 1 else None
        if begun is None or begun.form in (Form.GIVEN, Form.CONSTANT):
            return ""
        if begun.handed_on is not None:
            last = "; the last one is returned" if begun.is_returned else ""
            return f", which is handed on at {self.line(begun.handed_on)}{last}"
        if begun.is_returned:
            return ", which is returned to the caller" + (", who frees it" if self._found.frees else "")
        freed = [free for free in self._found.freed if _place(free.op) == _place(begun.value.of)]
        if freed:
            return f", which is freed before {self.line(freed[-1].before)}"
        return "" if self._found.frees else ", which the pipeline does not free"


def _place(where: Where) -> tuple[int, int]:
    return where.start, where.end
