"""Locations: where a person should look for what an operation came from, as attributes.

Source of the rules: *Builtin Dialect*, "Location Attributes".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fathom.ir.attributes import Attribute
from fathom.ir.types import Speller
from fathom.records import record
from fathom.text.escapes import quote


@record
class LocationAttr(Attribute):
    """A location; `spell` gives it as an attribute, `loc(…)`, and `spell_inside` what stands in the parentheses."""

    def spell(self, of: Speller) -> str:
        return f"loc({self.spell_inside(of)})"

    def spell_inside(self, of: Speller) -> str:
        raise TypeError(f"{type(self).__name__} does not spell itself")


@record
class UnknownLoc(LocationAttr):
    """`unknown`."""

    def spell_inside(self, of: Speller) -> str:
        return "unknown"


@record
class FileLineColLoc(LocationAttr):
    """`"file":1:2`, or a range `"file":1:2 to 3:4` (an end of None is the same as the start)."""

    file: str
    line: int
    column: int
    end_line: int | None = None
    end_column: int | None = None

    def spell_inside(self, of: Speller) -> str:
        text = f"{quote(self.file)}:{self.line}:{self.column}"
        if self.end_column is None:
            return text
        line = "" if self.end_line is None or self.end_line == self.line else str(self.end_line)
        return f"{text} to {line}:{self.end_column}"


@record
class NameLoc(LocationAttr):
    """`"name"`, or `"name"(child)`."""

    name: str
    child: LocationAttr | None = None

    def spell_inside(self, of: Speller) -> str:
        return quote(self.name) + (f"({inside(self.child, of)})" if self.child is not None else "")


@record
class CallSiteLoc(LocationAttr):
    """`callsite(callee at caller)`."""

    callee: LocationAttr
    caller: LocationAttr

    def spell_inside(self, of: Speller) -> str:
        return f"callsite({inside(self.callee, of)} at {inside(self.caller, of)})"


@record
class FusedLoc(LocationAttr):
    """`fused<metadata>[a, b]`."""

    locations: tuple[LocationAttr, ...]
    metadata: Attribute | None = None

    def spell_inside(self, of: Speller) -> str:
        metadata = f"<{of(self.metadata)}>" if self.metadata is not None else ""
        return f"fused{metadata}[{', '.join(inside(loc, of) for loc in self.locations)}]"


def fused(locations: Iterable[LocationAttr], metadata: Attribute | None = None) -> LocationAttr:
    """Locations as one. Each counts once, those of another fused location with the same metadata are taken out of it,
    and unknown ones say nothing; what is left of that need not be a fused location.

    Source of the rules: observed behaviour of mlir-opt 22.
    """
    parts: dict[LocationAttr, None] = {}
    for location in locations:
        if isinstance(location, FusedLoc) and location.metadata == metadata:
            parts.update(dict.fromkeys(location.locations))
        elif not isinstance(location, UnknownLoc):
            parts[location] = None
    if metadata is not None:
        return FusedLoc(tuple(parts) or (UnknownLoc(),), metadata)
    return FusedLoc(tuple(parts)) if len(parts) > 1 else next(iter(parts), UnknownLoc())


def inside(location: LocationAttr, of: Speller) -> str:
    """A nested location: its alias where it has one, otherwise what stands in its parentheses."""
    text = of(location)
    return text if text.startswith("#") else text.removeprefix("loc(").removesuffix(")")


def nested_locations(location: Attribute) -> Iterator[Attribute]:
    """A location and those that it is made of, from the outside in; each once, however often it comes."""
    met: set[Attribute] = set()
    pending = [location]
    while pending:
        location = pending.pop()
        if location in met:
            continue
        met.add(location)
        yield location
        match location:
            case CallSiteLoc(callee, caller):
                pending += (caller, callee)
            case NameLoc(_, child) if child is not None:
                pending.append(child)
            case FusedLoc(locations):
                pending += reversed(locations)
            case _:
                pass


def spell_pretty(location: Attribute, of: Speller) -> str:
    """A location for people, as `--mlir-pretty-debuginfo` shows it; a call site takes a line for each caller."""

    def nested(child: LocationAttr) -> str:
        text = of(child)
        return text if text.startswith("#") else spell_pretty(child, of)

    match location:
        case UnknownLoc():
            return "[unknown]"
        case FileLineColLoc(file):
            return file + location.spell_inside(of)[len(quote(file)) :]
        case NameLoc(name, child):
            is_bare = child is None or isinstance(child, UnknownLoc)
            return quote(name) + ("" if is_bare or child is None else f"({nested(child)})")
        case CallSiteLoc(callee, caller):
            is_short = isinstance(callee, NameLoc) and isinstance(caller, FileLineColLoc)
            return nested(callee) + ("" if is_short else "\n") + f" at {nested(caller)}"
        case FusedLoc(locations, metadata):
            head = f"<{of(metadata)}>" if metadata is not None else ""
            return f"{head}[{', '.join(map(nested, locations))}]"
        case _:
            return of(location)
