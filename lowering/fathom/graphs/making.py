"""The graphs that there are, by their kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.graphs import access, calls, control_flow, data_flow, llvm_ir, loops
from fathom.graphs.graph import Graph, Limits

if TYPE_CHECKING:
    from fathom.graphs.printed import Printed
    from fathom.ir.operation import Operation
    from fathom.irdl.dialect import Definitions

Make: TypeAlias = "Callable[[Operation, Printed, str, Limits], Graph]"

_OF_FUNCTION: Final[Mapping[str, Make]] = {
    control_flow.KIND: control_flow.control_flow,
    data_flow.KIND: data_flow.data_flow,
    loops.KIND: loops.loops,
}
OF_FUNCTION: Final = (*_OF_FUNCTION, access.KIND)
"""The graphs of a function, or of an operation that stands in the place of one."""
OF_MODULE: Final[Mapping[str, Make]] = {calls.KIND: calls.calls}
"""The graphs of a module."""
KINDS: Final = (*OF_FUNCTION, *OF_MODULE)
OF_LLVM_IR: Final = (control_flow.KIND, calls.KIND)
"""Those that there are of LLVM IR."""


def of_function(
    kind: str, function: Operation, printed: Printed, name: str, limits: Limits, context: Definitions
) -> Graph:
    """A graph of a function, of one of the kinds `OF_FUNCTION`."""
    if kind == access.KIND:
        return access.accesses(function, printed, name, limits, context)
    return _OF_FUNCTION[kind](function, printed, name, limits)


def of_llvm_ir(kind: str, lines: llvm_ir.Lines, name: str, limits: Limits) -> Graph:
    """A graph of a text in LLVM IR, of one of the kinds `OF_LLVM_IR`; of the function with this name, or of all."""
    made = llvm_ir.control_flow if kind == control_flow.KIND else llvm_ir.calls
    return made(lines, name, limits)
