"""`llvm-target-to-data-layout`: the data layout of a target, for the operation that names the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

LAYOUT = "dlti.dl_spec"


@record
class LLVMTargetToDataLayout(Pass):
    """The operation says by `llvm.target` what it is compiled for, and says then by `dlti.dl_spec` how data lies in
    memory there. What it said of types before still counts; where that contradicts the target, it is an error."""

    name = "llvm-target-to-data-layout"
    summary = "writes the data layout of a target"

    initialize_llvm_targets: bool = option(True, "whether LLVM's targets are loaded; without them, none is known", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.dialects.dlti import EntriesAttr
        from fathom.dialects.dlti.combining import combined
        from fathom.dialects.llvm.layout_specs import layout_spec
        from fathom.passes.llvm_targets import TARGET, machine_of, refused, target_of

        target = target_of(op)
        if target is None:
            return refused(op, f'no TargetAttrInterface-implementing attribute at key "{TARGET}"')
        machine = machine_of(target, self.initialize_llvm_targets)
        layout = layout_spec(machine.layout).attribute if machine is not None else None
        if layout is None:
            return refused(op, f"failed to obtain llvm::DataLayout for {target.attribute}")
        own = op.attributes.get(LAYOUT)
        if isinstance(own, EntriesAttr) and own.kind == "dl_spec":
            layout = combined([layout, own])
            if layout is None:
                return refused(op, f"the data layout contradicts that of {target.attribute}")
        op.attributes[LAYOUT] = layout
        return []
