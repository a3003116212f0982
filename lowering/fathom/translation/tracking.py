"""Debug locations that say where instructions come from, for this alone: LLVM carries them along as it optimises and
makes code, so each line that comes of it can be followed back.

A module that has debug information keeps it, and is followed by that. Any other gets a function of the source for each
of its functions, and for each instruction a location whose line is the number of a place in the source; no file has
these lines.

Source of the rules: *How to Update Debug Info: A Guide for LLVM Pass Authors*; the verifier of LLVM 22, which asks for
a location at each call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.llvmir.instructions import CallBase
from fathom.llvmir.metadata import SpecializedMDNode
from fathom.llvmir.node_kinds import NODES
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Span
    from fathom.llvmir.metadata import FieldValue, MDNode
    from fathom.llvmir.module import Function, Module
    from fathom.llvmir.unique_nodes import UniqueNodes

_UNITS: Final = "llvm.dbg.cu"
_NOWHERE: Final = 0
"""The line that is none."""


@record
class Tracked:
    """Where the debug locations of a module lead: the places in the source, for each line and column. They are its own
    if it `keeps` them."""

    places: Mapping[tuple[int, int], tuple[Span, ...]]
    keeps: bool


def track(module: Module, nodes: UniqueNodes, spans: Mapping[object, Span | None]) -> Tracked:
    """Puts locations into a module that has none; `spans` says where its parts come from."""
    if module.named_metadata.get(_UNITS):
        return Tracked(_own(module, spans), keeps=True)
    return Tracked(_Locations(module, nodes, spans).placed(), keeps=False)


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

    def __init__(self, module: Module, nodes: UniqueNodes, spans: Mapping[object, Span | None]) -> None:
        self._module = module
        self._spans = spans
        self._nodes = nodes
        self._lines: dict[Span, int] = {}
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
        return {(line, 0): (span,) for span, line in self._lines.items()}

    def _function(self, function: Function, unit: MDNode) -> None:
        fields: dict[str, FieldValue] = {
            "name": function.name,
            "scope": None,
            "file": self._file,
            "line": self._line(self._spans.get(function)),
            "type": self._type,
            "spFlags": ("DISPFlagDefinition",),
            "unit": unit,
        }
        scope = SpecializedMDNode(NODES["DISubprogram"], fields, is_distinct=True)
        function.metadata = (*function.metadata, ("dbg", scope))
        places: dict[int, MDNode] = {}
        for block in function.blocks:
            for instruction in block.instructions:
                line = self._line(self._spans.get(instruction))
                if line == _NOWHERE and not isinstance(instruction, CallBase):
                    continue
                place = places.get(line)
                if place is None:
                    # In one function each line has one location, and functions share none.
                    place = places[line] = SpecializedMDNode(
                        NODES["DILocation"], {"line": line, "column": 0, "scope": scope}
                    )
                instruction.metadata = (*instruction.metadata, ("dbg", place))

    def _line(self, span: Span | None) -> int:
        """The number of a place, from 1."""
        return self._lines.setdefault(span, len(self._lines) + 1) if span is not None else _NOWHERE
