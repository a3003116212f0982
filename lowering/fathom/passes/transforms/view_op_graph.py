"""`view-op-graph`: operations and their uses as a graph for Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import ShowingPass
from fathom.passes.options import BOOL, UINT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


@record
class PrintOpPass(ShowingPass):
    """Operations are nodes, those with regions clusters; the text is in the language DOT, on standard error."""

    name = "view-op-graph"
    summary = "draws operations as a graph"

    max_label_len: int = option(20, "how much is written of a type or an attribute", UINT)
    print_attrs: bool = option(True, "write attributes", BOOL)
    print_control_flow_edges: bool = option(False, "draw an edge from each operation to the next", BOOL)
    print_data_flow_edges: bool = option(True, "draw an edge for each use", BOOL)
    print_result_types: bool = option(True, "write the types of results", BOOL)

    def shown(self, op: Operation) -> str:
        from fathom.passes.drawing import drawn

        return drawn(
            op,
            longest=self.max_label_len,
            attributes=self.print_attrs,
            control_flow=self.print_control_flow_edges,
            data_flow=self.print_data_flow_edges,
            types=self.print_result_types,
        )
