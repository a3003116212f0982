"""Debug information of a module while it is translated: functions, places, variables.

Source of the rules: MLIR 22, `ModuleTranslation`; what `mlir-translate` prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.cached import cached_property
from fathom.ir.attributes import ArrayAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.locations import FileLineColLoc, FusedLoc, UnknownLoc
from fathom.llvmir.metadata import Metadata, SpecializedMDNode

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.debug_info.locations import DebugLocations
    from fathom.debug_info.nodes import DebugNodes
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import BlockArgument, Operation
    from fathom.ir.operation import Value as SourceValue
    from fathom.ir.operation_printer import Locator
    from fathom.llvmir.metadata import DbgRecord
    from fathom.llvmir.module import Module
    from fathom.llvmir.unique_nodes import UniqueNodes
    from fathom.llvmir.values import Value

UNITS: Final = "llvm.dbg.cu"
_NOWHERE: Final = FileLineColLoc("", 0, 0)
_PLAIN: Final = (type(None), FileLineColLoc, UnknownLoc)
"""The classes of locations that name no scope."""
Scope = SpecializedMDNode
_OUTER: Final = {"DIModule": ("scope",), "DICommonBlock": ("scope", "unit"), "DISubprogram": ("unit",)}
"""How a compile unit is found from what a variable stands in."""


class DebugInfo:
    """What is known of a module. Nothing is made where no location names a scope."""

    def __init__(self, source: Operation, module: Module, unique: UniqueNodes, locate: Locator | None) -> None:
        self._source = source
        self._module = module
        self._unique = unique
        self._locate = locate or _written
        self._units: list[Metadata] = []
        self._globals: dict[SpecializedMDNode, list[Metadata | None]] = {}

    @cached_property
    def _nodes(self) -> DebugNodes:
        # Most modules have none.
        from fathom.debug_info.nodes import DebugNodes

        return DebugNodes(self._unique, self._units)

    @cached_property
    def _locations(self) -> DebugLocations:
        from fathom.debug_info.locations import DebugLocations

        return DebugLocations(self._unique, self._nodes)

    def subprogram(self, function: Operation) -> Scope | None:
        """The function of the source that one stands for."""
        location = function.location
        if location is None or location.__class__ in _PLAIN:
            return None
        return self._noted(self._locations.subprogram(location))

    def location(self, owner: Operation | BlockArgument, subprogram: Scope | None) -> SpecializedMDNode | None:
        """Where an operation or an argument stands, in a function of the source or in none."""
        if subprogram is None and owner.location.__class__ in _PLAIN:
            return None
        return self._noted(self._locations.location(self._locate(owner), subprogram))

    def where(self, owner: Operation | BlockArgument) -> Attribute:
        """The location of an operation or an argument."""
        return self._locate(owner)

    def place(self, location: Attribute) -> tuple[Metadata | None, ...]:
        """A location that names its scope; nothing for one that does not."""
        from fathom.debug_info.correspondence import LOCAL_SCOPES

        scope = self._nodes.node(location.metadata) if isinstance(location, FusedLoc) else None
        if scope is None or scope.kind.name not in LOCAL_SCOPES:
            return ()
        return (self._noted(self._locations.location(location, scope)),)

    def record(
        self, op: Operation, subprogram: Scope | None, value_of: Callable[[SourceValue], Value]
    ) -> DbgRecord | None:
        """What an operation tells a debugger; None for one that stands in no line."""
        from fathom.debug_info.records import record_of

        made = record_of(op, self._locate(op), subprogram, self._nodes, self._locations, value_of)
        self._noted(None)
        return made

    def variables(self, expressions: Attribute | None) -> tuple[SpecializedMDNode, ...]:
        """What is said of a variable of the module, which its compile unit lists as well."""
        made: list[SpecializedMDNode] = []
        for expression in expressions.elements if isinstance(expressions, ArrayAttr) else ():
            node = self._nodes.node(expression) if isinstance(expression, DialectAttr) else None
            if node is not None:
                made.append(node)
                unit = _unit(node.fields.get("var"))
                if unit is not None:
                    self._globals.setdefault(unit, []).append(node)
        self._noted(None)
        return tuple(made)

    def end(self) -> None:
        """Has compile units list their variables."""
        for unit, variables in self._globals.items():
            unit.fields["globals"] = self._unique.tuple(*variables)

    def _noted(self, node: SpecializedMDNode | None) -> SpecializedMDNode | None:
        """A node; the list of compile units is there as soon as one is."""
        if self._units:
            self._module.named_metadata[UNITS] = self._units
        return node


def _written(owner: Operation | BlockArgument) -> Attribute:
    """The location that is written at an operation; elsewhere it is on no line."""
    return owner.location if owner.location is not None else _NOWHERE


def _unit(variable: object) -> SpecializedMDNode | None:
    """The compile unit that a variable of the module belongs to."""
    found = variable.fields.get("scope") if isinstance(variable, SpecializedMDNode) else None
    if isinstance(found, SpecializedMDNode):
        for step in _OUTER.get(found.kind.name, ()):
            found = found.fields.get(step) if isinstance(found, SpecializedMDNode) else None
    return found if isinstance(found, SpecializedMDNode) and found.kind.name == "DICompileUnit" else None
