"""Scopes of debug information for functions that have none, by the files and lines of their locations.

Source of the rules: MLIR 22, `ensure-debug-info-scope-on-llvm-func`.
"""

from __future__ import annotations

import posixpath
from itertools import count
from typing import TYPE_CHECKING, Final

from fathom.debug_info.correspondence import DEFINITION, OPTIMIZED, definition_of
from fathom.ir.attributes import UNIT, Attribute, DistinctAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.locations import CallSiteLoc, FileLineColLoc, FusedLoc, LocationAttr, NameLoc, fused, nested_locations
from fathom.ops.llvm import FuncOp

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

_NUMBERS: Final = count(1 << 33)
"""Those of new attributes, which no text has."""
_UNIT: Final = "llvm.di_compile_unit"
_SUBPROGRAM: Final = "llvm.di_subprogram"


def ensure_scopes(module: Operation, emission_kind: int) -> None:
    """Gives all functions in a module a scope, and what stands in them. All have a location."""
    unit = _scope(module.location, _UNIT) or new_unit(file_of(module.location), emission_kind)
    for function in module.walk():
        if isinstance(function, FuncOp):
            add_scope(function, unit)
            for op in function.walk():
                if op is not function:
                    _add_block(op, function)


def file_of(location: Attribute | None) -> FileLineColLoc | None:
    """A place in a file that a location says: of a call, where it stands."""
    match location:
        case FileLineColLoc():
            return location
        case NameLoc(_, child):
            return file_of(child)
        case FusedLoc(locations):
            return next((found for part in locations if (found := file_of(part)) is not None), None)
        case CallSiteLoc(_, caller):
            return file_of(caller)
        case _:
            return None


def _scope(location: Attribute | None, name: str) -> DialectAttr | None:
    """The first attribute of this name that is part of a location."""
    for part in nested_locations(location) if location is not None else ():
        metadata = part.metadata if isinstance(part, FusedLoc) else None
        if isinstance(metadata, DialectAttr) and metadata.full_name == name:
            return metadata
    return None


def _distinct() -> DistinctAttr:
    return DistinctAttr(next(_NUMBERS), UNIT)


def _file(place: FileLineColLoc | None) -> DialectAttr:
    """The file of a place, in its directory."""
    directory, name = posixpath.split(place.file) if place is not None else ("", "<unknown>")
    return definition_of("DIFileAttr").make_attribute(name=StringAttr(name), directory=StringAttr(directory))


def new_unit(place: FileLineColLoc | None, emission_kind: int, *, is_optimized: bool = True) -> DialectAttr:
    """A compile unit for what is in a file."""
    return definition_of("DICompileUnitAttr").make_attribute(
        id=_distinct(),
        sourceLanguage="DW_LANG_C",
        file=_file(place),
        producer=StringAttr("MLIR"),
        isOptimized=is_optimized,
        emissionKind=emission_kind,
    )


def subprogram_of(function: Operation) -> DialectAttr | None:
    """The function of the source that one stands for."""
    return _scope(function.location, _SUBPROGRAM)


def add_scope(function: Operation, unit: DialectAttr, *, is_optimized: bool = True) -> None:
    """Has a function stand for one of the source, unless it does."""
    location = function.location
    if not isinstance(location, LocationAttr) or subprogram_of(function) is not None:
        return
    place = file_of(location)
    is_defined = any(not region.is_empty for region in function.regions)
    # What is only declared here is defined in another compile unit.
    file = _file(place) if place is not None else unit.parameter("file")
    line = place.line if place is not None else 1
    subprogram = definition_of("DISubprogramAttr").make_attribute(
        id=_distinct() if is_defined else None,
        compileUnit=unit if is_defined else None,
        scope=file,
        name=function.properties.get("sym_name"),
        linkageName=function.properties.get("sym_name"),
        file=file,
        line=line,
        scopeLine=line,
        subprogramFlags=(OPTIMIZED if is_optimized else 0) | (DEFINITION if is_defined else 0),
        type=definition_of("DISubroutineTypeAttr").make_attribute(callingConvention="DW_CC_normal"),
    )
    function.location = fused((location,), subprogram)


def _add_block(op: Operation, function: Operation) -> None:
    """A scope for an operation that was inlined, or comes from another file than its function."""
    location, around = op.location, function.location
    scope = around.metadata if isinstance(around, FusedLoc) else None
    if not isinstance(scope, DialectAttr) or scope.full_name != _SUBPROGRAM:
        return
    if isinstance(location, CallSiteLoc):
        op.location = CallSiteLoc(_nested(location.callee, scope), location.caller)
        return
    place, whole = file_of(location), file_of(around)
    if isinstance(location, LocationAttr) and place is not None and whole is not None and place.file != whole.file:
        op.location = fused((location,), _block(scope, place))


def _nested(callee: LocationAttr, scope: DialectAttr) -> LocationAttr:
    """Where an inlined operation was written, in a block of the scope that it was inlined into."""
    place = file_of(callee)
    if place is None:
        return callee
    block = _block(scope, place)
    return fused((_nested(callee.callee, block) if isinstance(callee, CallSiteLoc) else callee,), block)


def _block(scope: DialectAttr, place: FileLineColLoc) -> DialectAttr:
    return definition_of("DILexicalBlockFileAttr").make_attribute(scope=scope, file=_file(place), discriminator=0)
