"""Values that have their names beside functions, at the top level or in a module: what an item defines there, others in
the same place can use, before it as well as after it.

An item is elaborated alone, so a name that it does not define is looked up here afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fathom.diagnostics import UNDECLARED_VALUE, Diagnostic
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.scopes import ForwardValue
from fathom.elaborate.suggestions import FEW
from fathom.ir.operation import OpResult, Value
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.slices import paced
from fathom.spelling import nearest, slips
from fathom.syntax.tree import Item
from fathom_server.model.lookup import Scope, scope_of
from fathom_server.model.queries import fact
from fathom_server.model.snapshot import Snapshot


@fact
def scopes_of_value(snapshot: Snapshot, name: str) -> frozenset[Scope]:
    """The scopes in which an item defines a value of a name, such as `%0`."""
    return frozenset(scope_of(snapshot, item) for item in snapshot.symbols.values_named(name))


def is_defined_beside(snapshot: Snapshot, item: Item, name: str) -> bool:
    """Whether an item beside this one defines a value of a name."""
    scopes = scopes_of_value(snapshot, name)
    return bool(scopes) and scope_of(snapshot, item) in scopes


def without_outer(
    snapshot: Snapshot, item: Item, known: Elaborated, found: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """What is wrong with an item, without the names that are undeclared in it alone."""
    outer: set[tuple[int, int]] | None = None
    for each in paced(found):
        if each.code == UNDECLARED_VALUE and each.span is not None:
            if outer is None:
                names = [(text.partition("#")[0], value.places[0].span) for text, value in free_names(known)]
                outer = {(span.start, span.end) for name, span in names if is_defined_beside(snapshot, item, name)}
            if outer and (each.span.start, each.span.end) in outer:
                continue
        yield each


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
