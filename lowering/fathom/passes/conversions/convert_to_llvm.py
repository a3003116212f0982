"""`convert-to-llvm`: all dialects that have a pass to the LLVM dialect, in one conversion.

One conversion leaves no casts between what it converts, so that none have to be reconciled. Source of the rules: the
behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, STRING, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.interface import DialectToLLVM


@record
class ConvertToLLVMPass(Pass):
    """Converts what the passes for single dialects (`convert-arith-to-llvm`, `convert-func-to-llvm`, …) convert, as
    they do without options; what stays has a warning. Operations of `amx` and `xevm` become calls, some of `nvvm`
    assembly, and those of `omp` get types of the LLVM dialect. With `dynamic`, an index has the width that the data
    layout says. Without `allow-pattern-rollback` it fails where a pattern makes what cannot be converted further; else
    that is undone."""

    name = "convert-to-llvm"
    summary = "lowers all dialects that say how to the LLVM dialect, in one conversion"

    filter_dialects: tuple[str, ...] = option((), "convert these dialects only", list_of(STRING))
    dynamic: bool = option(False, "ask the attributes of operations too how they are converted", BOOL)
    allow_pattern_rollback: bool = option(True, "whether a pattern may be undone; an experiment of mlir-opt", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import LOWERING, Diagnostic
        from fathom.passes.gpu_to_llvm.targets import patterns_of_targets
        from fathom.passes.to_llvm.conversion import lower_to_llvm, type_converter
        from fathom.passes.to_llvm.further_dialects import FURTHER
        from fathom.rewriting.target import ConversionTarget

        parts = parts_by_dialect()
        for name in self.filter_dialects:
            if name not in parts and name not in FURTHER:
                known = context.dialect(name) is not None
                problem = "does not implement ConvertToLLVMPatternInterface" if known else "not loaded"
                return [Diagnostic(f"dialect {problem}: {name}", None, code=LOWERING)]
        names = self.filter_dialects or (*parts, *FURTHER)
        chosen = [parts[name] for name in names if name in parts]
        types = type_converter(0, op, by_layout=self.dynamic)
        patterns = [pattern for part in chosen for pattern in part.patterns(types, op)]
        # A cast that is made on the way is not, as it is for the passes for single dialects, legal.
        target, may_undo = ConversionTarget().legal("llvm"), self.allow_pattern_rollback
        for name in sorted(_present(op) & FURTHER.keys() & {*names}):
            patterns += FURTHER[name](op, types, target)
        if self.dynamic:
            # MLIR's conversions try last what was added first, where nothing is said of what is better.
            patterns = [*patterns_of_targets(op, types, target), *patterns]
        return lower_to_llvm(self, op, patterns, types, context, target, chosen, may_undo=may_undo)


def _present(root: Operation) -> set[str]:
    """The dialects of the operations, and of what they give and say besides: when the last operation is gone, types and
    attributes may be left."""
    present: set[str] = set()
    for op in root.walk():
        present.add(op.dialect)
        values = [
            *op.results,
            *(argument for region in op.regions for block in region.blocks for argument in block.arguments),
        ]
        present.update(value.type.dialect for value in values if isinstance(value.type, DialectType))
        present.update(said.dialect for said in op.attributes.values() if isinstance(said, DialectAttr))
    return present


def parts_by_dialect() -> dict[str, DialectToLLVM]:
    """The passes for single dialects, by the dialects."""
    from fathom.passes import all_passes
    from fathom.passes.to_llvm.interface import DialectToLLVM

    passes = [pass_() for pass_ in all_passes() if issubclass(pass_, DialectToLLVM)]
    return {dialect: pass_ for pass_ in passes for dialect in pass_.removes}
