"""Names in the middle of a text that was elaborated already.

Most names have one definition, before all their uses, and a type: what they mean can be looked up anywhere. For the
others the order of their mentions decides (`ValueNames.ordered`). These are gone through again in the order of the
text, all of them, by the very rules by which they were when the text was read from its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.nesting import NotFollowed
from fathom.elaborate.scopes import ForwardValue, Lookup, Mentions, ValueNames, around
from fathom.elaborate.sites import Place, Site, site_of
from fathom.ir.operation import BlockArgument, OpResult, Region, Value
from fathom.ir.types import POISON, Type
from fathom.records import field, record


class InOrder(Exception):
    """All mentions of a name, or all uses of a value whose type they decide, must be gone through in order; None where
    some statement only has to be elaborated that stands further above."""

    def __init__(self, what: str | Value | None) -> None:
        self.what = what


@record(frozen=False)
class LiveNames(ValueNames):
    """The names that are visible where a statement stands, which is set by `move`.

    `known` is the whole text, and `scope` are its names, down to the next isolated region; `replayed` are those of
    which all mentions are gone through in order.
    """

    known: Elaborated = field(default_factory=Elaborated)
    scope: ValueNames = field(default_factory=ValueNames)
    replayed: Set[str] = frozenset()
    guessing: Set[Value] = frozenset()
    """The values whose uses are all gone through in order."""
    region: Region = field(default_factory=Region)
    order: int = 0
    retired: dict[tuple[Region, str], list[list[Value]]] = field(
        default_factory=dict["tuple[Region, str]", "list[list[Value]]"]
    )
    """The values of names whose definitions are elaborated again."""
    changed: list[tuple[Value, str]] = field(default_factory=lambda: [])
    """The values whose users are to be looked at again, with their names: those whose types are not what they were."""
    in_trouble: set[Value] | None = None
    """The values that were used where something was wrong, when that was first asked since `begin`."""
    open: list[tuple[Region, list[str]]] = field(default_factory=lambda: [])
    """The regions around the place, from the outermost inwards, with the replayed names that were defined there."""
    parents: dict[Region, Region] = field(default_factory=dict[Region, Region])
    """The regions around those that are elaborated again, which the IR does not tell while they are open."""
    entered: list[Region] = field(default_factory=list[Region])
    """Those that were opened since the last `move`."""

    def begin(self, replayed: Set[str], guessing: Set[Value]) -> None:
        """Begins to go through the text, and through all mentions of some names and all uses of some values."""
        self.replayed, self.guessing = replayed, guessing
        for value in guessing:
            value.type = POISON
        self.in_trouble = None
        self.open.clear()
        for part in (self.values, self.forward, self.places, self.redefined, self.undeclared):
            part.clear()
        self.ordered.clear()
        self.guessed.clear()
        self.disputed.clear()

    def settle(self) -> None:
        """Puts what was found out about the replayed names where it is known of the others."""
        scope = self.scope
        scope.ordered -= self.replayed
        scope.ordered |= self.ordered
        scope.redefined |= self.redefined
        for text in [text for text in scope.undeclared if text.partition("#")[0] in self.replayed]:
            del scope.undeclared[text]
        scope.undeclared |= self.undeclared

    def move(self, region: Region, order: int) -> None:
        """Goes on to a statement of a region; what was defined in regions that end before it is forgotten."""
        self.region, self.order = region, order
        self.entered.clear()
        regions = [*self._around(region)][::-1]
        while self.open and self.open[-1][0] not in regions:
            self.forget(self.open.pop()[1])
        self.open += [(region, []) for region in regions[len(self.open) :]]

    def go_on(self, site: Site) -> None:
        """Goes on to the next of statements that are elaborated together."""
        self.order = site.order

    def enter(self, region: Region) -> None:
        self.entered.append(region)
        self.scope.regions_of("")  # Which regions are outermost cannot be found out while one is open.
        self.scope.tables[region] = {}
        self.parents[region] = self.region
        self.open.append((region, []))
        self.region = region

    def leave(self, region: Region, defined: dict[str, list[Value]]) -> ValueNames:
        self.forget(self.open.pop()[1])
        self.region = self.parents[region]
        return self.scope

    def is_guessed(self, value: Value) -> bool:
        return value in self.guessed or value in self.guessing

    # ---- names, as an elaborator asks for them

    @property
    def lookup(self) -> Lookup:
        return self._plain

    def _plain(self, name: str) -> list[Value] | None:
        """The values of a name, unless the order in which it is mentioned has a part in what it means."""
        if name in self.replayed:
            return self.values.get(name)
        group = self._visible(name) if name not in self.scope.ordered else None
        return group if group is None or group[0] not in self.scope.guessed else None

    def find(self, text: str) -> Value | None:
        name, _, number = text.partition("#")
        if name in self.replayed:
            return ValueNames.find(self, text)
        if name in self.scope.ordered:
            raise InOrder(name)
        group = self._visible(name)
        if group is None or not number:
            return group[0] if group is not None else None
        index = int(number[:9])
        return group[index] if index < len(group) else None

    def use(self, text: str, type: Type | None, place: Place) -> Value:
        name = text.partition("#")[0]
        if name in self.replayed:
            return ValueNames.use(self, text, type, place)
        value = self.find(text)
        if value is None:
            raise InOrder(name)
        if value in self.scope.guessed:
            if value not in self.guessing:
                raise InOrder(value)
        return self._bind(value, text, type, place)

    def mention(self, text: str, place: Place, mentions: Mentions) -> Value:
        name = text.partition("#")[0]
        value = self.find(text) if name not in self.replayed else None
        if value is None:
            raise NotFollowed
        place.site.mark_use(place.token, value)
        return value

    def lend(self, name: str) -> None:
        raise NotFollowed

    def define_plainly(self, name: str, values: list[Value]) -> bool:
        return False

    def define(self, name: str, values: list[Value], place: Place, *, in_signature: bool = False) -> bool:
        if "#" in name:
            raise NotFollowed  # It would be found before the result that is meant.
        if name in self.scope.mentioned:
            raise NotFollowed
        if name not in self.replayed:
            if name in self.scope.ordered or self._is_taken(name):
                raise InOrder(name)
        self._take_over(name, values)
        if name not in self.replayed:
            place.site.define(place.token, values)
            for value in values:
                value.name_hint = name[1:] if len(values) == 1 else None
                self._note_guessed(value)
            self.scope.put(self.region, name, values)
            return True
        is_new = ValueNames.define(self, name, values, place, in_signature=in_signature)
        for value in values:
            self._note_guessed(value)
        self.note_defined(name, values, is_new=is_new)
        return is_new

    def note_defined(self, name: str, values: list[Value], *, is_new: bool) -> None:
        """Puts a replayed definition in its region's table."""
        if is_new:
            self.open[-1][1].append(name)
            self.scope.put(self.region, name, values)

    # ---- definitions that are elaborated again

    def retire(self, site: Site) -> None:
        """Takes away the definitions of a statement that is elaborated again; their values go to those that come."""
        for token, values in site.definitions.items():
            region = _region_of(values[0])
            table = self.scope.tables.get(region) if region is not None else None
            if region is None or table is None:
                continue  # It stands in a region that is isolated, and goes with it.
            name = site.text(token)
            # A template gives the same values in another list.
            if table.get(name) == values:
                del table[name]
            else:
                entries = self.scope.redefined.get(name, [])
                # Statements mostly go in the order of the text, in which these are as well.
                index = next((index for index, entry in enumerate(entries) if entry == values), None)
                if index is not None:
                    del entries[index]
            self.retired.setdefault((region, name), []).append(values)

    def _take_over(self, name: str, values: list[Value]) -> None:
        """Lets the values that had a name go on as those of what defines it now."""
        retired = self.retired.get((self.region, name), [])
        former = next((group for group in retired if len(group) == len(values)), None)
        if former is None:
            return
        retired.remove(former)
        for index, (old, new) in enumerate(zip(former, values, strict=True)):
            if old.type != new.type or self._is_disputed(old):
                self.changed.append((old, name))
            new.replace_all_uses_with(old)
            old.type = new.type
            if isinstance(old, OpResult) and isinstance(new, OpResult):
                old.op, old.index = new.op, new.index
                new.op.results[new.index] = old
            elif isinstance(old, BlockArgument) and isinstance(new, BlockArgument):
                old.block, old.index, old.span, old.location = new.block, new.index, new.span, new.location
                new.block.arguments[new.index] = old
            else:
                raise NotFollowed
            values[index] = old

    def _is_disputed(self, value: Value) -> bool:
        """Whether what is wrong with a use of a value may point at its definition, which is made anew."""
        if self.in_trouble is None:
            self.in_trouble = {used for site in self.known.troubled for used in site.uses.values()}
        return value in self.in_trouble

    def _visible(self, name: str) -> list[Value] | None:
        """The values that a name has here; None where it is defined nowhere before."""
        for region in self._around(self.region):
            group = self.scope.tables[region].get(name)
            if group is not None:
                return group if self._order_of(group[0]) < self.order else None
        return None

    def _around(self, region: Region) -> Iterator[Region]:
        """A region and those around it whose names it sees, from the innermost outwards."""
        outer: Region | None = region
        while outer is not None and outer in self.scope.tables:
            yield outer
            outer = self.parents.get(outer) or around(outer)

    def _order_of(self, value: Value) -> int:
        """Where a value gets its name: for a result of an operation with regions, at the end of its text."""
        sites = self.known.spread.get(value.op) if isinstance(value, OpResult) else None
        site = sites[-1] if sites else site_of(value)
        return site.order if site is not None else 0

    def _is_taken(self, name: str) -> bool:
        """Whether a definition here would be in the way of another one, or another one of it."""
        for region in self.scope.regions_of(name):
            is_later = self._order_of(self.scope.tables[region][name][0]) > self.order
            inner, outer = (region, self.region) if is_later else (self.region, region)
            if outer in self._around(inner):
                return True
        return False

    def _note_guessed(self, value: Value) -> None:
        if value.type is POISON:
            self.scope.guessed.add(value)
        else:
            self.scope.guessed.discard(value)

    def groups(self, name: str) -> Iterator[list[Value]]:
        """All values that have or had a name, each definition's together."""
        for region in self.scope.regions_of(name):
            yield self.scope.tables[region][name]
        yield from self.scope.redefined.get(name, ())
        for (_, retired_name), groups in self.retired.items():
            yield from groups if retired_name == name else ()


def _region_of(value: Value) -> Region | None:
    """The region in which a value is defined."""
    block = value.parent_block
    return block.parent if block is not None else None


def mentioned(known: Elaborated, name: str, groups: list[list[Value]], scope: ValueNames) -> Iterator[Site]:
    """The statements that define or use a name, in no order."""
    stand_ins = [value for text, value in scope.undeclared.items() if text.partition("#")[0] == name]
    for value in (*(value for values in groups for value in values), *stand_ins):
        home = site_of(value) if not isinstance(value, ForwardValue) else None
        if home is not None and home.piece in known.sites:  # else it is one that the edit took away
            yield home
        for user in value.uses:
            yield from known.sites_of(user)
