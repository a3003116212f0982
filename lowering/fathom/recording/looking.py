"""What code reads of operations and values before it says no: for patterns and folds that give no reason.

    with looking(module) as seen:
        pattern.rewrite(op, op.operands, rewriter)
    seen.last(3)                       ("%m is of type memref<?xf32>", "%x comes from 'arith.addi'")

Meanwhile the operations and values of a module are of classes that note what is asked of them. The module is one that
was made to be looked at, and is thrown away.
"""

from __future__ import annotations

from contextlib import contextmanager
from inspect import currentframe
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from fathom.ir.attributes import Attribute
from fathom.ir.naming import name_values
from fathom.ir.operation import OWN_NAMES, Operation, Region
from fathom.ir.printing_flags import PrintingFlags
from fathom.ir.types import DYNAMIC
from fathom.ir.values import BlockArgument, OpResult, Value
from fathom.irdl.definition import Trait
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Operations, defined_by
from fathom.text.beginnings import beginning

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import FrameType

_Note: TypeAlias = "Callable[[object, str, object], None]"
_ASKED: Final = frozenset(("name", "parent_op", "operands", "results", "attribute", "has", "interface"))
"""What operations are asked for that says something of them, beside the parts that their definitions name."""
_VALUES: Final = frozenset(("type", "defining_op", "uses"))
_LONGEST: Final = 120
"""Of a longer text of a type or an attribute the beginning is shown."""
_CONSTANT: Final = "a constant"
_FEW: Final = 4
"""So many values are named of a list."""
_MOST: Final = 10_000
"""So many facts are kept."""


class Seen:
    """The facts that code has looked at, in their order, each where it was looked at last. `root` is the operation that
    it is about."""

    def __init__(self, names: Callable[[Value], str], root: Operation) -> None:
        self._names = names
        self._root = root
        self._facts: dict[str, None] = {}
        self._weak: dict[str, None] = {}
        """What was looked at without being compared with anything: types, and what defines a value."""
        self._parts: dict[str, None] = {}
        """What stands in which place of an operation: that it was looked at says little, but more than nothing."""
        self._searched: set[str] = set()
        """What need not be said, since it was looked for and that is said."""
        self.depth = 0
        """In how many reads another one is made, which says no more than the outermost."""

    def last(self, count: int) -> tuple[str, ...]:
        """The facts that were looked at last."""
        return tuple(list(self._facts or self._weak or self._parts)[-count:])

    def note(self, subject: object, name: str, found: object) -> None:
        self.depth += 1
        try:
            of = self._of_value if isinstance(subject, Value) else self._of_op
            self._keep(of(subject, name, found), is_weak=name in ("type", "defining_op"))
        finally:
            self.depth -= 1

    def looked_for(self, value: Value, what: str, found: Operation | None) -> None:
        """That a value was to be defined by something, and is not."""
        self.depth += 1
        try:
            if what == _CONSTANT:
                self._keep(f"{self._names(value)} is no constant")
            elif found is None:
                self._keep(f"{self._names(value)} is a block argument, not from {what}")
            else:
                self._searched.add(f"{self._called(found)} is no {what}")
                self._keep(f"{self._names(value)} comes from '{found.name}', not from {what}")
        finally:
            self.depth -= 1

    def compared(self, op: Operation, other: str) -> None:
        """That the name of an operation was compared with one that it is not."""
        self.depth += 1
        try:
            self._keep(f"{self._called(op)} is no '{other}'")
        finally:
            self.depth -= 1

    def _keep(self, fact: str, *, is_weak: bool = False) -> None:
        """Puts a fact behind all others."""
        facts = self._weak if is_weak else self._facts
        facts.pop(fact, None)
        if fact and len(facts) < _MOST and fact not in self._searched:
            facts[fact] = None

    def _keep_part(self, called: str, name: str, values: list[Value]) -> None:
        shown = ", ".join(map(self._names, values[:_FEW])) + (", …" if len(values) > _FEW else "")
        fact = f"{called} has {name} {shown}" if values else f"{called} has no {name}"
        self._parts.pop(fact, None)
        self._parts[fact] = None

    def _of_value(self, value: Any, name: str, found: object) -> str:
        if name == "type":
            return f"{self._names(value)} is of type {_short(found)}"
        if name == "defining_op":
            if isinstance(found, Operation):
                return f"{self._names(value)} comes from '{found.name}'"
            return f"{self._names(value)} is a block argument"
        count = len(value.uses)
        return f"{self._names(value)} is used by {count} operation{'s' if count != 1 else ''}"

    def _of_op(self, subject: Any, name: str, found: object) -> str:
        called = self._called(subject)
        if name == "parent_op":
            return f"{called} stands in '{found.name}'" if isinstance(found, Operation) else ""
        if isinstance(found, Attribute):
            return f"{called} has {name} = {_short(found)}"
        if isinstance(found, Region):
            count = sum(1 for _ in found.operations())
            return f"the {name} of {called} holds {count} operation{'s' if count != 1 else ''}"
        if isinstance(found, Value):
            self._keep_part(called, name, [found])
            return ""
        if isinstance(found, list) and name != "results":
            self._keep_part(called, name, [value for value in cast("list[object]", found) if isinstance(value, Value)])
            return ""
        if name == "results":
            count = len(subject.results)
            return f"{called} has {count or 'no'} results" if count != 1 else ""
        if found is None:
            return f"{called} has no {name}"
        if isinstance(found, bool):
            return f"{called} {'has' if found else 'has no'} {name}"
        return ""

    def _called(self, op: Operation) -> str:
        if op is self._root:
            return f"the '{op.name}'"
        return f"the '{op.name}' of {self._names(op.results[0])}" if op.results else f"the '{op.name}'"


