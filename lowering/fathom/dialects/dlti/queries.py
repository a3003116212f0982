"""What code asks of attributes that have entries.

Source of the rules: *DLTI Dialect*; `dlti::query` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.dlti import EntriesAttr, Key, spell_key
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.traversal import ancestors
from fathom.irdl.aspects import Aspect
from fathom.irdl.definition import Problem
from fathom.irdl.dialect import Joined

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions

Query: TypeAlias = "Callable[[DialectAttr, Key], Attribute | None]"
"""What an attribute says of a key; None where it says nothing."""

LAYOUT_QUERIES: Final = Aspect[Mapping[str, Query]]("layout_queries", {}, Joined)
"""What attributes of other dialects answer, by their full names."""

_NOT_FOUND: Final = "target op of failed DLTI query"


def query(op: Operation, keys: Sequence[Key], context: Definitions) -> Attribute | Problem:
    """What the closest attribute with entries around an operation, or of itself, says of the first key, what that says
    of the next, and so on; or what MLIR says where one says nothing. The first attribute that has entries counts,
    whatever it is for."""
    if not keys:
        return _failed("no keys provided to attempt query with", op)
    around, current = _closest(op, context)
    if current is None:
        return _failed("no DLTI-queryable attrs on target op or any of its ancestors", op)
    for number, key in enumerate(keys):
        ask = _asked(current, context)
        if ask is None:
            before = ",".join(spell_key(each, str) for each in keys[:number])
            return _failed(f"got non-DLTI-queryable attribute upon looking up keys [{before}] at op", around)
        found = ask(key)
        if found is None:
            return _failed(f"key {spell_key(key, str)} has no DLTI-mapping per attr: {current}", around)
        current = found
    return current


def _failed(note: str, at: Operation) -> Problem:
    return Problem(_NOT_FOUND, notes=((note, at),), bare=True)


def _closest(op: Operation, context: Definitions) -> tuple[Operation, Attribute | None]:
    """The first attribute that has entries, with the operation that it is on."""
    for around in (op, *ancestors(op)):
        for value in _attributes(around):
            if _asked(value, context) is not None:
                return around, value
    return op, None


def _attributes(op: Operation) -> Iterator[Attribute]:
    """Those of an operation, in the order of their names."""
    given = {**op.properties, **op.attributes}
    return (given[name] for name in sorted(given))


def _asked(value: Attribute, context: Definitions) -> Callable[[Key], Attribute | None] | None:
    """What answers for an attribute; None for one that has no entries."""
    if isinstance(value, EntriesAttr):
        return dict(value.entries).get
    if isinstance(value, DialectAttr):
        answer = context.aspect(LAYOUT_QUERIES, value.full_name.partition(".")[0]).get(value.full_name)
        return (lambda key: answer(value, key)) if answer is not None else None
    return None
