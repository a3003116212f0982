"""Names of values and blocks while a document is elaborated.

A region that is isolated from above begins anew; any other sees the names around it, and its own end with it.
Source of the rules: *MLIR Language Reference*, "Value Scoping".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from fathom.diagnostics import TYPE_MISMATCH, UNDECLARED_BLOCK, UNDECLARED_VALUE
from fathom.elaborate.disagreements import (
    NO_SUCH_RESULT,
    defined_again,
    defined_with,
    name_in,
    number_in,
    other_type,
    used_with,
)
from fathom.elaborate.findings import note, report
from fathom.elaborate.sites import Place, definition
from fathom.ir.operation import Block, Region, Value
from fathom.ir.types import POISON, Type, may_be_one
from fathom.records import field, record
from fathom.slices import paced


class ForwardValue(Value):
    """Stands for a value that is used before its definition, at `places`, or for a name that may mean none."""

    __slots__ = ("places",)

    def __init__(self, type: Type, place: Place) -> None:
        super().__init__(type)
        self.places = [place]


Lookup: TypeAlias = "Callable[[str], list[Value] | None]"
"""The values that a name stands for; None where there are none, or where more is to be asked than the name."""

Mentions: TypeAlias = "dict[str, list[tuple[str, ForwardValue]]]"
"""What stands for the names in texts of unknown operations that were not defined there, with the whole of each text."""


@record(frozen=False)
class ValueNames:
    """The names that are visible, down to the next isolated region. A group `%x:2` is one entry with two values."""

    values: dict[str, list[Value]] = field(default_factory=lambda: {})
    forward: dict[str, ForwardValue] = field(default_factory=lambda: {})
    places: dict[str, Place] = field(default_factory=lambda: {})
    """Where the names were defined, but for those whose operations were made by a template."""
    tables: dict[Region, dict[str, list[Value]]] = field(default_factory=lambda: {})
    """What was defined in each of the regions that have ended."""
    homes: dict[str, list[Region]] | None = None
    """The regions but for the outermost in which each name is or was defined; None until somebody asks."""
    outermost: list[Region] = field(default_factory=list[Region])
    """The regions that lie in no other one, once somebody has asked for `homes`."""
    redefined: dict[str, list[list[Value]]] = field(default_factory=lambda: {})
    """The values that were given a name that was taken."""
    mentioned: set[str] = field(default_factory=set[str])
    """The names in texts of unknown operations that were not defined there."""
    undeclared: dict[str, ForwardValue] = field(default_factory=lambda: {})
    """The stand-ins for what was never defined."""
    ordered: set[str] = field(default_factory=set[str])
    """The names of which the order of their mentions decides what they mean: those that were used before they were
    defined, or defined twice."""
    guessed: set[Value] = field(default_factory=set[Value])
    """The values whose types are not known, so that the first use that names a type decides."""

    disputed: set[Value] = field(default_factory=set[Value])
    """Those of these whose uses name different types."""

    def is_guessed(self, value: Value) -> bool:
        """Whether the type of a value is what its uses say."""
        return value in self.guessed

    @property
    def lookup(self) -> Lookup:
        """What gives the values of names that mean no more than themselves."""
        return self.values.get

    def find(self, text: str) -> Value | None:
        """The value of `%x` or `%x#1`; None where it is not defined yet."""
        group = self.values.get(text)
        if group is not None:
            return group[0]
        if "#" in text and (group := self.values.get(name_in(text))) is not None:
            index = number_in(text)
            return group[index] if index < len(group) else None
        return None

    def use(self, text: str, type: Type | None, place: Place) -> Value:
        """The value that a use names, which must be of the type, if one is given; a stand-in before its definition."""
        value = self.find(text) or self._forward(text, type, place)
        return self._bind(value, text, type, place)

    def mention(self, text: str, place: Place, mentions: Mentions) -> Value:
        """The value that the text of an unknown operation names, or what stands for it in `mentions`: the name may be
        that of what follows in the region, or of a thing of the operation's own."""
        value = self.find(text)
        if value is None:
            name = name_in(text)
            self.mentioned.add(name)
            self.ordered.add(name)
            value = ForwardValue(POISON, place)
            value.name_hint = text[1:]
            mentions.setdefault(name, []).append((text, value))
        place.site.mark_use(place.token, value)
        return value

    def lend(self, name: str) -> None:
        """Takes note that a name in the text of an unknown operation is defined by that alone."""
        self.mentioned.add(name)

    def resolve_mentions(self, mentions: Mentions, name: str, values: list[Value]) -> None:
        """Puts values in the place of what stands for them by their name."""
        for text, stand_in in mentions.pop(name, ()):
            value = self.find(text) or values[0]
            stand_in.replace_all_uses_with(value)
            for at in stand_in.places:
                at.site.mark_use(at.token, value)

    def _bind(self, value: Value, text: str, type: Type | None, place: Place) -> Value:
        place.site.mark_use(place.token, value)
        if type is None or value.type == type:
            return value
        if value.type == POISON:
            if value not in self.disputed:
                value.type = type
        elif type != POISON and self.is_guessed(value):
            # One of the guesses is wrong, or the types are one by the rules of a dialect that nobody knows.
            self.disputed.add(value)
            value.type = POISON
        elif type != POISON and not may_be_one(type, value.type):
            report(
                other_type(text, type, value.type),
                place,
                *note("prior use here", self._place_of(name_in(text)) or definition(value)),
                code=TYPE_MISMATCH,
                types=(value.type, type),
            )
        return value

    def _forward(self, text: str, type: Type | None, place: Place) -> ForwardValue:
        value = self.forward.get(text)
        if value is not None:
            value.places.append(place)
            return value
        value = ForwardValue(type if type is not None else POISON, place)
        name = name_in(text)
        self.ordered.add(name)
        if name in self.values:
            report(NO_SUCH_RESULT, place)
            place.site.mark_obscure()
        else:
            self.forward[text] = value
        return value

    def define(self, name: str, values: list[Value], place: Place, *, in_signature: bool = False) -> bool:
        """Gives values their name, and puts them where it was used before. False if the name is taken already.

        `in_signature` tells that the operation's own text names them, as arguments of its region.
        """
        is_new = name not in self.values
        if not is_new:
            self.ordered.add(name)
            self.redefined.setdefault(name, []).append(values)
            message = f"region entry argument '{name}' is already in use" if in_signature else ""
            remark = "previously referenced here" if in_signature else "previously defined here"
            previous = note(remark, self._place_of(name))
            report(message or defined_again(name), place, *previous)
        elif in_signature and (used := self.forward.get(name)) is not None:
            previous = note("previously referenced here", used.places[0])
            report(f"region entry argument '{name}' is already in use", place, *previous)
        self.values[name] = values
        self.places[name] = place
        place.site.define(place.token, values)
        for index, value in enumerate(values):
            value.name_hint = name[1:] if len(values) == 1 else None
            if value.type is POISON:
                self.guessed.add(value)
            if self.forward:
                for key in (f"{name}#{index}", name)[: 1 + (index == 0)]:
                    if (stand_in := self.forward.pop(key, None)) is not None:
                        self._settle(stand_in, value, place)
        return is_new

    def define_plainly(self, name: str, values: list[Value]) -> bool:
        """Gives the results of an operation that was made by a template their name. False if there is more to do, since
        the name is taken, or something was used before its definition."""
        if self.forward or name in self.values or name in self.mentioned:
            return False
        self.values[name] = values
        if len(values) == 1:
            values[0].name_hint = name[1:]
        return True

    def enter(self, region: Region) -> None:
        """Takes note of a region that opens."""

    def leave(self, region: Region, defined: dict[str, list[Value]]) -> ValueNames:
        """Ends a region, with the names that were defined in it; gives the names that can be asked about it later."""
        self.tables[region] = defined
        return self

    def regions_of(self, name: str) -> list[Region]:
        """The regions that have ended in which a name is defined."""
        tables = self.tables
        if self.homes is None:
            homes: dict[str, list[Region]] = {}
            for region, table in paced(tables.items()):
                for inner in table if around(region) in tables else ():
                    homes.setdefault(inner, []).append(region)
            self.outermost = [region for region in paced(tables) if around(region) not in tables]
            self.homes = homes
        return [region for region in (*self.outermost, *self.homes.get(name, ())) if name in tables.get(region, ())]

    def put(self, region: Region, name: str, values: list[Value]) -> None:
        """Takes in a definition in a region that has ended."""
        self.tables[region][name] = values
        if self.homes is not None and region not in self.outermost:
            homes = self.homes.setdefault(name, [])
            if region not in homes:
                homes.append(region)

    def drop(self, region: Region) -> None:
        """Forgets a region that is no more."""
        for name in self.tables.pop(region, ()):
            if self.homes is not None and region in (homes := self.homes.get(name, [])):
                homes.remove(region)

    def dismantle(self) -> None:
        """Forgets all values. What was learned of a text may hold the names for longer than anybody needs the IR."""
        for stand_in in (*self.forward.values(), *self.undeclared.values()):
            stand_in.uses.clear()
        for known in (self.values, self.forward, self.places, self.tables, self.redefined, self.undeclared):
            known.clear()
        self.guessed.clear()
        self.homes = None

    def _place_of(self, name: str) -> Place | None:
        """Where a name was defined."""
        place = self.places.get(name)
        if place is None and (values := self.values.get(name)):
            return definition(values[0])
        return place

    def _settle(self, stand_in: ForwardValue, value: Value, place: Place) -> None:
        if stand_in.type != value.type and POISON not in (stand_in.type, value.type):
            name = "%" + (value.name_hint or "")
            used = note(used_with(stand_in.type), stand_in.places[0])
            index: int = getattr(value, "index", 0)
            report(defined_with(name, index, value.type), place, *used)
        if value.type is POISON and value in self.guessed:
            value.type = stand_in.type
        stand_in.replace_all_uses_with(value)
        for at in stand_in.places:
            at.site.mark_use(at.token, value)

    def end(self) -> None:
        """Reports the names that were used and never defined."""
        for value in paced(self.forward.values()):
            report("use of undeclared SSA value name", value.places[0], code=UNDECLARED_VALUE)
        self.undeclared |= self.forward
        self.forward.clear()

    def forget(self, names: Iterable[str]) -> None:
        """Ends the life of names with their region."""
        for name in names:
            self.values.pop(name, None)
            self.places.pop(name, None)


