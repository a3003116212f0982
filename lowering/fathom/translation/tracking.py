"""Debug locations that say where instructions come from, for this alone: LLVM carries them along as it optimises and
makes code, so each line that comes of it can be followed back.

A module that has debug information keeps it, and is followed by that. Any other gets a function of the source for each
of its functions, and for each instruction a location. Its line is the number of the line of the source, of those that
there is something of, and its column the number of the place in that line. So they are the same wherever the source
stands, and where LLVM makes one of two instructions that come from one line, it still says the line.

Source of the rules: *How to Update Debug Info: A Guide for LLVM Pass Authors*; the verifier of LLVM 22, which asks for
a location at each call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.llvmir.instructions import CallBase
from fathom.llvmir.metadata import SpecializedMDNode
from fathom.llvmir.node_kinds import NODES
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom.llvmir.metadata import FieldValue, MDNode
    from fathom.llvmir.module import Function, Module
    from fathom.llvmir.unique_nodes import UniqueNodes

LineOf: TypeAlias = "Callable[[int], int]"
"""Tells the line of an offset of the source."""
_UNITS: Final = "llvm.dbg.cu"
_NOWHERE: Final = (0, 0)
"""The line that is none, and no column of it."""
_MOST_COLUMNS: Final = 65_535
"""LLVM knows no column behind this one."""


@record
class Tracked:
    """Where the debug locations of a module lead: the places in the source, for each line and column. They are its own
    if it `keeps` them."""

    places: Mapping[tuple[int, int], tuple[Span, ...]]
    keeps: bool


def track(module: Module, nodes: UniqueNodes, spans: Mapping[object, Span | None], line_of: LineOf) -> Tracked:
    """Puts locations into a module that has none; `spans` says where its parts come from, and `line_of` in which line
    of the source that is."""
    if module.named_metadata.get(_UNITS):
        return Tracked(_own(module, spans), keeps=True)
    return Tracked(_Locations(module, nodes, spans, line_of).placed(), keeps=False)


def _own(module: Module, spans: Mapping[object, Span | None]) -> dict[tuple[int, int], tuple[Span, ...]]:
    found: dict[tuple[int, int], dict[Span, None]] = {}
    for function in module.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                span, place = spans.get(instruction), dict(instruction.metadata).get("dbg")
                if span is not None and isinstance(place, SpecializedMDNode) and place.number("line"):
                    found.setdefault((place.number("line"), place.number("column")), {})[span] = None
    return {place: tuple(spans) for place, spans in found.items()}


class _Locations:
    """Makes the locations of a module."""

    def __init__(
        self, module: Module, nodes: UniqueNodes, spans: Mapping[object, Span | None], line_of: LineOf
    ) -> None:
        self._module = module
        self._spans = spans
        self._line_of = line_of
        self._places: dict[tuple[int, int], tuple[int, int]] = {}
        """The line and the column for each place of the source."""
        self._at: dict[tuple[int, int], tuple[Span, ...]] = {}
        """The place for each line and column."""
        self._lines: dict[int, list[Span]] = {}
        """The places of each line of the source, in the order in which lines are numbered."""
        self._numbers: dict[int, int] = {}
        self._file = nodes.node("DIFile", {"filename": "-", "directory": ""})
        self._type = nodes.node("DISubroutineType", {"types": nodes.tuple(None)})

    def placed(self) -> dict[tuple[int, int], tuple[Span, ...]]:
        defined = [function for function in self._module.functions if function.blocks]
        if not defined:
            return {}
        fields: dict[str, FieldValue] = {
            "language": "DW_LANG_C",
            "file": self._file,
            "isOptimized": False,
            "runtimeVersion": 0,
            "emissionKind": "DebugDirectivesOnly",
        }
        unit = SpecializedMDNode(NODES["DICompileUnit"], fields, is_distinct=True)
        self._module.named_metadata[_UNITS] = [unit]
        for function in defined:
            self._function(function, unit)
        whole = {(self._numbers[line], 0): tuple(spans) for line, spans in self._lines.items()}
        return {**whole, **self._at}

    def _function(self, function: Function, unit: MDNode) -> None:
        line, _ = self._place(self._spans.get(function))
        fields: dict[str, FieldValue] = {
            "name": function.name,
            "scope": None,
            "file": self._file,
            "line": line,
            "scopeLine": line,
            "type": self._type,
            "spFlags": ("DISPFlagDefinition",),
            "unit": unit,
        }
        scope = SpecializedMDNode(NODES["DISubprogram"], fields, is_distinct=True)
        function.metadata = (*function.metadata, ("dbg", scope))
        nodes: dict[tuple[int, int], MDNode] = {}
        for block in function.blocks:
            for instruction in block.instructions:
                place = self._place(self._spans.get(instruction))
                if place == _NOWHERE and not isinstance(instruction, CallBase):
                    continue
                node = nodes.get(place)
                if node is None:
                    # In one function each place has one location, and functions share none.
                    at: dict[str, FieldValue] = {"line": place[0], "column": place[1], "scope": scope}
                    node = nodes[place] = SpecializedMDNode(NODES["DILocation"], at)
                instruction.metadata = (*instruction.metadata, ("dbg", node))

    def _place(self, span: Span | None) -> tuple[int, int]:
        """The line and the column that stand for a place, both from 1."""
        if span is None:
            return _NOWHERE
        key = span.place
        place = self._places.get(key)
        if place is None:
            line = self._line_of(span.start)
            spans = self._lines.setdefault(line, [])
            spans.append(span)
            number = self._numbers.setdefault(line, len(self._numbers) + 1)
            place = self._places[key] = number, min(len(spans), _MOST_COLUMNS)
            self._at[place] = (span,)
        return place
