"""Values that have their names beside functions, at the top level or in a module: what an item defines there, others in
the same place can use, before it as well as after it.

An item is elaborated alone, so a name that it does not define is looked up here afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from fathom.diagnostics import ELABORATE, UNDECLARED_VALUE, Diagnostic, Note
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.scopes import ForwardValue
from fathom.elaborate.suggestions import FEW
from fathom.ir.operation import OpResult, Span, Value
from fathom.ir.types import POISON, Type, may_be_one
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import replace
from fathom.slices import paced
from fathom.spelling import nearest, slips
from fathom.syntax.tree import Item
from fathom_server.model.lookup import Scope, scope_of
from fathom_server.model.queries import fact
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import values_of


@fact
def scopes_of_value(snapshot: Snapshot, name: str) -> frozenset[Scope]:
    """The scopes in which an item defines a value of a name, such as `%0`."""
    return frozenset(scope_of(snapshot, item) for item in snapshot.symbols.values_named(name))


def is_defined_beside(snapshot: Snapshot, item: Item, name: str) -> bool:
    """Whether an item beside this one defines a value of a name."""
    scopes = scopes_of_value(snapshot, name)
    return bool(scopes) and scope_of(snapshot, item) in scopes


Beside: TypeAlias = "tuple[bool, tuple[Type, ...]]"
"""Whether the definition of a name beside an item stands before it, and the types of what it defines; `POISON` of what
only its uses tell."""


def settled(
    item: Item, known: Elaborated, found: Iterable[Diagnostic], beside: Callable[[str], Beside | None]
) -> Iterator[Diagnostic]:
    """What is wrong with an item. Of the names that are undeclared in it alone, what they are `beside` decides."""
    free: dict[tuple[int, int], tuple[str, ForwardValue]] | None = None
    for each in paced(found):
        if each.code == UNDECLARED_VALUE and each.span is not None:
            if free is None:
                free = {_ends(value.places[0].span): (text, value) for text, value in free_names(known)}
            text, value = free.get(_ends(each.span), ("", None))
            definition = beside(text.partition("#")[0]) if value is not None else None
            if value is not None and definition is not None:
                yield from _wrong_use(each, text, value.type, *definition)
                continue
        yield each


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _wrong_use(
    undeclared: Diagnostic, text: str, used: Type, is_before: bool, types: Sequence[Type]
) -> list[Diagnostic]:
    """What is wrong with the use of a value that is defined beside it. Where the use stands first, MLIR says so at the
    definition; but an item knows of the values that it uses, and not of those who use its own."""
    name, _, number = text.partition("#")
    index = int(number[:9] or 0)
    if index >= len(types):
        return [
            replace(undeclared, message="reference to invalid result number", code=ELABORATE)
            if is_before
            else undeclared
        ]
    type = types[index]
    if POISON in (type, used) or type == used or may_be_one(used, type):
        return []
    if is_before:
        message = f"use of value '{name}' expects different type than prior uses: '{used}' vs '{type}'"
        return [replace(undeclared, message=message, code=ELABORATE)]
    note = Note(f"previously used here with type '{used}'", undeclared.span)
    message = f"definition of SSA value '{name}#{index}' has type '{type}'"
    return [replace(undeclared, message=message, code=ELABORATE, notes=(note,))]


def defined_in(known: Elaborated) -> Mapping[str, list[Value]]:
    """The values that an item defines beside functions, by name."""
    top = known.operations[0].parent_region if known.operations else None
    names = known.scopes.get(top) if top is not None else None
    return names.tables.get(top, {}) if names is not None and top is not None else {}


@fact
def taken(snapshot: Snapshot, item: Item) -> tuple[str, ...]:
    """The names of the values that an item defines beside functions and that another one before it has defined."""
    return tuple(name for name in values_of(item) if definer(snapshot, item, name) not in (None, item))


def definer(snapshot: Snapshot, item: Item, name: str) -> Item | None:
    """The first item that defines a name where an item stands. To be asked by facts."""
    scope = scope_of(snapshot, item)
    found = [each for each in snapshot.symbols.values_named(name) if scope_of(snapshot, each) == scope]
    return min(found, key=snapshot.tree.index_of) if found else None


@fact
def nearest_beside(snapshot: Snapshot, item: Item, name: str) -> str | None:
    """The name of a value that an item beside this one defines, and that was most likely meant by another name."""
    scope, index = scope_of(snapshot, item), snapshot.symbols

    def is_beside(name: str) -> bool:
        return any(each is not item and scope_of(snapshot, each) == scope for each in index.values_named(name))

    if len(index.value_names) > FEW:
        return next((f"%{slip}" for slip in slips(name[1:]) if is_beside(f"%{slip}")), None)
    near = nearest(name[1:], [each[1:] for each in index.value_names if is_beside(each)])
    return f"%{near}" if near is not None else None


def free_names(known: Elaborated) -> Iterator[tuple[str, ForwardValue]]:
    """The names that an item uses in no region that is isolated, and does not define, with what stands for them."""
    top = known.operations[0].parent_region if known.operations else None
    if top is not None and (names := known.scopes.get(top)) is not None:
        yield from names.undeclared.items()


def outer_use(snapshot: Snapshot, item: Item, known: Elaborated) -> Diagnostic | None:
    """What keeps an item from being lowered alone that uses a value which is defined beside it."""
    for text, value in free_names(known):
        if is_defined_beside(snapshot, item, text.partition("#")[0]):
            message = f"'{text}' is defined beside this, which is lowered with the whole document only"
            return Diagnostic(message, value.places[0].span, code=UNDECLARED_VALUE)
    return None


def is_outer(value: Value, known: Elaborated) -> bool:
    """Whether a value of an item is one that its neighbours can use, or one of theirs."""
    if isinstance(value, OpResult):
        return value.op.parent_op is None
    # The name in the text of an unknown operation may be one of theirs wherever it stands.
    is_open = not any(op.has(ISOLATED_FROM_ABOVE) for op in known.operations)
    return isinstance(value, ForwardValue) and (is_open or any(each is value for _, each in free_names(known)))
