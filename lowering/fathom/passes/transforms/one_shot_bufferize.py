"""`one-shot-bufferize`: operations on tensors become operations on memrefs, with copies only where a read would find
another value without.

    %1 = tensor.insert %f into %0[%i] : tensor<4xf32>      ->    memref.store %f, %m[%i] : memref<4xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, STRING, UINT, ULONG, list_of, one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Held

LAYOUTS: Final = one_of(
    {
        "infer-layout-map": "as the function returns it",
        "identity-layout-map": "elements one behind the other",
        "fully-dynamic-layout-map": "offset and strides known at run time",
    }
)
HEURISTICS: Final = ("bottom-up", "top-down", "bottom-up-from-terminators", "fuzzer")
"""The orders in which operations may be looked at: the last first, the first first, what leads to the ends of regions
first, and one that the seed decides."""


@record
class OneShotBufferizePass(Pass):
    """Functions keep their signatures, unless `bufferize-function-boundaries` is given."""

    name = "one-shot-bufferize"
    summary = "bufferizes tensors, with as few copies as it can tell"
    anchor = "builtin.module"

    allow_return_allocs_from_loops: bool = option(False, "loops may yield new buffers", BOOL)
    allow_unknown_ops: bool = option(False, "operations that do not bufferize may stay", BOOL)
    analysis_fuzzer_seed: int = option(0, "the seed of the heuristic `fuzzer`", UINT)
    analysis_heuristic: str = option("bottom-up", "the order in which operations are looked at", STRING)
    buffer_alignment: int = option(64, "how buffers are aligned, in bytes", ULONG)
    bufferize_function_boundaries: bool = option(False, "signatures and calls too", BOOL)
    check_parallel_regions: bool = option(True, "what is written at once by several gets a copy each", BOOL)
    copy_before_write: bool = option(False, "no analysis: each write is to a copy", BOOL)
    dialect_filter: tuple[str, ...] = option((), "only operations of these dialects", list_of(STRING))
    dump_alias_sets: bool = option(False, "attributes say which values may share a buffer", BOOL)
    function_boundary_type_conversion: str = option("infer-layout-map", "layouts in signatures", LAYOUTS)
    must_infer_memory_space: bool = option(False, "a memory space must follow from something", BOOL)
    no_analysis_func_filter: tuple[str, ...] = option((), "functions that are not analysed", list_of(STRING))
    print_conflicts: bool = option(False, "attributes say which reads and writes are in conflict", BOOL)
    test_analysis_only: bool = option(False, "only analyses, and says in attributes what it found", BOOL)
    unknown_type_conversion: str = option("fully-dynamic-layout-map", "layouts of which nothing is known", LAYOUTS)
    use_encoding_for_memory_space: bool = option(False, "the encoding of a tensor is its memory space", BOOL)

    @classmethod
    def is_for(cls, held: Held) -> bool:
        """Whether there are tensors."""
        from fathom.bufferization.models import has_tensors

        return any(has_tensors(op) for ops in held.values() for op in ops)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.one_shot import bufferize
        from fathom.bufferization.options import Options, refusals_of
        from fathom.diagnostics import LOWERING, Diagnostic

        problem = self._problem()
        if problem is not None:
            return [Diagnostic(problem, None, code=LOWERING, unplaced=True)]
        options = Options(**{declared.field: getattr(self, declared.field) for declared in self.options()})
        return refusals_of(lambda: bufferize(op, options, context))

    def _problem(self) -> str | None:
        """What is wrong with the options, if anything."""
        if self.must_infer_memory_space and self.use_encoding_for_memory_space:
            both = "only one of 'must-infer-memory-space' and 'use-encoding-for-memory-space' are allowed in"
            return f"{both} {self.name}"
        if self.analysis_heuristic not in HEURISTICS:
            return f"Invalid option: 'analysis-heuristic' is one of {', '.join(HEURISTICS)}"
        if self.unknown_type_conversion == "infer-layout-map":
            return "Invalid option: 'infer-layout-map' is not a valid value for 'unknown-type-conversion'"
        if self.copy_before_write and self.test_analysis_only:
            return "Invalid option: 'copy-before-write' cannot be used with 'test-analysis-only'"
        for name, given in (("print-conflicts", self.print_conflicts), ("dump-alias-sets", self.dump_alias_sets)):
            if given and not self.test_analysis_only:
                return f"Invalid option: '{name}' requires 'test-analysis-only'"
        if self.no_analysis_func_filter and not self.bufferize_function_boundaries:
            return "Invalid option: 'no-analysis-func-filter' requires 'bufferize-function-boundaries'"
        return None
