"""Values that are used in a region which is isolated from above, and defined around it.

Elaboration takes the names for such that nothing declares, since each isolated region is a scope of its own to it. MLIR
looks them up, and refuses them when all in the region has been verified.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.diagnostics import TYPE_MISMATCH, UNDECLARED_VALUE, VERIFY, Diagnostic, Note
from fathom.elaborate.disagreements import name_in, number_in, other_type
from fathom.ir.operation import BlockArgument
from fathom.ir.types import POISON
from fathom.irdl.traits import ISOLATED_FROM_ABOVE

if TYPE_CHECKING:
    from fathom.elaborate.elaborated import Elaborated
    from fathom.elaborate.scopes import ForwardValue
    from fathom.ir.operation import Operation, Value


def settle_outer_uses(known: Elaborated, diagnostics: list[Diagnostic]) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Puts the values that are defined around isolated regions in the place of their names in these.

    Gives the mistakes in the text, of those that were `found`, and what verification has to say of these uses."""
    if not any(diagnostic.code == UNDECLARED_VALUE for diagnostic in diagnostics):
        return diagnostics, []
    settled: dict[tuple[int, int], Diagnostic | None] = {}
    late: list[Diagnostic] = []
    for text, stand_in in _undeclared(known):
        user = next(iter(stand_in.uses), None)
        isolated = _isolated_around(user) if user is not None else None
        value = _defined_around(known, isolated, text) if isolated is not None else None
        span = stand_in.places[0].span
        if user is None or isolated is None or value is None:
            continue
        if POISON not in (value.type, stand_in.type) and value.type != stand_in.type:
            message = other_type(text, stand_in.type, value.type)
            prior = value.span if isinstance(value, BlockArgument) else None
            definer = value.defining_op
            note = Note("prior use here", definer.span if definer is not None else prior)
            settled[span.start, span.end] = Diagnostic(message, span, "error", TYPE_MISMATCH, (note,))
            continue
        settled[span.start, span.end] = None
        stand_in.replace_all_uses_with(value)
        note = Note("required by region isolation constraints", isolated.span, op=isolated)
        message = f"'{user.name}' op using value defined outside the region"
        late.append(Diagnostic(message, user.span, "error", VERIFY, (note,), op=user))
    kept = [
        settled.get((diagnostic.span.start, diagnostic.span.end), diagnostic)
        if diagnostic.code == UNDECLARED_VALUE and diagnostic.span
        else diagnostic
        for diagnostic in diagnostics
    ]
    return [kept_one for kept_one in kept if kept_one is not None], late


def _undeclared(known: Elaborated) -> Iterator[tuple[str, ForwardValue]]:
    """The names that are not declared in their scopes, with what stands for them."""
    for names in {id(scope): scope for scope in known.scopes.values()}.values():
        yield from list(names.undeclared.items())


def _isolated_around(op: Operation) -> Operation | None:
    """The next operation around `op` whose regions are isolated from above."""
    around = op.parent_op
    while around is not None and not around.has(ISOLATED_FROM_ABOVE):
        around = around.parent_op
    return around


def _hides_names(op: Operation) -> bool:
    """Whether the names around an operation mean nothing in its regions."""
    return op.definition is not None and op.definition.custom is not None and op.definition.custom.hides_names


def _defined_around(known: Elaborated, isolated: Operation, text: str) -> Value | None:
    """The value of a name around an operation; None where there is none."""
    name, index = name_in(text), number_in(text)
    inside: Operation | None = isolated
    while inside is not None and not _hides_names(inside):
        region = inside.parent_region
        # What stands at the top of a text was put into a module, which has no names.
        names = known.scopes.get(region) if region is not None else None
        tables = [names.tables.get(region, {})] if names is not None and region is not None else _outermost(known)
        group = next((table[name] for table in tables if name in table), None)
        if group is not None:
            return group[index] if index < len(group) else None
        inside = inside.parent_op
    return None


def _outermost(known: Elaborated) -> list[dict[str, list[Value]]]:
    """What is defined in no region of the text."""
    return [names.tables.get(region, {}) for region, names in known.scopes.items() if region.parent is None]
