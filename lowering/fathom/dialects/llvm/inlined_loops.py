"""Where loops stand that came in with a call: what is said of them names the call as well.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.locations import CallSiteLoc, FusedLoc, LocationAttr, fused
from fathom.ir.traversal import closest_with
from fathom.irdl.interfaces import FunctionLike
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation

ANNOTATION: Final = "llvm.loop_annotation"


def relocate_loops(call: Operation, blocks: Sequence[Block]) -> None:
    """Annotations of loops get locations in the function that calls, if that is known to a debugger."""
    scope = _subprogram(call)
    caller = call.location
    if scope is None or not isinstance(caller, LocationAttr):
        return

    def relocated(parameter: Parameter, site: LocationAttr) -> Parameter:
        if isinstance(parameter, FusedLoc):
            return fused((CallSiteLoc(parameter, site),), scope)
        if isinstance(parameter, DialectAttr):
            found = tuple(relocated(each, site) for each in parameter.parameters)
            return replace(parameter, parameters=found) if found != parameter.parameters else parameter
        return parameter

    for op in (each for block in blocks for outer in block for each in outer.walk()):
        annotation = op.properties.get("loop_annotation")
        if isinstance(annotation, DialectAttr) and annotation.full_name == ANNOTATION:
            made = relocated(annotation, caller)
            if isinstance(made, DialectAttr):
                op.properties["loop_annotation"] = made


def _subprogram(call: Operation) -> Attribute | None:
    """What a debugger is told of the function around a call."""
    around = closest_with(call, FunctionLike)
    location = around.location if around is not None else None
    scope = location.metadata if isinstance(location, FusedLoc) else None
    return scope if isinstance(scope, DialectAttr) and scope.full_name == "llvm.di_subprogram" else None
