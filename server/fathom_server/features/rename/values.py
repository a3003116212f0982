"""Other names for values. The results of `%x:2` share one name, and are renamed together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.scopes import around
from fathom.ir.operation import BlockArgument, OpResult, Region, Span, Value
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.slices import paced
from fathom_server.features.mentions import beside, is_in_scope, scope_of_spot, tokens_named
from fathom_server.features.rename.places import line_of
from fathom_server.model.elaboration import elaborated
from fathom_server.model.places import Spot, value_at
from fathom_server.model.scoping import is_outer, region_of_scope
from fathom_server.model.snapshot import Snapshot


def places(snapshot: Snapshot, spot: Spot) -> list[Span]:
    """Where the name of the value at a spot stands, without the numbers of results."""
    value = value_at(snapshot, spot)
    name = spot.token.text.partition("#")[0]
    if value is None:
        return _in_statement(snapshot, spot, name)
    known = elaborated(snapshot, spot.item)
    if not is_outer(spot.item, value, known):
        group = _group(value, known, name)
        spans = _tokens(known, name, lambda value, _: any(renamed is value for renamed in group))
        return [Span(spot.item_start + span.start, spot.item_start + span.start + len(name)) for span in spans]
    scope = scope_of_spot(snapshot, spot)
    return [
        Span(start + span.start, start + span.start + len(name))
        for item, start in beside(snapshot, spot.item, scope)
        if any(name in line for line in item.lines)
        for span in _tokens(elaborated(snapshot, item), name, partial(is_in_scope, snapshot, item, scope))
    ]


def _in_statement(snapshot: Snapshot, spot: Spot, name: str) -> list[Span]:
    """Where a name stands in a statement in which it is that of no value, as in a declaration that names its arguments;
    nowhere if it is that of a value elsewhere, and the statement is broken."""
    known = elaborated(snapshot, spot.item)
    site = known.sites.get(spot.piece)
    if site is None or any(
        token in other.definitions or token in other.uses
        for other in known.sites.values()
        if other.mentions(name)
        for token in tokens_named(other, name)
    ):
        return []
    start = spot.item_start
    spans = (site.span(token) for token in tokens_named(site, name))
    return [Span(start + span.start, start + span.start + len(name)) for span in spans]


def _group(value: Value, known: Elaborated, name: str) -> list[Value]:
    """The values that have their name together with one."""
    for site in known.sites.values():
        if site.mentions(name):
            for token, values in site.definitions.items():
                if site.text(token) == name and any(member is value for member in values):
                    return values
    return [value]


def _tokens(known: Elaborated, name: str, is_meant: Callable[[Value, Span], bool]) -> Iterator[Span]:
    """The tokens that are the name of a value which is meant at their place. What a broken line names is taken to be
    that value if no other has the name."""
    unclear: list[Span] = []
    is_only = True
    for site in paced(known.sites.values()):
        for token in tokens_named(site, name) if site.mentions(name) else ():
            defined = site.definitions.get(token)
            used = site.uses.get(token)
            if defined is None and used is None:
                unclear.append(site.span(token))
                continue
            values = defined if defined is not None else [used] if used is not None else []
            if any(is_meant(value, site.span(token)) for value in values):
                yield site.span(token)
            else:
                is_only = is_only and defined is None
    yield from unclear if is_only else ()


# ---- what stands against a name


def problem(snapshot: Snapshot, spot: Spot, name: str) -> str | None:
    """Why the value at a spot cannot have a name, given without its sign."""
    value, text = value_at(snapshot, spot), f"%{name}"
    if text == spot.token.text.partition("#")[0]:
        return None
    if value is None:
        site = elaborated(snapshot, spot.item).sites.get(spot.piece)
        taken = next(tokens_named(site, text), None) if site is not None else None
        return f"'{text}' is in line {line_of(snapshot, spot.start)} already" if taken is not None else None
    if is_outer(spot.item, value, elaborated(snapshot, spot.item)):
        scope = scope_of_spot(snapshot, spot)
        items = beside(snapshot, spot.item, scope)
    else:
        scope = None
        items = [(spot.item, spot.item_start)]
    for item, start in items:
        if any(text in line for line in item.lines):
            known = elaborated(snapshot, item)
            home = region_of(value) if scope is None else region_of_scope(snapshot, item, known, scope)
            is_known = scope is not None or home is not None
            for span, reason in _taken(known, text, partial(_is_visible, home=home) if is_known else _is_anywhere):
                return reason.format(name=text, line=line_of(snapshot, start + span.start))
    return None


def _taken(known: Elaborated, name: str, is_near: Callable[[Value], bool]) -> Iterator[tuple[Span, str]]:
    """Where a name is in the way, and how. `is_near` tells of a value whether it cannot have the same name."""
    for site in paced(known.sites.values()):
        for token in tokens_named(site, name) if site.mentions(name) else ():
            if (defined := site.definitions.get(token)) is not None:
                if any(map(is_near, defined)):
                    yield site.span(token), "'{name}' is defined in line {line} already"
            elif not isinstance(site.uses.get(token), (OpResult, BlockArgument)):
                yield (
                    site.span(token),
                    "'{name}' is used in line {line} without a definition, and would mean this value",
                )


def _is_anywhere(value: Value) -> bool:
    """Where nothing tells in which region a value has its name, all others are near."""
    del value
    return True


def _is_visible(value: Value, home: Region | None) -> bool:
    """Whether a value and one of another region, or if that is None of the top of an item, may not have one name: one
    region is around the other, and not isolated from it."""
    region = region_of(value)
    return _reaches(region, home) or (home is not None and _reaches(home, region))


def _reaches(region: Region | None, outer: Region | None) -> bool:
    """Whether a name of the region `outer`, or if that is None of the top of the item, is visible in a region."""
    while region is not None and region is not outer:
        if region.parent is None:
            return outer is None
        if region.parent.has(ISOLATED_FROM_ABOVE):
            return False
        region = around(region)
    return region is outer


def region_of(value: Value) -> Region | None:
    """The region in which a value has its name; None if nothing tells."""
    if isinstance(value, OpResult):
        return value.op.parent_region
    return value.block.parent if isinstance(value, BlockArgument) else None