def _short(found: object) -> str:
    text = str(found).replace(str(DYNAMIC), "?")
    return text if len(text) <= _LONGEST else f"{beginning(text, _LONGEST)}…"


class _Name(str):
    """The name of an operation, which tells what it is compared with."""

    __slots__ = ("op", "seen")

    seen: Seen
    op: Operation

    def __eq__(self, other: object) -> bool:
        is_same = str.__eq__(self, other) is True
        if not is_same and isinstance(other, str):
            self.seen.compared(self.op, other)
        return is_same

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


@contextmanager
def looking(module: Operation, root: Operation) -> Generator[Seen]:
    """Notes what is asked of a module's operations and values inside, for an operation in it that is thought about."""
    names = name_values(module, PrintingFlags(source_names=True)).values
    seen = Seen(lambda value: names.get(value, "a value that it made"), root)
    classes = _classes(seen)
    looked_at: list[Operation | Value] = []
    for op in module.walk():
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.arguments)
        looked_at += (op, *op.results, *arguments)
    for one in looked_at:
        object.__setattr__(one, "__class__", classes[type(one)])
    try:
        yield seen
    finally:
        plain = {noting: class_ for class_, noting in classes.items()}
        for one in looked_at:
            object.__setattr__(one, "__class__", plain[type(one)])


def _classes(seen: Seen) -> dict[type[Any], type[Any]]:
    """Classes of operations and values that note what is asked of them."""

    def of_value(value: Value, name: str) -> object:
        if seen.depth or name not in _VALUES:
            return object.__getattribute__(value, name)
        found = _read(seen, value, name)
        here = currentframe() if name == "defining_op" else None
        what = _searched(here.f_back) if here is not None and here.f_back is not None else None
        if what is None:
            seen.note(value, name, found)
        elif not _is_found(seen, found, what):
            seen.looked_for(value, what, found)
        return found

    def of_op(op: Operation, name: str) -> object:
        if seen.depth or (name in OWN_NAMES and name not in _ASKED):
            return object.__getattribute__(op, name)
        found = _read(seen, op, name)
        if name == "name":
            told = _Name(found)
            told.seen, told.op = seen, op
            return told
        if callable(found):
            return _asked(seen, op, name, found)
        seen.note(op, name, found)
        return found

    def noting(base: type[Any], read: Callable[[Any, str], object]) -> type[Any]:
        return type(base.__name__, (base,), {"__slots__": (), "__getattribute__": read})

    return {
        Operation: noting(Operation, of_op),
        OpResult: noting(OpResult, of_value),
        BlockArgument: noting(BlockArgument, of_value),
    }


def _searched(caller: FrameType) -> str | None:
    """What a value is to be defined by, where the code that asks is that with which patterns look for it; None of any
    other. Such code says nothing of itself, since it is called far more often than anybody looks."""
    code, given = caller.f_code, caller.f_locals
    if code is defined_by.__code__:
        return f"'{given['kind'].name}'"
    if code is Operations.defining.__code__:
        return " or ".join(f"'{name}'" for name in given["self"].names[:_FEW])
    return _CONSTANT if code is constant_value.__code__ else None


def _is_found(seen: Seen, op: Any, what: str) -> bool:
    seen.depth += 1
    try:
        if op is None or what != _CONSTANT:
            return op is not None and f"'{op.name}'" in what.split(" or ")
        return op.definition is not None and op.definition.constant is not None
    finally:
        seen.depth -= 1


def _read(seen: Seen, of: object, name: str) -> Any:
    """What is asked for; that others are asked for it says no more."""
    seen.depth += 1
    try:
        return object.__getattribute__(of, name)
    finally:
        seen.depth -= 1


def _asked(seen: Seen, op: Operation, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that notes what it answers: of an attribute, a trait or an interface."""

    def ask(*arguments: Any) -> Any:
        seen.depth += 1
        try:
            found = method(*arguments)
        finally:
            seen.depth -= 1
        about = arguments[0] if arguments else ""
        if name == "attribute":
            seen.note(op, str(about), found)
        elif isinstance(about, Trait):
            seen.note(op, f"trait {about.name}", bool(found))
        elif found is None:
            seen.note(op, f"interface {getattr(about, '__name__', about)}", found)
        return found

    return ask
