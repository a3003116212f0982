"""`llvm-target-to-target-features`: all features that a target has, for the operation that names the target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class LLVMTargetToTargetFeatures(Pass):
    """The operation names by `llvm.target` a triple, a processor, and features that it has or not. It says then all
    features that LLVM has such a machine for, each with a `+`: those of the processor, and those that others imply."""

    name = "llvm-target-to-target-features"
    summary = "writes the features of a target"

    initialize_llvm_targets: bool = option(True, "whether LLVM's targets are loaded; without them, none is known", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.dialects import own_description
        from fathom.ir.attributes import StringAttr
        from fathom.llvm.features import enabled_features
        from fathom.passes.llvm_targets import TARGET, machine_of, refused, target_of

        target = target_of(op)
        if target is None:
            return refused(op, f'no LLVM::TargetAttr attribute at key "{TARGET}"')
        machine = machine_of(target, self.initialize_llvm_targets)
        if machine is None:
            return refused(op, f"failed to obtain llvm::TargetMachine for {target.attribute}")
        enabled = enabled_features(machine.target, target.triple, target.chip, target.features)
        if enabled is None:
            return refused(op, f"the features of the target '{machine.target}' are not known here")
        attributes = own_description("llvm").attributes
        features = attributes["TargetFeaturesAttr"].make_attribute(
            features=tuple(StringAttr(f"+{name}") for name in enabled)
        )
        triple, chip = (target.attribute.parameter(name) for name in ("triple", "chip"))
        op.attributes[TARGET] = attributes["TargetAttr"].make_attribute(triple=triple, chip=chip, features=features)
        return []
