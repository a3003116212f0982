"""Values that have their names beside functions, at the top level or in a module: what an item defines there, others in
the same place can use, before it as well as after it.

An item is elaborated alone, so a name that it does not define is looked up here afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from fathom.diagnostics import ELABORATE, UNDECLARED_VALUE, Diagnostic, Note
from fathom.elaborate.disagreements import (
    NO_SUCH_RESULT,
    defined_again,
    defined_with,
    name_in,
    number_in,
    other_type,
    used_with,
)
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.scopes import ForwardValue
from fathom.elaborate.sites import definition
from fathom.elaborate.suggestions import FEW
from fathom.ir.operation import OpResult, Region, Span, Value
from fathom.ir.types import POISON, Type, may_be_one
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import replace
from fathom.slices import paced
from fathom.spelling import nearest, slips
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lookup import Scope, scope_at, scope_of, scope_of_value, scopes_beside
from fathom_server.model.queries import NONE, fact, query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import open_tables, values_of


@fact(lambda reach: reach.values)
def scopes_of_value(snapshot: Snapshot, name: str) -> frozenset[Scope]:
    """The scopes in which an item defines a value of a name, such as `%0`."""
    return frozenset(scope for item in snapshot.symbols.values_named(name) for scope in _scopes(snapshot, item, name))


def _scopes(snapshot: Snapshot, item: Item, name: str) -> Iterator[Scope]:
    return (scope_of_value(snapshot, item, value) for value in values_of(item) if value.name == name)


def scope_beside(snapshot: Snapshot, item: Item, offset: int, name: str) -> Scope | None:
    """The scope around an offset of an item, if a value of a name is defined in that beside functions."""
    scopes = scopes_of_value(snapshot, name)
    scope = scope_at(snapshot, item, offset) if scopes else None
    return scope if scope in scopes else None


def settled(snapshot: Snapshot, item: Item, known: Elaborated) -> Iterator[Diagnostic]:
    """What is wrong with the meaning of an item. Of the names that are undeclared in it alone, what items beside it
    define decides."""
    free: dict[tuple[int, int], tuple[str, ForwardValue]] | None = None
    for diagnostic in paced(known.diagnostics):
        if diagnostic.code == UNDECLARED_VALUE and diagnostic.span is not None:
            if free is None:
                free = {_ends(value.places[0].span): (text, value) for text, value in free_names(item, known)}
            text, value = free.get(_ends(diagnostic.span), ("", None))
            beside = _types_beside(snapshot, item, diagnostic.span.start, name_in(text)) if value is not None else None
            if value is not None and beside is not None:
                yield from _wrong_use(diagnostic, text, value.type, *beside)
                continue
        yield diagnostic


Beside: TypeAlias = "tuple[bool, tuple[Type, ...]]"
"""Whether the definition of a name beside an item stands before it, and the types of what it defines; `POISON` of what
only its uses tell."""


def _types_beside(snapshot: Snapshot, item: Item, offset: int, name: str) -> Beside | None:
    """What an item beside this one defines by a name that stands at an offset."""
    scope = scope_beside(snapshot, item, offset, name)
    return _defined_beside(snapshot, item, scope, name) if scope is not None else None


def _name_beside(_item: Item, _scope: Scope, name: str) -> tuple[str]:
    return (name,)


@fact(lambda reach: reach.values, by=_name_beside, is_costly=True)
def _defined_beside(snapshot: Snapshot, item: Item, scope: Scope, name: str) -> Beside | None:
    home = definer(snapshot, scope, name)
    types = _types(snapshot, home).get((scope, name)) if home is not None else None
    if home is None or types is None:
        return None
    return snapshot.tree.index_of(home) < snapshot.tree.index_of(item), types


@query(keep=4096)
def _types(snapshot: Snapshot, item: Item) -> Mapping[tuple[Scope, str], tuple[Type, ...]]:
    """The types of the values that an item defines beside functions, by scope and name; `POISON` of those that only
    their uses tell."""
    known = elaborated(snapshot, item)
    guessed = {value for names in known.scopes.values() for value in names.guessed}

    def type_of(value: Value) -> Type:
        return POISON if value in guessed else value.type

    return {key: tuple(map(type_of, values)) for key, values in defined_in(snapshot, item, known).items()}


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _wrong_use(
    undeclared: Diagnostic, text: str, used: Type, is_before: bool, types: Sequence[Type]
) -> list[Diagnostic]:
    """What is wrong with the use of a value that is defined beside it. Where the use stands first, MLIR says so at the
    definition; but an item knows of the values that it uses, and not of those who use its own."""
    index = number_in(text)
    if index >= len(types):
        return [replace(undeclared, message=NO_SUCH_RESULT, code=ELABORATE) if is_before else undeclared]
    type = types[index]
    if POISON in (type, used) or type == used or may_be_one(used, type):
        return []
    if is_before:
        return [replace(undeclared, message=other_type(text, used, type), code=ELABORATE)]
    note = Note(used_with(used), undeclared.span)
    message = defined_with(name_in(text), index, type)
    return [replace(undeclared, message=message, code=ELABORATE, notes=(note,))]


def regions_beside(item: Item, known: Elaborated) -> list[Region]:
    """The regions of an item in which there are names beside functions: that at the top, and those of the tables that
    it opens."""
    top = known.operations[0].parent_region if known.operations else None
    regions = [top] if top is not None else []
    last = known.operations[-1] if known.operations else None
    for start in open_tables(item):
        # Nothing stands behind a table that is open.
        if last is None or last.span is None or last.span.start != start or not last.regions:
            break
        inside = last.regions[-1]
        regions.append(inside)
        last = inside.last.last if inside.last is not None else None
    return regions


def region_of_scope(snapshot: Snapshot, item: Item, known: Elaborated, scope: Scope) -> Region | None:
    """The region of an item whose names are those of a scope; None for that at the top."""
    regions = zip(scopes_beside(snapshot, item), regions_beside(item, known), strict=False)
    return next((region for inner, region in islice(regions, 1, None) if inner == scope), None)


def defined_in(snapshot: Snapshot, item: Item, known: Elaborated) -> Mapping[tuple[Scope, str], list[Value]]:
    """The values that an item defines beside functions, by their scope and name."""
    values_by_name: dict[tuple[Scope, str], list[Value]] = {}
    for region in regions_beside(item, known):
        names = known.scopes.get(region)
        for name, values in names.tables.get(region, {}).items() if names is not None else ():
            place = definition(values[0])
            scope = scope_at(snapshot, item, place.span.start) if place is not None else scope_of(snapshot, item)
            values_by_name.setdefault((scope, name), values)
    return values_by_name


def _names_beside(item: Item) -> list[str]:
    return [value.name for value in values_of(item)]


@fact(lambda reach: reach.values, by=_names_beside)
def taken(snapshot: Snapshot, item: Item) -> tuple[tuple[Scope, str], ...]:
    """The scopes and names of the values that an item defines beside functions and that another one before it has
    defined."""
    named = ((scope_of_value(snapshot, item, value), value.name) for value in values_of(item))
    return tuple(free for free in named if definer(snapshot, *free) not in (None, item))


def definer(snapshot: Snapshot, scope: Scope, name: str) -> Item | None:
    """The first item that defines a name in a scope. To be asked by facts."""
    items = [
        candidate for candidate in snapshot.symbols.values_named(name) if scope in _scopes(snapshot, candidate, name)
    ]
    return min(items, key=snapshot.tree.index_of) if items else None


def redefined_values(snapshot: Snapshot, item: Item, known: Elaborated) -> Iterator[Diagnostic]:
    """The values that an item defines beside functions by a name that one before it has."""
    for value in values_of(item):
        scopes_of_value(snapshot, value.name)  # Whoever comes to have it is to be known.
    again = frozenset(taken(snapshot, item)) if values_of(item) else ()
    for key, values in defined_in(snapshot, item, known).items() if again else ():
        place, name = definition(values[0]), key[1]
        if place is not None and key in again:
            yield Diagnostic(defined_again(name), place.span, code=ELABORATE)


@fact(lambda reach: None if reach.values else NONE)
def nearest_beside(snapshot: Snapshot, item: Item, name: str) -> str | None:
    """The name of a value that an item beside this one defines, and that was most likely meant by another name."""
    scope, index = scope_of(snapshot, item), snapshot.symbols

    def is_beside(name: str) -> bool:
        return any(other is not item and scope_of(snapshot, other) == scope for other in index.values_named(name))

    if len(index.value_names) > FEW:
        return next((f"%{slip}" for slip in slips(name[1:]) if is_beside(f"%{slip}")), None)
    near = nearest(name[1:], [name[1:] for name in index.value_names if is_beside(name)])
    return f"%{near}" if near is not None else None


def nearest_free(snapshot: Snapshot, item: Item, known: Elaborated, name: str) -> str | None:
    """The same of a name of an item, if it is one that its neighbours could define."""
    is_free = any(name_in(text) == name for text, _ in free_names(item, known))
    return nearest_beside(snapshot, item, name) if is_free else None


def free_names(item: Item, known: Elaborated) -> Iterator[tuple[str, ForwardValue]]:
    """The names that an item uses in no region that is isolated, but for those of tables that it opens, and does not
    define, with what stands for them."""
    for region in regions_beside(item, known):
        if (names := known.scopes.get(region)) is not None:
            yield from names.undeclared.items()


def outer_use(snapshot: Snapshot, item: Item, known: Elaborated) -> Diagnostic | None:
    """What keeps an item from being lowered alone that uses a value which is defined beside it."""
    for text, value in free_names(item, known):
        if scope_beside(snapshot, item, value.places[0].span.start, name_in(text)) is not None:
            message = f"'{text}' is defined beside this, which is lowered with the whole document only"
            return Diagnostic(message, value.places[0].span, code=UNDECLARED_VALUE)
    return None


def is_outer(item: Item, value: Value, known: Elaborated) -> bool:
    """Whether a value of an item is one that its neighbours can use, or one of theirs."""
    if isinstance(value, OpResult):
        return value.op.parent_op is None or value.op.parent_region in regions_beside(item, known)
    # The name in the text of an unknown operation may be one of theirs wherever it stands.
    is_open = not any(op.has(ISOLATED_FROM_ABOVE) for op in known.operations)
    return isinstance(value, ForwardValue) and (is_open or any(outer is value for _, outer in free_names(item, known)))
