"""Locations as `!DILocation(…)`, in the scopes that they name or that they stand in.

Source of the rules: MLIR 22, `DebugTranslation`; what `mlir-translate` prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.debug_info.correspondence import LOCAL_SCOPES
from fathom.debug_info.merging import merged
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.locations import CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc, UnknownLoc, nested_locations

if TYPE_CHECKING:
    from fathom.debug_info.nodes import DebugNodes
    from fathom.ir.attributes import Attribute
    from fathom.llvmir.metadata import SpecializedMDNode
    from fathom.llvmir.unique_nodes import UniqueNodes

_MOST_COLUMNS: Final = 1 << 16
"""LLVM has no room for more; a column from there on is unknown."""


class DebugLocations:
    """The nodes of locations, each made once in a scope."""

    def __init__(self, unique: UniqueNodes, nodes: DebugNodes) -> None:
        self._unique = unique
        self._nodes = nodes
        self._known: dict[tuple[Attribute, int, int], SpecializedMDNode | None] = {}

    def subprogram(self, location: Attribute) -> SpecializedMDNode | None:
        """The function of the source that a function's location names."""
        return self._named(location, frozenset({"DISubprogram"}))

    def scope(self, location: Attribute) -> SpecializedMDNode | None:
        """The first scope that a location names."""
        return self._named(location, LOCAL_SCOPES)

    def _named(self, location: Attribute, kinds: frozenset[str]) -> SpecializedMDNode | None:
        for part in nested_locations(location):
            if isinstance(part, FusedLoc):
                node = self._scope(part, kinds)
                if node is not None:
                    return node
        return None

    def _scope(self, location: FusedLoc, kinds: frozenset[str]) -> SpecializedMDNode | None:
        node = self._nodes.node(location.metadata) if isinstance(location.metadata, DialectAttr) else None
        return node if node is not None and node.kind.name in kinds else None

    def location(
        self, location: Attribute, scope: SpecializedMDNode | None, inlined_at: SpecializedMDNode | None = None
    ) -> SpecializedMDNode | None:
        """The node of a location that stands in a scope; None where it says no line, or stands in none."""
        if isinstance(location, UnknownLoc):
            return None
        key = (location, id(scope), id(inlined_at))
        if key not in self._known:
            self._known[key] = self._made(location, scope, inlined_at)
        return self._known[key]

    def _made(
        self, location: Attribute, scope: SpecializedMDNode | None, inlined_at: SpecializedMDNode | None
    ) -> SpecializedMDNode | None:
        match location:
            case FileLineColLoc(_, line, column) if scope is not None:
                return self._unique.node(
                    "DILocation",
                    {
                        "line": line or None,
                        "column": column if 0 < column < _MOST_COLUMNS else None,
                        "scope": scope,
                        "inlinedAt": inlined_at,
                    },
                )
            case CallSiteLoc(callee, caller):
                # What called it is where it is inlined at; where that is in no scope, what called that is.
                calling = self.location(caller, scope, inlined_at) or inlined_at
                return None if calling is None else self.location(callee, None, calling) or calling
            case FusedLoc(locations):
                scope = self._scope(location, LOCAL_SCOPES) or scope
                found = [self.location(part, scope, inlined_at) for part in locations]
                made = found[0]
                for other in found[1:]:
                    made = merged(made, other, self._unique)
                return made
            case NameLoc(_, child) if child is not None:
                return self.location(child, scope, inlined_at)
            case _:
                return None
