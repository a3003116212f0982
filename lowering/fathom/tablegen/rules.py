"""The rules of all operations, by their names. Those of `!if`, `!foreach` and the like, which do not look at all of
their operands alike, are here; the others in modules by what they are about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.tablegen import arithmetic, dags, lists, lookups, strings
from fathom.tablegen.dags import foreach_in_dag
from fathom.tablegen.mistakes import Refused
from fathom.tablegen.operations import Operation, Rule, truth
from fathom.tablegen.resolvers import Mapping as Mapped
from fathom.tablegen.sequences import DagTerm, List
from fathom.tablegen.terms import Term, shown
from fathom.tablegen.types import ListType, Type

if TYPE_CHECKING:
    from fathom.tablegen.resolvers import Resolver


def _if(of: Operation, at: Resolver) -> Term | None:
    condition, then, otherwise = of.operands
    known = truth(condition)
    return None if known is None else then if known else otherwise


def _cond(of: Operation, at: Resolver) -> Term | None:
    for condition, value in zip(of.operands[::2], of.operands[1::2], strict=True):
        known = truth(condition)
        if known is None:
            return None
        if known:
            converted = value.convert(of.type)
            return value if converted is None else converted
    name = at.record.written_name if at.record else ""
    places = at.record.places if at.record else ()
    raise Refused(f"{name} does not have any true condition in:{shown(of)}", *places)


def _apply(of: Operation, item: Term, at: Resolver) -> Term:
    return of.operands[-1].resolved(Mapped(at.keeper, at.record, {of.bound[0]: item}))


def _foreach(of: Operation, at: Resolver) -> Term | None:
    items = of.operands[0]
    if isinstance(items, DagTerm):
        at.keeper.work(items.size)
        return foreach_in_dag(items, lambda item: _apply(of, item, at))
    if not isinstance(items, List):
        return None
    at.keeper.work(len(items.elements))
    return List(tuple([_apply(of, item, at) for item in items.elements]), _element(of.type))


def _filter(of: Operation, at: Resolver) -> Term | None:
    items = of.operands[0]
    if not isinstance(items, List):
        return None
    at.keeper.work(len(items.elements))
    kept: list[Term] = []
    for item in items.elements:
        known = truth(_apply(of, item, at))
        if known is None:
            return None
        if known:
            kept.append(item)
    return List(tuple(kept), _element(of.type))


def _foldl(of: Operation, at: Resolver) -> Term | None:
    start, items, body = of.operands
    if not isinstance(items, List):
        return None
    so_far = start
    for item in items.elements:
        at.keeper.work(1)
        values = {of.bound[0]: so_far, of.bound[1]: item}
        so_far = body.resolved(Mapped(at.keeper, at.record, values))
    return so_far


def _element(of: Type) -> Type:
    return of.element if isinstance(of, ListType) else of


RULES: Final[Mapping[str, Rule]] = {
    "if": _if,
    "cond": _cond,
    "foreach": _foreach,
    "filter": _filter,
    "foldl": _foldl,
    **arithmetic.RULES,
    **strings.RULES,
    **lists.RULES,
    **dags.RULES,
    **lookups.RULES,
}