class BlockNames:
    """The blocks of one region, by label; those that were only referred to so far, with the place of the first
    reference."""

    __slots__ = ("defined", "forward", "places")

    def __init__(self) -> None:
        self.defined: dict[str, Block] = {}
        self.forward: dict[str, tuple[Block, Place]] = {}
        self.places: dict[str, Place] = {}

    def use(self, label: str, place: Place) -> Block:
        """The block that a successor names."""
        block = self.defined.get(label)
        if block is None:
            block, _ = self.forward.setdefault(label, (Block(), place))
        place.site.mark_block(place.token, block)
        return block

    def define(self, label: str, place: Place) -> Block:
        """The block that begins at a label."""
        if label in self.defined:
            previous = note("previously defined here", self.places.get(label), hint=True)
            report(f"redefinition of block '{label}'", place, *previous)
            block = Block()
        else:
            block = self.forward.pop(label)[0] if label in self.forward else Block()
            self.defined[label] = block
            self.places[label] = place
        block.name_hint = label[1:]
        block.label_span = place.span
        place.site.mark_block(place.token, block)
        return block

    def end(self) -> list[Block]:
        """Reports the labels that were named and never defined, and gives a block for each."""
        for _, place in self.forward.values():
            report("reference to an undefined block", place, code=UNDECLARED_BLOCK)
        return [block for block, _ in self.forward.values()]


def around(region: Region) -> Region | None:
    """The region around the operation of a region."""
    return region.parent.parent_region if region.parent is not None else None
